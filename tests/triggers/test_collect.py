from collections.abc import Callable

import pytest

from biochunk.corpora.records import Record
from biochunk.schemas import Dataset
from biochunk.triggers.collect import Item, collect, expects_head_first, gold_relations, items_of, place_of
from biochunk.triggers.cues import Cue, Merger, Written
from biochunk.triggers.finders import Words

Make = Callable[..., Record]


def counted(records: list[Record], dataset: Dataset):  # type: ignore[no-untyped-def]
    return collect(items_of(records, dataset, Words()))


def test_collect_counts_a_cue_by_relation_and_anywhere(
    corpus: list[Record], make_dataset: Callable[..., Dataset]
) -> None:
    found = counted(corpus, make_dataset(INHIBITS=[], TREATS=[], PRECEDES=[]))
    inhibit = found.cues[Cue("inhibit", "verb")]
    assert found.totals == {"INHIBITS": 18, "TREATS": 6, "PRECEDES": 6, None: 6}
    assert inhibit.near == {"INHIBITS": 12}
    assert inhibit.anywhere == 12
    assert inhibit.places == {("INHIBITS", "between"): 12}


def test_collect_counts_rows_of_one_sentence_once(make_record: Make, make_dataset: Callable[..., Dataset]) -> None:
    rows = [
        make_record("<h>aspirin</h> inhibits <t>COX-1</t> and COX-2.", "INHIBITS", 0),
        make_record("<h>aspirin</h>  inhibits COX-1 and <t>COX-2</t>.", "INHIBITS", 1),
    ]
    found = counted(rows, make_dataset(INHIBITS=[]))
    assert found.totals == {"INHIBITS": 1}
    assert found.cues[Cue("inhibits", "phrase")].near == {"INHIBITS": 1}


def test_collect_sentence_with_a_relation_is_no_negative(
    make_record: Make, make_dataset: Callable[..., Dataset]
) -> None:
    rows = [
        make_record("<h>aspirin</h> inhibits <t>COX-1</t> but not TXA2.", "INHIBITS", 0),
        make_record("<h>aspirin</h> inhibits COX-1 but not <t>TXA2</t>.", "", 1),
        make_record("<h>aspirin</h> and <t>TXA2</t>.", "", 2),
    ]
    assert counted(rows, make_dataset(INHIBITS=[])).totals == {"INHIBITS": 1, None: 1}


@pytest.mark.parametrize(
    ("start", "end", "place"),
    [
        (3, 4, "between"),
        (1, 2, "before"),
        (6, 7, "after"),
        (12, 13, None),
        (2, 3, None),  # a mention itself
        (2, 4, "between"),  # shares a word with a mention
    ],
)
def test_collect_place_of_a_cue(start: int, end: int, place: str | None) -> None:
    item = Item("k", tuple("abcdefghijklmn"), "R", head=(2, 3), tail=(5, 6))
    assert place_of(Written(start, end, Cue("x", "phrase"), False), item) == place


@pytest.mark.parametrize(
    ("words", "first", "second", "cue", "pos", "participle", "expected"),
    [
        ("X inhibits Y", 0, 2, (1, 2), "verb", False, True),
        ("Y inhibited by X", 0, 3, (1, 2), "verb", True, False),
        ("Y treated with X", 0, 3, (1, 2), "verb", True, False),
        ("X inhibited Y", 0, 2, (1, 2), "verb", True, True),
        ("inhibition of Y by X", 2, 4, (0, 2), "noun", False, False),
        ("effect of X on Y", 2, 4, (0, 2), "noun", False, True),
        ("inhibition of Y and X", 2, 4, (0, 2), "noun", False, None),
        ("today X and Y", 1, 3, (0, 1), "phrase", False, None),
    ],
)
def test_collect_order_that_a_pattern_expects(
    words: str,
    first: int,
    second: int,
    cue: tuple[int, int],
    pos: str,
    participle: bool,
    expected: bool | None,
) -> None:
    item = Item("k", tuple(words.split()), "R", head=(first, first + 1), tail=(second, second + 1))
    written = Written(*cue, Cue("x", pos), participle)  # type: ignore[arg-type]
    assert expects_head_first(written, str(place_of(written, item)), item) is expected


@pytest.mark.parametrize(
    ("label", "gold"),
    [(0, []), (1, ["ADE"]), (2, ["OTHER"]), (9, []), ("ADE", ["ADE"]), ("none", []), (None, [])],
)
def test_collect_class_labels_name_relations(label: object, gold: list[str]) -> None:
    record = Record.model_validate({"id": "1", "dataset": "d", "split": "train", "text": "x", "label": label})
    assert gold_relations(record, ["ADE", "OTHER"]) == gold


def test_collect_without_pairs_counts_the_whole_sentence(make_dataset: Callable[..., Dataset]) -> None:
    rows = [Record(id=str(i), dataset="d", split="train", text=f"Rash {i} after dose", label=i % 2) for i in range(4)]
    found = counted(rows, make_dataset(ADE=[]))
    assert found.totals == {"ADE": 2, None: 2}
    assert found.cues[Cue("after", "preposition")].near == {"ADE": 2}
    assert found.cues[Cue("after", "preposition")].anywhere == 4


def test_collect_merger_sees_the_whole_corpus() -> None:
    merger = Merger.of([["inhibits"], ["inhibited"]])
    assert merger.merge(["inhibits"])[0] == merger.merge(["inhibited"])[0]

"""Rows of one sentence become one record: what is kept, what is dropped, and which text wins."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biochunk.corpora import ade, chemprot, ddi, gmciht
from biochunk.corpora.group import Group, group_rows
from biochunk.corpora.published import to_record
from biochunk.corpora.records import Record
from biochunk.corpora.source import Asked, Row, Source
from biochunk.corpora.splits import sentence_key


def _group(source: Source, *asked: tuple[Any, ...]) -> Group:
    rows = [to_record(source, "train", "own.json", Row(Asked(*one), i, None), i) for i, one in enumerate(asked, 1)]
    return group_rows(rows, source.marking)


def _said(record: Record | None) -> list[tuple[str, str, str]]:
    assert record
    texts = {entity.id: entity.text for entity in record.entities}
    return [(texts[triple.head], triple.relation, texts[triple.tail]) for triple in record.triples]


def _pairs(record: Record | None) -> list[list[str]]:
    assert record
    texts = {entity.id: entity.text for entity in record.entities}
    return [[texts[key] for key in pair] for pair in record.meta["pairs"]]


def test_group_joins_rows_with_other_padding() -> None:
    group = _group(
        gmciht.SOURCE,
        (" tnf  and il-6 fell in  rats .", "tnf", "PROCESS_OF", "rats"),
        ("tnf and  il-6  fell in  rats .", "il-6", "PROCESS_OF", "rats"),
        (" tnf  and  il-6  fell in rats.", "tnf", "COEXISTS_WITH", "il-6"),
    )
    assert group.record
    assert group.record.text == "tnf and il-6 fell in rats."
    assert [entity.text for entity in group.record.entities] == ["tnf", "il-6", "rats"]
    assert _said(group.record) == [
        ("tnf", "PROCESS_OF", "rats"),
        ("il-6", "PROCESS_OF", "rats"),
        ("tnf", "COEXISTS_WITH", "il-6"),
    ]
    assert group.outcomes == ["kept", "grouped", "grouped"]
    assert group.record.meta == {
        "file": "own.json",
        "lines": [1, 2, 3],
        "pairs": [["e1", "e3"], ["e2", "e3"], ["e1", "e2"]],
    }


def test_group_drops_what_is_the_same_without_marks() -> None:
    group = _group(
        gmciht.SOURCE,
        (" tnf  fell in  rats .", "tnf", "PROCESS_OF", "rats"),
        ("[  tnf  ] fell in {  rats  }.", "tnf", "PROCESS_OF", "rats"),
        (" tnf  fell, in  rats ", "tnf", "PROCESS_OF", "rats"),
    )
    assert group.outcomes == ["kept", "duplicate_normalised", "duplicate_normalised"]
    assert len(_said(group.record)) == 1


def test_group_lets_a_relation_win_over_none() -> None:
    text = "Aspirin, warfarin and heparin."
    group = _group(
        ddi.SOURCE,
        (text, "Aspirin", "None", "warfarin"),
        (text, "heparin", "None", "warfarin"),
        (text, "warfarin", "effect", "Aspirin"),
        (text, "Aspirin", "None", "warfarin"),
    )
    # The order of the two drugs does not make it another pair.
    assert group.outcomes == ["overruled", "kept", "grouped", "overruled"]
    assert _said(group.record) == [("warfarin", "effect", "Aspirin")]
    assert _pairs(group.record) == [["heparin", "warfarin"], ["warfarin", "Aspirin"]]


def test_group_keeps_and_counts_several_relations_of_a_pair() -> None:
    text = "Aspirin and warfarin."
    group = _group(ddi.SOURCE, (text, "Aspirin", "int", "warfarin"), (text, "Aspirin", "advise", "warfarin"))
    assert group.outcomes == ["kept", "grouped"]
    assert _said(group.record) == [("Aspirin", "int", "warfarin"), ("Aspirin", "advise", "warfarin")]
    assert _pairs(group.record) == [["Aspirin", "warfarin"]]
    assert group.events == {"pairs with several relations": 1}


def test_group_keeps_a_sentence_where_nothing_holds() -> None:
    group = _group(ddi.SOURCE, ("Aspirin or warfarin.", "Aspirin", "None", "warfarin"))
    assert group.record
    assert (group.record.triples, _pairs(group.record)) == ([], [["Aspirin", "warfarin"]])


def test_group_lets_label_1_win() -> None:
    group = _group(
        ade.SOURCE,
        ("A rash.", None, None, None, 0),
        ("A rash", None, None, None, 1),
        ("a rash.", None, None, None, 1),
    )
    assert group.outcomes == ["overruled", "kept", "duplicate_normalised"]
    assert group.record
    # The record is the first row of use, and stands where that one stood.
    assert (group.record.label, group.record.id) == (1, "ade-train-0002")


def test_group_mends_a_lost_character_from_another_row() -> None:
    group = _group(
        chemprot.SOURCE,
        ("Unlike  losartan   valsartan, a drug, cut  PSA -like growth", "losartan", "DOWNREGULATOR", "PSA"),
        ("Unlike losartan,  valsartan   a drug, cut  PSA -like growth", "valsartan", "DOWNREGULATOR", "PSA"),
    )
    assert group.record
    assert group.record.text == "Unlike losartan, valsartan, a drug, cut PSA-like growth"
    assert [entity.text for entity in group.record.entities] == ["losartan", "valsartan", "PSA"]
    assert group.events == {"texts mended by another row of the sentence": 1}


def test_group_takes_the_reading_of_most_rows() -> None:
    rows = [("TNF-alpha fell", "TNF", "None", "fell"), ("TNF alpha fell", "TNF", "int", "alpha")]
    group = _group(ddi.SOURCE, *rows, ("TNF alpha fell", "alpha", "int", "fell"))
    assert group.record
    assert group.record.text == "TNF alpha fell"
    # A tie goes to the earlier row, here of two.
    assert (_group(ddi.SOURCE, *rows).record or group.record).text == "TNF-alpha fell"


def test_group_keeps_two_places_of_one_string_apart() -> None:
    group = _group(
        gmciht.SOURCE,
        ("[  tnf  ] fell, tnf rose in {  rats  }.", "tnf", "PROCESS_OF", "rats"),
        ("tnf fell, [  tnf  ] rose in {  rats  }.", "tnf", "PROCESS_OF", "rats"),
    )
    assert group.outcomes == ["kept", "grouped"]
    assert group.record
    assert [(entity.text, entity.start) for entity in group.record.entities] == [
        ("tnf", 0),
        ("tnf", 10),
        ("rats", 22),
    ]


def test_group_keeps_two_labels_of_one_place_apart() -> None:
    text = " ATP  makes  ATP ase"
    group = _group(chemprot.SOURCE, (text, "ATP", "PRODUCT-OF", "makes"), (text, "makes", "PRODUCT-OF", "ATP"))
    assert group.record
    assert [(entity.text, entity.label) for entity in group.record.entities] == [
        ("ATP", "CHEMICAL"),
        ("ATP", "GENE"),
        ("makes", "CHEMICAL"),
        ("makes", "GENE"),
    ]


def test_group_moves_signs_at_the_edge_of_a_mention() -> None:
    group = _group(
        ddi.SOURCE,
        ("(R)- ketamine , and NO", "(R)- ketamine", "int", "NO"),
        ("(R)-ketamine, and NO", "(R)-ketamine", "advise", "NO"),
        ("(R)-ketamine, and NO", "(R)-ketamine", "effect", "NO"),
    )
    assert group.record
    assert group.record.text == "(R)-ketamine, and NO"
    assert [entity.text for entity in group.record.entities] == ["(R)-ketamine", "NO"]


@pytest.mark.parametrize(("second", "outcome"), [("a + b", "grouped"), ("a b", "not_located")])
def test_group_finds_a_mention_of_signs_alone_or_drops_its_row(second: str, outcome: str) -> None:
    rows = [(second, "a", "int", "b"), (second, "b", "int", "a"), ("a  +  b", "+", "int", "b")]
    assert _group(ddi.SOURCE, *rows).outcomes == ["kept", "grouped", outcome]


_TEXTS = st.lists(st.sampled_from(["tnf", "il-6", "rats", "of"]), min_size=2, max_size=6)


@given(_TEXTS, st.data())
def test_group_accounts_for_every_row_and_spans_fit(words: list[str], data: st.DataObject) -> None:
    """Any spacing and punctuation between the words: one record, each triple in it, each offset right."""
    asked = []
    for _ in range(data.draw(st.integers(1, 4))):
        text = words[0] + "".join(data.draw(st.sampled_from([" ", "  ", ", ", " ("])) + word for word in words[1:])
        head, tail = data.draw(st.sampled_from(words)), data.draw(st.sampled_from(words))
        asked.append((text, head, data.draw(st.sampled_from(["TREATS", "CAUSES"])), tail))
    group = _group(gmciht.SOURCE, *asked)
    assert group.record
    assert Record.model_validate(group.record.model_dump()) == group.record
    assert set(group.outcomes) <= {"kept", "grouped", "duplicate_normalised"}
    assert group.outcomes.count("kept") == 1
    assert len(group.record.triples) == sum(outcome in ("kept", "grouped") for outcome in group.outcomes)
    assert set(_said(group.record)) == {(head, relation, tail) for _, head, relation, tail in asked}
    assert sentence_key(group.record.text) == sentence_key(asked[0][0])

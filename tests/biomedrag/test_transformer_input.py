from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.biomedrag.tiny_encoder import save_tiny_encoder

from biochunk.biomedrag.items import Evidence, Example, Mention
from biochunk.biomedrag.readers.transformer.input import (
    CLOSE,
    DETECTED,
    NARROW,
    OPEN,
    SPACED,
    WIDE,
    Limits,
    gap_mark,
    read_items,
)
from biochunk.errors import BiochunkError

LIMITS = Limits(pieces=40, evidence=12, positions=96, words=3)
TEXTS = ["the drug zelan lowers plasma mirin in old rats , not [ kolin ] - or beta ; treats : …"]
SIGNS = {WIDE: "_", NARROW: "'", OPEN: "<", CLOSE: ">"}


@pytest.fixture(scope="module")
def tokenizer(tmp_path_factory):
    pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    folder = save_tiny_encoder(tmp_path_factory.mktemp("tiny") / "model", TEXTS)
    return transformers.AutoTokenizer.from_pretrained(folder)


def shown(item, tokenizer, *, segment=0):
    """An item as a string: pieces, with signs where marks stand."""
    pieces = tokenizer.convert_ids_to_tokens(item.ids)
    rows = zip(item.types, item.marks, pieces, strict=True)
    return " ".join(SIGNS.get(mark, piece) for kind, mark, piece in rows if kind == segment)


def read(tokenizer, example, task="triples", limits=LIMITS):
    [item] = read_items([example], tokenizer, task=task, limits=limits)
    return item


def asked(text, *names):
    """An example that asks for all pairs of neighbours among names; a name not in the text is invisible."""
    mentions = [Mention(name, text.find(name), text.find(name) + len(name)) for name in names]
    mentions = [m if m.start >= 0 else Mention(m.text, -1, -1) for m in mentions]
    return Example(id="x", text=text, pairs=tuple(pairwise(mentions)))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("zelan lowers mirin", "[CLS] zelan lowers mirin [SEP]"),
        ("zelan  lowers mirin", "[CLS] zelan _ lowers mirin [SEP]"),
        ("zelan \tlowers\nmirin", "[CLS] zelan _ lowers mirin [SEP]"),
        (" zelan  lowers mirin ", "[CLS] _ zelan _ lowers mirin _ [SEP]"),
        ("zelan lowers  mirin , not beta", "[CLS] zelan lowers _ mirin ' , not beta [SEP]"),
        ("zelan lowers mirin, not beta", "[CLS] zelan lowers mirin , not beta [SEP]"),
        ("[  zelan  ] lowers mirin", "[CLS] [ _ zelan _ ] lowers mirin [SEP]"),
        ("zelan lowers  mirin -beta", "[CLS] zelan lowers _ mirin ' - beta [SEP]"),
        ("[ zelan ] lowers mirin", "[CLS] [ ' zelan ' ] lowers mirin [SEP]"),
        ("", "[CLS] [SEP]"),
        (" \n", "[CLS] _ [SEP]"),
    ],
)
def test_unusual_white_space_is_marked(tokenizer, text, expected):
    assert shown(read(tokenizer, Example(id="x", text=text)), tokenizer) == expected


@given(st.text(alphabet=" \n\t\xa0ab.(", max_size=12))
def test_gap_mark_is_zero_only_for_ordinary_white_space(text):
    for start in range(len(text)):
        end = start + len(text[start:]) - len(text[start:].lstrip())
        if end - start > 1:
            assert gap_mark(text, start, end) == WIDE
        assert gap_mark(text, start, start) == 0


def test_candidates_are_runs_of_words_without_stops_at_their_ends(tokenizer):
    item = read(tokenizer, Example(id="x", text="zelan, mirin"))
    assert item.texts == ("zelan", "zelan, mirin", "mirin")
    assert item.flags.tolist() == [0, 0, 0]
    assert item.widths.tolist() == [1, 3, 1]


def test_candidates_know_which_were_detected_and_what_stands_between_marks(tokenizer):
    text = "the  plasma mirin  in old rats"
    item = read(tokenizer, Example(id="x", text=text, mentions=((5, 17), (22, 30))))
    flags = dict(zip(item.texts, item.flags.tolist(), strict=True))
    assert flags["plasma mirin"] == DETECTED | SPACED
    assert flags["old rats"] == DETECTED
    assert flags["in old rats"] == flags["the"] == SPACED
    assert flags["plasma"] == 0


def test_a_detected_mention_longer_than_the_longest_run_is_a_candidate(tokenizer):
    text = "the drug zelan lowers plasma mirin"
    item = read(tokenizer, Example(id="x", text=text, mentions=((0, 34), (9, 12))))
    assert text in item.texts
    assert "zel" in item.texts


def test_positions_of_candidates_are_those_of_their_pieces(tokenizer):
    text = "[  zelan  ] lowers  old rats"
    item = read(tokenizer, Example(id="x", text=text))
    for (first, last), (start, end) in zip(item.spans, item.chars, strict=True):
        between = range(first, last + 1)
        pieces = [tokenizer.convert_ids_to_tokens(item.ids[i]) for i in between if not item.marks[i]]
        assert pieces == text[start:end].split()


def test_asked_mentions_are_marked_and_invisible_ones_are_written_after_the_text(tokenizer):
    item = read(tokenizer, asked("zelan lowers plasma mirin", "zelan", "plasma mirin", "kolin"), task="pairs")
    assert shown(item, tokenizer) == "[CLS] < zelan > lowers < plasma mirin > < kolin > [SEP]"
    assert item.pairs == ((0, 1), (1, 2))
    assert item.chars == ((0, 5), (13, 25), (-1, -1))
    assert item.spans.tolist() == [[2, 2], [6, 7], [9, 11]]


def test_an_asked_mention_that_is_cut_off_is_written_after_the_text(tokenizer):
    item = read(tokenizer, asked("the drug zelan lowers plasma mirin", "zelan", "mirin"), "pairs", Limits(5, 0, 96, 3))
    assert item.cut
    assert shown(item, tokenizer) == "[CLS] the drug < zelan > lowers < mirin > [SEP]"


def test_long_text_is_cut_and_says_so(tokenizer):
    text = " ".join(["zelan"] * 60)
    item = read(tokenizer, Example(id="x", text=text, mentions=((0, 5), (300, 305))))
    assert item.cut
    assert len(item.ids) <= LIMITS.pieces + 2
    assert max(end for _, end in item.chars) <= 40 * 6
    assert not read(tokenizer, Example(id="x", text="zelan")).cut


def test_the_encoder_is_never_given_more_than_it_takes(tokenizer):
    evidence = (Evidence(" ".join(["mirin"] * 40), "TREATS", "r", 0, 0.5, 0),)
    example = Example(id="x", text=" ".join(["zelan"] * 60), evidence=evidence)
    item = read(tokenizer, example, "label", Limits(pieces=40, evidence=40, positions=50, words=3))
    assert len(item.ids) <= 50
    assert item.evidence_cut


def test_more_asked_mentions_than_positions_is_an_error(tokenizer):
    mentions = tuple(Mention("kolin mirin", -1, -1 - i) for i in range(30))
    example = Example(id="many", text="zelan", pairs=tuple((m, mentions[0]) for m in mentions[1:]))
    with pytest.raises(BiochunkError, match="many: found 30 asked mentions"):
        read(tokenizer, example, "pairs")


def test_evidence_is_a_second_segment_with_its_relation_the_best_first(tokenizer):
    evidence = (
        Evidence("zelan  lowers mirin", "TREATS", "r", 0, 0.5, 0),
        Evidence("old rats in the plasma", "NOT_IN", "s", 1, 0.4, 0),
    )
    item = read(tokenizer, Example(id="x", text="beta", evidence=evidence))
    assert shown(item, tokenizer) == "[CLS] beta [SEP]"
    assert shown(item, tokenizer, segment=1) == "treats : zelan lowers mirin [SEP] not in : old rats [SEP]"
    assert item.evidence_cut and not item.cut
    without = read(tokenizer, Example(id="x", text="beta", evidence=evidence), limits=Limits(40, 0, 96, 3))
    assert shown(without, tokenizer, segment=1) == ""


def test_evidence_that_fits_exactly_is_not_cut(tokenizer):
    evidence = (Evidence("zelan lowers", "TREATS", "r", 0, 0.5, 0),)
    example = Example(id="x", text="beta", evidence=evidence)
    assert not read(tokenizer, example, limits=Limits(40, 5, 96, 3)).evidence_cut
    assert read(tokenizer, example, limits=Limits(40, 4, 96, 3)).evidence_cut


def test_an_item_does_not_depend_on_the_others(tokenizer):
    examples = [Example(id="x", text="zelan  lowers mirin"), Example(id="y", text="old rats")]
    both = read_items(examples, tokenizer, task="triples", limits=LIMITS)
    for example, item in zip(examples, both, strict=True):
        alone = read(tokenizer, example)
        assert alone.ids == item.ids
        assert np.array_equal(alone.spans, item.spans)
    assert read_items([], tokenizer, task="triples", limits=LIMITS) == []

"""Passages: what an index holds, and that a cover is no larger than its sentence."""

import re

from hypothesis import given
from hypothesis import strategies as st

from biochunk.biomedrag.items import Cue, Piece, Sentence, Statement
from biochunk.biomedrag.visible import words
from biochunk.evaluation.passages import (
    Passage,
    covering_passages,
    index_size,
    passages,
    selected_passages,
)


def sentence(text, pieces, mentions=(), cues=()):
    """Strings stand for their first place in the text."""

    def places(parts):
        return [(text.index(part), text.index(part) + len(part)) for part in parts]

    made = [Piece(a, b, text[a:b], "R", 0.5, "entity", slot, "") for slot, (a, b) in enumerate(places(pieces), 1)]
    return Sentence(
        "s", text, tuple(sorted(places(mentions))), tuple(Cue(a, b, "R", 1) for a, b in places(cues)), (), tuple(made)
    )


def texts(found):
    return [passage.text for passage in found]


def test_passages_are_slices_each_once():
    assert passages("s", "one two", [(0, 3), (4, 7), (0, 3)]) == [Passage("s", 0, 3, "one"), Passage("s", 4, 7, "two")]


def test_selected_passages_are_the_first_pieces():
    found = selected_passages(sentence("a b c d", ["c d", "a b", "b c"]), 2)
    assert texts(found) == ["c d", "a b"]


def test_size_counts_words_as_often_as_they_are_indexed():
    index = passages("s", "one two three", [(0, 7), (4, 13)]) + passages("t", "four", [(0, 4)])
    assert index_size(index, 2) == (2, 3, 5 / 3, 2.5)
    assert index_size([], 0) == (0, 0, 0.0, 0.0)


def test_pieces_that_bring_pairs_come_before_the_most_similar():
    made = sentence("we found here that A stops B today", ["we found here that", "A stops B today"], ["A", "B"])
    assert texts(covering_passages(made)) == ["A stops B", "we found here that"]


def test_no_more_words_than_the_sentence():
    pieces = ["a b c", "b c d", "c d e", "d e f"]
    found = covering_passages(sentence("a b c d e f", pieces), joined_words=0)
    assert texts(found) == ["a b c", "d e f"]


def test_a_piece_with_nothing_new_is_left_out():
    found = covering_passages(sentence("a b c d e f", ["a b", "a", "b"]))
    assert texts(found) == ["a b"]


def test_pieces_that_overlap_or_touch_are_joined_for_a_pair():
    made = sentence("so A was shown to stop B again", ["A was shown", "shown to stop B"], ["A", "B"])
    assert texts(covering_passages(made))[0] == "A was shown to stop B"
    touching = sentence("so A was shown to stop B again", ["A was", "shown to stop B"], ["A", "B"])
    assert texts(covering_passages(touching))[0] == "A was shown to stop B"


def test_pieces_apart_or_too_long_together_are_not_joined():
    apart = sentence("so A was shown to stop B again", ["A was", "to stop B"], ["A", "B"])
    assert all(text in ("A was", "to stop B") for text in texts(covering_passages(apart)))
    long = sentence("so A was shown to stop B again", ["A was shown", "shown to stop B"], ["A", "B"])
    assert "A was shown to stop B" not in texts(covering_passages(long, joined_words=5))


def test_a_passage_of_two_entities_ends_at_entities_and_triggers():
    made = sentence(
        "in mice A and B interact, as ever", ["in mice A and B interact, as ever"], ["A", "B"], ["interact"]
    )
    # Whole words: the comma stays.
    assert texts(covering_passages(made)) == ["A and B interact,"]
    # With one entity there is nothing to cut to.
    alone = sentence("in mice A is seen, as ever", ["in mice A is seen, as ever"], ["A"])
    assert texts(covering_passages(alone)) == ["in mice A is seen, as ever"]


def test_a_near_pair_and_a_trigger_are_worth_more():
    near = sentence("A B x C y", ["A B", "x C", "B x C"], ["A", "B", "C"])
    assert texts(covering_passages(near, joined_words=0))[0] == "A B"
    cued = sentence("A x B and C stops D", ["A x B", "C stops D"], ["A", "B", "C", "D"], ["stops"])
    assert texts(covering_passages(cued))[0] == "C stops D"


def test_a_pair_that_a_proposition_joins_is_worth_more():
    made = sentence("A x B and C y D", ["A x B", "C y D"], ["A", "B", "C", "D"])
    assert texts(covering_passages(made))[0] == "A x B"
    stated = Statement((10, 11), (12, 13), (14, 15), "R", 1.0, False, False, False)
    assert texts(covering_passages(made._replace(statements=(stated,))))[0] == "C y D"


def test_a_sentence_without_pieces_has_no_passages():
    assert covering_passages(sentence("a b", [])) == []


def test_mentions_of_white_space_are_nothing_to_cut_to():
    made = sentence("a  ", ["a  "], [])._replace(mentions=((1, 2), (2, 3)))
    assert texts(covering_passages(made)) == ["a  "]


@given(st.data())
def test_a_cover_holds_slices_of_about_the_sentence_s_words(data):
    text = data.draw(st.text(alphabet="ab ,.\u00a0", min_size=1, max_size=60))
    places = st.tuples(st.integers(0, len(text)), st.integers(0, len(text))).map(sorted).filter(lambda p: p[0] < p[1])
    pieces = data.draw(st.lists(places, max_size=8))
    mentions = data.draw(st.lists(places, max_size=6))
    made = Sentence(
        "s",
        text,
        tuple(sorted({tuple(m) for m in mentions})),
        (),
        (),
        tuple(Piece(a, b, text[a:b], "R", 0.0, "entity", slot, "") for slot, (a, b) in enumerate(pieces, 1)),
    )
    found = covering_passages(made)
    assert len(set(found)) == len(found)
    total = 0
    for passage in found:
        assert passage.text == text[passage.start : passage.end]
        assert passage.text.strip()
        assert any(a < passage.end and passage.start < b for a, b in pieces)
        total += words(passage.text)
    assert total <= len(re.findall(r"\S+", text)) + max((words(p.text) for p in found), default=0) / 2


def test_the_two_boundaries_of_a_mention_are_no_pair():
    made = sentence("we saw serum insulin there and A stops B", ["saw serum insulin there", "A stops B"])
    nested = made._replace(mentions=((7, 20), (13, 20), (31, 32), (39, 40)))
    assert texts(covering_passages(nested))[0] == "A stops B"


def test_a_text_without_words_has_no_passage():
    made = sentence("  ", [])._replace(
        mentions=((0, 1), (1, 2)), pieces=(Piece(0, 2, "  ", "R", 0.5, "entity", 1, ""),)
    )
    assert covering_passages(made) == []

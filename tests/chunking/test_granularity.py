"""What a sentence is cut into: hand-built sentences of mentions (letters), triggers (t, T) and other tokens (.)."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biochunk.chunking.granularity import INFERRED, MARKED, NAMED, Mention, Signal, Stated, plan
from biochunk.chunking.windows import Borders


def read(sketch, *, kind=NAMED, directed=True):
    """Mentions, signals and links of a sketch: capital letters are mentions (equal ones of one name), "t" and "T" are
    triggers of tier 3 and 1, a comma is one.
    """
    mentions = [Mention(i, i + 1, c, kind) for i, c in enumerate(sketch) if c.isupper() and c != "T"]
    signals = [Signal(i, i + 1, 1 if c == "T" else 3, directed) for i, c in enumerate(sketch) if c in "tT"]
    listed = [set(sketch[a.end : b.start]) == {","} for a, b in pairwise(mentions)]
    return mentions, signals, listed


def planned(sketch, *, statements=(), whole=3, reach=2, kind=NAMED, directed=True):
    mentions, signals, listed = read(sketch, kind=kind, directed=directed)
    borders = Borders([mention[:2] for mention in mentions], 0, len(sketch))
    pieces, rest = plan(borders, mentions, signals, statements, listed, whole=whole, reach=reach)
    return [(sketch[slice(*piece.window)], piece.reason) for piece in pieces], rest


def stated(first, last, *, priority=4.0):
    """A proposition between two mentions of a sketch, its trigger halfway."""
    middle = (first + last) // 2
    return Stated(first, last + 1, (first, last), (middle, middle + 1), True, priority, 0)


def test_pairs_that_compete_stand_by_themselves():
    pieces, _ = planned("A.t.B....C.t.D", statements=[stated(0, 4), stated(9, 13)])
    assert [text for text, _ in pieces[:2]] == ["A.t.B", "C.t.D"]
    assert not any(reason.startswith("context") for _, reason in pieces)


@pytest.mark.parametrize(
    ("sketch", "expected"),
    [
        ("A.t.B....", ["A.t.B", "A.t.B.."]),  # one pair, then its context
        ("....A.t.B", ["A.t.B", "..A.t.B"]),
        ("A..B.t...", ["A..B.t", "A..B.t.."]),  # a trigger beside the pair is taken along
        (".t.A..B..", ["t.A..B", ".t.A..B.."]),
        (".t....A..B", []),  # but not one far off
        ("A..B......", []),
        ("A.t.....", []),
        ("........", []),
    ],
)
def test_pairs_are_isolated(sketch, expected):
    pieces, _ = planned(sketch)
    assert [text for text, _ in pieces[: len(expected)]] == expected
    assert bool(pieces) == bool(expected)


@pytest.mark.parametrize(
    ("sketch", "options", "best"),
    [
        ("A.t.B....C.T.D", {}, "A.t.B"),  # what comes first in a sentence is what it is about
        ("A.t.B...C.T.D", {"statements": [stated(8, 12, priority=6)]}, "C.T.D"),
        ("A.t.A.t.B", {}, "A.t.A.t.B"),  # two mentions of one name are no pair
        ("A.t.B,C...", {}, "A.t.B"),  # members of a list are alternatives to each other
        ("A,B.t..C................", {}, "B.t..C"),
        ("A,B.t..C................", {"directed": False}, "A,B.t"),  # but are what a relation without direction joins
        ("A.B.C.t.D...............", {"statements": [stated(4, 8)]}, "C.t.D"),
        ("A.t.B.C...............", {}, "A.t.B"),  # few mentions between
    ],
)
def test_the_likeliest_pair_comes_first(sketch, options, best):
    pieces, _ = planned(sketch, **options)
    assert pieces[0][0] == best


def test_marked_mentions_are_the_pair_even_without_a_trigger():
    mentions = [
        Mention(0, 1, "a", NAMED),
        Mention(2, 3, "b", MARKED),
        Mention(5, 6, "c", INFERRED),
        Mention(7, 8, "d", MARKED),
    ]
    borders = Borders([mention[:2] for mention in mentions], 0, 12)
    pieces, _ = plan(borders, mentions, [Signal(1, 2, 1, True)], [], [False] * 3, whole=5, reach=2)
    assert pieces[0].window == (1, 8)
    pieces, _ = plan(borders, mentions, [], [], [False] * 3, whole=5, reach=2)
    assert [(piece.window, piece.reason) for piece in pieces] == [
        ((2, 8), "pair: 4 entities, both marked, no trigger"),
        ((0, 10), "context: the likeliest pair stands out"),
    ]


def test_a_proposition_brings_its_trigger_and_what_negates_it():
    statement = Stated(2, 9, (3, 8), (5, 6), True, 6.0, 7)
    mentions = [Mention(3, 4, "a", NAMED), Mention(8, 9, "b", NAMED)]
    signals = [Signal(5, 6, 2, True), Signal(7, 8, 1, True)]
    borders = Borders([(3, 4), (8, 9)], 0, 20)
    [piece, _], _ = plan(borders, mentions, signals, [statement], [False], whole=5, reach=2)
    assert (piece.window, piece.trigger, piece.stated) == ((2, 9), (5, 6), 7)
    # One whose span goes far beyond the pair does not blow up the chunk.
    far = statement._replace(start=0, end=18)
    [piece, _], _ = plan(borders, mentions, signals, [far], [False], whole=5, reach=2)
    assert (piece.window, piece.trigger) == ((3, 9), (7, 8))


@pytest.mark.parametrize(
    ("sketch", "whole", "reasons", "rest"),
    [
        (
            "A.t.B..",
            9,
            ["sentence: 2 entities in 7 tokens", "pair: 2 entities, trigger '{trigger}' between"],
            "words beside",
        ),
        ("......", 9, ["sentence: 0 entities in 6 tokens"], "0 entities"),
        ("A.t.....", 3, [], "1 entity"),
        ("A....B..", 3, [], "no trigger"),
        ("A....B.....t.", 3, [], "no pair near a trigger"),
        ("..t.A..B..", 3, ["pair: 2 entities, trigger '{trigger}' before", "context: "], "words beside the pairs"),
        ("A..B.t....", 3, ["pair: 2 entities, trigger '{trigger}' after", "context: "], "words beside the pairs"),
    ],
)
def test_every_piece_says_why(sketch, whole, reasons, rest):
    pieces, reason_of_rest = planned(sketch, whole=whole)
    assert len(pieces) == len(reasons)
    for (_, found), expected in zip(pieces, reasons, strict=True):
        assert found.startswith(expected)
    assert reason_of_rest.startswith("window: ")
    assert rest in reason_of_rest


@st.composite
def situations(draw):
    start = draw(st.integers(0, 5))
    length = draw(st.integers(1, 40))
    end = start + length
    cuts = sorted(draw(st.sets(st.integers(start, end), max_size=16)))
    spans = [(a, b) for a, b in zip(cuts[::2], cuts[1::2], strict=False)]
    mentions = [Mention(a, b, draw(st.sampled_from("abc")), draw(st.integers(0, 2))) for a, b in spans]
    positions = sorted(draw(st.sets(st.integers(start, end - 1), max_size=6)))
    signals = [Signal(i, i + 1, draw(st.integers(1, 3)), draw(st.booleans())) for i in positions]
    listed = [draw(st.booleans()) for _ in mentions[1:]]
    stated = []
    if len(mentions) > 1:
        for number in range(draw(st.integers(0, 4))):
            first, last = sorted(draw(st.sampled_from(mentions)).start for _ in range(2))
            stated.append(Stated(start, end, (first, last), (start, start + 1), draw(st.booleans()), 3.0, number))
    return Borders(spans, start, end), mentions, signals, stated, listed


@given(situations(), st.integers(1, 12), st.integers(0, 5))
def test_pieces_cut_no_entity_lie_in_the_sentence_and_say_why(situation, whole, reach):
    borders, mentions, signals, stated, listed = situation
    pieces, rest = plan(borders, mentions, signals, stated, listed, whole=whole, reach=reach)
    assert rest
    for piece in pieces:
        start, end = piece.window
        assert borders.start <= start < end <= borders.end
        assert not any(a < border < b for a, b, *_ in mentions for border in piece.window)
        assert piece.reason
        assert 0 < piece.chance < 1 or (piece.source == "sentence" and not piece.chance)
        if piece.reason.startswith("pair"):
            assert sum(start <= a and b <= end for a, b, *_ in mentions) >= 2
    chances = [piece.chance for piece in pieces if piece.reason.startswith("pair")]
    assert chances == sorted(chances, reverse=True)

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biochunk.chunking.edges import CUT, INNER, KEEP, OPTIONAL, SIGN, Boundaries, boundaries, read_edge

KINDS = [KEEP, OPTIONAL, CUT]


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("serum", OPTIONAL),
        ("levels", CUT),
        ("renal", OPTIONAL),
        ("adrenal", KEEP),
        ("total", CUT),
        ("al", KEEP),
        ("insulin", KEEP),
    ],
)
def test_a_word_outweighs_an_ending_and_a_longer_ending_a_shorter_one(word, expected):
    edge = read_edge([(OPTIONAL, ["serum", "-al"]), (CUT, ["levels", "-tal"]), (KEEP, ["Adrenal"])])
    assert edge(word) == expected


def test_later_lists_count():
    assert read_edge([(CUT, ["new"]), (KEEP, ["new"])])("new") == KEEP


def test_the_default_is_for_words_in_no_list():
    assert read_edge([(KEEP, ["a"])], OPTIONAL)("b") == OPTIONAL


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("K", "K", (0, 1, 0, 1)),
        ("CKK", "KKC", (1, 2, 1, 2)),
        ("OKK", "KKO", (0, 3, 1, 2)),
        ("COK", "KKK", (1, 3, 2, 3)),
        # At least one word stays: the last one at the front, the first one at the end.
        ("CC", "KK", (1, 2, 1, 2)),
        ("KK", "CC", (0, 1, 0, 1)),
        ("OO", "OO", (0, 2, 0, 1)),
        # Joined words are cut together at the front, and never within.
        ("x-KK", "K-KK", (0, 4, 0, 4)),
        ("x-CK", "K-KK", (3, 4, 3, 4)),
        ("x-OK", "K-KK", (0, 4, 3, 4)),
        # At the end a joined word may go: "isoproterenol-stimulation".
        ("x-K", "K-C", (0, 1, 0, 1)),
    ],
)
def test_boundaries(before, after, expected):
    assert boundaries(before, after, 0, len(before)) == expected


@given(st.lists(st.tuples(st.sampled_from(KINDS), st.sampled_from(KINDS), st.booleans()), min_size=1, max_size=12))
def test_boundaries_nest_and_never_part_joined_words_at_the_front(words):
    before = after = ""
    for i, (front, end, joined) in enumerate(words):
        joins = joined and i + 1 < len(words)
        before += (INNER if joins else front) + SIGN * joins
        after += end + SIGN * joins
    found = Boundaries(*boundaries(before, after, 0, len(before)))
    assert 0 <= found.start <= found.inner_start < found.inner_end <= found.end <= len(before)
    for border in (found.start, found.inner_start):
        assert before[border] != SIGN
        assert border == 0 or before[border - 1] != SIGN

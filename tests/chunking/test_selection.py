import pytest
from hypothesis import given
from hypothesis import strategies as st

from biochunk.chunking.selection import SELECTORS, new_words_first, select_adaptive, select_cosine, select_cosine_bias

PRIORITIES = [0.0, 4.0, 6.0, 0.0, 6.0, 9.0]
APART = [(0, 2), (2, 4), (4, 6), (6, 8), (8, 10), (10, 12)]


@pytest.mark.parametrize(
    ("order", "top_k", "top_n", "expected"),
    [
        ([0, 3, 1, 2], 2, 5, [0, 2]),  # the highest priority among the most similar takes slot 2
        ([0, 3, 1, 5], 2, 3, [0, 1]),  # what is outside of the top N does not
        ([0, 3], 2, 5, [0, 3]),  # no proposition: the second most similar
        ([5, 3, 0], 2, 5, [5, 3]),  # slot 1 does not count again
        ([0, 3, 4, 2], 2, 5, [0, 4]),  # of equal priorities the more similar
        ([0, 3, 1], 3, 5, [0, 1, 3]),
        ([0], 2, 5, [0]),
        ([0, 2], 1, 5, [0]),
        # beyond the paper's two slots: propositions by priority, whatever their rank, then what is similar
        ([0, 3, 1, 2, 5], 4, 3, [0, 1, 5, 2]),
        ([0, 3, 1, 2, 5], 5, 3, [0, 1, 5, 2, 3]),
    ],
)
def test_cosine_bias(order, top_k, top_n, expected):
    assert select_cosine_bias(order, PRIORITIES, APART, top_k, top_n) == expected


def test_cosine_knows_no_priority():
    assert select_cosine([0, 3, 5], PRIORITIES, APART, 2, 5) == [0, 3]


def test_adaptive_takes_what_is_planned_then_what_is_similar():
    assert select_adaptive([3, 0, 4, 1], PRIORITIES, APART, 4, 5) == [4, 1, 3, 0]


def test_a_candidate_without_new_words_waits():
    windows = [(0, 8), (2, 5), (6, 10), (9, 10), (12, 14)]
    assert new_words_first([0, 1, 2, 3, 4], windows, 4) == [0, 2, 4, 1]
    assert new_words_first([1, 2, 3], windows, 2, taken=[0]) == [2, 1]


@given(st.data())
def test_every_ranking_gives_distinct_candidates_as_many_as_there_are(data):
    count = data.draw(st.integers(1, 12))
    order = data.draw(st.permutations(range(count)))
    starts = data.draw(st.lists(st.integers(100, 130), min_size=count, max_size=count))
    windows = [(start, start + data.draw(st.integers(1, 12))) for start in starts]
    preferences = data.draw(st.lists(st.sampled_from([0.0, 1.0, 2.5]), min_size=count, max_size=count))
    top_k, top_n = data.draw(st.integers(1, 15)), data.draw(st.integers(1, 8))
    for select in SELECTORS.values():
        chosen = select(order, preferences, windows, top_k, top_n)
        assert len(set(chosen)) == len(chosen) == min(top_k, count)
        # More slots never change the ones before.
        assert select(order, preferences, windows, top_k + 1, top_n)[:top_k] == chosen

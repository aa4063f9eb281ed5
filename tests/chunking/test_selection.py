import pytest

from biochunk.chunking.selection import select_cosine, select_cosine_bias

PRIORITIES = [0.0, 4.0, 6.0, 0.0, 6.0, 9.0]


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
    ],
)
def test_cosine_bias(order, top_k, top_n, expected):
    assert select_cosine_bias(order, PRIORITIES, top_k, top_n) == expected


def test_cosine_knows_no_priority():
    assert select_cosine([0, 3, 5], PRIORITIES, 2, 5) == [0, 3]

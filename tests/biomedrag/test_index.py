import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from biochunk.biomedrag.index import ExactIndex
from biochunk.biomedrag.ty import VectorIndex
from biochunk.errors import BiochunkError

VECTORS = np.array([[1, 0], [0, 1], [1, 0], [0.6, 0.8]], dtype=np.float32)


def test_it_is_a_vector_index():
    assert isinstance(ExactIndex(VECTORS), VectorIndex)


@pytest.mark.parametrize(
    ("k", "exclude", "rows", "similarities"),
    [
        (2, [], [0, 2], [1, 1]),
        (3, [], [0, 2, 3], [1, 1, 0.6]),
        (1, [0], [2], [1]),
        (3, [0, 2], [3, 1, -1], [0.6, 0, -np.inf]),
        (6, [], [0, 2, 3, 1, -1, -1], [1, 1, 0.6, 0, -np.inf, -np.inf]),
        (2, [0, 1, 2, 3], [-1, -1], [-np.inf, -np.inf]),
        (0, [], [], []),
    ],
)
def test_best_rows_ties_by_number_missing_ones_last(k, exclude, rows, similarities):
    query = np.array([[1, 0]], dtype=np.float32)
    found = ExactIndex(VECTORS).search(query, k, exclude=[np.array(exclude, dtype=np.intp)])
    assert found[0].tolist() == [rows]
    np.testing.assert_allclose(found[1], [similarities], rtol=1e-6)


def test_no_rows_and_no_queries():
    empty = ExactIndex(np.zeros((0, 2), dtype=np.float32))
    assert empty.search(VECTORS[:1], 2)[0].tolist() == [[-1, -1]]
    assert ExactIndex(VECTORS).search(VECTORS[:0], 2)[0].shape == (0, 2)


@given(st.integers(1, 40), st.integers(1, 12), st.integers(1, 50), st.integers(1, 5), st.integers(0, 2**31), st.data())
def test_it_finds_what_sorting_all_rows_finds_in_any_batch(size, queries, k, batch_size, seed, data):
    # Few distinct values, so that there are many ties.
    numbers = np.random.default_rng(seed)
    vectors = numbers.integers(-1, 2, (size, 3)).astype(np.float32)
    asked = numbers.integers(-1, 2, (queries, 3)).astype(np.float32)
    rows = st.lists(st.integers(0, size - 1), max_size=size)
    exclude = [np.array(data.draw(rows), dtype=np.intp) for _ in range(queries)]
    found, similarities = ExactIndex(vectors, batch_size=batch_size).search(asked, k, exclude=exclude)
    for i in range(queries):
        allowed = [row for row in range(size) if row not in exclude[i]]
        expected = sorted(allowed, key=lambda row: (-float(vectors[row] @ asked[i]), row))[:k]
        assert found[i].tolist() == expected + [-1] * (k - len(expected))
        np.testing.assert_allclose(similarities[i, : len(expected)], vectors[expected] @ asked[i])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: ExactIndex(np.zeros(3, dtype=np.float32)), "shape"),
        (lambda: ExactIndex(np.array([[np.nan]], dtype=np.float32)), "finite"),
        (lambda: ExactIndex(VECTORS).search(np.zeros((1, 3), dtype=np.float32), 1), "encoder"),
        (lambda: ExactIndex(VECTORS).search(VECTORS, 1, exclude=[]), "0 exclusions"),
    ],
)
def test_what_does_not_fit_is_refused(call, message):
    with pytest.raises(BiochunkError, match=message):
        call()

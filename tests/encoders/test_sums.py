import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from biochunk.encoders import sums


@pytest.fixture(autouse=True, scope="module")
def small_blocks():
    """Short streams must cross every kind of border."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sums, "BLOCK", 16)
        patch.setattr(sums, "LANE", 4)
        patch.setattr(sums, "LONG", 10)
        patch.setattr(sums, "SPANS", 3)
        yield


@st.composite
def streams(draw):
    """Vectors, a stream of them and spans of the stream."""
    dtype, largest = draw(st.sampled_from([(np.int16, 1023), (np.int32, 2**20), (np.int64, 2**40)]))
    rows = draw(st.integers(1, 4))
    vectors = draw(
        npst.arrays(dtype, (rows, 3), elements=st.integers(-largest, largest).map(lambda v: dtype(v).item()))
    )
    index = np.array(draw(st.lists(st.integers(0, rows - 1), max_size=60)), dtype=np.intp)
    bound = st.integers(0, len(index))
    pairs = draw(st.lists(st.tuples(bound, bound).map(sorted), max_size=20))
    return vectors, index, np.array(pairs, dtype=np.intp).reshape(-1, 2)


@given(streams())
def test_span_sums_equal_plain_sums(stream):
    vectors, index, spans = stream
    found = np.zeros((len(spans), 3), dtype=np.int64)
    seen = []
    for numbers, part in sums.span_sums(vectors, index, *spans.T):
        found[numbers] = part
        seen += numbers.tolist()
    expected = [
        [sum(column) for column in zip(*vectors[index[s:e]].tolist(), strict=True)] or [0, 0, 0] for s, e in spans
    ]
    assert found.tolist() == expected
    assert len(seen) == len(set(seen))


def test_span_sums_survive_a_prefix_sum_that_wraps_around():
    vectors = np.array([[2**27]], dtype=np.int32)
    index = np.zeros(16, dtype=np.intp)  # the sum of all passes 2^31, that of ten does not
    ((_, part),) = sums.span_sums(vectors, index, np.array([6]), np.array([16]))
    assert part.tolist() == [[10 * 2**27]]


@pytest.mark.parametrize("value", [0, 3, -1023, 2**26 + 1, 2**31 - 1, 2**40 + 1])
def test_squared_norms_are_correctly_rounded(value):
    assert sums.squared_norms(np.array([[value, 1, -value]])).tolist() == [float(2 * value * value + 1)]


@pytest.mark.parametrize("value", [5, 2**20, 2**33])
def test_dot_products_are_exact(value):
    vectors = np.array([[value, -1], [value - 1, 7]], dtype=np.int64)
    targets = np.array([[2**20, 3]], dtype=np.int64)
    expected = [[value * 2**20 - 3], [(value - 1) * 2**20 + 21]]
    assert sums.dot_products(vectors, targets).tolist() == expected


def test_shrink_keeps_small_vectors_and_scales_down_large_ones():
    vectors = np.array([[4, -8], [800, 40]], dtype=np.int64)
    assert sums.shrink(vectors, limit=8).tolist() == [[4, -8], [8, 0]]


def test_inverse_roots_of_zero_is_zero():
    assert sums.inverse_roots(np.array([0.0, 4.0])).tolist() == [0.0, 0.5]

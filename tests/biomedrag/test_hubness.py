from collections import Counter

import numpy as np
import pytest

from biochunk.biomedrag.hubness import correct_queries, correct_rows


def around_a_hub(count=200, dims=30, seed=0):
    """Unit vectors that share a direction, and at row 0 that direction itself, which is near to all of them."""
    numbers = np.random.default_rng(seed)
    shared = np.zeros(dims)
    shared[0] = 2
    rows = np.vstack([shared, shared + numbers.normal(size=(count, dims)) / np.sqrt(dims)])
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


def first_of(queries, rows, method):
    return (correct_queries(queries, rows, method) @ correct_rows(rows, method).T).argmax(axis=1)


def test_a_hub_serves_a_fifth_of_all_queries_until_it_is_corrected():
    queries, rows = around_a_hub(seed=1)[1:], around_a_hub(seed=2)
    shares = {m: Counter(first_of(queries, rows, m).tolist())[0] / len(queries) for m in ("none", "centre", "csls")}
    assert shares["none"] > 0.2
    assert shares["centre"] < 0.05 and shares["csls"] < 0.05


def test_none_changes_nothing():
    rows = around_a_hub()
    assert correct_rows(rows, "none") is rows
    assert correct_queries(rows, rows, "none") is rows


def test_csls_takes_off_the_mean_similarity_to_the_nearest_rows():
    rows = np.eye(3, dtype=np.float32)[[0, 0, 1]]
    similarities = correct_queries(rows[:1], rows, "csls") @ correct_rows(rows, "csls").T
    # 2 cos - mean over the two other rows.
    np.testing.assert_allclose(similarities, [[2 - 0.5, 2 - 0.5, 0]], atol=1e-6)


def test_centred_rows_are_unit_rows_and_zero_rows_stay_zero():
    rows = np.vstack([around_a_hub(), np.zeros((1, 30))]).astype(np.float32)
    lengths = np.linalg.norm(correct_rows(rows, "centre"), axis=1)
    np.testing.assert_allclose(lengths, [*np.ones(len(rows) - 1), 0], atol=1e-6)


@pytest.mark.parametrize("method", ["none", "centre", "csls"])
@pytest.mark.parametrize("count", [0, 1])
def test_a_store_of_no_or_one_row_is_no_error(method, count):
    rows = np.ones((count, 1), dtype=np.float32)
    found = correct_queries(rows[:1], rows, method) @ correct_rows(rows, method).T
    assert found.shape == (count, count) and np.isfinite(found).all()


def test_a_query_is_corrected_alone_as_among_others():
    queries, rows = around_a_hub(seed=1), around_a_hub(seed=2)
    for method in ("centre", "csls"):
        np.testing.assert_array_equal(
            correct_queries(queries[:1], rows, method), correct_queries(queries, rows, method)[:1]
        )

import numpy as np
import pytest

from biochunk.biomedrag.items import Evidence
from biochunk.errors import BiochunkError
from biochunk.evaluation.retrieval_health import RetrievalHealth, retrieval_health


def found(*rows):
    """Evidence by row number; even rows say A, odd ones B."""
    return tuple(Evidence("t", "AB"[row % 2], f"r{row}", row, 1.0, 0) for row in rows)


def test_health_counts_what_is_served_and_what_hits():
    evidence = [found(0, 2, 4), found(0, 1), found(2, 4, 6, 8, 10, 1), found()]
    labels = [{"A"}, {"B"}, {"B"}, {"A"}]
    assert retrieval_health(evidence, labels) == RetrievalHealth(
        queries=4,
        unserved=1,
        distinct=2,
        top_share=2 / 4,
        distinct_at_5=7,
        top_share_at_5=2 / 4,
        hit_at_1=1 / 4,
        # The sixth chunk of the third query does not count.
        hit_at_5=2 / 4,
    )


def test_any_gold_label_is_a_hit():
    assert retrieval_health([found(1)], [["A", "B"]]).hit_at_1 == 1


def test_one_chunk_for_all_shows():
    health = retrieval_health([found(7)] * 9 + [found(1)], [{"A"}] * 10)
    assert (health.distinct, health.top_share, health.hit_at_1) == (2, 0.9, 0)


def test_shuffled_labels_hit_at_the_rate_of_the_prior():
    numbers = np.random.default_rng(0)
    rows = [int(row) for row in numbers.integers(0, 2000, 4000)]
    labels = numbers.permutation(["A"] * 3000 + ["B"] * 1000)
    health = retrieval_health([found(row) for row in rows], [[str(label)] for label in labels])
    assert abs(health.hit_at_1 - 0.5) < 4 * 0.5 / 4000**0.5


@pytest.mark.parametrize(("evidence", "labels"), [([], []), ([found(1)], [])])
def test_no_queries_or_another_count_of_labels_is_refused(evidence, labels):
    with pytest.raises(BiochunkError, match="found evidence of"):
        retrieval_health(evidence, labels)

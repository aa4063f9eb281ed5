"""Intervals and tests: what they must say of systems whose difference is known."""

import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from biochunk.biomedrag.metrics import Counts, make_score
from biochunk.errors import BiochunkError
from biochunk.evaluation.statistics import (
    f1_difference,
    f1_interval,
    holm,
    majority,
    mcnemar,
    mean_difference,
    mean_interval,
    spread,
)


def run(right, predicted=None, gold=None):
    """Counts of one run, by default with one prediction and one gold triple an item."""
    right = np.asarray(right, dtype=np.int64)
    ones = np.ones_like(right)
    return Counts(right, *(ones if given is None else np.asarray(given) for given in (predicted, gold)))


def random_runs(generator, items, rate, runs=1):
    return [run(generator.random(items) < rate) for _ in range(runs)]


@st.composite
def paired(draw):
    """Two systems of one to three runs on the same few items."""
    gold = draw(st.lists(st.integers(0, 3), min_size=1, max_size=8))
    systems = []
    for _ in range(2):
        runs = []
        for _ in range(draw(st.integers(1, 3))):
            predicted = [draw(st.integers(0, 3)) for _ in gold]
            right = [draw(st.integers(0, min(p, g))) for p, g in zip(predicted, gold, strict=True)]
            runs.append(run(right, predicted, gold))
        systems.append(runs)
    return systems


@settings(max_examples=50, deadline=None)
@given(paired())
def test_swapping_the_systems_flips_the_sign_alone(systems):
    a, b = systems
    there, back = f1_difference(a, b, resamples=200), f1_difference(b, a, resamples=200)
    assert (back.value, back.low, back.high, back.p) == (-there.value, -there.high, -there.low, there.p)
    assert -1 <= there.low <= there.high <= 1
    assert 0 < there.p <= 1


@settings(max_examples=50, deadline=None)
@given(paired())
def test_a_system_does_not_differ_from_itself(systems):
    a, _ = systems
    assert f1_difference(a, a, resamples=200) == (0, 0, 0, 1)
    assert mcnemar(a[0].exact, a[0].exact) == (0, 0, 1)


@settings(max_examples=50, deadline=None)
@given(paired())
def test_value_of_one_run_is_its_f1(systems):
    a, b = systems[0][:1], systems[1][:1]
    interval = f1_interval(a, resamples=200)
    assert interval.value == pytest.approx(a[0].score().f1, abs=1e-12)
    assert 0 <= interval.low <= interval.high <= 1
    expected = a[0].score().f1 - b[0].score().f1
    assert f1_difference(a, b, resamples=200).value == pytest.approx(expected, abs=1e-12)


def test_runs_are_joined_item_by_item():
    # First 1 right of 1 predicted, then 2 of 3: mean counts are 1.5 right, 2 predicted, 2 gold.
    gold = [1, 1]
    runs = [run([1, 0], [1, 0], gold), run([1, 1], [2, 1], gold)]
    assert f1_interval(runs).value == pytest.approx(2 * 1.5 / (2 + 2))
    # The same run five times is that run.
    assert f1_interval([runs[1]] * 5) == f1_interval([runs[1]])


def test_interval_is_that_of_draws_made_one_by_one():
    generator = np.random.default_rng(3)
    gold = generator.integers(0, 3, 60)
    predicted = generator.integers(0, 3, 60)
    one = run(np.minimum(gold, predicted) * generator.integers(0, 2, 60), predicted, gold)
    scores = []
    for _ in range(4000):
        at = generator.integers(60, size=60)
        scores.append(make_score(*(int(c[at].sum()) for c in (one.right, one.predicted, one.gold))).f1)
    interval = f1_interval([one])
    assert interval[1:] == pytest.approx(np.quantile(scores, [0.025, 0.975]), abs=0.01)


def test_interval_of_465_items_is_about_three_and_a_half_points_each_way():
    interval = f1_interval([run(np.arange(465) < 377)])
    assert interval.high - interval.low == pytest.approx(2 * 0.035, abs=0.004)


def test_planted_difference_is_found_and_its_shuffle_is_not():
    generator = np.random.default_rng(0)
    base = generator.random(1500) < 0.75
    better = base | (generator.random(1500) < 0.15)
    found = f1_difference([run(better)], [run(base)])
    assert found.low > 0 and found.p < 0.001
    assert mcnemar(better, base).p < 0.001
    assert mean_difference(better, base).low > 0
    # Which system is which is tossed for every item: nothing is left to find.
    toss = generator.random(1500) < 0.5
    a, b = np.where(toss, better, base), np.where(toss, base, better)
    shuffled = f1_difference([run(a)], [run(b)])
    assert shuffled.low < 0 < shuffled.high and shuffled.p > 0.05
    assert mcnemar(a, b).p > 0.05


def test_chance_is_called_a_difference_about_as_often_as_it_should():
    generator = np.random.default_rng(1)
    found = 0
    for seed in range(300):
        a, b = random_runs(generator, 200, 0.7), random_runs(generator, 200, 0.7)
        difference = f1_difference(a, b, resamples=400, seed=seed)
        found += difference.p < 0.05
        # The interval and the p-value are of the same draws.
        assert (difference.p < 0.04) <= (not difference.low <= 0 <= difference.high) <= (difference.p < 0.06)
    assert 0.02 < found / 300 < 0.09


def test_more_runs_narrow_the_interval():
    generator = np.random.default_rng(2)
    one = f1_interval(random_runs(generator, 500, 0.7))
    five = f1_interval(random_runs(generator, 500, 0.7, runs=5))
    assert five.high - five.low < 0.7 * (one.high - one.low)


def test_same_seed_same_result_other_seed_another():
    generator = np.random.default_rng(4)
    a, b = random_runs(generator, 300, 0.7, 2), random_runs(generator, 300, 0.6, 2)
    assert f1_difference(a, b, seed=5) == f1_difference(a, b, seed=5)
    assert f1_difference(a, b, seed=5) != f1_difference(a, b, seed=6)


def test_blocks_do_not_show(monkeypatch):
    a = random_runs(np.random.default_rng(5), 50, 0.7)
    whole = f1_interval(a, resamples=100)
    monkeypatch.setattr("biochunk.evaluation.statistics._CELLS", 350)
    assert f1_interval(a, resamples=100) == whole


def test_nothing_predicted_and_nothing_gold():
    nothing = run([0, 0], [0, 0], [0, 0])
    assert f1_interval([nothing]) == (0, 0, 0)
    assert f1_difference([nothing], [nothing]) == (0, 0, 0, 1)


def test_means_of_values():
    a, b = np.array([[1.0, 0, 1, 1], [1, 1, 1, 1]]), np.array([0.5, 0, 0.5, 1])
    found = mean_difference(a, b)
    assert found.value == pytest.approx(0.875 - 0.5)
    swapped = mean_difference(b, a)
    assert (swapped.value, swapped.low, swapped.high, swapped.p) == (-found.value, -found.high, -found.low, found.p)
    assert mean_difference(a, a) == (0, 0, 0, 1)
    assert mean_interval(b).value == 0.5
    assert mean_interval([0.25] * 9) == (0.25, 0.25, 0.25)


# Questions of sentences with one to eight of them.
SIZES = np.random.default_rng(7).integers(1, 9, size=60)
SENTENCES = np.repeat(np.arange(60), SIZES)


@pytest.mark.parametrize("share", [0.0, 0.02, 0.5, 0.98, 1.0])
def test_the_interval_of_a_share_over_unequal_groups_stays_a_share(share):
    hits = np.random.default_rng(1).random(len(SENTENCES)) < share
    found = mean_interval(hits, groups=SENTENCES)
    assert found.value == pytest.approx(hits.mean())
    assert 0 <= found.low <= found.value <= found.high <= 1
    if share in (0, 1):
        assert found == (share, share, share)


def test_groups_are_paired_and_a_known_difference_of_them_is_found():
    generator = np.random.default_rng(2)
    base = (generator.random(60) < 0.5)[SENTENCES]
    better = base | (generator.random(60) < 0.3)[SENTENCES]
    found = mean_difference(better, base, groups=SENTENCES)
    assert found.value == pytest.approx(better.mean() - base.mean())
    assert 0 < found.low < found.value < found.high < 1
    # A gain in every sentence alike has no uncertainty where both arms are drawn together.
    assert mean_difference(base + 0.25, base, groups=SENTENCES)[:3] == (0.25, 0.25, 0.25)
    assert mean_difference(better, base, groups=SENTENCES) == found


def test_a_group_each_is_as_no_groups():
    values = np.random.default_rng(3).random(40)
    assert mean_interval(values, groups=np.arange(40)) == mean_interval(values)


@pytest.mark.parametrize(
    ("only_a", "only_b", "p"),
    [
        (0, 0, 1.0),
        (1, 0, 1.0),
        (9, 1, 2 * 11 / 1024),
        (1, 9, 2 * 11 / 1024),
        (5, 5, 1.0),
        (0, 10, 2 / 1024),
        # As a table of the binomial distribution has it: P(X <= 40 of 100) = 0.0284440.
        (40, 60, 2 * 0.02844397),
    ],
)
def test_mcnemar(only_a, only_b, p):
    a = [True] * only_a + [False] * only_b + [True, False]
    b = [False] * only_a + [True] * only_b + [True, False]
    found = mcnemar(a, b)
    assert found[:2] == (only_a, only_b)
    assert found.p == pytest.approx(p, rel=1e-6)


@pytest.mark.parametrize(
    ("values", "corrected"),
    [
        ([], []),
        ([0.04], [0.04]),
        # The textbook's example: 4, 3, 2 and 1 times the ordered values, never falling.
        ([0.01, 0.04, 0.03, 0.005], [0.03, 0.06, 0.06, 0.02]),
        ([0.9, 0.6], [1.0, 1.0]),
    ],
)
def test_holm(values, corrected):
    assert holm(values) == pytest.approx(corrected)


def test_majority_of_runs():
    assert majority([[1, 1, 0], [1, 0, 0], [0, 1, 0]]).tolist() == [True, True, False]
    assert majority([[1, 1], [1, 0]]).tolist() == [True, False]


def test_spread():
    found = spread([0.7, 0.8, 0.9])
    assert found == (pytest.approx(0.8), pytest.approx(0.1), 3)
    assert spread([0.7]) == (0.7, None, 1)


@pytest.mark.parametrize(
    "call",
    [
        lambda: f1_interval([]),
        lambda: f1_interval([run([])]),
        lambda: f1_interval([run([1])], level=1),
        lambda: f1_interval([run([1])], resamples=0),
        lambda: f1_difference([run([1, 0])], [run([1])]),
        lambda: f1_difference([run([1], gold=[1])], [run([1], gold=[2])]),
        lambda: mean_difference([1.0], [1.0, 0.0]),
        lambda: mean_difference([], []),
        lambda: mean_interval([1.0, 0.0], groups=[0]),
        lambda: mcnemar([True], [True, False]),
        lambda: spread([]),
    ],
)
def test_what_cannot_be_compared_is_refused(call):
    with pytest.raises(BiochunkError, match="expected"):
        call()


def test_ten_thousand_resamples_are_fast():
    generator = np.random.default_rng(6)
    a, b = random_runs(generator, 2500, 0.8, 5), random_runs(generator, 2500, 0.79, 5)
    start = time.process_time()
    f1_difference(a, b)
    assert time.process_time() - start < 3

"""How sure a difference between two systems is: paired bootstrap over items, McNemar's test, mean and sd over seeds.

The bootstrap draws items with replacement, as many as there are, and scores each draw; both systems are scored on the
same draws. A micro score is not a mean over items, so what is drawn are the items' counts. Several runs (seeds) of a
system are joined item by item: an item's counts, or its value, are the mean of its runs', and the score of a draw is
that of these means. The interval therefore says how far the score depends on the choice of items, for the average run;
how far it depends on the seed is said by `spread`.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..biomedrag.metrics import Counts
from ..errors import BiochunkError

RESAMPLES = 10_000
LEVEL = 0.95

Floats = NDArray[np.float64]

# Cells of the matrix of draws that stand in memory at a time: 16 MiB of float64.
_CELLS = 1 << 21


class Interval(NamedTuple):
    """A value and the ends of its percentile interval."""

    value: float
    low: float
    high: float


class Difference(NamedTuple):
    """A difference a - b, the ends of its percentile interval, and the two-sided p-value that it is zero.

    The difference is outside of chance at the interval's level where the interval does not hold zero.
    """

    value: float
    low: float
    high: float
    p: float


class McNemar(NamedTuple):
    """Items that only one of two systems has right, and the exact two-sided p-value that both are as likely."""

    only_a: int
    only_b: int
    p: float


class Spread(NamedTuple):
    """Mean of some runs and their sample standard deviation (None for a single run)."""

    mean: float
    sd: float | None
    runs: int


def f1_interval(runs: Sequence[Counts], *, resamples: int = RESAMPLES, level: float = LEVEL, seed: int = 0) -> Interval:
    """Micro-F1 of one system and its bootstrap interval.

    runs (Sequence[Counts]): Per-item counts of one or more runs on the same items. With several, `value` is the F1 of
        the items' mean counts, which is near the mean of the runs' F1 but not the same.
    resamples (int): How many draws.
    level (float): Share of the draws that the interval holds.
    seed (int): Of the draws; the same seed and number of items give the same draws in every function here.
    RAISES (BiochunkError): If there is no run or no item, or runs differ in their items.
    """
    table = _table(runs)
    values = _resampled(table, _f1, resamples, seed)
    return Interval(float(_f1(table.sum(axis=0))), *_ends(values, level))


def f1_difference(
    a: Sequence[Counts], b: Sequence[Counts], *, resamples: int = RESAMPLES, level: float = LEVEL, seed: int = 0
) -> Difference:
    """Difference in micro-F1 of two systems on the same items, by paired bootstrap.

    a, b (Sequence[Counts]): Per-item counts of one or more runs of each; their numbers of runs may differ.
    resamples, level, seed: See `f1_interval`.
    RAISES (BiochunkError): If there is no run or no item, or the runs differ in their items.
    """
    _check_same_gold([*a, *b])
    tables = _table(a), _table(b)

    def difference(sums: Floats) -> Floats:
        return _f1(sums[..., :2]) - _f1(sums[..., 2:])

    return _difference(np.hstack(tables), difference, resamples, level, seed)


def mean_difference(
    a: ArrayLike,
    b: ArrayLike,
    *,
    groups: ArrayLike | None = None,
    resamples: int = RESAMPLES,
    level: float = LEVEL,
    seed: int = 0,
) -> Difference:
    """Difference in the mean of a per-item value (recall@k, reciprocal rank), by paired bootstrap.

    a, b (ArrayLike): Shape (items,), or (runs, items) where each system ran several times.
    groups (ArrayLike | None): Shape (items,): the number, from 0, of what each item belongs to, such as its sentence,
        where the items of one group stand or fall together. Groups are drawn then, with all their items, and the mean
        of a draw is the sum of its values over the number of its items: a mean of shares is a share. None: items.
    resamples, level, seed: See `f1_interval`.
    RAISES (BiochunkError): If there is no item, or the systems differ in their number of items.
    """
    left, right = _means(a), _means(b)
    if len(left) != len(right):
        raise BiochunkError(f"found values of {len(left)} and of {len(right)} items, expected the same items")
    return _difference(_grouped(left - right, groups), _mean, resamples, level, seed)


def mean_interval(
    values: ArrayLike,
    *,
    groups: ArrayLike | None = None,
    resamples: int = RESAMPLES,
    level: float = LEVEL,
    seed: int = 0,
) -> Interval:
    """Mean of a per-item value and its bootstrap interval; see `mean_difference`."""
    table = _grouped(_means(values), groups)
    return Interval(float(_mean(table.sum(axis=0))), *_ends(_resampled(table, _mean, resamples, seed), level))


def mcnemar(a: ArrayLike, b: ArrayLike) -> McNemar:
    """McNemar's exact test on items right or wrong.

    a, b (ArrayLike): Shape (items,), true where a system has the item right (`Counts.exact`); `majority` joins runs.
    RAISES (BiochunkError): If the systems differ in their number of items.
    """
    left, right = np.asarray(a, dtype=bool), np.asarray(b, dtype=bool)
    if left.ndim != 1 or left.shape != right.shape:
        raise BiochunkError(f"found shapes {left.shape} and {right.shape}, expected one row each of the same items")
    only_a, only_b = int((left & ~right).sum()), int((right & ~left).sum())
    total = only_a + only_b
    # Whole numbers of any size, so that the binomial tail is exact: sum of C(n, i) up to the rarer count, over 2^n.
    tail = term = 1
    for i in range(min(only_a, only_b)):
        term = term * (total - i) // (i + 1)
        tail += term
    return McNemar(only_a, only_b, min(1.0, 2 * tail / (1 << total)))


def holm(values: Sequence[float]) -> list[float]:
    """p-values of several tests, corrected by Holm's step-down rule, in the same order.

    values (Sequence[float]): The tests' own p-values. Where one falls below a level after the correction, the chance
        that any test does so without a true difference is at most that level.
    """
    corrected, largest = [0.0] * len(values), 0.0
    for rank, place in enumerate(sorted(range(len(values)), key=values.__getitem__)):
        largest = max(largest, min(1.0, values[place] * (len(values) - rank)))
        corrected[place] = largest
    return corrected


def majority(runs: Sequence[ArrayLike]) -> NDArray[np.bool_]:
    """Items that more than half of the runs have right. runs (Sequence[ArrayLike]): Shape (runs, items), booleans."""
    votes = np.asarray(runs, dtype=bool)
    return 2 * votes.sum(axis=0) > len(votes)


def spread(values: Sequence[float]) -> Spread:
    """Mean and sample standard deviation (n - 1) of the runs' scores. RAISES (BiochunkError): If there is none."""
    if not len(values):
        raise BiochunkError("found no run, expected at least one")
    mean = math.fsum(values) / len(values)
    sd = math.sqrt(math.fsum((v - mean) ** 2 for v in values) / (len(values) - 1)) if len(values) > 1 else None
    return Spread(mean, sd, len(values))


def _difference(
    table: Floats, statistic: Callable[[Floats], Floats], resamples: int, level: float, seed: int
) -> Difference:
    values = _resampled(table, statistic, resamples, seed)
    # Half of a two-sided p is the share of draws on the other side of zero; the observed sample counts as a draw,
    # so that no finite number of draws gives p = 0 (Davison and Hinkley 1997, section 4.2.3).
    rarer = min(int((values <= 0).sum()), int((values >= 0).sum()))
    p = min(1.0, 2 * (rarer + 1) / (resamples + 1))
    return Difference(float(statistic(table.sum(axis=0))), *_ends(values, level), p)


def _table(runs: Sequence[Counts]) -> Floats:
    """Shape (items, 2): twice the right ones and predicted plus gold, summed over runs.

    F1 is the quotient of the two columns' sums, the same for sums and for means over runs. Sums are whole numbers,
    which float64 adds without rounding, so that results do not depend on the order in which they are added.
    """
    _check_same_gold(runs)
    right = np.sum([run.right for run in runs], axis=0)
    claimed = np.sum([run.predicted + run.gold for run in runs], axis=0)
    return np.stack([2 * right, claimed], axis=1).astype(np.float64)


def _check_same_gold(runs: Sequence[Counts]) -> None:
    if not runs or not len(runs[0]):
        raise BiochunkError("found no run or no item, expected at least one")
    for run in runs:
        if not np.array_equal(run.gold, runs[0].gold):
            raise BiochunkError(
                f"found runs whose gold differs ({len(runs[0])} items with {runs[0].gold.sum()} gold, {len(run)} items "
                f"with {run.gold.sum()}), expected the same items in the same order"
            )


def _f1(sums: Floats) -> Floats:
    """F1 of sums of `_table`, shape (..., 2); 0 where nothing is predicted or gold."""
    doubled, claimed = sums[..., 0], sums[..., 1]
    return np.divide(doubled, claimed, out=np.zeros_like(claimed), where=claimed > 0)


def _grouped(values: Floats, groups: ArrayLike | None) -> Floats:
    """Shape (groups, 2): the sum of each group's values and the number of its items."""
    if groups is None:
        return np.stack([values, np.ones_like(values)], axis=1)
    numbers = np.asarray(groups, dtype=np.intp)
    if numbers.shape != values.shape:
        raise BiochunkError(
            f"found groups of shape {numbers.shape}, expected one number for each of {len(values)} items"
        )
    return np.stack([np.bincount(numbers, weights=values), np.bincount(numbers)], axis=1)


def _mean(sums: Floats) -> Floats:
    """Mean of sums of `_grouped`, shape (..., 2)."""
    return np.asarray(sums[..., 0] / sums[..., 1], dtype=np.float64)


def _means(values: ArrayLike) -> Floats:
    array = np.asarray(values, dtype=np.float64)
    if array.ndim == 2 and len(array):
        array = array.mean(axis=0)
    if array.ndim != 1 or not len(array):
        raise BiochunkError(f"found values of shape {array.shape}, expected (items,) or (runs, items), not empty")
    return array


def _resampled(table: Floats, statistic: Callable[[Floats], Floats], resamples: int, seed: int) -> Floats:
    """A statistic of the column sums of every draw, shape (resamples,)."""
    sums = [draws @ table for draws in _draws(len(table), resamples, seed)]
    return statistic(np.concatenate(sums))


def _draws(items: int, resamples: int, seed: int) -> Iterator[Floats]:
    """Blocks of draws, shape (some, items): how often each item is drawn."""
    if resamples < 1:
        raise BiochunkError(f"found {resamples} resamples, expected at least 1")
    generator = np.random.default_rng(seed)
    block = max(1, _CELLS // items)
    for start in range(0, resamples, block):
        rows = min(block, resamples - start)
        drawn = generator.integers(items, size=(rows, items))
        drawn += np.arange(rows)[:, None] * items
        yield np.bincount(drawn.ravel(), minlength=rows * items).reshape(rows, items).astype(np.float64)


def _ends(values: Floats, level: float) -> tuple[float, float]:
    """The values that leave the same number of draws outside on both sides, so that -values gives -high, -low."""
    if not 0 < level < 1:
        raise BiochunkError(f"found the level {level}, expected more than 0 and less than 1")
    # 1 - 0.9 is a little below a tenth.
    outside = math.floor(len(values) * (1 - level) / 2 + 1e-9)
    ordered = np.sort(values)
    return float(ordered[outside]), float(ordered[-1 - outside])

"""Features as hashed numbers, and logistic regression over them: for decisions of which there are very many."""

import zlib
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ....ty import FloatArray

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

Hashes = NDArray[np.int64]

# Odd numbers with bits well spread, one of them for every purpose.
_MIX, _LAST, _PURPOSE = (
    np.array([number], dtype=np.uint64) for number in (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9)
)
_BITS = 22


@lru_cache(maxsize=500_000)
def number(string: str) -> int:
    """A number for a string, the same in every process."""
    return zlib.crc32(string.encode("utf-8", "surrogatepass"))


def mixed(purpose: int, *values: Hashes) -> Hashes:
    """One feature of every row: its values together.

    purpose (int): Tells features apart that have equal values.
    values: Each of shape (n,).
    """
    found = np.zeros(len(values[0]), dtype=np.uint64) + np.uint64(purpose) * _PURPOSE
    for value in values:
        found = (found ^ value.astype(np.int64).view(np.uint64)) * _MIX
        found ^= found >> np.uint64(29)
    return (found * _LAST >> np.uint64(64 - _BITS)).astype(np.int64)


class Logistic:
    """Logistic regression over hashed features and plain numbers.

    penalty (float): Half of it multiplies the sum of squared weights.
    least (int): Rows that must have a feature, else it is left out.
    iterations (int): Most steps of L-BFGS.
    """

    def __init__(self, *, penalty: float, least: int = 2, iterations: int = 60) -> None:
        self._penalty, self._least, self._iterations = penalty, least, iterations
        # Column of each hash, -1 where it has none.
        self._column: NDArray[np.int32] = np.zeros(0, dtype=np.int32)
        self._columns = 0
        self._weights: FloatArray = np.zeros(1, dtype=np.float32)

    def fit(self, features: Hashes, right: NDArray[np.bool_], numbers: FloatArray | None = None) -> None:
        """Learn.

        features (Hashes): Shape (n, f): what `mixed` gave, a column each.
        right (NDArray): Shape (n,): which rows are to be found.
        numbers (FloatArray | None): Shape (n, m): plain numbers, if there are any.
        """
        from scipy.optimize import minimize

        known = np.bincount(features.ravel(), minlength=2**_BITS) >= self._least
        self._columns = int(known.sum())
        self._column = np.where(known, np.cumsum(known) - 1, -1).astype(np.int32)
        rows = self._rows(features, numbers)
        columns = rows.T.tocsr()
        targets = right.astype(np.float32)

        def loss(weights: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
            scores = rows @ weights.astype(np.float32)
            # log(1 + e^s) without overflow.
            total = (np.maximum(scores, 0) + np.log1p(np.exp(-np.abs(scores))) - targets * scores).sum(dtype=np.float64)
            slope = columns @ (chances(scores) - targets)
            return total + self._penalty / 2 * (weights @ weights), slope + self._penalty * weights

        options = {"maxiter": self._iterations, "maxcor": 6}
        found = minimize(loss, np.zeros(rows.shape[1]), jac=True, method="L-BFGS-B", options=options)
        self._weights = found.x.astype(np.float32)

    def scores(self, features: Hashes, numbers: FloatArray | None = None) -> FloatArray:
        """RETURNS (FloatArray): Shape (n,): log of the odds."""
        return np.asarray(self._rows(features, numbers) @ self._weights, dtype=np.float32)

    def _rows(self, features: Hashes, numbers: FloatArray | None) -> "csr_matrix":
        from scipy.sparse import csr_matrix, hstack

        places = self._column[features]
        found = places >= 0
        ends = np.concatenate([[0], np.cumsum(found.sum(axis=1))])
        values = np.ones(ends[-1], dtype=np.float32)
        parts = [csr_matrix((values, places[found], ends), shape=(len(features), self._columns))]
        if numbers is not None:
            parts.append(csr_matrix(numbers))
        parts.append(csr_matrix(np.ones((len(features), 1), dtype=np.float32)))
        return hstack(parts, format="csr", dtype=np.float32)


def chances(scores: FloatArray) -> FloatArray:
    """Probabilities from the log of odds."""
    return (1 / (1 + np.exp(-np.clip(scores, -30, 30)))).astype(np.float32)

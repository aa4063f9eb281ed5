"""Exact search over stored vectors."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..errors import BiochunkError
from ..ty import FloatArray, IntArray

# Similarities are compared at this precision: what the order of additions changes stays far below it, so that the
# order of the rows is the same in every batch.
DECIMALS = 6


class ExactIndex:
    """All rows are compared with every query, as matrix products.

    vectors (FloatArray): Shape (n, d).
    batch_size (int): Queries at a time; each needs 8 n bytes.
    RAISES (BiochunkError): When the vectors are not of that shape, or not finite.
    """

    def __init__(self, vectors: FloatArray, *, batch_size: int = 256) -> None:
        if vectors.ndim != 2 or not np.isfinite(vectors).all():
            raise BiochunkError(f"found vectors of shape {vectors.shape}, expected finite rows of shape (n, d)")
        self._columns = vectors.astype(np.float64).T
        self._batch_size = batch_size

    def search(
        self, queries: FloatArray, k: int, *, exclude: Sequence[IntArray] | None = None
    ) -> tuple[IntArray, FloatArray]:
        """Find the k best rows of each query; see `VectorIndex.search`.

        RAISES (BiochunkError): When the queries are of another length than the rows, or `exclude` is not one array a
            query.
        """
        dims, size = self._columns.shape
        if queries.ndim != 2 or queries.shape[1] != dims:
            raise BiochunkError(
                f"found queries of shape {queries.shape}, expected vectors of length {dims}, as the store holds; "
                "encode queries with the encoder that the store was built with"
            )
        if exclude is not None and len(exclude) != len(queries):
            raise BiochunkError(f"found {len(exclude)} exclusions, expected one for each of {len(queries)} queries")
        rows = np.full((len(queries), k), -1, dtype=np.intp)
        found = np.full((len(queries), k), -np.inf, dtype=np.float32)
        for start in range(0, len(queries), self._batch_size):
            part = slice(start, start + self._batch_size)
            similarities = np.round(queries[part].astype(np.float64) @ self._columns, DECIMALS)
            if exclude is not None:
                for i, rows_of_one in enumerate(exclude[part]):
                    similarities[i, rows_of_one] = -np.inf
            for i, best in enumerate(_best(similarities, min(k, size)), start):
                rows[i, : len(best)] = best
                found[i, : len(best)] = similarities[i - start, best]
        return rows, found


def _best(similarities: NDArray[np.float64], k: int) -> list[IntArray]:
    """The k best columns of each row, the best first, ties by column; excluded ones (-inf) are left out."""
    if k < 1:
        return [np.zeros(0, dtype=np.intp) for _ in similarities]
    # The k-th best value, not its column: of equal values the partition takes any.
    limits = np.partition(similarities, -k, axis=1)[:, -k]
    best = []
    for row, limit in zip(similarities, limits, strict=True):
        columns = np.flatnonzero((row >= limit) & np.isfinite(row))
        best.append(columns[np.argsort(-row[columns], kind="stable")[:k]])
    return best

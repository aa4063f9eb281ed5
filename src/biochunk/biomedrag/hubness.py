"""Correction of hubness: some vectors of a high-dimensional space are near to nearly everything.

Each method is a change of the vectors after which plain inner products are the corrected similarities, so that any
index for inner products can search them. A change of a query depends on the store alone, never on other queries.
"""

from typing import Literal

import numpy as np

from ..ty import FloatArray

Hubness = Literal["none", "centre", "csls"]
# Neighbours over which CSLS averages; the value of Conneau et al. (2018), who proposed it for word translation.
NEIGHBOURS = 10
# Rows that are compared with all others at a time.
_BATCH = 512


def correct_rows(vectors: FloatArray, method: Hubness) -> FloatArray:
    """Stored vectors as an index should hold them.

    "centre" takes the mean of the stored vectors off and makes the rows unit vectors again (Suzuki et al. 2013).
    "csls" takes off a row's mean similarity to its nearest stored rows. Here these stand in for the queries of the
    original, which one query must not know of. The same mean of the query is left out: it is equal for all rows.

    vectors (FloatArray): Shape (n, d), unit or zero rows.
    method (str): "none", "centre" or "csls".
    RETURNS (FloatArray): Shape (n, d), or (n, d + 1) with "csls". Zero rows stay zero.
    """
    if method == "centre":
        return _centred(vectors, vectors)
    if method == "csls":
        return np.hstack([2 * vectors, -_nearness(vectors)[:, None]]).astype(np.float32)
    return vectors


def correct_queries(queries: FloatArray, vectors: FloatArray, method: Hubness) -> FloatArray:
    """Queries, so that their inner products with `correct_rows(vectors, method)` are the corrected similarities.

    queries (FloatArray): Shape (m, d), unit or zero rows.
    vectors (FloatArray): Shape (n, d), the stored vectors before their correction.
    method (str): "none", "centre" or "csls".
    RETURNS (FloatArray): Shape (m, d), or (m, d + 1) with "csls".
    """
    if method == "centre":
        return _centred(queries, vectors)
    if method == "csls":
        return np.hstack([queries, np.ones((len(queries), 1))]).astype(np.float32)
    return queries


def _centred(rows: FloatArray, vectors: FloatArray) -> FloatArray:
    mean = vectors.astype(np.float64).mean(axis=0) if len(vectors) else 0.0
    moved = np.where(rows.any(axis=1, keepdims=True), rows - mean, 0.0)
    lengths = np.linalg.norm(moved, axis=1, keepdims=True)
    return np.divide(moved, lengths, out=np.zeros_like(moved), where=lengths > 0).astype(np.float32)


def _nearness(vectors: FloatArray) -> FloatArray:
    """Mean similarity of each row to its nearest other rows: shape (n,)."""
    count = min(NEIGHBOURS, len(vectors) - 1)
    if count < 1:
        return np.zeros(len(vectors), dtype=np.float32)
    wide = vectors.astype(np.float64)
    means = []
    for start in range(0, len(wide), _BATCH):
        similarities = wide[start : start + _BATCH] @ wide.T
        rows = np.arange(len(similarities))
        similarities[rows, start + rows] = -np.inf
        nearest = np.partition(similarities, -count, axis=1)[:, -count:]
        # Sorted, so that the sum does not depend on where the partition left the values.
        means.append(np.sort(nearest, axis=1).mean(axis=1))
    return np.concatenate(means).astype(np.float32)

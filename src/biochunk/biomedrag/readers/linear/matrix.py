"""Blocks of feature names and of vectors as one weighted matrix, and the inner products of its rows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ....ty import FloatArray, IntArray

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

# Different names of one block that share one of so many numbers are taken for one feature.
_HASHES = 2**18
# A column that more than this share of the rows have is multiplied as a dense one.
_DENSE = 0.1


@dataclass(frozen=True, slots=True)
class Matrix:
    """Rows in two parts: named (n, c), sparse, and vectors (n, d), dense."""

    named: "csr_matrix"
    vectors: FloatArray

    def __len__(self) -> int:
        return int(self.named.shape[0])

    def take(self, rows: IntArray) -> "Matrix":
        return Matrix(self.named[rows], self.vectors[rows])


class Columns:
    """The columns that train rows have: which names, and how rare each is.

    weights (Mapping[str, float]): Of the blocks, by name. Every row of a block has the length of its root, so that
        an inner product of two rows is a weighted mean of likenesses.
    """

    def __init__(self, weights: Mapping[str, float]) -> None:
        self.weights = weights
        self._kept: dict[str, IntArray] = {}
        self._rareness: dict[str, FloatArray] = {}

    def fit(self, blocks: Mapping[str, Sequence[Sequence[str]]]) -> "csr_matrix":
        """Keep the names that stand in two rows at least. RETURNS: What `named` returns for the same rows."""
        hashed = {name: _hashed(blocks[name]) for name in self.weights}
        for name, found in hashed.items():
            count = np.bincount(found.indices, minlength=_HASHES)
            self._kept[name] = np.flatnonzero(count >= 2)
            self._rareness[name] = np.log((1 + found.shape[0]) / count[self._kept[name]]).astype(np.float32)
        return self._joined(hashed)

    def named(self, blocks: Mapping[str, Sequence[Sequence[str]]]) -> "csr_matrix":
        """The rows of feature names as a sparse matrix: 1 + log of counts, times rareness, unit length a block."""
        return self._joined({name: _hashed(blocks[name]) for name in self.weights})

    def _joined(self, hashed: Mapping[str, "csr_matrix"]) -> "csr_matrix":
        from scipy.sparse import hstack

        parts = []
        for name, found in hashed.items():
            part = found[:, self._kept[name]]
            part.data = (1 + np.log(part.data)) * self._rareness[name][part.indices]
            norms = np.sqrt(np.add.reduceat(np.append(part.data**2, 0), part.indptr[:-1]))
            norms[np.diff(part.indptr) == 0] = 1
            part.data *= np.repeat(np.sqrt(self.weights[name]) / np.maximum(norms, 1e-9), np.diff(part.indptr))
            parts.append(part)
        return hstack(parts, format="csr", dtype=np.float32)


def gram(matrix: Matrix) -> FloatArray:
    """Inner products of all rows with all rows: shape (n, n)."""
    named = matrix.named.tocsc()
    counts = np.diff(named.indptr)
    common = counts > _DENSE * len(matrix)
    rare = named[:, np.flatnonzero(~common)].tocsr()
    products = (rare @ rare.T).toarray()
    dense = np.hstack([named[:, np.flatnonzero(common)].toarray(), matrix.vectors])
    products += dense @ dense.T
    return products


def _hashed(rows: Sequence[Sequence[str]]) -> "csr_matrix":
    from scipy.sparse import csr_matrix
    from sklearn.feature_extraction import FeatureHasher

    if not rows:
        return csr_matrix((0, _HASHES), dtype=np.float32)
    hasher = FeatureHasher(_HASHES, input_type="string", alternate_sign=False, dtype=np.float32)
    found = hasher.transform(rows)
    found.sum_duplicates()
    return found

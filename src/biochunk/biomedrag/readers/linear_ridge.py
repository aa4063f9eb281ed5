"""Least squares with a penalty, solved over rows: fast where there are more columns than rows."""

from dataclasses import dataclass

import numpy as np

from ...ty import FloatArray, IntArray
from .linear_matrix import Matrix

# Of squared weights.
_PENALTY = 0.3
# Square of the value of a column that every row has.
_CONSTANT = 0.3


@dataclass(frozen=True, slots=True)
class Ridge:
    """Scores of classes: weights of names (c, classes) and of vectors (d, classes), and constants (classes,)."""

    named: FloatArray
    vectors: FloatArray
    constants: FloatArray

    def scores(self, matrix: Matrix) -> FloatArray:
        """RETURNS (FloatArray): Shape (len(matrix), classes); about 1 for the right class and -1 for others."""
        return np.asarray(matrix.named @ self.named) + matrix.vectors @ self.vectors + self.constants


def fit_ridge(matrix: Matrix, products: FloatArray, rows: IntArray, classes: IntArray, *, count: int) -> Ridge:
    """Fit one score a class: 1 for rows of it, -1 for others.

    matrix (Matrix): All rows.
    products (FloatArray): Shape (n, n): inner products of all rows.
    rows (IntArray): The rows that are learned from.
    classes (IntArray): Shape (n,): the class of each row.
    count (int): Classes.
    """
    from scipy.linalg import cho_factor, cho_solve

    targets = np.full((len(rows), count), -1, dtype=np.float32)
    targets[np.arange(len(rows)), classes[rows]] = 1
    system = products[np.ix_(rows, rows)]
    system += np.float32(_CONSTANT)
    system[np.diag_indices(len(rows))] += np.float32(_PENALTY)
    factor = cho_factor(system, lower=True, overwrite_a=True, check_finite=False)
    shares = cho_solve(factor, targets, overwrite_b=True, check_finite=False)
    used = matrix.take(rows)
    constants = np.float32(_CONSTANT) * shares.sum(axis=0)
    return Ridge(np.asarray(used.named.T @ shares), used.vectors.T @ shares, constants)

"""Least squares with a penalty, solved over rows: fast where there are more columns than rows."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ....ty import FloatArray, IntArray
from .matrix import Matrix

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
    from scipy.linalg import cho_solve

    targets = _targets(classes[rows], count)
    shares = cho_solve((_factor(products[np.ix_(rows, rows)]), True), targets, overwrite_b=True, check_finite=False)
    used = matrix.take(rows)
    constants = np.float32(_CONSTANT) * shares.sum(axis=0)
    return Ridge(np.asarray(used.named.T @ shares), used.vectors.T @ shares, constants)


def left_out_scores(products: FloatArray, classes: IntArray, groups: Sequence[str], *, count: int) -> FloatArray:
    """Scores that all rows would get from fits without the rows of their own group, all from one matrix inverse.

    With Q the inverse of the penalised products and shares = Q targets, the error on a group that is left out is
    inverse(Q of the group) * shares of the group (leave-one-out of ridge regression, for several rows at a time).

    products (FloatArray): Shape (n, n): inner products of all rows.
    classes (IntArray): Shape (n,): the class of each row.
    groups (Sequence[str]): The group of each row, such as its sentence.
    count (int): Classes.
    RETURNS (FloatArray): Shape (n, count).
    """
    from scipy.linalg.lapack import spotri

    # LAPACK fills one half.
    inverse = np.tril(spotri(_factor(products.copy()), lower=1, overwrite_c=1)[0])
    inverse += np.tril(inverse, -1).T
    targets = _targets(classes, count)
    shares = inverse @ targets
    members: dict[str, list[int]] = {}
    for row, group in enumerate(groups):
        members.setdefault(group, []).append(row)
    errors = np.empty_like(targets)
    for rows in members.values():
        errors[rows] = np.linalg.solve(inverse[np.ix_(rows, rows)], shares[rows])
    return targets - errors


def _targets(classes: IntArray, count: int) -> FloatArray:
    targets = np.full((len(classes), count), -1, dtype=np.float32)
    targets[np.arange(len(classes)), classes] = 1
    return targets


def _factor(system: FloatArray) -> FloatArray:
    """Cholesky factor (lower) of products with the constant and the penalty, made in their place."""
    from scipy.linalg import cho_factor

    system += np.float32(_CONSTANT)
    system[np.diag_indices(len(system))] += np.float32(_PENALTY)
    return cho_factor(system, lower=True, overwrite_a=True, check_finite=False)[0]

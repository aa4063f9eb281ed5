"""From scores to answers: how sure a score is, and from where on an answer is given."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ....ty import FloatArray, IntArray

# Tried factors of scores, from which the likeliest is taken.
_FACTORS = (1.0, 1.4, 2.0, 2.8, 4.0, 5.6, 8.0)
# Where nothing was held back.
_FACTOR = 3.0


def log_chances(scores: FloatArray, factor: float) -> FloatArray:
    """Log-probabilities of classes: softmax of factor * score over each row."""
    scaled = scores.astype(np.float64) * factor
    scaled -= scaled.max(axis=1, keepdims=True)
    return scaled - np.log(np.exp(scaled).sum(axis=1, keepdims=True))


def best_factor(scores: FloatArray, classes: IntArray) -> float:
    """The factor of scores under which held-back rows are likeliest.

    scores (FloatArray): Shape (n, classes).
    classes (IntArray): Shape (n,): the right class of each row.
    """
    if not len(scores):
        return _FACTOR
    rows = np.arange(len(scores))
    return max(_FACTORS, key=lambda factor: log_chances(scores, factor)[rows, classes].sum())


def best_threshold(
    scores: Sequence[float] | FloatArray, right: Sequence[bool] | NDArray[np.bool_], wanted: int, *, otherwise: float
) -> float:
    """The threshold with the highest F1 on held-back items: answers with a higher score are given.

    scores: Of possible answers.
    right: Which of them are right.
    wanted (int): Answers that are to be found, among the possible ones or not.
    otherwise (float): The threshold where no possible answer is right.
    """
    values = np.asarray(scores, dtype=np.float64)
    order = np.argsort(-values, kind="stable")
    ranked, hits = values[order], np.cumsum(np.asarray(right, dtype=bool)[order])
    if not len(hits) or not hits[-1]:
        return otherwise
    f1 = 2 * hits / (np.arange(1, len(order) + 1) + wanted)
    # A threshold cannot part equal scores.
    f1[:-1][ranked[:-1] == ranked[1:]] = -1
    best = int(np.argmax(f1))
    return -np.inf if best + 1 == len(order) else float(ranked[best] + ranked[best + 1]) / 2

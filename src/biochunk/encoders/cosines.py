"""Cosines of spans to target texts from integer word vectors; exact up to the last division."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..ty import FloatArray, IntArray
from .sums import Integers, inverse_roots, shrink, span_sums, squared_norms


@dataclass(frozen=True, eq=False)
class Targets:
    """What spans are compared with. Make it with `make_targets`.

    vectors (NDArray[np.int64]): Shape (n, d).
    inverses (NDArray[np.float64]): Shape (n,); one over the vector's length, 0 for a zero vector.
    """

    vectors: NDArray[np.int64]
    inverses: NDArray[np.float64]


def make_targets(sums: Integers) -> Targets:
    """Targets from sums of word vectors, shape (n, d)."""
    vectors = shrink(sums)
    return Targets(vectors, inverse_roots(squared_norms(vectors)))


def unit_rows(sums: Integers) -> FloatArray:
    """Rows of unit length, or zero where the sum is zero: shape (n, d)."""
    return (sums * inverse_roots(squared_norms(sums))[:, None]).astype(np.float32)


def span_cosines(
    words: Integers,
    dots: NDArray[np.int64],
    index: IntArray,
    starts: IntArray,
    ends: IntArray,
    targets: Targets,
) -> FloatArray:
    """Cosine of every span of a token stream to every target.

    words (Integers): Shape (u, d); vectors of the different words of the stream.
    dots (NDArray[np.int64]): Shape (u, n); dot products of the words with the targets' vectors.
    index (IntArray): Shape (t,); the word that stands at each token.
    starts (IntArray): Shape (s,); first token of each span.
    ends (IntArray): Shape (s,); token after the last.
    targets (Targets): Targets of the same dimension and scale.
    RETURNS (FloatArray): Shape (s, n); 0 where a vector is zero. A row depends on its span's words alone.
    """
    norms = np.zeros(len(starts))
    for numbers, sums in span_sums(words, index, starts, ends):
        norms[numbers] = squared_norms(sums)
    # The dot product of a sum is the sum of dot products: one column a target instead of one a dimension.
    prefix = np.zeros((len(index) + 1, len(targets.vectors)), dtype=np.int64)
    np.cumsum(dots.take(index, axis=0), axis=0, out=prefix[1:])
    sums_of_dots = prefix.take(ends, axis=0)
    sums_of_dots -= prefix.take(starts, axis=0)
    return (sums_of_dots * inverse_roots(norms)[:, None] * targets.inverses).astype(np.float32)

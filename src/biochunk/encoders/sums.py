"""Exact sums and dot products of integer vectors.

Integers make a span's score independent of what else is computed with it: no order of additions, no block
border and no BLAS kernel can change a bit. The bounds under which that holds are checked where they could be
passed.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ..ty import IntArray

Integers = NDArray[np.signedinteger]

# Vectors that are in work at a time: 2,048 x 256 int32 are 2 MB, about a core's cache.
BLOCK = 2048
# Vectors that one scan step runs over; the fastest of 16, 32 and 64.
LANE = 32
# A span of more vectors than this is summed by itself, so that a block stays small.
LONG = 256


def span_sums(
    vectors: Integers, index: IntArray, starts: IntArray, ends: IntArray
) -> Iterator[tuple[IntArray, Integers]]:
    """Sums of `vectors[index[start:end]]` for many spans, as differences of prefix sums, block by block.

    vectors (Integers): Shape (u, d), int16 to int64.
    index (IntArray): Shape (t,); the row of `vectors` that stands at each place of the stream.
    starts (IntArray): Shape (s,); first place of each span.
    ends (IntArray): Shape (s,); place after the last.
    YIELDS (tuple[IntArray, Integers]): Numbers of spans and their sums, shape (numbers, d); each span once,
        in no promised order.
    """
    lengths = ends - starts
    short = np.flatnonzero(lengths <= LONG)
    blocks = starts[short] // BLOCK
    # A difference of prefix sums is right even where the prefix sum wraps around, if it fits the type itself.
    dtype = np.int32 if peak(vectors) * LONG < 2**31 else np.int64
    if len(short) and (np.diff(blocks) < 0).any():
        order = np.argsort(blocks, kind="stable")
        short, blocks = short[order], blocks[order]
    borders = np.flatnonzero(np.diff(blocks)) + 1
    for numbers in np.split(short, borders) if len(short) else ():
        first = int(starts[numbers[0]] // BLOCK) * BLOCK
        prefix = _prefix_sums(vectors, index[first : ends[numbers].max()], dtype)
        sums = prefix.take(ends[numbers] - first, axis=0)
        sums -= prefix.take(starts[numbers] - first, axis=0)
        yield numbers, sums
    for number in np.flatnonzero(lengths > LONG):
        rows, counts = np.unique(index[starts[number] : ends[number]], return_counts=True)
        # int64 holds 2^33 addends of 2^30.
        yield np.array([number]), (counts[:, None] * vectors[rows]).sum(axis=0, keepdims=True)


def _prefix_sums(vectors: Integers, index: IntArray, dtype: type[np.signedinteger]) -> Integers:
    """Sums of the first 0, 1, … len(index) vectors: shape (at least len(index) + 1, d)."""
    lanes = -(-(len(index) + 1) // LANE)
    prefix = np.zeros((lanes * LANE, vectors.shape[1]), dtype=dtype)
    prefix[1 : len(index) + 1] = vectors.take(index, axis=0)
    by_lane = prefix.reshape(lanes, LANE, -1)
    for i in range(1, LANE):
        by_lane[:, i] += by_lane[:, i - 1]
    for i in range(1, lanes):
        by_lane[i] += by_lane[i - 1, -1]
    return prefix


def squared_norms(sums: Integers) -> NDArray[np.float64]:
    """Squared lengths of integer vectors: shape (n,), exact up to 2^53 and correctly rounded above."""
    floats = sums.astype(np.float64)
    norms = np.einsum("ij,ij->i", floats, floats)
    # Squares only add up, so a result below 2^52 proves that no partial sum was rounded.
    for i in np.flatnonzero(norms >= 2.0**52):
        norms[i] = float(sum(value * value for value in sums[i].tolist()))
    return norms


def dot_products(vectors: Integers, targets: Integers) -> NDArray[np.int64]:
    """Exact dot products, shape (len(vectors), len(targets)).

    vectors (Integers): Shape (n, d), absolute values up to 2^34.
    targets (Integers): Shape (m, d), absolute values up to 2^20 (see `shrink`), d up to 512.
    """
    if peak(vectors) * peak(targets) * vectors.shape[1] < 2**53:
        return (vectors.astype(np.float64) @ targets.T.astype(np.float64)).astype(np.int64)
    return vectors.astype(np.int64) @ targets.T.astype(np.int64)


def shrink(vectors: Integers, limit: int = 2**20) -> NDArray[np.int64]:
    """Scale down the vectors that hold absolute values above `limit`; a cosine does not see it."""
    peaks = np.abs(vectors.astype(np.int64)).max(axis=1, initial=0)
    factors = np.maximum(1, -(-peaks // limit))
    return np.rint(vectors / factors[:, None]).astype(np.int64)


def peak(vectors: Integers) -> int:
    """Largest absolute value; 0 if there is none."""
    return max(int(vectors.max(initial=0)), -int(vectors.min(initial=0)))


def inverse_roots(norms: NDArray[np.float64]) -> NDArray[np.float64]:
    """One over the length, from squared lengths; 0 for a zero vector, so that its cosine is 0, not NaN."""
    return np.divide(1.0, np.sqrt(norms), out=np.zeros_like(norms), where=norms > 0)

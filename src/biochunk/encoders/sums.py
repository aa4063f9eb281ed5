"""Exact sums and dot products of integer vectors.

Integers make a span's score independent of what else is computed with it: no order of additions, no block
border and no BLAS kernel can change a bit. The bounds under which that holds are checked where a text could
pass them.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ..ty import IntArray

Integers = NDArray[np.signedinteger]

# Places of the stream that are in work at a time: 2,048 x 256 int32 are 2 MB, about a core's cache.
BLOCK = 2048
# Places that one chain of additions runs over; the chains of a block are added side by side.
LANE = 32
# A span of more places than this is summed by itself, so that a block stays small.
LONG = 256
# Spans whose sums are handed out at a time.
SPANS = 512


def span_sums(
    vectors: Integers, index: IntArray, starts: IntArray, ends: IntArray
) -> Iterator[tuple[IntArray, Integers]]:
    """Sums of `vectors[index[start:end]]` for many spans, as differences of prefix sums, block by block.

    vectors (Integers): Shape (u, d), int16 to int64.
    index (IntArray): Shape (t,); the row of `vectors` that stands at each place of the stream.
    starts (IntArray): Shape (s,); first place of each span.
    ends (IntArray): Shape (s,); place after the last.
    YIELDS (tuple[IntArray, Integers]): Numbers of some spans and their sums, shape (numbers, d). Each span
        that is not empty comes once; an empty one may be left out: its sum is zero.
    """
    lengths = ends - starts
    short = np.flatnonzero((lengths > 0) & (lengths <= LONG))
    blocks = starts[short] // BLOCK
    if (np.diff(blocks) < 0).any():
        order = np.argsort(blocks, kind="stable")
        short, blocks = short[order], blocks[order]
    # A difference of prefix sums is right even where those wrap around, as long as it fits the type itself.
    dtype = np.int32 if vectors.dtype == np.int16 or peak(vectors) * LONG < 2**31 else np.int64
    for numbers in np.split(short, np.flatnonzero(np.diff(blocks)) + 1) if len(short) else ():
        first = int(starts[numbers[0]] // BLOCK) * BLOCK
        prefix = _PrefixSums(vectors, index[first : int(ends[numbers].max())], dtype)
        for i in range(0, len(numbers), SPANS):
            some = numbers[i : i + SPANS]
            yield some, prefix.between(starts[some] - first, ends[some] - first)
    for number in np.flatnonzero(lengths > LONG):
        rows, counts = np.unique(index[starts[number] : ends[number]], return_counts=True)
        # int64 holds 2^33 addends of 2^30.
        yield np.array([number]), (counts[:, None] * vectors[rows]).sum(axis=0, keepdims=True)


class _PrefixSums:
    """Sums of the first 0, 1, … t vectors of a stream.

    The stream is cut into lanes of `LANE` places. `sums` has shape (LANE, lanes, d), so that one addition of
    contiguous memory moves all lanes one place on, where accumulating row after row moves one at a time.
    """

    def __init__(self, vectors: Integers, index: IntArray, dtype: type[np.signedinteger]) -> None:
        self.lanes = -(-(len(index) + 1) // LANE)
        padded = np.zeros(self.lanes * LANE, dtype=np.intp)
        padded[1 : len(index) + 1] = index
        sums = vectors.take(padded.reshape(self.lanes, LANE).T, axis=0).astype(dtype, copy=False)
        sums[0, 0] = 0
        for i in range(1, LANE):
            np.add(sums[i], sums[i - 1], out=sums[i])
        totals = np.cumsum(sums[-1], axis=0, dtype=dtype)
        sums[:, 1:] += totals[:-1]
        self.sums = sums.reshape(self.lanes * LANE, -1)

    def between(self, starts: IntArray, ends: IntArray) -> Integers:
        """Sums from each start to each end: shape (len(starts), d)."""
        sums = self.sums.take(self._rows(ends), axis=0)
        sums -= self.sums.take(self._rows(starts), axis=0)
        return sums

    def _rows(self, places: IntArray) -> IntArray:
        return places % LANE * self.lanes + places // LANE


def squared_norms(sums: Integers) -> NDArray[np.float64]:
    """Squared lengths of integer vectors: shape (n,), exact up to 2^53 and correctly rounded above."""
    floats = sums.astype(np.float64)
    norms = np.matmul(floats[:, None, :], floats[:, :, None])[:, 0, 0]
    # Squares only add up, so a result below 2^52 proves that no partial sum was rounded.
    for i in np.flatnonzero(norms >= 2.0**52):
        norms[i] = float(sum(value * value for value in sums[i].tolist()))
    return norms


def dot_products(vectors: Integers, targets: Integers) -> NDArray[np.int64]:
    """Exact dot products, shape (len(vectors), len(targets)).

    vectors (Integers): Shape (n, d), absolute values up to 2^32.
    targets (Integers): Shape (m, d), absolute values up to 2^20 (see `shrink`), d up to 1024.
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

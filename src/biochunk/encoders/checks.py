"""What every encoder checks: its input and what its backend returned."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from spacy.tokens import Doc

from ..errors import BiochunkError, Errors
from ..ty import FloatArray, IntArray


def check_text(text: str) -> None:
    """RAISES (BiochunkError): If the text holds half of a surrogate pair, which no tokenizer can read."""
    try:
        text.encode("utf8")
    except UnicodeEncodeError as error:
        code = ord(text[error.start])
        raise BiochunkError(Errors.E005.format(code=code, position=error.start)) from None


def flat_spans(docs: Sequence[Doc], spans: Sequence[IntArray]) -> tuple[IntArray, IntArray]:
    """Token bounds as bounds in the stream of all tokens of a batch.

    docs (Sequence[Doc]): The Docs.
    spans (Sequence[IntArray]): For each Doc an array (k, 2) of token bounds.
    RETURNS (tuple[IntArray, IntArray]): Starts and ends, each of shape (sum of k,).
    RAISES (BiochunkError): If there is not one array a Doc, or a span lies outside its Doc.
    """
    if len(docs) != len(spans):
        raise _outside(f"got {len(spans)} arrays of spans for {len(docs)} Docs")
    if not docs:
        return np.zeros(0, dtype=np.intp), np.zeros(0, dtype=np.intp)
    lengths = np.array([len(doc) for doc in docs], dtype=np.intp)
    counts = np.array([len(bounds) for bounds in spans], dtype=np.intp)
    bounds = np.concatenate([np.asarray(array, dtype=np.intp).reshape(-1, 2) for array in spans])
    starts, ends = bounds.T
    wrong = np.flatnonzero((starts < 0) | (ends < starts) | (ends > np.repeat(lengths, counts)))
    if len(wrong):
        raise _outside(f"got the span ({starts[wrong[0]]}, {ends[wrong[0]]}) outside its Doc")
    offsets = np.repeat(np.cumsum(lengths) - lengths, counts)
    return starts + offsets, ends + offsets


def check_vectors(vectors: object, texts: int, dims: int | None = None) -> FloatArray:
    """What an encoder's backend returned, as unit rows.

    vectors (object): Anything that numpy reads as an array.
    texts (int): Expected number of rows.
    dims (int | None): Expected length of a row; None if any will do.
    RETURNS (FloatArray): Shape (texts, d), rows of unit length or zero.
    RAISES (BiochunkError): If the count or the shape is wrong, or a value is not finite.
    """
    array = np.asarray(vectors, dtype=np.float64)
    if texts == 0 and array.size == 0:
        return np.zeros((0, dims or 0), dtype=np.float32)
    if array.ndim != 2 or len(array) != texts or (dims is not None and array.shape[1] != dims):
        raise _returned(f"an array of shape {array.shape}", texts, f"shape ({texts}, {dims or 'd'})")
    if not np.isfinite(array).all():
        raise _returned("NaN or infinite values", texts, "finite values")
    # Peaks first: the square of a large value would be infinite.
    rows = _divided(array, np.abs(array).max(axis=1, initial=0))
    return _divided(rows, np.sqrt(np.einsum("ij,ij->i", rows, rows))).astype(np.float32)


def _divided(array: NDArray[np.float64], by: NDArray[np.float64]) -> NDArray[np.float64]:
    """Rows divided by a number each; zero rows stay."""
    return np.divide(array, by[:, None], out=np.zeros_like(array), where=by[:, None] > 0)


def _returned(found: str, texts: int, expected: str) -> BiochunkError:
    return BiochunkError(Errors.E006.format(found=found, texts=texts, expected=expected, name="hybrid_selector"))


def _outside(problem: str) -> BiochunkError:
    expected = "for each Doc an array (k, 2) of token bounds inside it"
    return BiochunkError(Errors.E008.format(encoder="encoder", problem=problem, expected=expected))

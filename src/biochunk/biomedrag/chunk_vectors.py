"""Vectors of chunks, stored ones and those that ask."""

from collections.abc import Sequence
from typing import Literal

import numpy as np

from ..ty import Encoder, FloatArray
from .items import Piece, Sentence

# What of a chunk is encoded: its text, or its text and, beside it, what is left of it without the detected entities.
View = Literal["text", "text+frame"]


def encode_chunks(encoder: Encoder, chunks: Sequence[tuple[str, str]], view: View) -> FloatArray:
    """Vectors of chunks.

    encoder (Encoder): Text to vectors.
    chunks (Sequence[tuple[str, str]]): Text and frame of each.
    view (str): With "text+frame" the cosine of two chunks is the mean of the cosines of texts and of frames: alike are
        chunks that speak of like things and say it in like words.
    RETURNS (FloatArray): Shape (len(chunks), d), or (len(chunks), 2 d) with frames; unit rows, or zero without any
        known word.
    """
    if view == "text":
        return encoder.encode([text for text, _ in chunks])
    distinct = list(dict.fromkeys(text for chunk in chunks for text in chunk))
    row = {text: number for number, text in enumerate(distinct)}
    vectors = encoder.encode(distinct)
    halves = [vectors[[row[chunk[side]] for chunk in chunks]] for side in (0, 1)]
    both = np.hstack(halves)
    lengths = np.linalg.norm(both, axis=1, keepdims=True)
    return np.divide(both, lengths, out=np.zeros_like(both), where=lengths > 0)


def frame_of(sentence: Sentence, piece: Piece) -> str:
    """A chunk without the detected entities: its words about what happens. The chunk itself where no word is left.

    sentence (Sentence): Gives the entities, which may reach beyond the chunk.
    piece (Piece): The chunk.
    """
    parts: list[str] = []
    at = piece.start
    for start, end in sentence.mentions:
        if piece.start < end and start < piece.end:
            parts.append(sentence.text[at:start])
            at = max(at, end)
    parts.append(sentence.text[at : piece.end])
    frame = " ".join(" ".join(parts).split())
    return frame if any(map(str.isalnum, frame)) else piece.text

"""Sentences, evidence and encoders made by hand."""

from collections.abc import Mapping, Sequence

import numpy as np

from biochunk.biomedrag.items import Evidence, Example, Piece, Sentence
from biochunk.ty import FloatArray


class BagOfWords:
    """Counts of known words, as unit vectors; a word stands for its axis or for given numbers."""

    def __init__(self, words: Sequence[str] | Mapping[str, Sequence[float]]) -> None:
        axes = np.eye(len(words))
        self.words = {
            word: np.array(words[word]) if isinstance(words, Mapping) else axes[i] for i, word in enumerate(words)
        }

    def encode(self, texts: Sequence[str]) -> FloatArray:
        dims = len(next(iter(self.words.values())))
        rows = np.array([sum((self.words.get(w, 0) for w in t.lower().split()), np.zeros(dims)) for t in texts])
        rows = rows.reshape(len(texts), dims)
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        return np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0).astype(np.float32)


def sentence(key: str, text: str, *pieces: str, mentions: Sequence[str] = ()) -> Sentence:
    """A sentence whose chunks and mentions are given by their text; without chunks it is one."""
    spans = sorted((text.index(mention), text.index(mention) + len(mention)) for mention in mentions)
    found = [
        Piece(text.index(piece), text.index(piece) + len(piece), piece, "", 0.0, "fixed", slot, "")
        for slot, piece in enumerate(pieces or (text,), 1)
    ]
    return Sentence(key, text, tuple(spans), (), (), tuple(found))


def evidence(row: int, relation: str, similarity: float = 0.5, text: str = "a chunk") -> Evidence:
    return Evidence(text, relation, f"record-{row}", row, similarity, 0)


def example(key: str, text: str, *found: Evidence) -> Example:
    return Example(key, text, evidence=found)

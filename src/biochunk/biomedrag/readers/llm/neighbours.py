"""Nearest train sentences, which a prompt shows as examples."""

from collections import Counter
from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ....corpora.splits import sentence_key
from ....ty import Encoder
from .fields import words


class Neighbours(Protocol):
    """Finds the texts that are most like a text."""

    def nearest(self, text: str, k: int) -> list[int]:
        """Row numbers of the k most similar texts, the best first, ties by row number. A text that is the same
        sentence as the one asked for is never found, nor one sentence twice.
        """
        ...


class _Distinct:
    """The texts as sentences: which rows are one sentence."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.keys = [sentence_key(text) for text in texts]

    def best(self, text: str, similarities: NDArray[np.floating], k: int) -> list[int]:
        taken = {sentence_key(text)}
        found: list[int] = []
        for row in np.argsort(-similarities, kind="stable"):
            if len(found) == k:
                break
            if self.keys[row] not in taken:
                taken.add(self.keys[row])
                found.append(int(row))
        return found


class WordNeighbours:
    """By common words: cosine of TF-IDF vectors over lower-cased words.

    texts (Sequence[str]): The texts to find.
    """

    def __init__(self, texts: Sequence[str]) -> None:
        self._distinct = _Distinct(texts)
        counts = [Counter(words(text)) for text in texts]
        spread = Counter(word for count in counts for word in count)
        self._idf = {word: float(np.log((1 + len(texts)) / (1 + n)) + 1) for word, n in spread.items()}
        norms = [_norm(count, self._idf) for count in counts]
        rows: dict[str, list[int]] = {}
        weights: dict[str, list[float]] = {}
        for row, count in enumerate(counts):
            for word, n in count.items():
                rows.setdefault(word, []).append(row)
                weights.setdefault(word, []).append(n * self._idf[word] / norms[row])
        self._rows = {word: np.array(found) for word, found in rows.items()}
        self._weights = {word: np.array(found) for word, found in weights.items()}
        self._size = len(texts)

    def nearest(self, text: str, k: int) -> list[int]:
        similarities = np.zeros(self._size)
        # Words in order, so that sums are the same in every process.
        for word, n in sorted(Counter(words(text)).items()):
            if word in self._rows:
                similarities[self._rows[word]] += n * self._idf[word] * self._weights[word]
        return self._distinct.best(text, similarities, k)


class VectorNeighbours:
    """By cosine of an encoder's vectors.

    texts (Sequence[str]): The texts to find.
    encoder (Encoder): Makes unit vectors.
    """

    def __init__(self, texts: Sequence[str], encoder: Encoder) -> None:
        self._distinct = _Distinct(texts)
        self._encoder = encoder
        self._vectors = encoder.encode(list(texts))

    def nearest(self, text: str, k: int) -> list[int]:
        return self._distinct.best(text, self._vectors @ self._encoder.encode([text])[0], k)


def _norm(count: Counter[str], idf: dict[str, float]) -> float:
    return float(np.sqrt(sum((n * idf[word]) ** 2 for word, n in sorted(count.items()))))

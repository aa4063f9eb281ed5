"""The seams: what a part must offer to be put in another's place."""

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray
from spacy.tokens import Doc

FloatArray = NDArray[np.float32]
IntArray = NDArray[np.intp]


@runtime_checkable
class Encoder(Protocol):
    """Text to unit vectors."""

    def encode(self, texts: Sequence[str]) -> FloatArray:
        """Encode texts, all in one call.

        texts (Sequence[str]): The texts.
        RETURNS (FloatArray): Shape (len(texts), d); rows of unit length, or zero for text with no known word.
        """
        ...


@runtime_checkable
class SpanEncoder(Encoder, Protocol):
    """An encoder that can score spans of Docs without building their texts or vectors one by one."""

    def similarities(self, docs: Sequence[Doc], spans: Sequence[IntArray], texts: Sequence[str]) -> FloatArray:
        """Cosine of every span to every text.

        docs (Sequence[Doc]): The Docs of a batch.
        spans (Sequence[IntArray]): For each Doc an array (k, 2) of token bounds.
        texts (Sequence[str]): What to compare with, usually the relation definitions.
        RETURNS (FloatArray): Shape (sum of k, len(texts)), in the order of docs and spans.
        """
        ...


@runtime_checkable
class Serializable(Protocol):
    """A part that its component carries inside a saved pipeline."""

    def to_bytes(self) -> bytes: ...

    def from_bytes(self, data: bytes) -> "Serializable": ...

    def to_disk(self, path: Path) -> None: ...

    def from_disk(self, path: Path) -> "Serializable": ...

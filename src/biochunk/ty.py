"""The seams: what a part must offer to be put in another's place."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray
from spacy.language import Language
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

    def prepare(self, texts: Sequence[str]) -> Any:
        """Make ready what spans will be compared with. Call it once a set of texts and keep the result.

        texts (Sequence[str]): The texts, usually the relation definitions.
        RETURNS (Any): An opaque value that only `similarities` of the same encoder reads.
        """
        ...

    def similarities(self, docs: Sequence[Doc], spans: Sequence[IntArray], targets: Any) -> FloatArray:
        """Cosine of every span to every target text. A span's row does not depend on its batch.

        docs (Sequence[Doc]): The Docs of a batch.
        spans (Sequence[IntArray]): For each Doc an array (k, 2) of token bounds (start, end), end exclusive;
            k may be 0.
        targets (Any): What `prepare` of this encoder returned.
        RETURNS (FloatArray): Shape (sum of k, number of target texts), in the order of docs and spans; 0
            where the span or the text has no known word.
        """
        ...


@runtime_checkable
class Bindable(Protocol):
    """A part that needs the pipeline it works in. Its component calls `bind` once, when it is constructed."""

    def bind(self, nlp: Language) -> None:
        """Hand over the pipeline.

        nlp (Language): The pipeline; its other components may not exist yet, so it is looked at on first use.
        """
        ...


@runtime_checkable
class Serializable(Protocol):
    """A part that its component carries inside a saved pipeline."""

    def to_bytes(self) -> bytes: ...

    def from_bytes(self, data: bytes) -> "Serializable": ...

    def to_disk(self, path: Path) -> None: ...

    def from_disk(self, path: Path) -> "Serializable": ...

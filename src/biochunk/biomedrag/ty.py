"""The seams of the chain: what a reader, a store behind retrieval and a chunk scorer must offer."""

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol, runtime_checkable

from ..ty import FloatArray, IntArray
from .items import Answer, Example, Gold, Task


@runtime_checkable
class Reader(Protocol):
    """The generator's place: sentence and evidence to answers."""

    def fit(self, examples: Sequence[Example], gold: Sequence[Gold], *, task: Task, relations: Sequence[str]) -> None:
        """Learn from the train split, anew at each call.

        examples (Sequence[Example]): What the reader will see.
        gold (Sequence[Gold]): The answers, one an example.
        task (str): "triples" (which relations hold between which mentions), "pairs" (the relation of each asked pair,
            or None) or "label" (0 or 1).
        relations (Sequence[str]): All relation labels, in the order of the dataset file.
        """
        ...

    def predict(self, examples: Sequence[Example]) -> list[Answer]:
        """RETURNS (list[Answer]): One an example, in order. An answer does not depend on the other examples."""
        ...


@runtime_checkable
class GradedReader(Reader, Protocol):
    """A reader that says how sure it is, so that a chunk scorer can learn from its success."""

    def grade(self, examples: Sequence[Example], gold: Sequence[Gold]) -> FloatArray:
        """RETURNS (FloatArray): Shape (len(examples),): log-probability that the reader gives to the gold answer."""
        ...


@runtime_checkable
class Reseedable(Protocol):
    """A reader that need not read the same examples anew for every seed."""

    def reseeded(self, seed: int) -> Reader:
        """RETURNS (Reader): A new reader with another seed that answers as one made with it would."""
        ...


@runtime_checkable
class VectorIndex(Protocol):
    """Nearest rows by inner product. Narrow on purpose, so that an external vector database can stand behind it."""

    def search(
        self, queries: FloatArray, k: int, *, exclude: Sequence[IntArray] | None = None
    ) -> tuple[IntArray, FloatArray]:
        """Find the k best rows of each query.

        queries (FloatArray): Shape (n, d), unit rows.
        k (int): How many; fewer rows than that give rows of -1 at the end, with similarity -inf.
        exclude (Sequence[IntArray] | None): For each query, the rows that it must not get.
        RETURNS (tuple[IntArray, FloatArray]): Row numbers and similarities, both of shape (n, k), the best first;
            ties by row number.
        """
        ...


@runtime_checkable
class Scorer(Protocol):
    """Puts retrieved evidence in a new order (BioMedRAG's tailored chunk scorer)."""

    def score(self, examples: Sequence[Example]) -> list[FloatArray]:
        """RETURNS (list[FloatArray]): For each example one score an item of its `evidence`; higher is better."""
        ...

    def to_disk(self, path: Path) -> None: ...

    def from_disk(self, path: Path) -> "Scorer": ...

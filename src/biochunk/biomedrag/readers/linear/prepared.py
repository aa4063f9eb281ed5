"""What the linear reader makes of a train split before any seed: rows, their inner products, candidate pairs."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ....corpora.splits import sentence_key
from ....errors import BiochunkError
from ....ty import FloatArray, IntArray
from ...items import Example, Gold, GoldTriple, PairAnswer, Task
from .matrix import Columns, Matrix, gram
from .reading import Reading, Row
from .selection import SpanModel, right_pairs

# Readings of examples to answer that are kept.
_KEPT = 1


@dataclass(eq=False, slots=True)
class Prepared:
    """A train split, made ready.

    task (str), relations (tuple[str, ...]), gold (tuple[Gold, ...]): As given.
    reading (Reading): Its texts.
    keys (list[str]): `sentence_key` of each example.
    columns (Columns): Of the rows.
    owners (IntArray): Shape (rows,): the example that each row is of.
    classes (IntArray): Shape (rows,): the class of each; see `class_of`.
    matrix (Matrix): The rows.
    products (FloatArray): Shape (rows, rows): their inner products.
    spans (SpanModel | None): Finds mentions, in the task "triples".
    right (NDArray | None): Which of the reading's candidate pairs are gold.
    most (int): Most triples of one example.
    asked (list[Reading]): What was read of examples to answer, the last first; a few are kept for other seeds.
    calibration (tuple[float, float] | None): How scores are used; the same for all seeds.
    """

    task: Task
    relations: tuple[str, ...]
    gold: tuple[Gold, ...]
    reading: Reading
    keys: list[str]
    columns: Columns
    owners: IntArray
    classes: IntArray
    matrix: Matrix
    products: FloatArray
    spans: SpanModel | None
    right: NDArray[np.bool_] | None
    most: int
    asked: list[Reading] = field(default_factory=list)
    calibration: tuple[float, float] | None = None

    def is_of(self, examples: Sequence[Example], gold: Sequence[Gold], task: Task, relations: Sequence[str]) -> bool:
        """Whether it was made from just these."""
        asked = task, tuple(relations), tuple(gold)
        return asked == (self.task, self.relations, self.gold) and self.reading.is_of(examples)

    def read(self, examples: Sequence[Example]) -> Reading:
        """The reading of examples that are to be answered, with candidates where the task needs them."""
        for reading in (self.reading, *self.asked):
            if reading.is_of(examples):
                return reading
        reading = Reading(examples)
        if self.spans:
            reading.selected = self.spans.read(reading.bare, reading.texts)
        self.asked[:] = [reading, *self.asked][:_KEPT]
        return reading

    @property
    def count(self) -> int:
        """How many classes there are."""
        return 2 if self.task == "label" else 2 * len(self.relations) + (self.task == "pairs")


def class_of(answer: PairAnswer | None, relations: Sequence[str]) -> int:
    """Number of an answer's class: two a relation, forward and backward; the last is no relation."""
    return 2 * len(relations) if answer is None else 2 * relations.index(answer.relation) + (not answer.forward)


def answer_of(number: int, relations: Sequence[str]) -> PairAnswer | None:
    """The answer of a class."""
    return None if number >= 2 * len(relations) else PairAnswer(relations[number // 2], number % 2 == 0)


def gold_row(text: int, triple: GoldTriple) -> tuple[Row, PairAnswer]:
    """The row of a gold triple whose mentions are visible, and its answer."""
    forward = (triple.head.start, triple.head.end) <= (triple.tail.start, triple.tail.end)
    pair = (triple.head, triple.tail) if forward else (triple.tail, triple.head)
    return Row(text, pair), PairAnswer(triple.relation, forward)


def prepare(examples: Sequence[Example], gold: Sequence[Gold], *, task: Task, relations: Sequence[str]) -> Prepared:
    """Make a train split ready; see `Reader.fit`.

    RAISES (BiochunkError): When gold names an unknown relation, or there is nothing to learn.
    """
    reading = Reading(examples)
    found = [
        (which, row, number)
        for which, (example, one) in enumerate(zip(examples, gold, strict=True))
        for row, number in _rows(example, one, int(reading.which[which]), task, relations)
    ]
    if not found:
        raise BiochunkError(f"found {len(examples)} train examples and nothing in them to learn, expected gold answers")
    rows = [row for _, row, _ in found]
    owners = np.array([which for which, _, _ in found], dtype=np.intp)
    columns = reading.learn_columns(rows)
    matrix = Matrix(reading.named(rows, columns), reading.evidence(relations)[owners])
    spans, right = None, None
    if task == "triples":
        spans, right = _selection(reading, gold)
    return Prepared(
        task=task,
        relations=tuple(relations),
        gold=tuple(gold),
        reading=reading,
        keys=[sentence_key(example.text) for example in examples],
        columns=columns,
        owners=owners,
        classes=np.array([number for _, _, number in found], dtype=np.intp),
        matrix=matrix,
        products=gram(matrix),
        spans=spans,
        right=right,
        most=max(len(one.triples) for one in gold),
    )


def _selection(reading: Reading, gold: Sequence[Gold]) -> tuple[SpanModel, NDArray[np.bool_]]:
    # Examples of one text mostly differ in gold (rows of `published` that repeat a sentence): its gold is all of it.
    together = [Gold(triples=()) for _ in reading.bare]
    for text, one in zip(reading.which.tolist(), gold, strict=True):
        together[text] = Gold(triples=together[text].triples + one.triples)
    spans = SpanModel(reading.bare, reading.texts, together)
    reading.selected = spans.learned
    return spans, right_pairs(spans.learned, together)


def _rows(example: Example, gold: Gold, text: int, task: Task, relations: Sequence[str]) -> list[tuple[Row, int]]:
    """Rows of an example and their classes."""
    if task == "label":
        return [(Row(text), int(gold.label or 0))]
    if task == "pairs":
        answers = zip(example.pairs, gold.relations, strict=True)
        return [(Row(text, pair), _number(example, answer, relations)) for pair, answer in answers]
    found = [gold_row(text, triple) for triple in gold.triples if triple.head.visible and triple.tail.visible]
    return [(row, _number(example, answer, relations)) for row, answer in found]


def _number(example: Example, answer: PairAnswer | None, relations: Sequence[str]) -> int:
    if answer and answer.relation not in relations:
        known = ", ".join(relations)
        raise BiochunkError(f"example '{example.id}': found the relation '{answer.relation}', expected one of: {known}")
    return class_of(answer, relations)

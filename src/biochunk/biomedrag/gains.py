"""The signal that the chunk scorer learns from: what each retrieved chunk does for a reader's answer."""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from ..corpora.splits import sentence_key
from ..errors import BiochunkError, UsageError
from ..ty import FloatArray, IntArray
from .items import Example, Gold, Task
from .ty import GradedReader


def evidence_gains(
    make_reader: Callable[[int], GradedReader],
    examples: Sequence[Example],
    gold: Sequence[Gold],
    *,
    task: Task,
    relations: Sequence[str],
    parts: int = 10,
    graders: int = 5,
    seed: int = 0,
) -> list[FloatArray]:
    """How much each retrieved chunk, as the only evidence, raises the probability that a reader gives to the gold
    answer, over no evidence at all. BioMedRAG's scorer, too, is rewarded by the success of its language model.

    The train split is cut into parts, and a reader learns from each part alone: one that has learned much hardly needs
    evidence, so that its gains say little. Each part is graded by readers of other parts, as a reader is too sure of
    what it has learned, and their gains are averaged, as a reader of few examples is unsure what evidence says. Readers
    learn with the first chunk of each example as evidence: one chunk, as they are asked with.

    make_reader (Callable): A new reader with the seed that it is given.
    examples (Sequence[Example]): The train split, with evidence.
    gold (Sequence[Gold]): One an example.
    task (str), relations (Sequence[str]): See `Reader.fit`.
    parts (int): Parts of the train split, at least 2; all rows of a sentence are in one.
    graders (int): Readers that grade a part; less than `parts`.
    seed (int): Of the cut and the readers.
    RETURNS (list[FloatArray]): For each example one number a chunk of its evidence.
    RAISES (UsageError): When `parts` or `graders` is out of range.
    RAISES (BiochunkError): When there are fewer sentences than parts, or a reader returns another count of grades or
        some that are not finite.
    """
    if not 1 <= graders < parts:
        raise UsageError(
            f"found {parts} parts and {graders} graders, expected at least 1 grader and more parts than that"
        )
    part_of = _cut([sentence_key(example.text) for example in examples], parts, seed)
    gains = [np.zeros(len(example.evidence)) for example in examples]
    for part in range(parts):
        reader = make_reader(seed + part)
        learned = np.flatnonzero(part_of == part).tolist()
        reader.fit(
            [replace(examples[i], evidence=examples[i].evidence[:1]) for i in learned],
            [gold[i] for i in learned],
            task=task,
            relations=relations,
        )
        # The parts behind this one, round and round.
        ahead = (part_of - part) % parts
        asked = np.flatnonzero((ahead > 0) & (ahead <= graders)).tolist()
        chances = _chances(reader, [examples[i] for i in asked], [gold[i] for i in asked])
        for i, own in zip(asked, chances, strict=True):
            gains[i] += (own[1:] - own[0]) / graders
    return [own.astype(np.float32) for own in gains]


def _chances(reader: GradedReader, examples: Sequence[Example], gold: Sequence[Gold]) -> list[FloatArray]:
    """For each example the probability of gold without evidence and with each chunk alone."""
    asked = [
        replace(example, evidence=shown) for example in examples for shown in ((), *((i,) for i in example.evidence))
    ]
    counts = [1 + len(example.evidence) for example in examples]
    repeated = [answer for answer, count in zip(gold, counts, strict=True) for _ in range(count)]
    grades = np.asarray(reader.grade(asked, repeated), dtype=np.float64)
    if grades.shape != (len(asked),) or not np.isfinite(grades).all():
        raise BiochunkError(
            f"found grades of shape {grades.shape} for {len(asked)} examples, or some that are not finite, expected "
            "one finite log-probability each from the reader's `grade`"
        )
    return np.split(np.exp(grades), np.cumsum(counts)[:-1])


def _cut(keys: Sequence[str], parts: int, seed: int) -> IntArray:
    """The part of each key: equal keys in one, and as many different ones in each, in an order that the seed gives."""
    distinct = sorted(
        set(keys), key=lambda key: hashlib.blake2b(f"{seed}\n{key}".encode("utf-8", "surrogatepass")).digest()
    )
    if len(distinct) < parts:
        raise BiochunkError(f"found {len(distinct)} train sentences, expected at least {parts}, one for each part")
    part = {key: number % parts for number, key in enumerate(distinct)}
    return np.array([part[key] for key in keys], dtype=np.intp)

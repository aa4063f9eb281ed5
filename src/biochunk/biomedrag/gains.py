"""The signal that the chunk scorer learns from: what each retrieved chunk does for a reader's answer."""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from ..corpora.splits import sentence_key
from ..errors import BiochunkError, UsageError
from ..ty import FloatArray
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
    seed: int = 0,
) -> list[FloatArray]:
    """How much each retrieved chunk, as the only evidence, raises a reader's log-probability of the gold answer over no
    evidence at all. As BioMedRAG's scorer, which is rewarded by its language model's success.

    The train split is cut into parts, all rows of a sentence in one. For each part a reader learns from it alone and
    grades the next one: it is too sure of what it has learned, and a reader that has learned much hardly needs
    evidence, so that its gains say little. Readers learn with the first chunk of each example as evidence: one chunk,
    as they are asked with.

    make_reader (Callable): A new reader with the seed that it is given.
    examples (Sequence[Example]): The train split, with evidence.
    gold (Sequence[Gold]): One an example.
    task (str), relations (Sequence[str]): See `Reader.fit`.
    parts (int): Parts of the train split, at least 2.
    seed (int): Of the cut and the readers.
    RETURNS (list[FloatArray]): For each example one number a chunk of its evidence.
    RAISES (BiochunkError): When a part is empty, or a reader returns another count of grades or no finite ones.
    """
    if parts < 2:
        raise UsageError(f"found {parts} parts, expected at least 2")
    part_of = np.array([_part(sentence_key(example.text), parts, seed) for example in examples], dtype=np.intp)
    if len(np.unique(part_of)) < parts:
        raise BiochunkError(f"found {len(examples)} train examples in fewer than {parts} parts, expected some in each")
    gains: list[FloatArray] = [np.zeros(0, dtype=np.float32)] * len(examples)
    for part in range(parts):
        reader = make_reader(seed + part)
        learned = np.flatnonzero(part_of == part).tolist()
        reader.fit(
            [replace(examples[i], evidence=examples[i].evidence[:1]) for i in learned],
            [gold[i] for i in learned],
            task=task,
            relations=relations,
        )
        asked = np.flatnonzero(part_of == (part + 1) % parts).tolist()
        found = _grades(reader, [examples[i] for i in asked], [gold[i] for i in asked])
        for i, grades in zip(asked, found, strict=True):
            gains[i] = grades[1:] - grades[0]
    return gains


def _grades(reader: GradedReader, examples: Sequence[Example], gold: Sequence[Gold]) -> list[FloatArray]:
    """For each example the grades without evidence and with each chunk alone."""
    asked = [
        replace(example, evidence=shown)
        for example in examples
        for shown in ((), *((item,) for item in example.evidence))
    ]
    counts = [1 + len(example.evidence) for example in examples]
    repeated = [answer for answer, count in zip(gold, counts, strict=True) for _ in range(count)]
    grades = np.asarray(reader.grade(asked, repeated), dtype=np.float32)
    if grades.shape != (len(asked),) or not np.isfinite(grades).all():
        raise BiochunkError(
            f"found grades of shape {grades.shape} for {len(asked)} examples, or some that are not finite, expected "
            "one finite log-probability each from the reader's `grade`"
        )
    return np.split(grades, np.cumsum(counts)[:-1])


def _part(key: str, parts: int, seed: int) -> int:
    digest = hashlib.blake2b(f"part {seed}\n{key}".encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big") % parts

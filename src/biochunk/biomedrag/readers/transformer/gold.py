"""Gold answers in terms of an encoded example's candidates."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from ....ty import IntArray
from ...items import Gold, GoldTriple, Task
from ...metrics import folded
from .input import Item


@dataclass(frozen=True, slots=True)
class Target:
    """What the network should say of one item.

    heads, tails (tuple[IntArray, ...]): For each gold triple that can be said, the candidates with its strings.
    relations (tuple[int, ...]): The triples' relations.
    mentions (IntArray): For each candidate: 1 a gold mention, 0 none, -1 the same string elsewhere.
    pairs (tuple[int, ...]): For each asked pair: relation, relation + number of relations (its second mention is the
        head), or twice that number (none holds).
    label (int): The sentence's class.
    missing (int): Gold triples that no candidates make.
    """

    heads: tuple[IntArray, ...] = ()
    tails: tuple[IntArray, ...] = ()
    relations: tuple[int, ...] = ()
    mentions: IntArray = field(default_factory=lambda: np.zeros(0, dtype=np.intp))
    pairs: tuple[int, ...] = ()
    label: int = 0
    missing: int = 0


def read_targets(items: Sequence[Item], gold: Sequence[Gold], *, task: Task, relations: Sequence[str]) -> list[Target]:
    """The targets of encoded examples; strings are compared as they are scored: lower-cased, white space folded."""
    index = {relation: i for i, relation in enumerate(relations)}
    if task == "label":
        return [Target(label=int(answer.label or 0)) for answer in gold]
    if task == "pairs":
        return [Target(pairs=_pairs(answer, index)) for answer in gold]
    return [_triples(item, answer, index) for item, answer in zip(items, gold, strict=True)]


def _pairs(gold: Gold, index: Mapping[str, int]) -> tuple[int, ...]:
    return tuple(
        2 * len(index) if answer is None else index[answer.relation] + (0 if answer.forward else len(index))
        for answer in gold.relations
    )


def _triples(item: Item, gold: Gold, index: Mapping[str, int]) -> Target:
    texts = np.array([folded(text) for text in item.texts], dtype=object)
    mentions = np.zeros(len(texts), dtype=np.intp)
    heads, tails, relations = [], [], []
    missing = 0
    said = set()
    for triple in gold.triples:
        head, tail = (np.flatnonzero(texts == folded(m.text)) for m in (triple.head, triple.tail))
        _mark(mentions, item, triple, head, tail)
        strings = (folded(triple.head.text), triple.relation, folded(triple.tail.text))
        if strings in said:
            continue
        said.add(strings)
        if len(head) and len(tail) and not (len(head) == 1 and np.array_equal(head, tail)):
            heads.append(head)
            tails.append(tail)
            relations.append(index[triple.relation])
        else:
            missing += 1
    return Target(tuple(heads), tuple(tails), tuple(relations), mentions, missing=missing)


def _mark(mentions: IntArray, item: Item, triple: GoldTriple, head: IntArray, tail: IntArray) -> None:
    """A gold mention's own place is one; other places of its string are neither one nor none."""
    for mention, same in ((triple.head, head), (triple.tail, tail)):
        for i in same:
            if item.chars[i] == (mention.start, mention.end):
                mentions[i] = 1
            elif mentions[i] == 0:
                mentions[i] = -1

"""The evaluator: precision, recall and F1 over exact triples, and the counts of every item for paired statistics.

Scores are micro scores, as BioMedRAG's: counts are added over all items, then divided. An item's predictions and its
gold are *sets* of triples as compared (`folded`): what is predicted twice counts once, and gold that an item states
twice with the same strings (two mentions of one drug) is one triple, found or missed once. The same triple in two
items counts in each. A gold triple that is not predicted is a miss, whether or not its mentions were ever proposed.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence, Set
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .examples import pair_triples
from .items import Answer, Example, Gold, Task, Triple

Integers = NDArray[np.int64]

# What of a triple is compared, the strictest first. "pair" is head and tail without the relation.
VIEWS: dict[str, Callable[[Triple], Hashable]] = {
    "triple": lambda triple: triple,
    "pair": lambda triple: (triple.head, triple.tail),
    "undirected pair": lambda triple: tuple(sorted((triple.head, triple.tail))),
    "head": lambda triple: triple.head,
    "relation": lambda triple: triple.relation,
    "tail": lambda triple: triple.tail,
}


class Item(NamedTuple):
    """One scored text; its triples are as compared.

    predicted, gold (frozenset[Triple]): What is predicted and what holds.
    repeated (int): Gold triples that fell together with another of the item.
    """

    predicted: frozenset[Triple]
    gold: frozenset[Triple]
    repeated: int = 0


class Score(NamedTuple):
    """precision, recall, f1 from 0 to 1, and what they are made of: how many are right, predicted, gold."""

    precision: float
    recall: float
    f1: float
    right: int
    predicted: int
    gold: int


@dataclass(frozen=True, slots=True)
class Counts:
    """Counts of every item.

    right, predicted, gold (Integers): Shape (items,): how many are predicted and gold, predicted, gold.
    """

    right: Integers
    predicted: Integers
    gold: Integers

    def __len__(self) -> int:
        return len(self.gold)

    @property
    def exact(self) -> NDArray[np.bool_]:
        """Shape (items,): whether all gold of an item is predicted and nothing else."""
        return (self.right == self.predicted) & (self.right == self.gold)

    def score(self) -> Score:
        """The micro score over all items."""
        return make_score(int(self.right.sum()), int(self.predicted.sum()), int(self.gold.sum()))


@dataclass(frozen=True, slots=True)
class Scores:
    """All scores of one system on one set of items.

    counts (dict[str, Counts]): Per-item counts by view; the first is the main one: "triple", or "label" where a class
        of the text was asked.
    relations (dict[str, Score]): Score of each relation's triples, by its label as compared (lower case), in order of
        label; relations of gold and of predictions. Empty for "label".
    repeated (int): Gold triples that fell together with another of their item.
    """

    counts: dict[str, Counts]
    relations: dict[str, Score]
    repeated: int = 0

    @property
    def main(self) -> Counts:
        return next(iter(self.counts.values()))


def folded(text: str) -> str:
    """A string as compared: lower-cased, every run of white space one space, none at the edges."""
    return " ".join(text.lower().split())


def make_item(predicted: Iterable[Triple], gold: Iterable[Triple]) -> Item:
    """An item from triples as they were written."""
    wanted = [Triple(*map(folded, triple)) for triple in gold]
    return Item(
        frozenset(Triple(*map(folded, triple)) for triple in predicted),
        frozenset(wanted),
        len(wanted) - len(set(wanted)),
    )


def make_score(right: int, predicted: int, gold: int) -> Score:
    """A score from counts. Where nothing is right all three are 0, also where nothing is predicted or gold.

    F1 is 2PR / (P + R), in this order, as BioMedRAG's script computes it: 2 right / (predicted + gold) is the same
    number, but may differ in its last digit.
    """
    if not right:
        return Score(0.0, 0.0, 0.0, right, predicted, gold)
    precision, recall = right / predicted, right / gold
    return Score(precision, recall, 2 * precision * recall / (precision + recall), right, predicted, gold)


def count(items: Sequence[Item], view: str = "triple") -> Counts:
    """Count right, predicted and gold of every item.

    items (Sequence[Item]): The items.
    view (str): A key of `VIEWS`. An item's triples that are the same in this view count once: BioMedRAG's figures for
        heads, relations and tails alone are counted so.
    """
    part = VIEWS[view]
    return _counts([({part(t) for t in item.predicted}, {part(t) for t in item.gold}) for item in items])


def count_labels(predicted: Sequence[int | None], gold: Sequence[int], *, positive: int = 1) -> Counts:
    """Count one class of a classification, so that its micro score is the F1 of that class.

    predicted (Sequence[int | None]): Predicted classes; None (no answer) is not the positive class.
    gold (Sequence[int]): The classes, one an item.
    positive (int): The class that is scored; 1 is "adverse drug event" in ADE.
    """
    pairs = zip(predicted, gold, strict=True)
    return _counts([({positive} & {found}, {positive} & {wanted}) for found, wanted in pairs])


def score_items(items: Sequence[Item]) -> Scores:
    """All scores over triples."""
    return Scores(
        counts={view: count(items, view) for view in VIEWS},
        relations=_by_relation(items),
        repeated=sum(item.repeated for item in items),
    )


def score_answers(
    examples: Sequence[Example], answers: Sequence[Answer], gold: Sequence[Gold], *, task: Task
) -> Scores:
    """All scores of a reader's answers.

    Answers to asked pairs are scored as the triples that they state, by their strings: one metric for both tasks.

    examples (Sequence[Example]): What the reader saw.
    answers (Sequence[Answer]): What it answered, one an example.
    gold (Sequence[Gold]): What it should have answered, one an example.
    task (str): See `Reader.fit`.
    """
    if task == "label":
        wanted = [int(one.label or 0) for one in gold]
        return Scores({"label": count_labels([answer.label for answer in answers], wanted)}, {})
    rows = zip(examples, answers, gold, strict=True)
    return score_items(
        [
            make_item(answer_triples(example, answer, task=task), (triple.triple for triple in one.triples))
            for example, answer, one in rows
        ]
    )


def answer_triples(example: Example, answer: Answer, *, task: Task) -> tuple[Triple, ...]:
    """The triples that an answer states, in the task "triples" or "pairs"."""
    return pair_triples(example, answer.relations) if task == "pairs" else answer.triples


def _by_relation(items: Sequence[Item]) -> dict[str, Score]:
    right: Counter[str] = Counter()
    predicted: Counter[str] = Counter()
    gold: Counter[str] = Counter()
    for item in items:
        right.update(triple.relation for triple in item.predicted & item.gold)
        predicted.update(triple.relation for triple in item.predicted)
        gold.update(triple.relation for triple in item.gold)
    labels = sorted(predicted.keys() | gold.keys())
    return {label: make_score(right[label], predicted[label], gold[label]) for label in labels}


def _counts(sets: Sequence[tuple[Set[Hashable], Set[Hashable]]]) -> Counts:
    rows = [(len(found & wanted), len(found), len(wanted)) for found, wanted in sets]
    table = np.array(rows, dtype=np.int64).reshape(-1, 3)
    return Counts(*np.ascontiguousarray(table.T))

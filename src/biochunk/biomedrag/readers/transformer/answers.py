"""From the network's scores to answers and their log-probabilities. Imports torch."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional

from ....ty import FloatArray
from ...items import Answer, PairAnswer, Task, Triple
from ...metrics import folded
from .gold import Target
from .input import Item
from .network import NEVER, Network, collate, collate_goals
from .scores import (
    TripleScores,
    asked_scores,
    label_scores,
    triple_log_probability,
    triple_scores,
)

# Log-probability of a gold triple that the reader cannot say.
FLOOR = -20.0
# Triples of an example that can become answers.
_MOST = 32


class Opinion(NamedTuple):
    """What the network thinks of one item, from which a threshold makes the answer.

    said (tuple[tuple[Any, float], ...]): Task "triples": triples, the best first, one a pair of strings; task "pairs":
        the best relation of each asked pair; task "label": class 1. Each with its score over that of "nothing"
        (class 0).
    """

    said: tuple[tuple[Any, float], ...]


class Rule(NamedTuple):
    """How opinions become answers.

    threshold (float): What a score over "nothing" must exceed.
    least, most (int): Triples of an example, as in the train split (task "triples").
    same (bool): Whether head and tail may be the same string, as in the train split (task "triples").
    """

    threshold: float
    least: int
    most: int
    same: bool


def opinions(
    network: Network, items: Sequence[Item], *, task: Task, relations: Sequence[str], one: bool, device: Any
) -> list[Opinion]:
    """What the network thinks of items that fit into one batch."""
    batch = collate(items, device)
    with torch.inference_mode():
        if task == "triples":
            scores = triple_scores(network, batch, one=one)
            return [_triples(item, scores, i, relations) for i, item in enumerate(items)]
        if task == "pairs":
            asked = asked_scores(network, batch).double().cpu().numpy()
            return [_asked(row[: len(item.pairs)], relations) for item, row in zip(items, asked, strict=True)]
        labels = label_scores(network, batch).double().cpu().numpy()
    return [Opinion(((1, float(row[1] - row[0])),)) for row in labels]


def answer(opinion: Opinion, *, task: Task, rule: Rule) -> Answer:
    """The answer of a task by a rule."""
    if task == "triples":
        said = [one for one in opinion.said if rule.same or folded(one[0].head) != folded(one[0].tail)]
        enough = [
            triple
            for rank, (triple, score) in enumerate(said)
            if rank < rule.least or (rank < rule.most and score > rule.threshold)
        ]
        return Answer(triples=tuple(enough))
    if task == "pairs":
        return Answer(relations=tuple(best if score > rule.threshold else None for best, score in opinion.said))
    return Answer(label=int(opinion.said[0][1] > rule.threshold))


def log_probabilities(
    network: Network, items: Sequence[Item], targets: Sequence[Target], *, task: Task, one: bool, device: Any
) -> FloatArray:
    """Log-probability of the gold answers of items that fit into one batch. RETURNS (FloatArray): Shape (items,)."""
    batch, goals = collate(items, device), collate_goals(items, targets, device)
    with torch.inference_mode():
        if task == "triples":
            each = triple_log_probability(triple_scores(network, batch, one=one), goals).clamp(min=FLOOR)
            missing = torch.tensor([target.missing for target in targets], device=device)
            total = (each[:, :-1] if one else each).sum(1) + FLOOR * missing
        elif task == "pairs":
            each = functional.log_softmax(asked_scores(network, batch), dim=-1)
            total = (each.gather(2, goals.pairs.unsqueeze(-1)).squeeze(-1) * batch.pair_mask).sum(1)
        else:
            each = functional.log_softmax(label_scores(network, batch), dim=-1)
            total = each.gather(1, goals.labels.unsqueeze(-1)).squeeze(-1)
    return total.cpu().numpy().astype(np.float32)


def _triples(item: Item, scores: TripleScores, row: int, relations: Sequence[str]) -> Opinion:
    """Pairs of places with the same strings are one; the best relation and direction of each pair of strings stays."""
    kept = scores.kept[row].cpu().numpy()
    cells = scores.cells[row].double().cpu().numpy()
    nothing = float(scores.nothing[row])
    together: dict[tuple[str, str], tuple[NDArray[np.float64], str, str]] = {}
    for head, tail, values in zip(scores.heads.tolist(), scores.tails.tolist(), cells, strict=True):
        if kept[head] >= len(item.texts) or kept[tail] >= len(item.texts) or values.max() <= NEVER:
            continue
        texts = item.texts[kept[head]], item.texts[kept[tail]]
        key = folded(texts[0]), folded(texts[1])
        together[key] = (np.logaddexp(together[key][0], values) if key in together else values, *texts)
    best: dict[frozenset[str], tuple[Triple, float]] = {}
    for (one, other), (values, head_text, tail_text) in together.items():
        top = int(values.argmax())
        score = float(values[top]) - nothing
        both = frozenset((one, other))
        if both not in best or score > best[both][1]:
            best[both] = Triple(head_text, relations[top], tail_text), score
    return Opinion(tuple(sorted(best.values(), key=lambda said: -said[1])[:_MOST]))


def _asked(rows: NDArray[np.float64], relations: Sequence[str]) -> Opinion:
    said = []
    for values in rows:
        top = int(values[:-1].argmax())
        forward = top < len(relations)
        said.append((PairAnswer(relations[top % len(relations)], forward), float(values[top] - values[-1])))
    return Opinion(tuple(said))

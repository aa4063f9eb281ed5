"""Weights of the relation hierarchy (paper §3.7) that put the gold relation on top most often."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

GRID = tuple(step / 2 for step in range(2, 13))  # 1, 1.5, … 6


class Fired(NamedTuple):
    """What fired in a sentence.

    bonus (Mapping[str, float]): By relation: the largest tier bonus of a trigger that fired.
    gold (str): The gold relation of the item.
    """

    bonus: Mapping[str, float]
    gold: str


def top_share(items: Sequence[Fired], weights: Mapping[str, float]) -> float:
    """Share of items whose gold relation has the highest priority, weight + bonus; a tie of n counts 1/n.

    items (Sequence[Fired]): The items.
    weights (Mapping[str, float]): Weight of every relation that fires.
    """
    hits = 0.0
    for bonus, gold in items:
        if gold in bonus:
            priorities = [weights[relation] + value for relation, value in bonus.items()]
            best = max(priorities)
            if weights[gold] + bonus[gold] == best:
                hits += 1 / priorities.count(best)
    return hits / len(items) if items else 0.0


def fit_weights(
    items: Sequence[Fired], weights: Mapping[str, float], free: Iterable[str], *, rounds: int = 5
) -> dict[str, float]:
    """Weights by coordinate ascent: one relation after the other takes its best value on a grid of 1 to 6.

    A weight changes only when that puts the gold relation of more items on top, so the result does not depend
    on chance and starts from what a person has set.

    items (Sequence[Fired]): Items of the training split.
    weights (Mapping[str, float]): Where to start; weights that are not free stay.
    free (Iterable[str]): Relations whose weight may change.
    rounds (int): How often to go through them; fewer when nothing changes.
    RETURNS (dict[str, float]): All weights.
    """
    found = dict(weights)
    names = list(free)
    touched = {name: [item for item in items if name in item.bonus] for name in names}
    for _ in range(rounds):
        changed = False
        for name in names:
            # Items in which the relation does not fire do not depend on its weight.
            best = top_share(touched[name], found)
            for value in GRID:
                share = top_share(touched[name], {**found, name: value})
                if share > best + 1e-9:
                    best, found[name], changed = share, value, True
        if not changed:
            break
    return found

"""The relation hierarchy: priority of a proposition and choice among competing ones (paper §3.7)."""

from bisect import bisect_left
from collections.abc import Hashable, Mapping, Sequence
from random import Random
from typing import Literal

Mode = Literal["additive", "lexicographic"]
Weights = Literal["dataset", "flat", "inverted", "shuffled"]


def hierarchy(weights: Mapping[str, float], kind: Weights) -> dict[str, float]:
    """The weights of a dataset, or a control that has none of what they say.

    weights (Mapping[str, float]): Weight of each relation.
    kind (str): "dataset": as they are. "flat": all 0. "inverted": the highest becomes the lowest. "shuffled": dealt out
        anew, always in the same way, so that the numbers stay and what they were given for does not.
    """
    if kind == "flat":
        return dict.fromkeys(weights, 0.0)
    if kind == "inverted":
        low, high = min(weights.values()), max(weights.values())
        return {label: low + high - weight for label, weight in weights.items()}
    if kind == "shuffled":
        labels = sorted(weights)
        dealt = [weights[label] for label in labels]
        Random(0).shuffle(dealt)
        return dict(zip(labels, dealt, strict=True))
    return dict(weights)


def priority(weight: float, tier: int, *, mode: Mode, tier_bonus: Sequence[float]) -> float:
    """Priority of a relation with a given weight, signalled by a trigger of a given tier.

    "additive" is eq. 2 of the paper: weight + bonus. "lexicographic" is what its §3.7 says in words, weight first and
    bonus only among equal weights: the bonus is scaled below the smallest step that we tell weights apart by (0.01).

    weight (float): Weight of the relation.
    tier (int): 1, 2 or 3.
    tier_bonus (Sequence[float]): Bonus of tier 1, 2 and 3.
    """
    bonus = tier_bonus[tier - 1]
    if mode == "additive":
        return weight + bonus
    return weight + 0.01 * bonus / (1 + max(tier_bonus))


# A proposition that competes with the others of its sentence: start, end, priority, family. Claims of one family do not
# compete: one trigger under one relation, whose arguments are coordinated ("inhibits COX-1 and COX-2").
Claim = tuple[int, int, float, Hashable]


def resolve(claims: Sequence[Claim]) -> list[int]:
    """Of overlapping claims the one with the highest priority stays; ties go to the tighter, then the leftmost one.

    claims (Sequence[Claim]): The claims; start and end in tokens or in characters.
    RETURNS (list[int]): For each claim -1 when it stays, else the index of the claim that it lost to.
    """
    families: dict[Hashable, list[int]] = {}
    for i, claim in enumerate(claims):
        families.setdefault(claim[3], []).append(i)
    groups = []
    for members in families.values():
        start, end, best, _ = claims[members[0]]
        if len(members) > 1:
            start, end = min([claims[i][0] for i in members]), max([claims[i][1] for i in members])
        groups.append((-best, end - start, start, end, members))
    groups.sort()
    lost_to = [-1] * len(claims)
    # Kept groups do not overlap, so their starts and ends are sorted alike.
    starts: list[int] = []
    kept: list[tuple[int, int]] = []
    for _, _, start, end, members in groups:
        i = bisect_left(starts, end) - 1
        if i >= 0 and kept[i][0] > start:
            for member in members:
                lost_to[member] = kept[i][1]
            continue
        starts.insert(i + 1, start)
        kept.insert(i + 1, (end, members[0]))
    return lost_to

"""From counts to triggers: relation specificity, tiers, direction, needed cues (paper §3.5-3.6)."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ..schemas import Tier
from .collect import Collected, CueCounts
from .cues import Cue


@dataclass(frozen=True)
class Thresholds:
    """What a cue must show.

    count (int): Items of the relation with the cue near the pair.
    prior (float): Weight of the relation's overall share in the smoothed share, in items.
    primary, secondary, tertiary (float): Smallest smoothed share for tiers 1, 2, 3.
    odds (float): Smallest ratio of the odds of the relation given the cue to its overall odds.
    g2 (float): Smallest log-likelihood ratio; 6.63 is p = 0.01.
    new (int): Items that no cue chosen before covers.
    turned (float): Share of items with the tail first from which on a cue is inverted.
    """

    count: int = 3
    prior: float = 5.0
    primary: float = 0.5
    secondary: float = 0.25
    tertiary: float = 0.08
    odds: float = 1.5
    g2: float = 6.63
    new: int = 2
    turned: float = 0.6


@dataclass(frozen=True)
class Proposal:
    """A cue of a relation as the learner sees it.

    tier (Tier): By the thresholds.
    count, anywhere (int): Items of the relation with the cue near the pair; items of any relation with the
        cue.
    share, odds, g2 (float): Smoothed share, ratio of its odds to the relation's overall odds, log-likelihood
    ratio.
    place (str): Where the cue mostly stands.
    invert (bool): Whether the tail mostly stands where the pattern expects the head.
    """

    relation: str
    cue: Cue
    tier: Tier
    count: int
    anywhere: int
    share: float
    odds: float
    g2: float
    place: str
    invert: bool


def propose(collected: Collected, relations: Iterable[str], thresholds: Thresholds) -> list[Proposal]:
    """The triggers that a corpus suggests, by relation, the strongest first.

    Within a tier the commonest cue comes first; a cue that covers fewer than `new`
    items beyond those before it is left out. The longest match wins when a text is tagged, so a chosen phrase
    also gets the relations of the shorter cues that it would hide.

    collected (Collected): Counts of the training split.
    relations (Iterable[str]): Relations to find triggers for.
    thresholds (Thresholds): What a cue must show.
    """
    chosen: dict[str, dict[Cue, Proposal]] = {}
    measured: dict[str, dict[Cue, Proposal]] = {}
    for relation in relations:
        measured[relation] = _measure(collected, relation, thresholds)
        chosen[relation] = _choose(collected, relation, measured[relation].values(), thresholds)
    for relation, cues in chosen.items():
        hidden_by = [
            longer
            for other, others in chosen.items()
            if other != relation
            for longer in others
            if longer not in cues and longer in measured[relation]
        ]
        for longer in dict.fromkeys(hidden_by):
            if any(_inside(cue, longer) for cue in list(cues)) and measured[relation][longer].odds >= 1:
                cues[longer] = measured[relation][longer]
    return [proposal for cues in chosen.values() for proposal in sorted(cues.values(), key=_strength)]


def log_likelihood(both: int, cue: int, relation: int, total: int) -> float:
    """Dunning's G² of a cue and a relation in a 2 x 2 table of items.

    The learner counts `both` near the pair but `cue` anywhere in the sentence, so that a cue which mostly
    stands far from its pairs measures lower. The cells are then no partition of the items, and one that
    expects no item can hold some: it contributes nothing.

    both (int): Items of the relation with the cue near the pair.
    cue, relation (int): Items with the cue; with the relation.
    total (int): All items.
    """
    cells = (
        (both, cue * relation),
        (cue - both, cue * (total - relation)),
        (relation - both, (total - cue) * relation),
        (total - cue - relation + both, (total - cue) * (total - relation)),
    )
    return 2 * sum(n * math.log(n * total / product) for n, product in cells if n > 0 and product > 0)


def _measure(collected: Collected, relation: str, thresholds: Thresholds) -> dict[Cue, Proposal]:
    of_relation = collected.totals[relation]
    total = sum(collected.totals.values())
    if not of_relation:
        return {}
    overall = of_relation / total
    found = {}
    for cue, counts in collected.cues.items():
        count = counts.near[relation]
        if not count:
            continue
        share = (count + thresholds.prior * overall) / (counts.anywhere + thresholds.prior)
        tier: Tier = 1 if share >= thresholds.primary else 2 if share >= thresholds.secondary else 3
        found[cue] = Proposal(
            relation=relation,
            cue=cue,
            tier=tier,
            count=count,
            anywhere=counts.anywhere,
            share=share,
            odds=share * (1 - overall) / max((1 - share) * overall, 1e-9),
            g2=log_likelihood(count, counts.anywhere, of_relation, total),
            place=_main_place(counts, relation),
            invert=counts.turned[relation] > 1
            and counts.turned[relation] >= thresholds.turned * counts.ordered[relation],
        )
    return found


def _choose(
    collected: Collected, relation: str, proposals: Iterable[Proposal], thresholds: Thresholds
) -> dict[Cue, Proposal]:
    fit = [
        p
        for p in proposals
        if p.count >= thresholds.count
        and p.share >= thresholds.tertiary
        and p.odds >= thresholds.odds
        and p.g2 >= thresholds.g2
    ]
    covers: Mapping[Cue, set[str]] = {p.cue: set() for p in fit}
    for (key, of), cues in collected.near.items():
        if of == relation:
            for cue in cues & covers.keys():
                covers[cue].add(key)
    covered: set[str] = set()
    chosen: dict[Cue, Proposal] = {}
    for proposal in sorted(fit, key=_order):
        new = covers[proposal.cue] - covered
        if len(new) >= thresholds.new:
            chosen[proposal.cue] = proposal
            covered |= new
    return chosen


def _order(proposal: Proposal) -> tuple[Any, ...]:
    """Which cue is tried first. Of equally common ones a bare preposition comes last: it says least."""
    cue = proposal.cue
    bare = cue.pos == "preposition"
    return (proposal.tier, -proposal.count, bare, -proposal.share, len(cue.phrase), cue.phrase)


def _strength(proposal: Proposal) -> tuple[int, int, float, str]:
    return (proposal.tier, -proposal.count, -proposal.share, proposal.cue.phrase)


def _main_place(counts: CueCounts, relation: str) -> str:
    return max(("between", "before", "after"), key=lambda place: counts.places[relation, place])


def _inside(shorter: Cue, longer: Cue) -> bool:
    """Whether the words of one cue stand in the other."""
    return f" {shorter.phrase} " in f" {longer.phrase} " and shorter.phrase != longer.phrase

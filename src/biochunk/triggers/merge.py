"""Learned triggers into a dataset file, without touching what a person has edited."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from ..schemas import Dataset, Learned, Relation, Trigger
from .learn import Proposal

Kind = Literal["new", "same", "changed", "hand", "dropped", "rejected"]


@dataclass(frozen=True)
class Change:
    """What the merge did with one trigger.

    kind (Kind): "new" or "same" or "changed" (measured again), "hand" (a person's, left as it is), "dropped"
        (learned before, no longer supported), "rejected" (a reviewer turned it down before, so it is left
        out).
    trigger (Trigger | None): As it stands now; None when it stands no longer or not at all.
    proposal (Proposal | None): What the learner says; None when it says nothing.
    note (str): What else to look at.
    """

    kind: Kind
    relation: str
    phrase: str
    trigger: Trigger | None
    proposal: Proposal | None
    note: str = ""


def is_hand_edited(trigger: Trigger) -> bool:
    """Whether a person wrote a trigger or changed its tier since it was learned."""
    return trigger.learned is None or trigger.learned.tier != trigger.tier


def merge(dataset: Dataset, proposals: Iterable[Proposal]) -> tuple[Dataset, list[Change]]:
    """Put proposals into a dataset. Its own result with the same proposals stays as it is.

    Hand-edited triggers stay as they are. A learned one gets the new tier and measurement; its part of
    speech, forms, direction and patterns stay, for a person may have set them, and a difference is noted.

    dataset (Dataset): The dataset; it is not changed.
    proposals (Iterable[Proposal]): What the learner says; relations that the dataset lacks are passed over.
    RETURNS: The merged dataset, and what was done with each trigger, in the order of the file.
    """
    by_relation: dict[str, dict[str, Proposal]] = {name: {} for name in dataset.relations}
    for proposal in proposals:
        if proposal.relation in by_relation:
            by_relation[proposal.relation][_key(proposal.cue.phrase)] = proposal
    relations: dict[str, Relation] = {}
    changes: list[Change] = []
    for name, relation in dataset.relations.items():
        done = list(_relation_changes(name, relation, by_relation[name]))
        changes += done
        triggers = [change.trigger for change in done if change.trigger is not None]
        relations[name] = relation.model_copy(update={"triggers": triggers})
    return dataset.model_copy(update={"relations": relations}), changes


def _relation_changes(name: str, relation: Relation, proposals: dict[str, Proposal]) -> Iterable[Change]:
    rejected = {_key(phrase) for phrase in relation.rejected}
    known = set()
    for trigger in relation.triggers:
        known.add(_key(trigger.phrase))
        proposal = proposals.get(_key(trigger.phrase))
        if is_hand_edited(trigger):
            note = f"learner: tier {proposal.tier}" if proposal and proposal.tier != trigger.tier else ""
            yield Change("hand", name, trigger.phrase, trigger, proposal, note)
        elif proposal is None:
            yield Change("dropped", name, trigger.phrase, None, None)
        else:
            now = trigger.model_copy(update={"tier": proposal.tier, "learned": _learned(proposal)})
            notes = []
            if proposal.invert != trigger.invert:
                notes.append("learner: " + ("inverted" if proposal.invert else "not inverted"))
            if proposal.cue.pos != trigger.pos:
                notes.append(f"learner: {proposal.cue.pos}")
            yield Change("same" if now == trigger else "changed", name, trigger.phrase, now, proposal, "; ".join(notes))
    for key, proposal in proposals.items():
        if key in rejected:
            yield Change("rejected", name, proposal.cue.phrase, None, proposal)
        elif key not in known:
            yield Change("new", name, proposal.cue.phrase, _trigger(proposal), proposal)


def _trigger(proposal: Proposal) -> Trigger:
    return Trigger(
        phrase=proposal.cue.phrase,
        tier=proposal.tier,
        pos=proposal.cue.pos,
        invert=proposal.invert,
        learned=_learned(proposal),
    )


def _learned(proposal: Proposal) -> Learned:
    return Learned(tier=proposal.tier, count=proposal.count, share=round(proposal.share, 3))


def _key(phrase: str) -> str:
    return " ".join(phrase.lower().split())

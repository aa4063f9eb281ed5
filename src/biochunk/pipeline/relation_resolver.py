"""`relation_resolver`: gives propositions their priority and settles competing ones (paper §3.7)."""

from collections.abc import Iterable, Sequence
from typing import Any

from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example

from ..chunking.priority import Mode, Weights, hierarchy, priority, resolve
from ..errors import BiochunkError, Errors
from ..schemas import Dataset
from ..spans import PROPOSITIONS, Facts
from .component import KnowledgePipe, score_sets
from .proposition_extractor import triple_set


class RelationResolver(KnowledgePipe):
    """Adds "priority", "kept" and "reason" to the facts of each proposition; the losers stay in the group.

    nlp (Language): The pipeline.
    name (str): Name in the pipeline.
    mode (str): "additive" (eq. 2) or "lexicographic" (the words of §3.7).
    weights (str): "dataset" for the file's; "flat", "inverted" and "shuffled" are controls (see `hierarchy`).
    tier_bonus (Sequence[float]): Bonus of tier 1, 2 and 3.
    """

    def __init__(self, nlp: Language, name: str, *, mode: Mode, weights: Weights, tier_bonus: Sequence[float]) -> None:
        super().__init__(nlp, name)
        self.check_options(("tier_bonus", list(tier_bonus), len(tier_bonus) == 3, "three numbers"))
        self.mode = mode
        self.weights = weights
        self.tier_bonus = tuple(tier_bonus)
        self._priorities: dict[tuple[str, int], float] = {}

    def _take_dataset(self, dataset: Dataset) -> dict[str, Any]:
        return {"weights": {label: relation.weight for label, relation in dataset.relations.items()}}

    def _use_knowledge(self, knowledge: dict[str, Any]) -> None:
        weights = hierarchy(knowledge["weights"], self.weights)
        self._priorities = {
            (label, tier): priority(weight, tier, mode=self.mode, tier_bonus=self.tier_bonus)
            for label, weight in weights.items()
            for tier in (1, 2, 3)
        }

    def find(self, doc: Doc) -> dict[str, Facts]:
        """New facts of each proposition, by span id; writes nothing.

        RAISES (BiochunkError): When the Doc has no propositions group, or one with a relation that has no weight.
        """
        self.require_knowledge()
        self.require_group(doc, PROPOSITIONS, "proposition_extractor")
        all_facts: dict[str, Facts] = doc.spans[PROPOSITIONS].attrs
        priorities = self._priorities
        claims = []
        for facts in all_facts.values():
            label = facts["relation"]
            value = priorities.get((label, facts["tier"]))
            if value is None:
                known = ", ".join(sorted({known for known, _ in priorities}))
                raise BiochunkError(Errors.E007.format(found=label, expected=known))
            (start, end), (first, last), (low, high) = facts["subject"], facts["trigger"], facts["object"]
            claims.append((min(start, first, low), max(end, last, high), value, (first, label)))
        if len(claims) < 2:
            return {key: {"priority": claims[0][2], "kept": True, "reason": ""} for key in all_facts}
        ids = list(all_facts)
        # Several lose to the same one.
        reasons = {-1: ""}
        found: dict[str, Facts] = {}
        for key, claim, winner in zip(ids, claims, resolve(claims), strict=True):
            if winner not in reasons:
                reasons[winner] = f"overlaps {ids[winner]} ({claims[winner][3][1]}, priority {claims[winner][2]:g})"
            found[key] = {"priority": claim[2], "kept": winner < 0, "reason": reasons[winner]}
        return found

    def set_annotations(self, doc: Doc, found: dict[str, Facts]) -> None:
        """Add the new facts to the group `bio_propositions`."""
        attrs = doc.spans[PROPOSITIONS].attrs
        for key, facts in found.items():
            attrs[key].update(facts)

    def score(self, examples: Iterable[Example], **kwargs: Any) -> dict[str, Any]:
        """Precision, recall and F1 of kept (subject, relation, object): bio_relations_p, _r, _f."""
        return score_sets(
            ((triple_set(eg.reference), triple_set(eg.predicted, kept_only=True)) for eg in examples),
            "bio_relations",
        )

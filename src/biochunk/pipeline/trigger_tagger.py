"""`trigger_tagger`: writes the span group `bio_triggers` (paper §3.5-3.6)."""

from bisect import bisect_left
from collections.abc import Iterable
from typing import Any

from spacy.language import Language
from spacy.matcher import PhraseMatcher
from spacy.tokens import Doc
from spacy.training import Example

from ..chunking.lexicon import is_participle, surface_forms
from ..schemas import Dataset, Trigger
from ..spans import TRIGGERS, Found, write_group
from .component import KnowledgePipe, score_sets, span_set

_HYPHENS = ("-", "‐", "‑")


class TriggerTagger(KnowledgePipe):
    """Finds trigger words and phrases, in any inflection, without regard to case; of overlapping ones the longest.

    nlp (Language): The pipeline.
    name (str): Name in the pipeline.
    """

    def __init__(self, nlp: Language, name: str) -> None:
        super().__init__(nlp, name)
        self._matcher = PhraseMatcher(nlp.vocab, attr="LOWER")
        self._facts: dict[int, tuple[str, dict[str, Any]]] = {}
        self._bare: set[int] = set()

    @property
    def labels(self) -> tuple[str, ...]:
        """Relations that some trigger signals, sorted."""
        readings = (reading for _, facts in self._facts.values() for reading in facts["readings"])
        return tuple(sorted({reading["relation"] for reading in readings}))

    def _take_dataset(self, dataset: Dataset) -> dict[str, Any]:
        return {
            "relations": {
                label: {
                    "weight": relation.weight,
                    "directed": relation.directed,
                    "triggers": [t.model_dump(exclude={"learned"}) for t in relation.triggers],
                }
                for label, relation in dataset.relations.items()
            }
        }

    def _use_knowledge(self, knowledge: dict[str, Any]) -> None:
        forms = _readings_by_form(knowledge["relations"])
        matcher = PhraseMatcher(self.vocab, attr="LOWER")
        facts: dict[int, tuple[str, dict[str, Any]]] = {}
        for form, doc in zip(forms, self.tokenizer.pipe(forms), strict=True):
            matcher.add(form, [doc])
            readings = forms[form]
            facts[self.vocab.strings[form]] = (
                readings[0]["relation"],
                {
                    "tier": readings[0]["tier"],
                    "phrase": readings[0]["phrase"],
                    "participle": is_participle(form),
                    "gerund": form.split()[0].endswith("ing"),
                    "readings": readings,
                },
            )
        self._matcher, self._facts = matcher, facts
        self._bare = {
            key
            for key, (_, known) in facts.items()
            if not known["participle"] and not known["gerund"] and known["readings"][0]["pos"] == "verb"
        }

    def find(self, doc: Doc) -> list[Found]:
        """Triggers of the Doc in text order, none overlapping; writes nothing.

        RETURNS (list[Found]): Label: the strongest relation. Facts: tier, phrase, participle and "readings", one a
        relation, the strongest first: lowest tier, then highest weight.
        """
        self.require_knowledge()
        matches = self._matcher(doc)
        if len(matches) > 1:
            matches = _longest(matches)
        facts = self._facts
        # "all-cause mortality": a bare verb that ends a compound is none; "aspirin-induced" and "-inhibiting" are.
        return [
            (start, end, *facts[key])
            for key, start, end in matches
            if key not in self._bare or not start or doc[start - 1].text not in _HYPHENS
        ]

    def set_annotations(self, doc: Doc, found: Iterable[Found]) -> None:
        """Replace the Doc's group `bio_triggers`."""
        write_group(doc, TRIGGERS, found)

    def score(self, examples: Iterable[Example], **kwargs: Any) -> dict[str, Any]:
        """Precision, recall and F1 of triggers with their label: bio_triggers_p, _r, _f."""
        return score_sets(
            ((span_set(eg.reference, TRIGGERS), span_set(eg.predicted, TRIGGERS)) for eg in examples),
            TRIGGERS,
        )


def _readings_by_form(relations: dict[str, Any]) -> dict[str, list[dict[str, Any]]]:
    """Every written form, lower-cased, with its readings, the strongest first. The file's order breaks ties."""
    forms: dict[str, list[tuple[int, float, dict[str, Any]]]] = {}
    for relation, entry in relations.items():
        for raw in entry["triggers"]:
            trigger = Trigger.model_validate(raw)
            reading = {
                "relation": relation,
                "tier": trigger.tier,
                "phrase": trigger.phrase,
                "pos": trigger.pos,
                "invert": trigger.invert,
                "directed": entry["directed"],
                "patterns": list(trigger.patterns) if trigger.patterns is not None else None,
            }
            for form in surface_forms(trigger):
                same = forms.setdefault(form.text.lower(), [])
                if all(other["relation"] != relation for _, _, other in same):
                    same.append((trigger.tier, -entry["weight"], reading))
    return {
        form: [reading for _, _, reading in sorted(found, key=lambda item: item[:2])] for form, found in forms.items()
    }


def _longest(matches: list[tuple[int, int, int]]) -> list[tuple[int, int, int]]:
    """Of overlapping matches the longest, then the leftmost; in text order."""
    # Kept matches do not overlap, so their starts and ends are sorted alike.
    starts: list[int] = []
    kept: list[tuple[int, int, int]] = []
    for match in sorted(matches, key=_preference):
        i = bisect_left(starts, match[2])
        if not i or kept[i - 1][2] <= match[1]:
            starts.insert(i, match[1])
            kept.insert(i, match)
    return kept


def _preference(match: tuple[int, int, int]) -> tuple[int, int]:
    return match[1] - match[2], match[1]

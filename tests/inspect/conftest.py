"""Docs with hand-written spans."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest
import spacy
from spacy.language import Language
from spacy.tokens import Doc

from biochunk.spans import CHUNKS, ENTITIES, PROPOSITIONS, TRIGGERS, Found, register_ids, write_group

# subject, trigger and object as token ranges, and what differs from an affirmed, kept INHIBITS of tier 1.
Roles = tuple[tuple[int, int], tuple[int, int], tuple[int, int], dict[str, Any]]


@pytest.fixture(scope="session")
def blank() -> Language:
    return spacy.blank("en")


def annotate(
    doc: Doc,
    *,
    entities: Sequence[tuple[int, int, str]] = (),
    triggers: Sequence[tuple[int, int, str, int]] = (),
    propositions: Sequence[Roles] = (),
    chunks: Sequence[tuple[int, int, str, dict[str, Any]]] = (),
) -> Doc:
    """Write span groups as the components do; all bounds are token indices."""
    register_ids(doc.vocab)
    write_group(doc, ENTITIES, [(a, b, label, {"rule": "hand"}) for a, b, label in entities])
    write_group(
        doc,
        TRIGGERS,
        [(a, b, relation, {"tier": tier, "phrase": "cue", "readings": []}) for a, b, relation, tier in triggers],
    )
    write_group(doc, PROPOSITIONS, [_proposition(doc, *roles) for roles in propositions])
    slots = [{"source": "entity", "slot": i, "similarity": 0.5, "score": 0.5, "sentence": 0} for i in range(1, 99)]
    found = [(a, b, relation, {**slot, **more}) for (a, b, relation, more), slot in zip(chunks, slots, strict=False)]
    write_group(doc, CHUNKS, found)
    return doc


def _proposition(
    doc: Doc,
    subject: tuple[int, int],
    trigger: tuple[int, int],
    object_: tuple[int, int],
    more: dict[str, Any],
) -> Found:
    roles = {"subject": subject, "trigger": trigger, "object": object_}
    facts = {
        "tier": 1,
        "pattern": "infix",
        "passive": False,
        "negated": False,
        "uncertain": False,
        "priority": 6.0,
        "kept": True,
        "reason": "",
        **{role: [doc[a:b].start_char, doc[a:b].end_char] for role, (a, b) in roles.items()},
        **more,
    }
    bounds = [bound for span in roles.values() for bound in span]
    return (min(bounds), max(bounds), facts.pop("relation", "INHIBITS"), facts)


@pytest.fixture(scope="session")
def make_doc(blank: Language) -> Callable[..., Doc]:
    """A Doc with spans: `make_doc(text, entities=…, triggers=…, propositions=…, chunks=…)`."""

    def make(text: str, **groups: Any) -> Doc:
        return annotate(blank(text), **groups)

    return make

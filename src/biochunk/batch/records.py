"""A Doc as one JSON record: everything that the pipeline found, with offsets in code points."""

from typing import Any

from spacy.tokens import Doc, Span

from ..extensions import Chunk, Entity, Proposition, Trigger
from ..spans import sentences
from .texts import Text


def to_record(doc: Doc, text: Text) -> dict[str, Any]:
    """The output record of one text.

    doc (Doc): The text after the pipeline.
    text (Text): The text with its id and what came with it.
    RETURNS (dict): id, text, meta and source as they came in; sentences, entities, triggers, propositions and
        chunks, each with start and end. "reason" and "proposition" name ids, "sentence" counts from 0.
    """
    return {
        "id": text.id,
        "text": text.text,
        "meta": text.meta,
        "source": text.source,
        "sentences": [_bounds(doc[start:end]) for start, end in sentences(doc)],
        "entities": [_entity(entity) for entity in doc._.bio_entities],
        "triggers": [_trigger(trigger) for trigger in doc._.bio_triggers],
        "propositions": [_proposition(proposition) for proposition in doc._.bio_propositions],
        "chunks": [_chunk(chunk) for chunk in doc._.bio_chunks],
    }


def _bounds(span: Span) -> dict[str, int]:
    return {"start": span.start_char, "end": span.end_char}


def _place(span: Span) -> dict[str, Any]:
    return {**_bounds(span), "text": span.text}


def _entity(entity: Entity) -> dict[str, Any]:
    span = entity.span
    return {
        "id": span.id_,
        **_place(span),
        "label": entity.label,
        "rule": entity.rule,
        "boundary": entity.boundary,
    }


def _trigger(trigger: Trigger) -> dict[str, Any]:
    return {
        "id": trigger.span.id_,
        **_place(trigger.span),
        "relation": trigger.relation,
        "tier": trigger.tier,
        "phrase": trigger.phrase,
        "readings": [{"relation": r.relation, "tier": r.tier} for r in trigger.readings],
    }


def _proposition(proposition: Proposition) -> dict[str, Any]:
    return {
        "id": proposition.span.id_,
        **_place(proposition.span),
        "relation": proposition.relation,
        "subject": _place(proposition.subject),
        "trigger": _place(proposition.trigger),
        "object": _place(proposition.object),
        "tier": proposition.tier,
        "pattern": proposition.pattern,
        "passive": proposition.passive,
        "negated": proposition.negated,
        "uncertain": proposition.uncertain,
        "priority": proposition.priority,
        "kept": proposition.kept,
        "reason": proposition.reason,
    }


def _chunk(chunk: Chunk) -> dict[str, Any]:
    return {
        "id": chunk.span.id_,
        "start": chunk.start_char,
        "end": chunk.end_char,
        "text": chunk.text,
        "source": chunk.source,
        "slot": chunk.slot,
        "similarity": chunk.similarity,
        "score": chunk.score,
        "relation": chunk.relation,
        "sentence": chunk.sentence,
        "priority": chunk.priority,
        "proposition": chunk.proposition,
        "reason": chunk.reason,
    }

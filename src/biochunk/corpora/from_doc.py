"""A Doc after a pipeline as a unified record, so that any format shows what the pipeline found."""

from typing import Any

from spacy.tokens import Doc

from ..spans import CHUNKS, ENTITIES, PROPOSITIONS, TRIGGERS, Facts, read_group
from .records import Entity, Record, Triple

TRIGGER, PROPOSITION, CHUNK, ARGUMENT = "TRIGGER", "PROPOSITION", "CHUNK", "ARGUMENT"


def doc_to_record(doc: Doc, *, id: str, dataset: str, split: str, meta: Facts | None = None) -> Record:
    """Everything that a pipeline found in a text as entities and triples.

    Entities keep their labels. Triggers are labelled "TRIGGER:RELATION", propositions
    "PROPOSITION:RELATION" over their whole span, chunks "CHUNK". A subject or object that is no entity
    becomes one, labelled "ARGUMENT". A proposition that was kept and is not negated is a triple; all facts
    about triggers, propositions (losers and negated ones too) and chunks stand in `meta` by entity id.

    doc (Doc): The Doc.
    id, dataset, split (str): Of the record.
    meta (Facts | None): What else is known about the text; JSON values.
    RETURNS (Record): The record. Its entities overlap; its ids are the spans' ids ("e0", "t0", "p0", "c0").
    """
    text = doc.text
    entities: list[Entity] = []
    facts: dict[str, Facts] = {}

    def add(key: str, start: int, end: int, label: str) -> str:
        entities.append(Entity(id=key, start=start, end=end, text=text[start:end], label=label))
        return key

    for span, _ in read_group(doc, ENTITIES):
        add(span.id_, span.start_char, span.end_char, span.label_)
    by_offsets = {(entity.start, entity.end): entity.id for entity in reversed(entities)}
    for group, label in ((TRIGGERS, TRIGGER), (PROPOSITIONS, PROPOSITION), (CHUNKS, CHUNK)):
        for span, known in read_group(doc, group):
            name = label if group == CHUNKS else f"{label}:{span.label_}"
            add(span.id_, span.start_char, span.end_char, name)
            facts.setdefault(group.removeprefix("bio_"), {})[span.id_] = known

    def argument(offsets: Any) -> str:
        place = (offsets[0], offsets[1])
        if place not in by_offsets:
            by_offsets[place] = add(f"a{len(by_offsets)}", *place, ARGUMENT)
        return by_offsets[place]

    triples = [
        Triple(head=argument(known["subject"]), relation=span.label_, tail=argument(known["object"]))
        for span, known in read_group(doc, PROPOSITIONS)
        if known.get("kept", True) and not known["negated"]
    ]
    return Record(
        id=id,
        dataset=dataset,
        split=split,
        text=text,
        entities=entities,
        triples=triples,
        meta={**(meta or {}), **facts},
    )

"""Records as BioC documents (Comeau et al. 2013), in the shape that BioC JSON has.

A record is a document with one passage. What BioC has no place for stands in infons named `biochunk.*`, so
BioC holds a record whole. The way back is `bioc_reader`; XML is turned into the same shape.
"""

import json
from typing import Any

from ..records import Entity, Record
from .fragments import pieces_of, pieces_text

Json = dict[str, Any]

DATASET, SPLIT = "biochunk.dataset", "biochunk.split"
LABEL, META, CHARACTERS = "biochunk.label", "biochunk.meta", "biochunk.characters"
OURS = frozenset({DATASET, SPLIT, LABEL, META, CHARACTERS})

HEAD_ROLES = frozenset({"head", "subject", "arg1", "source"})
TAIL_ROLES = frozenset({"tail", "object", "arg2", "target"})


def record_to_document(record: Record) -> Json:
    """A BioC document that holds the whole record."""
    infons = {DATASET: record.dataset, SPLIT: record.split}
    if record.label is not None:
        infons[LABEL] = json.dumps(record.label)
    if record.meta:
        infons[META] = json.dumps(record.meta)
    annotations = [_annotation(record, entity) for entity in record.entities]
    relations = [
        {
            "id": f"R{i}",
            "infons": {"type": triple.relation},
            "nodes": [{"refid": triple.head, "role": "head"}, {"refid": triple.tail, "role": "tail"}],
        }
        for i, triple in enumerate(record.triples, 1)
    ]
    passage = {
        "bioctype": "BioCPassage",
        "offset": 0,
        "infons": {},
        "text": record.text,
        "sentences": [],
        "annotations": annotations,
        "relations": relations,
    }
    return {
        "bioctype": "BioCDocument",
        "id": record.id,
        "infons": infons,
        "passages": [passage],
        "annotations": [],
        "relations": [],
    }


def _annotation(record: Record, entity: Entity) -> Json:
    pieces = pieces_of(record, entity)
    locations = [{"offset": start, "length": end - start} for start, end in pieces]
    text = pieces_text(record.text, pieces)
    return {"id": entity.id, "infons": {"type": entity.label}, "text": text, "locations": locations}

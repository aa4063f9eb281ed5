"""A processed Doc as a record: every span is there, and what is asserted is a triple."""

import json

import pytest
import spacy
from spacy.tokens import Doc

from biochunk.corpora.from_doc import doc_to_record
from biochunk.spans import CHUNKS, ENTITIES, PROPOSITIONS, TRIGGERS, register_ids, write_group


@pytest.fixture
def doc() -> Doc:
    """Two entities, one trigger, and a proposition that a test fills in."""
    nlp = spacy.blank("en")
    register_ids(nlp.vocab)
    doc = nlp.make_doc("Aspirin inhibits COX-2 strongly.")
    write_group(doc, ENTITIES, [(0, 1, "ENTITY", {"rule": "noun_phrase"}), (2, 3, "GENE", {"rule": "x"})])
    write_group(doc, TRIGGERS, [(1, 2, "INHIBITS", {"tier": 1})])
    return doc


def propose(doc: Doc, **facts: object) -> None:
    known = {"subject": [0, 7], "trigger": [8, 16], "object": [17, 22], "negated": False, **facts}
    write_group(doc, PROPOSITIONS, [(0, 3, "INHIBITS", known)])


def test_every_span_is_an_entity_under_its_own_id(doc):
    propose(doc, kept=True)
    write_group(doc, CHUNKS, [(0, 4, "INHIBITS", {"slot": 1, "source": "trigger"})])
    record = doc_to_record(doc, id="r1", dataset="d", split="s", meta={"line": 3})
    assert [(e.id, e.label, e.text) for e in record.entities] == [
        ("e0", "ENTITY", "Aspirin"),
        ("e1", "GENE", "COX-2"),
        ("t0", "TRIGGER:INHIBITS", "inhibits"),
        ("p0", "PROPOSITION:INHIBITS", "Aspirin inhibits COX-2"),
        ("c0", "CHUNK", "Aspirin inhibits COX-2 strongly"),
    ]
    assert [(t.head, t.relation, t.tail) for t in record.triples] == [("e0", "INHIBITS", "e1")]
    assert record.meta["line"] == 3
    assert record.meta["chunks"] == {"c0": {"slot": 1, "source": "trigger"}}


@pytest.mark.parametrize("facts", [{"kept": False, "reason": "overlap"}, {"kept": True, "negated": True}])
def test_what_is_not_asserted_is_no_triple_but_stays_in_meta(doc, facts):
    propose(doc, **facts)
    record = doc_to_record(doc, id="r1", dataset="d", split="s")
    assert record.triples == []
    assert facts.items() <= record.meta["propositions"]["p0"].items()


def test_argument_that_is_no_entity_becomes_one(doc):
    propose(doc, object=[23, 31])
    record = doc_to_record(doc, id="r1", dataset="d", split="s")
    (argument,) = (e for e in record.entities if e.label == "ARGUMENT")
    assert (argument.text, record.triples[0].tail) == ("strongly", argument.id)


def test_doc_without_annotations_is_a_record_without_entities():
    record = doc_to_record(spacy.blank("en").make_doc(""), id="r1", dataset="d", split="s")
    assert (record.text, record.entities, record.triples, record.meta) == ("", [], [], {})


def test_found_by_a_pipeline_is_json(doc):
    propose(doc)
    record = doc_to_record(doc, id="r1", dataset="d", split="s")
    assert json.loads(record.to_json())["meta"]["triggers"] == {"t0": {"tier": 1}}

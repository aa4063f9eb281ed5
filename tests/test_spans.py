"""`read_places` gives what a group holds at the time, whoever wrote or changed it."""

import pytest
import spacy
from spacy.tokens import Doc, Span, SpanGroup

from biochunk.spans import ENTITIES, read_places, write_group


def put(group, other):
    group[0] = other


def remove(group, other):
    del group[-1]


def add(group, other):
    group += [other]


CHANGES = {
    "append": lambda group, other: group.append(other),
    "extend": lambda group, other: group.extend([other]),
    "add": add,
    "put": put,
    "remove": remove,
    "load": lambda group, other: group.from_bytes(SpanGroup(other.doc, spans=[other]).to_bytes()),
}


@pytest.fixture
def doc():
    doc = spacy.blank("en")("Aspirin inhibits COX-2 in rats.")
    write_group(doc, ENTITIES, [(0, 1, "ENTITY", {"rule": "a"}), (2, 3, "DRUG", {"rule": "b"})])
    return doc


def by_span(doc):
    return [(span.start, span.end, span.id_, span.label_) for span in doc.spans[ENTITIES]]


def test_places_of_a_written_group(doc):
    assert list(read_places(doc, ENTITIES)) == [(0, 1, "e0", "ENTITY"), (2, 3, "e1", "DRUG")] == by_span(doc)
    assert list(read_places(doc, "bio_triggers")) == []


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_places_follow_every_change(doc, change):
    before = by_span(doc)
    change(doc.spans[ENTITIES], Span(doc, 3, 5, label="OTHER"))
    assert list(read_places(doc, ENTITIES)) == by_span(doc) != before


def test_places_of_a_group_that_is_replaced_copied_or_loaded(doc):
    again = Doc(doc.vocab).from_bytes(doc.to_bytes())
    assert read_places(again, ENTITIES) == read_places(doc.copy(), ENTITIES) == read_places(doc, ENTITIES)
    doc.spans[ENTITIES] = [Span(doc, 1, 2, label="OTHER")]
    assert list(read_places(doc, ENTITIES)) == [(1, 2, "", "OTHER")]

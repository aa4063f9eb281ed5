"""Chunk health on sentences made by hand."""

import pytest

from biochunk.biomedrag.items import Cue, Piece, Sentence
from biochunk.corpora.records import Entity, Record, Triple
from biochunk.errors import BiochunkError
from biochunk.evaluation.chunk_health import chunk_health

TEXT = "Aspirin inhibits COX-2 in cells of mice."


def record(key: str = "a") -> Record:
    mentions = [("e1", "Aspirin"), ("e2", "COX-2")]
    entities = [Entity(id=i, start=TEXT.index(m), end=TEXT.index(m) + len(m), text=m, label="") for i, m in mentions]
    triples = [Triple(head="e1", relation="INHIBITS", tail="e2")]
    return Record(id=key, dataset="d", split="dev", text=TEXT, entities=entities, triples=triples)


def sentence(*parts: str, key: str = "a", relation: str = "INHIBITS") -> Sentence:
    at = TEXT.index("inhibits")
    pieces = []
    for slot, part in enumerate(parts, 1):
        start = TEXT.index(part)
        pieces.append(Piece(start, start + len(part), part, relation, 0.5, "entity", slot, ""))
    return Sentence(key, TEXT, (), (Cue(at, at + 8, relation, 1),), (), tuple(pieces))


@pytest.mark.parametrize(
    ("parts", "relation", "one", "trigger", "some", "cut"),
    [
        (["Aspirin inhibits COX-2"], "INHIBITS", 1, 1, 1, 0),
        (["Aspirin inhibits COX-2"], "TREATS", 1, 0, 1, 0),
        (["Aspirin inhibits", "COX-2 in cells"], "INHIBITS", 0, 0, 1, 0),
        (["Aspirin inhibits CO", "-2 in cells"], "INHIBITS", 0, 0, 0, 1),
        (["in cells"], "INHIBITS", 0, 0, 0, 0),
        ([], "INHIBITS", 0, 0, 0, 0),
    ],
)
def test_what_chunks_hold(parts, relation, one, trigger, some, cut):
    found = chunk_health([sentence(*parts, relation=relation)], [record()])
    assert (found.in_one_chunk, found.with_trigger, found.in_chunks, found.cut) == (one, trigger, some, cut)


def test_rates_are_means_and_shares():
    sentences = [sentence("Aspirin inhibits COX-2", "in cells"), sentence("of mice", key="b")]
    rates = chunk_health(sentences, [record(), record("b")]).rates()
    assert rates["chunks per sentence"] == 1.5
    assert rates["words per chunk"] == pytest.approx(7 / 3)
    assert rates["gold pair in one chunk"] == 0.5


def test_nothing_to_count_is_none_and_not_zero():
    assert chunk_health([], []).rates()["gold pair in one chunk"] is None


def test_sentences_of_other_records_are_refused():
    with pytest.raises(BiochunkError, match="expected the same in one order"):
        chunk_health([sentence()], [record("b")])

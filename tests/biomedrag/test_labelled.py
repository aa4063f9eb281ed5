import pytest
from tests.conftest import build_tiny_static_encoder

from biochunk.biomedrag.labelled import evidence_labels, labelled_sentences
from biochunk.biomedrag.store import NONE
from biochunk.build import build_pipeline
from biochunk.corpora.records import Entity, Record, Triple
from biochunk.schemas import check_dataset

RELATIONS = ["TREATS", "INHIBITS"]


def record(key, text, *relations, label=None):
    entities = [Entity(id="e1", start=0, end=1, text=text[:1]), Entity(id="e2", start=1, end=2, text=text[1:2])]
    triples = [Triple(head="e1", relation=relation, tail="e2") for relation in relations]
    return Record(id=key, dataset="x", split="dev", text=text, entities=entities, triples=triples, label=label)


@pytest.mark.parametrize(
    ("relations", "label", "expected"),
    [
        (["INHIBITS"], None, ["INHIBITS"]),
        (["INHIBITS", "TREATS", "INHIBITS"], None, ["INHIBITS", "TREATS"]),
        ([], None, [NONE]),
        ([], 1, ["TREATS"]),
        ([], 0, [NONE]),
    ],
)
def test_labels_are_gold_relations_or_none(relations, label, expected):
    assert evidence_labels(record("r", "abc", *relations, label=label), RELATIONS) == expected


@pytest.fixture(scope="module")
def nlp(tmp_path_factory):
    definitions = {"TREATS": "therapy of disease", "INHIBITS": "blocks protein"}
    relations = {name: {"definition": text, "weight": 1, "triggers": []} for name, text in definitions.items()}
    dataset = check_dataset({"schema_version": 1, "name": "tiny", "relations": relations})
    table = tmp_path_factory.mktemp("table")
    build_tiny_static_encoder(
        {"therapy": [1, 0, 0], "disease": [1, 0.1, 0], "blocks": [0, 1, 0], "protein": [0, 1, 0.1], "x": [0, 0, 1]}
    ).to_disk(table)
    return build_pipeline(dataset, arm="fixed_strict", encoder=table)


TEXT = "x x x x x therapy therapy of x disease x x x x x blocks blocks the x protein"


def test_each_relation_ranks_the_chunks_for_itself(nlp):
    found = list(labelled_sentences([record("r", TEXT, "TREATS", "INHIBITS")], nlp, RELATIONS))
    assert [(label, sentence.id, sentence.pieces[0].text) for label, sentence in found] == [
        ("TREATS", "r", "therapy therapy of x disease"),
        ("INHIBITS", "r", "blocks blocks the x protein"),
    ]


def test_sentences_come_in_the_order_of_the_records(nlp):
    records = [record("a", TEXT, "INHIBITS"), record("b", TEXT), record("c", TEXT, "TREATS")]
    found = labelled_sentences(records, nlp, RELATIONS)
    assert [(label, sentence.id) for label, sentence in found] == [("INHIBITS", "a"), (NONE, "b"), ("TREATS", "c")]


def test_sentences_without_a_relation_may_be_left_out(nlp):
    records = [record("a", TEXT), record("b", TEXT, "TREATS")]
    assert [label for label, _ in labelled_sentences(records, nlp, RELATIONS, none=False)] == ["TREATS"]

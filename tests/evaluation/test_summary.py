"""What a pipeline finds, as counts: `biochunk.evaluation.summary` and `biochunk summary`."""

from pathlib import Path
from typing import Any

import pytest
from spacy.language import Language
from typer.testing import CliRunner

from biochunk.build import build_pipeline
from biochunk.cli import app
from biochunk.corpora.records import Record, write_records
from biochunk.errors import UsageError
from biochunk.evaluation.summary import Summary, summarize, table
from biochunk.schemas import check_dataset

DATASET = {
    "schema_version": 1,
    "name": "tiny",
    "relations": {
        "INHIBITS": {
            "definition": "A drug inhibits the activity of a target.",
            "weight": 3,
            "triggers": [{"phrase": "inhibit", "tier": 1, "pos": "verb"}],
        },
        "CAUSES": {"definition": "A drug causes a disease.", "weight": 3},
    },
}


def make_record(number: int, text: str, *triples: tuple[str, str, str], dataset: str = "tiny") -> Record:
    mentions = dict.fromkeys(mention for head, _, tail in triples for mention in (head, tail))
    ids = {mention: f"e{i}" for i, mention in enumerate(mentions)}
    return Record(
        id=f"r{number}",
        dataset=dataset,
        split="dev",
        text=text,
        entities=[{"id": ids[m], "start": text.index(m), "end": text.index(m) + len(m), "text": m} for m in mentions],
        triples=[{"head": ids[h], "relation": relation, "tail": ids[t]} for h, relation, t in triples],
    )


RECORDS = [
    make_record(1, "Aspirin inhibits COX-2.", ("Aspirin", "INHIBITS", "COX-2")),
    make_record(
        2,
        "Aspirin inhibits COX-1 and, as was seen much later in many of these old patients, causes ulcers.",
        ("Aspirin", "INHIBITS", "COX-1"),
        ("Aspirin", "CAUSES", "ulcers"),
    ),
    make_record(3, "Nothing happened."),
]


@pytest.fixture
def folder(tmp_path: Path, tiny_static_encoder: Any) -> Path:
    tiny_static_encoder(["drug", "inhibits", "aspirin"]).to_disk(tmp_path / "table")
    build_pipeline(check_dataset(DATASET), encoder=tmp_path / "table").to_disk(tmp_path / "tiny")
    return tmp_path / "tiny"


@pytest.fixture
def nlp(folder: Path) -> Language:
    import spacy

    return spacy.load(folder)


def test_counts_are_those_of_hand(nlp: Language) -> None:
    found = summarize(nlp, RECORDS)
    assert (found.sentences, found.with_trigger, found.with_proposition) == (3, 2, 2)
    assert (found.relations, found.fired, found.proposed) == (3, 2, 2)
    # Aspirin and the ulcers are too far apart for one chunk.
    assert (found.triples, found.in_one_chunk) == (3, 2)
    docs = [nlp(record.text) for record in RECORDS]
    entities = [entity for doc in docs for entity in doc._.bio_entities]
    assert found.entities == sum(entity.boundary != "minimal" for entity in entities) < len(entities)
    assert found.chunks == sum(len(doc._.bio_chunks) for doc in docs)
    assert found.words == sum(len(chunk.text.split()) for doc in docs for chunk in doc._.bio_chunks)


def test_parts_add_up(nlp: Language) -> None:
    assert summarize(nlp, RECORDS[:1]) + summarize(nlp, RECORDS[1:]) == summarize(nlp, RECORDS)


def test_arm_without_triggers_counts_none(tmp_path: Path, folder: Path) -> None:
    nlp = build_pipeline(check_dataset(DATASET), arm="sentence", encoder=tmp_path / "table")
    found = summarize(nlp, RECORDS)
    assert (found.with_trigger, found.fired, found.entities) == (0, 0, 0)
    assert (found.chunks, found.in_one_chunk) == (3, 3)


def test_table_has_a_column_a_corpus_and_no_number_for_nothing() -> None:
    text = table({"a": Summary(sentences=4, with_trigger=1, chunks=6, words=33), "bb": Summary()})
    lines = {line[:34].strip(): line[34:].split() for line in text.splitlines()}
    assert lines[""] == ["a", "bb"]
    assert lines["share with a trigger"] == ["25.0%", "-"]
    assert lines["words per chunk"] == ["5.50", "-"]
    assert lines["gold pair in one chunk"] == ["-", "-"]


def test_command_takes_files_and_folders(tmp_path: Path, folder: Path) -> None:
    write_records(tmp_path / "corpus" / "deep" / "one.jsonl", RECORDS[:2])
    write_records(tmp_path / "two.jsonl", RECORDS[2:])
    inputs = [str(tmp_path / "corpus"), str(tmp_path / "two.jsonl")]
    result = CliRunner().invoke(app, ["summary", *inputs, "--pipeline", str(tmp_path / "{dataset}")])
    assert result.exit_code == 0, result.output
    assert result.output.split("\n")[1].split() == ["sentences", "3"]


@pytest.mark.parametrize(("relation", "warns"), [("INHIBITS", False), ("EATS", True)])
def test_relations_that_the_pipeline_does_not_know_are_named(
    tmp_path: Path, folder: Path, relation: str, warns: bool
) -> None:
    write_records(tmp_path / "one.jsonl", [make_record(1, "Aspirin meets COX-2.", ("Aspirin", relation, "COX-2"))])
    result = CliRunner().invoke(app, ["summary", str(tmp_path / "one.jsonl"), "--pipeline", str(folder)])
    assert result.exit_code == 0, result.output
    assert ("found no relation (EATS) that" in result.output) is warns


@pytest.mark.parametrize("name", ["empty", "missing.jsonl", "blank.jsonl"])
def test_nothing_to_read_is_a_usage_error(tmp_path: Path, name: str) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "blank.jsonl").write_text("\n")
    result = CliRunner().invoke(app, ["summary", str(tmp_path / name)])
    assert isinstance(result.exception, UsageError)
    assert "found no" in str(result.exception)

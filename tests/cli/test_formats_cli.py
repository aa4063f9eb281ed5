"""`biochunk corpora export` and `import`."""

import json

import pytest

from biochunk.corpora.formats import FORMATS
from biochunk.corpora.records import Entity, Record, read_records, write_records

RECORDS = [
    Record(
        id=f"r{i}",
        dataset="mine",
        split="dev",
        text="Aspirin inhibits COX-2.",
        entities=[Entity(id="T1", start=0, end=7, text="Aspirin", label="DRUG")],
    )
    for i in range(3)
]


@pytest.fixture
def corpus(tmp_path):
    write_records(tmp_path / "mine.jsonl", RECORDS)
    return tmp_path / "mine.jsonl"


@pytest.mark.parametrize("name", FORMATS)
def test_export_and_import_give_the_same_bytes(cli, corpus, tmp_path, name):
    assert cli("corpora", "export", corpus, "--to", name, "-o", tmp_path / "out").code == 0
    options = ("--dataset", "mine", "--split", "dev")
    ran = cli("corpora", "import", tmp_path / "out", "--from", name, "-o", tmp_path / "back.jsonl", *options)
    assert ran.code == 0
    assert ran.err.endswith("back.jsonl: 3 records\n")
    assert (tmp_path / "back.jsonl").read_bytes() == corpus.read_bytes()


def test_losses_are_told_once_a_kind_with_their_count(cli, corpus, tmp_path):
    ran = cli("corpora", "export", corpus, "--to", "brat", "-o", tmp_path / "out")
    notes = [line for line in ran.err.splitlines() if line.startswith("Note:")]
    assert [line.split()[1] for line in notes] == ["dataset", "split"]
    assert "left out: 3 (first: record 'r0')" in notes[0]


def test_dataset_and_split_have_defaults(cli, corpus, tmp_path):
    cli("corpora", "export", corpus, "--to", "pubtator", "-o", tmp_path / "notes.txt")
    cli("corpora", "import", tmp_path / "notes.txt", "--from", "pubtator", "-o", tmp_path / "back.jsonl")
    assert {(r.dataset, r.split) for r in read_records(tmp_path / "back.jsonl")} == {("notes", "all")}


def test_export_with_a_pipeline_shows_what_it_finds(cli, corpus, tmp_path, pipeline_folder):
    ran = cli("corpora", "export", corpus, "--to", "brat", "-o", tmp_path / "out", "--pipeline", pipeline_folder)
    assert ran.code == 0, ran.err
    lines = (tmp_path / "out" / "r0.ann").read_text().splitlines()
    labels = {line.split("\t")[1].split()[0] for line in lines if line.startswith("T")}
    assert {"CHUNK", "TRIGGER_INHIBITS", "PROPOSITION_INHIBITS"} <= labels
    assert any(line.startswith("R1\tINHIBITS Arg1:") for line in lines)


def test_bad_document_stops_the_import_without_output(cli, tmp_path):
    (tmp_path / "in.txt").write_text("1|t|A\n\n2|a|B\n")
    ran = cli("corpora", "import", tmp_path / "in.txt", "--from", "pubtator", "-o", tmp_path / "out.jsonl")
    assert ran.code == 1
    assert ran.err.count("\n") == 1
    assert "in.txt: line 3: found '2|a|B', expected ID|t|TITLE" in ran.err
    assert not (tmp_path / "out.jsonl").exists()


def test_bad_document_can_be_skipped_and_is_counted(cli, tmp_path):
    (tmp_path / "in.txt").write_text("1|t|A\n\n2|a|B\n")
    options = ("-o", tmp_path / "out.jsonl", "--on-error", "skip")
    ran = cli("corpora", "import", tmp_path / "in.txt", "--from", "pubtator", *options)
    assert ran.code == 0
    assert "Left out: " in ran.err
    assert ran.err.endswith("1 record, 1 document left out\n")
    assert [record.id for record in read_records(tmp_path / "out.jsonl")] == ["1"]


def test_import_of_nothing_is_a_failure(cli, tmp_path):
    (tmp_path / "in.json").write_text('{"documents": []}')
    ran = cli("corpora", "import", tmp_path / "in.json", "--from", "bioc-json", "-o", tmp_path / "out.jsonl")
    assert (ran.code, "found no record" in ran.err) == (1, True)
    assert not (tmp_path / "out.jsonl").exists()


@pytest.mark.parametrize("command", [("export", "--to"), ("import", "--from")])
def test_unknown_format_is_bad_usage(cli, corpus, tmp_path, command):
    ran = cli("corpora", command[0], corpus, command[1], "conll", "-o", tmp_path / "out")
    assert (ran.code, "expected one of: bioc-xml" in ran.err) == (2, True)


def test_missing_file_is_one_line(cli, tmp_path):
    ran = cli("corpora", "export", tmp_path / "gone.jsonl", "--to", "brat", "-o", tmp_path / "out")
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert not (tmp_path / "out").exists()


def test_occupied_folder_is_bad_usage(cli, corpus, tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "notes.txt").write_text("mine")
    ran = cli("corpora", "export", corpus, "--to", "brat", "-o", tmp_path / "out")
    assert (ran.code, "expected a new or empty folder" in ran.err) == (2, True)
    assert (tmp_path / "out" / "notes.txt").read_text() == "mine"


def test_fault_of_the_input_is_named_by_line(cli, corpus, tmp_path):
    corpus.write_text(corpus.read_text() + json.dumps({"id": "x"}) + "\n")
    ran = cli("corpora", "export", corpus, "--to", "parquet", "-o", tmp_path / "out")
    assert ran.code == 1
    assert "mine.jsonl: line 4" in ran.err
    assert not (tmp_path / "out").exists()


def test_help_needs_no_spacy():
    import subprocess
    import sys

    code = "import sys, biochunk.cli; print({'spacy', 'pyarrow', 'numpy'} & set(sys.modules))"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == "set()\n"


@pytest.mark.parametrize("command", [("export", "--to"), ("import", "--from")])
def test_output_never_takes_the_place_of_the_input(cli, corpus, command):
    before = corpus.read_bytes()
    ran = cli("corpora", command[0], corpus, command[1], "bioc-xml", "-o", corpus)
    assert (ran.code, "also the input" in ran.err) == (2, True)
    assert corpus.read_bytes() == before

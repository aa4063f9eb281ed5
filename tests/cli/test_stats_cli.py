"""`biochunk corpora stats`."""

import json
from pathlib import Path

import pytest

from biochunk.corpora.records import Record, write_records

SAMPLES = Path(__file__).parents[2] / "corpora" / "samples"
DATASETS = Path(__file__).parents[2] / "configs" / "datasets"


@pytest.fixture
def corpus(tmp_path):
    """A folder with train and dev that share one sentence."""
    for split, texts in (("train", ["IL-6 rose.", "TNF fell."]), ("dev", ["il-6 rose"])):
        found = [Record(id=f"{split}{i}", dataset="d", split=split, text=text) for i, text in enumerate(texts)]
        write_records(tmp_path / "corpus" / f"{split}.jsonl", found)
    return tmp_path / "corpus"


def test_folder_is_described_by_split(cli, corpus):
    ran = cli("corpora", "stats", corpus)
    assert ran.code == 0
    assert ran.out.splitlines()[0].split() == [f"{corpus}:", "d", "train", "dev"]
    assert any(line.split() == ["dev", "1", "(100.0%)", "1"] for line in ran.out.splitlines())


def test_files_are_taken_together(cli, corpus):
    ran = cli("corpora", "stats", corpus / "train.jsonl", corpus / "dev.jsonl", "--format", "json")
    (data,) = json.loads(ran.out).values()
    assert data["leakage"]["dev"]["train"] == 1


def test_folders_are_described_one_by_one(cli, corpus):
    assert len(json.loads(cli("corpora", "stats", corpus, corpus, "--format", "json").out)) == 1
    other = corpus.rename(corpus.parent / "other")
    assert other.is_dir()
    ran = cli("corpora", "stats", other, SAMPLES / "ade", "--format", "json")
    assert len(json.loads(ran.out)) == 2


def test_page_is_written_beside_the_table(cli, corpus, tmp_path):
    ran = cli("corpora", "stats", corpus, "-o", tmp_path / "page.html")
    assert ran.code == 0
    assert ran.out.startswith(str(corpus))
    assert (tmp_path / "page.html").read_text("utf-8").startswith("<!DOCTYPE html>")


def test_dataset_adds_trigger_coverage(cli):
    ran = cli(
        "corpora",
        "stats",
        SAMPLES / "gmciht" / "train.jsonl",
        "--dataset",
        DATASETS / "gmciht.json",
        "--format",
        "json",
    )
    (data,) = json.loads(ran.out).values()
    train = data["splits"]["train"]
    # Sentences of our own with ordinary cues: most fire, and a share is never above one.
    assert 0.8 < train["trigger"] <= 1
    assert 0.5 < train["gold relation fired"] <= 1


@pytest.mark.parametrize("name", ["empty", "gone"])
def test_nothing_to_describe_is_one_line(cli, tmp_path, name):
    (tmp_path / "empty").mkdir()
    ran = cli("corpora", "stats", tmp_path / name)
    assert ran.code != 0
    assert ran.err.count("\n") == 1
    assert name in ran.err


def test_empty_file_has_no_record(cli, tmp_path):
    (tmp_path / "a.jsonl").write_text("")
    ran = cli("corpora", "stats", tmp_path / "a.jsonl")
    assert (ran.code, "found no record" in ran.err) == (1, True)


def test_dataset_may_be_named(cli, tmp_path):
    (tmp_path / "a.jsonl").write_text(json.dumps({"id": "1", "dataset": "d", "split": "dev", "text": "IL-6 rose."}))
    assert cli("corpora", "stats", tmp_path / "a.jsonl", "--dataset", "gmciht").code == 0
    ran = cli("corpora", "stats", tmp_path / "a.jsonl", "--dataset", "gmcith")
    assert (ran.code, "expected a dataset file or one of: ade" in ran.err) == (2, True)


def test_page_does_not_replace_the_corpus(cli, tmp_path):
    (tmp_path / "a.jsonl").write_text(json.dumps({"id": "1", "dataset": "d", "split": "dev", "text": "IL-6 rose."}))
    ran = cli("corpora", "stats", tmp_path / "a.jsonl", "-o", tmp_path / "a.jsonl")
    assert (ran.code, "this is also the input" in ran.err) == (2, True)
    assert (tmp_path / "a.jsonl").read_text().startswith("{")

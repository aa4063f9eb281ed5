"""`biochunk entities`: learning into a dataset file, and the report."""

import json
from pathlib import Path

import pytest
from tests.entities.conftest import dataset, record

from biochunk.corpora.records import write_records
from biochunk.dataset_text import dataset_text
from biochunk.schemas import read_dataset

MARKED = [
    "the murky <m>insulin</m> inhibits <m>renin</m>",
    "a murky <m>leptin</m> inhibits <m>renin</m>",
    "his murky <m>ghrelin</m> inhibits <m>renin</m>",
] * 4


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    path = tmp_path / "corpus.jsonl"
    write_records(path, [record(text, i, relation="INHIBITS") for i, text in enumerate(MARKED)])
    return path


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "demo.json"
    path.write_text(dataset_text(dataset()), encoding="utf8")
    return path


def test_learn_writes_lists_and_says_what_they_change(cli, corpus, file):
    ran = cli("entities", "learn", corpus, "--dataset", file, "-o", file)
    assert ran.code == 0
    assert "murky" in read_dataset(file).entities.before.cut
    assert "before, cut" in ran.out
    assert "found exactly: 66.7% -> 100.0%" in ran.out
    assert "other words at the front of a mention " in ran.out
    assert "the new lists are better than the old ones, by 'found exactly'" in ran.out
    assert ran.out.splitlines()[-1].startswith(f"{file}: ")
    assert ran.out.endswith("words in the lists, learned from 12 records\n")


def test_learned_lists_are_what_score_uses(cli, corpus, file):
    before = json.loads(cli("entities", "score", corpus, "--dataset", file, "--format", "json").out)
    cli("entities", "learn", corpus, "--dataset", file, "-o", file)
    after = json.loads(cli("entities", "score", corpus, "--dataset", file, "--format", "json").out)
    assert (before["found exactly"], after["found exactly"]) == (pytest.approx(2 / 3), 1.0)
    assert after["gold pair in one proposition"] == 1.0


def test_score_of_a_pipeline(cli, corpus, pipeline_folder):
    ran = cli("entities", "score", corpus, "--pipeline", pipeline_folder, "--lower")
    assert ran.code == 0
    assert "found exactly" in ran.out
    assert "noun_phrase" in ran.out


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["learn", "--dataset", "FILE", "-o", "OUT", "--cut", "0.2", "--optional", "0.5"], 2, "--cut >= --optional"),
        (["score"], 2, "neither --dataset nor --pipeline"),
        (["score", "--dataset", "FILE", "--pipeline", "x"], 2, "both --dataset and --pipeline"),
    ],
)
def test_bad_usage(cli, corpus, file, tmp_path, arguments, code, message):
    names = {"FILE": file, "OUT": tmp_path / "out.json"}
    command, *rest = [names.get(argument, argument) for argument in arguments]
    ran = cli("entities", command, corpus, *rest)
    assert ran.code == code
    assert message in ran.err


def test_a_corpus_without_mentions(cli, file, tmp_path):
    path = tmp_path / "bare.jsonl"
    write_records(path, [record("nothing here")])
    ran = cli("entities", "learn", path, "--dataset", file, "-o", file)
    assert ran.code == 1
    assert "found no mention in 1 records" in ran.err


def test_a_dataset_without_the_rule(cli, corpus, tmp_path):
    path = tmp_path / "marks.json"
    path.write_text(dataset_text(dataset(rules=["brackets"])), encoding="utf8")
    ran = cli("entities", "learn", corpus, "--dataset", path, "-o", path)
    assert ran.code == 2
    assert "noun_phrase" in ran.err

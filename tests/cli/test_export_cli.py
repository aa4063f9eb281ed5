"""`biochunk export biomedrag`."""

import json

import pytest
from tests.biomedrag.test_export_files import DEV, TEST, TRAIN

from biochunk.corpora.records import write_records


@pytest.fixture
def corpus(tmp_path):
    for split, records in (("train", TRAIN), ("dev", DEV), ("test", TEST)):
        write_records(tmp_path / f"{split}.jsonl", records)
    return tmp_path


def arguments(corpus, pipeline, *more, output="out"):
    splits = ("--train", corpus / "train.jsonl", "--dev", corpus / "dev.jsonl")
    return ("export", "biomedrag", corpus / output, *splits, "--pipeline", pipeline, *more)


def test_export_writes_the_folder_and_says_what_is_in_it(cli, corpus, pipeline_folder):
    ran = cli(*arguments(corpus, pipeline_folder, "--test", corpus / "test.jsonl"))
    assert ran.code == 0, ran.err
    assert ran.err == ""
    lines = ran.out.splitlines()
    assert lines[0] == f"{corpus / 'out'}: 22 files of lines, 2 arrays, report.json"
    assert lines[1] == "train: 18 records, 18 lines, 4 lines of None"
    assert lines[-1] == "no separator of BioMedRAG's had to be replaced"
    assert len(list((corpus / "out").iterdir())) == 25
    report = json.loads((corpus / "out" / "report.json").read_text())
    assert {file["lines"] for name, file in report["files"].items() if name.startswith(("train", "test", "KNN"))} == {
        18
    }


def test_pairs_without_a_relation_can_be_left_out(cli, corpus, pipeline_folder):
    ran = cli(*arguments(corpus, pipeline_folder, "--without-none"))
    assert ran.code == 0
    left_out = "4 pairs without a relation left out, 4 records without a line"
    assert f"train: 18 records, 14 lines, {left_out}" in ran.out.splitlines()


def test_an_earlier_export_is_replaced(cli, corpus, pipeline_folder):
    assert cli(*arguments(corpus, pipeline_folder, "--test", corpus / "test.jsonl")).code == 0
    ran = cli(*arguments(corpus, pipeline_folder, "--pick", "nearest"))
    assert ran.code == 0
    assert "no files of test" in ran.out
    assert not list((corpus / "out").glob("*test*"))


@pytest.mark.parametrize(
    ("output", "message"), [(".", "found other files"), ("train.jsonl", "found a file"), ("out", "an input is in")]
)
def test_nothing_else_is_replaced(cli, corpus, pipeline_folder, output, message):
    if output == "out":
        assert cli(*arguments(corpus, pipeline_folder)).code == 0
        (corpus / "train.jsonl").rename(corpus / "out" / "train.jsonl")
        (corpus / "train.jsonl").symlink_to(corpus / "out" / "train.jsonl")
    ran = cli(*arguments(corpus, pipeline_folder, output=output))
    assert ran.code == 2
    assert message in ran.err
    assert "Traceback" not in ran.err
    assert (corpus / "train.jsonl").read_text().startswith("{")


def test_a_bad_record_leaves_nothing_behind(cli, corpus, pipeline_folder):
    with (corpus / "test.jsonl").open("a") as file:
        file.write("{}\n")
    ran = cli(*arguments(corpus, pipeline_folder, "--test", corpus / "test.jsonl"))
    assert ran.code == 1
    assert "test.jsonl: line 19" in ran.err
    assert sorted(path.name for path in corpus.iterdir()) == ["dev.jsonl", "test.jsonl", "train.jsonl"]


@pytest.mark.parametrize("options", [("--top-k", 5), ("--top-k", 3), ("--vector-size", 2), ("--pick", "best")])
def test_bad_options_are_bad_usage(cli, corpus, pipeline_folder, options):
    assert cli(*arguments(corpus, pipeline_folder, *options)).code == 2


def test_a_missing_file_is_named(cli, corpus, pipeline_folder):
    ran = cli(*arguments(corpus, pipeline_folder, "--test", corpus / "none.jsonl"))
    assert ran.code == 2
    assert "none.jsonl" in ran.err

"""What is wrong with an experiment's corpora is said before any work."""

import pytest
from tests.evaluation.experiment.small import run, small

from biochunk.corpora.records import read_records, write_records
from biochunk.errors import FileFaultsError
from biochunk.evaluation.experiment.config import Arm
from biochunk.evaluation.experiment.corpus import missing_sources


def _twice(record):
    return [record, record]


def _other(record):
    return [record.model_copy(update={"dataset": "ddi"})]


def _bare(record):
    return [record.model_copy(update={"triples": []})]


def _none(record):
    return []


@pytest.mark.parametrize(
    ("part", "change", "said"),
    [
        ("train", _twice, "this id twice"),
        ("dev", _twice, "this id twice"),
        ("test", _twice, "this id twice"),
        ("test", _other, "found the dataset 'ddi', expected 'gmciht'"),
        ("train", _none, "found no record"),
    ],
)
def test_records_that_cannot_be_used(part, change, said, tmp_path, corpora, table):
    path = corpora / "gmciht" / f"{part}.jsonl"
    first, *others = read_records(path)
    write_records(path, [*change(first), *(others if change is not _none else [])])
    with pytest.raises(FileFaultsError, match=said):
        run(small(datasets={"gmciht": ["triples"]}), corpora, tmp_path / "out", table, ["chunks"])
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("datasets", "answers", "said"),
    [
        ({"gmciht": ["label"]}, {}, "found no class, expected a label of 0 or 1"),
        ({"ade": ["label", "pairs"]}, {}, "found no triple, expected some, as the task pairs"),
        ({"ade": ["label"]}, {"ade": ["static"]}, "found no triple, expected some, as answer retrieval"),
    ],
)
def test_a_task_of_which_the_records_hold_nothing(datasets, answers, said, tmp_path, corpora, table):
    for path in (corpora / "ade").glob("*.jsonl"):
        write_records(path, [bare for record in list(read_records(path)) for bare in _bare(record)])
    with pytest.raises(FileFaultsError, match=said):
        run(small(datasets=datasets, answers=answers), corpora, tmp_path / "out", table, ["chunks"])


def test_datasets_that_are_not_there_are_named(tmp_path, samples):
    experiment = small(datasets={"gmciht": ["triples"], "ddi": ["pairs"]}, views=["clean"]).experiment
    assert missing_sources(experiment, samples) == []
    (tmp_path / "clean" / "ddi").mkdir(parents=True)
    assert missing_sources(experiment, tmp_path) == [str(tmp_path / "clean" / "gmciht")]


def test_chunkers_that_cannot_be_compared_do_not_end_the_run(tmp_path, corpora, table):
    """One scored sentence: no size has the wanted mean."""
    path = corpora / "gmciht" / "test.jsonl"
    write_records(path, [next(read_records(path))])
    arms = {"hybrid": Arm(pipeline="hybrid")}
    plan = small(datasets={"gmciht": ["triples"]}, arms=arms, baseline="hybrid", inputs=["sentence"], seeds=[0])
    run(plan, corpora, tmp_path / "out", table)
    said = (tmp_path / "out" / "report.md").read_text("utf-8")
    assert "are not comparable" in said

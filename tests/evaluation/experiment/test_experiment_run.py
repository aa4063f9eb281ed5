"""A small experiment on the sample corpora from chunks to report, with a tiny static table."""

import json
import random
from collections.abc import Sequence

import pytest
from tests.evaluation.experiment.small import run, small

from biochunk.biomedrag.examples import make_example
from biochunk.biomedrag.leaks import check_gold_blind
from biochunk.corpora.records import Record, read_records, write_records
from biochunk.errors import BiochunkError, UsageError
from biochunk.evaluation.experiment.analyse import analysed, make_pipeline
from biochunk.evaluation.experiment.config import Arm
from biochunk.evaluation.experiment.corpus import find_sources
from biochunk.evaluation.experiment.layout import Layout


def test_from_corpora_to_report(tmp_path, corpora, table):
    out = tmp_path / "out"
    said = run(small(), corpora, out, table)
    results = json.loads((out / "results.json").read_text("utf-8"))
    assert {(e["dataset"], e["input"], e["arm"]) for e in results["scores"]} == {
        (d, i, a) for d in ("gmciht", "ade") for i in ("sentence", "evidence") for a in ("fixed", "hybrid")
    } | {(d, "sentence", "hybrid-scorer") for d in ("gmciht", "ade")}
    assert all(len(e["seeds"]) == 2 and 0 <= e["f1"] <= 1 for e in results["scores"])
    assert {e["arm"] for e in results["differences"]} == {"hybrid", "hybrid-scorer"}
    orders = {(e["arm"], e["order"]) for e in results["retrieval_health"]}
    assert orders >= {("hybrid", "cosine"), ("hybrid-scorer", "scorer")}
    chunkers = {e["chunker"] for e in results["answers"]}
    assert chunkers >= {"sentence", "hybrid"} and "hybrid-scorer" not in chunkers
    assert {name for e in results["scores"] if e["dataset"] == "gmciht" for name in e["relations"]} >= {
        "TREATS",
        "CAUSES",
    }
    assert all(e["p"] <= e["p_holm"] <= 1 for key in ("differences", "answer_differences") for e in results[key])
    assert all(e["task"] in ("triples", "label") and e["arm"] == "hybrid" for e in results["examples"])
    assert "near-equal pieces" in results["pipelines"]["fixed"]
    assert (out / "report.md").read_text("utf-8").startswith("# ")
    assert "</html>" in (out / "report.html").read_text("utf-8")
    assert "report.html" in said[-1]


def test_a_second_run_makes_only_what_a_change_concerns(tmp_path, corpora, table):
    out = tmp_path / "out"
    run(small(), corpora, out, table, ["chunks", "retrieval", "readers"])
    times = {path: path.stat().st_mtime_ns for path in out.rglob("*.jsonl")}
    run(small(budget=12), corpora, out, table, ["chunks", "retrieval", "readers"])
    changed = {path.relative_to(out).parts for path, time in times.items() if path.stat().st_mtime_ns != time}
    assert changed
    assert {(parts[0], parts[-2]) for parts in changed} == {("predictions", "evidence")}


@pytest.mark.parametrize("pipeline", ["fixed", "hybrid", "adaptive", "sentence"])
def test_no_arm_sees_gold(pipeline, corpora, table):
    experiment = small().experiment
    source = find_sources(experiment, corpora)[0]
    nlp = make_pipeline(Arm(pipeline=pipeline), experiment, source, table)
    check_gold_blind(lambda records: list(analysed(nlp, records)), source.records("scored"))


def test_an_arm_that_sees_gold_is_found(corpora, table):
    experiment = small().experiment
    source = find_sources(experiment, corpora)[0]
    nlp = make_pipeline(Arm(pipeline="hybrid"), experiment, source, table)

    def peeking(records: Sequence[Record]) -> list:
        found = analysed(nlp, records)
        gold = [tuple((e.start, e.end) for e in record.entities) for record in records]
        return [sentence._replace(mentions=places) for sentence, places in zip(found, gold, strict=True)]

    with pytest.raises(BiochunkError, match="depend on gold"):
        check_gold_blind(peeking, source.records("scored"))


@pytest.mark.parametrize("task", ["triples", "pairs", "label"])
def test_what_a_reader_sees_does_not_depend_on_gold(task, corpora, table):
    experiment = small().experiment
    source = find_sources(experiment, corpora)[0]
    nlp = make_pipeline(Arm(pipeline="hybrid"), experiment, source, table)

    def examples(records: Sequence[Record]) -> list:
        rows = zip(records, analysed(nlp, records), strict=True)
        return [make_example(r, s, task=task, mentions=s.mentions) for r, s in rows]

    check_gold_blind(examples, source.records("scored"), pairs=task == "pairs")


@pytest.mark.parametrize("part", ["dev", "train"])
def test_a_leaked_sentence_is_refused(part, tmp_path, corpora, table):
    """One scored sentence stands in the store's split, or in train."""
    folder = corpora / "gmciht"
    leaked = next(read_records(folder / "test.jsonl"))
    records = [*read_records(folder / f"{part}.jsonl"), leaked.model_copy(update={"id": "leak", "split": part})]
    write_records(folder / f"{part}.jsonl", records)
    plan = small(datasets={"gmciht": ["triples"]})
    with pytest.raises(BiochunkError, match=f"found 1 scored sentences in .*{leaked.id}"):
        run(plan, corpora, tmp_path / "out", table, ["chunks", "retrieval"])


def test_shuffled_labels_give_chance_level(tmp_path, corpora, table):
    """With the classes of ADE's train sentences permuted, nothing is learned that helps on test."""
    folder = corpora / "ade"
    plan = small(datasets={"ade": ["label"]}, answers={}, arms={"fixed": Arm(pipeline="fixed")}, seeds=[0, 1, 2])
    train = list(read_records(folder / "train.jsonl"))
    labels = [record.label for record in train]
    random.Random(3).shuffle(labels)
    write_records(
        folder / "train.jsonl",
        [r.model_copy(update={"label": label}) for r, label in zip(train, labels, strict=True)],
    )
    run(plan, corpora, tmp_path / "out", table)
    results = json.loads((tmp_path / "out" / "results.json").read_text("utf-8"))
    gold = [record.label for record in read_records(folder / "test.jsonl")]
    # F1 of answering 1 always is the most that a reader without knowledge can expect.
    share = sum(label == 1 for label in gold) / len(gold)
    always = 2 * share / (1 + share)
    assert all(entry["f1"] <= always + 0.1 for entry in results["scores"])


def test_a_folder_without_corpora_is_bad_usage(tmp_path, table):
    with pytest.raises(UsageError, match="found no corpus"):
        run(small(), tmp_path, tmp_path / "out", table, ["chunks"])


def test_a_missing_split_is_named(tmp_path, corpora, table):
    (corpora / "ade" / "dev.jsonl").unlink()
    with pytest.raises(UsageError, match=r"dev\.jsonl"):
        run(small(), corpora, tmp_path / "out", table, ["chunks"])


def test_layout_keeps_arms_apart(tmp_path):
    layout = Layout(tmp_path)
    paths = {
        layout.predictions("v", "d", "triples", arm, given, seed)
        for arm in ("a", "b")
        for given in ("sentence", "evidence")
        for seed in (0, 1)
    }
    assert len(paths) == 8

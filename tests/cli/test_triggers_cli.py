import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from biochunk.cli import app
from biochunk.corpora.records import Entity, Record, Triple, read_records, write_records
from biochunk.errors import BiochunkError
from biochunk.schemas import read_dataset

Run = Callable[..., Result]


def run(*args: object) -> Result:
    return CliRunner().invoke(app, ["triggers", *map(str, args)])


def sentence(i: int, head: str, middle: str, tail: str, relation: str, split: str) -> Record:
    text = f"{head} {middle} {tail}."
    start = len(head) + len(middle) + 2
    return Record(
        id=str(i),
        dataset="demo",
        split=split,
        text=text,
        entities=[
            Entity(id="h", start=0, end=len(head), text=head),
            Entity(id="t", start=start, end=start + len(tail), text=tail),
        ],
        triples=[Triple(head="h", relation=relation, tail="t")],
    )


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    rows = []
    for i, name in enumerate(["aspirin", "naproxen", "heparin", "warfarin", "insulin", "digoxin"]):
        split = "dev" if i > 4 else "train"
        rows.append(sentence(2 * i, name, "inhibits", f"enzyme {i}", "INHIBITS", split))
        rows.append(sentence(2 * i + 1, name, "alleviates", f"disease {i}", "TREATS", split))
    path = tmp_path / "corpus.jsonl"
    write_records(path, rows)
    return path


def relation(weight: float, *triggers: dict[str, Any]) -> dict[str, Any]:
    return {"definition": "A relation.", "weight": weight, "triggers": list(triggers)}


@pytest.fixture
def dataset(tmp_path: Path) -> Path:
    path = tmp_path / "demo.json"
    relations = {"INHIBITS": relation(2), "TREATS": relation(2, {"phrase": "cure", "tier": 1, "pos": "verb"})}
    path.write_text(json.dumps({"schema_version": 1, "name": "demo", "relations": relations}))
    return path


def test_triggers_learn_writes_cues_and_prints_them(corpus: Path, dataset: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    result = run("learn", corpus, "--dataset", dataset, "-o", out)
    assert result.exit_code == 0, result.output
    assert "TREATS: 1 hand, 1 new" in result.stdout
    assert result.stdout.splitlines()[-1] == f"{out}: 3 triggers (2 new, 1 kept as edited by hand)"
    relations = read_dataset(out).relations
    [inhibits] = relations["INHIBITS"].triggers
    assert (inhibits.phrase, inhibits.tier) == ("inhibits", 1)
    assert inhibits.learned is not None and inhibits.learned.count == 5
    assert [t.phrase for t in relations["TREATS"].triggers] == ["cure", "alleviates"]


def test_triggers_learn_again_into_its_result_changes_nothing(corpus: Path, dataset: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    run("learn", corpus, "--dataset", dataset, "-o", out)
    before = out.read_bytes()
    assert run("learn", corpus, "--dataset", out, "-o", out).exit_code == 0
    assert out.read_bytes() == before
    assert run("learn", corpus, "--dataset", dataset, "-o", out).exit_code == 0
    assert out.read_bytes() == before


def test_triggers_learn_keeps_other_edits_in_the_output_unless_forced(
    corpus: Path, dataset: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out.json"
    run("learn", corpus, "--dataset", dataset, "-o", out)
    edited = out.read_text().replace('"inhibits", "tier": 1', '"inhibits", "tier": 3')
    out.write_text(edited)
    refused = run("learn", corpus, "--dataset", dataset, "-o", out)
    assert isinstance(refused.exception, BiochunkError)
    assert "other edits" in str(refused.exception)
    assert out.read_text() == edited
    # With the edited file as the dataset the edit stays, and is reported.
    kept = run("learn", corpus, "--dataset", out, "-o", out)
    assert "learner: tier 1" in kept.stdout
    assert read_dataset(out).relations["INHIBITS"].triggers[0].tier == 3
    assert run("learn", corpus, "--dataset", dataset, "-o", out, "--force").exit_code == 0
    assert read_dataset(out).relations["INHIBITS"].triggers[0].tier == 1


def test_triggers_learn_does_not_overwrite_another_kind_of_file(corpus: Path, dataset: Path, tmp_path: Path) -> None:
    notes = tmp_path / "notes.txt"
    notes.write_text("mine")
    result = run("learn", corpus, "--dataset", dataset, "-o", notes)
    assert isinstance(result.exception, BiochunkError)
    assert notes.read_text() == "mine"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--split", "test"], "no record of the split 'test' (found: dev, train)"),
        (["--primary", "0.2"], "--primary >= --secondary"),
    ],
)
def test_triggers_learn_bad_usage(
    options: list[str], message: str, corpus: Path, dataset: Path, tmp_path: Path
) -> None:
    result = run("learn", corpus, "--dataset", dataset, "-o", tmp_path / "out.json", *options)
    assert isinstance(result.exception, BiochunkError)
    assert result.exception.exit_code == 2
    assert message in str(result.exception)
    assert not (tmp_path / "out.json").exists()


def test_triggers_learn_uses_all_records_where_none_is_of_train(corpus: Path, dataset: Path, tmp_path: Path) -> None:
    rows = [record.model_copy(update={"split": "all"}) for record in read_records(corpus)]
    write_records(corpus, rows)
    out = tmp_path / "out.json"
    result = run("learn", corpus, "--dataset", dataset, "-o", out)
    assert result.exit_code == 0, result.output
    assert "no record is of the split 'train'; all are used (split: 'all')" in result.stderr
    assert "Warning" not in result.stderr
    [inhibits] = read_dataset(out).relations["INHIBITS"].triggers
    assert inhibits.learned is not None and inhibits.learned.count == 6


def test_triggers_learn_uses_train_alone_wherever_it_stands(corpus: Path, dataset: Path, tmp_path: Path) -> None:
    write_records(corpus, reversed(list(read_records(corpus))))
    out = tmp_path / "out.json"
    assert "Note" not in run("learn", corpus, "--dataset", dataset, "-o", out).stderr
    [inhibits] = read_dataset(out).relations["INHIBITS"].triggers
    assert inhibits.learned is not None and inhibits.learned.count == 5


def test_triggers_learn_warns_of_a_dataset_without_triggers(corpus: Path, dataset: Path, tmp_path: Path) -> None:
    empty = {"INHIBITS": relation(2), "TREATS": relation(2)}
    dataset.write_text(json.dumps({"schema_version": 1, "name": "demo", "relations": empty}))
    result = run("learn", corpus, "--dataset", dataset, "-o", tmp_path / "out.json", "--min-count", 9)
    assert result.exit_code == 0, result.output
    assert "has 0 triggers: no cue in 10 items met the thresholds" in result.stderr


def test_triggers_learn_needs_a_relation_of_the_dataset(corpus: Path, dataset: Path, tmp_path: Path) -> None:
    dataset.write_text(dataset.read_text().replace("INHIBITS", "A").replace("TREATS", "B"))
    result = run("learn", corpus, "--dataset", dataset, "-o", tmp_path / "out.json")
    assert "found the relations INHIBITS, TREATS; expected some of the dataset's: A, B" in str(result.exception)


def test_triggers_weigh_sets_weights_and_keeps_those_named(dataset: Path, corpus: Path, tmp_path: Path) -> None:
    both = {"phrase": "inhibit", "tier": 3, "pos": "verb"}
    relations = {
        "INHIBITS": relation(1, both),
        "TREATS": relation(4, both, {"phrase": "alleviate", "tier": 1, "pos": "verb"}),
    }
    dataset.write_text(json.dumps({"schema_version": 1, "name": "demo", "relations": relations}))
    out = tmp_path / "out.json"
    result = run("weigh", corpus, "--dataset", dataset, "-o", out, "--keep", "TREATS")
    assert result.exit_code == 0, result.output
    assert "50.0% -> 100.0% of 10 items" in result.stdout
    weights = {name: r.weight for name, r in read_dataset(out).relations.items()}
    assert weights["TREATS"] == 4
    assert weights["INHIBITS"] > 4


def test_triggers_learn_says_what_it_drops(corpus: Path, dataset: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    run("learn", corpus, "--dataset", dataset, "-o", out)
    write_records(corpus, [record for record in read_records(corpus) if record.triples[0].relation == "TREATS"])
    result = run("learn", corpus, "--dataset", out, "-o", out, "--min-count", 9)
    assert result.stdout.splitlines()[-1] == (
        f"{out}: 1 trigger (1 kept as edited by hand); 2 dropped as these records do not support them"
    )


def test_triggers_weigh_uses_all_records_where_none_is_of_train(dataset: Path, corpus: Path, tmp_path: Path) -> None:
    write_records(corpus, [record.model_copy(update={"split": "all"}) for record in read_records(corpus)])
    out = tmp_path / "out.json"
    result = run("weigh", corpus, "--dataset", dataset, "-o", out)
    assert result.exit_code == 0, result.output
    assert "all are used (split: 'all')" in result.stderr
    assert f"{out}: 0 of 2 weights changed, set by 12 items" in result.stdout
    assert run("weigh", corpus, "--dataset", dataset, "-o", out, "--split", "train").exit_code != 0


def test_triggers_weigh_unknown_relation_is_bad_usage(dataset: Path, corpus: Path, tmp_path: Path) -> None:
    result = run("weigh", corpus, "--dataset", dataset, "-o", tmp_path / "o.json", "--keep", "TREAT")
    assert "found --keep TREAT, expected one of: INHIBITS, TREATS" in str(result.exception)


def test_triggers_score_prints_a_table_or_json(corpus: Path, dataset: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    run("learn", corpus, "--dataset", dataset, "-o", out)
    table = run("score", corpus, "--dataset", out, "--split", "dev")
    assert table.exit_code == 0, table.output
    assert table.stdout.splitlines()[-1].split()[:4] == ["all", "2", "100.0%", "100.0%"]
    rates = json.loads(run("score", corpus, "--dataset", out, "--format", "json").stdout)
    assert rates["INHIBITS"]["items"] == 6
    assert rates["all"]["gold fired"] == 1.0


@pytest.mark.parametrize(
    ("options", "found"),
    [([], "found neither --dataset nor"), (["--dataset", "a.json", "--pipeline", "b"], "found both --dataset and")],
)
def test_triggers_score_needs_one_source(options: list[str], found: str, corpus: Path) -> None:
    result = run("score", corpus, *options)
    assert isinstance(result.exception, BiochunkError)
    assert result.exception.exit_code == 2
    assert found in str(result.exception)


def test_triggers_score_takes_a_shipped_dataset_by_name(corpus: Path) -> None:
    result = run("score", corpus, "--dataset", "gmciht", "--format", "json")
    assert result.exit_code == 0, result.output
    assert "INHIBITS" in json.loads(result.stdout)


def test_triggers_score_takes_a_saved_pipeline(corpus: Path, pipeline_folder: str) -> None:
    result = run("score", corpus, "--pipeline", pipeline_folder, "--format", "json")
    assert result.exit_code == 0, result.output
    rates = json.loads(result.stdout)
    assert rates["INHIBITS"]["items"] == 6
    assert rates["INHIBITS"]["gold fired"] == rates["INHIBITS"]["gold on top"] == 1.0


def test_triggers_score_of_no_pipeline_is_bad_usage(corpus: Path, tmp_path: Path) -> None:
    result = run("score", corpus, "--pipeline", tmp_path / "none")
    assert isinstance(result.exception, BiochunkError)
    assert result.exception.exit_code == 2

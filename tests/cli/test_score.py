"""`biochunk score`."""

import json

import pytest
from tests.biomedrag.released import line, published_counts

HIT = {"head": "aspirin", "relation": "INHIBITS", "tail": "COX-2"}
MISS = {"head": "aspirin", "relation": "AFFECTS", "tail": "COX-1"}


@pytest.fixture
def unified(tmp_path):
    path = tmp_path / "predictions.jsonl"
    lines = [
        {"id": "1", "triples": [HIT], "gold": {"triples": [HIT]}},
        {"id": "2", "triples": None, "gold": {"triples": [MISS, MISS]}},
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in lines))
    return path


def test_published_scores_of_biomedrag(cli, tmp_path):
    path = tmp_path / "predictions.json"
    path.write_text("\n".join(published_counts()))
    ran = cli("score", path, "--format", "biomedrag")
    assert ran.code == 0
    assert "F1 0.8142548596112312 (P 0.8177874186550976, R 0.810752688172043)" in ran.out.splitlines()
    row = next(row for row in ran.out.splitlines() if row.startswith("head "))
    assert row.split() == ["head", "0.9244", "0.9284", "0.9204", "428", "461", "465"]
    assert "could not be read, counted as nothing predicted: 4 (line 462, line 463, line 464, line 465)" in ran.out


def test_json_holds_the_same(cli, tmp_path):
    path = tmp_path / "predictions.json"
    path.write_text("\n".join(published_counts() * 2))
    data = json.loads(cli("score", path, "--format", "biomedrag", "--json").out)
    assert (data["f1"], data["items"], data["exact_items"]) == (0.8142548596112312, 930, 754)
    assert data["scores"]["triple"]["right"] == 754
    assert data["relations"]["INHIBITS"]["gold"] == 930
    assert data["scores"]["head"]["f1"] == 0.9244060475161987
    assert len(data["unread"]) == 8
    assert data["f1_interval"][0] < data["f1"] < data["f1_interval"][1]
    assert data["notes"] == [
        "465 of 930 items repeat the sentence and the gold of an earlier one; the metric counts them again."
    ]


def test_our_own_file_scores_itself(cli, unified):
    ran = cli("score", unified)
    assert ran.code == 0
    assert "F1 0.6666666666666666 (P 1.0, R 0.5)" in ran.out
    assert "nothing predicted: 1 (line 2)" in ran.out
    assert "counted once with it: 1" in ran.out
    assert "INHIBITS 1.0000 1.0000 1.0000 1 1 1" in [" ".join(row.split()) for row in ran.out.splitlines()]


def test_gold_of_a_corpus(cli, unified, tmp_path):
    records = [{"id": str(i), "dataset": "d", "split": "dev", "text": "x"} for i in (1, 2, 3)]
    (tmp_path / "gold.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    data = json.loads(cli("score", unified, "--gold", tmp_path / "gold.jsonl", "--json").out)
    assert data["scores"]["triple"] == {"precision": 0, "recall": 0, "f1": 0, "right": 0, "predicted": 1, "gold": 0}
    assert data["missing"] == ["3"]


def test_class_one(cli, tmp_path):
    path = tmp_path / "ade.jsonl"
    path.write_text('{"id": "1", "label": 1, "gold": {"label": 1}}\n{"id": "2", "label": 0, "gold": {"label": 1}}\n')
    ran = cli("score", path)
    assert "F1 of class 1 0.6666666666666666 (P 1.0, R 0.5)" in ran.out
    assert "relation" not in ran.out


@pytest.mark.parametrize(
    ("text", "options", "code", "says"),
    [
        ('{"id": "1", "triples": []}\n', [], 1, "line 1.gold: found no gold"),
        ('{"id": "1", "gold": {}}\n{"id": \n{}\n', [], 1, "line 2"),
        (line("a|R|b", "") + "\n{}\n", ["--format", "biomedrag"], 1, "line 2.ground_truth: found nothing"),
        ("[]", [], 1, "line 1: found no JSON object"),
        ("[]", ["--format", "biomedrag"], 1, "line 1: found no JSON object"),
        ("", [], 1, "line 1: found an empty file"),
        ("", ["--format", "biomedrag", "--gold", "x"], 2, "found --gold with --format biomedrag"),
        (None, [], 2, "No such file"),
        (f'{{"id": "1", "label": {"9" * 5000}, "gold": {{"label": 1}}}}', [], 1, "line 1: found a number"),
        ('{"id": "1", "text": "x"}\n' * 30, [], 1, "and 20 more faults"),
        (line("a|R|b", "a treats b"), ["--format", "biomedrag"], 1, "found no answer that can be read in 1 line"),
    ],
)
def test_errors(cli, tmp_path, text, options, code, says):
    if text is not None:
        (tmp_path / "p.jsonl").write_text(text)
    ran = cli("score", tmp_path / "p.jsonl", *options)
    assert (ran.code, ran.out) == (code, "")
    assert ran.err.startswith("Error: ") and says in ran.err and "Traceback" not in ran.err


def test_relation_that_cannot_be_printed_ends_no_report(cli, tmp_path):
    triple = r'{"head": "a", "relation": "R\ud800", "tail": "b"}'
    (tmp_path / "p.json").write_text(f'{{"ground_truth": "a|R\\ud800|b", "predicted": "p"}}\n{line("a|R|b", "a|R|b")}')
    ran = cli("score", tmp_path / "p.json", "--format", "biomedrag")
    assert "Traceback" not in ran.err
    (tmp_path / "p.jsonl").write_text(f'{{"id": "1", "triples": [{triple}], "gold": {{"triples": [{triple}]}}}}')
    ran = cli("score", tmp_path / "p.jsonl")
    assert "Traceback" not in ran.err


def test_label_that_nobody_asked_for_is_counted(cli, tmp_path):
    (tmp_path / "p.jsonl").write_text(
        '{"id": "1", "label": 1, "gold": {}}\n{"id": "2", "label": 1, "gold": {"label": 1}}'
    )
    assert "1 predicted label without a gold label: not scored." in cli("score", tmp_path / "p.jsonl").out

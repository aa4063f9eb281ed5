"""Our own predictions files."""

import json

import pytest

from biochunk.biomedrag.items import Answer, Example, Gold, GoldTriple, Mention, PairAnswer, Triple
from biochunk.biomedrag.metrics import score_answers
from biochunk.biomedrag.predictions import Prediction, make_prediction, read_predictions, write_predictions
from biochunk.corpora.records import Entity, Record, write_records
from biochunk.corpora.records import Triple as RecordTriple
from biochunk.errors import FileFaultsError

HIT = {"head": "aspirin", "relation": "INHIBITS", "tail": "COX-2"}
MISS = {**HIT, "tail": "COX-1"}


@pytest.fixture
def write(tmp_path):
    def write(*lines):
        path = tmp_path / "predictions.jsonl"
        path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
        return path

    return write


@pytest.fixture
def corpus(tmp_path):
    """Two records with a triple, one without."""
    text = "aspirin inhibits COX-2"
    entities = [Entity(id="e1", start=0, end=7, text="aspirin"), Entity(id="e2", start=17, end=22, text="COX-2")]
    triple = RecordTriple(head="e1", relation="INHIBITS", tail="e2")
    records = [
        Record(id=id, dataset="d", split="dev", text=text, entities=entities, triples=[triple] * (id != "none"))
        for id in ("one", "none", "two")
    ]
    write_records(tmp_path / "gold.jsonl", records)
    return tmp_path / "gold.jsonl"


def test_gold_in_the_line(write):
    path = write(
        {"id": "1", "triples": [HIT, MISS], "gold": {"triples": [HIT]}},
        {"id": "2", "triples": [], "gold": {"triples": []}},
        {"id": "3", "triples": None, "gold": {"triples": [HIT]}},
    )
    scored = read_predictions(path)
    assert scored.scores().main.score()[3:] == (1, 2, 2)
    assert (scored.unread, scored.missing) == (["line 3"], [])


def test_gold_of_a_corpus_counts_instead(write, corpus):
    path = write({"id": "two", "triples": [HIT], "gold": {"triples": [MISS]}}, {"id": "none", "triples": [MISS]})
    scored = read_predictions(path, corpus)
    # In the corpus's order, and a record without a line is a miss.
    counts = scored.scores().main
    assert (counts.right.tolist(), counts.predicted.tolist(), counts.gold.tolist()) == ([0, 0, 1], [0, 1, 1], [1, 0, 1])
    assert (scored.missing, scored.unread) == (["one"], [])


def test_classes(write):
    path = write(
        {"id": "1", "label": 1, "gold": {"label": 1}},
        {"id": "2", "label": 1, "gold": {"label": 0}},
        {"id": "3", "gold": {"label": 1}},
    )
    scored = read_predictions(path)
    assert list(scored.scores().counts) == ["label"]
    assert scored.scores().main.score()[3:] == (1, 2, 2)
    assert scored.unread == ["line 3"]


def test_triples_and_classes_are_both_scored(write):
    path = write({"id": "1", "triples": [HIT], "label": 0, "gold": {"triples": [HIT], "label": 1}})
    scores = read_predictions(path).scores()
    assert scores.main.score().f1 == 1
    assert scores.counts["label"].score().f1 == 0


def test_class_of_a_corpus(tmp_path, write):
    records = [
        Record(id=str(i), dataset="ade", split="test", text="x", label=label) for i, label in enumerate((1, "0"))
    ]
    write_records(tmp_path / "gold.jsonl", records)
    path = write({"id": "0", "label": 1}, {"id": "1", "label": 0})
    assert read_predictions(path, tmp_path / "gold.jsonl").scores().main.exact.all()
    write_records(tmp_path / "bad.jsonl", [records[0].model_copy(update={"label": "ADE"})])
    with pytest.raises(FileFaultsError, match="record '0': label: found 'ADE', expected a whole number"):
        read_predictions(write({"id": "0"}), tmp_path / "bad.jsonl")


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ({"id": "2", "triples": []}, "line 2.gold: found no gold, expected gold in the line, or a corpus"),
        ({"id": "1", "triples": [], "gold": {}}, "line 2.id: found '1', as on line 1, expected each id once"),
        ({"id": "2", "tripels": [], "gold": {}}, "line 2.tripels: found the unknown key 'tripels', expected 'triples'"),
        ({"id": "2", "triples": [{"head": "a", "tail": "b"}], "gold": {}}, "line 2.triples.0.relation: found nothing"),
        ({"id": "2", "label": "1", "gold": {}}, 'line 2.label: found "1", expected a whole number'),
        ({"triples": []}, "line 2.id: found nothing"),
    ],
)
def test_bad_line_is_named(write, line, says):
    with pytest.raises(FileFaultsError) as error:
        read_predictions(write({"id": "1", "triples": [], "gold": {}}, line))
    assert f"predictions.jsonl: {says}" in str(error.value)


def test_line_of_no_record_is_named(write, corpus):
    with pytest.raises(FileFaultsError, match=r"line 2.id: found 'three', expected the id of a record of .*gold.jsonl"):
        read_predictions(write({"id": "one"}, {"id": "three"}), corpus)


def test_corpus_with_an_id_twice(tmp_path, write):
    write_records(tmp_path / "gold.jsonl", [Record(id="1", dataset="d", split="dev", text="x")] * 2)
    with pytest.raises(FileFaultsError, match="record '1': found this id twice"):
        read_predictions(write({"id": "1"}), tmp_path / "gold.jsonl")


def test_array_is_read_too(tmp_path):
    (tmp_path / "a.json").write_text(json.dumps([{"id": "1", "triples": None, "gold": {"triples": [HIT]}}]))
    assert read_predictions(tmp_path / "a.json").unread == ["item 1"]


@pytest.mark.parametrize("task", ["triples", "pairs", "label"])
def test_written_file_scores_as_the_answers_do(tmp_path, task):
    head, tail = Mention("aspirin", 0, 7), Mention("COX-2", 17, 22)
    stated = (GoldTriple(head, "INHIBITS", tail),)
    examples = [Example(str(i), "aspirin inhibits COX-2", pairs=((head, tail),)) for i in range(3)]
    if task == "label":
        gold = [Gold(label=label) for label in (1, 0, 1)]
        answers = [Answer(label=label) for label in (1, 1, 0)]
    else:
        gold = [Gold(stated, (PairAnswer("INHIBITS", True),)), Gold((), (None,)), Gold(stated)]
        answers = [
            Answer((Triple("Aspirin", "INHIBITS", "COX-2"),), (PairAnswer("INHIBITS", True),)),
            Answer((Triple("aspirin", "INHIBITS", "COX-2"),), (PairAnswer("INHIBITS", False),)),
            Answer((), (None,)),
        ]
    path = tmp_path / "predictions.jsonl"
    rows = zip(examples, answers, gold, strict=True)
    write_predictions(path, (make_prediction(*row, task=task, meta={"text": row[0].text}) for row in rows))
    found = read_predictions(path).scores()
    expected = score_answers(examples, answers, gold, task=task)
    assert found.main.score() == expected.main.score()
    assert found.main.score()[3:] == (1, 2, 2)
    assert found.relations == expected.relations
    first = Prediction.model_validate_json(path.read_text().splitlines()[0])
    assert (first.id, first.meta) == ("0", {"text": "aspirin inhibits COX-2"})

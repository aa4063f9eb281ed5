"""The sample corpora under corpora/samples: valid, no leakage between splits, every relation covered."""

import json
import re
from collections import Counter
from pathlib import Path

import pytest

from biochunk.corpora.records import Record, read_records

ROOT = Path(__file__).parents[2]
SAMPLES = ROOT / "corpora" / "samples"
DATASETS = ("ade", "chemprot", "ddi", "gmciht")
SPLITS = ("train", "dev", "test")


def _records(name: str) -> list[Record]:
    return [record for split in SPLITS for record in read_records(SAMPLES / name / f"{split}.jsonl")]


def _normalised(text: str) -> str:
    return re.sub(r"[\W_]", "", text.lower())


@pytest.fixture(scope="module", params=DATASETS)
def name(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture(scope="module")
def records(name: str) -> list[Record]:
    return _records(name)


def test_samples_say_where_they_stand(name: str) -> None:
    for split in SPLITS:
        read = list(read_records(SAMPLES / name / f"{split}.jsonl"))
        assert read
        assert {(record.dataset, record.split) for record in read} == {(name, split)}


def test_samples_are_enough(records: list[Record]) -> None:
    assert len(records) >= 60


def test_samples_have_unique_ids(records: list[Record]) -> None:
    counts = Counter(record.id for record in records)
    assert [key for key, count in counts.items() if count > 1] == []


def test_samples_hold_no_sentence_twice(records: list[Record]) -> None:
    """Neither within a split nor across splits, whatever the case, the spacing and the punctuation."""
    counts = Counter(_normalised(record.text) for record in records)
    assert [key for key, count in counts.items() if count > 1] == []


def test_samples_hold_no_annotation_marks(records: list[Record]) -> None:
    """Samples are clean text: no padded mention, no break, no space at an edge."""
    assert [record.id for record in records if record.text != record.text.strip()] == []
    assert [record.id for record in records if re.search(r"\s\s|[\n\t{}|]| [.,;:)]", record.text)] == []


def test_samples_mark_whole_words(records: list[Record]) -> None:
    """A mention neither starts nor ends inside a word."""
    cut = []
    for record in records:
        for entity in record.entities:
            edges = (entity.start, entity.end)
            if any(re.fullmatch(r"\w\w", record.text[max(edge - 1, 0) : edge + 1]) for edge in edges):
                cut.append((record.id, entity.text))
    assert cut == []


def test_samples_hold_no_triple_twice(records: list[Record]) -> None:
    for record in records:
        triples = [(triple.head, triple.relation, triple.tail) for triple in record.triples]
        assert len(set(triples)) == len(triples), record.id
        assert all(head != tail for head, _, tail in triples), record.id


def test_samples_cover_relations(name: str, records: list[Record]) -> None:
    """Every relation of the dataset file occurs, in train too, and the samples use no other."""
    path = ROOT / "configs" / "datasets" / f"{name}.json"
    dataset = json.loads(path.read_text(encoding="utf8"))
    relations = set(dataset["relations"])
    if dataset.get("task") == "classification":
        # A class is annotated; other relations of the file only compete with it and have no gold.
        relations = {"ADE"}
    assert {triple.relation for record in records for triple in record.triples} == relations
    train = {triple.relation for record in records if record.split == "train" for triple in record.triples}
    assert train == relations


def test_samples_of_ade_have_both_classes_in_each_split() -> None:
    by_split: dict[str, Counter[object]] = {split: Counter() for split in SPLITS}
    for record in _records("ade"):
        by_split[record.split][record.label] += 1
        assert bool(record.triples) == (record.label == 1), record.id
    for counts in by_split.values():
        assert set(counts) == {0, 1}
        assert 0.4 <= counts[1] / counts.total() <= 0.6


def test_samples_of_gmciht_carry_each_predicate_in_each_split() -> None:
    seen: dict[str, set[str]] = {split: set() for split in SPLITS}
    for record in _records("gmciht"):
        assert record.label is None
        seen[record.split].update(triple.relation for triple in record.triples)
    assert len(seen["train"]) == 22
    assert seen["train"] == seen["dev"] == seen["test"]

"""The four dataset files that come with the package."""

import json
from pathlib import Path

import pytest

from biochunk.chunking.lexicon import surface_forms
from biochunk.dataset_text import dataset_text
from biochunk.schemas import dataset_json_schema, read_dataset

FOLDER = Path(__file__).parents[1] / "configs" / "datasets"
NAMES = ["ade", "chemprot", "ddi", "gmciht"]

# Labels as the data has them.
LABELS = {
    "gmciht": {
        "ADMINISTERED_TO",
        "AFFECTS",
        "ASSOCIATED_WITH",
        "AUGMENTS",
        "CAUSES",
        "COEXISTS_WITH",
        "COMPLICATES",
        "DIAGNOSES",
        "DISRUPTS",
        "DOES_NOT_TREAT",
        "INHIBITS",
        "INTERACTS_WITH",
        "MANIFESTATION_OF",
        "PRECEDES",
        "PREDISPOSES",
        "PREVENTS",
        "PROCESS_OF",
        "PRODUCES",
        "STIMULATES",
        "SYMPTOM_OF",
        "TREATS",
        "USES",
    },
    "ddi": {"mechanism", "effect", "advise", "int"},
    "chemprot": {"ACTIVATOR", "AGONIST", "ANTAGONIST", "DOWNREGULATOR", "PRODUCT-OF"},
    "ade": {"ADE", "INDICATION"},
}

# arXiv 2608.31139, §3.7.
PAPER_WEIGHTS = {
    "TREATS": 4,
    "INHIBITS": 3,
    "STIMULATES": 3,
    "CAUSES": 3,
    "PREVENTS": 3,
    "AFFECTS": 2,
    "INTERACTS_WITH": 2,
    "COEXISTS_WITH": 1,
}

# The tiers that the paper names (§3.6), and "reduces" of its worked example.
PAPER_TIERS = [
    ("INHIBITS", "inhibit", 1),
    ("TREATS", "therapy", 1),
    ("STIMULATES", "activate", 1),
    ("INHIBITS", "block", 2),
    ("TREATS", "prescribe", 2),
    ("STIMULATES", "enhance", 2),
    ("AFFECTS", "reduce", 3),
    ("TREATS", "medication", 3),
]


def test_datasets_are_the_four_and_their_schema() -> None:
    assert sorted(path.stem for path in FOLDER.glob("*.json")) == [*NAMES, "schema"]


def test_datasets_published_schema_is_that_of_the_code() -> None:
    assert json.loads((FOLDER / "schema.json").read_text("utf8")) == dataset_json_schema()


@pytest.mark.parametrize("name", NAMES)
def test_datasets_file_is_valid_and_named_after_its_dataset(name: str) -> None:
    dataset = read_dataset(FOLDER / f"{name}.json")
    assert dataset.name == name
    assert dataset.description
    assert dataset.context_markers


@pytest.mark.parametrize("name", NAMES)
def test_datasets_file_is_laid_out_as_the_learner_writes_it(name: str) -> None:
    path = FOLDER / f"{name}.json"
    assert path.read_text("utf8") == dataset_text(read_dataset(path))


@pytest.mark.parametrize("name", NAMES)
def test_datasets_every_label_has_a_definition_and_triggers(name: str) -> None:
    relations = read_dataset(FOLDER / f"{name}.json").relations
    assert set(relations) == LABELS[name]
    for relation in relations.values():
        assert relation.definition.endswith(".")
        assert relation.definition.count(". ") == 0
        assert relation.triggers


@pytest.mark.parametrize("name", NAMES)
def test_datasets_triggers_learned_and_written_by_hand_stand_side_by_side(name: str) -> None:
    triggers = [t for r in read_dataset(FOLDER / f"{name}.json").relations.values() for t in r.triggers]
    learned = [t.learned is not None for t in triggers]
    assert any(learned)
    assert not all(learned)


@pytest.mark.parametrize("name", NAMES)
def test_datasets_a_relation_writes_each_form_once(name: str) -> None:
    for label, relation in read_dataset(FOLDER / f"{name}.json").relations.items():
        forms = [form.text.lower() for trigger in relation.triggers for form in surface_forms(trigger)]
        twice = sorted({form for form in forms if forms.count(form) > 1})
        assert not twice, f"{name}: {label}"


def test_datasets_gmciht_keeps_the_paper_s_weights() -> None:
    relations = read_dataset(FOLDER / "gmciht.json").relations
    assert {label: relations[label].weight for label in PAPER_WEIGHTS} == PAPER_WEIGHTS
    assert all(relation.weight >= 1 for relation in relations.values())


@pytest.mark.parametrize(("label", "phrase", "tier"), PAPER_TIERS)
def test_datasets_gmciht_keeps_the_paper_s_tiers(label: str, phrase: str, tier: int) -> None:
    triggers = read_dataset(FOLDER / "gmciht.json").relations[label].triggers
    assert {t.phrase: t.tier for t in triggers}[phrase] == tier


@pytest.mark.parametrize(("name", "padding"), [("gmciht", True), ("chemprot", True), ("ddi", False), ("ade", False)])
def test_datasets_padding_rule_only_where_mentions_are_padded(name: str, padding: bool) -> None:
    assert ("padding" in read_dataset(FOLDER / f"{name}.json").entities.rules) is padding

"""Parameters of a dataset tried on the components: `biochunk.parameters`, `config check` and `build`."""

import json
from pathlib import Path
from typing import Any

import pytest
import spacy
from typer.testing import CliRunner

from biochunk.cli import app
from biochunk.errors import FileFaultsError
from biochunk.parameters import check_parameters
from biochunk.schemas import check_dataset

RELATIONS = {"TREATS": {"definition": "A drug treats a disease.", "weight": 4}}


def make(parameters: dict[str, Any]) -> dict[str, Any]:
    return {"schema_version": 1, "name": "demo", "relations": RELATIONS, "parameters": parameters}


# component, options, option at fault, what is found, what is expected
REFUSED = [
    ("hybrid_selector", {"width": 3, "stride": 9}, "width", "3", "at least stride"),
    ("hybrid_selector", {"stride": 9}, "width", "8 (the default)", "at least stride"),
    ("hybrid_selector", {"min_tokens": 50}, "max_tokens", "12 (the default)", "at least min_tokens"),
    ("hybrid_selector", {"max_tokens": 2}, "max_tokens", "2", "at least min_tokens"),
    ("bio_entity_spans", {"source": "nope"}, "source", "'nope'", "an installed spaCy pipeline"),
]


@pytest.mark.parametrize(("component", "options", "option", "found", "expected"), REFUSED)
def test_parameters_that_a_component_refuses_are_a_fault_at_the_option(
    component: str, options: dict[str, Any], option: str, found: str, expected: str
) -> None:
    with pytest.raises(FileFaultsError) as caught:
        check_parameters(check_dataset(make({component: options})), "demo.json")
    [fault] = caught.value.faults
    assert (fault.where, fault.found) == (f"parameters.{component}.{option}", found)
    assert expected in fault.expected


def test_parameters_name_a_recogniser_that_is_broken(tmp_path: Path) -> None:
    with pytest.raises(FileFaultsError) as caught:
        check_parameters(check_dataset(make({"bio_entity_spans": {"source": str(tmp_path)}})), "demo.json")
    assert caught.value.faults[0].where == "parameters.bio_entity_spans.source"


def test_parameters_of_every_component_are_reported_at_once() -> None:
    parameters = {"bio_entity_spans": {"source": "nope"}, "hybrid_selector": {"stride": 9}}
    with pytest.raises(FileFaultsError) as caught:
        check_parameters(check_dataset(make(parameters)), "demo.json")
    assert len(caught.value.faults) == 2


@pytest.mark.parametrize(
    "parameters",
    [
        {},
        {"hybrid_selector": {"width": 12, "stride": 9}, "relation_resolver": {"mode": "lexicographic"}},
        {"bio_entity_spans": {"source": "ents"}, "proposition_extractor": {"patterns": ["infix"]}},
    ],
)
def test_parameters_that_agree_are_accepted(parameters: dict[str, Any]) -> None:
    check_parameters(check_dataset(make(parameters)), "demo.json")


def test_parameters_may_name_a_saved_recogniser(tmp_path: Path) -> None:
    spacy.blank("en").to_disk(tmp_path / "ner")
    check_parameters(check_dataset(make({"bio_entity_spans": {"source": str(tmp_path / "ner")}})), "demo.json")


@pytest.mark.parametrize("command", [["config", "check"], ["build", "-o", "out"]])
def test_check_and_build_refuse_the_same_parameters(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "demo.json"
    path.write_text(json.dumps(make({"hybrid_selector": {"stride": 9}})))
    result = CliRunner().invoke(app, [*command, str(path)])
    assert result.exit_code == 1
    assert "parameters.hybrid_selector.width: found 8" in result.stderr + str(result.exception)
    assert not (tmp_path / "out").exists()


def test_config_check_takes_shipped_names() -> None:
    result = CliRunner().invoke(app, ["config", "check", "gmciht", "ade"])
    assert result.exit_code == 0
    assert result.stdout.count(": ok, ") == 2


def test_config_check_of_an_unknown_name_is_bad_usage() -> None:
    result = CliRunner().invoke(app, ["config", "check", "gmchit"])
    assert result.exit_code != 0
    assert "one of: ade, chemprot, ddi, gmciht" in str(result.exception)

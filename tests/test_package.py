"""Pipelines on disk: `biochunk.package`, `biochunk.folders`."""

import json
import os
import subprocess
import sys
import zipfile
from email.parser import Parser
from pathlib import Path
from typing import Any

import pytest
import spacy
from spacy.language import Language

from biochunk.build import build_pipeline
from biochunk.errors import BiochunkError, UsageError
from biochunk.folders import whole_folder
from biochunk.package import save_pipeline
from biochunk.schemas import check_dataset

TEXT = "Aspirin inhibits COX-2 expression in human platelets."
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
def nlp(tmp_path: Path, tiny_static_encoder: Any) -> Language:
    tiny_static_encoder(["drug", "aspirin", "cox", "inhibits", "activity"]).to_disk(tmp_path / "table")
    return build_pipeline(check_dataset(DATASET), encoder=tmp_path / "table")


def listing(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


def test_saved_folder_loads(tmp_path: Path, nlp: Language) -> None:
    assert save_pipeline(nlp, tmp_path / "deep" / "saved") is None
    assert [c.text for c in spacy.load(tmp_path / "deep" / "saved")(TEXT)._.bio_chunks] == [
        c.text for c in nlp(TEXT)._.bio_chunks
    ]
    assert listing(tmp_path / "deep")[0] == "saved"


def test_saved_pipeline_is_replaced(tmp_path: Path, nlp: Language) -> None:
    save_pipeline(nlp, tmp_path / "saved")
    (tmp_path / "saved" / "left_over").write_text("x")
    nlp.meta["version"] = "0.2.0"
    save_pipeline(nlp, tmp_path / "saved")
    assert spacy.load(tmp_path / "saved").meta["version"] == "0.2.0"
    assert not (tmp_path / "saved" / "left_over").exists()


def test_other_content_is_never_replaced(tmp_path: Path, nlp: Language) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("x")
    (tmp_path / "file").write_text("x")
    for name in ("mine", "file"):
        with pytest.raises(UsageError, match=f"{name}', expected"):
            save_pipeline(nlp, tmp_path / name)
    assert listing(tmp_path / "mine") == ["thesis.txt"]


def test_failure_leaves_what_stood_there(tmp_path: Path, nlp: Language, monkeypatch: pytest.MonkeyPatch) -> None:
    save_pipeline(nlp, tmp_path / "saved")
    before = listing(tmp_path)

    def fail(self: Language, path: Path) -> None:
        (path / "half").write_text("x")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Language, "to_disk", fail)
    with pytest.raises(BiochunkError, match=r"saved': No space left on device"):
        save_pipeline(nlp, tmp_path / "saved")
    assert listing(tmp_path) == before


def test_folder_behind_a_link_is_replaced_not_the_link(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    with whole_folder(tmp_path / "link") as part:
        (part / "new").write_text("x")
    assert (tmp_path / "link").is_symlink()
    assert listing(tmp_path / "real") == ["new"]


def test_local_path_cannot_be_packaged(tmp_path: Path, nlp: Language) -> None:
    nlp.config["training"]["before_to_disk"] = {"@callbacks": "x", "path": str(tmp_path)}
    with pytest.raises(BiochunkError, match=r"training\.before_to_disk\.path"):
        save_pipeline(nlp, tmp_path / "saved", wheel=True)
    assert not (tmp_path / "saved").exists()


# spaCy's packager leaves the small files that it writes to the garbage collector.
_spacy_package = pytest.mark.filterwarnings("ignore:unclosed file:ResourceWarning")


@pytest.mark.slow
@_spacy_package
def test_wheel_is_complete_and_the_same_every_time(tmp_path: Path, nlp: Language) -> None:
    first, second = (save_pipeline(nlp, tmp_path / name, wheel=True) for name in ("one", "two"))
    assert first is not None and second is not None
    assert first.read_bytes() == second.read_bytes()
    with zipfile.ZipFile(first) as wheel:
        names = wheel.namelist()
        (metadata,) = [name for name in names if name.endswith(".dist-info/METADATA")]
        needs = Parser().parsestr(wheel.read(metadata).decode()).get_all("Requires-Dist")
        assert all(str(tmp_path).encode() not in wheel.read(name) for name in names)
    assert needs is not None
    assert sorted(need.split("<")[0].split(">")[0] for need in needs) == ["biochunk", "spacy"]
    model = "en_biochunk_tiny/en_biochunk_tiny-0.1.0"
    assert f"{model}/hybrid_selector/encoder/table.safetensors" in names
    assert f"{model}/trigger_tagger/knowledge.json" in names


@pytest.mark.slow
def test_wheel_is_the_same_from_every_process(tmp_path: Path, tiny_static_encoder: Any) -> None:
    """Sets and dicts are in another order under another hash seed; the files are not."""
    tiny_static_encoder(["drug", "inhibits", "activity"]).to_disk(tmp_path / "table")
    (tmp_path / "tiny.json").write_text(json.dumps(DATASET), encoding="utf8")
    build = [sys.executable, "-m", "biochunk", "build", "tiny.json", "--encoder", "table", "--package", "-o"]
    for seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        subprocess.run([*build, seed], cwd=tmp_path, env=environment, check=True, capture_output=True)
    one, two = (next((tmp_path / seed / "dist").glob("*.whl")).read_bytes() for seed in ("1", "2"))
    assert one == two


@pytest.mark.slow
@_spacy_package
def test_installed_wheel_loads_by_name_from_anywhere(tmp_path: Path, nlp: Language) -> None:
    wheel = save_pipeline(nlp, tmp_path / "saved", wheel=True)
    target = tmp_path / "site"
    pip = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-deps",
        "--no-index",
        "--target",
        str(target),
    ]
    subprocess.run([*pip, str(wheel)], check=True)
    (tmp_path / "saved").rename(tmp_path / "gone")
    code = (
        f"import spacy; doc = spacy.load('en_biochunk_tiny')({TEXT!r}); "
        "print(*(chunk.text for chunk in doc._.bio_chunks), sep='|')"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={"PYTHONPATH": str(target), "PATH": ""},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip().split("|") == [c.text for c in nlp(TEXT)._.bio_chunks]

"""The repository's own files agree with the package: project.yml, constraints, configs, README."""

import json
import re
import shutil
import subprocess
import sys
import zipfile
from importlib.metadata import entry_points, metadata, requires
from pathlib import Path
from typing import Any

import pytest
import typer
from packaging.requirements import Requirement
from weasel.util.config import load_project_config

from biochunk.build import build_pipeline
from biochunk.cli import app
from biochunk.schemas import check_dataset, read_dataset
from biochunk.shipped import shipped_file, shipped_names

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def project() -> dict[str, Any]:
    return load_project_config(ROOT)


@pytest.fixture(scope="module")
def readme() -> str:
    return (ROOT / "README.md").read_text(encoding="utf8")


def command_names() -> set[str]:
    """All commands of the command line, groups as two words."""
    root = typer.main.get_command(app)
    names = set()
    for name, command in root.commands.items():
        inner = getattr(command, "commands", None)
        names |= {f"{name} {sub}" for sub in inner} if inner else {name}
    return names


def test_project_commands_find_their_files(project: dict[str, Any]) -> None:
    """Every dependency is in the repository, an asset, or made by an earlier command."""
    made = {asset["dest"] for asset in project["assets"]}
    for command in project["commands"]:
        for dep in command.get("deps", ()):
            assert (ROOT / dep).exists() or any(out.startswith(dep) for out in made), (command["name"], dep)
        made |= set(command.get("outputs", ()))


def test_project_builds_every_shipped_dataset(project: dict[str, Any]) -> None:
    commands = {command["name"]: command for command in project["commands"]}
    built = {re.search(r"configs/datasets/(\w+)\.json", line)[1] for line in commands["assemble"]["script"]}
    assert built == set(shipped_names("datasets"))
    installed = set(re.findall(r"dist/en_biochunk_(\w+)-", " ".join(commands["install"]["script"])))
    assert installed == built


def test_project_depends_on_every_component_file(project: dict[str, Any]) -> None:
    """What a saved pipeline holds is decided in these files: an edit must build the pipelines anew."""
    (assemble,) = [command for command in project["commands"] if command["name"] == "assemble"]
    files = {str(path.relative_to(ROOT)) for path in (ROOT / "src/biochunk/pipeline").glob("*.py")}
    assert files - set(assemble["deps"]) <= {
        "src/biochunk/pipeline/__init__.py",
        "src/biochunk/pipeline/load.py",
        "src/biochunk/pipeline/spacy_load.py",
    }


def test_project_calls_commands_that_exist(project: dict[str, Any]) -> None:
    for command in project["commands"]:
        for line in command["script"]:
            if line.startswith("python -m biochunk "):
                words = line.split()[3:5]
                assert {words[0], " ".join(words)} & command_names(), line


def test_constraints_lie_within_the_requirements() -> None:
    wanted: dict[str, list[Requirement]] = {}
    for text in requires("biochunk") or ():
        requirement = Requirement(text)
        wanted.setdefault(requirement.name, []).append(requirement)
    for line in (ROOT / "constraints.txt").read_text(encoding="utf8").splitlines():
        if line and not line.startswith("#"):
            name, version = line.split("==")
            assert all(requirement.specifier.contains(version) for requirement in wanted[name]), line


@pytest.mark.parametrize("name", shipped_names("datasets"))
def test_shipped_dataset_is_right_and_has_its_own_name(name: str) -> None:
    assert read_dataset(shipped_file("datasets", name)).name == name


def test_readme_lists_every_command(readme: str) -> None:
    assert set(re.findall(r"^\| `biochunk ([a-z]+(?: [a-z]+)?)", readme, re.MULTILINE)) == command_names()


def test_readme_lists_every_extra_and_arm(readme: str) -> None:
    extras = metadata("biochunk").get_all("Provides-Extra") or []
    for name in [*extras, *shipped_names("pipelines"), *shipped_names("datasets")]:
        assert f"`{name}`" in readme, name


def test_readme_dataset_can_be_built(readme: str, tmp_path: Path, tiny_static_encoder: Any) -> None:
    (block,) = re.findall(r"```json\n(.*?)```", readme, re.DOTALL)
    tiny_static_encoder(["gene", "expression"]).to_disk(tmp_path)
    nlp = build_pipeline(check_dataset(json.loads(block)), encoder=tmp_path)
    found = nlp("miR-21 silences PTEN in tumour cells.")._.bio_propositions
    assert ("miR-21", "SILENCES", "PTEN") in [(p.subject.text, p.relation, p.object.text) for p in found]


def test_readme_encoders_are_registered(readme: str) -> None:
    names = {point.name for point in entry_points(group="spacy_misc")}
    registered = {name for name in names if name.startswith("biochunk.") and name.endswith("encoder.v1")}
    assert set(re.findall(r"biochunk\.\w+_encoder\.v1|biochunk\.static_encoder\.v1", readme)) == registered


@pytest.mark.slow
def test_wheel_from_the_sdist_holds_everything(tmp_path: Path) -> None:
    """What a stranger installs: all modules, the configs, the data files."""
    ignore = shutil.ignore_patterns("__pycache__", "*.egg-info")
    for name in ("src", "configs"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=ignore)
    for name in ("pyproject.toml", "setup.py", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, tmp_path)
    files = [*tmp_path.joinpath("src/biochunk").rglob("*.*"), *tmp_path.joinpath("configs").rglob("*.*")]
    expected = {str(path.relative_to(tmp_path)).replace("src/biochunk", "biochunk") for path in files}
    command = [sys.executable, "-m", "build", "--no-isolation", str(tmp_path)]
    subprocess.run(command, check=True, capture_output=True)
    (wheel,) = tmp_path.joinpath("dist").glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = {name.replace("biochunk/configs", "configs") for name in archive.namelist()}
    assert {name for name in names if ".dist-info/" not in name} == expected

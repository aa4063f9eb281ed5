"""Pipelines on disk: as a folder that `spacy.load` reads, and as a wheel that pip installs."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory

from spacy.language import Language

from .build import local_paths
from .errors import BiochunkError
from .folders import check_replaceable, whole_folder

# What makes a folder a saved pipeline; only such a folder is replaced.
_PIPELINE_FILES = ("config.cfg", "meta.json")

# Runs beside the package's setup.py. setuptools comes with spaCy, so this needs neither pip nor a network.
_BUILD_WHEEL = "import setuptools.build_meta as backend; backend.build_wheel('dist')"


def save_pipeline(nlp: Language, folder: str | Path, *, wheel: bool = False) -> Path | None:
    """Save a pipeline to a folder, whole or not at all. A pipeline that stands there is replaced.

    nlp (Language): The pipeline.
    folder (str | Path): The folder: new, empty, or a saved pipeline.
    wheel (bool): Also make a wheel in its subfolder `dist`.
    RETURNS (Path | None): The wheel.
    RAISES (UsageError): When the folder holds anything else.
    RAISES (BiochunkError): When it cannot be written, or the pipeline cannot be packaged.
    """
    check_target(Path(folder))
    with whole_folder(folder) as part:
        nlp.to_disk(part)
        name = _make_wheel(nlp, part, part / "dist") if wheel else None
    return Path(folder) / "dist" / name if name else None


def check_target(folder: Path, inputs: Iterable[str | Path | None] = ()) -> None:
    """See that a folder holds nothing but a saved pipeline, and no file or folder that is read.

    RAISES (UsageError): When it does: it must not be replaced.
    """
    check_replaceable(folder, "a saved pipeline", is_pipeline, inputs)


def is_pipeline(folder: Path) -> bool:
    """Whether a folder is a saved pipeline."""
    return all((folder / name).is_file() for name in _PIPELINE_FILES)


def _make_wheel(nlp: Language, saved: Path, target: Path) -> str:
    """Make a wheel of a saved pipeline. RETURNS (str): Its file name."""
    from spacy.cli.package import package  # brings in the whole command line of spaCy

    paths = local_paths(nlp)
    if paths:
        raise BiochunkError(
            f"found local paths in the config ({'; '.join(paths)}), expected none in a package, which is "
            "used on other machines. Use a part that is carried inside, or the name of an installed package"
        )
    with TemporaryDirectory() as folder:
        package(saved, Path(folder), create_sdist=False)
        (source,) = Path(folder).iterdir()
        # A fixed date, so that the same pipeline gives the same bytes.
        environment = {"SOURCE_DATE_EPOCH": "315532800", **os.environ}
        done = subprocess.run(
            [sys.executable, "-c", _BUILD_WHEEL], cwd=source, env=environment, capture_output=True, text=True
        )
        wheels = list((source / "dist").glob("*.whl"))
        if done.returncode or len(wheels) != 1:
            reason = done.stderr.strip()[-2000:]
            raise BiochunkError(f"the wheel of '{source.name}' could not be made: {reason}")
        target.mkdir()
        shutil.move(wheels[0], target / wheels[0].name)
        return wheels[0].name

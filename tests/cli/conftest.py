"""The command line as a user meets it, and a small saved pipeline."""

import io
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest
from tests.pipeline.conftest import COMPONENTS, build, dataset

from biochunk.cli import main


class Ran(NamedTuple):
    """What a command did: its exit code and what it printed."""

    code: int
    out: str
    err: str


@pytest.fixture(scope="session")
def pipeline_folder(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A saved pipeline; it knows INHIBITS, AFFECTS and TREATS, among others."""
    folder = tmp_path_factory.mktemp("pipelines") / "tiny"
    build(COMPONENTS, dataset(), False, {}).to_disk(folder)
    return str(folder)


@pytest.fixture
def cli(monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]) -> Callable[..., Ran]:
    """Runs `biochunk` with some arguments, and bytes as its stdin, in a terminal that is wide enough."""
    monkeypatch.setenv("COLUMNS", "500")

    def run(*args: str | Path | int, stdin: bytes = b"") -> Ran:
        monkeypatch.setattr(sys, "argv", ["biochunk", *map(str, args)])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        code = 0
        try:
            main()
        except SystemExit as stopped:
            code = int(stopped.code or 0)
        out, err = capfdbinary.readouterr()
        return Ran(code, out.decode(), err.decode())

    return run

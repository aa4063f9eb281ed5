"""Signals end a command without leaving half-written files."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_sigterm_removes_the_half_written_file(tmp_path: Path) -> None:
    # Nobody writes into the pipe, so the command waits with its output begun.
    source = tmp_path / "own.txt"
    os.mkfifo(source)
    folder = tmp_path / "out"
    folder.mkdir()
    command = [sys.executable, "-m", "biochunk", "corpora", "import", source, "--from", "pubtator"]
    with subprocess.Popen([*command, "-o", folder / "own.jsonl"], stderr=subprocess.PIPE, text=True) as process:
        deadline = time.monotonic() + 30
        while not (begun := list(folder.iterdir())) and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.02)
        process.terminate()
        _, err = process.communicate(timeout=30)
    assert [path.suffix for path in begun] == [".part"]
    assert process.returncode == 143
    assert list(folder.iterdir()) == []
    assert "Traceback" not in err

"""Cells are made once, and again when what they are made from changes."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from biochunk.errors import BiochunkError, Fault, FileFaultsError
from biochunk.evaluation.experiment.cells import Cell, is_fresh, key_of, made
from biochunk.evaluation.experiment.pool import make_all

CALLS: list[str] = []


def work(path: Path, text: str) -> None:
    CALLS.append(text)
    if text == "fail":
        raise ValueError("no")
    path.write_text(text)


def cell(path: Path, text: str, key: str = "k") -> Cell:
    return Cell(outputs=(path,), key=key, work=work, args=(path, text))


@pytest.fixture(autouse=True)
def _no_calls():
    CALLS.clear()


def test_a_cell_is_made_once(tmp_path):
    path = tmp_path / "a"
    assert make_all([cell(path, "one")], title="t", processes=1) == 1
    assert make_all([cell(path, "one")], title="t", processes=1) == 0
    assert CALLS == ["one"]


@pytest.mark.parametrize("change", ["key", "gone", "unmarked"])
def test_a_cell_is_made_again_when_it_is_not_fresh(tmp_path, change):
    path = tmp_path / "a"
    make_all([cell(path, "one")], title="t", processes=1)
    if change == "gone":
        path.unlink()
    if change == "unmarked":
        (tmp_path / ".a.key").unlink()
    make_all([cell(path, "two", key="other" if change == "key" else "k")], title="t", processes=1)
    assert path.read_text() == "two"


def test_a_failure_keeps_what_was_made_and_is_not_marked(tmp_path):
    cells = [cell(tmp_path / "a", "one"), cell(tmp_path / "b", "fail"), cell(tmp_path / "c", "three")]
    with pytest.raises(ValueError, match="no"):
        make_all(cells, title="t", processes=1)
    assert [c.fresh for c in cells] == [True, False, False]


def test_two_processes_make_all_cells(tmp_path):
    cells = [cell(tmp_path / str(i), str(i)) for i in range(4)]
    assert make_all(cells, title="t", processes=2) == 4
    assert [(tmp_path / str(i)).read_text() for i in range(4)] == ["0", "1", "2", "3"]


def test_a_key_depends_on_settings_code_and_content(tmp_path):
    path = tmp_path / "x"
    path.write_text("a")
    base = key_of({"a": 1}, code=["chunking"], inputs=[path])
    assert base == key_of({"a": 1}, code=["chunking"], inputs=[path])
    assert base != key_of({"a": 2}, code=["chunking"], inputs=[path])
    assert base != key_of({"a": 1}, code=["pipeline"], inputs=[path])
    path.write_text("bb")
    assert base != key_of({"a": 1}, code=["chunking"], inputs=[path])


def test_a_mark_without_its_file_is_not_fresh(tmp_path):
    path = tmp_path / "a"
    path.write_text("one")
    made(path, "k")
    path.unlink()
    assert not is_fresh(path, "k")


def stop(path: Path, text: str) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def refuse(path: Path, text: str) -> None:
    raise FileFaultsError(text, [Fault("a", "b", "c")])


@pytest.mark.parametrize(
    ("task", "error", "said"),
    [(stop, BiochunkError, "ended from outside"), (refuse, FileFaultsError, "x: a: found b, expected c")],
)
def test_what_goes_wrong_in_a_worker_is_one_error(task, error, said, tmp_path):
    cells = [Cell(outputs=(tmp_path / n,), key="k", work=task, args=(tmp_path / n, "x")) for n in ("a", "b")]
    with pytest.raises(error, match=said):
        make_all(cells, title="t", processes=2)


SLEEP = """
import signal, sys, time
from pathlib import Path
from biochunk.evaluation.experiment.cells import Cell
from biochunk.evaluation.experiment.pool import make_all
from biochunk.files import whole_file

def work(path):
    with whole_file(path):
        path.with_suffix(".begun").write_text(str(__import__("os").getpid()))
        time.sleep(300)

if __name__ == "__main__":
    # Ignored where the tests run in the background of a shell.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    folder = Path(sys.argv[1])
    cells = [Cell((folder / n,), "k", work, (folder / n,)) for n in ("a", "b", "c", "d", "e")]
    make_all(cells, title="t", processes=2)
"""


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="needs process groups")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_workers_end_with_their_parent(number, tmp_path):
    script = tmp_path / "sleep.py"
    script.write_text(SLEEP)
    folder = tmp_path / "out"
    folder.mkdir()
    command = [sys.executable, str(script), str(folder)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, start_new_session=True, text=True) as process:
        try:
            wait_for(lambda: len([p for p in folder.glob("*.begun") if p.read_text()]) == 2)
            if number == signal.SIGINT:
                os.killpg(process.pid, number)  # as the terminal does
            else:
                process.kill()
            _, said = process.communicate(timeout=60)
        except BaseException:
            os.killpg(process.pid, signal.SIGKILL)  # or leaving the block waits for it
            raise
    wait_for(lambda: not list(folder.glob(".*.part")))
    assert len(list(folder.glob("*.begun"))) == 2
    assert said.count("Traceback") == (number == signal.SIGINT)  # the parent's own, which the command line makes a line
    wait_for(lambda: not any(alive(int(path.read_text())) for path in folder.glob("*.begun")))


def alive(pid: int) -> bool:
    try:
        # A process that has ended may wait for whoever adopted it.
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def wait_for(what: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 240
    while not what():
        assert time.monotonic() < deadline
        time.sleep(0.05)

"""Files that appear whole or not at all, and what must never be replaced by one. No device of the machine is used."""

import os
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from biochunk.corpora.formats.output import whole_path
from biochunk.errors import UsageError
from biochunk.files import whole_file
from biochunk.folders import whole_folder


def write_text(path: Path) -> None:
    with whole_file(path) as file:
        file.write("new\n")


def write_bytes(path: Path) -> None:
    with whole_path(path) as part:
        part.write_bytes(b"new\n")


def write_folder(path: Path) -> None:
    with whole_folder(path) as part:
        (part / "file").write_text("new\n")


writers = pytest.mark.parametrize("write", [write_text, write_bytes])


@writers
@pytest.mark.parametrize("there", [False, True])
def test_regular_file_is_replaced(write: Callable[[Path], None], there: bool, tmp_path: Path) -> None:
    if there:
        (tmp_path / "a").write_text("old")
    write(tmp_path / "a")
    assert (tmp_path / "a").read_text() == "new\n"
    assert os.listdir(tmp_path) == ["a"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
@writers
@pytest.mark.parametrize("linked", [False, True])
def test_special_file_is_written_into(write: Callable[[Path], None], linked: bool, tmp_path: Path) -> None:
    pipe, link = tmp_path / "pipe", tmp_path / "link"
    os.mkfifo(pipe)
    link.symlink_to(pipe)
    received: list[str] = []
    reader = threading.Thread(target=lambda: received.append(pipe.read_text()), daemon=True)
    reader.start()
    write(link if linked else pipe)
    reader.join(timeout=30)
    assert received == ["new\n"]
    assert pipe.is_fifo() and link.is_symlink()
    assert sorted(os.listdir(tmp_path)) == ["link", "pipe"]


@writers
def test_folder_is_refused_before_any_work(write: Callable[[Path], None], tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    with pytest.raises(UsageError, match="found a folder, expected a file"):
        write(tmp_path / "a")
    assert os.listdir(tmp_path) == ["a"] and not os.listdir(tmp_path / "a")


def test_file_where_a_folder_should_be_is_kept(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("old")
    with pytest.raises(UsageError, match="found a file, expected a folder"):
        write_folder(tmp_path / "a")
    assert (tmp_path / "a").read_text() == "old"


def test_half_a_file_is_removed(tmp_path: Path) -> None:
    with pytest.raises(KeyError), whole_file(tmp_path / "a") as file:
        file.write("half")
        raise KeyError
    assert not os.listdir(tmp_path)

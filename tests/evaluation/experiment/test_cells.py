"""Cells are made once, and again when what they are made from changes."""

from pathlib import Path

import pytest

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

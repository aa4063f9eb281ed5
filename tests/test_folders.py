"""No command that writes a folder as a whole replaces what it has not written, or what it reads."""

from pathlib import Path

import pytest

from biochunk.errors import UsageError
from biochunk.folders import check_replaceable
from tests.cli.conftest import cli as cli
from tests.ner.conftest import iob_folder as iob_folder


def is_own(folder: Path) -> bool:
    return (folder / "own").is_file()


@pytest.mark.parametrize(
    ("files", "output", "inputs", "message"),
    [
        ([], "new", [], None),
        (["empty/"], "empty", [], None),
        (["old/own"], "old", ["elsewhere", "", None, "en_core_web_sm"], None),
        (["old/own", "in/a"], "old", ["in/a"], None),
        (["mine/thesis.txt"], "mine", [], "found other files in the folder"),
        (["file"], "file", [], "found the file"),
        (["old/own"], "old", ["old"], "found the input"),
        (["old/own", "old/deep/in.cfg"], "old", ["old/deep/in.cfg"], "found the input"),
        (["empty/"], "empty", ["empty"], "found the input"),
    ],
)
def test_what_may_be_replaced(tmp_path, monkeypatch, files, output, inputs, message):
    monkeypatch.chdir(tmp_path)
    for name in files:
        path = Path(name)
        (path if name.endswith("/") else path.parent).mkdir(parents=True, exist_ok=True)
        if not name.endswith("/"):
            path.write_text("x")
    if message is None:
        check_replaceable(Path(output), "an earlier output", is_own, inputs)
    else:
        with pytest.raises(UsageError, match=message):
            check_replaceable(Path(output), "an earlier output", is_own, inputs)


@pytest.mark.parametrize(
    "arguments",
    [
        ["ner", "convert", "mine", "-o", "mine"],
        ["ner", "convert", "none", "-o", "mine"],
        ["ner", "convert", "none", "-o", "mine/thesis.txt"],
        ["ner", "convert", "--relations", "none", "-o", "mine"],
        ["ner", "join", "--kinds", "saved", "-o", "mine"],
        ["ner", "join", "--kinds", "saved", "-o", "saved"],
        ["ner", "join", "--borders", "saved/inner", "-o", "saved"],
        ["build", "gmciht", "-o", "mine"],
        ["build", "saved/mine.json", "-o", "saved"],
        ["build", "gmciht", "--arm", "saved/config.cfg", "-o", "saved"],
        ["build", "gmciht", "--encoder", "saved/inner", "-o", "saved"],
        ["distil", "-o", "mine"],
        ["distil", "mine", "-o", "mine"],
    ],
)
def test_commands_replace_nothing_else(cli, tmp_path, monkeypatch, arguments):
    monkeypatch.chdir(tmp_path)
    dataset = '{"schema_version": 1, "name": "a", "relations": {"R": {"definition": "One.", "weight": 1}}}'
    for name in ("mine/thesis.txt", "saved/config.cfg", "saved/meta.json", "saved/inner/config.cfg"):
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text("x")
    Path("saved/mine.json").write_text(dataset)
    before = {path: path.read_bytes() for path in sorted(Path().rglob("*")) if path.is_file()}
    ran = cli(*arguments)
    assert (ran.code, ran.err.count("\n"), ran.err[:12]) == (2, 1, "Error: found"), ran.err
    assert {path: path.read_bytes() for path in sorted(Path().rglob("*")) if path.is_file()} == before


def test_an_earlier_conversion_is_replaced(cli, iob_folder, tmp_path):
    for _ in range(2):
        assert cli("ner", "convert", iob_folder, "-o", tmp_path / "data").code == 0
    (tmp_path / "data/kinds/notes.txt").write_text("mine")
    ran = cli("ner", "convert", iob_folder, "-o", tmp_path / "data")
    assert (ran.code, (tmp_path / "data/kinds/notes.txt").read_text()) == (2, "mine")

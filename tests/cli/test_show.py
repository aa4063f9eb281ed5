"""`biochunk show`."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]

TEXT = "Aspirin inhibits COX-2."


@pytest.fixture
def show(cli: Run, pipeline_folder: str, tmp_path: Path) -> Run:
    """Runs `biochunk show`. RETURNS: what it did, and the page, empty without one."""

    def run(text: str, *options: str | int, stdin: bytes = b"") -> tuple[Any, str]:
        out = tmp_path / "page.html"
        ran = cli("show", text, "-o", out, "--pipeline", pipeline_folder, *options, stdin=stdin)
        return ran, out.read_text("utf-8") if out.exists() else ""

    return run


def test_show_writes_a_page_and_prints_its_path(show: Run, tmp_path: Path) -> None:
    ran, page = show(TEXT)
    assert (ran.code, ran.out, ran.err) == (0, f"{tmp_path / 'page.html'}\n", "")
    assert page.startswith("<!DOCTYPE html>")
    assert "<h1>Evidence chunks by tiny</h1>" in page
    assert "Aspirin → INHIBITS → COX-2" in page


def test_show_escapes_the_text(show: Run) -> None:
    _, page = show('Aspirin <script>alert("x")</script> inhibits COX-2.')
    assert "<script" not in page
    assert "&lt;script&gt;" in page


@pytest.mark.parametrize(
    "data", [f"{TEXT}\nMetformin inhibits COX-1.\n", f'{{"text": "{TEXT}"}}\n\n"Metformin inhibits COX-1."']
)
def test_show_reads_stdin_line_by_line(show: Run, data: str) -> None:
    _, page = show("-", stdin=data.encode())
    assert page.count("<article") == 2
    assert "Metformin → INHIBITS → COX-1" in page


def test_show_reads_a_file_up_to_a_limit(show: Run, tmp_path: Path) -> None:
    (tmp_path / "in.txt").write_text("".join(f"Drug{i} inhibits COX-2.\n" for i in range(5)))
    ran, page = show(str(tmp_path / "in.txt"), "--limit", 3)
    assert page.count("<article") == 3
    assert "first 3 texts" in ran.err
    ran, page = show(str(tmp_path / "in.txt"), "--limit", 5)
    assert page.count("<article") == 5
    assert not ran.err


def test_show_text_that_only_looks_like_a_file(show: Run) -> None:
    _, page = show("See aspirin.txt.")
    assert "See aspirin.txt." in page


def test_show_ranks_against_one_relation(show: Run) -> None:
    _, page = show(TEXT, "--relation", "AFFECTS")
    assert "1 AFFECTS" in page
    assert "1 INHIBITS" not in page


def test_show_on_stdout(cli: Run, pipeline_folder: str) -> None:
    ran = cli("show", "β " + TEXT, "-o", "-", "--pipeline", pipeline_folder)
    assert ran.out.startswith("<!DOCTYPE html>")
    assert ran.out.endswith("</html>\n")


@pytest.mark.parametrize(
    ("text", "options", "code", "message"),
    [
        (TEXT, ["--pipeline", "en_no_such"], 2, "no installed package and no folder"),
        (TEXT, ["--relation", "CURES"], 2, "Relation 'CURES' is not in the dataset"),
        (TEXT, ["-o", "no/page.html"], 2, "there is no folder 'no'"),
        ("a \ud83e", [], 2, "TEXT: found a lone surrogate (U+D83E) at character 2"),
        ("a" * 1_000_001, [], 2, "TEXT: found a text of 1000001 characters"),
        ("bad.jsonl", [], 1, "bad.jsonl: line 2: found 5, expected"),
        ("bad.jsonl", ["-o", "bad.jsonl"], 2, "this is also the input"),
    ],
)
def test_show_errors_are_one_line(
    show: Run,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    text: str,
    options: list[str],
    code: int,
    message: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bad.jsonl").write_text('"a"\n5\n')
    ran, page = show(text, *options)
    assert (ran.code, page) == (code, "")
    assert message in ran.err
    assert len(ran.err.splitlines()) == 1
    assert os.listdir(tmp_path) == ["bad.jsonl"]


@pytest.mark.parametrize("name", ["nope.txt", "nope.jsonl", "nope.JSON", "no/such.ndjson"])
def test_show_of_a_file_that_is_not_there(cli, tmp_path, pipeline_folder, name):
    ran = cli("show", tmp_path / name, "-o", tmp_path / "x.html", "--pipeline", pipeline_folder)
    assert ran.code == 2
    assert f"found no file '{tmp_path / name}'" in ran.err
    assert not (tmp_path / "x.html").exists()

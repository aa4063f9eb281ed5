"""`biochunk chunk`."""

import json
import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import spacy

from biochunk.batch.run import Chunker

Run = Callable[..., Any]

ONE = "Aspirin inhibits COX-2."
TWO = "Metformin does not inhibit COX-1."


@pytest.fixture
def chunk(cli: Run, pipeline_folder: str, tmp_path: Path) -> Run:
    """Runs `biochunk chunk` over some bytes. RETURNS: what it did, and the records, None without a file."""

    def run(data: bytes, *options: str | int, name: str = "in.jsonl") -> tuple[Any, list[Any] | None]:
        (tmp_path / name).write_bytes(data)
        out = tmp_path / "out.jsonl"
        ran = cli("chunk", tmp_path / name, "-o", out, "--pipeline", pipeline_folder, *options)
        return ran, read(out) if out.exists() else None

    return run


def read(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text("utf-8").split("\n")[:-1]]


def lines(*values: Any) -> bytes:
    return "".join(json.dumps(value, ensure_ascii=False) + "\n" for value in values).encode()


def test_chunk_record_holds_what_the_pipeline_found(chunk: Run) -> None:
    _, records = chunk(lines({"text": ONE, "id": "a"}))
    (record,) = records
    (proposition,) = record["propositions"]
    assert [e["text"] for e in record["entities"]] == ["Aspirin", "COX-2"]
    assert [(t["text"], t["relation"], t["tier"]) for t in record["triggers"]] == [("inhibits", "INHIBITS", 1)]
    assert proposition["subject"] == {"start": 0, "end": 7, "text": "Aspirin"}
    assert proposition["trigger"] == {"start": 8, "end": 16, "text": "inhibits"}
    assert proposition["object"] == {"start": 17, "end": 22, "text": "COX-2"}
    assert (proposition["relation"], proposition["priority"], proposition["kept"]) == ("INHIBITS", 6.0, True)
    best = record["chunks"][0]
    assert (best["slot"], best["source"], best["sentence"]) == (1, "proposition", 0)
    assert best["proposition"] == proposition["id"]


def test_chunk_records_equal_the_pipeline_called_by_hand(chunk: Run, pipeline_folder: str) -> None:
    texts = [ONE, TWO, "", "Aspirin therapy reduces inflammation by inhibiting COX-2 expression."]
    _, records = chunk(lines(*texts))
    nlp = spacy.load(pipeline_folder)
    expected = [
        [(c.text, c.slot, c.source, c.similarity, c.relation) for c in nlp(text)._.bio_chunks] for text in texts
    ]
    keys = ("text", "slot", "source", "similarity", "relation")
    assert [[tuple(c[key] for key in keys) for c in record["chunks"]] for record in records] == expected


@pytest.mark.parametrize(
    "text", ["🧬 Aspirin inhibits COX-2 \ufeffβ.", "α\u0301-Tocopherol\u00a0inhibits\tCOX-2 .", "\x00 a"]
)
def test_chunk_offsets_are_code_points_of_the_text(chunk: Run, text: str) -> None:
    _, (record,) = chunk(lines(text))
    assert record["text"] == text
    found = [*record["entities"], *record["triggers"], *record["propositions"], *record["chunks"]]
    found += [p[role] for p in record["propositions"] for role in ("subject", "trigger", "object")]
    assert found
    assert all(text[item["start"] : item["end"]] == item["text"] for item in found)


def test_chunk_carries_the_input_along(chunk: Run) -> None:
    unified = {
        "id": "s1",
        "dataset": "gmciht",
        "split": "dev",
        "text": ONE,
        "entities": [{"id": "e1", "start": 0, "end": 7, "text": "Aspirin", "label": ""}],
        "triples": [],
        "label": None,
        "meta": {"passive": False},
    }
    _, (first, second) = chunk(lines(unified, {"text": TWO, "n": 1.5}))
    assert (first["id"], first["meta"]) == ("s1", {"passive": False})
    assert first["source"] == {key: unified[key] for key in ("dataset", "split", "entities", "triples", "label")}
    assert (second["id"], second["meta"], second["source"]) == ("line-2", {}, {"n": 1.5})


def test_chunk_reads_another_text_key(chunk: Run) -> None:
    _, (record,) = chunk(lines({"text": 7, "sentence": ONE}), "--text-key", "sentence")
    assert (record["text"], record["source"]) == (ONE, {"text": 7})


def test_chunk_empty_input_gives_empty_output(chunk: Run) -> None:
    ran, records = chunk(b"")
    assert (ran.code, records) == (0, [])
    assert "0 texts" in ran.err


def test_chunk_counts_blank_lines(chunk: Run) -> None:
    ran, _ = chunk(f"\n{ONE}\n \n".encode(), name="a.txt")
    assert "2 blank lines passed over" in ran.err


def test_chunk_bad_line_stops_without_output(chunk: Run, tmp_path: Path) -> None:
    ran, records = chunk(lines(ONE, 5, TWO))
    assert (ran.code, records) == (1, None)
    assert ran.err.startswith(f"Error: {tmp_path / 'in.jsonl'}: line 2: found 5, expected a JSON object")
    assert len(ran.err.splitlines()) == 1
    assert os.listdir(tmp_path) == ["in.jsonl"]


def test_chunk_bad_lines_are_skipped_into_a_side_file(chunk: Run, tmp_path: Path) -> None:
    data = lines(ONE) + b'{"text": "a\xff"}\n' + lines(TWO, {"text": 5})
    ran, records = chunk(data, "--on-error", "skip")
    assert ran.code == 0
    assert [record["text"] for record in records] == [ONE, TWO]
    first, second = read(tmp_path / "out.errors.jsonl")
    assert (first["line"], first["input"]) == (2, '{"text": "a\\xff"}')
    assert second == {"line": 4, "error": "found 5 under 'text', expected a string", "input": '{"text": 5}'}
    assert f"2 bad lines skipped, see {tmp_path / 'out.errors.jsonl'}" in ran.err


def test_chunk_side_file_tells_that_there_was_no_error(chunk: Run, tmp_path: Path) -> None:
    (tmp_path / "out.errors.jsonl").write_text("of another run")
    chunk(lines(ONE), "--on-error", "skip")
    assert (tmp_path / "out.errors.jsonl").read_text() == ""


def test_chunk_failure_leaves_an_older_output_as_it_was(chunk: Run, tmp_path: Path) -> None:
    chunk(lines(ONE))
    before = (tmp_path / "out.jsonl").read_bytes()
    assert chunk(b"{")[0].code == 1
    assert (tmp_path / "out.jsonl").read_bytes() == before


def test_chunk_interrupt_leaves_no_file(chunk: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Chunker, "run", interrupted)
    ran, _ = chunk(lines(ONE), "--on-error", "skip")
    assert ran.code == 130
    assert os.listdir(tmp_path) == ["in.jsonl"]


def test_chunk_pipe_to_pipe(cli: Run, pipeline_folder: str) -> None:
    ran = cli("chunk", "-", "-o", "-", "--pipeline", pipeline_folder, stdin=f"β {ONE}\n{TWO}\n".encode())
    assert [json.loads(line)["text"] for line in ran.out.splitlines()] == [f"β {ONE}", TWO]
    assert "2 texts of <stdin> (read as text)" in ran.err


def test_chunk_skipped_lines_are_named_where_there_is_no_side_file(cli: Run, pipeline_folder: str) -> None:
    options = ("--pipeline", pipeline_folder, "--on-error", "skip", "--format", "jsonl")
    ran = cli("chunk", "-", "-o", "-", *options, stdin=b"5\n" + lines(ONE))
    assert len(ran.out.splitlines()) == 1
    assert "Skipped: <stdin>: line 1: found 5" in ran.err
    assert "1 bad line skipped" in ran.err


def test_chunk_writes_into_a_named_pipe_and_does_not_replace_it(cli: Run, pipeline_folder: str, tmp_path: Path) -> None:
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    (tmp_path / "in.txt").write_text(ONE)
    received: list[str] = []
    reader = threading.Thread(target=lambda: received.append(fifo.read_text()))
    reader.start()
    cli("chunk", tmp_path / "in.txt", "-o", fifo, "--pipeline", pipeline_folder)
    reader.join(timeout=30)
    assert json.loads(received[0])["text"] == ONE
    assert fifo.is_fifo()


def test_chunk_ranks_against_one_relation(chunk: Run) -> None:
    _, (record,) = chunk(lines(ONE), "--relation", "AFFECTS")
    assert {c["relation"] for c in record["chunks"]} == {"AFFECTS"}


def test_chunk_several_processes_give_the_same_bytes(
    chunk: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("biochunk.batch.lines.BLOCK_LINES", 7)
    data = b"".join(lines(f"{ONE} {i}", {"id": i, "text": TWO}) + (b"{\n" if i % 9 == 0 else b"\n") for i in range(50))
    outputs = []
    for count in (1, 2):
        ran, _ = chunk(data, "--n-process", count, "--on-error", "skip")
        outputs.append([(tmp_path / name).read_bytes() for name in ("out.jsonl", "out.errors.jsonl")])
        assert "100 texts" in ran.err
    assert outputs[0] == outputs[1]


def test_chunk_worker_reports_what_one_process_would(chunk: Run) -> None:
    ran, records = chunk(lines(ONE, 5), "--n-process", 2)
    assert (ran.code, records) == (1, None)
    assert "line 2: found 5" in ran.err
    ran, _ = chunk(lines(ONE), "--n-process", 2, "--relation", "CURES")
    assert ran.code == 2
    assert "found" not in ran.out
    assert "Relation 'CURES'" in ran.err


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (
            ["{in}", "-o", "{out}", "--pipeline", "en_no_such"],
            "no installed package and no folder of that name",
        ),
        (["{in}", "-o", "{out}", "--pipeline", ""], "no installed package and no folder of that name"),
        (["{in}", "-o", "{out}", "--pipeline", "{blank}"], "expected a pipeline with a hybrid_selector"),
        (
            ["{in}", "-o", "{out}", "--pipeline", "{tiny}", "--relation", "CURES"],
            "Relation 'CURES' is not in",
        ),
        (
            ["{dir}/no.jsonl", "-o", "{out}", "--pipeline", "{tiny}"],
            "Cannot read '{dir}/no.jsonl': No such file",
        ),
        (["{dir}", "-o", "{out}", "--pipeline", "{tiny}"], "Cannot read '{dir}': Is a directory"),
        (["{in}", "-o", "{dir}/no/out.jsonl", "--pipeline", "{tiny}"], "there is no folder '{dir}/no'"),
        (["{in}", "-o", "{dir}", "--pipeline", "{tiny}"], "found a folder, expected a file"),
        (["{in}", "-o", "{in}", "--pipeline", "{tiny}"], "this is also the input"),
        (["{link}", "-o", "{in}", "--pipeline", "{tiny}"], "this is also the input"),
        (
            ["{errors}", "-o", "{dir}/a.jsonl", "--pipeline", "{tiny}", "--on-error", "skip"],
            "Cannot write '{errors}': this is also the input",
        ),
        (["{in}", "-o", "{out}", "--pipeline", "{tiny}", "--n-process", "0"], "'--n-process'"),
        (["{in}", "-o", "{out}"], "--pipeline"),
    ],
)
def test_chunk_bad_usage(cli: Run, pipeline_folder: str, tmp_path: Path, args: list[str], message: str) -> None:
    (tmp_path / "in.jsonl").write_bytes(lines(ONE))
    (tmp_path / "a.errors.jsonl").write_bytes(lines(ONE))
    (tmp_path / "link.jsonl").symlink_to(tmp_path / "in.jsonl")
    spacy.blank("en").to_disk(tmp_path / "blank")
    names = {
        "in": tmp_path / "in.jsonl",
        "out": tmp_path / "out.jsonl",
        "errors": tmp_path / "a.errors.jsonl",
        "link": tmp_path / "link.jsonl",
        "blank": tmp_path / "blank",
        "dir": tmp_path,
        "tiny": pipeline_folder,
    }
    before = sorted(os.listdir(tmp_path))
    ran = cli("chunk", *(arg.format(**names) for arg in args))
    assert ran.code == 2
    assert message.format(**names) in ran.err
    assert "Traceback" not in ran.err
    assert sorted(os.listdir(tmp_path)) == before


def test_chunk_broken_pipeline_is_one_line(cli: Run, tmp_path: Path) -> None:
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "config.cfg").write_text("[nlp]\nlang = 5\n")
    (tmp_path / "in.txt").write_text(ONE)
    ran = cli("chunk", tmp_path / "in.txt", "-o", tmp_path / "out.jsonl", "--pipeline", tmp_path / "broken")
    assert ran.code == 1
    assert ran.err.startswith("Error: [B009] Cannot load the pipeline")
    assert len(ran.err.splitlines()) == 1

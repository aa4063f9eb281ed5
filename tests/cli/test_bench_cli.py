"""`biochunk bench`: what it says about its figures."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from biochunk.corpora.records import Record, write_records
from biochunk.evaluation.bench import FEWEST, LEGEND


@pytest.mark.parametrize(("texts", "note"), [(FEWEST - 1, True), (FEWEST, False)])
def test_bench_warns_of_few_texts_and_explains_its_rows(
    cli: Callable[..., Any], pipeline_folder: str, tmp_path: Path, texts: int, note: bool
) -> None:
    corpus = tmp_path / "corpus.jsonl"
    rows = [
        Record(id=str(i), dataset="demo", split="all", text=f"Drug {i} inhibits COX-2.", entities=[], triples=[])
        for i in range(texts)
    ]
    write_records(corpus, rows)
    ran = cli("bench", corpus, "--pipeline", pipeline_folder, "--rounds", 1)
    assert ran.code == 0
    assert LEGEND in ran.out
    assert "times as long" not in ran.out
    assert (f"{FEWEST} are unreliable" in ran.err) is note


def test_bench_beside_another_pipeline(cli: Callable[..., Any], pipeline_folder: str, tmp_path: Path) -> None:
    corpus = tmp_path / "corpus.jsonl"
    write_records(corpus, [Record(id="1", dataset="demo", split="all", text="Aspirin inhibits COX-2.")])
    ran = cli("bench", corpus, "--pipeline", pipeline_folder, "--beside", pipeline_folder, "--rounds", 1)
    assert ran.code == 0
    assert "other pipeline, first pass" in ran.out
    last = next(line for line in ran.out.splitlines() if "times as long" in line)
    assert last.startswith(f"{pipeline_folder} takes ") and last.endswith(f"times as long as {pipeline_folder}")

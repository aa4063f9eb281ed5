"""Sentences and evidence as JSONL, one item a line."""

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from ..files import whole_file
from .items import Cue, Evidence, Piece, Sentence, Statement


def save_sentences(path: Path, sentences: Iterable[Sentence]) -> int:
    """Write what an arm found. RETURNS (int): How many sentences."""
    count = 0
    with whole_file(path) as file:
        for sentence in sentences:
            line = {
                "id": sentence.id,
                "text": sentence.text,
                "mentions": sentence.mentions,
                "cues": [cue._asdict() for cue in sentence.cues],
                "statements": [statement._asdict() for statement in sentence.statements],
                "pieces": [piece._asdict() for piece in sentence.pieces],
            }
            file.write(json.dumps(line, ensure_ascii=False) + "\n")
            count += 1
    return count


def load_sentences(path: Path) -> list[Sentence]:
    """Read what `save_sentences` wrote."""
    return [
        Sentence(
            id=line["id"],
            text=line["text"],
            mentions=tuple((start, end) for start, end in line["mentions"]),
            cues=tuple(Cue(**cue) for cue in line["cues"]),
            statements=tuple(_statement(statement) for statement in line["statements"]),
            pieces=tuple(Piece(**piece) for piece in line["pieces"]),
        )
        for line in _lines(path)
    ]


def save_evidence(path: Path, found: Iterable[tuple[str, Sequence[Evidence]]]) -> None:
    """Write retrieved chunks. found: Record id and its evidence, the best first."""
    with whole_file(path) as file:
        for key, evidence in found:
            line = {"id": key, "evidence": [item._asdict() for item in evidence]}
            file.write(json.dumps(line, ensure_ascii=False) + "\n")


def load_evidence(path: Path) -> dict[str, tuple[Evidence, ...]]:
    """Read what `save_evidence` wrote: record id to evidence."""
    return {line["id"]: tuple(Evidence(**item) for item in line["evidence"]) for line in _lines(path)}


def _lines(path: Path) -> Iterator[Any]:
    with path.open(encoding="utf-8", newline="\n") as file:
        for line in file:
            yield json.loads(line)


def _statement(line: dict[str, Any]) -> Statement:
    places = {name: tuple(line[name]) for name in ("subject", "trigger", "object")}
    return Statement(**{**line, **places})

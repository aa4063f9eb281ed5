"""`biochunk score`: precision, recall and F1 of a predictions file."""

import json
from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..errors import BiochunkError, FileFaultsError, UsageError
from ..wording import counted

if TYPE_CHECKING:
    from ..biomedrag.metrics import Score, Scores
    from ..biomedrag.predictions import Scored
    from ..evaluation.statistics import Interval

# Faults and places that are named before "and N more".
_SHOWN = 10


class Format(str, Enum):
    """What kind of predictions file it is."""

    unified = "unified"
    biomedrag = "biomedrag"


def score_command(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Predictions: JSON lines, or a JSON array")],
    format: Annotated[
        Format, typer.Option(help="unified: our own; biomedrag: what BioMedRAG's generator writes")
    ] = Format.unified,
    gold: Annotated[
        Path | None,
        typer.Option(metavar="CORPUS", help="Unified JSONL whose gold counts, instead of the gold in the lines"),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON")] = False,
) -> None:
    """Score predictions: micro precision, recall and F1 over exact triples, or F1 of class 1.

    A unified line: {"id": "x1", "triples": [{"head": "aspirin", "relation": "TREATS", "tail": "pain"}], "gold":
    {"triples": [...]}}; where a class is asked "label" instead of "triples". `biochunk llm read` writes such files.

    A biomedrag line: {"ground_truth": "aspirin|TREATS|pain", "predicted": "..."}, where "predicted" is prompt and
    output; its answer is the fourth block between empty lines. docs/biomedrag.md shows both with every key.

    A gold triple that is not predicted is a miss. Strings are compared in lower case, with white space folded;
    BioMedRAG's files by the rules of its own script, so that its published numbers come out. The interval is a
    bootstrap over items.
    """
    from ..biomedrag.predictions import read_predictions
    from ..biomedrag.released_predictions import read_released
    from ..evaluation.statistics import f1_interval

    if gold and format is Format.biomedrag:
        raise UsageError("found --gold with --format biomedrag, expected none: its lines hold their gold")
    try:
        scored = read_released(file) if format is Format.biomedrag else read_predictions(file, gold)
    except FileFaultsError as error:
        # A file of another kind has as many faults as lines.
        raise FileFaultsError(error.path, error.faults, most=_SHOWN) from None
    if format is Format.biomedrag and len(scored.unread) == len(scored.items):
        raise BiochunkError(
            f"{file}: found no answer that can be read in {counted(len(scored.items), 'line')}, expected 'predicted' "
            "with prompt and output: blocks between empty lines, the fourth of which is '### Response:' and on the "
            "next line head|relation|tail"
        )
    scores = scored.scores()
    interval = f1_interval([scores.main])
    if as_json:
        typer.echo(json.dumps(_data(file, format, scored, scores, interval), indent=2, ensure_ascii=False))
    else:
        for line in _lines(file, scored, scores, interval):
            typer.echo(line)


def _data(file: Path, format: Format, scored: "Scored", scores: "Scores", interval: "Interval") -> dict[str, Any]:
    main = scores.main.score()
    return {
        "file": str(file),
        "format": format.value,
        "items": len(scored.items),
        "precision": main.precision,
        "recall": main.recall,
        "f1": main.f1,
        "f1_interval": [interval.low, interval.high],
        "scores": {view: counts.score()._asdict() for view, counts in scores.counts.items()},
        "relations": {scored.names.get(label, label): score._asdict() for label, score in scores.relations.items()},
        "exact_items": int(scores.main.exact.sum()),
        "repeated_gold": scores.repeated,
        "unread": scored.unread,
        "missing": scored.missing,
        "notes": scored.notes,
    }


def _lines(file: Path, scored: "Scored", scores: "Scores", interval: "Interval") -> Iterator[str]:
    main = scores.main.score()
    yield f"{file}: {counted(len(scored.items), 'item')}, {int(scores.main.exact.sum()):,} wholly right"
    of_what = " of class 1" if "triple" not in scores.counts else ""
    yield f"F1{of_what} {main.f1!r} (P {main.precision!r}, R {main.recall!r})"
    yield f"95 % interval of F1 over items: {interval.low:.4f} to {interval.high:.4f}"
    yield ""
    rows = {view if view != "label" else "class 1": counts.score() for view, counts in scores.counts.items()}
    yield from _table(rows, "scored")
    if scores.relations:
        yield ""
        named = {scored.names.get(label, label): score for label, score in scores.relations.items()}
        yield from _table(named, "relation (of triples)")
    yield ""
    yield f"Answers that could not be read, counted as nothing predicted: {_places(scored.unread)}"
    if scored.missing:
        yield f"Gold items without a line, counted as nothing predicted: {_places(scored.missing)}"
    if scores.repeated:
        yield f"Gold triples with the strings of another of their item, counted once with it: {scores.repeated}"
    yield from scored.notes


def _table(rows: "dict[str, Score]", title: str) -> Iterator[str]:
    cells = [[title, "F1", "P", "R", "right", "predicted", "gold"]]
    for name, score in rows.items():
        shares = (f"{share:.4f}" for share in (score.f1, score.precision, score.recall))
        cells.append([name, *shares, *map(str, (score.right, score.predicted, score.gold))])
    widths = [max(len(row[i]) for row in cells) for i in range(len(cells[0]))]
    for row in cells:
        right = (cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))
        yield "  ".join([row[0].ljust(widths[0]), *right])


def _places(places: list[str]) -> str:
    if not places:
        return "0"
    more = f" and {len(places) - _SHOWN} more" if len(places) > _SHOWN else ""
    return f"{len(places)} ({', '.join(places[:_SHOWN])}{more})"

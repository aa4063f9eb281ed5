"""`biochunk corpora`: the benchmarks and a user's own corpora as unified JSONL."""

import sys
from enum import Enum
from pathlib import Path
from typing import Annotated

import typer
from tqdm import tqdm

from ..corpora import report
from ..corpora.convert import convert

app = typer.Typer(help="Bring corpora into one format, check, split and describe them.", no_args_is_help=True)


class View(str, Enum):
    """How the text of a benchmark is given."""

    published = "published"
    clean = "clean"


class Format(str, Enum):
    """How a report is printed."""

    table = "table"
    json = "json"


@app.command("convert")
def convert_command(
    folder: Annotated[
        Path, typer.Argument(help="BioMedRAG's data folder, its repository, or one dataset's folder")
    ],
    output: Annotated[
        Path, typer.Option("-o", "--output", help="Folder for DATASET/SPLIT.jsonl and report.json")
    ],
    view: Annotated[
        View, typer.Option(help="published: text as it stands; clean: marks and duplicates removed")
    ],
    dataset: Annotated[
        list[str] | None, typer.Option(help="gmciht, ddi, chemprot or ade; default: all found")
    ] = None,
    format: Annotated[Format, typer.Option(help="How to print the report")] = Format.table,
) -> None:
    """Convert the benchmarks that BioMedRAG ships to unified JSONL and account for every row."""
    with tqdm(unit=" rows", leave=False, disable=not sys.stderr.isatty()) as bar:
        tallies = convert(folder, output, view.value, dataset or (), on_row=bar.update)
    write = report.to_table if format is Format.table else report.to_json
    typer.echo(write(view.value, tallies).rstrip("\n"))

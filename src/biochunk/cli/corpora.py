"""`biochunk corpora`: the benchmarks and a user's own corpora as unified JSONL."""

import sys
from enum import Enum
from pathlib import Path
from typing import Annotated

import typer
from tqdm import tqdm

from ..corpora import report
from ..corpora.check import check_records, from_utf16
from ..corpora.convert import convert
from ..corpora.splits import split_file
from ..errors import BiochunkError, Fault, UsageError
from ..wording import counted

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
    folder: Annotated[Path, typer.Argument(help="BioMedRAG's data folder, its repository, or one dataset's folder")],
    output: Annotated[
        Path,
        typer.Option(
            "-o",
            "--output",
            help="Folder for report.json and, by dataset, SPLIT.jsonl, dropped.tsv (rows left out) and, in the clean "
            "view, store.jsonl (dev without what stands in test)",
        ),
    ],
    view: Annotated[View, typer.Option(help="published: text as it stands; clean: marks and duplicates removed")],
    dataset: Annotated[list[str] | None, typer.Option(help="gmciht, ddi, chemprot or ade; default: all found")] = None,
    format: Annotated[Format, typer.Option(help="How to print the report")] = Format.table,
) -> None:
    """Convert the benchmarks that BioMedRAG ships to unified JSONL and account for every row."""
    with tqdm(unit=" rows", leave=False, disable=not sys.stderr.isatty()) as bar:
        tallies = convert(folder, output, view.value, dataset or (), on_row=bar.update)
    write = report.to_table if format is Format.table else report.to_json
    typer.echo(write(view.value, tallies).rstrip("\n"))


@app.command("check")
def check_command(
    files: Annotated[list[Path], typer.Argument(help="Unified JSONL files")],
    fix_utf16: Annotated[
        bool,
        typer.Option("--fix-utf16", help="Rewrite offsets that a browser tool counted in UTF-16 code units"),
    ] = False,
    output: Annotated[Path | None, typer.Option("-o", "--output", help="Where --fix-utf16 writes")] = None,
) -> None:
    """Name every fault of unified JSONL files by line. Exit code 1 if there is one."""
    if fix_utf16:
        if output is None:
            raise UsageError("found --fix-utf16 without -o, expected --fix-utf16 FILE -o OUT")
        if len(files) > 1:
            raise UsageError(f"found --fix-utf16 with {len(files)} files, expected one: --fix-utf16 FILE -o OUT")
        moved = from_utf16(files[0], output)
        typer.echo(f"{output}: {counted(moved, 'entity', 'entities')} with other offsets")
        return
    if output is not None:
        raise UsageError("found -o without --fix-utf16, expected both: a check writes nothing")
    faults = 0
    for path in files:

        def show(fault: Fault, path: Path = path) -> None:
            typer.echo(f"{path}: {fault.where}: found {fault.found}, expected {fault.expected}", err=True)

        checked = check_records(path, show)
        faults += checked.faults
        typer.echo(f"{path}: {counted(checked.records, 'record')} without a fault, {counted(checked.faults, 'fault')}")
        if checked.utf16:
            typer.echo(
                f"{path}: the offsets fit when they are counted in UTF-16 code units; rewrite the file with "
                f"'biochunk corpora check --fix-utf16 {path} -o OUT'",
                err=True,
            )
    if faults:
        raise BiochunkError(f"found {counted(faults, 'fault')}, expected none; each is named above")


@app.command("split")
def split_command(
    file: Annotated[Path, typer.Argument(help="Unified JSONL file")],
    output: Annotated[Path, typer.Option("-o", "--output", help="Folder for part.jsonl and rest.jsonl")],
    fraction: Annotated[float, typer.Option(help="Expected share of distinct sentences in the part")] = 0.1,
    seed: Annotated[int, typer.Option(help="Another seed, another part")] = 0,
) -> None:
    """Carve a part out of a file, such as a tuning slice out of train, and keep equal sentences together."""
    part, rest = split_file(file, output, fraction=fraction, seed=seed)
    for name, count in (("part.jsonl", part), ("rest.jsonl", rest)):
        typer.echo(f"{output / name}: {counted(count, 'record')}")

"""`biochunk export`: an arm's chunks for other systems."""

import sys
from collections.abc import Iterable
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from tqdm import tqdm

from ..corpora.records import read_records
from ..errors import Errors, UsageError
from ..folders import whole_folder
from ..wording import counted
from . import common

if TYPE_CHECKING:
    from ..biomedrag.export.rows import Item

app = typer.Typer(help="Write an arm's chunks for other systems.", no_args_is_help=True)


class Pick(str, Enum):
    """Which of the five stored chunks that a chunk finds goes on."""

    released = "released"
    nearest = "nearest"


@app.callback()
def _group() -> None:
    """A group of commands, though it has one."""


@app.command("biomedrag")
def biomedrag_command(
    output: Annotated[Path, typer.Argument(metavar="DIR", help="Folder: new, empty, or of an earlier export")],
    train: Annotated[Path, typer.Option(metavar="FILE", help="Unified JSONL: queries and demonstrations")],
    dev: Annotated[Path, typer.Option(metavar="FILE", help="Unified JSONL: its chunks are the store")],
    pipeline: common.Pipeline,
    test: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Unified JSONL for the files of test; default: these are not written"),
    ] = None,
    top_k: Annotated[
        int,
        typer.Option(
            min=1,
            max=4,
            help="Chunks of a sentence, stored and asking; more give more candidates than its scorer reads",
        ),
    ] = 2,
    pick: Annotated[
        Pick,
        typer.Option(help="Stored chunk that goes on: as BioMedRAG's code has it (the fifth nearest), or the nearest"),
    ] = Pick.released,
    none: Annotated[
        bool,
        typer.Option("--with-none/--without-none", help="Whether a pair without a relation is a line of None"),
    ] = True,
    vector_size: Annotated[
        int | None,
        typer.Option(min=1, help="Numbers a row of the candidates' vectors, filled up with zeros (its scorer: 5120)"),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="For the heads and tails that are put around chunks")] = 0,
) -> None:
    """Write the files that BioMedRAG's scripts read, so that its scorer and generator train on this pipeline's chunks.

    One line a sentence and triple in every file of a split; docs/biomedrag.md says which file is for which script.

    Characters that its scripts would split at are replaced, and counted here and in DIR/report.json.
    """
    inputs = [path for path in (train, dev, test) if path is not None]
    _check_output(output, inputs)
    # spaCy is imported only now, so that help and bad usage answer at once.
    from ..biomedrag.export import Settings, export_biomedrag
    from ..pipeline.load import load_pipeline

    settings = Settings(top_k, pick.value, none, vector_size, seed)
    nlp = load_pipeline(pipeline)
    with whole_folder(output) as folder:
        report = export_biomedrag(
            folder,
            nlp,
            train=read_records(train),
            dev=read_records(dev),
            test=read_records(test) if test else None,
            settings=settings,
            progress=_shown,
        )
    typer.echo(f"{output}: {counted(len(report.files), 'file')} of lines, 2 arrays, report.json")
    for line in report.lines():
        typer.echo(line)


def _check_output(output: Path, inputs: list[Path]) -> None:
    """RAISES (UsageError): If something else than an earlier export, or an input, would be replaced."""
    from ..biomedrag.export.names import REPORT, STORED

    problem = ""
    if output.exists() and not output.is_dir():
        problem = "found a file, expected a folder"
    elif output.is_dir() and any(output.iterdir()) and not all((output / name).is_file() for name in (REPORT, STORED)):
        problem = "found other files, expected a new or empty folder, or an earlier export, which is replaced"
    elif any(output.resolve() in path.resolve().parents for path in inputs):
        problem = "an input is in this folder, which is replaced; choose another one"
    if problem:
        raise UsageError(Errors.E009.format(action="write", path=output, problem=problem))


def _shown(items: "Iterable[Item]", split: str) -> "Iterable[Item]":
    return tqdm(items, desc=split, unit=" records", leave=False, disable=not sys.stderr.isatty())

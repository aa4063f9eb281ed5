"""`biochunk corpora export` and `import`: unified JSONL to other formats and back."""

import sys
from collections.abc import Iterable, Iterator
from enum import Enum
from itertools import islice
from pathlib import Path
from typing import Annotated

import typer
from tqdm import tqdm

from ..corpora.formats import FORMATS, Notes, get_format
from ..corpora.records import Record, read_records, write_records
from ..errors import BiochunkError, FileFaultsError
from ..wording import counted
from . import common

NAMES = ", ".join(FORMATS)
BATCH = 256


class OnError(str, Enum):
    """What a bad document does."""

    stop = "stop"
    skip = "skip"


def export_command(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Unified JSONL file")],
    to: Annotated[str, typer.Option("--to", metavar="FORMAT", help=NAMES)],
    output: Annotated[Path, typer.Option("-o", "--output", help="File; a new folder for brat and huggingface")],
    pipeline: Annotated[
        str | None,
        typer.Option(help="Export what this pipeline finds in the texts instead of their annotations"),
    ] = None,
) -> None:
    """Write unified JSONL in another format, for annotation tools and other libraries.

    What the format has no place for is named once on stderr, with its count.

    With --pipeline: entities, triggers, propositions and chunks are entities, propositions also triples.
    """
    format = get_format(to)
    common.refuse_input(output, [file])
    notes = Notes()
    records: Iterable[Record] = read_records(file)
    if pipeline is not None:
        records = _found(records, pipeline)
    count = format.write(output, _shown(records), notes=notes)
    _tell(notes)
    typer.echo(f"{output}: {counted(count, 'record')}", err=True)


def import_command(
    path: Annotated[Path, typer.Argument(metavar="PATH", help="File; a folder for brat and huggingface")],
    source: Annotated[str, typer.Option("--from", metavar="FORMAT", help=NAMES)],
    output: Annotated[Path, typer.Option("-o", "--output", metavar="FILE", help="Unified JSONL file to write")],
    dataset: Annotated[str | None, typer.Option(help="Dataset, where the file names none; default: its name")] = None,
    split: Annotated[str, typer.Option(help="Split, where the file names none; default: all")] = "",
    on_error: Annotated[
        OnError, typer.Option(help="A bad document: stop without output, or leave it out and name it")
    ] = OnError.stop,
) -> None:
    """Read a corpus in another format, check every record, write unified JSONL.

    A decision that the reader had to take is named once on stderr, with its count.
    """
    format = get_format(source)
    common.refuse_input(output, [path])
    notes = Notes()
    left_out = 0

    def leave_out(error: FileFaultsError) -> None:
        nonlocal left_out
        left_out += 1
        typer.echo(f"Left out: {error}", err=True)

    records = format.read(
        path,
        dataset=path.stem if dataset is None else dataset,
        # Where no split is given, a folder of Hugging Face's has it in the names of its files.
        split=split or ("" if source == "huggingface" else "all"),
        notes=notes,
        on_fault=leave_out if on_error is OnError.skip else None,
    )
    count = write_records(output, _at_least_one(_shown(records), path))
    _tell(notes)
    more = f", {counted(left_out, 'document')} left out" if left_out else ""
    typer.echo(f"{output}: {counted(count, 'record')}{more}", err=True)


def _found(records: Iterable[Record], pipeline: str) -> Iterator[Record]:
    """What a pipeline finds in the records' texts."""
    # spaCy is imported only now, so that help and bad usage answer at once.
    from ..corpora.from_doc import doc_to_record
    from ..pipeline.load import load_pipeline

    nlp = load_pipeline(pipeline)
    source = iter(records)
    while batch := list(islice(source, BATCH)):
        for record, doc in zip(batch, nlp.pipe(record.text for record in batch), strict=True):
            yield doc_to_record(doc, id=record.id, dataset=record.dataset, split=record.split, meta=record.meta)


def _shown(records: Iterable[Record]) -> Iterator[Record]:
    yield from tqdm(records, unit=" records", leave=False, disable=not sys.stderr.isatty())


def _at_least_one(records: Iterable[Record], path: Path) -> Iterator[Record]:
    count = 0
    for record in records:
        count += 1
        yield record
    if not count:
        raise BiochunkError(f"{path}: found no record, expected some")


def _tell(notes: Notes) -> None:
    for line in notes.lines():
        typer.echo(f"Note: {line}", err=True)

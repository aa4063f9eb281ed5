"""`biochunk summary`: what pipelines find on annotated sentences."""

import json
import sys
from collections.abc import Iterable, Iterator
from enum import Enum
from itertools import groupby
from pathlib import Path
from typing import Annotated

import typer
from tqdm import tqdm

from ..corpora.records import Record, read_records
from ..errors import UsageError


class Format(str, Enum):
    """How the summary is printed."""

    table = "table"
    json = "json"


def summary_command(
    inputs: Annotated[
        list[Path], typer.Argument(help="Unified JSONL: files, or folders of .jsonl files", metavar="PATH...")
    ],
    pipeline: Annotated[
        str,
        typer.Option(help="Name or folder of a pipeline; {dataset} stands for the dataset of the records"),
    ] = "en_biochunk_{dataset}",
    format: Annotated[Format, typer.Option(help="How to print it")] = Format.table,
) -> None:
    """Run a pipeline over annotated sentences and print what it found, one column a dataset.

    Counted are sentences, entities, triggers, propositions and chunks, how often the gold relation is among
    those that triggers signal or propositions state, and how often one chunk holds a whole gold pair.
    """
    from ..evaluation.summary import Summary, summarize, table
    from ..pipeline.load import load_pipeline

    columns: dict[str, Summary] = {}
    relations: dict[str, set[str]] = {}
    pipelines = {}
    for path in _files(inputs):
        for dataset, records in groupby(read_records(path), key=lambda record: record.dataset):
            name = pipeline.replace("{dataset}", dataset)
            if name not in pipelines:
                pipelines[name] = load_pipeline(name)
            found = _noting(records, relations.setdefault(dataset, set()))
            with tqdm(found, desc=str(path), unit=" sentences", leave=False, disable=not sys.stderr.isatty()) as bar:
                columns[dataset] = columns.get(dataset, Summary()) + summarize(pipelines[name], bar)
    if not columns:
        raise UsageError(f"found no record in {', '.join(map(str, inputs))}, expected at least one")
    for dataset, gold in relations.items():
        name = pipeline.replace("{dataset}", dataset)
        known = {label for labels in pipelines[name].pipe_labels.values() for label in labels}
        if gold and not gold & known:
            typer.echo(
                f"Warning: {dataset}: found no relation ({', '.join(sorted(gold))}) that {name} knows, so none can be "
                "found; expected a pipeline of this dataset's relations. Change --pipeline",
                err=True,
            )
    if format is Format.json:
        typer.echo(json.dumps({dataset: summary.rates() for dataset, summary in columns.items()}, indent=2))
    else:
        typer.echo(table(columns))


def _noting(records: Iterable[Record], relations: set[str]) -> Iterator[Record]:
    """The same records; their relations are added to `relations`."""
    for record in records:
        relations.update(triple.relation for triple in record.triples)
        yield record


def _files(inputs: list[Path]) -> Iterator[Path]:
    for path in inputs:
        found = sorted(path.rglob("*.jsonl")) if path.is_dir() else [path]
        if not found or not found[0].is_file():
            raise UsageError(f"found no unified JSONL in '{path}', expected a file, or a folder of .jsonl files")
        yield from found

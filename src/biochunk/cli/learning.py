"""What `biochunk triggers` and `biochunk entities` share: options, reading records, writing a dataset file."""

import sys
from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from typing import Annotated

import typer
from tqdm import tqdm

from ..corpora.records import Record, read_records
from ..dataset_text import dataset_text
from ..errors import BiochunkError, FileFaultsError, UsageError
from ..files import whole_file
from ..schemas import Dataset, read_dataset

Corpus = Annotated[
    Path, typer.Argument(metavar="CORPUS", help="Unified JSONL, as `biochunk corpora convert` writes it")
]
DatasetFile = Annotated[
    str,
    typer.Option("--dataset", metavar="FILE", help="Dataset file, or the name of one that comes with the package"),
]
Output = Annotated[Path, typer.Option("-o", "--output", metavar="FILE", help="Dataset file to write; may be the same")]
Split = Annotated[str, typer.Option(help="Which records to use; 'all' for all of them")]
TrainSplit = Annotated[
    str | None,
    typer.Option(help="Which records to use; 'all' for all of them; default: train, or all where none is of train"),
]
OneDataset = Annotated[
    str | None,
    typer.Option("--dataset", metavar="FILE", help="Dataset file, or the name of one that comes with the package"),
]
OnePipeline = Annotated[
    str | None, typer.Option("--pipeline", help="Name or folder of a pipeline, instead of --dataset")
]
Force = Annotated[bool, typer.Option("--force", help="Overwrite an output that holds other contents")]


class Format(str, Enum):
    """How a report is printed."""

    table = "table"
    json = "json"


def one_of(dataset: str | None, pipeline: str | None) -> None:
    """See that one of two options is given.

    RAISES (UsageError): When none is, or both are.
    """
    if dataset is None and pipeline is None:
        raise UsageError("found neither --dataset nor --pipeline, expected one of them")
    if dataset is not None and pipeline is not None:
        raise UsageError("found both --dataset and --pipeline, expected one of them; leave one out")


def train_or_all(path: Path) -> Iterator[Record]:
    """Records of the split "train"; where none is of it all records, with a note on stderr.

    The file is read once, for it may be a pipe; records before the first of "train" are kept in memory.
    """
    others: list[Record] = []
    has_train = False
    for record in records_of(path, "all"):
        if record.split == "train":
            has_train = True
            others.clear()
            yield record
        elif not has_train:
            others.append(record)
    if others:
        shown = ", ".join(sorted({repr(record.split) for record in others}))
        typer.echo(f"Note: {path}: no record is of the split 'train'; all are used (split: {shown})", err=True)
        yield from others


def records_of(path: Path, split: str) -> Iterator[Record]:
    """Records of one split, with a progress bar.

    RAISES (UsageError): When the file has no record of the split.
    """
    found: set[str] = set()
    count = 0
    with tqdm(read_records(path), desc=path.name, unit=" rows", leave=False, disable=not sys.stderr.isatty()) as bar:
        for record in bar:
            found.add(record.split)
            if split in ("all", record.split):
                count += 1
                yield record
    if not count:
        known = ", ".join(sorted(found)) or "no record at all"
        raise UsageError(f"{path}: found no record of the split '{split}' (found: {known}); change --split")


def write_dataset(new: Dataset, output: Path, old: Dataset, force: bool) -> None:
    """Write a dataset file. In its place may only stand the dataset that went in, or the result."""
    if output.exists() and not force:
        try:
            existing = read_dataset(output)
        except FileFaultsError as error:
            raise BiochunkError(f"{error}\nThis is what -o would overwrite; give another file, or --force") from None
        if existing not in (old, new):
            raise BiochunkError(
                f"{output}: found a dataset with other edits, which would be lost; expected the file "
                f"given as --dataset, or none. Learn into it with --dataset {output}, or give --force"
            )
    with whole_file(output) as file:
        file.write(dataset_text(new))

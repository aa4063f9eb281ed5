"""`biochunk corpora stats`: what a corpus is like, as a table and as a page."""

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from enum import Enum
from itertools import islice
from pathlib import Path
from typing import Annotated

import typer
from tqdm import tqdm

from ..corpora.records import Record, read_records
from ..errors import BiochunkError, UsageError
from ..files import whole_file
from ..shipped import dataset_path
from . import common

BATCH = 256

Fired = Callable[[list[str]], Iterable[frozenset[str]]]


class Format(str, Enum):
    """How the statistics are printed."""

    table = "table"
    json = "json"


def stats_command(
    paths: Annotated[list[Path], typer.Argument(metavar="PATH...", help="Unified JSONL files, or folders of them")],
    dataset: Annotated[
        str | None,
        typer.Option(
            "--dataset",
            metavar="FILE",
            help="Dataset file, or the name of one that comes with the package, whose triggers are counted",
        ),
    ] = None,
    output: Annotated[Path | None, typer.Option("-o", "--output", metavar="FILE", help="HTML page with plots")] = None,
    format: Annotated[Format, typer.Option(help="How to print the statistics")] = Format.table,
) -> None:
    """Describe corpora: lengths, entities, distances, passives, negation, triggers, shared sentences.

    Each folder is described by itself, by dataset and split. Files that are named together are taken
    together, so that sentences which they share are counted.
    """
    from ..corpora.stats import CueFinder, SplitStats, count_record, ordered, to_data
    from ..corpora.stats_page import Corpus, render_page, to_table

    sources = _sources(paths)
    if output:
        common.refuse_input(output, [file for _, files in sources for file in files])
    fired = _trigger_finder(dataset_path(dataset)) if dataset else None
    cues = CueFinder()
    corpora: list[Corpus] = []
    with tqdm(unit=" records", leave=False, disable=not sys.stderr.isatty()) as bar:
        for title, files in sources:
            found: dict[str, dict[str, SplitStats]] = {}
            for record, relations in _with_triggers(_records(files), fired):
                split = found.setdefault(record.dataset, {}).setdefault(record.split, SplitStats())
                count_record(split, record, cues, relations)
                bar.update()
            corpora += [Corpus(f"{title}: {name}", ordered(splits)) for name, splits in found.items()]
    if not corpora:
        raise BiochunkError(f"found no record in {', '.join(map(str, paths))}, expected some")
    if output:
        with whole_file(output) as file:
            file.write(render_page(corpora, title="Corpus statistics"))
    if format is Format.json:
        data = {corpus.title: to_data(corpus.splits) for corpus in corpora}
        typer.echo(json.dumps(data, ensure_ascii=False, indent=2))
    else:
        typer.echo(to_table(corpora))


def _sources(paths: list[Path]) -> list[tuple[str, list[Path]]]:
    """(title, files): all files named by themselves are one source, each folder is another."""
    sources = []
    files = [path for path in paths if not path.is_dir()]
    if files:
        sources.append((", ".join(map(str, files)), files))
    for folder in (path for path in paths if path.is_dir()):
        inside = sorted(folder.rglob("*.jsonl"))
        if not inside:
            raise UsageError(f"found no .jsonl file in '{folder}', expected unified JSONL")
        sources.append((str(folder), inside))
    return sources


def _records(files: list[Path]) -> Iterator[Record]:
    for file in files:
        yield from read_records(file)


def _with_triggers(records: Iterator[Record], fired: Fired | None) -> Iterator[tuple[Record, frozenset[str] | None]]:
    if fired is None:
        yield from ((record, None) for record in records)
        return
    while batch := list(islice(records, BATCH)):
        yield from zip(batch, fired([record.text for record in batch]), strict=True)


def _trigger_finder(path: Path) -> Fired:
    """From texts to the relations that the dataset's triggers signal in each."""
    from ..schemas import read_dataset
    from ..triggers.finders import TAGGER, fired_tiers, make_finder

    nlp = make_finder(read_dataset(path), TAGGER)
    return lambda texts: (frozenset(fired_tiers(doc)) for doc in nlp.pipe(texts))

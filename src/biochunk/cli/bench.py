"""`biochunk bench`: how fast a pipeline is, and what each component costs."""

from itertools import islice
from pathlib import Path
from typing import Annotated

import typer

from ..corpora.records import read_records
from ..errors import UsageError
from ..wording import counted
from .common import Pipeline


def bench_command(
    corpus: Annotated[
        Path, typer.Argument(help="Unified JSONL, as `biochunk corpora convert` writes it", exists=True, dir_okay=False)
    ],
    pipeline: Pipeline,
    limit: Annotated[int | None, typer.Option(min=1, help="Read at most this many texts")] = None,
    beside: Annotated[
        str | None, typer.Option(help="Another pipeline, by name or folder, to time over the same texts")
    ] = None,
    rounds: Annotated[
        int, typer.Option(min=1, help="Repeat with a newly loaded pipeline; the best round is shown")
    ] = 3,
) -> None:
    """Time a pipeline beside spacy.blank("en") over the same texts, and each of its components; print peak memory.

    "first pass" is over texts not met before, as in use; "again" repeats them, and components are timed on texts met
    before. The ratio is speed relative to spacy.blank("en") in the same run. Figures from fewer than 200 texts are
    unreliable.
    """
    from ..evaluation.bench import LEGEND, bench, few_texts_note, table
    from ..pipeline.load import load_pipeline

    texts = [record.text for record in islice(read_records(corpus), limit)]
    if not texts:
        raise UsageError(f"{corpus}: found no record, expected at least one text to time")
    results = [
        bench(load_pipeline(pipeline), texts, None if beside is None else load_pipeline(beside)) for _ in range(rounds)
    ]
    # Other load on the machine only ever makes a round slower.
    best = min(results, key=lambda result: sum(result.first.values()))
    rows = table(best)
    width = max(len(row[0]) for row in rows)
    for name, *numbers in rows:
        typer.echo(name.ljust(width) + "".join(number.rjust(12) for number in numbers))
    typer.echo(LEGEND)
    typer.echo(
        f"{counted(best.texts, 'text')}; full pipeline at {best.ratio(best.first):.2f} of the speed of spacy.blank"
    )
    if beside is not None:
        typer.echo(f"{pipeline} takes {best.times_as_long(best.first):.2f} times as long as {beside}")
    typer.echo(f"peak memory {results[-1].peak_mib:,.0f} MiB")
    note = few_texts_note(best.texts)
    if note:
        typer.echo(note, err=True)

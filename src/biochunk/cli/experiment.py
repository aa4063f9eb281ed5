"""`biochunk experiment`: the comparison of chunkers."""

from enum import Enum
from pathlib import Path
from typing import Annotated

import typer

from ..errors import UsageError

app = typer.Typer(help="Compare chunkers with everything else held fixed.", no_args_is_help=True)


class SplitOption(str, Enum):
    """What is scored."""

    auto = "auto"
    dev = "dev"
    test = "test"


class StageOption(str, Enum):
    """Which part of an experiment is run."""

    all = "all"
    chunks = "chunks"
    retrieval = "retrieval"
    readers = "readers"
    answers = "answers"
    report = "report"


@app.command("run")
def run_command(
    experiment: Annotated[
        str, typer.Argument(help="Name of an experiment that comes with the package, or a .cfg file", metavar="NAME")
    ],
    corpora: Annotated[
        Path,
        typer.Option(help="Folder VIEW/DATASET/SPLIT.jsonl (`biochunk corpora convert`) or DATASET/SPLIT.jsonl"),
    ],
    output: Annotated[Path, typer.Option("-o", "--output", metavar="DIR", help="Folder of the experiment")],
    stage: Annotated[StageOption, typer.Option(help="Run this part only; earlier ones must be done")] = StageOption.all,
    split: Annotated[
        SplitOption, typer.Option(help="What is scored; auto: test where it is there, else dev")
    ] = SplitOption.auto,
    encoder: Annotated[
        str | None,
        typer.Option(help="Folder of a static table, or a sentence-transformers model (name or folder) to distil"),
    ] = None,
    processes: Annotated[int, typer.Option(min=1, help="Processes that work at a time")] = 2,
) -> None:
    """Run an experiment: chunks, retrieval, readers, answer retrieval, report.

    What is done already is not done again, so a stopped run continues where it was. DIR gets results.json, report.md,
    report.html and every file that led to them.
    """
    from ..evaluation.experiment.corpus import missing_sources
    from ..evaluation.experiment.plans import read_plan
    from ..evaluation.experiment.ready import check_ready
    from ..evaluation.experiment.run import STAGES, run_stage
    from ..tables import static_table
    from .build import cache_folder

    plan = read_plan(experiment)
    for name, needed in plan.left_out.items():
        typer.echo(f"Left out: the arm {name}, as the pipeline {needed} is not installed", err=True)
    if output.exists() and not output.is_dir():
        raise UsageError(f"found a file '{output}', expected a folder for the experiment")
    stages = STAGES if stage is StageOption.all else (stage.value,)
    check_ready(plan, stages)
    for folder in missing_sources(plan.experiment, corpora):
        typer.echo(f"Left out: {folder}, as there is no such folder", err=True)
    table = static_table(encoder, cache_folder(), on_step=lambda line: typer.echo(line, err=True))
    try:
        for name in stages:
            run_stage(
                name,
                plan,
                corpora,
                output,
                table=table,
                split=None if split is SplitOption.auto else split.value,
                processes=processes,
                on_step=typer.echo,
            )
    except KeyboardInterrupt:
        typer.echo("Stopped. What is done is kept; the same command continues there.", err=True)
        raise typer.Exit(130) from None

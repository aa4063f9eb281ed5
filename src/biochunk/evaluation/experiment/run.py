"""An experiment from corpora to report, all of it or one stage."""

from collections.abc import Callable
from pathlib import Path
from typing import Literal

from ..report.markdown import in_short
from .analyse import analyse
from .answers import answer
from .config import Plan, Split
from .corpus import check_sources, find_sources
from .done import check_done
from .layout import Layout
from .order import order
from .publish import check_leaks, publish
from .read import read
from .retrieve import retrieve

Stage = Literal["chunks", "retrieval", "readers", "answers", "report"]
STAGES: tuple[Stage, ...] = ("chunks", "retrieval", "readers", "answers", "report")


def run_stage(
    stage: Stage,
    plan: Plan,
    corpora: Path,
    out: Path,
    *,
    table: Path,
    split: Split | None = None,
    processes: int = 2,
    on_step: Callable[[str], object],
) -> None:
    """Run one stage of an experiment; what is made already, from the same inputs, is not made again.

    stage (str): One of `STAGES`, which go in this order.
    plan (Plan): The experiment.
    corpora (Path): See `find_sources`.
    out (Path): The experiment's folder.
    table (Path): Folder of the static table.
    split (str | None): What is scored; None: test where it is there, else dev.
    processes (int): How many processes work at a time.
    on_step (Callable[[str], object]): Gets lines that say what was found or written.
    RAISES (UsageError): When a stage that this one builds on is not done.
    """
    sources = find_sources(plan.experiment, corpora, split)
    check_sources(plan.experiment, sources)
    layout = Layout(out)
    check_done(stage, plan, sources, layout, table=table)
    if stage == "chunks":
        analyse(plan, sources, layout, table=table, processes=processes)
    elif stage == "retrieval":
        retrieve(plan, sources, layout, table=table, processes=processes)
        for source in sources:
            check_leaks(plan, source, layout)
        order(plan, sources, layout, processes=processes)
    elif stage == "readers":
        read(plan, sources, layout, processes=processes)
    elif stage == "answers":
        answer(plan, sources, layout, table=table, processes=processes)
    else:
        results = publish(plan, sources, layout)
        on_step(in_short(results))
        on_step(f"Wrote {layout.results}, {layout.markdown} and {layout.html}")

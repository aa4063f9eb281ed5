"""Whether the stages that a stage builds on are done, by these settings and from these files."""

from collections.abc import Iterator
from pathlib import Path

from ...errors import UsageError
from .analyse import analyse_cells
from .answers import answer_cells
from .cells import Cell
from .config import Plan
from .corpus import Source
from .layout import Layout
from .order import order_cells
from .read import read_cells
from .retrieve import retrieve_cells

# In the order in which they are made, as the keys of later files are made from earlier ones.
_NEEDED = {
    "chunks": (),
    "retrieval": ("chunks",),
    "readers": ("chunks", "retrieval"),
    "answers": (),
    "report": ("chunks", "retrieval", "readers", "answers"),
}


def check_done(stage: str, plan: Plan, sources: list[Source], layout: Layout, *, table: Path) -> None:
    """See that every file that a stage reads is there, whole, and made from what the experiment says now.

    stage (str): The stage that is to be run.
    RAISES (UsageError): When one is not; it names the stage that makes it.
    """
    for needed in _NEEDED[stage]:
        for cells in _cells(needed, plan, sources, layout, table):
            stale = next((cell for cell in cells if not cell.fresh), None)
            if stale:
                raise UsageError(
                    f"found '{stale.outputs[0]}' missing, changed or made by other settings, expected it as the stage "
                    f"{needed} makes it now; run --stage {needed} before --stage {stage}"
                )


def _cells(stage: str, plan: Plan, sources: list[Source], layout: Layout, table: Path) -> Iterator[list[Cell]]:
    if stage == "chunks":
        yield analyse_cells(plan, sources, layout, table)
    elif stage == "retrieval":
        yield retrieve_cells(plan, sources, layout, table)
        yield order_cells(plan, sources, layout)
    elif stage == "readers":
        yield read_cells(plan, sources, layout)
    else:
        yield answer_cells(plan, sources, layout, table)

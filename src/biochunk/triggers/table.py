"""Tables of what was learned and of how triggers cover a corpus, as text."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from .coverage import NONE, Row
from .merge import Change

_HEADER = ("", "tier", "cue", "part of speech", "items", "of all", "share", "odds", "stands", "order", "note")


def review_table(changes: Iterable[Change]) -> str:
    """What a reviewer reads: every trigger of every relation, with the measurement behind it.

    changes (Iterable[Change]): What `merge` did.
    RETURNS (str): Lines; columns are two spaces apart.
    """
    by_relation: dict[str, list[Change]] = {}
    for change in changes:
        by_relation.setdefault(change.relation, []).append(change)
    lines = []
    for relation, of_relation in by_relation.items():
        kinds = Counter(change.kind for change in of_relation)
        lines.append(f"{relation}: " + ", ".join(f"{n} {kind}" for kind, n in sorted(kinds.items())))
        lines += _aligned([_HEADER, *(_row(change) for change in of_relation)])
        lines.append("")
    return "\n".join(lines)


def merge_summary(changes: Sequence[Change]) -> str:
    """One line: how many triggers there are now, and what became of which.

    changes (Sequence[Change]): What `merge` did.
    """
    kinds: Counter[str] = Counter(change.kind for change in changes)
    told = {"new": "new", "changed": "measured anew", "same": "as before", "hand": "kept as edited by hand"}
    gone = {"dropped": "dropped as these records do not support them", "rejected": "left out as rejected"}
    parts = [f"{kinds[kind]} {words}" for kind, words in told.items() if kinds[kind]]
    left = [f"{kinds[kind]} {words}" for kind, words in gone.items() if kinds[kind]]
    total = sum(change.trigger is not None for change in changes)
    return "; ".join(
        [f"{total} trigger{'s' if total != 1 else ''}" + (f" ({', '.join(parts)})" if parts else ""), *left]
    )


def coverage_table(rows: Mapping[str, Row]) -> str:
    """One line a relation; shares in percent, "relations fired" as the mean number a sentence.

    rows (Mapping[str, Row]): What `coverage` counted; at least one.
    RETURNS (str): Lines; columns are two spaces apart.
    """
    rates = {name: row.rates() for name, row in rows.items()}
    header = ("", *next(iter(rates.values())))
    return "\n".join(_aligned([header, *((name, *_cells(name, rate)) for name, rate in rates.items())], right=True))


def _cells(name: str, rate: Mapping[str, float | int | None]) -> list[str]:
    cells = []
    for column, value in rate.items():
        if value is None or (name == NONE and column.startswith("gold")):
            cells.append("-")
        elif column in ("items", "relations fired"):
            cells.append(f"{value}" if isinstance(value, int) else f"{value:.2f}")
        else:
            cells.append(f"{100 * value:.1f}%")
    return cells


def _row(change: Change) -> tuple[str, ...]:
    trigger, proposal = change.trigger, change.proposal
    tier = str(trigger.tier if trigger else proposal.tier if proposal else "-")
    pos = trigger.pos if trigger else proposal.cue.pos if proposal else "-"
    inverted = trigger.invert if trigger else bool(proposal and proposal.invert)
    measured = ("-",) * 5
    if proposal is not None:
        measured = (
            str(proposal.count),
            str(proposal.anywhere),
            f"{proposal.share:.2f}",
            f"{proposal.odds:.1f}",
            proposal.place,
        )
    return (change.kind, tier, change.phrase, pos, *measured, "inverted" if inverted else "", change.note)


def _aligned(rows: Sequence[Sequence[str]], *, right: bool = False) -> list[str]:
    """Rows as lines; the first column to the left, the others to the left or the right."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [
            cell.rjust(width) if right and i else cell.ljust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  " + "  ".join(cells).rstrip())
    return lines

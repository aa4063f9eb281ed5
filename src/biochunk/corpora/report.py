"""What became of every row of a conversion: counted by split and relation, as JSON and as a table.

Every row that is read ends in exactly one outcome: kept (it opens a record), grouped (it adds to the record
of its sentence) or dropped for one reason. `check` compares the two sides, so a row that got lost on the way
is an error.
"""

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

from ..errors import BiochunkError

READ, KEPT, GROUPED = "read", "kept", "grouped"
# Relation of a row that states none: a bare sentence.
NO_TRIPLE = "(no triple)"


class Tally:
    """Counts of one dataset."""

    def __init__(self) -> None:
        self.files: dict[str, str] = {}
        self.records: Counter[str] = Counter()
        self.notes: list[str] = []
        self.events: dict[str, Counter[str]] = {}
        self._rows: dict[str, dict[str, Counter[str]]] = {}

    def read(self, split: str, relation: str) -> None:
        """Count a row where it is read."""
        self._count(split, relation, READ)

    def outcome(self, split: str, relation: str, outcome: str) -> None:
        """Count a row where it is decided. outcome (str): `KEPT`, `GROUPED` or why it is dropped."""
        self._count(split, relation, outcome)

    def event(self, split: str, what: str, count: int = 1) -> None:
        """Count something that is worth knowing and is no outcome of a row, such as a restored bracket."""
        if count:
            self.events.setdefault(split, Counter())[what] += count

    def check(self) -> None:
        """RAISES (BiochunkError): If read differs from kept + grouped + dropped in any split and relation."""
        for split, relations in self._rows.items():
            for relation, counts in relations.items():
                decided = counts.total() - counts[READ]
                if decided != counts[READ]:
                    raise BiochunkError(
                        f"{split}/{relation}: {counts[READ]} rows read and {decided} accounted for, expected "
                        "as many; this is a bug of biochunk, please report it"
                    )

    def to_json(self) -> dict[str, Any]:
        """Counts by split, in the order the splits were read; relations by name."""
        splits = {}
        for split, relations in self._rows.items():
            total: Counter[str] = sum(relations.values(), Counter())
            splits[split] = {
                "file": self.files.get(split, ""),
                "records": self.records[split],
                "rows": _row_counts(total),
                "relations": {name: _row_counts(relations[name]) for name in sorted(relations)},
                "events": dict(sorted(self.events.get(split, {}).items())),
            }
        return {"splits": splits, "notes": self.notes}

    def _count(self, split: str, relation: str, what: str) -> None:
        self._rows.setdefault(split, {}).setdefault(relation, Counter())[what] += 1


def to_json(view: str, tallies: dict[str, Tally]) -> str:
    """The whole report as JSON text that is the same for the same input."""
    report = {"view": view, "datasets": {name: tally.to_json() for name, tally in tallies.items()}}
    return json.dumps(report, ensure_ascii=False, indent=2) + "\n"


def to_table(view: str, tallies: dict[str, Tally]) -> str:
    """The report for a terminal: a line a split, below it a line a relation."""
    rows: list[tuple[str, ...]] = [("view " + view, "read", "kept", "grouped", "dropped", "why")]
    notes: list[str] = []
    for name, tally in tallies.items():
        for split, part in tally.to_json()["splits"].items():
            rows.append((f"{name} {split}", *_cells(part["rows"])))
            rows += [(f"  {relation}", *_cells(counts)) for relation, counts in part["relations"].items()]
            notes += [f"{name} {split}: {count} {what}" for what, count in part["events"].items()]
        notes += [f"{name}: {note}" for note in tally.notes]
    return "\n".join([*_aligned(rows), *notes])


def _row_counts(counts: Counter[str]) -> dict[str, Any]:
    dropped = {reason: counts[reason] for reason in sorted(counts) if reason not in (READ, KEPT, GROUPED)}
    return {READ: counts[READ], KEPT: counts[KEPT], GROUPED: counts[GROUPED], "dropped": dropped}


def _cells(counts: dict[str, Any]) -> tuple[str, ...]:
    dropped = counts["dropped"]
    why = ", ".join(f"{reason} {count}" for reason, count in dropped.items())
    return (str(counts[READ]), str(counts[KEPT]), str(counts[GROUPED]), str(sum(dropped.values())), why)


def _aligned(rows: list[tuple[str, ...]]) -> Iterator[str]:
    widths = [max(len(row[i]) for row in rows) for i in range(5)]
    for row in rows:
        cells = [row[0].ljust(widths[0]), *(row[i].rjust(widths[i]) for i in range(1, 5)), row[5]]
        yield "  ".join(cells).rstrip()

"""What a reader or writer had to leave out or to decide: counted by kind, told once a run, never silent."""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager


class FormatWarning(UserWarning):
    """A format could not hold something, or a reader applied one of the rules of docs/formats.md."""


class Notes:
    """Counts of what was left out or decided in one run of a reader or writer."""

    def __init__(self) -> None:
        self._counts: dict[str, int] = {}
        self._first: dict[str, str] = {}

    def add(self, kind: str, where: str) -> None:
        """Count one case.

        kind (str): What happened; the same words for every case of it.
        where (str): The record or line; only the first of a kind is shown.
        """
        self._counts[kind] = self._counts.get(kind, 0) + 1
        self._first.setdefault(kind, where)

    def lines(self) -> list[str]:
        """One line a kind, in order of first appearance."""
        return [f"{kind}: {count} (first: {self._first[kind]})" for kind, count in self._counts.items()]

    def counts(self) -> dict[str, int]:
        """How often each kind happened."""
        return dict(self._counts)


@contextmanager
def noting(notes: Notes | None) -> Iterator[Notes]:
    """Gives the caller's notes, or new ones that end in a single `FormatWarning` when the run ends well."""
    if notes is not None:
        yield notes
        return
    own = Notes()
    yield own
    if own.counts():
        warnings.warn("; ".join(own.lines()), FormatWarning, stacklevel=4)

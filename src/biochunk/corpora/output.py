"""The files of one converted dataset and the account of its rows, together so that neither forgets one."""

from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple, TextIO

from ..files import whole_file
from .records import Record
from .report import Tally


class Dropped(NamedTuple):
    """A row that became no part of a record. where (str): "line 12" or, in a JSON array, "item 12"."""

    split: str
    file: str
    where: str
    relation: str
    reason: str
    detail: str


class Output:
    """`SPLIT.jsonl` and `dropped.tsv` in one folder; they appear when the block ends without an error."""

    def __init__(self, folder: Path) -> None:
        self.tally = Tally()
        self._folder = folder
        self._files: dict[str, TextIO] = {}
        self._stack = ExitStack()

    def __enter__(self) -> "Output":
        self._dropped = self._stack.enter_context(whole_file(self._folder / "dropped.tsv"))
        self._dropped.write("\t".join(Dropped._fields) + "\n")
        return self

    def __exit__(self, *error: object) -> None:
        if error[0] is None:
            try:
                self.tally.check()
            except BaseException as lost_row:
                self._stack.__exit__(type(lost_row), lost_row, lost_row.__traceback__)
                raise
        self._stack.__exit__(*error)  # type: ignore[arg-type]

    def open(self, split: str, file: str) -> None:
        """Begin a split: it gets a file even if no record comes. file (str): Where its rows come from."""
        self.tally.files[split] = file
        self._files[split] = self._stack.enter_context(whole_file(self._folder / f"{split}.jsonl"))

    def write(self, split: str, record: Record) -> None:
        self.tally.records[split] += 1
        self._files[split].write(record.to_json() + "\n")

    def drop(self, row: Dropped) -> None:
        self.tally.outcome(row.split, row.relation, row.reason)
        self._dropped.write("\t".join(row) + "\n")

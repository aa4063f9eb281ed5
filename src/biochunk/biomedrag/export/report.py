"""What one export wrote, counted."""

import json
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from .folder import Folder
from .stored import Entry, Stored


@dataclass
class Report:
    """Counts of one export.

    pipeline (str): Name and version of the arm.
    settings (dict): The options.
    splits (dict[str, Counter]): By split what `read_items` counts, and "sentences kept from own chunks": those
        with a chunk in the store, which they were not shown.
    store (dict[str, int]): "chunks" (of all rows), "entries" (each once a relation), and "numbers a vector".
    chosen (dict[str, Counter]): By split how often each stored chunk stands in a generator's prompt.
    agreeing (Counter): By split the lines whose prompt shows a stored chunk of the line's own relation.
    files (dict): By file its "lines", and "replaced", the count of each kind of separator in its texts.
    notes (list[str]): What else a user should know.
    """

    pipeline: str
    settings: dict[str, Any]
    splits: dict[str, Counter[str]] = field(default_factory=dict)
    store: dict[str, int] = field(default_factory=dict)
    chosen: dict[str, Counter[Entry]] = field(default_factory=dict)
    agreeing: Counter[str] = field(default_factory=Counter)
    files: dict[str, dict[str, Any]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def count_store(self, stored: Stored) -> None:
        self.store["chunks"] = sum(map(len, stored.by_relation.values()))
        self.store["entries"], self.store["numbers a vector"] = stored.vectors.shape

    def count_files(self, folder: Folder) -> None:
        for name in sorted(folder.lines):
            replaced = sorted(folder.replaced.get(name, Counter()).items())
            self.files[name] = {"lines": folder.lines[name], "replaced": dict(replaced)}

    def data(self) -> dict[str, Any]:
        """The report as JSON values."""
        return {
            "pipeline": self.pipeline,
            "settings": self.settings,
            "splits": {split: dict(counts) for split, counts in self.splits.items()},
            "store": self.store,
            "stored chunks in prompts": {split: self._served(split) for split in self.chosen},
            "files": self.files,
            "notes": self.notes,
        }

    def _served(self, split: str) -> dict[str, Any]:
        counts = self.chosen[split]
        lines = counts.total()
        return {
            "distinct": len(counts),
            "most served": max(counts.values()) / lines,
            "label hit rate": self.agreeing[split] / lines,
        }

    def to_json(self) -> str:
        return json.dumps(self.data(), indent=2, ensure_ascii=False)

    def lines(self) -> list[str]:
        """The report in sentences, one a line."""
        lines = [f"{split}: " + _listed(counts) for split, counts in self.splits.items()]
        lines.append("store: " + _listed(self.store))
        for split in self.chosen:
            served = self._served(split)
            lines.append(
                f"{split}: prompts show {served['distinct']} stored chunks, the most served one in "
                f"{served['most served']:.1%} of lines; label hit rate {served['label hit rate']:.1%}"
            )
        replaced = [
            f"replaced in {name}: {_listed(file['replaced'])}" for name, file in self.files.items() if file["replaced"]
        ]
        lines += replaced or ["no separator of BioMedRAG's had to be replaced"]
        return [*lines, *self.notes]


def _listed(counts: dict[str, int]) -> str:
    return ", ".join(f"{count} {kind}" for kind, count in counts.items() if count)

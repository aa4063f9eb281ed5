"""The files of one export: lines go in, and what was replaced in them is counted."""

import json
from collections import Counter
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Any, TextIO

from .separators import Safe


class Folder:
    """Open files of a folder by name; each is made with its first line. Use it as a context manager.

    path (Path): The folder.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.lines: Counter[str] = Counter()
        self.replaced: dict[str, Counter[str]] = {}
        self._files: dict[str, TextIO] = {}
        self._stack = ExitStack()

    def __enter__(self) -> "Folder":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._stack.close()

    def text(self, name: str, line: str, *used: Safe) -> None:
        """Add a line (UTF-8) to a file.

        name (str): The file.
        line (str): The line, without its line break.
        used (Safe): The texts that it is made of, for the count of replacements.
        """
        file = self._files.get(name)
        if file is None:
            opened = open(self.path / name, "w", encoding="utf-8", newline="\n")  # noqa: SIM115 - __exit__ closes it
            self._files[name] = file = self._stack.enter_context(opened)
        file.write(line + "\n")
        self.lines[name] += 1
        for text in used:
            if text.replaced:
                self.replaced.setdefault(name, Counter()).update(text.replaced)

    def json(self, name: str, value: Any, *used: Safe) -> None:
        """Add a line of JSON to a file; see `text`. In ASCII, as BioMedRAG writes it, so that any locale reads it."""
        self.text(name, json.dumps(value), *used)

    def close(self, name: str) -> None:
        """Close a file that has all its lines, so that it can be read."""
        self._files[name].close()

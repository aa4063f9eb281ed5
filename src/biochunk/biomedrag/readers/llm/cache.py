"""Answers kept on disk, so that a run that was interrupted goes on where it stopped."""

import json
import os
from pathlib import Path
from types import TracebackType
from typing import TextIO

from ....errors import BiochunkError, Errors
from .usage import Completion


class Cache:
    """Completions by the hash of their request, in a file of one JSON object a line that only ever grows.

    A line that cannot be read, such as the last one of a process that was killed, is passed over and asked for anew.
    Failures are not kept. Used as a context manager, which opens and closes the file.

    path (str | Path | None): The file; None: in memory only.
    """

    def __init__(self, path: str | Path | None = None) -> None:
        self.path = Path(path) if path is not None else None
        self._known: dict[str, Completion] = {}
        self._file: TextIO | None = None

    def __enter__(self) -> "Cache":
        if self.path is not None:
            try:
                self.path.parent.mkdir(parents=True, exist_ok=True)
                self._file = open(self.path, "a+", encoding="utf-8", newline="\n")
                self._read(self._file)
            except (OSError, UnicodeDecodeError) as error:
                self.__exit__(None, None, None)
                problem = error.strerror if isinstance(error, OSError) else "found other bytes than UTF-8"
                raise BiochunkError(Errors.E009.format(action="use", path=self.path, problem=problem)) from None
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None

    def get(self, key: str) -> Completion | None:
        """The known completion of a request, with no try, or None."""
        return self._known.get(key)

    def put(self, key: str, completion: Completion) -> None:
        """Keep the completion of a request, at once."""
        row = {
            "key": key,
            "text": completion.text,
            "cut": completion.cut,
            "prompt_tokens": completion.prompt_tokens,
            "completion_tokens": completion.completion_tokens,
        }
        self._known[key] = _completion(row)
        if self._file is not None:
            try:
                self._file.write(json.dumps(row) + "\n")
                self._file.flush()
            except OSError as error:
                raise BiochunkError(
                    Errors.E009.format(action="write", path=self.path, problem=error.strerror)
                ) from None

    def _read(self, file: TextIO) -> None:
        file.seek(0)
        line = ""
        for line in file:
            try:
                row = json.loads(line)
                if isinstance(row["key"], str) and isinstance(row["text"], str):
                    self._known[row["key"]] = _completion(row)
            except (ValueError, TypeError, KeyError, RecursionError):
                continue
        file.seek(0, os.SEEK_END)
        if line and not line.endswith("\n"):
            file.write("\n")


def _completion(row: dict) -> Completion:
    return Completion(
        row["text"],
        cut=bool(row.get("cut")),
        prompt_tokens=row.get("prompt_tokens"),
        completion_tokens=row.get("completion_tokens"),
        tries=0,
    )

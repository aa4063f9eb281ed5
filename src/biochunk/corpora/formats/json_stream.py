"""Parses the documents of a JSON file of any size one by one, holding little more than one of them."""

import json
import re
from collections.abc import Iterator
from typing import Any, TextIO

BLOCK = 1 << 16

_BLANK = re.compile(r"[ \t\n\r]*")


class NotJsonError(ValueError):
    """The file is no JSON; `line` is where that shows."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line = line


class DocumentStream:
    """The documents of one file.

    file (TextIO): An object with an array of documents, an array of documents, or one document after another.
    names (tuple[str, ...]): Keys whose array holds documents.
    """

    def __init__(self, file: TextIO, names: tuple[str, ...]) -> None:
        self.file, self.names = file, names
        self.buffer = file.read(BLOCK)
        self.position = 0
        self.line = 1
        keys = "|".join(map(re.escape, names))
        # A quote inside a string has a backslash before it: such a match is text, not a key.
        self.array = re.compile(rf'(?<!\\)"(?:{keys})"[ \t\n\r]*:[ \t\n\r]*\[')

    def documents(self) -> Iterator[tuple[int, Any]]:
        """Yields (line it begins at, parsed JSON).

        RAISES (NotJsonError): Where the file stops being JSON.
        """
        first = self._peek()
        if first == "[":
            self._advance(1)
            yield from self._items()
            self._end()
        elif first == "{" and (found := self.array.search(self.buffer)):
            head = self.buffer[: found.end()]
            self._advance(found.end())
            yield from self._items()
            while self._more():
                pass
            # What stands around the documents must be JSON as well.
            self._parse_whole(head + "]" + self.buffer[self.position :])
        else:
            while self._peek():
                line, value = self.line, self._value()
                # A collection whose array begins beyond the first block is parsed as a whole.
                inner = [value.get(name) for name in self.names] if isinstance(value, dict) else []
                documents = next((array for array in inner if isinstance(array, list)), [value])
                yield from ((line, document) for document in documents)

    def _items(self) -> Iterator[tuple[int, Any]]:
        """The items of an array whose bracket has been passed, and its closing bracket."""
        if self._peek() == "]":
            self._advance(1)
            return
        while True:
            self._peek()
            yield self.line, self._value()
            mark = self._peek()
            if mark not in (",", "]"):
                raise NotJsonError(self.line, f"{mark!r} after a document" if mark else "an end inside an array")
            self._advance(1)
            if mark == "]":
                return

    def _value(self) -> Any:
        """One JSON value at the current position."""
        while True:
            try:
                value, end = json.JSONDecoder().raw_decode(self.buffer, self.position)
            except json.JSONDecodeError as error:
                if self._more():
                    continue
                line = self.line + self.buffer.count("\n", self.position, error.pos)
                raise NotJsonError(line, f"no JSON ({error.msg.lower()})") from None
            except RecursionError:
                raise NotJsonError(self.line, "JSON nested too deeply") from None
            self._advance(end - self.position)
            return value

    def _peek(self) -> str:
        """The next character that is not blank; empty at the end of the file."""
        while True:
            found = _BLANK.match(self.buffer, self.position)
            self._advance((found.end() if found else self.position) - self.position)
            if self.position < len(self.buffer) or not self._more():
                return self.buffer[self.position : self.position + 1]

    def _advance(self, count: int) -> None:
        self.line += self.buffer.count("\n", self.position, self.position + count)
        self.position += count

    def _more(self) -> bool:
        """Read on; twice as much each time that one value needs it, so that the time stays linear."""
        rest = self.buffer[self.position :]
        block = self.file.read(max(BLOCK, len(rest)))
        self.buffer, self.position = rest + block, 0
        return bool(block)

    def _end(self) -> None:
        if mark := self._peek():
            raise NotJsonError(self.line, f"{mark!r} after the end of the array")

    def _parse_whole(self, text: str) -> None:
        try:
            json.loads(text)
        except json.JSONDecodeError as error:
            raise NotJsonError(self.line, f"no JSON ({error.msg.lower()}) after the documents") from None

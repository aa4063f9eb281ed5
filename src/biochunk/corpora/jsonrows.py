"""JSON objects from a file, one by one and in bounded memory, whatever way they are strung together.

The benchmarks ship JSON arrays and JSON lines under either extension, so the content decides: a file is any
sequence of objects and arrays of objects, with nothing but white space between them.
"""

import codecs
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from ..errors import BiochunkError, Errors, Fault, FileFaultsError, UsageError

_BLOCK = 1 << 18
# No row of a sentence corpus comes near this; without it one missing bracket would fill the memory.
_LONGEST = 1 << 24
_WHITE = " \t\r\n"


class JsonRow(NamedTuple):
    """One object of a file.

    line (int): Line on which it begins, from 1.
    item (int | None): Its place in the array that holds it, from 1; None outside an array.
    value (dict): The object.
    """

    line: int
    item: int | None
    value: dict[str, Any]

    @property
    def where(self) -> str:
        """ "line 12", or "item 12" of an array."""
        return f"line {self.line}" if self.item is None else f"item {self.item}"


def read_json_rows(path: str | Path) -> Iterator[JsonRow]:
    """Stream the objects of a file of JSON lines, of JSON arrays, or of both.

    path (str | Path): The file; UTF-8, with or without a byte order mark, any line endings.
    RAISES (UsageError): If it cannot be opened.
    RAISES (FileFaultsError): At the first place that is not UTF-8, not JSON, cut off, or not an object; or if
        the file holds no object at all.
    """
    scan = _Scan(path)
    with scan:
        yield from _top_level(scan)


def _top_level(scan: "_Scan") -> Iterator[JsonRow]:
    count = 0
    while char := scan.peek():
        if char == "[":
            scan.skip(1)
            for row in _array(scan):
                count += 1
                yield row
        else:
            line = scan.line
            count += 1
            yield JsonRow(line, None, scan.object())
    if not count:
        scan.fail("no JSON object" if scan.line > 1 or scan.position else "an empty file", "one row an object")


def _array(scan: "_Scan") -> Iterator[JsonRow]:
    item = 0
    if scan.peek() == "]":
        scan.skip(1)
        return
    while True:
        item += 1
        scan.item = item
        char = scan.peek()
        if not char:
            scan.fail("the end of the file inside an array", "the rest of the array: the file looks cut off")
        yield JsonRow(scan.line, item, scan.object())
        char = scan.peek()
        scan.skip(1)
        if char == "]":
            scan.item = None
            return
        if not char:
            scan.fail("the end of the file inside an array", "the rest of the array: the file looks cut off")
        if char != ",":
            scan.fail(_shown(char), "',' or ']' after an item of the array")


class _Scan:
    """The text of a file with a place in it."""

    def __init__(self, path: str | Path) -> None:
        self.name = os.fspath(path)
        self.line = 1
        self.position = 0
        self.item: int | None = None
        self._text = ""
        self._at = 0
        self._bytes = 0
        self._ended = False
        self._decoder = codecs.getincrementaldecoder("utf-8")()
        self._json = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_no_constant)
        try:
            self._file = open(path, "rb")  # noqa: SIM115 - closed by __exit__
        except OSError as error:
            raise UsageError(Errors.E009.format(action="read", path=self.name, problem=error.strerror)) from None

    def __enter__(self) -> "_Scan":
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def peek(self) -> str:
        """The next character that is not white space; "" at the end of the file."""
        while True:
            text, at = self._text, self._at
            end = len(text)
            while at < end and text[at] in _WHITE:
                at += 1
            self._move(at)
            if at < end:
                return text[at]
            if not self._fill():
                return ""

    def skip(self, count: int) -> None:
        self._move(self._at + count)

    def object(self) -> dict[str, Any]:
        """The object that begins here; the place moves behind it."""
        if self._text[self._at] != "{":
            self.fail(_shown(self._text[self._at :].split("\n")[0]), "a JSON object")
        while True:
            start = self._at
            try:
                value, end = self._json.raw_decode(self._text, start)
            except json.JSONDecodeError as error:
                # The object may only seem broken because it goes on behind what was read.
                if len(self._text) - self._at < _LONGEST and self._fill():
                    continue
                # Reading on has dropped what stood before the object.
                self._broken(error.msg, self._at + error.pos - start)
            except _Refused as error:
                self.fail(*error.args)
            except ValueError:
                # Python reads no whole number of more than some thousand digits.
                self.fail("a number of thousands of digits", "a number of a usual size")
            except RecursionError:
                self.fail("brackets nested too deeply", "one flat object a row")
            self._move(end)
            return dict(value)

    def fail(self, found: str, expected: str) -> NoReturn:
        where = f"line {self.line}" + (f", item {self.item} of the array" if self.item else "")
        raise FileFaultsError(self.name, [Fault(where, found, expected)])

    def _broken(self, message: str, at: int) -> NoReturn:
        if len(self._text) - self._at >= _LONGEST:
            self.fail(f"an object of more than {_LONGEST} characters", "a closed object of one row")
        rest, begun = self._text[at:], self.line
        self._move(at)
        object_ = "an object" if begun == self.line else f"an object that begins on line {begun}"
        if self._ended and (not rest.strip() or message.startswith("Unterminated string")):
            self.fail(f"the end of the file inside {object_}", "the rest of the object: the file looks cut off")
        self.fail(f"{_shown(rest)} inside {object_}", f"valid JSON ({message})")

    def _move(self, at: int) -> None:
        self.line += self._text.count("\n", self._at, at)
        self.position += at - self._at
        self._at = at

    def _fill(self) -> bool:
        """Read on; False at the end of the file. Blocks grow with what is kept: re-reading stays linear."""
        if self._ended:
            return False
        try:
            block = self._file.read(max(_BLOCK, len(self._text) - self._at, len(codecs.BOM_UTF8)))
        except OSError as error:
            raise BiochunkError(Errors.E009.format(action="read", path=self.name, problem=error.strerror)) from None
        if not self._bytes:
            if block.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
                self.fail("UTF-16 text", "UTF-8 text; convert the file, for example with iconv")
            block = block.removeprefix(codecs.BOM_UTF8)
        self._ended = not block
        try:
            more = self._decoder.decode(block, final=self._ended)
        except UnicodeDecodeError as error:
            self._undecodable(error)
        self._bytes += max(1, len(block))
        self._text = self._text[self._at :] + more
        self._at = 0
        return bool(more) or (not self._ended and self._fill())

    def _undecodable(self, error: UnicodeDecodeError) -> NoReturn:
        data = error.object
        line = self.line + self._text.count("\n", self._at) + data.count(b"\n", 0, error.start)
        self.item = None
        self.line = line
        found = f"the byte 0x{data[error.start]:02X}" if error.start < len(data) else "half a character"
        if error.reason == "unexpected end of data":
            self.fail("the end of the file inside a character", "the rest of the file: it looks cut off")
        self.fail(f"{found} ({error.reason})", "UTF-8 text; convert the file, for example with iconv")


class _Refused(Exception):
    """Valid for Python's JSON, not for us. Arguments: what was found, what is expected."""


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise _Refused(f"the key '{twice}' twice in one object", "each key once")
    return value


def _no_constant(name: str) -> NoReturn:
    raise _Refused(name, "a JSON value")


def _shown(text: str) -> str:
    """The beginning of some text, for an error."""
    return repr(text[:40] + ("..." if len(text) > 40 else ""))

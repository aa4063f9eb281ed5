"""What `biochunk chunk` and `biochunk show` share: options, and the checks and opening of files."""

import io
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from enum import Enum
from itertools import chain, combinations
from pathlib import Path
from typing import Annotated, BinaryIO, TextIO

import typer

from ..batch.lines import BLOCK_LINES, Line, read_lines
from ..batch.texts import Format, guess_format
from ..errors import BiochunkError, Errors, UsageError
from ..files import is_special, whole_file

# The name of stdin and stdout on the command line.
STANDARD = "-"

Pipeline = Annotated[
    str, typer.Option(help="Name of an installed pipeline (en_biochunk_gmciht), or the folder of a saved one")
]
Relation = Annotated[
    str | None, typer.Option(help="Rank chunks against this relation; default: the best over all relations")
]
TextKey = Annotated[str, typer.Option(help="Key of the text in a JSON object")]


class FormatOption(str, Enum):
    """How input is read."""

    auto = "auto"
    jsonl = "jsonl"
    text = "text"


@contextmanager
def open_input(path: str) -> Iterator[BinaryIO]:
    """Open a file, or stdin for "-", for reading bytes.

    RAISES (UsageError): If it is missing or a folder, or may not be read.
    """
    if path == STANDARD:
        yield sys.stdin.buffer
        return
    try:
        file = open(path, "rb")  # noqa: SIM115 - closed by the with block below
    except OSError as error:
        raise UsageError(Errors.E009.format(action="read", path=path, problem=error.strerror)) from None
    with file:
        yield file


def lines_and_format(stream: BinaryIO, path: str, option: FormatOption) -> tuple[Iterator[Line], Format]:
    """All lines of an input, and how to read them: "auto" goes by its name, else by its first text."""
    lines = read_lines(stream)
    if option is not FormatOption.auto:
        return lines, option.value
    head: list[Line] = []
    for line in lines:
        head.append(line)
        if line.data.strip() or len(head) >= BLOCK_LINES:
            break
    return chain(head, lines), guess_format(path, head[-1].data if head else b"")


def check_output(path: str, inputs: tuple[str, ...] = ()) -> None:
    """See that a file can be written, before any work is done.

    path (str): The file, or "-".
    inputs (tuple[str, ...]): Files that are read, so that it must be none of them.
    RAISES (UsageError): If it cannot.
    """
    if path == STANDARD:
        return
    target = Path(path)
    problem = ""
    if not path or target.is_dir():
        problem = "found a folder, expected a file"
    elif not target.parent.is_dir():
        problem = f"there is no folder '{target.parent}'; make it first"
    if problem:
        raise UsageError(Errors.E009.format(action="write", path=path, problem=problem))
    refuse_input(path, inputs)


def refuse_input(path: str | Path, inputs: Iterable[str | Path]) -> None:
    """RAISES (UsageError): If an output would take the place of an input."""
    if any(_is_same_file(path, name) for name in inputs):
        problem = "this is also the input; choose another name"
        raise UsageError(Errors.E009.format(action="write", path=path, problem=problem))


def check_outputs(paths: Iterable[str | Path], inputs: Iterable[str | Path] = ()) -> None:
    """The same for all files that a command writes, which must be different ones.

    RAISES (UsageError): If one cannot be written, is read, or stands there twice.
    """
    outputs, sources = [str(path) for path in paths], tuple(map(str, inputs))
    for path in outputs:
        check_output(path, sources)
    for one, other in combinations(outputs, 2):
        if _is_same_target(one, other):
            problem = "another output has the same name; choose another one"
            raise UsageError(Errors.E009.format(action="write", path=other, problem=problem))


@contextmanager
def open_output(path: str) -> Iterator[TextIO]:
    """Open a file that appears whole or not at all (`whole_file`), or stdout for "-"."""
    if path == STANDARD:
        stdout = io.TextIOWrapper(sys.stdout.buffer, encoding="utf-8", newline="\n")
        try:
            yield stdout
            stdout.flush()
        finally:
            stdout.detach()
    else:
        with whole_file(path) as file:
            yield file


def input_name(path: str) -> str:
    """What an input is called in messages."""
    return "<stdin>" if path == STANDARD else path


def line_error(path: str, number: int, problem: str, advice: str = "") -> BiochunkError:
    """The error of one line of an input."""
    return BiochunkError(f"{input_name(path)}: line {number}: {problem}{advice}")


def _is_same_file(path: str | Path, other: str | Path) -> bool:
    return os.path.exists(path) and os.path.exists(other) and os.path.samefile(path, other)


def _is_same_target(path: str, other: str) -> bool:
    """Whether one file would take the other's place; several can be written into one device."""
    if _is_same_file(path, other):
        return not is_special(Path(path))
    return STANDARD not in (path, other) and Path(path).resolve() == Path(other).resolve()

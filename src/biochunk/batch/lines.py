"""Lines of a file or pipe of any size, numbered, as bytes, and in blocks."""

from collections.abc import Iterable, Iterator
from typing import BinaryIO, NamedTuple

# Longer than any text that a pipeline takes (1,000,000 characters, each a 12-byte escape in JSON), so that a
# file without line ends cannot fill the memory.
LONGEST_LINE = 1 << 24

# A block is what one process works on at a time and what stays in memory; both limits end it.
BLOCK_LINES = 1000
BLOCK_BYTES = 1 << 20

_BOM = b"\xef\xbb\xbf"


class Line(NamedTuple):
    """One line.

    number (int): Its number, from 1.
    data (bytes): What stands in it, without its end and without a byte order mark at the start of the file.
    size (int): Bytes that it took in the input, line end included.
    cut (bool): True when it was longer than `LONGEST_LINE` and `data` is only its beginning.
    """

    number: int
    data: bytes
    size: int
    cut: bool = False


def read_lines(stream: BinaryIO) -> Iterator[Line]:
    """Yields the lines of a stream; they end at LF or CRLF, and the last one needs no end.

    stream (BinaryIO): An open file or pipe.
    """
    number = 0
    while data := stream.readline(LONGEST_LINE + 1):
        number += 1
        size = len(data)
        cut = size > LONGEST_LINE and not data.endswith(b"\n")
        end = data
        while cut and end and not end.endswith(b"\n"):
            end = stream.readline(LONGEST_LINE)
            size += len(end)
        data = data.removesuffix(b"\n").removesuffix(b"\r")
        if number == 1:
            data = data.removeprefix(_BOM)
        yield Line(number, data, size, cut)


def blocks(lines: Iterable[Line]) -> Iterator[list[Line]]:
    """Yields the lines in lists of `BLOCK_LINES`, fewer where they are long."""
    block: list[Line] = []
    size = 0
    for line in lines:
        block.append(line)
        size += len(line.data)
        if len(block) >= BLOCK_LINES or size >= BLOCK_BYTES:
            yield block
            block, size = [], 0
    if block:
        yield block

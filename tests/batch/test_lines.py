"""Lines of a stream, and blocks of them."""

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biochunk.batch import lines
from biochunk.batch.lines import Line, blocks, read_lines

pieces = st.lists(st.sampled_from([b"a", b"\xce\xb2", b"\r", b"\n", b"\r\n", b"\xef\xbb\xbf", b" ", b"\x0c", b"\xff"]))


@given(pieces.map(b"".join))
def test_lines_are_what_splitting_at_line_feeds_gives(data: bytes) -> None:
    expected = data.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    if not expected[-1] and not data.endswith(b"\xef\xbb\xbf"):
        expected.pop()
    found = list(read_lines(io.BytesIO(data)))
    assert [line.data for line in found] == [part.removesuffix(b"\r") for part in (expected if data else [])]
    assert [line.number for line in found] == list(range(1, len(found) + 1))
    assert sum(line.size for line in found) == len(data)


@given(st.integers(0, 40))
def test_lines_longer_than_the_limit_are_cut_and_the_next_line_is_found(length: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lines, "LONGEST_LINE", 10)
        first, second = read_lines(io.BytesIO(b"x" * length + b"\nnext"))
    assert first == Line(1, b"x" * min(length, 11 if length > 10 else 10), length + 1, length > 10)
    assert second == Line(2, b"next", 4)


@given(st.lists(st.integers(0, 30)))
def test_blocks_keep_order_and_respect_both_limits(sizes: list[int]) -> None:
    given_lines = [Line(i, b"x" * size, size) for i, size in enumerate(sizes)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lines, "BLOCK_LINES", 4)
        patch.setattr(lines, "BLOCK_BYTES", 50)
        found = list(blocks(given_lines))
    assert [line for block in found for line in block] == given_lines
    assert all(0 < len(block) <= 4 for block in found)
    assert all(sum(len(line.data) for line in block[:-1]) < 50 for block in found)

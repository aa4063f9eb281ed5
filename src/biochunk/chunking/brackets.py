"""Brackets that belong to a name: "(-)-epicatechin", "[3H]thymidine", "Ca(2+)" are cut into tokens at their signs."""

from collections.abc import Sequence

_PAIRS = {"(": ")", "[": "]", "{": "}"}
_CLOSING = {close: opening for opening, close in _PAIRS.items()}
_REACH = 8


def balanced(text: str, starts: Sequence[int], ends: Sequence[int], start: int, end: int) -> tuple[int, int]:
    """A token range grown over the tokens written together with it, until each of its brackets has its partner.

    text (str): The text of the Doc.
    starts, ends (Sequence[int]): First character of each token, and the one behind its last.
    start, end (int): The range.
    RETURNS (tuple[int, int]): The grown range; the range itself when that is not enough.
    """
    first, last = start, end
    if start and ends[start - 1] == starts[start] and text[starts[start] - 1] in _CLOSING:
        # "(+)-catechin": the bracket may be cut off from the name.
        first -= 1
    opened, closed = _unmatched(text[starts[first] : ends[end - 1]])
    while closed and first > 0 and ends[first - 1] == starts[first] and start - first < _REACH:
        first -= 1
        opened, closed = _unmatched(text[starts[first] : ends[last - 1]])
    while opened and last < len(starts) and ends[last - 1] == starts[last] and last - end < _REACH:
        last += 1
        opened, closed = _unmatched(text[starts[first] : ends[last - 1]])
    return (start, end) if opened or closed else (first, last)


def _unmatched(text: str) -> tuple[int, int]:
    """How many brackets are opened only, and closed only."""
    stack: list[str] = []
    closed = 0
    for character in text:
        if character in _PAIRS:
            stack.append(character)
        elif character in _CLOSING:
            if stack and stack[-1] == _CLOSING[character]:
                stack.pop()
            else:
                closed += 1
    return len(stack), closed

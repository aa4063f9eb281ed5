"""Edits of a text that keep track of where every character went."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import NamedTuple


class Edit(NamedTuple):
    """text[start:end] becomes `new`."""

    start: int
    end: int
    new: str = ""


class Edited:
    """A text after edits.

    text (str): The new text.
    places (list[int]): Where in the new text each edit took effect.
    """

    def __init__(self, text: str, edits: Sequence[Edit]) -> None:
        """edits (Sequence[Edit]): In text order, not overlapping, none of them of no characters."""
        pieces = []
        self.places = []
        self._starts = [edit.start for edit in edits]
        self._ends = [edit.end for edit in edits]
        # Offset of the new text against the old one behind the first i edits.
        self._shifts = [0]
        done = length = 0
        for start, end, new in edits:
            pieces += [text[done:start], new]
            length += start - done
            self.places.append(length)
            length += len(new)
            done = end
            self._shifts.append(length - end)
        self.text = "".join([*pieces, text[done:]])

    def moved(self, start: int, end: int) -> tuple[int, int]:
        """Where a span of the old text is now. What an edit puts in at its borders is outside of it.

        The span must not begin or end inside an edit.
        """
        return (
            start + self._shifts[bisect_right(self._ends, start)],
            end + self._shifts[bisect_left(self._starts, end)],
        )

"""Offsets of stand-off mentions: checked against the mention's text, in whatever unit the other tool counted.

biochunk counts Unicode code points. Browser tools count UTF-16 units, some older tools bytes or line ends
otherwise. Where the code points do not fit and exactly another unit makes every mention of a document fit,
that unit is used and noted; where none fits, the document is refused. Nothing is searched for by text.
"""

from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import NamedTuple

Pieces = tuple[tuple[int, int], ...]


class Mention(NamedTuple):
    """A mention as a stand-off file states it.

    id (str): Its id.
    pieces (Pieces): Start and end of each piece, in the file's unit; more than one where the mention has a
        gap.
    text (str | None): Its text as the file states it; None when the file does not.
    """

    id: str
    pieces: Pieces
    text: str | None


class Misfit(NamedTuple):
    """A mention that fits in no unit; `found` is the text at its code points, None when out of range."""

    mention: Mention
    found: str | None


def characters(text: str) -> list[int]:
    """Widths of each character: one code point each."""
    return [1] * len(text)


def utf16_units(text: str) -> list[int]:
    """Widths of each character in UTF-16 units: two for those beyond U+FFFF."""
    return [2 if char > "\uffff" else 1 for char in text]


def utf8_bytes(text: str) -> list[int]:
    """Widths of each character in UTF-8 bytes."""
    return [len(char.encode("utf-8", "surrogatepass")) for char in text]


def line_feeds(text: str) -> list[int]:
    """Widths of each character where a carriage return before a line feed was not counted."""
    return [0 if text.startswith("\r\n", i) else 1 for i in range(len(text))]


UNITS: dict[str, Callable[[str], list[int]]] = {
    "UTF-16 units": utf16_units,
    "UTF-8 bytes": utf8_bytes,
    "characters with CRLF as one": line_feeds,
}


def locate(text: str, mentions: Sequence[Mention], base: int = 0) -> tuple[str, list[Pieces]] | list[Misfit]:
    """Find the unit in which all mentions fit the text.

    text (str): The text that the offsets run over.
    mentions (Sequence[Mention]): The mentions.
    base (int): Offset of the text's first character in the file's count.
    RETURNS: The unit's name ("characters" for code points) and each mention's pieces in code points of
        `text`; or, where no unit fits, the mentions that do not fit in code points.
    """
    plain = [tuple((start - base, end - base) for start, end in mention.pieces) for mention in mentions]
    misfits = [
        Misfit(mention, _slice(text, pieces))
        for mention, pieces in zip(mentions, plain, strict=True)
        if not _fits(text, pieces, mention.text)
    ]
    if not misfits:
        return "characters", plain
    for name, widths in UNITS.items():
        starts, ends = _positions(widths(text))
        moved = [tuple((starts.get(start, -1), ends.get(end, -1)) for start, end in pieces) for pieces in plain]
        if all(_fits(text, pieces, m.text) for pieces, m in zip(moved, mentions, strict=True)):
            return name, moved
    return misfits


def _positions(widths: list[int]) -> tuple[dict[int, int], dict[int, int]]:
    """From an offset in another unit to the character a span starts at, and to the one it ends before.

    They differ only beside characters of no width: a span takes none of them in at its edges.
    """
    offsets = list(accumulate(widths, initial=0))
    starts = {offset: i for i, offset in enumerate(offsets)}
    ends = {offset: i for i, offset in reversed(list(enumerate(offsets)))}
    return starts, ends


def _slice(text: str, pieces: Pieces) -> str | None:
    if not pieces or any(not 0 <= start < end <= len(text) for start, end in pieces):
        return None
    return " ".join(text[start:end] for start, end in pieces)


def _fits(text: str, pieces: Pieces, expected: str | None) -> bool:
    found = _slice(text, pieces)
    if found is None or expected is None:
        return found is not None
    # Of a mention with a gap some tools write the pieces, some all from the first to the last.
    covering = text[pieces[0][0] : pieces[-1][1]]
    return expected in (found, covering) or _blanks(expected) in (_blanks(found), _blanks(covering))


def _blanks(text: str) -> str:
    """White space as spaces: formats of lines cannot write a tab or line end in a mention."""
    return "".join(" " if char.isspace() else char for char in text)

"""The `clean` view: undoing the marks of a row, so that the sentence that they were put in comes back.

Marks go, and with them only the spaces that they brought: "( PSA   expression" becomes "(PSA) expression",
while a bracket around a translated title stays. Then every run of white space of any kind becomes one space.
What stays open in one row may stand in another row of the sentence; `group` joins them.
"""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from .edits import Edit, Edited
from .locate import Marking, Place, Rank, places_of_pair

Span = tuple[int, int]

_INVISIBLE = re.compile("[\u200b\u2060\ufeff]")
# White space that is more than one plain space between two characters.
_UNFOLDED = re.compile(r" *(?:[^\S ]|[\u200b\u2060\ufeff])[\s\u200b\u2060\ufeff]*|  +|\A | \Z")
_LETTER = re.compile(r"[^\W_]")
_CLOSER = {"(": ")", "[": "]", "{": "}"}
_BRACKET = re.compile(r"[()\[\]{}]")
# No space stands before these.
_CLOSING = tuple(".,;:)]}")
# A bracket that opened this many characters before is closed again.
_NEAR = 60


class Unmarked(NamedTuple):
    """A text without marks.

    text (str): The text.
    spans (list[Span]): Where the given spans are now.
    doubtful (frozenset[int]): Gaps between two letters or digits (by the number of those before) where the
        marks leave open what stood there.
    lost (frozenset[int]): The doubtful gaps that surely lack a character.
    restored (int): Closing brackets put back.
    """

    text: str
    spans: list[Span]
    doubtful: frozenset[int]
    lost: frozenset[int] = frozenset()
    restored: int = 0


def fold_space(text: str) -> Edited:
    """White space of every kind to single plain spaces, none at the edges; invisible characters go."""
    edits = []
    for match in _UNFOLDED.finditer(text):
        start, end = match.span()
        inside = start > 0 and end < len(text) and _INVISIBLE.sub("", match.group())
        edits.append(Edit(start, end, " " if inside else ""))
    return Edited(text, edits)


def unmark(text: str, head: str, tail: str, spans: Sequence[Span], marking: Marking) -> Unmarked:
    """Undo the marking of one row.

    head, tail (str): The corpus's own strings of the two mentions: every padded place of theirs is unmarked.
    spans (Sequence[Span]): The spans of the located mentions, which need not be the same strings.
    """
    dropped: set[int] = set()
    doubtful: list[int] = []
    lost: list[int] = []
    padded = set()
    for place in (place for places in places_of_pair(text, head, tail, marking) for place in places):
        dropped.update(_marks(text, place))
        if place.right:
            padded.add(place.end)
        if place.rank == Rank.PADDED_INSIDE:
            doubtful += place.start, place.end
    put: dict[int, str] = {}
    open_brackets = _unclosed(text) if marking.eats_next else []
    for end in sorted(padded.union(end for _, end in spans if marking.eats_next)):
        space = _next_kept(text, end, dropped)
        if not space:
            continue
        if marking.eats_next:
            doubtful.append(end)
        closer = _lost_closer(text, end, space, open_brackets)
        if closer:
            put[end] = closer
            dropped.update((end, space))
            continue
        behind = text[space + 1 : space + 2]
        if behind in _CLOSING:
            # The space stands for the swallowed character.
            dropped.add(space)
        if marking.eats_next and behind in (" ", *_CLOSING):
            lost.append(end)
    unmarked = Edited(text, _runs(dropped, put))
    folded = fold_space(unmarked.text)
    moved = [folded.moved(*unmarked.moved(*span)) for span in spans]
    # Edits leave letters and digits as they are, so gaps can be counted in the old text.
    return Unmarked(folded.text, moved, _gaps(text, doubtful), _gaps(text, lost), len(put))


def _gaps(text: str, places: Iterable[int]) -> frozenset[int]:
    return frozenset(len(_LETTER.findall(text, 0, place)) for place in places)


def _marks(text: str, place: Place) -> Iterable[int]:
    """The characters of the marking around one place."""
    start, end = place.start, place.end
    if place.rank == Rank.BRACKETS:
        while text[start - 1] == " ":
            start -= 1
            yield start
        while text[end] == " ":
            yield end
            end += 1
        yield from (start - 1, end)
        return
    if place.left:
        yield start - 1
    if place.right:
        yield end


def _next_kept(text: str, i: int, dropped: set[int]) -> int:
    """The next character that is kept, if it is a space; else 0."""
    while i in dropped:
        i += 1
    return i if text[i : i + 1] == " " else 0


def _unclosed(text: str) -> list[int]:
    """Where brackets open that close nowhere, in text order."""
    found: list[int] = []
    for match in _BRACKET.finditer(text):
        char = match.group()
        if char in _CLOSER:
            found.append(match.start())
        elif found and char == _CLOSER[text[found[-1]]]:
            found.pop()
    return found


def _lost_closer(text: str, end: int, space: int, open_brackets: list[int]) -> str:
    """The closing bracket that was swallowed behind a mention, if one is open, never closed, and near.

    The bracket is taken off the list. What else was swallowed cannot be known.
    """
    before = [i for i in open_brackets if i < end]
    if not before or end - before[-1] > _NEAR or (text[space + 1 : space + 2] or " ").isalnum():
        return ""
    open_brackets.remove(before[-1])
    return _CLOSER[text[before[-1]]]


def _runs(dropped: set[int], put: dict[int, str]) -> list[Edit]:
    """Single characters to drop as edits of runs."""
    edits: list[Edit] = []
    for i in sorted(dropped):
        if edits and edits[-1].end == i and i not in put:
            edits[-1] = edits[-1]._replace(end=i + 1)
        else:
            edits.append(Edit(i, i + 1, put.get(i, "")))
    return edits

"""Gold strings to character spans: every place where a mention may stand, and the rule that picks one.

The rule, for a row with a head and a tail:
1. A mention stands where its string stands exactly; if it stands nowhere, where it stands when white space
   and brackets are left out of both (ChemProt's marking swallowed some and put others inside words).
2. Places are ranked by what speaks for them (`Rank`).
3. Of all pairs of places that do not overlap, the best ranked wins, then the one with the fewest characters
   between head and tail, then the leftmost. So equal strings get two places where there are two.
4. Only when all pairs overlap does an overlapping one win, by the same order; equal strings that stand once
   share one mention.
Nothing is guessed: a mention without a place is an error for its row.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from enum import IntEnum
from itertools import product
from typing import NamedTuple

BRACKETS = "()[]{}"
# Punctuation that no space follows, and that no space precedes.
_OPENING = frozenset("([{-/")
_CLOSING = frozenset(".,;:)]}-/%'’?!")


class Marking(NamedTuple):
    """How a corpus marks mentions in its text.

    padding (bool): With one more space on each side, wherever the string stands, inside words too.
    brackets (bool): The annotated one also in brackets: `[  head  ]`, `{  tail  }`.
    eats_next (bool): The annotated one loses the character after it, which becomes a space.
    """

    padding: bool = False
    brackets: bool = False
    eats_next: bool = False


class Rank(IntEnum):
    """What speaks for a place, best first. A mark inside a word is no evidence: every such string got one."""

    BRACKETS = 0
    ANNOTATED = 1  # the character after it is gone for sure: "PSA   expression", "PSA  , which"
    MAYBE_ANNOTATED = 2  # a space follows the padding, which may be what was there
    PADDED = 3
    WORD = 4
    PADDED_INSIDE = 5
    INSIDE = 6


class Place(NamedTuple):
    """A place where a mention may stand: [start, end) in characters.

    left, right (bool): The one space on that side belongs to the marking, not to the sentence.
    exact (bool): The text there is the mention's string, character by character.
    """

    start: int
    end: int
    rank: Rank
    left: bool = False
    right: bool = False
    exact: bool = True

    @property
    def mark(self) -> str:
        """What marks it: "brackets", "padding" or ""."""
        if self.rank == Rank.BRACKETS:
            return "brackets"
        return "padding" if self.left or self.right else ""


class NotLocated(Exception):
    """A mention has no place. Argument: the reason."""


def locate_pair(text: str, head: str, tail: str, marking: Marking) -> tuple[Place, Place]:
    """Where head and tail of a row stand, by the rule above.

    RAISES (NotLocated): If one of them stands nowhere.
    """
    heads, tails = places_of_pair(text, head, tail, marking)
    for found, name, mention in ((heads, "head", head), (tails, "tail", tail)):
        if not mention.strip():
            raise NotLocated(f"the {name} is empty")
        if not found:
            shown = repr(mention if len(mention) <= 80 else mention[:77] + "...")
            raise NotLocated(f"the {name} {shown} is not in the text")
    return _nearest_pair(heads, tails)


def places_of_pair(text: str, head: str, tail: str, marking: Marking) -> tuple[list[Place], list[Place]]:
    """Every place of the head and of the tail of a row, in text order."""
    marked = marking.padding and any(
        any(padding(text, start, end, other, marked=False, nested=False))
        for mention, other in ((head, tail), (tail, head))
        for start, end in _exact(text, mention)
    )
    return (
        _places(text, head, tail, marking, "[]", marked=marked),
        _places(text, tail, head, marking, "{}", marked=marked),
    )


def _places(text: str, mention: str, other: str, marking: Marking, brackets: str, *, marked: bool) -> list[Place]:
    """Every place of a mention. marked (bool): Whether the row shows marks at all."""
    if not mention.strip():
        return []
    # Of two mentions of which one holds the other, GM-CIHT padded some on one side only.
    around = [start for start, _ in _exact(text, other)] if mention in other and mention != other else []
    nested = bool(around) or (other in mention and other != mention and other.strip() != "")
    found = []
    for start, end in _exact(text, mention):
        if marking.brackets and in_brackets(text, start, end, brackets):
            found.append(Place(start, end, Rank.BRACKETS, True, True))
            continue
        pad = (False, False)
        # Inside an unbroken place of the other mention the spaces are that mention's own.
        last = bisect_right(around, start) - 1
        if marking.padding and not (last >= 0 and end <= around[last] + len(other)):
            pad = padding(text, start, end, other, marked=marked, nested=nested)
        found.append(Place(start, end, _rank(text, start, end, pad, marking), *pad))
    return found or list(_tolerant(text, mention))


def _exact(text: str, mention: str) -> list[tuple[int, int]]:
    """Where the mention's string stands, also where it overlaps itself."""
    found = []
    start = text.find(mention) if mention.strip() else -1
    while start >= 0:
        found.append((start, start + len(mention)))
        start = text.find(mention, start + 1)
    return found


def _rank(text: str, start: int, end: int, pad: tuple[bool, bool], marking: Marking) -> Rank:
    before, after = start - 1 - pad[0], end + pad[1]
    inside = (_alnum(text, before) and text[start].isalnum()) or (_alnum(text, after) and text[end - 1].isalnum())
    if inside:
        return Rank.PADDED_INSIDE if any(pad) else Rank.INSIDE
    if not any(pad):
        return Rank.WORD
    if not marking.eats_next or text[after : after + 1] not in ("", " "):
        return Rank.PADDED
    behind = text[after + 1 : after + 2]
    return Rank.ANNOTATED if behind and (behind == " " or behind in _CLOSING) else Rank.MAYBE_ANNOTATED


def in_brackets(text: str, start: int, end: int, brackets: str) -> bool:
    """Whether `[  ` and `  ]` (or one space each) stand around a mention."""
    left = text[max(0, start - 3) : start].rstrip(" ")
    right = text[end : end + 3].lstrip(" ")
    spaced = text[start - 1 : start] == " " == text[end : end + 1]
    return spaced and left.endswith(brackets[0]) and right.startswith(brackets[1])


def padding(text: str, start: int, end: int, other: str, *, marked: bool, nested: bool) -> tuple[bool, bool]:
    """Whether the space before and the one after a mention belong to the marking, which adds both or none.

    A side shows it by a second space (that is not the padding of the row's other mention), by the edge of the
    text, or, in a marked row, by punctuation that wants no space there. One side speaks for both: "nor
    adrenaline  is" was "noradrenaline is". Where no side shows, two letters around one word do in a marked
    row ("t ha t" was "that"); around several words they are plain text.

    other (str): The other mention of the row.
    marked (bool): Whether the row shows marks at all.
    nested (bool): One mention of the row holds the other; then each side speaks for itself.
    """
    if not (start and text[start - 1] == " " == text[end : end + 1]):
        return False, False
    before, after = text[max(0, start - 2) : start - 1], text[end + 1 : end + 2]
    left = not before or (before.isspace() and not _padded_ends(text, start - 1, other))
    right = not after or (after.isspace() and not _padded_begins(text, end + 1, other))
    if marked:
        left = left or before in _OPENING
        right = right or after in _CLOSING
    if left or right:
        return (left, right) if nested else (True, True)
    inside_word = marked and before.isalnum() and after.isalnum() and not any(map(str.isspace, text[start:end]))
    return inside_word, inside_word


def _padded_ends(text: str, end: int, mention: str) -> bool:
    """Whether the padded mention ends here, so that the space before `end` is its padding."""
    start = end - len(mention) - 2
    return start >= 0 and text[start] == " " and text.startswith(f"{mention} ", start + 1)


def _padded_begins(text: str, start: int, mention: str) -> bool:
    return text.startswith(f" {mention} ", start)


def _tolerant(text: str, mention: str) -> Iterator[Place]:
    """Places where the mention stands but for white space and brackets; only from word edge to word edge."""
    wanted = "".join(char for char in mention if not _passed_over(char))
    if not wanted:
        return
    at = [i for i, char in enumerate(text) if not _passed_over(char)]
    bare = "".join(text[i] for i in at)
    begin = bare.find(wanted)
    while begin >= 0:
        start, end = at[begin], at[begin + len(wanted) - 1] + 1
        begin = bare.find(wanted, begin + 1)
        if (_alnum(text, start - 1) and text[start].isalnum()) or (_alnum(text, end) and text[end - 1].isalnum()):
            continue
        if mention[0] in BRACKETS[::2] and text[start - 1 : start] in tuple(BRACKETS[::2]):
            start -= 1
        if mention[-1] in BRACKETS[1::2] and text[end : end + 1] in tuple(BRACKETS[1::2]):
            end += 1
        yield Place(start, end, Rank.WORD, exact=False)


def _nearest_pair(heads: Sequence[Place], tails: Sequence[Place]) -> tuple[Place, Place]:
    by_rank = sorted(product(Rank, Rank), key=lambda ranks: (sum(ranks), ranks))
    groups = [({r: [p for p in found if p.rank == r] for r in Rank}) for found in (heads, tails)]
    for head_rank, tail_rank in by_rank:
        pair = _nearest_apart(groups[0][head_rank], groups[1][tail_rank])
        if pair:
            return pair
    best = min(heads, key=lambda place: (place.rank, place.start))
    return best, min(tails, key=lambda place: (place.rank, abs(place.start - best.start), place.start))


def _nearest_apart(heads: Sequence[Place], tails: Sequence[Place]) -> tuple[Place, Place] | None:
    """The pair of places that do not overlap with the fewest characters between them, then the leftmost."""
    if not heads or not tails:
        return None
    starts = [tail.start for tail in tails]
    ends = [tail.end for tail in tails]
    best = None
    for head in heads:
        after = bisect_left(starts, head.end)
        before = bisect_left(ends, head.start + 1) - 1
        for i in (before, after):
            if 0 <= i < len(tails):
                tail = tails[i]
                between = max(tail.start - head.end, head.start - tail.end)
                key = (between, min(head.start, tail.start), head.start)
                if best is None or key < best[0]:
                    best = (key, (head, tail))
    return best[1] if best else None


def _alnum(text: str, i: int) -> bool:
    return 0 <= i < len(text) and text[i].isalnum()


def _passed_over(char: str) -> bool:
    return char.isspace() or char in BRACKETS

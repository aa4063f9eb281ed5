"""Gold strings to character spans: every place where a mention may stand, and the rule that picks one.

The rule, for a row with a head and a tail:
1. A mention stands where its string stands exactly; if it stands nowhere, where it stands when white space and
   brackets are left out of both sides (the marking of ChemProt swallowed some and put others inside words).
2. Places are ranked by what speaks for them (`Rank`).
3. Of all pairs of places that do not overlap, the best ranked wins, then the one with the fewest characters between
   head and tail, then the leftmost. So equal strings get two places where there are two.
4. Only when all pairs overlap does an overlapping one win, by the same order; equal strings that stand once share
   one mention.
Nothing is guessed: a mention without a place is an error for its row.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from enum import IntEnum
from itertools import product
from typing import NamedTuple

BRACKETS = "()[]{}"


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
    """What speaks for a place, best first. A mark inside a longer word is no evidence: marking hit every such string."""

    BRACKETS = 0
    ANNOTATED = 1
    PADDED = 2
    WORD = 3
    PADDED_INSIDE = 4
    INSIDE = 5


class Place(NamedTuple):
    """A place where a mention may stand: [start, end) in characters.

    padded (bool): One space on each side belongs to the marking, not to the sentence.
    exact (bool): The text there is the mention's string, character by character.
    """

    start: int
    end: int
    rank: Rank
    padded: bool = False
    exact: bool = True

    @property
    def mark(self) -> str:
        """What marks it: "brackets", "padding" or ""."""
        if self.rank == Rank.BRACKETS:
            return "brackets"
        return "padding" if self.padded else ""


class NotLocated(Exception):
    """A mention has no place. Argument: the reason."""


def locate_pair(text: str, head: str, tail: str, marking: Marking) -> tuple[Place, Place]:
    """Where head and tail of a row stand, by the rule above.

    RAISES (NotLocated): If one of them stands nowhere.
    """
    marked = is_marked(text, (head, tail), marking)
    heads = places(text, head, marking, "[]", marked=marked)
    tails = (
        heads if head == tail and not marking.brackets else places(text, tail, marking, "{}", marked=marked)
    )
    for found, name, mention in ((heads, "head", head), (tails, "tail", tail)):
        if not found:
            raise NotLocated(
                f"the {name} {mention!r} is not in the text" if mention.strip() else f"the {name} is empty"
            )
    return _nearest_pair(heads, tails)


def is_marked(text: str, mentions: Sequence[str], marking: Marking) -> bool:
    """Whether a row shows marks at all; then a single space around a mention inside a word counts as one."""
    if not marking.padding:
        return False
    return any(
        _padding_shows(text, *match.span(1))
        for mention in mentions
        if mention.strip()
        for match in _with_spaces(mention).finditer(text)
    )


def places(text: str, mention: str, marking: Marking, brackets: str = "[]", *, marked: bool) -> list[Place]:
    """Every place of a mention, in text order.

    mention (str): Its string, as the corpus gives it.
    brackets (str): The pair that marks it where the corpus marks by brackets.
    marked (bool): Whether the row shows marks, see `is_marked`.
    """
    if not mention.strip():
        return []
    pattern = re.compile(f"(?={re.escape(mention)})")
    found = [
        _place(text, m.start(), m.start() + len(mention), marking, brackets, marked)
        for m in pattern.finditer(text)
    ]
    return found or list(_tolerant(text, mention))


def _place(text: str, start: int, end: int, marking: Marking, brackets: str, marked: bool) -> Place:
    if marking.brackets and in_brackets(text, start, end, brackets):
        return Place(start, end, Rank.BRACKETS, padded=True)
    padded = marking.padding and is_padded(text, start, end, marked=marked)
    left, right = (start - 1, end + 1) if padded else (start, end)
    if _alnum(text, left - 1) and text[start].isalnum() or _alnum(text, right) and text[end - 1].isalnum():
        return Place(start, end, Rank.PADDED_INSIDE if padded else Rank.INSIDE, padded)
    if not padded:
        return Place(start, end, Rank.WORD)
    annotated = marking.eats_next and text[right : right + 1] in ("", " ")
    return Place(start, end, Rank.ANNOTATED if annotated else Rank.PADDED, padded)


def in_brackets(text: str, start: int, end: int, brackets: str) -> bool:
    """Whether `[  ` and `  ]` (or one space each) stand around a mention."""
    left = text[max(0, start - 3) : start].rstrip(" ")
    right = text[end : end + 3].lstrip(" ")
    spaced = text[start - 1 : start] == " " == text[end : end + 1]
    return spaced and left.endswith(brackets[0]) and right.startswith(brackets[1])


def is_padded(text: str, start: int, end: int, *, marked: bool) -> bool:
    """Whether the single spaces around a mention belong to the marking.

    They do where a second space, an edge of the text or the punctuation beside them shows it. Between two letters only
    in a marked row, and only around one word: "nor epinephrine " was "norepinephrine", while more than one word
    between two words is plain text.
    """
    if not (text[start - 1 : start] == " " == text[end : end + 1] and start):
        return False
    if _padding_shows(text, start, end):
        return True
    if not marked:
        return False
    if _alnum(text, start - 2) and _alnum(text, end + 1):
        return not any(char.isspace() for char in text[start:end])
    return text[start - 2] in "([{-/" or text[end + 1] in ".,;:)]}-/%'’?!"


def _padding_shows(text: str, start: int, end: int) -> bool:
    """A doubled space, or an edge of the text, on a side of a mention with a space on both sides."""
    left = text[start - 2 : start - 1] if start >= 2 else " "
    right = text[end + 1 : end + 2] or " "
    return left.isspace() or right.isspace()


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
        if (_alnum(text, start - 1) and text[start].isalnum()) or (
            _alnum(text, end) and text[end - 1].isalnum()
        ):
            continue
        if mention[0] in BRACKETS and text[start - 1 : start] == mention[0]:
            start -= 1
        if mention[-1] in BRACKETS and text[end : end + 1] == mention[-1]:
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


def _with_spaces(mention: str) -> re.Pattern[str]:
    return re.compile(f"(?= ({re.escape(mention)}) )")

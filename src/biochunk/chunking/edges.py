"""Where a mention begins and ends within a noun phrase, by word lists.

"High serum insulin levels" is one noun phrase; the mention in it is "insulin", and in some corpora "serum insulin".
What belongs to a mention is a convention of each corpus, so it is data: for either edge of a phrase, words that are
cut, words that are optional (both boundaries are given) and words that stay. A list holds words ("serum") and endings
("-al"); a word outweighs an ending, a longer ending a shorter one.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

KEEP, OPTIONAL, CUT = "KOC"
# A word that a hyphen or slash joins to the next one; a sign that joins.
INNER, SIGN = "x-"

_CUT, _ANY = CUT + SIGN, CUT + OPTIONAL + SIGN


class Edge:
    """What one edge of a phrase does with a word.

    words (Mapping[str, str]): Class of known words, lower-case: KEEP, OPTIONAL or CUT.
    endings (Mapping[str, str]): Class of words by their last letters, without the hyphen.
    default (str): Class of all other words.
    """

    __slots__ = ("_default", "_endings", "_lengths", "_words")

    def __init__(self, words: Mapping[str, str], endings: Mapping[str, str], default: str = KEEP) -> None:
        self._words, self._endings, self._default = words, endings, default
        self._lengths = sorted({len(ending) for ending in endings}, reverse=True)

    def __call__(self, word: str) -> str:
        """The class of a word in lower case."""
        found = self._words.get(word)
        if found is not None:
            return found
        for length in self._lengths:
            found = self._endings.get(word[-length:])
            # The whole word is no ending of itself.
            if found is not None and length < len(word):
                return found
        return self._default

    def knows(self, word: str) -> bool:
        """Whether a word is in a list itself."""
        return word in self._words

    def words(self, kind: str) -> list[str]:
        """The listed words of a class, endings left out."""
        return [word for word, own in self._words.items() if own == kind]

    def with_endings(self, endings: Mapping[str, str], default: str) -> "Edge":
        """The same words with more endings and another default."""
        return Edge(self._words, {**self._endings, **endings}, default)


def read_edge(lists: Iterable[tuple[str, Iterable[str]]], default: str = KEEP) -> Edge:
    """An edge from lists of words and endings.

    lists (Iterable): Class and its words; of two that name the same word the later counts. "-al" is an ending.
    default (str): Class of words in no list.
    """
    words: dict[str, str] = {}
    endings: dict[str, str] = {}
    for kind, entries in lists:
        for entry in entries:
            entry = entry.lower()
            if entry.startswith("-") and len(entry) > 1:
                endings[entry[1:]] = kind
            else:
                words[entry] = kind
    return Edge(words, endings, default)


class Boundaries(NamedTuple):
    """The widest and the narrowest mention in a phrase, as token ranges; often the same."""

    start: int
    end: int
    inner_start: int
    inner_end: int


def boundaries(before: str, after: str, start: int, end: int) -> Boundaries:
    """Cut a phrase at both edges. At least one word stays, whatever the lists say.

    before, after (str): For each token of the Doc its class at the front and at the end of a phrase; in `before` a
        word that is joined to the next one is INNER, as joined words are cut together; signs that join are SIGN.
    start, end (int): The phrase.
    """
    last = start + len(after[start:end].rstrip(_CUT))
    last = last if last > start else _first_word(before, start, end)
    first = _front(before, start, last, _CUT + INNER)
    inner_last = first + len(after[first:last].rstrip(_ANY))
    inner_last = inner_last if inner_last > first else _first_word(before, first, last)
    return Boundaries(first, last, _front(before, first, inner_last, _ANY + INNER), inner_last)


def _front(before: str, start: int, end: int, cut: str) -> int:
    """Where the phrase begins when the words in `cut` are taken off its front; the last word stays."""
    first = end - len(before[start:end].lstrip(cut))
    if first == end:
        first -= 1
    # Never between joined words.
    while first - 1 > start and before[first - 1] == SIGN:
        first -= 2
    return first


def _first_word(before: str, start: int, end: int) -> int:
    """Where the first word ends, with all that is joined to it."""
    first = start + 1
    while first + 1 < end and before[first] == SIGN:
        first += 2
    return min(first, end)

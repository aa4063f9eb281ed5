"""A small grammar of noun phrases over closed-class words: no tagger, no model.

Each token has one letter, so that the grammar is a regular expression over a string. What is no closed-class word, verb
form or sign is content; a mention is a run of content words, with what hyphens, slashes and brackets join to it.
"""

import re
import sys
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from .edges import INNER, KEEP, SIGN

FUNCTION, VERB, SPACE, PUNCTUATION = "FVSP"
# Content: a word, a number, a Greek letter in words, a word that a letter may follow ("vitamin A").
WORD, NUMBER, GREEK, LETTERED = "NDGL"
UNIT = "U"  # of measurement: ends a phrase and takes the number before it along ("aspirin 100 mg")
UNIT_LETTER = "u"  # a letter that is one behind a number only ("1 g", but "G protein")
ARTICLE = "A"  # "a": a name's last letter behind a lettered word, else a function word
CAPITAL = "Y"  # "A": a name's last letter where no content word follows, else a function word
STARTER = "f"  # a function word that begins compounds ("all-trans", "up-regulation"), else it ends a phrase
JOINER = "j"  # a word that joins what a hyphen links to it with what follows ("insulin-like growth factor") …
JOINED = "J"  # … where a hyphen does; else it ends a phrase
PARTICIPLE = "p"  # "infected": begins a phrase before a content word, else ends one
LINK = "H"  # hyphen, slash, prime, comma, bracket: joins both its neighbours where it is written together with them
PLUS = "+"  # ends a name that it is written together with ("CD4+ cells"), else a LINK

# What else is known of a token, for rules about single words; a number or a Greek letter keeps its class.
PLAIN, NEVER_ALONE, SHAPE, AFFIX, LETTER = ".!sa1"
HALF = "~"  # half a name: "alpha-", "-2"
HEAD = "h"  # says what a name behind it is: "the antagonist WAY100635"
OPENED = "("  # a word that leaves a bracket open
OPENING, CLOSING = "[)"  # the bracket as a sign

_MEASURED = re.compile(f"{NUMBER}(?:{UNIT_LETTER}|(?={UNIT}))")
_CONTENT = f"{WORD}{LETTERED}{GREEK}{UNIT_LETTER}"
# A number begins a phrase where it is joined to what follows ("5-HT") or counts a Greek letter ("17 beta").
_PHRASE = re.compile(
    rf"(?:[{_CONTENT}]|{NUMBER}(?=[{LINK}{GREEK}])|[{STARTER}{ARTICLE}{CAPITAL}](?={LINK}[{_CONTENT}{NUMBER}])|(?<![{_CONTENT}{NUMBER}{LINK}]){PARTICIPLE}(?=[{_CONTENT}]))"
    rf"(?:[{_CONTENT}{NUMBER}{LINK}{JOINED}]|(?<=[{LETTERED}{LINK}])[{ARTICLE}{CAPITAL}]|{STARTER}(?={LINK}[{_CONTENT}])|(?<={LINK}){STARTER}"
    rf"|{CAPITAL}(?![{_CONTENT}{NUMBER}]))*"
)
_TRAILING = LINK + JOINED
_NAMED = re.compile(f"[{_CONTENT}{STARTER}]")
_APPOSITION = re.compile(
    f"{HEAD}(?=[{SHAPE}{AFFIX}{re.escape(OPENED)}]|[{NUMBER}{LETTER}{GREEK}][{re.escape(SIGN + OPENING)}])"
)


# Behind these a sign is part of the name; between two names it is too.
_BOUND = (LETTER, NUMBER, GREEK)
_NAME = (SHAPE, AFFIX, OPENED)

Range = tuple[int, int]


class Classes(NamedTuple):
    """What is known of the tokens of a Doc: one letter a token in each string.

    grammar (str): The classes of this module.
    before, after (str): What happens to the word at the front and at the end of a phrase; see `edges`.
    names (str): What the rules about single words go by: PLAIN, NEVER_ALONE, SHAPE, AFFIX, LETTER, HALF, HEAD, OPENED,
        OPENING, CLOSING, NUMBER or GREEK; SIGN where a sign joins.
    spaces (Sequence[int]): Whether a space follows each token.
    """

    grammar: str
    before: str
    after: str
    names: str
    spaces: Sequence[int]


def read_classes(codes: Sequence[str], spaces: Sequence[int]) -> Classes:
    """Resolve what depends on the neighbours: signs join only what is written together.

    codes (Sequence[str]): Four letters a token: class in the grammar, before, after, name.
    spaces (Sequence[int]): Whether a space follows each token.
    """
    packed = "".join(codes)
    grammar, before, after, names = packed[0::4], packed[1::4], packed[2::4], packed[3::4]
    if LINK in grammar or PLUS in grammar:
        grammar, before, after, names = _joined(list(grammar), list(before), list(after), list(names), spaces)
    if UNIT in grammar or UNIT_LETTER in grammar:
        grammar = _MEASURED.sub(lambda match: PUNCTUATION * len(match[0]), grammar)
    return Classes(grammar, before, after, names, spaces)


def _joined(
    grammar: list[str], before: list[str], after: list[str], names: list[str], spaces: Sequence[int]
) -> tuple[str, str, str, str]:
    last = len(grammar) - 1
    for i, kind in enumerate(grammar):
        if kind != LINK and kind != PLUS:
            continue
        if i == 0 or spaces[i - 1]:
            grammar[i] = PUNCTUATION
        elif i == last or spaces[i]:
            # Written together with the left side only: the end of "Ca2+" and of "Ca(2+)".
            closes = kind == PLUS or (names[i] == CLOSING and _opened(names, spaces, i))
            grammar[i] = NUMBER if closes and grammar[i - 1] in (*_CONTENT, NUMBER) else PUNCTUATION
            names[i] = PLAIN
        else:
            grammar[i] = LINK
            before[i] = after[i] = SIGN
            if names[i] != OPENING:
                names[i] = SIGN
            before[i - 1] = INNER
            if names[i - 1] in _BOUND or (names[i - 1] in _NAME and names[i + 1] in _NAME):
                # "P-glycoprotein" is not cut where "isoproterenol-stimulation" is.
                after[i + 1] = KEEP
            if grammar[i + 1] == JOINER and grammar[i - 1] in (*_CONTENT, NUMBER):
                grammar[i + 1] = JOINED
            elif grammar[i + 1] == UNIT and grammar[i - 1] in _CONTENT:
                grammar[i + 1] = WORD  # "NF-kB"
    return "".join(grammar), "".join(before), "".join(after), "".join(names)


def _opened(names: Sequence[str], spaces: Sequence[int], i: int) -> bool:
    """Whether a bracket at i closes one inside the same word."""
    for j in range(i - 1, max(i - 16, -1), -1):
        if spaces[j]:
            return False
        if names[j] == OPENED:
            return True
        if names[j] == OPENING:
            return j > 0 and not spaces[j - 1]
    return False


def noun_phrases(classes: Classes, max_tokens: int, start: int = 0, end: int = sys.maxsize) -> Iterator[Range]:
    """Runs of content words, as token ranges.

    A run ends at function words, verbs, punctuation and white space. A number may end a name ("vitamin D 3",
    "interleukin 6"); it begins one only where a sign or a Greek letter joins it. A name in apposition is a run of its
    own ("the antagonist | WAY100635").

    classes (Classes): What is known of the tokens.
    max_tokens (int): Longest run; a longer one is cut from its end, as English noun phrases end in their head. Joined
        words are never parted.
    start, end (int): Range of tokens to look in.
    """
    grammar, names = classes.grammar, classes.names
    heads = HEAD in names
    for match in _PHRASE.finditer(grammar, start, end):
        first, last = match.span()
        while grammar[last - 1] in _TRAILING:
            last -= 1
        if heads and last - first > 1:
            for head in _APPOSITION.finditer(names, first, last):
                yield from _pieces(grammar, first, head.end(), max_tokens)
                first = head.end()
        if last - first <= max_tokens and grammar[first] in _CONTENT:
            yield first, last
        else:
            yield from _pieces(grammar, first, last, max_tokens)


def _pieces(grammar: str, start: int, end: int, max_tokens: int) -> Iterator[Range]:
    """A run cut from its end into pieces of whole words; numbers in front, and pieces without a name, go."""
    starts = [start]
    while (following := next_word(grammar, starts[-1], end)) < end:
        starts.append(following)
    pieces = []
    last, i = end, len(starts) - 1
    while i >= 0:
        while i > 0 and last - starts[i - 1] <= max_tokens:
            i -= 1
        pieces.append((starts[i], last))
        last = starts[i]
        i -= 1
    for first, last in reversed(pieces):
        if grammar[first] == NUMBER and grammar[first + 1 : first + 2] not in (LINK, GREEK):
            first = next_word(grammar, first, last)
        if first < last and _NAMED.search(grammar, first, last):
            yield first, last


def next_word(grammar: str, start: int, end: int) -> int:
    """Where the word behind the one at `start` begins; joined words are one."""
    start += 1
    while start < end and grammar[start] == LINK:
        start += 2
    return min(start, end)

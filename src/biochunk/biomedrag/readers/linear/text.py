"""A text as the linear reader sees it: tokens, their kinds, and the skeleton of what stands around two mentions."""

import json
import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import cache, lru_cache
from importlib.resources import files

from ...items import Example, Span

_WORD = re.compile(r"[^\W_]+|[^\w\s]|_")
_ENDINGS = ("ations", "ation", "ings", "ing", "ions", "ion", "ives", "ive", "ors", "or", "ory", "ed", "es", "s")
_SHORTEST_STEM = 4

# Tokens of a skeleton that stand for something: the pair, another detected entity, a trigger of a relation.
FIRST, SECOND, OTHER, CUE = "<1>", "<2>", "<e>", "cue "
_ENTITIES = frozenset((FIRST, SECOND, OTHER))
_PAIR = frozenset((FIRST, SECOND))
_JOINS = frozenset((",", "and", "or", "/", "-", ":"))
_CONJUNCTIONS = frozenset(("and", "or"))
_ARTICLES = frozenset(("the", "a", "an", "these", "this"))
# Tokens that a skeleton is made from, on the left of the pair and on its right.
_REACH = (14, 12)

Range = tuple[int, int]


class Text:
    """An example's text as tokens.

    starts, ends (list[int]): Place of each token.
    words, stems (list[str]): Tokens in lower case; the same without common endings.
    kinds (list[str]): `CUE` and the relation for a token of a trigger, `OTHER` for one of a detected entity, else the
        word.
    cues (list[tuple[Range, str, int]]): Tokens, relation and tier of each trigger.
    """

    def __init__(self, example: Example) -> None:
        matches = list(_WORD.finditer(example.text))
        self.starts = [match.start() for match in matches]
        self.ends = [match.end() for match in matches]
        self.words = [match.group().lower() for match in matches]
        self.stems = [stem(word) for word in self.words]
        self.kinds = list(self.words)
        for mention in example.mentions:
            self._set_kinds(self.tokens(mention), OTHER)
        self.cues = [(self.tokens((cue.start, cue.end)), cue.relation, cue.tier) for cue in example.cues]
        for place, relation, _ in self.cues:
            self._set_kinds(place, CUE + relation)

    def tokens(self, span: Span) -> Range:
        """The tokens that a range of characters touches."""
        return bisect_right(self.ends, span[0]), bisect_left(self.starts, span[1])

    def _set_kinds(self, place: Range, kind: str) -> None:
        self.kinds[place[0] : place[1]] = [kind] * (place[1] - place[0])


def skeleton(text: Text, first: Range | None, second: Range | None) -> list[str]:
    """What stands around a pair, with entities and triggers as signs, and without the other members of
    coordinations: "effects of <1> on <e>, <e> and <2>" reads as "effects of <1> on <2>".

    first, second (Range | None): Tokens of the mentions; None where the text does not hold one.
    """
    places = [place for place in (first, second) if place]
    if not places:
        return []
    start = max(0, min(place[0] for place in places) - _REACH[0])
    end = max(place[1] for place in places) + _REACH[1]
    kinds = text.kinds[start:end]
    for place, sign in ((second, SECOND), (first, FIRST)):
        if place:
            kinds[place[0] - start : place[1] - start] = [sign] * (place[1] - place[0])
    found: list[str] = []
    for kind in merged(kinds):
        if kind in _ENTITIES:
            while (joined := _joined(found)) and OTHER in (found[-joined - 1], kind):
                before = found[-joined - 1]
                del found[-joined - 1 :]
                if kind == OTHER:
                    kind = before
        found.append(kind)
    return found


def _joined(found: Sequence[str]) -> int:
    """How many tokens at the end join an entity before them with what comes next; 0: there is no such entity."""
    if len(found) >= 2 and found[-1] in _JOINS and found[-2] in _ENTITIES:
        return 1
    if len(found) >= 3 and found[-1] in _CONJUNCTIONS and found[-2] == "," and found[-3] in _ENTITIES:
        return 2
    return 0


def merged(kinds: Sequence[str]) -> list[str]:
    """Kinds of tokens with one sign for all tokens of a mention or trigger."""
    return [
        kind
        for before, kind in zip(("", *kinds), kinds, strict=False)
        if before != kind or not (kind in _ENTITIES or kind.startswith(CUE))
    ]


def frame(kinds: Sequence[str]) -> list[str]:
    """A skeleton's pair, triggers, signs and function words alone."""
    known = _function_words()
    return [
        kind
        for kind in kinds
        if kind in _PAIR
        or kind.startswith(CUE)
        or (kind not in _ARTICLES and kind != OTHER and (kind in known or not kind[0].isalnum()))
    ]


def words_of(string: str) -> list[str]:
    """Tokens of a string in lower case."""
    return [match.group().lower() for match in _WORD.finditer(string)]


@lru_cache(maxsize=100_000)
def stem(word: str) -> str:
    """A word without a common ending of verbs and nouns, so that "inhibits" and "inhibition" meet."""
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST_STEM:
            return word[: -len(ending)]
    return word


@cache
def _function_words() -> frozenset[str]:
    closed = json.loads((files("biochunk") / "data" / "closed_class.json").read_text("utf8"))
    return frozenset(closed["function_words"])

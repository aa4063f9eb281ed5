"""Names of a pair's (or a text's) features in the linear reader, in blocks that are weighted apart."""

from collections.abc import Sequence
from functools import lru_cache

from ...items import Example, Mention, Span, Statement
from .text import CUE, FIRST, OTHER, SECOND, Range, Text, frame, merged, skeleton

# Weights of the blocks of a pair and of a whole text: squared length of every row in that block. From train slices of
# GM-CIHT and ChemProt, where twice or half of any of them changes little.
PAIR_BLOCKS = {
    "between": 0.8,
    "edges": 0.5,
    "mentions": 1.5,
    "triggers": 1.0,
    "skeleton": 1.0,
    "frame": 1.0,
    "words": 0.3,
}
TEXT_BLOCKS = {"words": 0.2, "triggers": 0.2, "letters": 0.4, "skeleton": 0.14, "frame": 0.1}

Names = dict[str, list[str]]
# A mention, and its tokens where the text holds it.
_Placed = tuple[Mention, Range | None]


def word_names(text: Text) -> list[str]:
    """A text's words and pairs of words."""
    return _grams(text.stems, 1, 2)


def text_names(example: Example, text: Text) -> Names:
    """Features of a whole text: its words and pairs of words, their letters, its triggers and propositions, and runs of
    words around triggers.
    """
    found = [name for _, relation, tier in text.cues for name in (relation, f"{relation} {tier}")]
    found += [f"states {statement.relation} {_facts(statement)}" for statement in example.statements]
    kinds = merged(text.kinds)
    return {
        "words": word_names(text),
        "triggers": found,
        "letters": [gram for word in text.words for gram in _letters(word)],
        "skeleton": [gram for gram in _grams(kinds, 2, 4) if CUE in gram or OTHER in gram],
        "frame": _grams(frame(kinds), 2, 5),
    }


def pair_names(example: Example, text: Text, first: Mention, second: Mention) -> Names:
    """Features of a pair of mentions.

    first, second (Mention): In text order. Where one is not visible, what depends on its place is left out.
    """
    one, two = (text.tokens((m.start, m.end)) if m.visible else None for m in (first, second))
    kinds = skeleton(text, one, two)
    return {
        "between": _between(text, one, two),
        "edges": _edges(text, one, two),
        "mentions": _mentions(first.text, second.text),
        "triggers": _triggers(example, text, (first, one), (second, two)),
        "skeleton": _around(kinds, 6, 4),
        "frame": _around(frame(kinds), 4, 3),
    }


def _between(text: Text, one: Range | None, two: Range | None) -> list[str]:
    if not one or not two:
        return []
    inner = text.stems[one[1] : two[0]]
    return [f"length {min(8, len(inner))}", *_grams(["<", *inner, ">"], 1, 3)]


def _edges(text: Text, one: Range | None, two: Range | None) -> list[str]:
    """Words beside the pair, by place."""
    found = []
    if one:
        before = ["^", *text.words[max(0, one[0] - 3) : one[0]]]
        found += [f"before {n} {' '.join(before[-n:])}" for n in (1, 2, 3)]
        found += [f"before {s}" for s in text.stems[max(0, one[0] - 4) : one[0]]]
        found.append(f"then {' '.join(text.words[one[1] : one[1] + 1])}")
    if two:
        after = [*text.words[two[1] : two[1] + 3], "$"]
        found += [f"after {n} {' '.join(after[:n])}" for n in (1, 2, 3)]
        found += [f"after {s}" for s in text.stems[two[1] : two[1] + 4]]
        found.append(f"ahead {' '.join(text.words[max(0, two[0] - 1) : two[0]])}")
    return found


@lru_cache(maxsize=100_000)
def _mention_names(which: str, string: str) -> tuple[str, ...]:
    words = string.lower().split() or [""]
    padded = f"<{' '.join(words)}>"
    grams = [f"{which} {n} {padded[i : i + n]}" for n in (3, 4) for i in range(len(padded) - n + 1)]
    return (*grams, *(f"{which} word {word}" for word in words), f"{which} last {words[-1]}", f"{which} is {padded}")


def _mentions(first: str, second: str) -> list[str]:
    one, two = first.lower().split()[-1:] or [""], second.lower().split()[-1:] or [""]
    both = [f"both {one[0][-n:]} {two[0][-n:]}" for n in (3, 4, 100)]
    return [*_mention_names("1", first), *_mention_names("2", second), *both]


def _triggers(example: Example, text: Text, first: _Placed, second: _Placed) -> list[str]:
    one, two = first[1], second[1]
    found = []
    for place, relation, tier in text.cues:
        zone = _zone(place, one, two)
        found += [f"{zone} {relation}", f"{zone} {relation} {tier}"]
        if any(mention and -2 <= _gap(place, mention) <= 2 for mention in (one, two)):
            found.append(f"near {zone} {relation}")
    for statement in example.statements:
        subject, object_ = (_which(span, first[0], second[0]) for span in (statement.subject, statement.object))
        found += [
            f"states {subject}{object_} {statement.relation}",
            f"states {subject}{object_} {statement.relation} {_facts(statement)}",
        ]
    return found


def _zone(place: Range, one: Range | None, two: Range | None) -> str:
    if one and two:
        if place[1] <= one[0]:
            return "before"
        if place[0] >= two[1]:
            return "after"
        if place[0] >= one[1] and place[1] <= two[0]:
            return "between"
        return "inside"
    return "somewhere"


def _gap(place: Range, mention: Range) -> int:
    return max(place[0] - mention[1], mention[0] - place[1], 0)


def _which(span: Span, first: Mention, second: Mention) -> str:
    for mention, sign in ((first, "1"), (second, "2")):
        if mention.visible and span[0] < mention.end and mention.start < span[1]:
            return sign
    return "-"


def _facts(statement: Statement) -> str:
    return f"{statement.kept:d}{statement.negated:d}"


def _around(kinds: Sequence[str], left: int, right: int) -> list[str]:
    """Runs of up to four tokens of a skeleton near the pair, told apart by where they stand, and the whole of it."""
    marks = [i for i, kind in enumerate(kinds) if kind in (FIRST, SECOND)]
    if not marks:
        return []
    start = max(0, marks[0] - left)
    near = list(kinds[start : marks[-1] + 1 + right])
    low, high = marks[0] - start, marks[-1] - start
    found = [f"whole {' '.join(near[low : high + 1])}", f"length {min(high - low, 9)}"]
    for length in (1, 2, 3, 4):
        for i in range(len(near) - length + 1):
            zone = "<" if i + length <= low else ">" if i > high else "-" if low < i and i + length <= high else ""
            found.append(zone + " ".join(near[i : i + length]))
    return found


@lru_cache(maxsize=100_000)
def _letters(word: str) -> tuple[str, ...]:
    padded = f" {word} "
    return tuple(padded[i : i + n] for n in (3, 4, 5) for i in range(len(padded) - n + 1))


def _grams(words: Sequence[str], shortest: int, longest: int) -> list[str]:
    return [" ".join(words[i : i + n]) for n in range(shortest, longest + 1) for i in range(len(words) - n + 1)]

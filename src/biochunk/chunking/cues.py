"""Cue phrases of negation and of hedging: the lexicon, and which of the phrases found in a sentence are cues.

Finding the phrases is the caller's part (a `PhraseMatcher` over the keys of `load_cues`); what a cue acts on
is said by `biochunk.chunking.polarity`.
"""

import json
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from importlib.resources import files
from itertools import product
from typing import Literal, NamedTuple

from ..schemas import Cues

PolarityName = Literal["negation", "hedge"]
Kind = Literal["pre", "argument", "post", "pseudo", "termination"]
Bounds = tuple[int, int]

KINDS: tuple[Kind, ...] = ("pre", "argument", "post", "pseudo", "termination")


class Role(NamedTuple):
    """What one phrase is.

    polarity (PolarityName): "negation" or "hedge".
    kind (Kind): "pre" acts on what follows, "argument" on the next entity or trigger only, "post" on what
        stands before; "pseudo" looks like a cue and is none; "termination" ends a scope.
    """

    polarity: PolarityName
    kind: Kind


# Found phrase: first token, token after the last, and its roles as `load_cues` gives them.
Match = tuple[int, int, Sequence[tuple[PolarityName, Kind]]]

_ALTERNATIVES = re.compile(r"\(([^()]*\|[^()]*)\)")
# Marks after which a field's value is over ("Smoking: no.").
_VALUE_ENDS = frozenset(".,;)]/|")
# Written in capitals these are nitric oxide and a nucleolus organiser region.
_ACRONYMS = frozenset(["NO", "NOR"])


def load_cues(negation: Cues, hedges: Cues) -> dict[str, list[Role]]:
    """The cue phrases to look for: the built-in and the dataset's, or its own alone where it says `replace`.

    A phrase that is pseudo in one polarity is no cue in it, so that a dataset can switch off a built-in cue
    by naming it under `pseudo`.

    negation (Cues): The dataset's cues of negation.
    hedges (Cues): The dataset's cues of uncertainty.
    RETURNS (dict[str, list[Role]]): Phrase in lower case, single-spaced, to its roles; JSON values only.
    """
    built_in = _built_in()
    lexicon: dict[str, list[Role]] = {}
    own: tuple[tuple[PolarityName, Cues], ...] = (("negation", negation), ("hedge", hedges))
    for polarity, cues in own:
        sources = [cues] if cues.replace else [built_in[polarity], cues]
        kinds: dict[str, list[Kind]] = {}
        for kind in KINDS:
            for source in sources:
                for phrase in getattr(source, kind):
                    found = kinds.setdefault(" ".join(phrase.lower().split()), [])
                    if kind not in found:
                        found.append(kind)
        for phrase, found in kinds.items():
            kept = [kind for kind in found if kind in ("pseudo", "termination")] if "pseudo" in found else found
            lexicon.setdefault(phrase, []).extend(Role(polarity, kind) for kind in kept)
    return lexicon


def _built_in() -> dict[PolarityName, Cues]:
    """The package's own lists. In them "(a|b) c" stands for "a c" and "b c", an empty choice for no word."""
    raw = json.loads(files("biochunk").joinpath("data/polarity.json").read_text("utf-8"))
    names: tuple[tuple[PolarityName, str], ...] = (("negation", "negation"), ("hedge", "hedges"))
    return {
        polarity: Cues.model_validate(
            {kind: [full for phrase in raw[name][kind] for full in _expand(phrase)] for kind in KINDS}
        )
        for polarity, name in names
    }


def _expand(phrase: str) -> list[str]:
    parts = _ALTERNATIVES.split(phrase)
    choices = [part.split("|") if i % 2 else [part] for i, part in enumerate(parts)]
    return [" ".join("".join(choice).split()) for choice in product(*choices)]


class FoundCues(NamedTuple):
    """What of the matches counts, token indices relative to the sentence.

    acting (list[tuple[int, int, Role]]): Cues in text order, pseudo cues included.
    stops (Mapping[str, frozenset[int]]): For each polarity the tokens that belong to a termination.
    """

    acting: list[tuple[int, int, Role]]
    stops: Mapping[str, frozenset[int]]


def count_cues(matches: Iterable[Match], words: Sequence[str], offset: int, entities: Sequence[Bounds]) -> FoundCues:
    """Reduce matched phrases to the cues that count.

    - No cue is what lies in an entity or across its edge ("with no" of the finding "no wheeze", "failure to"
      of "heart failure"); but one that begins with an entity is ("absence of").
    - Nor is a part of a hyphenated word ("no-reflow"); "no." before a number; NO, the molecule; May, the
      month or name.
    - A phrase with a leading colon (": no") is a field's value and counts only when the value ends there.
    - Of overlapping phrases the longest counts, so a pseudo cue swallows the cue inside it; between equals a
      pseudo cue, then the leftmost. A termination is swallowed by a longer phrase around it, and itself
      swallows nothing.

    matches (Iterable[Match]): Matched phrases, tokens counted like `offset`.
    words (Sequence[str]): The sentence's tokens as they are written.
    offset (int): Index of the sentence's first token.
    entities (Sequence[Bounds]): Token bounds of entities, relative to the sentence; sorted, none overlapping.
    RETURNS (FoundCues): The cues and the terminations.
    """
    valid = []
    starts = [first for first, _ in entities]
    for start, end, roles in matches:
        start, end = start - offset, end - offset
        near = entities[max(bisect_left(starts, start) - 1, 0) : bisect_left(starts, end)]
        if _counts(words, start, end) and not _in_entity(start, end, near):
            valid.append((start, end, roles))
    swallowing = [m for m in valid if any(kind != "termination" for _, kind in m[2])]
    if len(swallowing) > 1:
        swallowing = _longest(swallowing)
    acting: list[tuple[int, int, Role]] = []
    stops: dict[str, set[int]] = {"negation": set(), "hedge": set()}
    # What swallows does not overlap, so the last one that begins early enough is the only one that can.
    starts = [start for start, _, _ in swallowing]
    for start, end, roles in valid:
        i = bisect_right(starts, start) - 1
        swallowed = i >= 0 and end <= swallowing[i][1] and swallowing[i][1] - starts[i] > end - start
        for polarity, kind in roles:
            if kind == "termination" and not swallowed:
                stops[polarity].update(range(start, end))
    for start, end, roles in swallowing:
        acting += [(start, end, Role(polarity, kind)) for polarity, kind in roles if kind != "termination"]
    return FoundCues(acting, {polarity: frozenset(at) for polarity, at in stops.items()})


def has_cue(matches: Iterable[Match]) -> bool:
    """Whether some match is more than a termination. Where none is, the sentence needs no further look.

    matches (Iterable[Match]): Matched phrases.
    """
    for _, _, roles in matches:
        for _, kind in roles:
            if kind != "termination":
                return True
    return False


def _longest(matches: list[Match]) -> list[Match]:
    """Of overlapping matches the longest, then pseudo, then the leftmost; in text order. Equal spans join."""
    joined: dict[Bounds, dict[Role, None]] = {}
    for start, end, roles in matches:
        joined.setdefault((start, end), {}).update((Role(*role), None) for role in roles)
    ranked = sorted(
        (start - end, all(kind != "pseudo" for _, kind in roles), start, end) for (start, end), roles in joined.items()
    )
    kept: list[Match] = []
    taken: set[int] = set()
    for *_, start, end in ranked:
        tokens = range(start, end)
        if taken.isdisjoint(tokens):
            taken.update(tokens)
            kept.append((start, end, list(joined[start, end])))
    kept.sort(key=lambda match: match[0])
    return kept


def _in_entity(start: int, end: int, entities: Sequence[Bounds]) -> bool:
    return any(
        (first <= start and end <= last) or start <= first < end < last or first < start < last
        for first, last in entities
    )


def _counts(words: Sequence[str], start: int, end: int) -> bool:
    """Whether the words around a phrase let it be a cue."""
    following = words[end] if end < len(words) else ""
    first = words[start]
    if first == ":" and end - start > 1:
        after = words[end + 1] if end + 1 < len(words) else ""
        return not following.strip() or following in _VALUE_ENDS or after == ":"
    if not _ACRONYMS.isdisjoint(words[start:end]) and any(word != word.upper() for word in words):
        return False
    if end - start > 1:
        return True
    if following == "-":
        return False
    if first == "May":
        return start == 0 and not following.isdigit()
    if first.lower() == "no":
        number = words[end + 1] if following == "." and end + 1 < len(words) else following
        return not number.isdigit()
    return True

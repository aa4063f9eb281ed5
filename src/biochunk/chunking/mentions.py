"""Rules that find entity mentions in text by itself: the paper's three (§3.4), and padding.

The paper names bracketed markup, capitalised multi-token terms and hyphenated compounds. They cannot find single
lower-case mentions such as its own *aspirin* and *inflammation*; `noun_phrases` and `shapes` find these. Padded
mentions are how GM-CIHT marks gold entities; the rule for them is opt-in.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence

from .noun_phrases import SPACE

Range = tuple[int, int]

# `[  head  ]`, `{  tail  }` and `[head]`; a translated title that is bracketed as a whole is no mention.
# Every repetition is bounded, which keeps the search linear in the text whatever stands in it.
_BRACKETS = re.compile(
    r"\[ {1,4}([^\[\]{} ][^\[\]{}]{0,200}?) {1,4}\]"
    r"|\{ {0,4}([^\[\]{} ][^\[\]{}]{0,200}?) {0,4}\}"
    # "[3H]thymidine" is a name, and so is "cyclohepta[e]furan".
    r"|(?<![\w)])\[([^\[\]{}.]{1,80})\](?![\w(-])"
)
# A mention is padded when it has one space more on each side than the text needs.
_PAD_OPEN = re.compile(r"^ (?! )|  +|(?<=[-(\[/‘“]) (?! )")
_PAD_CLOSE = re.compile(r"  +| (?=[-.,;:)\]/'\"’”?!%])")
_MAX_PADDED_CHARACTERS = 150
_CAPITALISED = re.compile(r"\b[A-Z][\w'’]{0,60}(?:[ -][A-Z][\w'’]{0,60})+")
_HYPHEN = re.compile(r"(?<=\w)[-‐‑](?=\w)")
_SPACE = re.compile(r"\s|$")


def bracketed(text: str) -> Iterator[Range]:
    """Mentions in bracketed markup, without the brackets and the spaces beside them."""
    if "[" not in text and "{" not in text:
        return
    for match in _BRACKETS.finditer(text):
        group = match.lastindex or 0
        # A citation ("[3]") or a bracketed title is content, no markup.
        if group == 3 and (match.start() == 0 or not re.search(r"[^\W\d]", match[3])):
            continue
        yield match.span(group)


def padded(text: str) -> Iterator[Range]:
    """Mentions that stand between a space too many on the left and on the right, as GM-CIHT and ChemProt mark them."""
    if "  " not in text and not text.startswith(" "):
        return
    position = 0
    while opened := _PAD_OPEN.search(text, position):
        start = opened.end()
        # Looking no further than the longest mention keeps the whole search linear.
        limit = start + _MAX_PADDED_CHARACTERS
        closed = _PAD_CLOSE.search(text, start + 1, limit + 3)
        if closed is None and text.endswith(" ") and start + 1 < len(text) <= limit:
            yield start, len(text) - 1
            return
        if closed is None or closed.start() > limit or text[start].isspace():
            position = start
            continue
        yield start, closed.start()
        # Two mentions side by side share the space between them: three spaces close one and open the next.
        position = closed.end() - 2 if closed.end() - closed.start() > 2 else closed.end()


def capitalised(text: str) -> Iterator[Range]:
    """Terms of two or more capitalised words ("Parkinson Disease")."""
    if text.islower():
        return
    for match in _CAPITALISED.finditer(text):
        yield match.span()


def hyphenated(text: str) -> Iterator[Range]:
    """Words with an inner hyphen ("receptor-complex", "COX-2"), between white space; `trim` cuts what is no word."""
    end = -1
    for match in _HYPHEN.finditer(text):
        position = match.start()
        if position < end:
            continue
        start = max(text.rfind(" ", max(end, 0), position) + 1, end, 0)
        end = _SPACE.search(text, position).start()  # type: ignore[union-attr]
        yield start, end


TEXT_RULES = {"brackets": bracketed, "padding": padded, "capitalised": capitalised, "hyphenated": hyphenated}
# Rules that read annotation marks: what they find is believed before anything a rule infers.
MARK_RULES = frozenset({"brackets", "padding"})


def without_space(classes: str, start: int, end: int) -> Range:
    """A token range without white space at its edges; empty (start == end) when there is nothing else."""
    while start < end and classes[start] == SPACE:
        start += 1
    while start < end and classes[end - 1] == SPACE:
        end -= 1
    return start, end


def drop_overlaps(candidates: Sequence[tuple[int, int, int, str]]) -> list[tuple[int, int, str]]:
    """Keep the best of overlapping mentions: lowest rank first, then the longest, then the first given.

    candidates (Sequence): (rank, start, end, rule); ranges of tokens.
    RETURNS (list): (start, end, rule) in text order.
    """
    # Kept mentions do not overlap, so their starts and ends are sorted alike.
    starts: list[int] = []
    kept: list[tuple[int, int, str]] = []
    for _, start, end, rule in sorted(candidates, key=_preference):
        i = bisect_left(starts, end)
        if i and kept[i - 1][1] > start:
            continue
        starts.insert(i, start)
        kept.insert(i, (start, end, rule))
    return kept


def apart(spans: Sequence[Range]) -> Sequence[Range]:
    """Spans in text order; where they overlap, as the two boundaries of a mention do, the longest."""
    kept: list[Range] = []
    end = -1
    for span in spans:
        if span[0] >= end:
            kept.append(span)
            end = span[1]
        elif span[1] > end:
            if span[0] > kept[-1][0]:
                # One span crosses another, as spans of other components may.
                return [(start, end) for start, end, _ in drop_overlaps([(0, *span, "") for span in spans])]
            # Of spans that begin together the shorter one comes first.
            kept[-1] = span
            end = span[1]
    return kept


def _preference(candidate: tuple[int, int, int, str]) -> tuple[int, int]:
    return candidate[0], candidate[1] - candidate[2]

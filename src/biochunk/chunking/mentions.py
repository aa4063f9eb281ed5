"""Rules that find entity mentions (paper §3.4) in text and in strings of token classes.

The paper names three rules: bracketed markup, capitalised multi-token terms, hyphenated compounds. They cannot find
single lower-case mentions such as its own *aspirin* and *inflammation*, so a noun-phrase rule over closed-class words
stands beside them. Padded mentions are how GM-CIHT marks gold entities; the rule for them is opt-in.
"""

import re
import sys
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence

Range = tuple[int, int]

# Classes of tokens, one letter each, so that a phrase grammar is a regular expression over a string.
FUNCTION, VERB, SPACE, PUNCTUATION, NUMBER, NOUN = "FVSPDN"
NOMINAL = "T"  # nominal trigger or stop head: inside a phrase it stays, at an edge it is cut
LINK = "H"  # hyphen, slash, prime, inner comma or bracket that is written together with both its neighbours

# `[  head  ]`, `{  tail  }` and `[head]`; a translated title that is bracketed as a whole is no mention.
# Every repetition is bounded, which keeps the search linear in the text whatever stands in it.
_BRACKETS = re.compile(
    r"\[ {1,4}([^\[\]{} ][^\[\]{}]{0,200}?) {1,4}\]"
    r"|\{ {0,4}([^\[\]{} ][^\[\]{}]{0,200}?) {0,4}\}"
    r"|\[([^\[\]{}.]{1,80})\]"
)
# A mention is padded when it has one space more on each side than the text needs.
_PAD_OPEN = re.compile(r"^ (?! )|  +|(?<=[-(\[/‘“]) (?! )")
_PAD_CLOSE = re.compile(r"  +| (?=[-.,;:)\]/'\"’”?!%])")
_MAX_PADDED_CHARACTERS = 150
_CAPITALISED = re.compile(r"\b[A-Z][\w'’]{0,60}(?:[ -][A-Z][\w'’]{0,60})+")
_HYPHEN = re.compile(r"(?<=\w)[-‐‑](?=\w)")
_SPACE = re.compile(r"\s|$")
# From a content word to the last content word or number of a run; linear, as each class stands in one place only.
_NOUN_PHRASE = re.compile(r"N(?:[NTDH]*[ND])?")


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


def noun_phrases(classes: str, max_tokens: int, start: int = 0, end: int = sys.maxsize) -> Iterator[Range]:
    """Runs of content words, as token ranges (a small grammar over closed-class words, no tagger).

    A run ends at function words, verbs, punctuation and white space. Nominal triggers and stop heads are cut from its
    edges ("aspirin therapy" gives "aspirin"). A number may end a name ("vitamin D 3", "interleukin 6") but does not
    begin one. A run of more than `max_tokens` keeps its last ones, as English noun phrases end in their head.

    classes (str): One class letter a token.
    max_tokens (int): Longest run.
    start, end (int): Range of tokens to look in.
    """
    for match in _NOUN_PHRASE.finditer(classes, start, end):
        first, last = match.span()
        if last - first > max_tokens:
            shorter = _NOUN_PHRASE.search(classes, last - max_tokens, last)
            if shorter is None:
                continue
            first = shorter.start()
        yield first, last


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


def _preference(candidate: tuple[int, int, int, str]) -> tuple[int, int]:
    return candidate[0], candidate[1] - candidate[2]


def token_classes(lowers: Sequence[int], flags: Sequence[int], spaces: Sequence[int], table: Mapping[int, str]) -> str:
    """One class letter a token.

    lowers (Sequence[int]): Hash of each token's lower-case form.
    flags (Sequence[int]): 4 for white space, 2 for punctuation, 1 for a number, or 0, a token.
    spaces (Sequence[int]): Whether a space follows each token.
    table (Mapping[int, str]): Class of known words and signs, by hash.
    """
    unknown = "NDPPSSSS"
    classes = [table.get(lower) or unknown[flag] for lower, flag in zip(lowers, flags, strict=True)]
    if LINK in classes:
        last = len(classes) - 1
        for i in [i for i, kind in enumerate(classes) if kind == LINK]:
            if i in (0, last) or spaces[i] or spaces[i - 1]:
                classes[i] = PUNCTUATION
    return "".join(classes)

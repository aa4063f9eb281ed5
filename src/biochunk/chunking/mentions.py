"""Rules that find entity mentions (paper §3.4) in text and in strings of token classes.

The paper names three rules: bracketed markup, capitalised multi-token terms, hyphenated compounds. They cannot find
single lower-case mentions such as its own *aspirin* and *inflammation*, so a noun-phrase rule over closed-class words
stands beside them. Padded mentions are how GM-CIHT marks gold entities; the rule for them is opt-in.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

Range = tuple[int, int]

# Classes of tokens, one letter each, so that a phrase grammar is a regular expression over a string.
FUNCTION, VERB, SPACE, PUNCTUATION, NUMBER, NOUN = "FVSPDN"
NOMINAL = "T"  # nominal trigger or stop head: inside a phrase it stays, at an edge it is cut
LINK = "H"  # hyphen, slash, prime, inner comma or bracket that is written together with both its neighbours

# `[  head  ]`, `{  tail  }` and `[head]`; a translated title that is bracketed as a whole is no mention.
# Every repetition is bounded, which keeps the search linear in the text whatever stands in it.
_BRACKETS = re.compile(
    r"\[ {1,4}([^\[\]{} ][^\[\]{}]{0,200}?) {1,4}\]|\{ {0,4}([^\[\]{} ][^\[\]{}]{0,200}?) {0,4}\}|\[([^\[\]{}.]{1,80})\]"
)
# A mention is padded when it has one space more on each side than the text needs.
_PAD_OPEN = re.compile(r"^ (?! )|  +|(?<=[-(\[/‘“]) (?! )")
_PAD_CLOSE = re.compile(r"  +| (?=[-.,;:)\]/'\"’”?!%])")
_MAX_PADDED_CHARACTERS = 150
_CAPITALISED = re.compile(r"\b[A-Z][\w'’]{0,60}(?:[ -][A-Z][\w'’]{0,60})+")
_HYPHENATED = re.compile(r"\b\w[\w,'′()]{0,60}(?:[-‐‑]\w[\w'′]{0,60})+")
_NOUN_PHRASE = re.compile(r"[NTD](?:H*[NTD])*")


def bracketed(text: str) -> Iterator[Range]:
    """Mentions in bracketed markup, without the brackets and the spaces beside them."""
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
    for match in _CAPITALISED.finditer(text):
        yield match.span()


def hyphenated(text: str) -> Iterator[Range]:
    """Compounds with a hyphen ("receptor-complex", "COX-2")."""
    for match in _HYPHENATED.finditer(text):
        yield match.span()


TEXT_RULES = {"brackets": bracketed, "padding": padded, "capitalised": capitalised, "hyphenated": hyphenated}
# Rules that read annotation marks: what they find is believed before anything a rule infers.
MARK_RULES = frozenset({"brackets", "padding"})


def noun_phrases(classes: str, max_tokens: int) -> Iterator[Range]:
    """Runs of content words, as token ranges (a small grammar over closed-class words, no tagger).

    A run ends at function words, verbs, punctuation and white space. Numbers and nominal triggers are cut from its
    edges ("aspirin therapy" gives "aspirin"); a run of more than `max_tokens` keeps its last ones, as English noun
    phrases end in their head.
    """
    for match in _NOUN_PHRASE.finditer(classes):
        start, end = trim(classes, *match.span())
        if end - start > max_tokens:
            start = end - max_tokens
            while classes[start] == LINK:
                start += 1
        if start < end:
            yield start, end


def trim(classes: str, start: int, end: int) -> Range:
    """Cut everything but content words from the edges of a token range; empty (start == end) when none is left."""
    # A number ends a name ("vitamin D 3", "interleukin 6") but does not begin one.
    while start < end and classes[start] != NOUN:
        start += 1
    while start < end and classes[end - 1] not in "ND":
        end -= 1
    return start, end


def drop_overlaps(candidates: Sequence[tuple[int, int, int, str]]) -> list[tuple[int, int, str]]:
    """Keep the best of overlapping mentions: lowest rank first, then the longest, then the leftmost.

    candidates (Sequence): (rank, start, end, rule); ranges of tokens.
    RETURNS (list): (start, end, rule) in text order.
    """
    kept: dict[int, tuple[int, int, str]] = {}
    taken: set[int] = set()
    for _, start, end, rule in sorted(candidates, key=lambda c: (c[0], c[1] - c[2], c[1])):
        tokens = range(start, end)
        if taken.isdisjoint(tokens):
            taken.update(tokens)
            kept[start] = (start, end, rule)
    return [kept[start] for start in sorted(kept)]


def token_classes(
    lowers: Sequence[int], flags: Sequence[int], spaces: Sequence[int], table: Mapping[int, str]
) -> str:
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
        for i, kind in enumerate(classes):
            if kind == LINK and (i in (0, last) or spaces[i] or spaces[i - 1]):
                classes[i] = PUNCTUATION
    return "".join(classes)

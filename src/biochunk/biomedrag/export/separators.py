"""Text that BioMedRAG's scripts cannot take for one of their separators."""

import re
from collections.abc import Callable
from typing import NamedTuple


class Safe(NamedTuple):
    """A text that may be put in the files.

    text (str): It, without white space at its ends.
    replaced (tuple[str, ...]): Kinds of what was replaced, one entry an occurrence.
    """

    text: str
    replaced: tuple[str, ...] = ()


def _smaller(match: re.Match[str]) -> str:
    return match[0].lower()


# Kind, what the scripts would split at, and what stands there instead: the nearest that no script looks for. The order
# matters: what an earlier line leaves may be a later line's business, never the other way round.
_RULES: tuple[tuple[str, re.Pattern[str], str | Callable[[re.Match[str]], str]], ...] = (
    # Between candidates, and in `head|relation|tail`.
    ("|", re.compile(r"\|"), "¦"),
    # A line is one item.
    ("line break", re.compile(r"\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]"), " "),
    # The scorer's list of candidates is read up to the first one; definitions begin after it.
    ("tab", re.compile(r"\t"), " "),
    # Headings of the prompt.
    ("###", re.compile(r"#{3,}"), "#"),
    # Between a stored chunk and its relation; its first half would do so at the end of a chunk.
    ("--##--", re.compile(r"--##"), "--#"),
    ("Context:", re.compile(r"Context:"), _smaller),
    # Also without its colon: where examples are compared, the text is cut at the bare word.
    ("Response", re.compile(r"Response"), _smaller),
    ("Examples:", re.compile(r"Examples:"), _smaller),
    # Where a demonstration leaves room for the sentence.
    ("{}", re.compile(r"\{(?=\})"), "{ "),
    # Between a relation and its definition.
    ("four spaces", re.compile(r" {4,}"), "  "),
)
KINDS = tuple(kind for kind, _, _ in _RULES)
_ANY = re.compile("|".join(pattern.pattern for _, pattern, _ in _RULES))


def safe(text: str) -> Safe:
    """A sentence, head or tail as it may be written: spacing as it is, but for white space at the ends."""
    if not _ANY.search(text):
        return Safe(text.strip())
    replaced: list[str] = []
    for kind, pattern, instead in _RULES:
        text, count = pattern.subn(instead, text)
        replaced += [kind] * count
    return Safe(text.strip(), tuple(replaced))


def single_spaced(text: Safe) -> Safe:
    """A text with one space between words, as BioMedRAG writes its chunks."""
    return text._replace(text=" ".join(word for word in text.text.split(" ") if word))

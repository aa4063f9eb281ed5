"""Names that share a part: "COX-1 and -2", "alpha- and beta-blockers". Neither half can be read without the other."""

import re
from collections.abc import Iterator

HYPHENS = "-‐‑"

# Every repetition is bounded, which keeps the search linear in the text.
_AND = r"(?:,? (?:and|or|to|and/or) |, |/)"
_SHARED_FRONT = re.compile(
    rf"(?<!\S)[^\s,;]{{0,40}}[^\W\d_][-‐‑]?\d{{1,4}}\w{{0,3}}(?:{_AND}[-‐‑]\d{{1,4}}\w{{0,3}}\b){{1,6}}"
)
_SHARED_END = re.compile(
    rf"(?<![\w-])(?:[\w,'′()\[\]]{{1,30}}[-‐‑]{_AND}){{1,6}}[\w,'′()\[\]]{{1,30}}[-‐‑][^\W\d_][\w-]{{1,40}}"
)


def coordinated(text: str) -> Iterator[tuple[int, int]]:
    """Character ranges of coordinations whose members share their first or their last part.

    text (str): The text.
    """
    for pattern in (_SHARED_FRONT, _SHARED_END):
        for match in pattern.finditer(text):
            yield match.span()

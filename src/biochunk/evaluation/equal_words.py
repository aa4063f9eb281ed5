"""Chunkers that go by size alone, with their size set so that they make chunks of a wanted mean length.

Which of two chunkers finds more is only a question at the same mean number of words per chunk: longer chunks hold more.
Sizes are set on the texts alone.
"""

import math
import re
from collections.abc import Callable, Mapping

from ..biomedrag.items import Span
from ..biomedrag.visible import words
from ..chunking.windows import fixed_windows
from ..chunking.windows import strict_windows as exact_windows
from ..corpora.splits import in_part, sentence_key
from ..errors import BiochunkError
from .passages import Passage, passages

# A text to the places of its chunks.
Cut = Callable[[str], list[Span]]
# A size to a chunker.
MakeCut = Callable[[int], Cut]

# How far the mean may be from the wanted one, as a share of it.
TOLERANCE = 0.03
# Halvings of the interval in which the size is sought.
_STEPS = 24

# BioMedRAG cuts at spaces only.
_SPACE_WORDS = re.compile(r"[^ ]+")


class NotComparableError(BiochunkError):
    """No size of a chunker gives chunks of the wanted mean words."""


def even_windows(size: int) -> Cut:
    """BioMedRAG's rule: near-equal pieces of `size` to 2 * size - 1 words; see `chunking.windows.fixed_windows`."""
    return lambda text: fixed_windows(_space_words(text), size)


def strict_windows(size: int) -> Cut:
    """Exactly `size` words each, the last one what remains."""
    return lambda text: exact_windows(_space_words(text), size)


# By the name of the arm that cuts so.
FIXED: Mapping[str, MakeCut] = {"fixed": even_windows, "fixed_strict": strict_windows}


def at_mean_words(
    texts: Mapping[str, str], make: MakeCut, mean: float, *, name: str, tolerance: float = TOLERANCE
) -> list[Passage]:
    """The chunks of a chunker whose size is set so that they have `mean` words on average.

    A mean between those of two sizes is met by cutting a share of the sentences by the larger size; which ones is a
    matter of their hash. The size is found by halving, from the texts alone.

    texts (Mapping[str, str]): Sentences by id.
    make (MakeCut): Makes the chunker of a size from 1.
    mean (float): Wanted words per chunk.
    name (str): What the chunker is called in an error.
    tolerance (float): How far the mean may be off, as a share of it.
    RETURNS (list[Passage]): In the order of texts.
    RAISES (NotComparableError): When no size comes so near, as for chunks longer than the sentences.
    """
    keys = {key: sentence_key(text) for key, text in texts.items()}
    cuts: dict[int, Cut] = {}
    made: dict[tuple[str, int], list[Passage]] = {}

    def index(size: float) -> list[Passage]:
        found = []
        whole = math.floor(size)
        for key, text in texts.items():
            own = whole + in_part(keys[key], size - whole)
            if (key, own) not in made:
                cut = cuts.setdefault(own, make(own))
                made[key, own] = passages(key, text, cut(text))
            found += made[key, own]
        return found

    # Sizes may be words or characters.
    low, high = 1.0, float(max((len(text) for text in texts.values()), default=1))
    best: list[Passage] = []
    gap = math.inf
    for _ in range(_STEPS):
        size = (low + high) / 2
        tried = index(size)
        got = _mean_words(tried)
        if abs(got - mean) < gap:
            best, gap = tried, abs(got - mean)
        if got < mean:
            low = size
        else:
            high = size
    if gap > tolerance * mean:
        raise NotComparableError(
            f"{name}: found {_mean_words(best):.2f} words per chunk at the nearest size, expected {mean:.2f} within "
            f"{tolerance:.0%}; choose a mean that its chunks of these sentences can have"
        )
    return best


def _mean_words(index: list[Passage]) -> float:
    return sum(words(passage.text) for passage in index) / max(len(index), 1)


def _space_words(text: str) -> list[Span]:
    return [match.span() for match in _SPACE_WORDS.finditer(text)]

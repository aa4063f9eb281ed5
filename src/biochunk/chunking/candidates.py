"""The pool of windows that a sentence's chunks are selected from (paper §3.9)."""

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from .windows import Borders, Window, entity_windows, fixed_windows, strict_windows, trigger_windows

# "pair" stands for all that `granularity.plan` makes of a sentence.
Source = Literal["pair", "proposition", "trigger", "entity", "fixed", "fixed_strict", "sentence"]
# Sources that take the text as BioMedRAG cuts it.
FIXED = {"fixed": fixed_windows, "fixed_strict": strict_windows}

# What a token may be at the edge of a window: a word, a sign to cut at either edge or at one only, or white space.
WORD, EITHER, AT_START, AT_END, BLANK = range(5)
EDGE_SIGNS = {EITHER: (".", ",", ";", ":", "?", "!"), AT_START: (")", "]", "}"), AT_END: ("(", "[", "{")}


def pool(made: Iterable[tuple[int, Iterable[Window]]], edges: Sequence[int], shortest: int) -> dict[Window, int]:
    """Candidates of a sentence: each range once, without white space or stray punctuation at its edges.

    Windows that differ by a full stop would otherwise fill both slots with the same words.

    made (Iterable[tuple[int, Iterable[Window]]]): What made windows, as a number of the caller's, and the windows; in
        order of preference: a range keeps the number that it came with first.
    edges (Sequence[int]): For each token of the Doc WORD, EITHER, AT_START, AT_END or BLANK.
    shortest (int): Punctuation stays where fewer tokens would remain.
    RETURNS (dict[Window, int]): Range to number, in the order given.
    """
    unique: dict[Window, int] = {}
    for number, windows in made:
        for window in windows:
            if edges[window[0]] or edges[window[1] - 1]:
                window = _trimmed(*window, edges, shortest)
                if window[0] == window[1]:
                    continue
            if window not in unique:
                unique[window] = number
    return unique


def _trimmed(start: int, end: int, edges: Sequence[int], shortest: int) -> Window:
    while True:
        while start < end and edges[end - 1] == BLANK:
            end -= 1
        while start < end and edges[start] == BLANK:
            start += 1
        if end - start > shortest and edges[end - 1] in (EITHER, AT_END):
            end -= 1
        elif end - start > shortest and edges[start] in (EITHER, AT_START):
            start += 1
        else:
            return start, end


class Sizes(NamedTuple):
    """Sizes of windows; see `entity_windows`, `trigger_windows` and `fixed_windows`. All but the last are in tokens."""

    width: int
    stride: int
    min_tokens: int
    max_tokens: int
    window: int
    fixed_words: int


def windows_by_source(
    sources: Sequence[Source],
    borders: Borders,
    *,
    triggers: Sequence[Window],
    found: Iterable[tuple[int, int, int]],
    words: Sequence[Window],
    sizes: Sizes,
) -> list[tuple[int, Sequence[Window]]]:
    """Windows of one sentence, none cutting an entity, for `pool`.

    sources (Sequence[Source]): What makes windows; the number of a window is its source's index.
    borders (Borders): Bounds and entities of the sentence.
    triggers (Sequence[Window]): Its triggers.
    found (Iterable[tuple[int, int, int]]): Start, end and number of each proposition or planned piece; they come first.
    words (Sequence[Window]): Its words as BioMedRAG splits them.
    sizes (Sizes): Sizes of windows.
    """
    made: list[tuple[int, Sequence[Window]]] = [(number, ((start, end),)) for start, end, number in found]
    for number, source in enumerate(sources):
        if source == "trigger":
            made.append((number, trigger_windows(triggers, borders, sizes.window)))
        elif source == "entity":
            made.append(
                (
                    number,
                    entity_windows(
                        borders,
                        width=sizes.width,
                        stride=sizes.stride,
                        min_tokens=sizes.min_tokens,
                        max_tokens=sizes.max_tokens,
                    ),
                )
            )
        elif source == "sentence":
            made.append((number, [(borders.start, borders.end)]))
        elif source in FIXED:
            snapped = map(borders.snap, FIXED[source](words, sizes.fixed_words))
            made.append((number, [window for window in snapped if window is not None]))
    return made

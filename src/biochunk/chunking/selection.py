"""Which candidates become the chunks of a sentence (paper §3.9)."""

from collections.abc import Callable, Iterable, Sequence
from typing import Literal

from .windows import Window

Source = Literal["proposition", "trigger", "entity", "fixed", "fixed_strict", "sentence"]
Ranking = Literal["cosine_bias", "cosine", "mix"]


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


def select_cosine(order: Sequence[int], priorities: Sequence[float], top_k: int, top_n: int) -> list[int]:
    """The `top_k` most similar candidates.

    order (Sequence[int]): Candidates from the most similar to the least, as indices.
    priorities (Sequence[float]): Priority of each candidate by index; 0 for one that is no proposition.
    """
    return list(order[:top_k])


def select_cosine_bias(order: Sequence[int], priorities: Sequence[float], top_k: int, top_n: int) -> list[int]:
    """Paper §3.9: slot 1 is the most similar candidate; slot 2 the proposition of highest priority among the `top_n`
    most similar, else the second most similar; further slots follow similarity.

    order, priorities: As for `select_cosine`.
    """
    chosen = list(order[: top_k + 1])
    best = 0
    if top_k > 1:
        for i in range(1, min(top_n, len(order))):
            if priorities[order[i]] > (priorities[order[best]] if best else 0.0):
                best = i
    if best > 1:
        chosen = [i for i in chosen if i != order[best]]
        chosen.insert(1, order[best])
    return chosen[:top_k]


SELECTORS: dict[str, Callable[[Sequence[int], Sequence[float], int, int], list[int]]] = {
    "cosine": select_cosine,
    "cosine_bias": select_cosine_bias,
    "mix": select_cosine,
}

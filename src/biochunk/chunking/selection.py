"""Which candidates become the chunks of a sentence (paper §3.9)."""

from collections.abc import Callable, Iterable, Sequence
from typing import Literal

from .windows import Window

Ranking = Literal["cosine_bias", "cosine", "mix", "adaptive"]


def select_cosine(
    order: Sequence[int], preferences: Sequence[float], windows: Sequence[Window], top_k: int, top_n: int
) -> list[int]:
    """The `top_k` most similar candidates.

    order (Sequence[int]): Candidates from the most similar to the least, as indices.
    preferences (Sequence[float]): Of each candidate by index: the priority of a proposition, or how much a planned
        piece is wanted; 0 for any other.
    windows (Sequence[Window]): Token bounds of each candidate.
    top_k (int): How many are chosen.
    top_n (int): How many of the most similar candidates slot 2 looks at.
    """
    return list(order[:top_k])


def select_cosine_bias(
    order: Sequence[int], preferences: Sequence[float], windows: Sequence[Window], top_k: int, top_n: int
) -> list[int]:
    """Paper §3.9: slot 1 is the most similar candidate; slot 2 the proposition of highest priority among the `top_n`
    most similar, else the second most similar.

    The paper stops at two. Further slots go on in its spirit: propositions by priority, then what is similar; a
    candidate whose words all stand in chunks already chosen waits until nothing else is left.

    order, preferences, windows, top_k, top_n: As for `select_cosine`.
    """
    chosen = list(order[:2])
    best = 0
    for i in range(1, min(top_n, len(order))):
        if preferences[order[i]] > (preferences[order[best]] if best else 0.0):
            best = i
    if best > 1:
        chosen[1] = order[best]
    if top_k <= 2 or len(order) <= 2:
        return chosen[:top_k]
    rest = [i for i in order if i not in chosen]
    return chosen + new_words_first(_preferred(rest, preferences), windows, top_k - 2, taken=chosen)


def select_adaptive(
    order: Sequence[int], preferences: Sequence[float], windows: Sequence[Window], top_k: int, top_n: int
) -> list[int]:
    """Planned pieces, the most wanted first, then what is similar; a candidate whose words all stand in chunks already
    chosen waits until nothing else is left.

    order, preferences, windows, top_k, top_n: As for `select_cosine`.
    """
    return new_words_first(_preferred(order, preferences), windows, top_k)


def new_words_first(
    order: Iterable[int], windows: Sequence[Window], top_k: int, *, taken: Sequence[int] = ()
) -> list[int]:
    """The first `top_k` of an order, but those last that bring no word which the ones before them lack.

    order (Iterable[int]): Indices of candidates.
    windows (Sequence[Window]): Token bounds of each candidate.
    taken (Sequence[int]): Candidates that are chosen already.
    """
    # Sets of tokens as the bits of one number each, counted from the first token of any window.
    first = min((start for start, _ in windows), default=0)
    covered = 0
    for i in taken:
        covered |= (1 << windows[i][1] - first) - (1 << windows[i][0] - first)
    chosen: list[int] = []
    waiting: list[int] = []
    for i in order:
        if len(chosen) == top_k:
            break
        tokens = (1 << windows[i][1] - first) - (1 << windows[i][0] - first)
        if tokens & ~covered:
            covered |= tokens
            chosen.append(i)
        else:
            waiting.append(i)
    return (chosen + waiting)[:top_k]


def _preferred(order: Sequence[int], preferences: Sequence[float]) -> list[int]:
    return sorted(order, key=lambda i: -preferences[i])


SELECTORS: dict[str, Callable[[Sequence[int], Sequence[float], Sequence[Window], int, int], list[int]]] = {
    "cosine": select_cosine,
    "cosine_bias": select_cosine_bias,
    "mix": select_cosine,
    "adaptive": select_adaptive,
}

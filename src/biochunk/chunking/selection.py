"""Which candidates become the chunks of a sentence (paper §3.9)."""

from collections.abc import Callable, Sequence
from typing import Literal

Ranking = Literal["cosine_bias", "cosine", "mix"]


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

"""Which candidates become the chunks of a sentence (paper §3.9)."""

from collections.abc import Callable, Iterable, Sequence
from typing import Literal, NamedTuple

from .windows import Window

Source = Literal["proposition", "trigger", "entity", "fixed", "fixed_strict", "sentence"]
Ranking = Literal["cosine_bias", "cosine", "mix"]


class Candidate(NamedTuple):
    """A window that may become a chunk.

    start, end (int): Token range.
    source (Source): What made it.
    priority (float | None): Priority of the proposition, where the source is one.
    proposition (str | None): Span id of that proposition.
    """

    start: int
    end: int
    source: Source
    priority: float | None = None
    proposition: str | None = None


def pool(candidates: Iterable[Candidate], blank: Sequence[bool]) -> list[Candidate]:
    """Candidates without white space at their edges, each range once: the first one, or the highest priority.

    candidates (Iterable[Candidate]): In order of preference.
    blank (Sequence[bool]): For each token of the Doc, whether it is white space.
    """
    unique: dict[Window, Candidate] = {}
    for candidate in candidates:
        start, end = candidate.start, candidate.end
        if blank[start] or blank[end - 1]:
            while start < end and blank[start]:
                start += 1
            while start < end and blank[end - 1]:
                end -= 1
            if start == end:
                continue
            candidate = candidate._replace(start=start, end=end)
        other = unique.get((start, end))
        if other is None or (candidate.priority or 0.0) > (other.priority or 0.0):
            unique[start, end] = candidate
    return list(unique.values())


def by_score(scores: Sequence[float]) -> list[int]:
    """Indices from the highest score to the lowest; equal scores keep their order."""
    return sorted(range(len(scores)), key=lambda i: -scores[i])


def select_cosine(candidates: Sequence[Candidate], scores: Sequence[float], top_k: int, top_n: int) -> list[int]:
    """The `top_k` most similar candidates."""
    return by_score(scores)[:top_k]


def select_cosine_bias(
    candidates: Sequence[Candidate], scores: Sequence[float], top_k: int, top_n: int
) -> list[int]:
    """Paper §3.9: slot 1 is the most similar candidate; slot 2 the proposition of highest priority among the `top_n`
    most similar, else the second most similar; further slots follow similarity.
    """
    order = by_score(scores)
    best = None
    for i in order[1:top_n]:
        value = candidates[i].priority
        if value is not None and (best is None or value > candidates[best].priority):  # type: ignore[operator]
            best = i
    if best is not None and top_k > 1:
        order.remove(best)
        order.insert(1, best)
    return order[:top_k]


def mixed_scores(candidates: Sequence[Candidate], scores: Sequence[float], share: float, highest: float) -> list[float]:
    """The paper's 70/30 variant: cosine and structure joined.

    share (float): Share of the cosine, 0.7 in the paper; the rest is priority over the highest possible one, 0 for a
        candidate that is no proposition.
    highest (float): Highest priority that the hierarchy can give.
    """
    scale = (1 - share) / highest if highest else 0.0
    return [share * score + scale * (c.priority or 0.0) for c, score in zip(candidates, scores, strict=True)]


SELECTORS: dict[str, Callable[[Sequence[Candidate], Sequence[float], int, int], list[int]]] = {
    "cosine": select_cosine,
    "cosine_bias": select_cosine_bias,
    "mix": select_cosine,
}

"""Mentions of several sources joined to one list."""

from collections.abc import Sequence
from typing import Literal

from .mentions import Range

# Which of overlapping mentions stay; see `join`.
Policy = Literal["nested", "fill", "first", "longest"]


def join(layers: Sequence[Sequence[Range]], policy: Policy, words: Sequence[bool]) -> list[tuple[int, int, int, int]]:
    """Join the mentions of several sources. No two of the result overlap, but with "nested" one may lie inside another.

    "nested": in the order of the sources, the longest of a source first, a mention stays unless it lies inside one of
    an earlier source, crosses one that stays (each has a part that the other lacks), or would be the third one inside
    another. What one source takes for "insulin" and a later one for "serum insulin" is both, a mention with two
    boundaries; the later one may widen what the earlier one found, not narrow it.
    "longest": the longest stays; of equally long ones that of the earlier source, then the one that stands first.
    "first": the earlier source wins, whatever the length; within a source the longest, then the one that stands first.
    "fill": as "first", and what earlier sources leave free of a mention stays too, in as many parts as they cut it,
    without signs at the edges: no word that some source takes for part of a mention is lost.

    layers (Sequence): One list of token ranges a source, the first source first.
    policy (str): "nested", "longest", "first" or "fill".
    words (Sequence[bool]): For each token of the text, whether it has a letter or digit.
    RETURNS (list): (first token, token after the last, source, index in that source's list), in text order.
    """
    if policy == "nested":
        return sorted(_nested(sorted(_all(layers), key=_by_source)))
    taken = bytearray(len(words))
    kept: list[tuple[int, int, int, int]] = []
    for start, end, layer, index in sorted(_all(layers), key=_ORDERS[policy]):
        if policy == "fill":
            parts = _free(taken, words, start, end)
        else:
            parts = [(start, end)] if start < end and 1 not in taken[start:end] else []
        for first, last in parts:
            taken[first:last] = b"\1" * (last - first)
            kept.append((first, last, layer, index))
    return sorted(kept)


def _all(layers: Sequence[Sequence[Range]]) -> list[tuple[int, int, int, int]]:
    return [(*span, layer, index) for layer, spans in enumerate(layers) for index, span in enumerate(spans)]


def _by_length(mention: tuple[int, int, int, int]) -> tuple[int, ...]:
    start, end, layer, _ = mention
    return start - end, layer, start


def _by_source(mention: tuple[int, int, int, int]) -> tuple[int, ...]:
    start, end, layer, _ = mention
    return layer, start - end, start


_ORDERS = {"longest": _by_length, "first": _by_source, "fill": _by_source}


def _free(taken: Sequence[int], words: Sequence[bool], start: int, end: int) -> list[Range]:
    """The parts of a range that are free, each from a word to a word; a range that is all free stays as it is."""
    if not any(taken[start:end]):
        return [(start, end)] if start < end else []
    parts = []
    while start < end:
        if taken[start] or not words[start]:
            start += 1
            continue
        stop = start
        while stop < end and not taken[stop]:
            stop += 1
        last = max(i for i in range(start, stop) if words[i]) + 1
        parts.append((start, last))
        start = stop
    return parts


def _nested(mentions: Sequence[tuple[int, int, int, int]]) -> list[tuple[int, int, int, int]]:
    kept: list[tuple[int, int, int, int]] = []
    outer: set[Range] = set()
    inner: set[Range] = set()
    for mention in mentions:
        start, end, layer, _ = mention
        around, within = [], []
        for low, high, other, _ in kept:
            if low >= end or start >= high:
                continue
            if low <= start and end <= high:
                if other < layer:
                    break
                around.append((low, high))
            if start <= low and high <= end:
                within.append((low, high))
            if (low, high) not in around and (low, high) not in within:
                break
        else:
            if start == end or (around and within) or not outer.isdisjoint(within) or not inner.isdisjoint(around):
                continue
            if len(around) > 1:
                continue
            kept.append(mention)
            outer.update(around or ([(start, end)] if within else []))
            inner.update(within or ([(start, end)] if around else []))
    return kept

"""Which pairs of candidate spans are annotated: pairs of a text's best candidates and their features."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ....ty import FloatArray, IntArray
from ...items import Example, Span
from .hashed import Hashes, mixed, number
from .spans import Spans, Tokens

# Candidates of a text that make pairs.
_BEST = 6


@dataclass(frozen=True, slots=True)
class Pairs:
    """Pairs of all texts.

    texts (IntArray): Shape (n,): the text of each, ascending.
    first, second (IntArray): Shape (n,): candidates, in text order.
    features (Hashes): Shape (n, f).
    numbers (FloatArray): Shape (n, m).
    """

    texts: IntArray
    first: IntArray
    second: IntArray
    features: Hashes
    numbers: FloatArray


def read_pairs(examples: Sequence[Example], tokens: Tokens, spans: Spans, scores: FloatArray) -> Pairs:
    """The pairs of every text's best candidates.

    scores (FloatArray): Shape (candidates,): how likely each is a mention of a triple.
    """
    kept, ranks = _best(spans.texts, scores)
    first, second = _combined(spans.texts[kept])
    one, two = kept[first], kept[second]
    features = _features(tokens, spans, scores, ranks, one, two, _linked(examples, spans, kept, one, two))
    pair = np.stack([scores[one], scores[two]], axis=1) / 2
    return Pairs(spans.texts[one], one, two, features, np.hstack([pair, pair.min(axis=1, keepdims=True)]))


def _best(texts: Hashes, scores: FloatArray) -> tuple[IntArray, IntArray]:
    """Candidates that are among the best of their text, ascending, and the rank of every candidate in its text."""
    order = np.lexsort((np.arange(len(texts)), -scores, texts))
    begins = np.searchsorted(texts, texts)
    ranks = np.empty(len(texts), dtype=np.intp)
    ranks[order] = np.arange(len(texts)) - begins
    return np.flatnonzero(ranks < _BEST), ranks


def _combined(texts: Hashes) -> tuple[IntArray, IntArray]:
    """All pairs of items of one text, by number of the item; the texts ascend."""
    _, begins, counts = np.unique(texts, return_index=True, return_counts=True)
    firsts, seconds = [], []
    for count in np.unique(counts).tolist():
        low, high = np.triu_indices(count, 1)
        offsets = begins[counts == count][:, None]
        firsts.append((offsets + low).ravel())
        seconds.append((offsets + high).ravel())
    first = np.concatenate([np.zeros(0, dtype=np.intp), *firsts])
    second = np.concatenate([np.zeros(0, dtype=np.intp), *seconds])
    order = np.lexsort((second, first))
    return first[order], second[order]


def _linked(
    examples: Sequence[Example], spans: Spans, kept: IntArray, one: IntArray, two: IntArray
) -> tuple[Hashes, Hashes]:
    """What propositions say of pairs: a number for their direction and whether they were kept, and the relation of the
    last such; 0 where none joins the two.
    """
    by_text: dict[int, list[tuple[int, Span]]] = {}
    for candidate in kept.tolist():
        start, end = spans.places[candidate].tolist()
        by_text.setdefault(int(spans.texts[candidate]), []).append((candidate, (start, end)))
    found: dict[tuple[int, int], tuple[int, int]] = {}
    for text, candidates in by_text.items():
        for statement in examples[text].statements:
            heads = [number for number, place in candidates if _touch(place, statement.subject)]
            tails = [number for number, place in candidates if _touch(place, statement.object)]
            for head in heads:
                for tail in tails:
                    pair = min(head, tail), max(head, tail)
                    bits = (1 + 2 * statement.kept) << (2 * (head > tail))
                    found[pair] = found.get(pair, (0, 0))[0] | bits, number(statement.relation)
    none = (0, 0)
    table = [found.get(pair, none) for pair in zip(one.tolist(), two.tolist(), strict=True)]
    array = np.array(table, dtype=np.int64).reshape(-1, 2)
    return array[:, 0], array[:, 1]


def _touch(one: Span, other: Span) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def _features(
    tokens: Tokens,
    spans: Spans,
    scores: FloatArray,
    ranks: IntArray,
    one: IntArray,
    two: IntArray,
    linked: tuple[Hashes, Hashes],
) -> Hashes:
    (first_one, last_one), (first_two, last_two) = spans.tokens[one].T, spans.tokens[two].T
    link, stated = linked
    gap = np.maximum(first_two - last_one, 0)
    apart = gap > 0
    distance = np.where(gap < 4, gap, np.minimum(4 + gap // 4, 10))
    opening = np.where(apart, tokens.words[last_one], 0)
    closing = np.where(apart, tokens.words[first_two - 1], 0)
    middle = np.where(gap == 3, tokens.words[np.minimum(last_one + 1, len(tokens.words) - 1)], 0)
    whole = np.where(gap <= 3, mixed(0, opening, middle, closing), 0)
    cues = np.where(apart, tokens.cues[first_two] - tokens.cues[last_one], 0)
    cue = np.where(cues > 0, tokens.relations[first_two - 1], 0)
    between = np.where(apart, np.minimum(tokens.mentions[first_two] - tokens.mentions[last_one], 4), 0)
    rounded = np.round(scores).clip(-6, 6).astype(np.int64)
    rank_one, rank_two = ranks[one], ranks[two]
    ends_one, ends_two = last_one - 1, last_two - 1
    before_one, after_one = tokens.words[first_one - 1], tokens.words[last_one]
    before_two, after_two = tokens.words[first_two - 1], tokens.words[last_two]
    string = np.array([number(string) for string in spans.strings], dtype=np.int64)
    # Columns of `spans`: characters beside a candidate.
    beside = spans.features[:, 8]
    values = [
        (distance,),
        ((spans.places[two, 0] < spans.places[one, 1]).astype(np.int64),),
        (link,),
        (link, stated),
        (np.minimum(cues, 3),),
        (cue,),
        (between,),
        (whole,),
        (opening,),
        (closing,),
        (np.minimum(rank_one, rank_two), np.maximum(rank_one, rank_two)),
        (rounded[one], rounded[two]),
        (rounded[one],),
        (rounded[two],),
        ((string[one] == string[two]).astype(np.int64),),
        (tokens.words[ends_one], tokens.words[ends_two]),
        (tokens.ends3[ends_one], tokens.ends3[ends_two]),
        (tokens.ends4[ends_one], tokens.ends4[ends_two]),
        (distance, between),
        (after_one, before_two),
        (before_one, after_two),
        (before_one, after_one),
        (before_two, after_two),
        (cue, between),
        (opening, closing),
        (cue, opening, closing),
        (cue, tokens.ends4[ends_one], tokens.ends4[ends_two]),
        (link, between),
        (beside[one], beside[two]),
        (beside[one], string[one]),
        (beside[two], string[two]),
        (distance, opening),
        (distance, closing),
    ]
    return np.stack([mixed(purpose, *value) for purpose, value in enumerate(values, 1)], axis=1)

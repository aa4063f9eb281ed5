"""Which spans of a text are mentions of a triple: candidates and their features, for the linear reader."""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...items import Example, Gold, Span
from ...metrics import folded
from .hashed import Hashes, mixed, number
from .text import Text

# Tokens of the longest known mention that is looked for.
_LONGEST = 6
# Where a candidate comes from.
_DETECTED, _INSIDE, _KNOWN = 0, 1, 2
# Tokens that stand before and after every text.
_MARGIN = 2

Counts = Mapping[str, int]
Known = Mapping[str, Set[str]]


@dataclass(frozen=True, slots=True)
class Tokens:
    """Tokens of all texts, one text after the other, as numbers.

    first (Hashes): Shape (texts,): the first token of each text.
    words, kinds, ends3, ends4 (Hashes): Shape (tokens,): words, their kinds (see `Text`), their last letters.
    cues (Hashes): Shape (tokens + 1,): how many triggers, but for weak ones, begin before a token.
    relations (Hashes): Shape (tokens,): relation of the last of these triggers that begins at or before a token.
    mentions (Hashes): Shape (tokens + 1,): how many detected entities begin before a token.
    """

    first: Hashes
    words: Hashes
    kinds: Hashes
    ends3: Hashes
    ends4: Hashes
    cues: Hashes
    relations: Hashes
    mentions: Hashes


@dataclass(frozen=True, slots=True)
class Spans:
    """Candidates of all texts, in text order.

    texts (Hashes): Shape (n,): the text of each.
    places (Hashes): Shape (n, 2): characters.
    tokens (Hashes): Shape (n, 2): tokens, counted as in `Tokens`.
    strings (list[str]): As they are compared in scoring.
    features (Hashes): Shape (n, f).
    """

    texts: Hashes
    places: Hashes
    tokens: Hashes
    strings: list[str]
    features: Hashes


def said_strings(gold: Sequence[Gold]) -> list[set[str]]:
    """The strings that are mentions of triples in each example, as they are compared in scoring."""
    return [{folded(m.text) for triple in one.triples for m in (triple.head, triple.tail)} for one in gold]


def read_tokens(examples: Sequence[Example], texts: Sequence[Text]) -> Tokens:
    """The tokens of texts."""
    start, end = ["", "<"], [">", ""]
    words = [word for text in texts for word in (*start, *text.words, *end)]
    kinds = [kind for text in texts for kind in (*start, *text.kinds, *end)]
    lengths = np.array([len(text.words) + 2 * _MARGIN for text in texts], dtype=np.int64)
    first = np.cumsum(lengths) - lengths + _MARGIN
    cues = np.zeros(len(words) + 1, dtype=np.int64)
    relations = np.zeros(len(words), dtype=np.int64)
    mentions = np.zeros(len(words) + 1, dtype=np.int64)
    for begin, example, text in zip(first.tolist(), examples, texts, strict=True):
        for place, relation, tier in text.cues:
            if tier < 3:
                cues[begin + place[0] + 1] += 1
                relations[begin + place[0]] = number(relation)
        for mention in example.mentions:
            mentions[begin + text.tokens(mention)[0] + 1] += 1
    last = np.maximum.accumulate(np.where(relations != 0, np.arange(len(words)), 0))
    return Tokens(
        first=first,
        words=_numbers(words),
        kinds=_numbers(kinds),
        ends3=_numbers([word[-3:] for word in words]),
        ends4=_numbers([word[-4:] for word in words]),
        cues=np.cumsum(cues),
        relations=relations[last],
        mentions=np.cumsum(mentions),
    )


def read_spans(examples: Sequence[Example], texts: Sequence[Text], tokens: Tokens, known: Known) -> Spans:
    """The candidates of texts: detected entities, the runs of words inside them, and known mentions.

    known (Known): Strings that are looked for, by their first token.
    """
    found: list[tuple[int, int, int, int, int, int, int]] = []
    strings: list[str] = []
    edges: list[tuple[str, str]] = []
    for which, (example, text) in enumerate(zip(examples, texts, strict=True)):
        begin = int(tokens.first[which])
        for (start, end), source, whole in _candidates(example, text, known):
            first, last = text.tokens((start, end))
            place = 2 * (start > whole[0]) + (end < whole[1])
            found.append((which, start, end, begin + first, begin + last, 4 * source + place, len(text.words)))
            strings.append(folded(example.text[start:end]))
            edges.append((_shape(example.text[max(0, start - 3) : start]), _shape(example.text[end : end + 3])))
    table = np.array(found, dtype=np.int64).reshape(-1, 7)
    return Spans(
        texts=table[:, 0],
        places=table[:, 1:3],
        tokens=table[:, 3:5],
        strings=strings,
        features=_features(table, strings, edges, tokens),
    )


def known_features(strings: Sequence[str], said: Counts, seen: Counts, own: NDArray[np.bool_] | None = None) -> Hashes:
    """Features of how often a candidate's string is a mention of a triple in other texts.

    strings (Sequence[str]): Of the candidates.
    said, seen (Counts): In how many texts each string is such a mention, and in how many it is a candidate.
    own (NDArray | None): Which candidates `said` counts for their own text, where `seen` counts them all; None: neither
        counts the candidates' texts.
    """
    told = np.array([said.get(string, 0) for string in strings], dtype=np.int64)
    met = np.array([seen.get(string, 0) for string in strings], dtype=np.int64)
    if own is not None:
        told, met = told - own, met - 1
    often = np.minimum(np.ceil(np.log2(1 + told)), 5).astype(np.int64)
    share = np.where(met <= 0, -1, np.round(4 * (told + 0.3) / (met + 1))).astype(np.int64)
    return np.stack([mixed(30, often), mixed(31, share), mixed(32, often, share)], axis=1)


def _candidates(example: Example, text: Text, known: Known) -> list[tuple[Span, int, Span]]:
    """Candidates, where each comes from, and the detected entity that it stands in (else itself)."""
    found: dict[Span, tuple[int, Span]] = {}
    for mention in example.mentions:
        found.setdefault(mention, (_DETECTED, mention))
    for mention in example.mentions:
        first, last = text.tokens(mention)
        words = [i for i in range(first, last) if text.words[i][0].isalnum()]
        for i, start in enumerate(words):
            for end in words[i:]:
                span = max(mention[0], text.starts[start]), min(mention[1], text.ends[end])
                found.setdefault(span, (_INSIDE, mention))
    for start, word in enumerate(text.words):
        if strings := known.get(word):
            for end in range(start, min(start + _LONGEST, len(text.words))):
                span = text.starts[start], text.ends[end]
                if span not in found and folded(example.text[slice(*span)]) in strings:
                    found[span] = _KNOWN, span
    return [(span, *found[span]) for span in sorted(found)]


def _features(table: Hashes, strings: Sequence[str], edges: Sequence[tuple[str, str]], tokens: Tokens) -> Hashes:
    first, last, source, length = table[:, 3:].T
    # A text may end in white space that an entity holds; then there is no last token of its own.
    final = np.maximum(last - 1, first)
    string = _numbers(strings)
    left, right = _numbers([edge[0] for edge in edges]), _numbers([edge[1] for edge in edges])
    before, after = tokens.words[first - 1], tokens.words[last]
    kind_before, kind_after = tokens.kinds[first - 1], tokens.kinds[last]
    beside = mixed(0, left, right)
    words = np.minimum(last - first, 6)
    place = 10 * (first - tokens.first[table[:, 0]]) // np.maximum(length, 1)
    values = [
        (string,),
        (before,),
        (after,),
        (tokens.words[first - 2], before),
        (after, tokens.words[last + 1]),
        (before, after),
        (left,),
        (right,),
        (beside,),
        (beside, source),
        (tokens.words[final],),
        (tokens.words[first],),
        (tokens.ends3[final],),
        (tokens.ends4[final],),
        (kind_before,),
        (kind_after,),
        (kind_before, kind_after),
        (words, source),
        (place, np.minimum(length // 10, 6)),
        (source, before),
        (source, after),
    ]
    return np.stack([mixed(purpose, *value) for purpose, value in enumerate(values, 1)], axis=1)


def _shape(characters: str) -> str:
    """Characters beside a candidate, all letters and digits as one: tells padding and brackets."""
    return "".join("a" if c.isalnum() else " " if c.isspace() else c for c in characters)


def _numbers(strings: Sequence[str]) -> Hashes:
    return np.array([number(string) for string in strings], dtype=np.int64)

"""What an index of sentences holds: whole sentences, the chunks that the chain uses, or a cover of each sentence."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..biomedrag.items import Sentence, Span
from ..biomedrag.visible import words
from ..chunking.mentions import apart

# Two of the paper's windows of 8 (section 3.9). With each of 12, 14, 16 and 20 words hybrid is above fixed windows of
# the same mean length in recall@5 (static encoder, train slices of GM-CIHT and ChemProt).
JOINED_WORDS = 16
# What counts how much in a cover, beside a pair of neighbouring entities, which counts 1: a word, what a proposition
# adds to the pair that it joins, what a trigger in the passage adds to its pairs. Chosen on the same train slices.
_WORD_VALUE = 0.1
_STATED = 2.0
_TRIGGERED = 1.0

_WORDS = re.compile(r"\S+")


class Passage(NamedTuple):
    """A text of an index.

    sentence (str): Id of the sentence that it comes from.
    start, end (int): Its place there, in code points.
    text (str): The text.
    """

    sentence: str
    start: int
    end: int
    text: str


class IndexSize(NamedTuple):
    """How much an index holds. Words are cut at white space; a word that two passages hold counts twice.

    sentences, passages (int): How many.
    words_per_passage, words_per_sentence (float): Means; 0 for an empty index.
    """

    sentences: int
    passages: int
    words_per_passage: float
    words_per_sentence: float


def index_size(index: Sequence[Passage], sentences: int) -> IndexSize:
    """The size of an index over a number of sentences."""
    total = sum(words(passage.text) for passage in index)
    return IndexSize(sentences, len(index), total / len(index) if index else 0.0, total / max(sentences, 1))


def passages(key: str, text: str, spans: Iterable[Span]) -> list[Passage]:
    """The parts of a sentence as passages, each once, in the order given."""
    return [Passage(key, start, end, text[start:end]) for start, end in dict.fromkeys(spans)]


def selected_passages(sentence: Sentence, top_k: int) -> list[Passage]:
    """The chunks that the chain works with: the first `top_k` pieces."""
    return passages(sentence.id, sentence.text, [(piece.start, piece.end) for piece in sentence.pieces[:top_k]])


def covering_passages(sentence: Sentence, *, joined_words: int = JOINED_WORDS) -> list[Passage]:
    """A choice among an arm's pieces that indexes about as many words as the sentence has.

    A cut of a sentence into fixed windows indexes each of its words once. So that an index of overlapping pieces is
    no larger, pieces are taken one by one until their words reach the sentence's, the one first that brings the most
    per word: pairs of detected entities that no passage holds together yet, and words that no passage holds yet. A
    pair is worth less by the square root of its distance in entities, three times as much where a proposition joins
    it, and twice as much in a passage that holds a trigger. Two pieces that overlap or touch may stand as one passage,
    in which the words that they share count once. A passage of two entities or more begins and ends with an entity or
    a trigger: what stands outside is no evidence of how they relate. Nothing but what the arm found is looked at; an
    arm without entities has its words covered.

    sentence (Sentence): What an arm found. It should hold the whole pool of the arm (about 30 pieces), not only the
        first two, as there is nothing to choose from else.
    joined_words (int): Most words of two joined pieces; 0: none are joined.
    RETURNS (list[Passage]): In the order taken. Together they have as many words as the sentence, give or take half a
        piece; fewer where the pieces hold nothing more that is new.
    """
    offsets = [match.span() for match in _WORDS.finditer(sentence.text)]
    # Of a mention's two boundaries the wider one: together they are no pair.
    sentence = sentence._replace(mentions=tuple(apart(sentence.mentions)))
    candidates = _candidates(sentence, offsets, joined_words) if offsets else []
    if not candidates:
        return []
    ranges = [_word_range(span, offsets) for span in candidates]
    lengths = np.array([last - first for first, last in ranges], dtype=float)
    held_words = np.zeros((len(candidates), len(offsets)))
    for row, (first, last) in zip(held_words, ranges, strict=True):
        row[first:last] = 1.0
    held_pairs, pair_values = _pairs(candidates, sentence)
    evidence = 1.0 + _TRIGGERED * _hold_any(candidates, [(cue.start, cue.end) for cue in sentence.cues])
    word_values = np.full(len(offsets), _WORD_VALUE)
    left = float(len(offsets))
    taken: list[Span] = []
    while left > 0:
        gains = (evidence * (held_pairs @ pair_values) + held_words @ word_values) / lengths
        best = int(gains.argmax())
        # To stop is better where the last piece would go beyond the sentence's words by more than is missing now.
        if gains[best] <= 0 or (taken and lengths[best] > 2 * left):
            break
        taken.append(candidates[best])
        left -= lengths[best]
        pair_values[held_pairs[best] > 0] = 0.0
        word_values[held_words[best] > 0] = 0.0
    return passages(sentence.id, sentence.text, taken)


def _candidates(sentence: Sentence, offsets: Sequence[Span], joined_words: int) -> list[Span]:
    """Pieces by slot, then joined ones, all cut to their evidence; each range once, none without a word."""
    spans = list(dict.fromkeys((piece.start, piece.end) for piece in sentence.pieces))
    found = list(spans)
    for number, (start, end) in enumerate(spans):
        for low, high in spans[number + 1 :]:
            joined = min(start, low), max(end, high)
            between = sentence.text[min(end, high) : max(start, low)]
            first, last = _word_range(joined, offsets)
            if not between.strip() and last - first <= joined_words:
                found.append(joined)
    marks = sorted({*sentence.mentions, *((cue.start, cue.end) for cue in sentence.cues)})
    cut = [_cut_to_evidence(span, sentence.mentions, marks, offsets) for span in found]
    return [span for span in dict.fromkeys(cut) if _word_range(span, offsets)[0] < _word_range(span, offsets)[1]]


def _cut_to_evidence(span: Span, mentions: Sequence[Span], marks: Sequence[Span], offsets: Sequence[Span]) -> Span:
    """A range that holds two entities, from its first to its last entity or trigger, in whole words; else as it is."""
    start, end = span
    if sum(start <= low and high <= end for low, high in mentions) < 2:
        return span
    held = [(low, high) for low, high in marks if start <= low and high <= end]
    first, last = _word_range((held[0][0], max(high for _, high in held)), offsets)
    # Marks that are nothing but white space hold no word to cut to.
    return (max(start, offsets[first][0]), min(end, offsets[last - 1][1])) if first < last else span


def _word_range(span: Span, offsets: Sequence[Span]) -> tuple[int, int]:
    """The words that a range touches, as indices, end exclusive."""
    first = bisect_right(offsets, span[0], key=lambda word: word[1])
    last = bisect_left(offsets, span[1], key=lambda word: word[0])
    return first, max(first, last)


def _pairs(spans: Sequence[Span], sentence: Sentence) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Which spans hold which pairs of entities, shape (spans, pairs), and what each pair is worth, shape (pairs,)."""
    count = len(sentence.mentions)
    pairs = [(a, b) for a in range(count) for b in range(a + 1, count)]
    if not pairs:
        return np.zeros((len(spans), 0)), np.zeros(0)
    stated = _stated_pairs(sentence)
    first, second = np.array(pairs).T
    held = _holds(spans, sentence.mentions)
    worth = (1.0 + _STATED * np.array([pair in stated for pair in pairs])) / np.sqrt(second - first)
    return held[:, first] * held[:, second], worth


def _stated_pairs(sentence: Sentence) -> set[tuple[int, int]]:
    """Pairs of entities, as indices in text order, that are subject and object of a proposition, kept or not."""

    def touched(place: Span) -> list[int]:
        return [i for i, (low, high) in enumerate(sentence.mentions) if low < place[1] and place[0] < high]

    return {
        (min(a, b), max(a, b))
        for statement in sentence.statements
        for a in touched(statement.subject)
        for b in touched(statement.object)
    }


def _hold_any(spans: Sequence[Span], parts: Sequence[Span]) -> NDArray[np.float64]:
    """Whether spans hold some part, shape (spans,)."""
    return _holds(spans, parts).max(axis=1, initial=0.0)


def _holds(spans: Sequence[Span], parts: Sequence[Span]) -> NDArray[np.float64]:
    """Which spans hold which parts, shape (spans, parts)."""
    held = [[start <= low and high <= end for low, high in parts] for start, end in spans]
    return np.array(held, dtype=np.float64).reshape(len(spans), len(parts))

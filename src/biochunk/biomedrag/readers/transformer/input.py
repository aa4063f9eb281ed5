"""A sentence as the transformer reader's encoder reads it: word pieces, marks, candidate spans."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ....errors import BiochunkError
from ....ty import IntArray
from ...items import Example, Mention, Span, Task

# Marks that stand between word pieces. A tokenizer throws white space away, but in some corpora a run of spaces or a
# space before a comma says where an annotated mention ends.
WIDE, NARROW, OPEN, CLOSE = 1, 2, 3, 4
MARKS = 5
# What a word piece is told of the detected mentions: nothing, begins one, stands inside one.
PLACES = 3
# What a candidate span is told: bit 1 a detected mention, bit 2 all that stands between two neighbouring marks.
DETECTED, SPACED = 1, 2
FLAGS = 4

_CLOSING = frozenset(",.;:!?%)]}-/+'\"")
_OPENING = frozenset("([{-/")
# No mention begins or ends with one of these, unless it was detected.
_STOPS = frozenset(",.;:!?")


@dataclass(frozen=True, slots=True)
class Limits:
    """How much is read.

    pieces (int): Word pieces and marks of the sentence.
    evidence (int): Word pieces of the evidence; 0: it is not read.
    positions (int): Most that the encoder takes in all.
    words (int): Words of the longest candidate span.
    """

    pieces: int
    evidence: int
    positions: int
    words: int = 1


@dataclass(frozen=True, slots=True)
class Item:
    """One example, encoded. n pieces, m spans.

    ids, marks, places, types (list[int]): One a position: word piece (any where a mark stands), mark (0: a word
        piece), place in a detected mention, segment (1: evidence).
    spans (IntArray): Shape (m, 2): first and last position of each candidate.
    flags (IntArray): Shape (m,): see `DETECTED`.
    widths (IntArray): Shape (m,): words of each candidate.
    chars (tuple[Span, ...]): Where each candidate stands in the text; (-1, -1) for a mention that is not in it.
    texts (tuple[str, ...]): The candidates as strings.
    pairs (tuple[tuple[int, int], ...]): Asked pairs as indices of candidates.
    cut, evidence_cut (bool): Whether something of the sentence, or of the evidence, did not fit.
    """

    ids: list[int]
    marks: list[int]
    places: list[int]
    types: list[int]
    spans: IntArray
    flags: IntArray
    widths: IntArray
    chars: tuple[Span, ...]
    texts: tuple[str, ...]
    pairs: tuple[tuple[int, int], ...]
    cut: bool
    evidence_cut: bool


class Pieces(NamedTuple):
    """A text's word pieces: ids, places in the text, and the word that each belongs to."""

    ids: list[int]
    offsets: list[Span]
    words: list[int]


def read_items(examples: Sequence[Example], tokenizer: Any, *, task: Task, limits: Limits) -> list[Item]:
    """Encode examples.

    examples (Sequence[Example]): The examples.
    tokenizer (Any): A fast tokenizer of `transformers`.
    task (str): See `Reader.fit`.
    limits (Limits): How much is read.
    RAISES (BiochunkError): If the marks of an example's asked mentions alone are more than the encoder takes.
    """
    texts = _tokenize([example.text for example in examples], tokenizer)
    return [_read(example, pieces, tokenizer, task, limits) for example, pieces in zip(examples, texts, strict=True)]


def gap_mark(text: str, start: int, end: int) -> int:
    """The mark for the white space between two word pieces; 0 where it is as in ordinary text.

    text (str): The text.
    start, end (int): The white space; it may be empty.
    """
    if start == end:
        return 0
    if end - start > 1 or start == 0 or end == len(text):
        return WIDE
    return NARROW if text[end] in _CLOSING or text[start - 1] in _OPENING else 0


def _tokenize(texts: Sequence[str], tokenizer: Any) -> list[Pieces]:
    if not texts:
        return []
    encoded = tokenizer(list(texts), add_special_tokens=False, return_offsets_mapping=True, verbose=False)
    return [
        Pieces(ids, [tuple(o) for o in offsets], encoded.word_ids(i))
        for i, (ids, offsets) in enumerate(zip(encoded["input_ids"], encoded["offset_mapping"], strict=True))
    ]


def _read(example: Example, pieces: Pieces, tokenizer: Any, task: Task, limits: Limits) -> Item:
    asked = list(dict.fromkeys(mention for pair in example.pairs for mention in pair))
    names = _tokenize([mention.text for mention in asked], tokenizer)
    room = limits.positions - 2 - sum(2 + len(name.ids) for name in names)
    if room < 1:
        raise BiochunkError(
            f"{example.id}: found {len(asked)} asked mentions, expected fewer: their marks alone are more than the "
            f"{limits.positions} positions of the encoder"
        )
    row = _Row(tokenizer)
    row.add(tokenizer.cls_token_id)
    shown, cut = _fitting(example.text, pieces, min(limits.pieces, room))
    seen = [_inside(mention, pieces, shown) for mention in asked]
    at = _add_text(row, example.text, pieces, shown, example.mentions, [span for span in seen if span])
    spans: list[tuple[int, int]] = []
    if task == "pairs":
        spans = _asked_spans(row, names, seen, at)
        found = [Candidate((m.start, m.end), m.text, 0, 1) for m in asked]
    else:
        found = candidates(example.text, pieces, shown, example.mentions, limits.words) if task == "triples" else []
        spans = [_positions(candidate.place, pieces, shown, at) for candidate in found]
    row.add(tokenizer.sep_token_id)
    evidence_cut = _add_evidence(row, example, tokenizer, min(limits.evidence, limits.positions - len(row.ids) - 1))
    index = {mention: i for i, mention in enumerate(asked)}
    return Item(
        ids=row.ids,
        marks=row.marks,
        places=row.places,
        types=row.types,
        spans=np.array(spans, dtype=np.intp).reshape(-1, 2),
        flags=np.array([c.flags for c in found], dtype=np.intp),
        widths=np.array([c.words for c in found], dtype=np.intp),
        chars=tuple(c.place for c in found),
        texts=tuple(c.text for c in found),
        pairs=tuple((index[first], index[second]) for first, second in example.pairs),
        cut=cut,
        evidence_cut=evidence_cut,
    )


class _Row:
    """The positions of one item, as they are written."""

    def __init__(self, tokenizer: Any) -> None:
        self.ids: list[int] = []
        self.marks: list[int] = []
        self.places: list[int] = []
        self.types: list[int] = []
        self._pad = tokenizer.pad_token_id or 0

    def add(self, piece: int, *, place: int = 0, segment: int = 0) -> int:
        self.ids.append(piece)
        self.marks.append(0)
        self.places.append(place)
        self.types.append(segment)
        return len(self.ids) - 1

    def mark(self, kind: int) -> int:
        position = self.add(self._pad)
        self.marks[position] = kind
        return position


def _gaps(text: str, pieces: Pieces) -> list[int]:
    """Marks before each word piece, and after the last."""
    bounds = [0, *(value for offset in pieces.offsets for value in offset), len(text)]
    return [gap_mark(text, start, end) for start, end in zip(bounds[::2], bounds[1::2], strict=True)]


def _fitting(text: str, pieces: Pieces, room: int) -> tuple[int, bool]:
    """How many word pieces fit with the marks before them, and whether that is not all."""
    used = 0
    for i, gap in enumerate(_gaps(text, pieces)[:-1]):
        used += 1 + (gap > 0)
        if used + 1 > room:
            return i, True
    return len(pieces.ids), False


def _inside(mention: Mention, pieces: Pieces, shown: int) -> tuple[int, int] | None:
    """First and last word piece of a mention; None where it is not in what is read."""
    return _covering((mention.start, mention.end), pieces, shown) if mention.visible else None


def _covering(place: Span, pieces: Pieces, shown: int) -> tuple[int, int] | None:
    """First and last of the word pieces that a range touches; None where one of them is not read."""
    first = bisect_right(pieces.offsets, place[0], key=_end)
    last = bisect_left(pieces.offsets, place[1], key=_start) - 1
    return (first, last) if first <= last < shown else None


def _start(place: Span) -> int:
    return place[0]


def _end(place: Span) -> int:
    return place[1]


def _add_text(
    row: _Row,
    text: str,
    pieces: Pieces,
    shown: int,
    mentions: Sequence[Span],
    asked: Sequence[tuple[int, int]],
) -> list[int]:
    """Write the sentence. RETURNS (list[int]): The position of each word piece."""
    places = [0] * shown
    for mention in mentions:
        if covered := _covering(mention, pieces, shown):
            for i in range(covered[0], covered[1] + 1):
                places[i] = 1 if i == covered[0] else places[i] or 2
    gaps = _gaps(text, pieces)
    at = []
    for i in range(shown):
        if gaps[i]:
            row.mark(gaps[i])
        for first, _ in asked:
            if first == i:
                row.mark(OPEN)
        at.append(row.add(pieces.ids[i], place=places[i]))
        for _, last in asked:
            if last == i:
                row.mark(CLOSE)
    if shown == len(pieces.ids) and gaps[-1]:
        row.mark(gaps[-1])
    return at


def _asked_spans(
    row: _Row, names: Sequence[Pieces], seen: Sequence[tuple[int, int] | None], at: Sequence[int]
) -> list[tuple[int, int]]:
    """Positions of the asked mentions. Those that the text does not hold are written after it."""
    spans = []
    for name, span in zip(names, seen, strict=True):
        if span:
            spans.append((at[span[0]], at[span[1]]))
            continue
        first = row.mark(OPEN)
        for piece in name.ids:
            row.add(piece)
        spans.append((first, row.mark(CLOSE)))
    return spans


def _positions(place: Span, pieces: Pieces, shown: int, at: Sequence[int]) -> tuple[int, int]:
    covered = _covering(place, pieces, shown)
    assert covered is not None, "candidates are made of what is read"
    return at[covered[0]], at[covered[1]]


def _add_evidence(row: _Row, example: Example, tokenizer: Any, room: int) -> bool:
    """Write as much of the evidence as there is room for, the best first. RETURNS (bool): Whether some was left."""
    if not example.evidence or room < 2:
        return bool(example.evidence)
    left = room
    told = [f"{e.relation.replace('_', ' ').lower()}: {' '.join(e.text.split())}" for e in example.evidence]
    for pieces in _tokenize(told, tokenizer):
        if left < 2:
            return True
        for piece in pieces.ids[: left - 1]:
            row.add(piece, segment=1)
        row.add(tokenizer.sep_token_id, segment=1)
        left -= len(pieces.ids) + 1
    return left < 0


class Candidate(NamedTuple):
    """A span that may be a mention: where it stands, its string, flags (see `DETECTED`) and number of words."""

    place: Span
    text: str
    flags: int
    words: int


def candidates(text: str, pieces: Pieces, shown: int, mentions: Sequence[Span], longest: int) -> list[Candidate]:
    """Spans that may be mentions: runs of up to `longest` words, detected mentions, what two marks enclose.

    text (str): The text.
    pieces (Pieces): Its word pieces.
    shown (int): How many of them are read.
    mentions (Sequence[Span]): Detected mentions.
    longest (int): Words.
    RETURNS (list[Candidate]): In text order, each place once.
    """
    words = _words(pieces, shown)
    runs = _runs(text, words, longest)
    flags = dict.fromkeys(runs, 0)
    for place in _spaced(text, pieces, shown):
        flags[place] = flags.get(place, 0) | SPACED
    for place in mentions:
        if _covering(place, pieces, shown):
            flags[place] = flags.get(place, 0) | DETECTED
    return [
        Candidate(place, text[place[0] : place[1]], flag, runs.get(place) or _touched(words, place))
        for place, flag in sorted(flags.items())
    ]


def _touched(words: Sequence[Span], place: Span) -> int:
    return sum(start < place[1] and place[0] < end for start, end in words)


def _words(pieces: Pieces, shown: int) -> list[Span]:
    """Where each word stands."""
    words: list[Span] = []
    for i in range(shown):
        start, end = pieces.offsets[i]
        if i and pieces.words[i] == pieces.words[i - 1]:
            words[-1] = (words[-1][0], end)
        else:
            words.append((start, end))
    return words


def _runs(text: str, words: Sequence[Span], longest: int) -> dict[Span, int]:
    """Runs of words that neither begin nor end with a stop, with their numbers of words."""
    stop = [text[start:end] in _STOPS for start, end in words]
    runs = {}
    for first in range(len(words)):
        if stop[first]:
            continue
        for last in range(first, min(first + longest, len(words))):
            if not stop[last]:
                runs[words[first][0], words[last][1]] = last - first + 1
    return runs


def _spaced(text: str, pieces: Pieces, shown: int) -> Iterator[Span]:
    """What stands between neighbouring marks, or between a mark and an end of the text, without stops at its ends."""
    gaps = _gaps(text, pieces)
    stop = [text[start:end] in _STOPS for start, end in pieces.offsets]
    first = 0
    for i in range(1, shown + 1):
        if gaps[i] or i == shown:
            inside = [j for j in range(first, i) if not stop[j]]
            if inside and (gaps[first] or gaps[i]):
                yield pieces.offsets[inside[0]][0], pieces.offsets[inside[-1]][1]
            first = i

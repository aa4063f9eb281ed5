"""Granularity by sentence and by entity pair: the chunks of the arm "adaptive".

Where many entities share a sentence, a window of fixed size cuts pairs apart or mixes them. Here every likely pair of
entities gets the shortest chunk that holds it and its trigger. How likely a pair is to be related is told by evidence
that can be seen in the sentence; how far the pairs of a sentence differ in it decides between isolating several pairs
and giving one pair its context.
"""

from bisect import bisect_left
from collections.abc import Hashable, Iterator, Sequence
from heapq import nsmallest
from math import exp
from typing import NamedTuple

from .windows import Borders, Window

# How a mention was found: by a rule that knows its shape or by a recogniser, inferred as a noun phrase, or marked.
NAMED, INFERRED, MARKED = range(3)

# Evidence is a sum of log-odds. A logistic regression of "these two mentions are annotated as related" gave them, on
# all pairs of train slices of GM-CIHT, DDI and ChemProt, published and clean, each with the same weight; rounded here.
# Fitted without a corpus they choose nearly the same pairs on it, so they are the same for every dataset.
_BASE = -2.6
_BOTH_MARKED, _ONE_MARKED, _NONE_MARKED = 2.4, -2.2, -4.3  # in a sentence with two marked mentions or more
_TRIGGER = 1.1  # between the two, or beside them
_STRONG_TRIGGER = 0.3  # of tier 1, between
_STATED, _KEPT, _PRIORITY = 0.3, 0.45, 0.1  # by a proposition; one that was kept; each point of its priority
_EACH_BETWEEN, _MOST_BETWEEN = -0.3, 5  # other entities between the two
_LISTED, _LISTED_UNDIRECTED = -1.1, 0.4  # "A, B and C": alternatives, or what a relation without direction joins
_SAME_NAME = -2.6
_INFERRED = -0.55  # each mention that is only inferred
_PLACE = -1.5  # a pair that begins at the sentence's end; less before that: sentences begin with what they are about

# Farther apart than a proposition reaches (paper §3.8), or with more mentions between, two mentions are no pair.
_SEARCH, _NEIGHBOURS = 25, 8
# Pieces of a sentence: with more, unlikely pairs crowd out windows.
_MOST_PAIRS = 4
# A pair stands out when its odds are this many log-units above the next one's.
_MARGIN = 1.0


class Mention(NamedTuple):
    """An entity mention.

    start, end (int): Tokens.
    name (Hashable): Its wording.
    kind (int): NAMED, INFERRED or MARKED.
    """

    start: int
    end: int
    name: Hashable
    kind: int


class Signal(NamedTuple):
    """A trigger.

    start, end (int): Tokens.
    tier (int): 1 to 3.
    directed (bool): Whether its relation has a direction.
    """

    start: int
    end: int
    tier: int
    directed: bool


class Stated(NamedTuple):
    """A proposition.

    start, end (int): Tokens of its whole span.
    pair (Window): First tokens of its two arguments, in text order.
    trigger (Window): Tokens of its trigger.
    kept (bool): Whether it won over the propositions that it competes with.
    priority (float): Its priority.
    number (int): The caller's number for it.
    """

    start: int
    end: int
    pair: Window
    trigger: Window
    kept: bool
    priority: float
    number: int


class Piece(NamedTuple):
    """A chunk to be.

    source (str): "pair", or "sentence" for a whole one.
    window (Window): Tokens.
    chance (float): Estimate that it holds a pair that an annotator would relate, from 0 to 1.
    reason (str): Why this granularity; "{trigger}" stands for the text at `trigger`.
    trigger (Window | None): Tokens of the trigger that the reason names.
    stated (int): Number of the proposition that joins the pair, or -1.
    """

    source: str
    window: Window
    chance: float
    reason: str
    trigger: Window | None = None
    stated: int = -1


class _Pair(NamedTuple):
    evidence: float
    first: int
    last: int
    trigger: int
    stated: Stated | None


def plan(
    borders: Borders,
    mentions: Sequence[Mention],
    signals: Sequence[Signal],
    stated: Sequence[Stated],
    listed: Sequence[bool],
    *,
    whole: int,
    reach: int,
) -> tuple[list[Piece], str]:
    """What a sentence is cut into beside windows, the most wanted first.

    A sentence of at most `whole` tokens stays whole. Of any sentence the likely pairs follow: those with a trigger
    between or beside them, or with both mentions marked. Where the likeliest stands out, its context comes next; where
    several compete, each stands by itself.

    borders (Borders): Bounds and entities of the sentence.
    mentions (Sequence[Mention]): Its entities in text order, not overlapping.
    signals (Sequence[Signal]): Its triggers in text order.
    stated (Sequence[Stated]): Its propositions.
    listed (Sequence[bool]): For each mention but the last whether only commas and conjunctions link it to the next.
    whole (int): Longest sentence that is one chunk, in tokens.
    reach (int): Tokens that a trigger beside a pair may be off, and that context adds on each side.
    RETURNS (tuple[list[Piece], str]): The pieces, and the reason of the windows that follow them.
    """
    found = nsmallest(_MOST_PAIRS, _pairs(borders, mentions, signals, stated, listed, reach))
    pairs = [_Pair(-negative, i, j, trigger, statement) for negative, i, j, trigger, statement in found]
    length = borders.end - borders.start
    best = _chance(pairs[0].evidence) if pairs else 0.0
    pieces = []
    if length <= whole:
        reason = f"sentence: {_count(mentions)} in {length} tokens"
        pieces.append(Piece("sentence", (borders.start, borders.end), best, reason))
    for rank, pair in enumerate(pairs):
        (start, end), trigger = _isolated(mentions, signals, pair, reach)
        chance = _chance(pair.evidence)
        number = pair.stated.number if pair.stated else -1
        reason = _reason(mentions, pair, trigger)
        pieces.append(Piece("pair", borders.whole((start, end)), chance, reason, trigger, number))
        if rank == 0 and length > whole and _stands_out(pairs):
            grown = borders.after(max(start - reach, borders.start)), borders.after(min(end + reach, borders.end))
            pieces.append(Piece("pair", grown, chance, "context: the likeliest pair stands out", None, number))
    if pairs:
        return pieces, "window: words beside the pairs"
    if len(mentions) < 2:
        return pieces, f"window: {_count(mentions)}"
    return pieces, "window: no pair near a trigger" if signals else "window: no trigger"


def _stands_out(pairs: Sequence[_Pair]) -> bool:
    """Whether the first pair is far likelier than the second, which no proposition that was kept joins either."""
    if len(pairs) == 1:
        return True
    first, second = pairs[:2]
    return first.evidence - second.evidence >= _MARGIN and not (second.stated and second.stated.kept)


def _count(mentions: Sequence[Mention]) -> str:
    return "1 entity" if len(mentions) == 1 else f"{len(mentions)} entities"


def _chance(evidence: float) -> float:
    return 1 / (1 + exp(-evidence - _BASE))


def _pairs(
    borders: Borders,
    mentions: Sequence[Mention],
    signals: Sequence[Signal],
    stated: Sequence[Stated],
    listed: Sequence[bool],
    reach: int,
) -> Iterator[tuple[float, int, int, int, Stated | None]]:
    """All pairs with a trigger or with both mentions marked: minus their evidence, so that the best are the smallest,
    the two mentions, the trigger and the proposition. Plain tuples, as there are dozens of them in a sentence.
    """
    if len(mentions) < 2:
        return
    length = borders.end - borders.start
    starts = [mention.start for mention in mentions]
    signal_starts = [signal.start for signal in signals]
    # The first mention that begins behind each signal; signals are in text order, so these are too.
    following = [bisect_left(starts, signal.end) for signal in signals]
    before, after = _beside(mentions, signals, reach)
    inferred = [_INFERRED if mention.kind == INFERRED else 0.0 for mention in mentions]
    marked = [mention.kind == MARKED for mention in mentions]
    # How many of the two are marked says something only where a pair could be.
    by_marks = (_NONE_MARKED, _ONE_MARKED, _BOTH_MARKED) if sum(marked) >= 2 else (0.0, 0.0, 0.0)
    statements = _best_by_pair(stated)
    for i, (start, end, name, _) in enumerate(mentions[:-1]):
        base = _PLACE * (start - borders.start) / length + inferred[i]
        k = bisect_left(signal_starts, end)
        between = -1
        in_list = True
        for j in range(i + 1, min(len(mentions), i + 1 + _NEIGHBOURS)):
            if starts[j] - end > _SEARCH:
                break
            in_list = in_list and listed[j - 1]
            while k < len(signals) and following[k] <= j:
                if between < 0 or signals[k].tier < signals[between].tier:
                    between = k
                k += 1
            trigger = between if between >= 0 else before[i] if before[i] >= 0 else after[j]
            marks = marked[i] + marked[j]
            if trigger < 0 and marks < 2:
                continue
            evidence = base + inferred[j] + by_marks[marks] + _EACH_BETWEEN * min(j - i - 1, _MOST_BETWEEN)
            if trigger >= 0:
                evidence += _TRIGGER
                if between >= 0 and signals[between].tier == 1:
                    evidence += _STRONG_TRIGGER
            if in_list:
                evidence += _LISTED if trigger < 0 or signals[trigger].directed else _LISTED_UNDIRECTED
            if name == mentions[j].name:
                evidence += _SAME_NAME
            statement = statements.get((start, starts[j]))
            if statement is not None:
                evidence += _STATED + _KEPT * statement.kept + _PRIORITY * statement.priority
            yield -evidence, i, j, trigger, statement


def _best_by_pair(stated: Sequence[Stated]) -> dict[Window, Stated]:
    best: dict[Window, Stated] = {}
    for statement in stated:
        other = best.get(statement.pair)
        if other is None or (statement.priority, statement.kept) > (other.priority, other.kept):
            best[statement.pair] = statement
    return best


def _beside(mentions: Sequence[Mention], signals: Sequence[Signal], reach: int) -> tuple[Sequence[int], Sequence[int]]:
    """For each mention the nearest signal at most `reach` tokens before it, and behind it; -1 where there is none."""
    before, after = [-1] * len(mentions), [-1] * len(mentions)
    for k, signal in enumerate(signals):
        for i, mention in enumerate(mentions):
            if 0 <= mention.start - signal.end <= reach:
                before[i] = k
            elif after[i] < 0 and 0 <= signal.start - mention.end <= reach:
                after[i] = k
    return before, after


def _isolated(
    mentions: Sequence[Mention], signals: Sequence[Signal], pair: _Pair, reach: int
) -> tuple[Window, Window | None]:
    """The shortest window with both mentions and a trigger, and that trigger: that of the proposition that joins them,
    with what negates or hedges it, where this is near; else the nearest one.
    """
    start, end = mentions[pair.first].start, mentions[pair.last].end
    statement = pair.stated
    if statement and start - reach <= statement.start and statement.end <= end + reach:
        return (min(start, statement.start), max(end, statement.end)), statement.trigger
    if pair.trigger < 0:
        return (start, end), None
    first, last, *_ = signals[pair.trigger]
    return (min(start, first), max(end, last)), (first, last)


def _reason(mentions: Sequence[Mention], pair: _Pair, trigger: Window | None) -> str:
    first, last = mentions[pair.first], mentions[pair.last]
    reason = f"pair: {_count(mentions)}"
    if first.kind == last.kind == MARKED:
        reason += ", both marked"
    if trigger is None:
        return f"{reason}, no trigger"
    place = "before" if trigger[0] < first.start else "after" if trigger[0] >= last.start else "between"
    return f"{reason}, trigger '{{trigger}}' {place}"

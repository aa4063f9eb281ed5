"""What a reader sees of a sentence: all of it, or the selected chunks alone."""

from collections.abc import Iterable, Sequence

from .items import Cue, Mention, Piece, Span, Statement

# Stands between chunks that are not neighbours, so that a reader cannot take them for one passage.
GAP = " … "


class Visible:
    """A text made of parts of a sentence, and where each part went.

    sentence (str): The sentence.
    ranges (Sequence[Span]): The visible parts; overlapping and touching ones are joined, and all stand in text order.
    """

    def __init__(self, sentence: str, ranges: Sequence[Span]) -> None:
        self.ranges = joined(ranges)
        self.text = GAP.join(sentence[start:end] for start, end in self.ranges)
        self._shifts: list[tuple[int, int, int]] = []
        at = 0
        for start, end in self.ranges:
            self._shifts.append((start, end, at - start))
            at += end - start + len(GAP)

    def place(self, start: int, end: int) -> Span | None:
        """Where a range of the sentence stands in `text`, or None where it is not wholly in one visible part."""
        for low, high, shift in self._shifts:
            if low <= start and end <= high:
                return start + shift, end + shift
        return None

    def mention(self, text: str, start: int, end: int) -> Mention:
        """A mention of the sentence as the reader sees it."""
        placed = self.place(start, end)
        return Mention(text, *placed) if placed else Mention(text, -1, -1)

    def mentions(self, spans: Iterable[Span]) -> tuple[Span, ...]:
        """The visible ones of some mentions."""
        return tuple(placed for span in spans if (placed := self.place(*span)))

    def cues(self, cues: Iterable[Cue]) -> tuple[Cue, ...]:
        """The visible ones of some triggers."""
        return tuple(Cue(*placed, cue.relation, cue.tier) for cue in cues if (placed := self.place(cue.start, cue.end)))

    def statements(self, statements: Iterable[Statement]) -> tuple[Statement, ...]:
        """The propositions of which subject, trigger and object are visible."""
        found = []
        for statement in statements:
            subject, trigger, object_ = (self.place(*span) for span in statement[:3])
            if subject and trigger and object_:
                found.append(statement._replace(subject=subject, trigger=trigger, object=object_))
        return tuple(found)


def joined(ranges: Iterable[Span]) -> list[Span]:
    """Ranges in text order, with overlapping and touching ones made one."""
    out: list[Span] = []
    for start, end in sorted(ranges):
        if out and start <= out[-1][1]:
            out[-1] = (out[-1][0], max(end, out[-1][1]))
        else:
            out.append((start, end))
    return out


def words(text: str) -> int:
    """Words of a text, cut at white space: the unit in which arms are compared."""
    return len(text.split())


def within_budget(sentence: str, pieces: Sequence[Piece], budget: int) -> list[Span]:
    """The pieces that a reader of evidence alone sees, at the same number of words in every arm.

    Pieces are taken in their order while words are left; words that two pieces share count once. The piece that
    would go beyond the budget is cut to the words that are left (a word is never cut), so that no arm gains from
    longer pieces: all show `budget` words where their pieces hold that many.

    sentence (str): The sentence.
    pieces (Sequence[Piece]): Selected chunks, the most wanted first.
    budget (int): Words.
    RETURNS (list[Span]): Disjoint ranges in text order.
    """
    taken: list[Span] = []
    left = budget
    for piece in pieces:
        if left <= 0:
            break
        for start, end in _without(piece.start, piece.end, taken):
            part = sentence[start:end]
            if words(part) > left:
                end = start + _length_of_words(part, left)
            left -= words(sentence[start:end])
            if start < end:
                taken = joined([*taken, (start, end)])
            if left <= 0:
                break
    return taken


def _without(start: int, end: int, taken: Sequence[Span]) -> list[Span]:
    """The parts of a range that no taken range covers."""
    parts = []
    for low, high in taken:
        if high <= start or end <= low:
            continue
        if start < low:
            parts.append((start, low))
        start = max(start, high)
    if start < end:
        parts.append((start, end))
    return parts


def _length_of_words(text: str, count: int) -> int:
    """Characters of a text up to the end of its `count`-th word."""
    at = 0
    for word in text.split()[:count]:
        at = text.index(word, at) + len(word)
    return at

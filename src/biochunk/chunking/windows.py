"""Windows over the tokens of one sentence (paper §3.9 and the BioMedRAG baseline).

A window is a pair (start, end) of token indices, end exclusive. All functions work in time linear in the sentence.
"""

from collections.abc import Iterable, Sequence

Window = tuple[int, int]


class Borders:
    """Where a window may begin and end without cutting an entity.

    entities (Iterable[Window]): Entities of the sentence, in any order; they may overlap or nest.
    start, end (int): Token bounds of the sentence.
    """

    __slots__ = ("_after", "_before", "end", "start")

    def __init__(self, entities: Iterable[Window], start: int, end: int) -> None:
        self.start, self.end = start, end
        # Only borders strictly inside an entity have an entry.
        self._before: dict[int, int] = {}
        self._after: dict[int, int] = {}
        # One token has no border inside, and nothing to add to a longer span that holds it.
        for first, last in merge_overlapping([span for span in entities if span[1] - span[0] > 1]):
            for border in range(max(first, start) + 1, min(last, end)):
                self._before[border] = first
                self._after[border] = last

    def before(self, border: int) -> int:
        """The border itself, or the start of the entity that it cuts."""
        return self._before.get(border, border)

    def after(self, border: int) -> int:
        """The border itself, or the end of the entity that it cuts."""
        return self._after.get(border, border)

    def whole(self, window: Window) -> Window:
        """Grow a window so that it holds every entity it touches."""
        start, end = window
        return self._before.get(start, start), self._after.get(end, end)

    def snap(self, window: Window) -> Window | None:
        """Paper §3.9: an end inside an entity moves to its end, a start inside one moves past it.

        RETURNS (Window | None): None when nothing is left, as for a window inside one entity.
        """
        start, end = self.after(window[0]), self.after(window[1])
        return (start, end) if start < end else None


def merge_overlapping(spans: Iterable[Window]) -> list[Window]:
    """Unite spans that share a token; spans that only touch stay apart."""
    merged: list[Window] = []
    for start, end in sorted(spans):
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def space_words(ends: Sequence[int], gaps: Sequence[int] | None) -> list[Window]:
    """Words as BioMedRAG's `text.split(" ")` sees them, empty ones dropped, as token windows.

    ends (Sequence[int]): Sorted borders at which a word ends: behind each token that a space follows, and the end of
        each sentence.
    gaps (Sequence[int] | None): For each token whether it consists of space characters (U+0020) only; such a token
        follows a space, so it can only stand first in a window. None if no token does.
    """
    words = []
    start = 0
    for end in ends:
        if gaps is not None and gaps[start]:
            start += 1
        if start < end:
            words.append((start, end))
        start = end
    return words


def fixed_windows(words: Sequence[Window], size: int = 5) -> list[Window]:
    """BioMedRAG's chunks: floor(n / size) near-equal pieces of n words, the longer ones first.

    This is what its released code does (`numpy.array_split`); pieces have size to 2 * size - 1 words. A sentence of
    fewer than 2 * size words stays whole.
    """
    pieces = max(len(words) // size, 1)
    length, longer = divmod(len(words), pieces)
    windows = []
    first = 0
    for i in range(pieces if words else 0):
        last = first + length + (i < longer)
        windows.append((words[first][0], words[last - 1][1]))
        first = last
    return windows


def strict_windows(words: Sequence[Window], size: int = 5) -> list[Window]:
    """The chunks that the paper's text describes: exactly `size` words each, the last one what remains."""
    return [(words[i][0], words[min(i + size, len(words)) - 1][1]) for i in range(0, len(words), size)]


def entity_windows(
    borders: Borders, *, width: int = 8, stride: int = 3, min_tokens: int = 5, max_tokens: int = 12
) -> list[Window]:
    """Sliding windows that cut no entity (paper §3.9).

    A window end inside an entity is extended to its end, a window start inside one moves past it. A window that is
    then longer than `max_tokens` gives up its last entities while it keeps `min_tokens`; one that is shorter than
    `min_tokens` grows to the right, then to the left. Only an entity of more than `max_tokens` tokens, or a sentence
    of fewer than `min_tokens`, leaves the bounds.

    borders (Borders): Sentence bounds and entities.
    width, stride (int): Tokens in a window before it is moved, tokens between window starts.
    """
    windows: list[Window] = []
    first, last = borders.start, borders.end
    before, after = borders.before, borders.after
    start = first
    left = right = -1
    while start < last:
        previous = left, right
        left, right = after(start), after(min(start + width, last))
        if right - left > max_tokens:
            shorter = before(left + max_tokens)
            if shorter - left >= min_tokens:
                right = shorter
        if right - left < min_tokens:
            right = after(min(left + min_tokens, last))
            if right - left < min_tokens:
                left = before(max(right - min_tokens, first))
        if left < right and (left, right) != previous:
            windows.append((left, right))
        if start + width >= last:
            break
        start += stride
    return windows


def trigger_windows(triggers: Iterable[Window], borders: Borders, reach: int = 4) -> list[Window]:
    """A window of `reach` tokens on each side of a trigger (paper §3.6), cut to the sentence, cutting no entity.

    The trigger itself always stays inside, so a border inside an entity that overlaps the trigger moves outwards.
    """
    windows = []
    for start, end in triggers:
        left = borders.after(max(start - reach, borders.start))
        if left > start:
            left = borders.before(start)
        windows.append((left, borders.after(min(end + reach, borders.end))))
    return windows

"""displaCy options that fit a picture to what it shows: heights of stacked spans, widths of long words."""

from collections.abc import Sequence
from typing import Any

# Pixels: from the top of the text to its first line, from one line to the next, and below the last one.
_TOP, _STEP, _BELOW = 32, 20, 16

# Pixels of a character of the arc picture's font (Arial 16), on average.
_CHARACTER = 8
_LEAST_DISTANCE = 120
_WORD_SPACING = 28

# What displaCy's templates do, with three changes: every word of a picture is as high as its deepest stack of
# spans, so that lines of a long sentence cannot run into each other; a label is not broken; and a word is as
# wide as the labels that begin at it (by a spacer without height), so that none covers its neighbour.
_SPAN = '<span class="span-word" style="height: %dpx">{span_starts}{text}{span_slices}</span> '
_SLICE = '<span class="span-line" style="background: {bg}; top: {top_offset}px">%s</span>'
_LABEL = '<span class="span-label" style="background: {bg}">{label}{kb_link}</span>'
_SPACER = '<span class="span-spacer" aria-hidden="true">{label}{kb_link}</span>'


def span_options(data: dict[str, Any]) -> dict[str, Any]:
    """Options for displaCy's `SpanRenderer`; the style sheet of the page places the labels.

    data (dict): What `spans_data` returned.
    """
    ranges = [(span["start_token"], span["end_token"], span["label"]) for span in data["spans"]]
    height = _TOP + _STEP * max(_slots(ranges), default=0) + _BELOW
    return {
        "top_offset": _TOP,
        "top_offset_step": _STEP,
        "template": {"span": _SPAN % height, "slice": _SLICE % "", "start": _SLICE % _LABEL + _SPACER},
    }


def arc_options(data: dict[str, Any]) -> dict[str, Any]:
    """Options for displaCy's `DependencyRenderer`: room for the longest word.

    data (dict): What `arcs_data` returned.
    """
    lengths = [max(len(word["text"]), len(word["tag"])) for word in data["words"]] or [0]
    return {
        "distance": max(_LEAST_DISTANCE, max(lengths) * _CHARACTER + 20),
        "offset_x": max(50, lengths[0] * _CHARACTER // 2 + 10),
        "compact": True,
        "word_spacing": _WORD_SPACING,
        "bg": "transparent",
    }


def _slots(ranges: Sequence[tuple[int, int, str]]) -> list[int]:
    """Line on which displaCy draws each span, from 1: below the last of those that are open at its start."""
    slots: list[int] = []
    open_spans: list[tuple[int, int]] = []
    for start, end, _ in sorted(ranges, key=lambda r: (r[0], r[0] - r[1], r[2])):
        open_spans = [(last, slot) for last, slot in open_spans if last > start]
        slot = open_spans[-1][1] + 1 if open_spans else 1
        open_spans.append((end, slot))
        slots.append(slot)
    return slots

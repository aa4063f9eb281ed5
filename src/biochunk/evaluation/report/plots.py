"""Plots as SVG text: points with intervals, and bars. No script, no other file; every number is also in a table."""

from collections.abc import Mapping, Sequence
from html import escape
from math import floor
from typing import NamedTuple

WIDTH, ROW, TOP, RIGHT = 720, 18, 26, 16


class Point(NamedTuple):
    """A value with the ends of its interval, under a name within a group."""

    group: str
    name: str
    value: float
    low: float
    high: float


def intervals(points: Sequence[Point], *, title: str, key: str, zero: bool = False) -> str:
    """Values with their intervals, one a line, in groups.

    points (Sequence[Point]): At least one; points of one group follow each other.
    title (str): What is shown, for the description.
    key (str): Unique on the page.
    zero (bool): Whether zero is marked, for differences.
    """
    low, high = min(p.low for p in points), max(p.high for p in points)
    if zero:
        low, high = min(low, 0.0), max(high, 0.0)
    step = _step(high - low)
    low, high = floor(low / step) * step, -floor(-high / step) * step
    left = _names_width([p.group for p in points]) + _names_width([p.name for p in points])
    groups = len(dict.fromkeys(p.group for p in points))
    height = TOP + len(points) * ROW + groups * 8 + 24
    scale = (WIDTH - left - RIGHT) / ((high - low) or 1.0)
    described = "; ".join(
        f"{p.group} {p.name} {_percent(p.value)} ({_percent(p.low)} to {_percent(p.high)})" for p in points
    )
    parts = [_opening(height, key, title, described)]
    ticks = round((high - low) / step)
    for tick in range(ticks + 1):
        value = low + tick * step
        x = left + (value - low) * scale
        kind = "axis" if zero and abs(value) < step / 1000 else "grid"
        parts.append(f'<line class="{kind}" x1="{x:.1f}" x2="{x:.1f}" y1="{TOP - 6}" y2="{height - 22}"/>')
        parts.append(_text(x, height - 8, _percent(value), "quiet", "middle"))
    y = float(TOP)
    group = None
    for p in points:
        if p.group != group:
            y += 8 if group is not None else 0
            parts.append(_text(0, y + 10, p.group, "", "start"))
            group = p.group
        a, b, m = (left + (value - low) * scale for value in (p.low, p.high, p.value))
        parts.append(_text(left - 8, y + 10, p.name, "quiet", "end"))
        parts.append(f'<line class="range" x1="{a:.1f}" x2="{b:.1f}" y1="{y + 6:.1f}" y2="{y + 6:.1f}"/>')
        parts.append(
            f'<circle class="point" cx="{m:.1f}" cy="{y + 6:.1f}" r="4"><title>{escape(p.group)} {escape(p.name)}: '
            f"{_percent(p.value)} ({_percent(p.low)} to {_percent(p.high)})</title></circle>"
        )
        y += ROW
    return "".join([*parts, "</svg>"])


def bars(values: Mapping[str, float], *, title: str, key: str) -> str:
    """Shares as horizontal bars; a negative one goes to the left of zero.

    values (Mapping[str, float]): Name to share; at least one.
    title (str): What is shown, for the description.
    key (str): Unique on the page.
    """
    left = _names_width(list(values))
    low, high = min(0.0, *values.values()), max(0.0, *values.values())
    scale = (WIDTH - left - 120) / ((high - low) or 1.0)
    height = len(values) * ROW + 8
    described = "; ".join(f"{name} {_percent(value)}" for name, value in values.items())
    parts = [_opening(height, key, title, described)]
    origin = left + 50 - low * scale
    for i, (name, value) in enumerate(values.items()):
        y = i * ROW + 4
        length = abs(value) * scale
        start = origin - (length if value < 0 else 0)
        parts.append(_text(left - 8, y + 10, name, "quiet", "end"))
        parts.append(f'<rect class="bar" x="{start:.1f}" y="{y}" width="{max(length, 0.5):.1f}" height="{ROW - 5}"/>')
        at, anchor = (start - 4, "end") if value < 0 else (start + length + 4, "start")
        parts.append(_text(at, y + 10, _percent(value), "", anchor))
    parts.append(f'<line class="axis" x1="{origin:.1f}" x2="{origin:.1f}" y1="0" y2="{height}"/>')
    return "".join([*parts, "</svg>"])


def _step(span: float) -> float:
    """Distance of the grid's lines, for about six of them."""
    return next((step for step in (0.005, 0.01, 0.02, 0.05, 0.1) if span / step <= 8), 0.2)


def _names_width(names: Sequence[str]) -> int:
    return 16 + 7 * max(map(len, names))


def _percent(share: float) -> str:
    return f"{100 * share:.1f}".replace("-0.0", "0.0")


def _opening(height: float, key: str, title: str, described: str) -> str:
    return (
        f'<svg role="img" width="{WIDTH}" height="{height:.0f}" viewBox="0 0 {WIDTH} {height:.0f}" '
        f'aria-labelledby="{key}-t {key}-d"><title id="{key}-t">{escape(title)}</title>'
        f'<desc id="{key}-d">{escape(described)}</desc>'
    )


def _text(x: float, y: float, text: str, kind: str, anchor: str) -> str:
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'

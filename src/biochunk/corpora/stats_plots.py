"""Plots of counts as SVG text: histograms and bars. No script, no other file, readable without colour."""

from collections import Counter
from collections.abc import Mapping, Sequence
from html import escape
from math import ceil

from .stats import percentile, summary

WIDTH, HEIGHT = 460, 206
LEFT, RIGHT, TOP, BOTTOM = 44, 12, 40, 40
PLOT_WIDTH, PLOT_HEIGHT, BASE = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM, HEIGHT - BOTTOM
BINS = 25


def bins(counts: Sequence[Counter[int]]) -> list[tuple[int, int]]:
    """Ranges (first, last) that suit all counts: of equal width, about 25 at most, the last one open to the
    right.

    counts (Sequence[Counter[int]]): Counts that are to be compared; the upper end is their 99th percentile.
    RETURNS (list[tuple[int, int]]): Empty when there are no values.
    """
    total = sum(counts, Counter())
    if not total:
        return []
    low, high = min(total), percentile(total, 0.99)
    step = max(1, ceil((high - low + 1) / BINS))
    starts = range(low - low % step, high + 1, step)
    return [(start, start + step - 1) for start in starts]


def binned(counts: Counter[int], ranges: Sequence[tuple[int, int]]) -> list[int]:
    """How many values fall into each range; the last one takes all above as well."""
    found = [0] * len(ranges)
    for value, count in counts.items():
        start, last = ranges[0]
        found[min((value - start) // (last - start + 1), len(ranges) - 1)] += count
    return found


def round_up(share: float) -> float:
    """The upper end of a scale that ends in whole percents, as its half does."""
    step = 10 if share > 0.1 else 2
    return min(100, step * ceil(share * 100 / step)) / 100


def histogram(
    counts: Counter[int], ranges: Sequence[tuple[int, int]], *, top: float, title: str, unit: str, key: str
) -> str:
    """A histogram in shares of all values, with the median and the 90th percentile marked.

    counts (Counter[int]): The values.
    ranges (Sequence[tuple[int, int]]): From `bins`.
    top (float): Share at the upper end of the scale, so that plots side by side can be compared.
    title (str): Heading, for instance the split.
    unit (str): What the values count.
    key (str): Unique on the page, for the ids of title and description.
    """
    total, numbers = counts.total(), summary(counts)
    described = (
        f"{total} values of {unit}: mean {numbers['mean']:.1f}, median {numbers['p50']}, "
        f"90th percentile {numbers['p90']}, maximum {numbers['max']}."
    )
    parts = [_opening(WIDTH, HEIGHT, key, title, described)]
    parts.append(f'<text x="{LEFT}" y="14">{escape(title)} ({total})</text>')
    for share in (0.5, 1.0):
        y = f"{BASE - PLOT_HEIGHT * share:.1f}"
        parts.append(f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y}" y2="{y}"/>')
        parts.append(_text(LEFT - 6, BASE - PLOT_HEIGHT * share + 4, f"{top * share:.0%}", "quiet", "end"))
    slot = PLOT_WIDTH / len(ranges)
    for i, (bounds, count) in enumerate(zip(ranges, binned(counts, ranges), strict=True)):
        height = PLOT_HEIGHT * count / total / top
        name = _range_name(*bounds, is_open=i == len(ranges) - 1)
        parts.append(
            f'<rect class="bar" x="{LEFT + i * slot + 0.5:.1f}" y="{BASE - height:.1f}" '
            f'width="{max(slot - 1, 0.5):.1f}" height="{height:.1f}">'
            f"<title>{name} {escape(unit)}: {count} ({count / total:.1%})</title></rect>"
        )
    parts += _axis(ranges, slot, unit)
    # The median's name stands left of its line, the percentile's right: they cannot meet.
    for label, share, shift, anchor in (("median", 0.5, -3, "end"), ("p90", 0.9, 3, "start")):
        value = percentile(counts, share)
        x = LEFT + min(_position(value, ranges), len(ranges) - 0.1) * slot
        parts.append(f'<line class="mark" x1="{x:.1f}" x2="{x:.1f}" y1="{TOP - 12}" y2="{BASE}"/>')
        parts.append(_text(x + shift, TOP - 5, f"{label} {value}", "mark-label", anchor))
    return "".join([*parts, "</svg>"])


def _position(value: int, ranges: Sequence[tuple[int, int]]) -> float:
    """Where the middle of a value stands on the axis, in ranges."""
    start, last = ranges[0]
    return (value - start + 0.5) / (last - start + 1)


def _axis(ranges: Sequence[tuple[int, int]], slot: float, unit: str) -> list[str]:
    """The lower axis with about eight numbers: under the middle of a value, or at the start of a range."""
    single = ranges[0][0] == ranges[0][1]
    parts = [f'<line class="axis" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{BASE}" y2="{BASE}"/>']
    for i in range(0, len(ranges), ceil(len(ranges) / 8)):
        parts.append(_text(LEFT + (i + 0.5 * single) * slot, BASE + 15, str(ranges[i][0]), "quiet", "middle"))
    return [*parts, _text(WIDTH - RIGHT, HEIGHT - 6, unit, "quiet", "end")]


def _text(x: float, y: float, text: str, kind: str, anchor: str) -> str:
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'


def bars(values: Mapping[str, Mapping[str, float]], *, title: str, key: str) -> str:
    """Shares as horizontal bars, a group of one bar a split for each name.

    values (Mapping[str, Mapping[str, float]]): Name -> split -> share from 0 to 1.
    title (str): What is shown, for the description.
    key (str): Unique on the page.
    """
    row, gap = 15, 9
    names_width = min(240, 14 + 7 * max(map(len, values)))
    splits_width = 14 + 7 * max(len(split) for shares in values.values() for split in shares)
    left, width = names_width + splits_width, 640
    height = sum(len(shares) * row + gap for shares in values.values()) + 4
    top = max(share for shares in values.values() for share in shares.values()) or 1.0
    scale = (width - left - 60) / top
    described = "; ".join(
        f"{name}: " + ", ".join(f"{split} {share:.1%}" for split, share in shares.items())
        for name, shares in values.items()
    )
    parts = [_opening(width, height, key, title, described)]
    y = 0.0
    for name, shares in values.items():
        parts.append(f'<text x="0" y="{y + 12:.1f}">{escape(_cut(name, names_width // 7))}</text>')
        for split, share in shares.items():
            length = share * scale
            parts.append(_text(left - 6, y + 12, split, "quiet", "end"))
            parts.append(f'<rect class="bar" x="{left}" y="{y + 2:.1f}" width="{length:.1f}" height="{row - 3}"/>')
            parts.append(_text(left + length + 5, y + 12, f"{share:.1%}", "value", "start"))
            y += row
        y += gap
    return "".join([*parts, "</svg>"])


def _opening(width: int, height: int, key: str, title: str, described: str) -> str:
    return (
        f'<svg role="img" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        f'aria-labelledby="{key}-t {key}-d"><title id="{key}-t">{escape(title)}</title>'
        f'<desc id="{key}-d">{escape(described)}</desc>'
    )


def _range_name(first: int, last: int, *, is_open: bool) -> str:
    if is_open:
        return f"{first} and more"
    return str(first) if first == last else f"{first} to {last}"


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else text[: width - 1] + "…"

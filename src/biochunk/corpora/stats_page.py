"""The statistics of some corpora as a table for a terminal, and as one HTML page that needs no other file."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from html import escape
from importlib.resources import files
from typing import Any, NamedTuple

from .stats import SplitStats, leakage, to_data
from .stats_plots import bars, binned, bins, histogram, round_up

Splits = Mapping[str, SplitStats]


class Corpus(NamedTuple):
    """What one table or section is about.

    title (str): The file or folder and the dataset.
    splits (dict[str, SplitStats]): In the order to show.
    """

    title: str
    splits: dict[str, SplitStats]


DISTRIBUTIONS: tuple[tuple[str, str, Callable[[SplitStats], Counter[int]]], ...] = (
    ("Sentence length", "words", lambda stats: stats.words),
    ("Entities in a record", "entities", lambda stats: stats.entities),
    ("Distance of head and tail", "words between head and tail", lambda stats: stats.gaps),
)
SHARES: tuple[tuple[str, str, Callable[[SplitStats], Counter[str]]], ...] = (
    ("Relations", "triples", lambda stats: stats.relations),
    ("Entity labels", "entities", lambda stats: stats.labels),
    ("Classes", "records with a class", lambda stats: stats.classes),
)


def measure_rows(splits: Splits) -> list[tuple[str, list[str]]]:
    """The table of one corpus: (measure, value for each split); measures that no split has are left out."""
    data = to_data(dict(splits))["splits"].values()
    rows: list[tuple[str, list[str]]] = [
        ("records", [str(d["records"]) for d in data]),
        ("distinct sentences", [str(d["distinct sentences"]) for d in data]),
        ("words in a record: mean / p50 / p90 / max", [_summary(d["words"]) for d in data]),
        ("entities in a record: mean / p50 / p90 / max", [_summary(d["entities"]) for d in data]),
        (
            "characters that stand in an entity",
            [_percent(d["entities"]["share of characters"]) for d in data],
        ),
        ("triples", [str(d["triples"]) for d in data]),
        ("records without a triple", [_percent(d["records without a triple"]) for d in data]),
        (
            "words between head and tail: mean / p50 / p90 / max",
            [_summary(d["words between head and tail"]) for d in data],
        ),
        ("records with a participle + by/with (passive)", [_percent(d["passive"]) for d in data]),
        ("records with a cue of negation", [_percent(d["negation cue"]) for d in data]),
        ("records with a cue of uncertainty", [_percent(d["hedge cue"]) for d in data]),
        ("records in which a trigger fires", [_percent(d["trigger"]) for d in data]),
        ("triples whose relation fires", [_percent(d["gold relation fired"]) for d in data]),
    ]
    return [(name, values) for name, values in rows if any(value != "–" for value in values)]


def to_table(corpora: list[Corpus]) -> str:
    """All corpora for a terminal: measures by split, then the sentences that splits share."""
    lines: list[str] = []
    for title, splits in corpora:
        rows = [(title, list(splits)), *measure_rows(splits)]
        shared = leakage(splits)
        if len(splits) > 1:
            rows.append(("distinct sentences that also stand in", list(splits)))
            rows += [(f"  {row}", [_leak(shared, row, column) for column in splits]) for row in splits]
        lines += [*_aligned(rows), ""]
    return "\n".join(lines).rstrip("\n")


def _aligned(rows: list[tuple[str, list[str]]]) -> Iterator[str]:
    first = max(len(name) for name, _ in rows)
    widths = [max(len(row[1][i]) for row in rows) for i in range(len(rows[0][1]))]
    for name, values in rows:
        yield "  ".join([name.ljust(first), *(v.rjust(w) for v, w in zip(values, widths, strict=True))]).rstrip()


def render_page(corpora: list[Corpus], *, title: str) -> str:
    """One HTML document; the same statistics give the same bytes.

    corpora (list[Corpus]): A section each.
    title (str): Title and heading.
    """
    links = "".join(f'<li><a href="#c{i}">{escape(c.title)}</a></li>' for i, c in enumerate(corpora, 1))
    sections = "\n".join(_section(corpus, f"c{i}") for i, corpus in enumerate(corpora, 1))
    style = (files("biochunk") / "data" / "stats.css").read_text("utf-8")
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(title)}</title>
<style>
{style}</style>
</head>
<body>
<header>
<h1>{escape(title)}</h1>
<nav aria-label="Corpora"><ul>{links}</ul></nav>
</header>
<main>
{sections}
</main>
</body>
</html>
"""


def _section(corpus: Corpus, key: str) -> str:
    splits = corpus.splits
    parts = [f'<section id="{key}">', f"<h2>{escape(corpus.title)}</h2>"]
    parts.append(_table("Measures", ["measure", *splits], measure_rows(splits)))
    parts += [
        _distribution(splits, name, unit, get, f"{key}-h{i}") for i, (name, unit, get) in enumerate(DISTRIBUTIONS)
    ]
    parts += [_shares(splits, name, of, get, f"{key}-b{i}") for i, (name, of, get) in enumerate(SHARES)]
    parts.append(_leakage_table(splits))
    return "\n".join([*(part for part in parts if part), "</section>"])


def _distribution(splits: Splits, name: str, unit: str, get: Callable[[SplitStats], Counter[int]], key: str) -> str:
    counts = {split: get(stats) for split, stats in splits.items() if get(stats).total()}
    ranges = bins(list(counts.values()))
    # One value for all sentences needs no plot; the table has it.
    if not ranges or len({value for found in counts.values() for value in found}) < 2:
        return ""
    found = {split: binned(values, ranges) for split, values in counts.items()}
    top = round_up(max(max(numbers) / counts[split].total() for split, numbers in found.items()))
    plots = [
        "<figure>" + histogram(values, ranges, top=top, title=split, unit=unit, key=f"{key}-{i}") + "</figure>"
        for i, (split, values) in enumerate(counts.items())
    ]
    rows = [
        (f"{first}–{last}" if first < last else str(first), [str(found[split][i]) for split in counts])
        for i, (first, last) in enumerate(ranges)
    ]
    last = rows.pop()
    rows.append((f"{ranges[-1][0]} and more", last[1]))
    return (
        f'<h3>{name}</h3>\n<div class="plots">{"".join(plots)}</div>\n'
        f"<details><summary>Numbers</summary>{_table('', [unit, *counts], rows)}</details>"
    )


def _shares(splits: Splits, name: str, of: str, get: Callable[[SplitStats], Counter[str]], key: str) -> str:
    counts = {split: get(stats) for split, stats in splits.items() if get(stats).total()}
    names = sum(counts.values(), Counter())
    if len(names) < 2:
        return ""
    values = {
        label or "(none)": {split: found[label] / found.total() for split, found in counts.items()}
        for label, _ in names.most_common()
    }
    rows = [(label or "(none)", [str(found[label]) for found in counts.values()]) for label, _ in names.most_common()]
    plot = bars(values, title=f"{name}: share of {of} by split", key=key)
    return (
        f'<h3>{name}</h3>\n<figure class="scroll">{plot}</figure>\n'
        f"<details><summary>Numbers</summary>{_table('', [name.lower(), *counts], rows)}</details>"
    )


def _leakage_table(splits: Splits) -> str:
    if len(splits) < 2:
        return ""
    shared = leakage(dict(splits))
    head = "".join(f'<th scope="col">{escape(split)}</th>' for split in splits)
    body = "".join(
        f'<tr><th scope="row">{escape(row)}</th>'
        + "".join(_leakage_cell(shared, row, column) for column in splits)
        + "</tr>"
        for row in splits
    )
    return (
        "<h3>Sentences that splits share</h3>\n"
        '<p class="note">Distinct sentences of the row that also stand in the column (same letters and '
        "digits, in lower case), and their share of the row’s distinct sentences. The diagonal is the number "
        "of distinct sentences.</p>\n"
        f'<div class="scroll"><table><thead><tr><th scope="col">also stand in</th>{head}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )


def _leakage_cell(shared: dict[str, dict[str, int]], row: str, column: str) -> str:
    if row == column:
        return f'<td class="self">{shared[row][row]}</td>'
    share = shared[row][column] / shared[row][row] if shared[row][row] else 0.0
    # From white to a light red: the number stays readable on all of it.
    shade = round(255 - 110 * min(1.0, share * 2)) if share else 255
    return f'<td style="background: rgb(255, {shade}, {shade})">{_leak(shared, row, column)}</td>'


def _leak(shared: dict[str, dict[str, int]], row: str, column: str) -> str:
    count, whole = shared[row][column], shared[row][row]
    return str(count) if row == column or not whole else f"{count} ({count / whole:.1%})"


def _table(caption: str, head: list[str], rows: list[tuple[str, list[str]]]) -> str:
    title = f"<caption>{escape(caption)}</caption>" if caption else ""
    columns = "".join(f'<th scope="col">{escape(name)}</th>' for name in head)
    body = "".join(
        f'<tr><th scope="row">{escape(name)}</th>' + "".join(f"<td>{value}</td>" for value in values) + "</tr>"
        for name, values in rows
    )
    table = f"<table>{title}<thead><tr>{columns}</tr></thead><tbody>{body}</tbody></table>"
    return f'<div class="scroll">{table}</div>'


def _summary(numbers: Mapping[str, Any]) -> str:
    if numbers["mean"] is None:
        return "–"
    return f"{numbers['mean']:.1f} / {numbers['p50']} / {numbers['p90']} / {numbers['max']}"


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{share:.1%}"

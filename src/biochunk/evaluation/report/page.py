"""The report as one HTML page that needs no other file: plots, tables and examples."""

from collections.abc import Iterator
from html import escape
from importlib.resources import files
from typing import Any

from .examples import examples_html
from .plots import Point, bars, intervals
from .sections import sections
from .tables import INPUTS, TASKS, Results, Section, Table, dataset_name

# Sections whose tables are long: they are folded behind their plots.
_FOLDED = {"Scores", "By relation", "Answer retrieval", "Retrieval health", "Which part is wrong"}


def render_report(results: Results) -> str:
    """RETURNS (str): A complete HTML document; the same results give the same bytes."""
    found = sections(results)
    links = [(f"s{i}", section.title) for i, section in enumerate(found, 1)]
    body = [_section(section, key, results) for section, (key, _) in zip(found, links, strict=True)]
    if results["examples"]:
        links.append(("examples", "Examples"))
        drawn = examples_html(results["examples"], results["settings"]["baseline"])
        body.append(f'<section id="examples"><h2>Examples</h2>\n{drawn}</section>')
    menu = "".join(f'<li><a href="#{key}">{escape(title)}</a></li>' for key, title in links)
    style = "".join((files("biochunk") / "data" / name).read_text("utf-8") for name in ("stats.css", "report.css"))
    title = escape(results["title"])
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
{style}</style>
</head>
<body>
<header>
<h1>{title}</h1>
<nav aria-label="Sections"><ul>{menu}</ul></nav>
</header>
<main>
{"".join(body)}
</main>
</body>
</html>
"""


def _section(section: Section, key: str, results: Results) -> str:
    paragraphs = "".join(f"<li>{_text(line)}</li>" for line in section.text)
    parts = [f'<section id="{key}">', f"<h2>{escape(section.title)}</h2>"]
    if paragraphs:
        parts.append(f"<ul>{paragraphs}</ul>")
    parts += [
        f"<figure><figcaption>{escape(title)}</figcaption>{plot}</figure>" for title, plot in _plots(section, results)
    ]
    tables = [_table(table) for table in section.tables if table.rows]
    if tables and section.title in _FOLDED:
        tables = ["<details><summary>Tables</summary>", *tables, "</details>"]
    return "\n".join([*parts, *tables, "</section>\n"])


def _plots(section: Section, results: Results) -> Iterator[tuple[str, str]]:
    """Titles and plots of a section."""
    if section.title == "Scores":
        yield from _score_plots(results)
    elif section.title == "By relation":
        yield from _relation_plots(results)
    elif section.title == "Retrieval health":
        yield from _bar_plots(results["retrieval_health"], ("hit_at_1", "top_share"), results)
    elif section.title == "Answer retrieval":
        yield from _answer_plots(results)


def _score_plots(results: Results) -> Iterator[tuple[str, str]]:
    for given, title in INPUTS.items():
        for name, entries, zero in (
            ("F1", results["scores"], False),
            ("Difference in F1", results["differences"], True),
        ):
            points = [
                Point(
                    f"{dataset_name(e['dataset'])}, {e['view']}, {TASKS[e['task']]}",
                    e["arm"],
                    e["difference" if zero else "f1"],
                    *e["interval"],
                )
                for e in entries
                if e["input"] == given
            ]
            if points:
                baseline = f" to {results['settings']['baseline']}" if zero else ""
                what = f"{name}{baseline} in points with its 95 % interval: {title}"
                yield what, intervals(points, title=what, key=f"f1-{given}-{zero:d}", zero=zero)


def _relation_plots(results: Results) -> Iterator[tuple[str, str]]:
    """Differences of each relation's F1 between the arms and the baseline."""
    entries = results["scores"]
    base = results["settings"]["baseline"]
    places = {_place(e): e["relations"] for e in entries if e["arm"] == base and e["relations"]}
    for i, entry in enumerate(entries):
        relations = places.get(_place(entry))
        if entry["arm"] == base or not relations:
            continue
        names = sorted((n for n, row in relations.items() if row["gold"]), key=lambda n: (-relations[n]["gold"], n))
        gains = {
            f"{n} ({relations[n]['gold']})": entry["relations"].get(n, {"f1": 0.0})["f1"] - relations[n]["f1"]
            for n in names
        }
        where = f"{dataset_name(entry['dataset'])}, {entry['view']}, {INPUTS[entry['input']]}"
        what = f"{where}: F1 of {entry['arm']} less that of {base}, by relation (gold triples)"
        yield what, bars(gains, title=what, key=f"rel-{i}")


def _bar_plots(entries: list[dict[str, Any]], measures: tuple[str, ...], results: Results) -> Iterator[tuple[str, str]]:
    names = {"hit_at_1": "Label hit-rate of the first chunk", "top_share": "Share of queries served by one chunk"}
    for measure in measures:
        values = {f"{dataset_name(e['dataset'])}, {e['view']}, {e['arm']}, {e['order']}": e[measure] for e in entries}
        if (released := results.get("released")) and any(e["view"] == "published" for e in entries):
            values["BioMedRAG's released run, GM-CIHT test"] = released[measure]
        if values:
            yield f"{names[measure]}, %", bars(values, title=names[measure], key=measure)


def _answer_plots(results: Results) -> Iterator[tuple[str, str]]:
    values: dict[tuple[str, ...], list[Point]] = {}
    for e in results["answers"]:
        group = f"{dataset_name(e['dataset'])}, {e['view']}, {e['encoder']}"
        point = Point(group, e["chunker"], e["recall@5"], *e.get("interval", (e["recall@5"], e["recall@5"])))
        values.setdefault((e["view"],), []).append(point)
    for (view,), points in values.items():
        what = f"Recall@5 on the {view} view, %"
        yield what, intervals(points, title=what, key=f"answers-{view}")


def _place(entry: dict[str, Any]) -> tuple[str, ...]:
    return tuple(entry[key] for key in ("view", "dataset", "task", "input"))


def _table(table: Table) -> str:
    head = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in table.head)
    rows = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in table.rows)
    note = f'<p class="note">{_text(table.note)}</p>' if table.note else ""
    return (
        f'{note}<div class="scroll"><table><caption>{escape(table.title)}</caption>'
        f"<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def _text(line: str) -> str:
    """Escaped, with `code` as such."""
    parts = escape(line).split("`")
    return "".join(f"<code>{part}</code>" if i % 2 else part for i, part in enumerate(parts))

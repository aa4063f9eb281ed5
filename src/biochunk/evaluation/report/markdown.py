"""The report as Markdown."""

from .comparisons import comparison_tables, rules_or_recogniser
from .sections import sections
from .tables import Results, Table, score_tables


def to_markdown(results: Results) -> str:
    """RETURNS (str): The report. The same results give the same text."""
    parts = [f"# {results['title']}"]
    for section in sections(results):
        parts.append(f"## {section.title}")
        parts += [f"- {line}" for line in section.text] if len(section.text) > 3 else section.text
        parts += [_table(table) for table in section.tables if table.rows]
    return "\n\n".join(parts).replace("\n\n- ", "\n- ") + "\n"


def in_short(results: Results) -> str:
    """The scores for a terminal: a line an arm."""
    lines = []
    for table in score_tables(results):
        rows = [(*row[:5], *row[7:9], row[-1]) for row in (table.head, *table.rows)]
        widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
        lines += ["", table.title]
        lines += ["  ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)).rstrip() for row in rows]
    for table in comparison_tables(results):
        widths = [max(map(len, cells)) for cells in zip(table.head, *table.rows, strict=True)]
        lines += ["", f"Compared with each other, {table.title}"]
        for row in (table.head, *table.rows):
            lines.append("  ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)).rstrip())
    if said := rules_or_recogniser(results):
        lines += ["", said]
    return "\n".join(lines)


def _table(table: Table) -> str:
    lines = [f"### {table.title}", ""]
    if table.note:
        lines += [table.note, ""]
    lines += [_row(table.head), _row(["---"] * len(table.head))]
    return "\n".join([*lines, *map(_row, table.rows)])


def _row(cells: tuple[str, ...] | list[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"

"""Tables of what was learned about mentions and of how many are found, as text."""

from collections.abc import Sequence

from ..schemas import EntityKnowledge
from .coverage import EXACTLY, INSIDE, SPANS, Coverage

_SHOWN = 12
_CHANGED = (EXACTLY, INSIDE, SPANS)


def coverage_table(found: Coverage) -> str:
    """One line a figure, then one line a rule.

    found (Coverage): What `coverage` counted.
    RETURNS (str): Lines; columns are two spaces apart.
    """
    figures = [(name, _cell(name, value)) for name, value in found.rates().items()]
    rules = [(rule, str(count), f"{100 * share:.1f}%") for rule, (count, share) in found.rules().items()]
    lines = _aligned(figures)
    if rules:
        lines += ["", *_aligned([("rule", "spans", "annotated"), *rules])]
    return "\n".join(lines)


def change_table(before: Coverage, after: Coverage) -> str:
    """What lists change, one line a figure: "found exactly: 61.0% -> 80.2%"."""
    old, new = before.rates(), after.rates()
    return "\n".join(f"{name}: {_cell(name, old[name])} -> {_cell(name, new[name])}" for name in _CHANGED)


def verdict(before: Coverage, after: Coverage) -> str:
    """Which lists are better, in a clause: by the mentions found exactly, then by those found inside a span, then by
    fewer spans.
    """
    old, new = ((found.exact, found.inside, -found.spans) for found in (before, after))
    if old == new:
        return "the new lists are as good as the old ones"
    which = next(name for name, a, b in zip(_CHANGED, old, new, strict=True) if a != b)
    return f"the new lists are {'better' if new > old else 'worse'} than the old ones, by '{which}'"


def lists_table(rules: EntityKnowledge) -> str:
    """One line a list: its name, how many words it has, and the first of them.

    rules (EntityKnowledge): The rules.
    RETURNS (str): Lines; columns are two spaces apart.
    """
    rows = [(name, str(len(words)), _shown(words)) for name, words in _lists(rules).items()]
    width = max(len(name) for name, _, _ in rows)
    lines = [f"{name.ljust(width)}  {count.rjust(5)}  {words}".rstrip() for name, count, words in rows]
    return "\n".join([*lines, _other("front", rules.before.default), _other("end", rules.after.default)])


def _lists(rules: EntityKnowledge) -> dict[str, Sequence[str]]:
    return {
        "before, cut": rules.before.cut,
        "before, optional": rules.before.optional,
        "before, keep": rules.before.keep,
        "after, cut": rules.after.cut,
        "after, optional": rules.after.optional,
        "after, keep": rules.after.keep,
        "joins": rules.joins or [],
        "never alone": rules.never_alone,
        "alone": rules.alone,
    }


def _other(edge: str, default: str) -> str:
    done = {
        "keep": "are part of it",
        "cut": "are cut from it",
        "optional": "may be part of it: both boundaries are given",
    }
    return f"other words at the {edge} of a mention {done[default]}"


def count_words(rules: EntityKnowledge) -> int:
    """How many words the lists have together."""
    return sum(map(len, _lists(rules).values()))


def _shown(words: Sequence[str]) -> str:
    return ", ".join(words[:_SHOWN]) + (", …" if len(words) > _SHOWN else "")


def _cell(name: str, value: float | int | None) -> str:
    if value is None:
        return "-"
    if isinstance(value, int):
        return str(value)
    return f"{value:.2f}" if name.startswith("spans") else f"{100 * value:.1f}%"


def _aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return [
        "  ".join([row[0].ljust(widths[0]), *(c.rjust(w) for c, w in zip(row[1:], widths[1:], strict=True))]).rstrip()
        for row in rows
    ]

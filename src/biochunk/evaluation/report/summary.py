"""The report in short: the differences to the baseline as a small matrix a view."""

from typing import Any

from .tables import INPUTS, TASKS, Results, Table, dataset_name, interval, percent, too_few, verdict

# With more arms than this they are the rows.
_WIDE = 6


def summary(results: Results) -> list[str]:
    """What the matrix shows and what it does not, and which corpora are too small to say anything."""
    small = too_few(results)
    told = [entry for entry in results["differences"] if (entry["view"], entry["dataset"]) not in small]
    lines = []
    if told:
        lines.append(
            f"Difference in F1 to `{results['settings']['baseline']}`, in points, with its 95 % interval; higher or "
            "lower is said where the interval does not hold 0."
        )
        lines.append(
            f"These are {len(told)} comparisons, each with its own interval: with no true difference, about one in "
            "twenty would be called higher or lower. The column p (Holm) below accounts for all of them."
        )
    if small and results["differences"]:
        named = ", ".join(dict.fromkeys(dataset_name(dataset) for _, dataset in small))
        lines.append(f"Fewer than 100 scored items ({named}) measure nothing: no verdict is given on them.")
    return lines


def summary_tables(results: Results) -> list[Table]:
    """A matrix a view: what was asked by the arms; corpora that are too small are left out."""
    small = too_few(results)
    by_view: dict[str, dict[tuple[str, str, str], dict[str, str]]] = {}
    for entry in results["differences"]:
        if (entry["view"], entry["dataset"]) not in small:
            place = (dataset_name(entry["dataset"]), TASKS[entry["task"]], INPUTS[entry["input"]])
            by_view.setdefault(entry["view"], {}).setdefault(place, {})[entry["arm"]] = _cell(entry)
    return [_matrix(f"{view} view", places) for view, places in by_view.items()]


def _matrix(title: str, places: dict[tuple[str, str, str], dict[str, str]]) -> Table:
    arms = list(dict.fromkeys(arm for cells in places.values() for arm in cells))
    if len(arms) > _WIDE:
        head = ("arm", *(", ".join(place) for place in places))
        rows = [(arm, *(cells.get(arm, "–") for cells in places.values())) for arm in arms]
        return Table(title, "", head, tuple(rows))
    rows = [(*place, *(cells.get(arm, "–") for arm in arms)) for place, cells in places.items()]
    return Table(title, "", ("dataset", "task", "reader sees", *arms), tuple(rows))


def _cell(entry: dict[str, Any]) -> str:
    said = verdict(entry["interval"])
    figures = f"{percent(entry['difference'], sign=True)} ({interval(entry['interval'], sign=True)})"
    return figures if said == "within chance" else f"{figures} {said}"

"""Arms compared with each other, beside the comparison of all with the baseline: where entities come from."""

from typing import Any

from .tables import (
    DIFFERENCE_HEAD,
    INPUTS,
    TASKS,
    Results,
    Table,
    dataset_name,
    difference_cells,
    interval,
    percent,
    verdict,
)

# Points of F1 by which the paper's pattern rules beat its recogniser on GM-CIHT.
_PAPER = 1.1

_HEAD = ("dataset", "task", "arm", "compared with", *DIFFERENCE_HEAD)


def comparison_tables(results: Results) -> list[Table]:
    """The differences that the experiment's `comparisons` ask for, a table a view and input."""
    found: dict[tuple[str, str], list[tuple[str, ...]]] = {}
    for e in results.get("comparisons", []):
        row = (dataset_name(e["dataset"]), TASKS[e["task"]], e["arm"], e["baseline"], *difference_cells(e, results))
        found.setdefault((e["view"], e["input"]), []).append(row)
    return [Table(f"{view} view: {INPUTS[given]}", "", _HEAD, tuple(rows)) for (view, given), rows in found.items()]


def rules_or_recogniser(results: Results, rules: str = "hybrid-paper-rules", ner: str = "hybrid-ner") -> str:
    """One sentence: what a lead of the paper's pattern rules over a recogniser rests on, from this run's differences.

    RETURNS (str): "" where the two arms were not compared on GM-CIHT in both views.
    """
    by_view: dict[str, dict[str, Any]] = {
        e["view"]: e
        for e in results.get("comparisons", [])
        if (e["arm"], e["baseline"], e["dataset"], e["task"]) == (rules, ner, "gmciht", "triples")
        and e["input"] == "sentence"
    }
    if not {"published", "clean"} <= set(by_view):
        return ""
    published, clean = by_view["published"], by_view["clean"]
    figures = {
        view: f"{percent(e['difference'], sign=True)} ({interval(e['interval'], sign=True)})"
        for view, e in (("published", published), ("clean", clean))
    }
    if verdict(published["interval"]) == "higher" and verdict(clean["interval"]) != "higher":
        said = "rests on the spaces and brackets that mark the gold mentions in the published text"
    elif verdict(published["interval"]) != "higher":
        said = "is not seen here even on the published text, which marks the gold mentions"
    else:
        said = "is seen here without the marks of the gold mentions too"
    return (
        f"The paper's lead of {_PAPER} points of its pattern rules over a recogniser {said}: the rules' F1 less the "
        f"recogniser's is {figures['published']} with the marks and {figures['clean']} on the same corpus without them."
    )

"""The tables of a report, as text cells; Markdown and HTML show the same ones."""

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any, NamedTuple

Results = dict[str, Any]

TASKS = {"triples": "triples", "pairs": "relation of given pairs", "label": "class of the sentence"}
INPUTS = {"sentence": "sentence and retrieved evidence", "evidence": "selected chunks alone"}
NAMES = {"gmciht": "GM-CIHT", "ddi": "DDI", "chemprot": "ChemProt", "ade": "ADE"}


# Of `difference_cells`.
DIFFERENCE_HEAD = ("difference", "95 % interval", "p", "p (Holm)", "so the first is")
_SCORE_HEAD = (
    *("dataset", "task", "arm", "F1 ± sd over seeds", "95 % interval", "P", "R"),
    *("difference", "its 95 % interval", "p", "p (Holm)", "McNemar p", "so the arm is"),
)
_RETRIEVAL_HEAD = (
    *("dataset", "arm", "order", "queries", "distinct chunks served", "most served"),
    *("label hit@1", "label hit@5", "most common label"),
)
# Of the keys of an answer entry whose meaning hangs on the column before.
_ANSWER_NAMES = {"interval": "95 % interval of recall@5"}
# Published systems that are no arm of any experiment.
_SYSTEMS = ("BioMedRAG",)
# Scored items below which a difference says nothing.
_FEW = 100


class Table(NamedTuple):
    """A table. note: one or more sentences below its title; "" for none."""

    title: str
    note: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class Section(NamedTuple):
    """A part of the report: paragraphs, then tables."""

    title: str
    text: tuple[str, ...]
    tables: tuple[Table, ...]


def dataset_name(name: str) -> str:
    """A dataset as people write it."""
    return NAMES.get(name, name)


def percent(share: float | None, *, sign: bool = False) -> str:
    """A share as percent with one digit; "–" for None."""
    if share is None:
        return "–"
    return f"{100 * share:+.1f}" if sign else f"{100 * share:.1f}"


def interval(bounds: Sequence[float], *, sign: bool = False) -> str:
    """An interval of shares in percent."""
    low, high = (percent(bound, sign=sign) for bound in bounds)
    return f"{low} to {high}"


def p_value(p: float) -> str:
    """A p-value with three digits."""
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def verdict(bounds: Sequence[float]) -> str:
    """What an interval of a difference says: none that holds 0 is called a gain."""
    low, high = bounds
    return "higher" if low > 0 else "lower" if high < 0 else "within chance"


def too_few(results: Results) -> dict[tuple[str, str], int]:
    """Views and datasets with so few scored items that no verdict is given, and these items."""
    return {(c["view"], c["dataset"]): c["scored"] for c in results.get("corpora", []) if c["scored"] < _FEW}


def difference_cells(entry: dict[str, Any], results: Results) -> tuple[str, str, str, str, str]:
    """A difference, its interval, its p-value, the same corrected for many comparisons, and what they say."""
    bounds = entry["interval"]
    said = "too few items" if (entry["view"], entry["dataset"]) in too_few(results) else verdict(bounds)
    figures = percent(entry["difference"], sign=True), interval(bounds, sign=True)
    return (*figures, p_value(entry["p"]), p_value(entry["p_holm"]), said)


def score_tables(results: Results) -> list[Table]:
    """F1 of every arm with the difference to the baseline, a table a view and input."""
    differences = {_where(entry): entry for entry in results["differences"]}
    tables = []
    for (view, given), entries in _grouped(results["scores"], "view", "input"):
        rows = [_score_row(entry, differences.get(_where(entry)), results) for entry in entries]
        baseline = results["settings"]["baseline"]
        note = f"In %. Differences are to `{baseline}` on the same items; intervals by paired bootstrap over items."
        if given == "evidence":
            budget = results["settings"]["budget"]
            note = (
                f"The reader sees {budget} words of each sentence, chosen by the arm, and no retrieved evidence: arms "
                f"with a scorer are left out, as it orders that evidence. {note}"
            )
        tables.append(Table(f"{view} view: {INPUTS[given]}", note, _SCORE_HEAD, tuple(rows)))
    return tables


def part_tables(results: Results) -> list[Table]:
    """F1 of parts of triples: which part is wrong."""
    tables = []
    for (view, given), entries in _grouped(results["scores"], "view", "input"):
        chosen = [entry for entry in entries if entry["task"] != "label"]
        if not chosen:
            continue
        views = list(chosen[0]["parts"])
        rows = [_names(entry) + tuple(percent(entry["parts"][v]) for v in views) for entry in chosen]
        tables.append(Table(f"{view} view: {INPUTS[given]}", "", ("dataset", "task", "arm", *views), tuple(rows)))
    return tables


def relation_tables(results: Results) -> list[Table]:
    """F1 of each relation by arm."""
    tables = []
    for (view, dataset, task, given), entries in _grouped(results["scores"], "view", "dataset", "task", "input"):
        arms = {entry["arm"]: entry["relations"] for entry in entries}
        gold = {name: row["gold"] for relations in arms.values() for name, row in relations.items()}
        names = sorted((name for name in gold if gold[name]), key=lambda name: (-gold[name], name))
        if not names:
            continue
        rows = [
            (name, str(gold[name]), *(percent(relations.get(name, {}).get("f1", 0.0)) for relations in arms.values()))
            for name in names
        ]
        title = f"{dataset_name(dataset)}, {view} view, {TASKS[task]}: {INPUTS[given]}"
        tables.append(Table(title, "", ("relation", "gold triples", *arms), tuple(rows)))
    return tables


def health_tables(results: Results) -> list[Table]:
    """Chunk health of every arm."""
    tables = []
    for (view,), entries in _grouped(results["chunk_health"], "view"):
        keys = [key for key in entries[0] if key not in ("view", "dataset", "arm")]
        rows = [(dataset_name(e["dataset"]), e["arm"], *(_number(key, e[key]) for key in keys)) for e in entries]
        tables.append(Table(f"{view} view", "", ("dataset", "arm", *keys), tuple(rows)))
    return tables


def retrieval_tables(results: Results) -> list[Table]:
    """Retrieval health of every arm and order of the evidence."""
    tables = []
    for (view,), entries in _grouped(results["retrieval_health"], "view"):
        rows = [
            (
                dataset_name(e["dataset"]),
                e["arm"],
                e["order"],
                str(e["queries"]),
                str(e["distinct"]),
                percent(e["top_share"]),
                percent(e["hit_at_1"]),
                percent(e["hit_at_5"]),
                percent(e["prior"]),
            )
            for e in entries
        ]
        note = ""
        # The released run is of the published texts: beside other views it would be compared with another test set.
        if (released := results.get("released")) and view == "published":
            note = "BioMedRAG's released run: GM-CIHT's published test split, as counted in its prediction file."
            rows.append(
                (
                    "GM-CIHT test",
                    "BioMedRAG's released run",
                    "its scorer",
                    str(released["queries"]),
                    str(released["distinct"]),
                    percent(released["top_share"]),
                    percent(released["hit_at_1"]),
                    "–",
                    "–",
                )
            )
        tables.append(Table(f"{view} view", note, _RETRIEVAL_HEAD, tuple(rows)))
    return tables


def answer_tables(results: Results) -> list[Table]:
    """Answer retrieval, a table a view, dataset and encoder."""
    by_place = dict(_grouped(results["answer_differences"], "view", "dataset", "encoder"))
    tables = []
    for key, entries in _grouped(results["answers"], "view", "dataset", "encoder"):
        view, dataset, encoder = key
        place = f"{dataset_name(dataset)}, {view} view, encoder {encoder}"
        keys = [k for k in entries[0] if k not in ("view", "dataset", "encoder", "chunker")]
        rows = [(e["chunker"], *(_number(k, e[k]) for k in keys)) for e in entries]
        tables.append(Table(place, "", ("chunks", *(_ANSWER_NAMES.get(k, k) for k in keys)), tuple(rows)))
        compared = [
            (e["chunker"], e["other"], e["measure"], *difference_cells(e, results)) for e in by_place.get(key, [])
        ]
        if compared:
            head = ("chunks", "compared with", "measure", *DIFFERENCE_HEAD)
            tables.append(Table(f"{place}: differences", "", head, tuple(compared)))
    return tables


def mention_table(results: Results) -> Table:
    """How many gold mentions are among the offered ones: the ceiling of the triples that a reader can answer."""
    asked = {(e["view"], e["dataset"]) for e in results["scores"] if e["task"] == "triples"}
    rows = [
        (m["view"], dataset_name(m["dataset"]), percent(m["exact"]), percent(m["both"]), f"{m['per sentence']:.2f}")
        for m in results["mentions"]
        if (m["view"], m["dataset"]) in asked
    ]
    note = (
        "Mentions that the reader of all arms but those with mentions of their own may answer with, by exact borders."
    )
    head = ("view", "dataset", "gold mentions offered, %", "gold triples with both, %", "mentions per sentence")
    return Table("Mentions offered", note, head, tuple(rows))


def paper_table(results: Results) -> Table:
    """Published numbers beside ours on the published view: those of arms of this experiment, and of systems without an
    arm where their dataset is in it.
    """
    references = results["references"]
    ours = {
        (e["dataset"], e["arm"]): e
        for e in results["scores"]
        if e["view"] == "published" and e["input"] == "sentence" and e["task"] in ("triples", "label")
    }
    rows = []
    here = {dataset for dataset, _ in ours}
    for dataset, numbers in references["paper"].items():
        for arm, value in numbers.items():
            if entry := ours.get((dataset, arm)):
                own = f"{percent(entry['f1'])} ({interval(entry['interval'])})"
            elif arm in _SYSTEMS and dataset in here:
                own = "–"
            else:
                continue
            rows.append((dataset_name(dataset), arm, f"{value:.1f}", own))
    note = (
        f"Published: {references['source']}. Ours: the reader and split named above. They are not the same measurement."
    )
    return Table(
        "Published numbers and ours", note, ("dataset", "arm", "published F1", "ours, published view"), tuple(rows)
    )


def _score_row(entry: dict[str, Any], difference: dict[str, Any] | None, results: Results) -> tuple[str, ...]:
    spread = percent(entry["f1"]) + (f" ± {percent(entry['sd'])}" if entry["sd"] is not None else "")
    row = (*_names(entry), spread, interval(entry["interval"]), percent(entry["precision"]), percent(entry["recall"]))
    if difference is None:
        return (*row, "–", "–", "–", "–", "–", "the baseline")
    *figures, said = difference_cells(difference, results)
    return (*row, *figures, p_value(difference["mcnemar"]["p"]), said)


def _names(entry: dict[str, Any]) -> tuple[str, str, str]:
    return dataset_name(entry["dataset"]), TASKS[entry["task"]], entry["arm"]


def _where(entry: dict[str, Any]) -> tuple[str, ...]:
    return tuple(entry[key] for key in ("view", "dataset", "task", "input", "arm"))


def _grouped(entries: Iterable[dict[str, Any]], *keys: str) -> list[tuple[tuple[Any, ...], list[dict[str, Any]]]]:
    """Entries by some keys, in the order in which the keys first appear."""

    def place(entry: dict[str, Any]) -> tuple[Any, ...]:
        return tuple(entry[key] for key in keys)

    listed = list(entries)
    order = {key: i for i, key in enumerate(dict.fromkeys(map(place, listed)))}
    listed.sort(key=lambda entry: order[place(entry)])
    return [(key, list(group)) for key, group in groupby(listed, key=place)]


def _number(name: str, value: Any) -> str:
    """A cell by its name: shares and intervals in percent, means with two digits, counts as they are."""
    if value is None:
        return "–"
    if isinstance(value, list):
        return interval(value)
    if isinstance(value, int):
        return str(value)
    return f"{value:.2f}" if "per " in name or "words" in name or "mean" in name else percent(value)

"""What a report says, in order: sections of paragraphs and tables."""

from typing import Any

from .comparisons import comparison_tables, rules_or_recogniser
from .tables import (
    INPUTS,
    TASKS,
    Results,
    Section,
    answer_tables,
    corpus_table,
    dataset_name,
    health_tables,
    interval,
    paper_table,
    part_tables,
    percent,
    relation_tables,
    retrieval_tables,
    score_tables,
    verdict,
)


def sections(results: Results) -> list[Section]:
    """All sections of a report; those without any content are left out."""
    found = [
        Section("What was compared", tuple(_setting(results)), (corpus_table(results),)),
        Section("In short", tuple(_summary(results)), ()),
        Section("Scores", tuple(_precision(results)), tuple(score_tables(results))),
        Section("Arms compared with each other", _stated(results), tuple(comparison_tables(results))),
        Section("Published numbers", (), (paper_table(results),)),
        Section("From published to clean text", tuple(_clean(results)), ()),
        Section("Which part is wrong", (_PARTS,), tuple(part_tables(results))),
        Section("By relation", (), tuple(relation_tables(results))),
        Section("Chunk health", (), tuple(health_tables(results))),
        Section("Retrieval health", (), tuple(retrieval_tables(results))),
        Section("Answer retrieval", tuple(_answers(results)), tuple(answer_tables(results))),
    ]
    return [section for section in found if section.text or any(table.rows for table in section.tables)]


_PARTS = "F1 of heads, relations and tails alone, and of the pair with and without its direction."
_ANSWERS = (
    "Each gold triple asks with its head mention and its relation's definition; a chunk answers when it holds the head "
    "and the tail of that triple in that sentence. An arm's index is a cover of each sentence by its candidates, with "
    "about as many words as the sentence has; fixed windows and other packages' chunkers have the same mean words. "
    "Whole sentences and the arm's first slots alone stand beside them. The MiniLM encoder runs on text without marks."
)


_VIEWS = {
    "published": "On the view published, texts are as BioMedRAG's folder holds them, with annotation marks.",
    "clean": "On the view clean, marks are removed, duplicates dropped, and no scored sentence stands in train.",
    "sample": "The sample corpora are sentences of our own: they show that everything works and measure nothing.",
}


def _answers(results: Results) -> list[str]:
    if not results["answers"]:
        return []
    # Results of an earlier version have none.
    return [
        _ANSWERS,
        *(
            f"{dataset_name(e['dataset'])}, {e['view']}, encoder {e['encoder']}: `{e['chunker']}` and {e['other']} are "
            f"not comparable. {e['why']}."
            for e in results.get("not_comparable", [])
        ),
    ]


def _overlap(entry: dict[str, Any]) -> str:
    name = dataset_name(entry["dataset"])
    return (
        f"{entry['sentences']} scored items of {name}, {entry['view']}, stand with their sentence in {entry['where']}."
    )


def _stated(results: Results) -> tuple[str, ...]:
    said = rules_or_recogniser(results)
    return (said,) if said else ()


def _setting(results: Results) -> list[str]:
    settings = results["settings"]
    reader = results["reader"]
    options = ", ".join(f"{key} {value}" for key, value in reader.items() if key != "@misc")
    return [
        f"Reader `{reader['@misc']}`{f' ({options})' if options else ''}, seeds {_listed(settings['seeds'])}; "
        f"the same items, reader and seeds for every arm, and the same mentions, except {_own(settings['arms'])}. "
        f"Store: {settings['store_split']}, encoder "
        f"{settings['store_encoder']}, {settings['retrieved']} stored chunks a piece, {settings['shown']} shown.",
        *(_VIEWS[view] for view in dict.fromkeys(corpus["view"] for corpus in results["corpora"]) if view in _VIEWS),
        *(_overlap(entry) for entry in results["overlaps"]),
    ]


def _summary(results: Results) -> list[str]:
    """One sentence a difference, in the words of its interval."""
    lines = []
    for entry in results["differences"]:
        place = f"{dataset_name(entry['dataset'])}, {entry['view']}, {TASKS[entry['task']]}, {INPUTS[entry['input']]}"
        said = verdict(entry["interval"])
        arms = (
            f"`{entry['arm']}` and `{entry['baseline']}` do not differ beyond chance"
            if said == "within chance"
            else f"`{entry['arm']}` is {said} than `{entry['baseline']}`"
        )
        figures = f"{percent(entry['difference'], sign=True)}, {interval(entry['interval'], sign=True)}"
        lines.append(f"{place}: {arms} ({figures}).")
    return lines


def _precision(results: Results) -> list[str]:
    """How wide the intervals are, so that nobody reads more out of a number than is in it."""
    widths: dict[str, list[tuple[float, int]]] = {}
    for entry in results["scores"]:
        low, high = entry["interval"]
        widths.setdefault(entry["dataset"], []).append(((high - low) / 2, entry["items"]))
    said = []
    for name, found in widths.items():
        half, items = max(found)
        said.append(f"{items} items of {dataset_name(name)} give an F1 to about ±{percent(half)} points")
    return ["; ".join(said) + ". A difference inside its interval is no gain."]


def _clean(results: Results) -> list[str]:
    """What is lost when annotation marks and duplicates are gone, from the figures of this run."""
    by_place: dict[tuple[str, str, str], dict[str, Any]] = {}
    for entry in results["scores"]:
        if entry["input"] == "sentence":
            by_place[entry["view"], entry["dataset"], f"{entry['task']} {entry['arm']}"] = entry
    lines = []
    offered = {(m["view"], m["dataset"]): m for m in results["mentions"]}
    for (view, dataset, name), entry in by_place.items():
        other = by_place.get(("clean", dataset, name))
        if view != "published" or other is None:
            continue
        place = f"{dataset_name(dataset)}, {TASKS[entry['task']]}, `{entry['arm']}`"
        said = f"{place}: F1 {percent(entry['f1'])} on published and {percent(other['f1'])} on clean text."
        if entry["task"] == "triples":
            parts, left = entry["parts"], other["parts"]
            before, after = offered[view, dataset], offered["clean", dataset]
            said += (
                f" The right pair in either order: {percent(parts['undirected pair'])} and "
                f"{percent(left['undirected pair'])}; the relation alone: {percent(parts['relation'])} and "
                f"{percent(left['relation'])}. Both gold mentions stand exactly among those offered to the reader in "
                f"{percent(before['both'])} and {percent(after['both'])} of the triples, with "
                f"{before['per sentence']:.1f} and {after['per sentence']:.1f} mentions a sentence to choose from."
            )
        lines.append(said)
    if lines:
        lines.append(
            "On published text the padding around gold mentions says which pair was annotated. Without it the reader "
            "must find the mentions' exact borders and guess which of the possible pairs the annotators chose."
        )
    return lines


def _own(arms: dict[str, Any]) -> str:
    """Arms whose own entities the reader is offered."""
    return _listed([f"`{name}`" for name, arm in arms.items() if arm["own_mentions"]]) or "for none"


def _listed(items: list[Any]) -> str:
    return ", ".join(map(str, items))

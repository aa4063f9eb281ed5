"""What was compared: the setting in words, the corpora, and a table of the arms."""

from typing import Any

from .tables import Results, Table, dataset_name

_VIEWS = {
    "published": "On the view published, texts are as BioMedRAG's folder holds them, with annotation marks.",
    "clean": "On the view clean, marks are removed, duplicates dropped, and no scored sentence stands in train.",
    "sample": "The sample corpora are sentences of our own: they show that everything works and measure nothing.",
}

# What may differ between arms beside the pipeline: heading, and a cell from the arm's settings.
_COLUMNS = {
    "overrides": "changed settings",
    "top_k": "chunks of a sentence that are stored and ask",
    "pick": "picks stored chunks",
    "hubness": "hubness correction",
    "scorer": "order of the evidence",
    "own_mentions": "mentions offered",
    "weights_from_prior": "weights of relations",
}


def setting(results: Results) -> list[str]:
    """Reader, store, views and overlaps, a sentence or two each."""
    settings, reader = results["settings"], results["reader"]
    options = ", ".join(f"{key} {value}" for key, value in reader.items() if key != "@misc")
    seeds = ", ".join(map(str, settings["seeds"]))
    own = ", ".join(f"`{name}`" for name, arm in settings["arms"].items() if arm.get("own_mentions"))
    mentions = f"the same mentions for all but {own}" if own else "the same mentions"
    return [
        f"Reader `{reader['@misc']}`{f' ({options})' if options else ''}, seeds {seeds}; every arm has the same items, "
        f"reader and seeds, and {mentions}.",
        f"The store is built from {settings['store_split']} with the encoder {settings['store_encoder']}: each "
        f"query chunk gets the {settings['retrieved']} nearest stored chunks, of which the reader sees "
        f"{settings['shown']} a sentence.",
        *(_VIEWS[view] for view in dict.fromkeys(corpus["view"] for corpus in results["corpora"]) if view in _VIEWS),
        *(_overlap(entry) for entry in results["overlaps"]),
        *_pairs(results),
    ]


def corpus_table(results: Results) -> Table:
    """What was learned from, stored and scored."""
    rows = [
        (
            c["view"],
            dataset_name(c["dataset"]),
            str(c["train"]),
            c["store_split"],
            str(c["store"]),
            c["split"],
            str(c["scored"]),
        )
        for c in results["corpora"]
    ]
    head = ("view", "dataset", "train items", "store split", "store items", "scored split", "scored items")
    return Table("Corpora", "", head, tuple(rows))


def arms_table(results: Results) -> Table:
    """Every arm: its pipeline in a sentence and what differs between arms; the note says what is the same in all."""
    arms: dict[str, Any] = results["settings"]["arms"]
    about: dict[str, str] = results.get("pipelines", {})
    cells = {key: {name: _cell(key, arm.get(key)) for name, arm in arms.items()} for key in _COLUMNS}
    shown = [key for key, of_arm in cells.items() if len(set(of_arm.values())) > 1]
    same = [f"{_COLUMNS[key]}: {of_arm[next(iter(arms))]}" for key, of_arm in cells.items() if key not in shown]
    rows = [
        (name, arm["pipeline"], about.get(arm["pipeline"], "–"), *(cells[key][name] for key in shown))
        for name, arm in arms.items()
    ]
    note = f"The same in all arms: {'; '.join(same)}." if same else ""
    return Table("Arms", note, ("arm", "pipeline", "its chunks", *(_COLUMNS[key] for key in shown)), tuple(rows))


def _cell(key: str, value: Any) -> str:
    if key == "overrides":
        return ", ".join(f"{name.removeprefix('components.')} = {to}" for name, to in (value or {}).items()) or "none"
    words = {
        "scorer": ("nearest first", "the trained chunk scorer's"),
        "own_mentions": ("those of all arms", "its own"),
        "weights_from_prior": ("of the dataset file", "shares in train"),
    }
    return words[key][bool(value)] if key in words else str(value)


def _overlap(entry: dict[str, Any]) -> str:
    name = dataset_name(entry["dataset"])
    return (
        f"{entry['sentences']} scored items of {name}, {entry['view']}, stand with their sentence in {entry['where']}."
    )


def _pairs(results: Results) -> list[str]:
    """Where "relation of given pairs" never asks to say that there is none."""
    return [
        f"{dataset_name(c['dataset'])}, {c['view']}, relation of given pairs: no pair without a relation is asked "
        "here, so that the task is only to name it; published numbers ask unrelated pairs too."
        for c in results["corpora"]
        if c.get("pairs") and not c["pairs"]["without relation"]
    ]

"""Last stage: results as JSON, and the report as Markdown and HTML.

`results.json` holds the settings, `corpora` (items of each source), `overlaps` (scored sentences in train or store),
`scores` (one entry a view, dataset, task, input and arm), `differences` (of each arm to the baseline), `comparisons`
(of further pairs of arms), `mentions`,
`chunk_health`, `retrieval_health`, `answers`, `answer_differences`, `not_comparable` (chunkers without a size of the
same mean words) and `examples`. Shares are from 0 to 1; intervals
are [low, high] at 95 %.
"""

import json
from importlib.resources import files
from typing import Any

from ...biomedrag.leaks import check_store, check_train
from ...biomedrag.store import ChunkStore
from ...files import whole_file
from ..report.markdown import to_markdown
from ..report.page import render_report
from ..retrieval_health import RELEASED
from .answers import answer_entries
from .config import Plan
from .corpus import Source
from .examples import examples
from .health import chunk_entries, mention_entry, retrieval_entries
from .layout import Layout, retrieval_name
from .results import compare_all, score_all


def publish(plan: Plan, sources: list[Source], layout: Layout) -> dict[str, Any]:
    """Score everything and write the three files. RETURNS (dict): The results."""
    results = assemble(plan, sources, layout)
    with whole_file(layout.results) as file:
        file.write(json.dumps(results, indent=1, ensure_ascii=False) + "\n")
    with whole_file(layout.markdown) as file:
        file.write(to_markdown(results))
    with whole_file(layout.html) as file:
        file.write(render_report(results))
    return results


def assemble(plan: Plan, sources: list[Source], layout: Layout) -> dict[str, Any]:
    """All results of an experiment. RAISES (BiochunkError): When a scored sentence leaked into train or store."""
    experiment = plan.experiment
    overlaps = [entry for source in sources for entry in check_leaks(plan, source, layout)]
    scores, differences = score_all(plan, sources, layout)
    return {
        "title": experiment.title,
        "experiment": plan.name,
        "settings": experiment.model_dump(),
        "reader": plan.reader,
        "corpora": [_corpus(source) for source in sources],
        "overlaps": overlaps,
        "scores": scores,
        "differences": differences,
        "comparisons": compare_all(plan, sources, layout),
        "mentions": [mention_entry(experiment, source, layout) for source in sources],
        "chunk_health": [e for source in sources for e in chunk_entries(experiment, source, layout)],
        "retrieval_health": [e for source in sources for e in retrieval_entries(experiment, source, layout)],
        "released": RELEASED,
        **answer_entries(plan, sources, layout),
        "references": json.loads((files("biochunk") / "data" / "references.json").read_text("utf-8")),
        "examples": examples(plan, sources, layout),
    }


def check_leaks(plan: Plan, source: Source, layout: Layout) -> list[dict[str, Any]]:
    """Refuse scored sentences in train or in a store of another split; on the view "published" count them."""
    scored = source.records("scored")
    found = [{"where": "train", "sentences": check_train(source.records("train"), scored, view=source.view)}]
    for name in dict.fromkeys(retrieval_name(arm, plan.experiment) for arm in plan.experiment.arms.values()):
        store = ChunkStore.from_disk(layout.store(source.view, source.dataset, name))
        count = check_store(store, scored, split=source.split, view=source.view)
        if count and not any(entry["where"] == "store" for entry in found):
            found.append({"where": "store", "sentences": count})
    return [{"view": source.view, "dataset": source.dataset, **entry} for entry in found if entry["sentences"]]


def _corpus(source: Source) -> dict[str, Any]:
    return {
        "view": source.view,
        "dataset": source.dataset,
        "split": source.split,
        "store_split": source.store_split,
        **{part: len(source.records(part)) for part in ("train", "store", "scored")},
    }

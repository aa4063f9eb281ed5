"""Last stage: results as JSON, and the report as Markdown and HTML.

`results.json` holds the settings, `pipelines` (what each is, in a sentence), `corpora` (items of each source, and asked
`pairs` where these are asked), `overlaps` (scored sentences in train or store), `scores` (one entry a view, dataset,
task, input and arm), `differences` (of each arm to the baseline), `comparisons` (of further pairs of arms), `mentions`,
`chunk_health`, `retrieval_health`, `answers`, `answer_differences`, `not_comparable` (chunkers without a size of the
same mean words) and `examples`. Shares are from 0 to 1; intervals are [low, high] at 95 %; `p_holm` is p corrected for
all differences of its list.
"""

import json
from importlib.resources import files
from itertools import takewhile
from pathlib import Path
from typing import Any

from ...biomedrag.examples import make_gold
from ...biomedrag.leaks import check_store, check_train
from ...biomedrag.store import ChunkStore
from ...files import whole_file
from ...shipped import shipped_file
from ..report.markdown import to_markdown
from ..report.page import render_report
from ..retrieval_health import RELEASED
from ..statistics import holm
from .answers import answer_entries
from .config import Experiment, Plan
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
    answers = answer_entries(plan, sources, layout)
    return {
        "title": experiment.title,
        "experiment": plan.name,
        "settings": experiment.model_dump(),
        "reader": plan.reader,
        "pipelines": {arm.pipeline: about(arm.pipeline) for arm in experiment.arms.values()},
        "corpora": [_corpus(source, experiment) for source in sources],
        "overlaps": overlaps,
        "scores": scores,
        "differences": with_holm(differences),
        "comparisons": with_holm(compare_all(plan, sources, layout)),
        "mentions": [mention_entry(experiment, source, layout) for source in sources],
        "chunk_health": [e for source in sources for e in chunk_entries(experiment, source, layout)],
        "retrieval_health": [e for source in sources for e in retrieval_entries(experiment, source, layout)],
        "released": RELEASED,
        **answers,
        "answer_differences": with_holm(answers["answer_differences"]),
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


def about(pipeline: str) -> str:
    """What a pipeline does: the comment that its config begins with, up to how to build it; "" where there is none."""
    path = Path(pipeline) if pipeline.endswith(".cfg") else shipped_file("pipelines", pipeline)
    lines = path.read_text(encoding="utf-8-sig").splitlines()
    header = takewhile(lambda line: line.startswith("#") and not line.startswith("# Build it"), lines)
    return " ".join(line.lstrip("# ").strip() for line in header)


def with_holm(entries: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Differences with `p_holm`, corrected for all of the list."""
    corrected = holm([entry["p"] for entry in entries])
    return [{**entry, "p_holm": p} for entry, p in zip(entries, corrected, strict=True)]


def _corpus(source: Source, experiment: Experiment) -> dict[str, Any]:
    found: dict[str, Any] = {
        "view": source.view,
        "dataset": source.dataset,
        "split": source.split,
        "store_split": source.store_split,
        **{part: len(source.records(part)) for part in ("train", "store", "scored")},
    }
    if "pairs" in experiment.datasets[source.dataset]:
        pairs = [p for record in source.records("scored") for p in make_gold(record, task="pairs").relations]
        found["pairs"] = {"asked": len(pairs), "without relation": sum(p is None for p in pairs)}
    return found

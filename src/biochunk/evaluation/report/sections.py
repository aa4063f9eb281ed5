"""What a report says, in order: sections of paragraphs and tables."""

from typing import Any

from .comparisons import comparison_tables, rules_or_recogniser
from .setting import arms_table, corpus_table, setting
from .summary import summary, summary_tables
from .tables import (
    TASKS,
    Results,
    Section,
    answer_tables,
    dataset_name,
    health_tables,
    mention_table,
    paper_table,
    part_tables,
    percent,
    relation_tables,
    retrieval_tables,
    score_tables,
)


def sections(results: Results) -> list[Section]:
    """All sections of a report; those without any content are left out."""
    scores = score_tables(results)
    found = [
        Section("What was compared", tuple(setting(results)), (arms_table(results), corpus_table(results))),
        Section("In short", tuple(summary(results)), tuple(summary_tables(results))),
        Section("Scores", (*_precision(results), _TESTS) if scores else (), tuple(scores)),
        Section("Arms compared with each other", _stated(results), tuple(comparison_tables(results))),
        Section("Published numbers", (), (paper_table(results),)),
        Section("From published to clean text", tuple(_clean(results)), ()),
        Section("Which part is wrong", (_PARTS,), (mention_table(results), *part_tables(results))),
        Section("By relation", (_RELATIONS,), tuple(relation_tables(results))),
        Section("Chunk health", (_CHUNKS,), tuple(health_tables(results))),
        Section("Retrieval health", (_RETRIEVAL,), tuple(retrieval_tables(results))),
        Section("Answer retrieval", tuple(_answers(results)), tuple(answer_tables(results))),
    ]
    # A text alone is a section only where it is made from the figures.
    told = ("What was compared", "In short", "Arms compared with each other", "From published to clean text")
    return [s for s in found if any(table.rows for table in s.tables) or (s.text and s.title in told)]


_TESTS = (
    "Seeds are joined item by item before any interval or test: intervals and p say what hangs on the choice of items, "
    "± what hangs on the seed. p is that of the difference in F1; p (Holm) is corrected for all such differences of "
    "the report. McNemar's test asks something else: whether one arm has more items entirely right than the other, an "
    "item being right where most seeds have it right."
)
_PARTS = (
    "F1 in % of heads, relations and tails alone, and of the pair with and without its direction, mean over seeds. The "
    "mentions that are offered set the ceiling of triples."
)
_RELATIONS = "F1 in % of each relation, mean over seeds; few gold triples say little."
_CHUNKS = (
    "Of the chunks that are stored and ask, against the gold annotation. Chunks per sentence and words per chunk are "
    "means, the others shares in %: gold mentions that a chunk's border cuts, and gold triples with both mentions in "
    "one chunk, with a trigger of their relation in it too, or with both in chunks, be it different ones. Arms with a "
    "scorer are left out: it orders retrieved evidence and cuts nothing."
)
_RETRIEVAL = (
    "An arm's evidence in the order in which its reader sees it; shares in % of the queries, a query being a scored "
    "sentence. Served is the first chunk of each query. A hit is a chunk whose label is a gold relation of the query. "
    "The last column is the hit-rate of always serving the most common relation of train."
)
_ANSWERS = (
    "Each gold triple asks with its head mention and its relation's definition; a passage answers when it holds the "
    "head and the tail of that triple in that sentence.",
    "An arm's index is a cover of each sentence by its candidates, with about as many words as the sentence has; fixed "
    "windows and other packages' chunkers have the same mean words. Whole sentences and the arm's first slots alone "
    "stand beside them. Arms with equal pipelines have equal indexes and stand here once.",
    "Held: questions that some passage of the index answers, in %, the ceiling of recall. Recall@k: questions answered "
    "by the first k passages, in %; its 95 % interval draws sentences with all their questions. Words read: mean words "
    "of the passages up to the answer, at most 500. Words per sentence: words in the index for each sentence, more "
    "than it has where passages overlap. The MiniLM encoder runs on text without marks.",
)


def _answers(results: Results) -> list[str]:
    # Results of an earlier version have none.
    return [
        *_ANSWERS,
        *(
            f"{dataset_name(e['dataset'])}, {e['view']}, encoder {e['encoder']}: `{e['chunker']}` and {e['other']} are "
            f"not comparable. {e['why']}."
            for e in results.get("not_comparable", [])
        ),
    ]


def _stated(results: Results) -> tuple[str, ...]:
    said = rules_or_recogniser(results)
    return (said,) if said else ()


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
    return ["; ".join(said) + ". A difference whose interval holds 0 is no gain."]


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

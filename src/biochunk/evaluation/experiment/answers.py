"""Fourth stage: answer retrieval, each semantic arm beside fixed windows and peers of the same mean words."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ...biomedrag.from_doc import read_sentences
from ...files import whole_file
from ..answer_retrieval import (
    Answers,
    Query,
    QueryForm,
    answer_scores,
    find_answers,
    questions,
    sentence_numbers,
)
from ..equal_words import FIXED, MakeCut, NotComparableError, at_mean_words
from ..passages import Passage, covering_passages, index_size, selected_passages
from ..peers import PEERS
from ..remembering import Remembering
from ..statistics import mean_difference, mean_interval
from .analyse import CODE as ANALYSE_CODE
from .analyse import dataset_of, make_pipeline, pipeline_inputs
from .cells import Cell, key_of
from .config import Arm, Encoding, Experiment, Plan
from .corpus import Source
from .encoders import make_encoder
from .layout import Layout, pipeline_name
from .pool import make_all

# Pieces of a sentence that an index chooses from: about all that an arm has.
POOL = 32
# How a question is encoded: the form by which whole sentences are found best, on train slices. An encoder that averages
# words hears a definition of 25 words louder than the head.
_FORMS: dict[Encoding, QueryForm] = {"static": "sum", "minilm": "text"}
# At how many passages the difference of recall is taken.
_K = 5
_CODE = (
    *ANALYSE_CODE,
    "evaluation/answer_retrieval.py",
    "evaluation/equal_words.py",
    "evaluation/passages.py",
    "evaluation/peers.py",
    "evaluation/remembering.py",
    "evaluation/statistics.py",
    "corpora/splits.py",
    "evaluation/experiment/answers.py",
)


def answer(plan: Plan, sources: list[Source], layout: Layout, *, table: Path, processes: int) -> None:
    """Run answer retrieval for the datasets and encoders of the experiment.

    table (Path): Folder of the static table.
    """
    cells = answer_cells(plan, sources, layout, table)
    # What takes minutes starts first.
    cells.sort(key=lambda cell: cell.args[3] == "static")
    make_all(cells, title="Answer retrieval", processes=processes, unit="indexes")


def answer_cells(plan: Plan, sources: list[Source], layout: Layout, table: Path) -> list[Cell]:
    """What `answer` makes."""
    return [
        Cell(
            outputs=(layout.answers(source.view, source.dataset, encoding),),
            key=_key(plan.experiment, source, encoding, table),
            work=_answer,
            args=(plan.experiment, source, layout, encoding, table),
        )
        for source, encoding in _asked(plan, sources)
    ]


def answer_entries(plan: Plan, sources: list[Source], layout: Layout) -> dict[str, list[Any]]:
    """Entries of `answers`, `answer_differences` and `not_comparable`, by these names, as they were written."""
    entries: dict[str, list[Any]] = {"answers": [], "answer_differences": [], "not_comparable": []}
    for source, encoding in _asked(plan, sources):
        path = layout.answers(source.view, source.dataset, encoding)
        found = json.loads(path.read_text("utf-8"))
        for name, own in entries.items():
            own += found[name]
    return entries


def _asked(plan: Plan, sources: list[Source]) -> Iterator[tuple[Source, Encoding]]:
    for source in sources:
        for encoding in plan.experiment.answers.get(source.dataset, ()):
            if encoding != "minilm" or source.view != "published":
                # The transformer takes minutes, and on published text padding gives the mentions away.
                yield source, encoding


def _answer(experiment: Experiment, source: Source, layout: Layout, encoding: Encoding, table: Path) -> None:
    definitions = {name: relation.definition for name, relation in dataset_of(source.dataset).relations.items()}
    asked = questions(source.records("scored"), definitions)
    encoder = Remembering(make_encoder(encoding, table))
    place = {"view": source.view, "dataset": source.dataset, "encoder": encoding}
    answers: list[dict[str, Any]] = []
    differences: list[dict[str, Any]] = []
    not_comparable: list[dict[str, Any]] = []

    def run(name: str, index: list[Passage]) -> Answers:
        found = find_answers(index, asked.queries, encoder, form=_FORMS[encoding])
        answers.append({**place, "chunker": name, **_entry(index, found, asked.queries, len(asked.texts), experiment)})
        return found

    run("sentence", [Passage(key, 0, len(text), text) for key, text in asked.texts.items()])
    for name, arm in _first_of_each(experiment):
        if arm.pipeline in ("fixed", "fixed_strict", "sentence"):
            continue
        nlp = make_pipeline(arm, experiment.model_copy(update={"pieces": POOL}), source, table)
        sentences = list(read_sentences(nlp, asked.texts.items()))
        index = [passage for sentence in sentences for passage in covering_passages(sentence)]
        ours = run(name, index)
        run(f"{name}, slots 1 to {arm.top_k}", [p for s in sentences for p in selected_passages(s, arm.top_k)])
        mean = index_size(index, len(asked.texts)).words_per_passage
        for other, make in _rivals(experiment).items():
            try:
                rival = at_mean_words(asked.texts, make, mean, name=other)
            except NotComparableError as error:
                not_comparable.append({**place, "chunker": name, "other": other, "why": str(error)})
                continue
            theirs = run(f"{other} at {mean:.1f} words", rival)
            found = mean_difference(
                ours.hits(_K),
                theirs.hits(_K),
                groups=sentence_numbers(asked.queries),
                resamples=experiment.resamples,
            )
            differences.append(
                {
                    **place,
                    "chunker": name,
                    "other": other,
                    "measure": f"recall@{_K}",
                    "difference": found.value,
                    "interval": [found.low, found.high],
                    "p": found.p,
                }
            )
    with whole_file(layout.answers(source.view, source.dataset, encoding)) as file:
        entries = {"answers": answers, "answer_differences": differences, "not_comparable": not_comparable}
        json.dump(entries, file, indent=1)


def _first_of_each(experiment: Experiment) -> Iterator[tuple[str, Arm]]:
    """Arms with different pipelines: what the chain does with their chunks does not matter here."""
    seen = set()
    for name, arm in experiment.arms.items():
        if pipeline_name(arm) not in seen:
            seen.add(pipeline_name(arm))
            yield name, arm


def _rivals(experiment: Experiment) -> Mapping[str, MakeCut]:
    return {"fixed": FIXED["fixed"], **{name: PEERS[name] for name in experiment.peers}}


def _entry(
    index: list[Passage], found: Answers, queries: tuple[Query, ...], sentences: int, experiment: Experiment
) -> dict[str, Any]:
    scores, size = answer_scores(found), index_size(index, sentences)
    recall = mean_interval(found.hits(_K), groups=sentence_numbers(queries), resamples=experiment.resamples)
    return {
        "queries": scores.queries,
        "passages": size.passages,
        "words per passage": size.words_per_passage,
        "words per sentence": size.words_per_sentence,
        "held": scores.held,
        "recall@1": scores.recall_at_1,
        "recall@5": scores.recall_at_5,
        "interval": [recall.low, recall.high],
        "recall@10": scores.recall_at_10,
        "mean reciprocal rank": scores.mrr,
        "words read": scores.words_read,
    }


def _key(experiment: Experiment, source: Source, encoding: Encoding, table: Path) -> str:
    # What the chain does with chunks changes nothing here. A list, as of arms with one pipeline the first counts.
    ignored = {"pick", "hubness", "scorer", "own_mentions"}
    arms = [(name, arm.model_dump(exclude=ignored)) for name, arm in experiment.arms.items()]
    inputs = [path for arm in experiment.arms.values() for path in pipeline_inputs(arm, source, table)]
    return key_of(arms, encoding, experiment.peers, experiment.resamples, code=_CODE, inputs=[source.scored, *inputs])

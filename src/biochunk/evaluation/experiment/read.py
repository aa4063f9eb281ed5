"""Third stage: readers learn from train and answer the scored split, once a seed."""

import json
from pathlib import Path

from ...biomedrag.examples import make_example, make_gold
from ...biomedrag.files import load_evidence, load_sentences
from ...biomedrag.items import Evidence, Example, Gold, Sentence, Task
from ...biomedrag.predictions import make_prediction, write_predictions
from ...biomedrag.ty import Reseedable
from ...biomedrag.visible import Visible, within_budget
from ...corpora.records import Record
from ...shipped import shipped_file
from .analyse import PARTS, dataset_of, pipeline_names
from .cells import Cell, key_of
from .config import Arm, Experiment, Input, Plan
from .corpus import Source
from .layout import Layout, pipeline_name, retrieval_name
from .pool import make_all

_CODE = (
    "biomedrag/readers",
    "biomedrag/examples.py",
    "biomedrag/items.py",
    "biomedrag/visible.py",
    "evaluation/experiment/read.py",
)


def read(plan: Plan, sources: list[Source], layout: Layout, *, processes: int) -> None:
    """Train and run the reader for every arm, task, input and seed."""
    make_all(read_cells(plan, sources, layout), title="Readers", processes=processes, unit="readers")


def read_cells(plan: Plan, sources: list[Source], layout: Layout) -> list[Cell]:
    """What `read` makes. What the stages before make must be there."""
    experiment = plan.experiment
    return [
        Cell(
            outputs=tuple(prediction_paths(plan, source, layout, task, name, given)),
            key=_key(plan, source, layout, task, name, given),
            work=_read,
            args=(plan, source, layout, task, name, given),
        )
        for source in sources
        for task in experiment.datasets[source.dataset]
        for given in experiment.inputs
        for name in experiment.reading(given)
    ]


def prediction_paths(plan: Plan, source: Source, layout: Layout, task: Task, arm: str, given: Input) -> list[Path]:
    """Predictions files of one reader, one a seed."""
    seeds = plan.experiment.seeds
    return [layout.predictions(source.view, source.dataset, task, arm, given, seed) for seed in seeds]


def examples_of(
    experiment: Experiment, source: Source, layout: Layout, part: str, *, task: Task, arm: Arm, given: Input
) -> tuple[list[Example], list[Gold]]:
    """What the reader sees of one split under one arm, and what it should answer.

    part (str): "train" or "scored".
    given (str): "sentence": the sentence and what was retrieved; "evidence": its selected chunks alone.
    """
    records = source.records(part)
    sentences = load_sentences(layout.sentences(source.view, source.dataset, pipeline_name(arm), part))
    offered = sentences
    if not arm.own_mentions:
        name = pipeline_name(Arm(pipeline=experiment.mentions))
        offered = load_sentences(layout.sentences(source.view, source.dataset, name, part))
    evidence: dict[str, tuple[Evidence, ...]] = {record.id: () for record in records}
    if given == "sentence":
        evidence = load_evidence(_evidence_path(experiment, source, layout, part, arm))
    examples, gold = [], []
    for record, sentence, other in zip(records, sentences, offered, strict=True):
        visible = _visible(record, sentence, task, experiment.budget) if given == "evidence" else None
        shown = evidence[record.id][: experiment.shown]
        examples.append(
            make_example(record, sentence, task=task, mentions=other.mentions, evidence=shown, visible=visible)
        )
        gold.append(make_gold(record, task=task, visible=visible))
    return examples, gold


def visible_texts(
    experiment: Experiment, source: Source, layout: Layout, task: Task, arm: Arm, given: Input
) -> dict[str, str]:
    """What a reader of evidence alone sees of each scored sentence, by record id; nothing where it sees all of it."""
    if given == "sentence":
        return {}
    path = layout.sentences(source.view, source.dataset, pipeline_name(arm), "scored")
    pairs = zip(source.records("scored"), load_sentences(path), strict=True)
    return {record.id: _visible(record, found, task, experiment.budget).text for record, found in pairs}


def _visible(record: Record, sentence: Sentence, task: Task, budget: int) -> Visible:
    return Visible(record.text, within_budget(record.text, sentence.pieces, budget))


def _evidence_path(experiment: Experiment, source: Source, layout: Layout, part: str, arm: Arm) -> Path:
    order = "scorer" if arm.scorer else "cosine"
    return layout.evidence(source.view, source.dataset, retrieval_name(arm, experiment), part, order=order)


def _read(plan: Plan, source: Source, layout: Layout, task: Task, name: str, given: Input) -> None:
    experiment = plan.experiment
    arm = experiment.arms[name]
    relations = list(dataset_of(source.dataset).relations)
    (train, train_gold), (scored, gold) = (
        examples_of(experiment, source, layout, part, task=task, arm=arm, given=given) for part in PARTS
    )
    reader = plan.make_reader(experiment.seeds[0])
    for seed, path in zip(experiment.seeds, prediction_paths(plan, source, layout, task, name, given), strict=True):
        reader = reader.reseeded(seed) if isinstance(reader, Reseedable) else plan.make_reader(seed)
        reader.fit(train, train_gold, task=task, relations=relations)
        answers = reader.predict(scored)
        rows = zip(scored, answers, gold, strict=True)
        write_predictions(path, (make_prediction(example, answer, one, task=task) for example, answer, one in rows))


def _key(plan: Plan, source: Source, layout: Layout, task: Task, name: str, given: Input) -> str:
    experiment = plan.experiment
    arm = experiment.arms[name]
    pipelines = pipeline_names(arm, experiment)
    inputs = [source.train, source.scored, shipped_file("datasets", source.dataset)]
    inputs += [layout.sentences(source.view, source.dataset, p, part) for p in pipelines for part in PARTS]
    if given == "sentence":
        inputs += [_evidence_path(experiment, source, layout, part, arm) for part in PARTS]
    own = experiment.budget if given == "evidence" else experiment.shown
    settings = [task, given, own, experiment.seeds, arm.own_mentions]
    return key_of(json.dumps(plan.reader, sort_keys=True), *settings, code=_CODE, inputs=inputs)

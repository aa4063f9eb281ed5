"""Between retrieval and readers: the chunk scorer, learned on train, puts the evidence of sentences in its order."""

from pathlib import Path
from typing import cast

from ...biomedrag.files import save_evidence
from ...biomedrag.gains import evidence_gains
from ...biomedrag.items import Task
from ...biomedrag.readers.linear import LinearReader
from ...biomedrag.scorer import LinearScorer, reordered
from ...biomedrag.ty import GradedReader
from ...shipped import shipped_file
from .analyse import PARTS, dataset_of, pipeline_names
from .cells import Cell, key_of
from .config import Arm, Experiment, Plan
from .corpus import Source
from .layout import Layout, retrieval_name
from .pool import make_all
from .read import examples_of

_CODE = (
    "biomedrag/gains.py",
    "biomedrag/scorer.py",
    "biomedrag/scorer_features.py",
    "biomedrag/examples.py",
    "biomedrag/readers",
    "evaluation/experiment/order.py",
)


def order(plan: Plan, sources: list[Source], layout: Layout, *, processes: int) -> None:
    """Train the scorer of every arm that has one, and write its order of the evidence.

    Its signal is the linear reader's success on train, whatever reader the experiment has: it grades a chunk in
    milliseconds.
    """
    make_all(order_cells(plan, sources, layout), title="Chunk scorers", processes=processes, unit="scorers")


def order_cells(plan: Plan, sources: list[Source], layout: Layout) -> list[Cell]:
    """What `order` makes. What was retrieved must be there."""
    experiment = plan.experiment
    arms = {retrieval_name(arm, experiment): arm for arm in experiment.arms.values() if arm.scorer}
    return [
        Cell(
            outputs=(
                layout.scorer(source.view, source.dataset, name),
                *(layout.evidence(source.view, source.dataset, name, part, order="scorer") for part in PARTS),
            ),
            key=_key(arm, experiment, source, layout),
            work=_order,
            args=(arm, experiment, source, layout),
        )
        for source in sources
        for name, arm in arms.items()
    ]


def _order(arm: Arm, experiment: Experiment, source: Source, layout: Layout) -> None:
    task = _task(experiment, source)
    retrieved = arm.model_copy(update={"scorer": False})
    everything = experiment.model_copy(update={"shown": experiment.retrieved * arm.top_k})
    relations = list(dataset_of(source.dataset).relations)
    name = retrieval_name(arm, experiment)
    scorer = LinearScorer()
    folder = layout.scorer(source.view, source.dataset, name)
    for part in PARTS:
        examples, gold = examples_of(everything, source, layout, part, task=task, arm=retrieved, given="sentence")
        if part == "train":
            gains = evidence_gains(_make_reader, examples, gold, task=task, relations=relations)
            scorer.fit(examples, gains)
            scorer.to_disk(folder)
            # From disk, so that what is used is what is kept.
            scorer = LinearScorer().from_disk(folder)
        path = layout.evidence(source.view, source.dataset, name, part, order="scorer")
        save_evidence(path, ((example.id, example.evidence) for example in reordered(scorer, examples)))


def _make_reader(seed: int) -> GradedReader:
    return cast(GradedReader, LinearReader(seed=seed))


def _task(experiment: Experiment, source: Source) -> Task:
    return experiment.datasets[source.dataset][0]


def _key(arm: Arm, experiment: Experiment, source: Source, layout: Layout) -> str:
    inputs: list[Path] = [source.train, source.scored, shipped_file("datasets", source.dataset)]
    for part in PARTS:
        name = retrieval_name(arm, experiment)
        inputs.append(layout.evidence(source.view, source.dataset, name, part, order="cosine"))
        inputs += [
            layout.sentences(source.view, source.dataset, pipeline, part)
            for pipeline in pipeline_names(arm, experiment)
        ]
    return key_of(arm.top_k, experiment.retrieved, _task(experiment, source), code=_CODE, inputs=inputs)

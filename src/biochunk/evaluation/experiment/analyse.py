"""First stage: every arm's pipeline over the texts of every split."""

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from spacy.language import Language
from spacy.util import get_package_path

from ...biomedrag.files import save_sentences
from ...biomedrag.from_doc import read_sentences
from ...biomedrag.items import Sentence
from ...build import build_pipeline, wants_table
from ...build import read_arm as read_pipeline
from ...corpora.records import Record
from ...schemas import Dataset, read_dataset
from ...shipped import shipped_file
from ...triggers.collect import gold_relations
from .cells import Cell, key_of
from .config import Arm, Experiment, Plan
from .corpus import Source
from .layout import Layout, pipeline_name
from .pool import make_all

# What decides about a pipeline's output, beside its config.
CODE = (
    "chunking",
    "pipeline",
    "encoders",
    "data",
    "build.py",
    "schemas.py",
    "schema_parameters.py",
    "schema_values.py",
    "spans.py",
    "extensions.py",
    "tokenizer.py",
    "biomedrag/from_doc.py",
)
PARTS = ("train", "scored")


def analyse(plan: Plan, sources: list[Source], layout: Layout, *, table: Path, processes: int) -> None:
    """Run every arm that an experiment needs over train and the scored split.

    table (Path): Folder of the static table.
    """
    make_all(analyse_cells(plan, sources, layout, table), title="Chunks", processes=processes, unit="pipelines")


def analyse_cells(plan: Plan, sources: list[Source], layout: Layout, table: Path) -> list[Cell]:
    """What `analyse` makes."""
    arms = distinct_pipelines(plan.experiment)
    return [
        Cell(
            outputs=tuple(layout.sentences(source.view, source.dataset, name, part) for part in PARTS),
            key=_key(arm, plan.experiment, source, table),
            work=_analyse,
            args=(arm, plan.experiment, source, layout, table),
        )
        for source in sources
        for name, arm in arms.items()
    ]


def distinct_pipelines(experiment: Experiment) -> dict[str, Arm]:
    """All pipelines of an experiment, by `pipeline_name`, with the one whose entities the reader is offered."""
    arms = [Arm(pipeline=experiment.mentions), *experiment.arms.values()]
    return {pipeline_name(arm): arm for arm in arms}


def pipeline_names(arm: Arm, experiment: Experiment) -> list[str]:
    """The pipelines whose output an arm's reader sees: its own, and the one whose entities it is offered."""
    offered = arm if arm.own_mentions else Arm(pipeline=experiment.mentions)
    return sorted({pipeline_name(arm), pipeline_name(offered)})


def make_pipeline(arm: Arm, experiment: Experiment, source: Source, table: Path) -> Language:
    """The pipeline of an arm for one dataset, with as many chunks as the experiment looks at."""
    dataset = dataset_of(source.dataset)
    if arm.weights_from_prior:
        dataset = with_prior_weights(dataset, source.records("train"))
    overrides = {**arm.overrides, "components.hybrid_selector.top_k": experiment.pieces}
    encoder = table if wants_table(read_pipeline(arm.pipeline)) else None
    return build_pipeline(dataset, arm=arm.pipeline, overrides=overrides, encoder=encoder)


def dataset_of(name: str) -> Dataset:
    """The dataset file of a benchmark that comes with the package."""
    return read_dataset(shipped_file("datasets", name))


def with_prior_weights(dataset: Dataset, train: list[Record]) -> Dataset:
    """A dataset whose weights say only how common a relation is: from 1 to the highest weight it had, by its share in
    train. The control "label prior alone" of the hierarchy.
    """
    counts = Counter(label for record in train for label in gold_relations(record, dataset.relations))
    highest = max(relation.weight for relation in dataset.relations.values())
    most = max(counts.values(), default=1)
    relations = {
        name: relation.model_copy(update={"weight": 1 + (highest - 1) * counts[name] / most})
        for name, relation in dataset.relations.items()
    }
    return dataset.model_copy(update={"relations": relations})


def analysed(nlp: Language, records: Iterable[Record]) -> Iterator[Sentence]:
    """What an arm finds in records. It is shown their ids and texts and nothing else."""
    return read_sentences(nlp, ((record.id, record.text) for record in records))


def _analyse(arm: Arm, experiment: Experiment, source: Source, layout: Layout, table: Path) -> None:
    nlp = make_pipeline(arm, experiment, source, table)
    for part in PARTS:
        path = layout.sentences(source.view, source.dataset, pipeline_name(arm), part)
        save_sentences(path, analysed(nlp, source.records(part)))


def pipeline_inputs(arm: Arm, source: Source, table: Path) -> list[Path]:
    """Files that an arm's pipeline is made from."""
    config = Path(arm.pipeline) if arm.pipeline.endswith(".cfg") else shipped_file("pipelines", arm.pipeline)
    # A config may hold just what differs from "hybrid".
    found = [config, shipped_file("pipelines", "hybrid"), shipped_file("datasets", source.dataset)]
    if arm.needs:
        # A recogniser that was trained anew has other files.
        found += sorted(path for path in get_package_path(arm.needs).rglob("*") if path.is_file())
    return [*found, *sorted(table.glob("*.*")), *([source.train] if arm.weights_from_prior else [])]


def _key(arm: Arm, experiment: Experiment, source: Source, table: Path) -> str:
    inputs = [source.train, source.scored, *pipeline_inputs(arm, source, table)]
    return key_of(arm.overrides, arm.weights_from_prior, experiment.pieces, code=CODE, inputs=inputs)

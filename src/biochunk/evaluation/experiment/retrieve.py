"""Second stage: the chunk stores, and the evidence that every sentence gets from them."""

from pathlib import Path

from ...biomedrag.files import load_sentences, save_evidence
from ...biomedrag.labelled import labelled_sentences
from ...biomedrag.retrieval import Retriever
from ...biomedrag.store import About, ChunkStore, build_store, stored_rows
from .analyse import CODE as ANALYSE_CODE
from .analyse import PARTS, dataset_of, make_pipeline, pipeline_inputs
from .cells import Cell, key_of
from .config import Arm, Experiment, Plan
from .corpus import Source
from .encoders import make_encoder
from .layout import Layout, pipeline_name, retrieval_name
from .pool import make_all

_CODE = (
    *ANALYSE_CODE,
    "biomedrag/chunk_vectors.py",
    "biomedrag/hubness.py",
    "biomedrag/index.py",
    "biomedrag/labelled.py",
    "biomedrag/retrieval.py",
    "biomedrag/store.py",
)


def retrieve(plan: Plan, sources: list[Source], layout: Layout, *, table: Path, processes: int) -> None:
    """Build the store of every arm and retrieve from it for train and the scored split.

    table (Path): Folder of the static table.
    """
    make_all(retrieve_cells(plan, sources, layout, table), title="Retrieval", processes=processes, unit="stores")


def retrieve_cells(plan: Plan, sources: list[Source], layout: Layout, table: Path) -> list[Cell]:
    """What `retrieve` makes. The chunks of the stage before must be there."""
    experiment = plan.experiment
    arms = {retrieval_name(arm, experiment): arm for arm in experiment.arms.values()}
    return [
        Cell(
            outputs=(
                layout.store(source.view, source.dataset, name),
                *(layout.evidence(source.view, source.dataset, name, part, order="cosine") for part in PARTS),
            ),
            key=_key(arm, experiment, source, layout, table),
            work=_retrieve,
            args=(arm, experiment, source, layout, table),
        )
        for source in sources
        for name, arm in arms.items()
    ]


def _retrieve(arm: Arm, experiment: Experiment, source: Source, layout: Layout, table: Path) -> None:
    nlp = make_pipeline(arm, experiment, source, table)
    encoder = make_encoder(experiment.store_encoder, table)
    relations = list(dataset_of(source.dataset).relations)
    rows = stored_rows(labelled_sentences(source.records("store"), nlp, relations), top_k=arm.top_k)
    about = About(
        dataset=source.dataset, split=source.store_split, arm=pipeline_name(arm), encoder=experiment.store_encoder
    )
    name = retrieval_name(arm, experiment)
    folder = layout.store(source.view, source.dataset, name)
    build_store(rows, encoder, about).to_disk(folder)
    # From disk, so that what is used is what is kept.
    retriever = Retriever(ChunkStore.from_disk(folder), encoder, hubness=arm.hubness)
    for part in PARTS:
        sentences = load_sentences(layout.sentences(source.view, source.dataset, pipeline_name(arm), part))
        found = retriever.retrieve(sentences, k=experiment.retrieved, pick=arm.pick, asking=arm.top_k)
        path = layout.evidence(source.view, source.dataset, name, part, order="cosine")
        save_evidence(path, zip((sentence.id for sentence in sentences), found, strict=True))


def _key(arm: Arm, experiment: Experiment, source: Source, layout: Layout, table: Path) -> str:
    sentences = [layout.sentences(source.view, source.dataset, pipeline_name(arm), part) for part in PARTS]
    return key_of(
        arm.model_dump(exclude={"scorer", "own_mentions"}),
        experiment.store_encoder,
        experiment.retrieved,
        experiment.pieces,
        source.store_split,
        code=_CODE,
        # A store's chunks are ranked for a relation, those of the sentences are not: equal ones may go with other
        # stores.
        inputs=[*sentences, source.store, *pipeline_inputs(arm, source, table)],
    )

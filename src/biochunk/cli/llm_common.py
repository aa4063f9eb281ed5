"""What `biochunk llm read` and `biochunk llm train` share."""

import sys
from collections.abc import Iterable
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer
from tqdm import tqdm

from ..errors import UsageError
from ..schemas import Dataset

if TYPE_CHECKING:
    from ..biomedrag.items import Task
    from ..biomedrag.readers.llm.feed import EvidenceSource

_Item = TypeVar("_Item")


class TaskOption(str, Enum):
    """What is asked."""

    auto = "auto"
    triples = "triples"
    pairs = "pairs"
    label = "label"


class DeviceOption(str, Enum):
    """Where a local model runs."""

    auto = "auto"
    cpu = "cpu"
    cuda = "cuda"


DatasetFile = Annotated[
    str, typer.Option("--dataset", metavar="FILE", help="Dataset file, or the name of one that comes with the package")
]
TaskChoice = Annotated[
    TaskOption,
    typer.Option(help="auto: label where the dataset is a classification, else triples; pairs: the entities are given"),
]
Examples = Annotated[
    int,
    typer.Option(min=0, max=20, help="Most retrieved chunks, and most train sentences, in a prompt (usual: 0, 1, 3)"),
]
Store = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Unified JSONL whose chunks are the evidence in prompts; needs --pipeline"),
]
Chunker = Annotated[str | None, typer.Option(help="Name or folder of the pipeline that makes chunks; needs --store")]
Device = Annotated[DeviceOption, typer.Option(help="Where a local model runs; auto: the GPU where there is one")]
Limit = Annotated[int | None, typer.Option(min=1, help="Read so many records from the beginning")]


def task_of(option: TaskOption, dataset: Dataset) -> "Task":
    """The task that is meant."""
    if option is TaskOption.auto:
        return "label" if dataset.task == "classification" else "triples"
    return option.value


def definitions_of(dataset: Dataset) -> dict[str, str]:
    """Definition of each relation."""
    return {name: relation.definition for name, relation in dataset.relations.items()}


def evidence_source(store: Path | None, pipeline: str | None, dataset: Dataset) -> "EvidenceSource | None":
    """Where evidence comes from; None where no store is given.

    RAISES (UsageError): If only one of the options is given.
    """
    if store is None and pipeline is None:
        return None
    if store is None or pipeline is None:
        raise UsageError("found one of --store and --pipeline, expected both or none")
    from ..biomedrag.readers.llm.feed import EvidenceSource
    from ..pipeline.load import load_pipeline

    return EvidenceSource(load_pipeline(pipeline), store, list(dataset.relations))


def bar(items: Iterable[_Item], total: int | None, what: str) -> Iterable[_Item]:
    """The same items, with a progress bar where stderr is a terminal."""
    return tqdm(items, total=total, unit=f" {what}", leave=False, disable=not sys.stderr.isatty())

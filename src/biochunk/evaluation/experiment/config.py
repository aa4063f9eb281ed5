"""What an experiment compares: the settings of a config file (configs/experiments/*.cfg); see `plans.read_plan`."""

from collections.abc import Callable
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field
from spacy import util

from ...biomedrag.items import Task
from ...biomedrag.ty import Reader

# What a reader sees of a sentence: all of it and what was retrieved, or the selected chunks alone.
Input = Literal["sentence", "evidence"]
Encoding = Literal["static", "minilm"]
Split = Literal["train", "dev", "test"]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Arm(_Strict):
    """One chunker, and what the chain does with its chunks.

    pipeline (str): Name of a pipeline config that comes with the package, or a .cfg file.
    overrides (dict): Values laid over it, by dotted name ("components.hybrid_selector.top_n").
    top_k (int): Chunks of a sentence that go into the store and ask it.
    pick (str): Which of the stored chunks a piece gets, "nearest" or "released".
    hubness (str): Correction of the similarities: "none", "centre" or "csls".
    scorer (bool): Whether the learned chunk scorer orders the evidence; else the order of retrieval.
    own_mentions (bool): Whether the reader is offered the entities of this arm, where the arm is about entities;
        else those of the experiment's `mentions`.
    needs (str): Name of an installed spaCy pipeline without which the arm is left out of the experiment; "" for none.
    weights_from_prior (bool): Control: in place of the hierarchy's weights the relations' shares in train.
    """

    pipeline: str
    overrides: dict[str, Any] = Field(default_factory=dict)
    top_k: int = Field(default=2, ge=1)
    pick: Literal["nearest", "released"] = "nearest"
    hubness: Literal["none", "centre", "csls"] = "csls"
    scorer: bool = False
    own_mentions: bool = False
    needs: str = ""
    weights_from_prior: bool = False


class Experiment(_Strict):
    """All settings of an experiment; everything that is not an arm is the same for all arms.

    title (str): Heading of the report.
    datasets (dict[str, list[Task]]): Datasets, and what is asked of them.
    views (list[str]): Views of the corpora ("published", "clean").
    arms (dict[str, Arm]): The arms by name.
    baseline (str): The arm that the others are compared with.
    mentions (str): Pipeline config whose entities are offered to the reader, the same in all arms.
    inputs (list[str]): What the reader sees; see `Input`.
    budget (int): Words of a sentence that a reader of evidence alone sees.
    pieces (int): Chunks of a sentence that evidence-only reading and answer retrieval choose from.
    retrieved (int): Stored chunks that each piece gets.
    shown (int): Retrieved chunks that the reader sees.
    store_split (str): What the store is built from.
    store_encoder (str): Encoder of the store, "static" or "minilm".
    answers (dict[str, list[Encoding]]): Datasets of the answer retrieval and its encoders; may be empty.
    peers (list[str]): Chunkers of other packages, for answer retrieval.
    seeds (list[int]): Seeds of the reader.
    resamples (int): Of the bootstrap.
    comparisons (list[tuple[str, str]]): Further pairs of arms to compare, the first less the second; a pair of which
        an arm is left out is not compared.
    """

    title: str
    datasets: dict[str, Annotated[list[Task], Field(min_length=1)]] = Field(min_length=1)
    views: list[str] = Field(min_length=1)
    arms: dict[str, Arm]
    baseline: str
    mentions: str = "hybrid"
    inputs: list[Input] = Field(default=["sentence"], min_length=1)
    budget: int = Field(default=16, ge=1)
    pieces: int = Field(default=6, ge=1)
    retrieved: int = Field(default=5, ge=1)
    shown: int = Field(default=5, ge=0)
    store_split: Split = "dev"
    store_encoder: Encoding = "static"
    answers: dict[str, Annotated[list[Encoding], Field(min_length=1)]] = Field(default_factory=dict)
    peers: list[str] = Field(default_factory=list)
    seeds: list[Annotated[int, Field(ge=0, lt=2**32)]] = Field(min_length=1)
    resamples: int = Field(default=10_000, ge=100)
    comparisons: list[tuple[str, str]] = Field(default_factory=list)

    def reading(self, given: Input) -> list[str]:
        """The arms that a reader of this input tells apart: without retrieved evidence a scorer changes nothing."""
        return [name for name, arm in self.arms.items() if given == "sentence" or not arm.scorer]


class Plan(BaseModel):
    """An experiment and the reader that it uses.

    name (str): Name of the config file without its ending.
    experiment (Experiment): The settings.
    reader (dict): The reader's block of the config: a registered builder under "@misc" and its arguments.
    left_out (dict[str, str]): Arms that need a pipeline that is not installed, and that pipeline.
    """

    name: str
    experiment: Experiment
    reader: dict[str, Any]
    left_out: dict[str, str] = Field(default_factory=dict)

    def make_reader(self, seed: int) -> Reader:
        """A new reader with a seed."""
        build: Callable[..., Reader] = util.registry.resolve({"reader": self.reader})["reader"]
        return build(seed=seed)

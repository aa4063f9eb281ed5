"""Where the files of an experiment lie, and which arms share them."""

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path

from .config import Arm, Experiment


@dataclass(frozen=True)
class Layout:
    """Paths under an experiment's folder. root (Path): The folder."""

    root: Path

    def sentences(self, view: str, dataset: str, pipeline: str, part: str) -> Path:
        """What a pipeline found. pipeline (str): See `pipeline_name`. part (str): "train" or "scored"."""
        return self.root / "sentences" / view / dataset / pipeline / f"{part}.jsonl"

    def store(self, view: str, dataset: str, retrieval: str) -> Path:
        """A chunk store, a folder. retrieval (str): See `retrieval_name`."""
        return self.root / "stores" / view / dataset / retrieval

    def evidence(self, view: str, dataset: str, retrieval: str, part: str, *, order: str) -> Path:
        """What was retrieved. order (str): "cosine" or "scorer"."""
        return self.root / "evidence" / view / dataset / retrieval / f"{part}.{order}.jsonl"

    def scorer(self, view: str, dataset: str, retrieval: str) -> Path:
        """A trained chunk scorer, a folder."""
        return self.root / "scorers" / view / dataset / retrieval

    def predictions(self, view: str, dataset: str, task: str, arm: str, given: str, seed: int) -> Path:
        """What a reader answered. given (str): "sentence" or "evidence"."""
        return self.root / "predictions" / view / dataset / task / arm / given / f"seed-{seed}.jsonl"

    def answers(self, view: str, dataset: str, encoder: str) -> Path:
        """Answer retrieval with one encoder."""
        return self.root / "answers" / view / dataset / f"{encoder}.json"

    @property
    def results(self) -> Path:
        return self.root / "results.json"

    @property
    def markdown(self) -> Path:
        return self.root / "report.md"

    @property
    def html(self) -> Path:
        return self.root / "report.html"


def pipeline_name(arm: Arm) -> str:
    """Name of an arm's pipeline: arms with equal pipelines share its output.

    A file of the user's is told apart by what it holds, as another file, or a config that comes with the package, may
    have its name.
    """
    settings: list[object] = [arm.overrides, arm.weights_from_prior]
    name = arm.pipeline
    if name.endswith(".cfg"):
        name = Path(name).stem
        settings.append(hashlib.sha256(Path(arm.pipeline).read_bytes()).hexdigest())
    return f"{name}-{_short(settings)}" if any(settings) else name


def retrieval_name(arm: Arm, experiment: Experiment) -> str:
    """Name of an arm's store and retrieval, and of its scorer, which sees the entities that the reader is offered."""
    settings: list[object] = [experiment.store_split, experiment.store_encoder, experiment.retrieved]
    if arm.scorer and arm.own_mentions:
        settings.append("own mentions")
    return f"{pipeline_name(arm)}-top{arm.top_k}-{arm.pick}-{arm.hubness}-{_short(settings)}"


def _short(value: object) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:8]

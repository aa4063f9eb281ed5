"""Scores of all predictions, and how sure the differences between arms are. All scores are shares from 0 to 1."""

from dataclasses import dataclass
from typing import Any

from ...biomedrag.items import Task
from ...biomedrag.metrics import Counts, Score, Scores
from ...biomedrag.predictions import read_predictions
from ..statistics import f1_difference, f1_interval, majority, mcnemar, spread
from .analyse import dataset_of
from .config import Experiment, Input, Plan
from .corpus import Source
from .layout import Layout
from .read import prediction_paths


@dataclass(frozen=True)
class Runs:
    """The runs of one arm on one source, task and input, one a seed."""

    scores: list[Scores]

    @property
    def counts(self) -> list[Counts]:
        return [scores.main for scores in self.scores]


def score_all(plan: Plan, sources: list[Source], layout: Layout) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Score every predictions file of an experiment.

    RETURNS (tuple[list[dict], list[dict]]): Entries of `scores` and of `differences`.
    """
    experiment = plan.experiment
    scores: list[dict[str, Any]] = []
    differences: list[dict[str, Any]] = []
    for source in sources:
        for task in experiment.datasets[source.dataset]:
            for given in experiment.inputs:
                where = {"view": source.view, "dataset": source.dataset, "task": task, "input": given}
                runs = {arm: _load(plan, source, layout, task, arm, given) for arm in experiment.reading(given)}
                for arm, of_arm in runs.items():
                    scores.append({**where, "arm": arm, **_entry(of_arm, experiment, source.dataset)})
                base = runs[experiment.baseline]
                for arm, of_arm in runs.items():
                    if arm != experiment.baseline:
                        found = _difference(of_arm, base, experiment.resamples)
                        differences.append({**where, "arm": arm, "baseline": experiment.baseline, **found})
    return scores, differences


def compare_all(plan: Plan, sources: list[Source], layout: Layout) -> list[dict[str, Any]]:
    """The differences of the experiment's `comparisons`; entries as those of `differences`."""
    experiment = plan.experiment
    found: list[dict[str, Any]] = []
    for source in sources:
        for task in experiment.datasets[source.dataset]:
            for given in experiment.inputs:
                where = {"view": source.view, "dataset": source.dataset, "task": task, "input": given}
                for arm, other in experiment.comparisons:
                    if not {arm, other}.issubset(experiment.reading(given)):
                        continue
                    runs, base = (_load(plan, source, layout, task, name, given) for name in (arm, other))
                    entry = _difference(runs, base, experiment.resamples)
                    found.append({**where, "arm": arm, "baseline": other, **entry})
    return found


def _load(plan: Plan, source: Source, layout: Layout, task: Task, arm: str, given: Input) -> Runs:
    paths = prediction_paths(plan, source, layout, task, arm, given)
    return Runs([read_predictions(path).scores() for path in paths])


def _entry(runs: Runs, experiment: Experiment, dataset: str) -> dict[str, Any]:
    by_seed = [counts.score() for counts in runs.counts]
    over_seeds = spread([score.f1 for score in by_seed])
    interval = f1_interval(runs.counts, resamples=experiment.resamples)
    return {
        "items": len(runs.counts[0]),
        "seeds": [{"seed": seed, **score._asdict()} for seed, score in zip(experiment.seeds, by_seed, strict=True)],
        "f1": over_seeds.mean,
        "sd": over_seeds.sd,
        "precision": spread([score.precision for score in by_seed]).mean,
        "recall": spread([score.recall for score in by_seed]).mean,
        "interval": [interval.low, interval.high],
        "parts": {
            view: spread([scores.counts[view].score().f1 for scores in runs.scores]).mean
            for view in runs.scores[0].counts
        },
        "relations": _relations(runs.scores, dataset),
    }


def _relations(scores: list[Scores], dataset: str) -> dict[str, dict[str, float]]:
    """Mean F1 of each relation, and its gold triples, by the name that the dataset file gives it."""
    # Scores fold case.
    written = {name.casefold(): name for name in dataset_of(dataset).relations}
    empty = Score(0.0, 0.0, 0.0, 0, 0, 0)
    names = sorted({name for one in scores for name in one.relations})
    found = {}
    for name in names:
        rows = [one.relations.get(name, empty) for one in scores]
        found[written.get(name.casefold(), name)] = {
            "f1": spread([row.f1 for row in rows]).mean,
            "gold": max(row.gold for row in rows),
        }
    return found


def _difference(arm: Runs, base: Runs, resamples: int) -> dict[str, Any]:
    found = f1_difference(arm.counts, base.counts, resamples=resamples)
    test = mcnemar(majority([c.exact for c in arm.counts]), majority([c.exact for c in base.counts]))
    return {
        "difference": found.value,
        "interval": [found.low, found.high],
        "p": found.p,
        "mcnemar": {"only_arm": test.only_a, "only_baseline": test.only_b, "p": test.p},
    }

"""A small experiment, and how tests run it."""

from collections.abc import Sequence
from pathlib import Path

from biochunk.evaluation.experiment.config import Arm, Plan
from biochunk.evaluation.experiment.plans import read_plan
from biochunk.evaluation.experiment.run import STAGES, run_stage


def small(**changes) -> Plan:
    plan = read_plan("evaluate")
    settings = {
        "datasets": {"gmciht": ["triples"], "ade": ["label"]},
        "arms": {
            "fixed": Arm(pipeline="fixed"),
            "hybrid": Arm(pipeline="hybrid"),
            "hybrid-scorer": Arm(pipeline="hybrid", scorer=True),
        },
        "seeds": [0, 1],
        "resamples": 200,
        "answers": {"gmciht": ["static"]},
        **changes,
    }
    return plan.model_copy(update={"experiment": plan.experiment.model_copy(update=settings)})


def run(plan: Plan, corpora: Path, out: Path, table: Path, stages: Sequence[str] = STAGES) -> list[str]:
    said: list[str] = []
    for stage in stages:
        run_stage(stage, plan, corpora, out, table=table, processes=1, on_step=lambda line: said.append(str(line)))
    return said

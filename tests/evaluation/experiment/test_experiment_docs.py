"""What docs/experiment.md says of a config."""

import json
import re
from pathlib import Path

from tests.evaluation.experiment.small import run

from biochunk.evaluation.experiment.config import Arm, Experiment
from biochunk.evaluation.experiment.plans import read_plan

TEXT = (Path(__file__).parents[3] / "docs" / "experiment.md").read_text("utf-8")


def test_the_example_runs_on_the_samples(tmp_path, samples, table):
    path = tmp_path / "my.cfg"
    path.write_text(re.search(r"```ini\n(.*?)```", TEXT, re.DOTALL)[1], "utf-8")
    run(read_plan(str(path)), samples, tmp_path / "out", table)
    results = json.loads((tmp_path / "out" / "results.json").read_text("utf-8"))
    assert [entry["arm"] for entry in results["scores"]] == ["fixed", "mine"]


def test_every_field_is_described():
    described = re.findall(r"^\| `(\w+)` \|", TEXT, re.MULTILINE)
    assert set(described) >= {*Experiment.model_fields, *Arm.model_fields}

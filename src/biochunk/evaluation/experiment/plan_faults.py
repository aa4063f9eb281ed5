"""What is wrong with an experiment whose values are each of the right kind."""

import re
from collections.abc import Iterable, Iterator
from importlib.metadata import entry_points
from typing import Any

from confection import ConfigValidationError
from spacy import util

from ...build import arm_config
from ...config_text import values
from ...errors import BiochunkError, Fault
from ...shipped import shipped_names
from ..peers import PEERS
from .config import Experiment, Plan

# Names of arms and views are names of folders.
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_+.-]{0,99}")
_FORM = "at most 100 letters, digits and - _ + . with a letter or a digit first"


def plan_faults(plan: Plan) -> list[Fault]:
    """All faults: names that stand for nothing, values given twice, settings that do not go together."""
    experiment = plan.experiment
    return [
        *_name_faults(experiment),
        *_repeated(experiment),
        *_pipeline_faults(experiment),
        *_setting_faults(experiment),
        *reader_faults(plan.reader),
    ]


def reader_faults(reader: dict[str, Any]) -> list[Fault]:
    """What is wrong with the section [reader]. The reader's builder is called, no reader is made."""
    known = sorted(point.name for point in entry_points(group="spacy_misc") if "_reader." in point.name)
    expected = f"one of: {', '.join(known)}; or a function of yours that is registered under spacy_misc"
    name = reader.get("@misc")
    if not isinstance(name, str):
        return [Fault("reader.@misc", "nothing" if name is None else repr(name), expected)]
    if not util.registry.has("misc", name):
        return [Fault("reader.@misc", repr(name), expected)]
    try:
        build = util.registry.resolve({"reader": reader})["reader"]
    except ConfigValidationError as error:
        return [Fault(*value) for value in values(error)]
    except BiochunkError as error:
        return [Fault("reader", f"options that it refuses ({error})", "others")]
    return [] if callable(build) else [Fault("reader.@misc", repr(name), expected)]


def _name_faults(experiment: Experiment) -> Iterator[Fault]:
    for where, names in (("arms", list(experiment.arms)), ("views", experiment.views)):
        yield from (Fault(f"experiment.{where}", f"the name {n!r}", _FORM) for n in names if not _NAME.fullmatch(n))
    arms = list(experiment.arms)
    yield from _unknown("baseline", [experiment.baseline], arms, "the baseline")
    yield from _unknown("comparisons", (name for pair in experiment.comparisons for name in pair), arms, "the arm")
    yield from _unknown("datasets", experiment.datasets, shipped_names("datasets"), "the dataset")
    yield from _unknown("answers", experiment.answers, list(experiment.datasets), "the dataset")
    yield from _unknown("peers", experiment.peers, list(PEERS), "the peer")


def _unknown(where: str, names: Iterable[str], known: list[str], what: str) -> list[Fault]:
    unknown = [name for name in dict.fromkeys(names) if name not in known]
    return [Fault(f"experiment.{where}", f"{what} '{name}'", f"one of: {', '.join(known)}") for name in unknown]


def _repeated(experiment: Experiment) -> Iterator[Fault]:
    lists: dict[str, list[Any]] = {
        "views": experiment.views,
        "inputs": experiment.inputs,
        "seeds": experiment.seeds,
        "peers": experiment.peers,
        "comparisons": experiment.comparisons,
        **{f"datasets.{name}": tasks for name, tasks in experiment.datasets.items()},
        **{f"answers.{name}": encodings for name, encodings in experiment.answers.items()},
    }
    for where, given in lists.items():
        for value in dict.fromkeys(value for value in given if given.count(value) > 1):
            yield Fault(f"experiment.{where}", f"{value!r} {given.count(value)} times", "each value once")


def _pipeline_faults(experiment: Experiment) -> Iterator[Fault]:
    pipelines: dict[str, tuple[str, dict[str, Any]]] = {"mentions": (experiment.mentions, {})}
    pipelines |= {f"arms.{name}.pipeline": (arm.pipeline, arm.overrides) for name, arm in experiment.arms.items()}
    for where, (pipeline, overrides) in pipelines.items():
        try:
            arm_config(pipeline, overrides)
        except BiochunkError as error:
            # The message says both what was found and what is expected.
            found, _, expected = str(error).partition(", expected ")
            found = found.partition("found ")[2] or found
            yield Fault(f"experiment.{where}", found, expected or "a pipeline's config")


def _setting_faults(experiment: Experiment) -> Iterator[Fault]:
    baseline = experiment.arms.get(experiment.baseline)
    if baseline and baseline.scorer and "evidence" in experiment.inputs:
        expected = "one without a scorer where the inputs have 'evidence'"
        yield Fault("experiment.baseline", f"'{experiment.baseline}', which has a scorer", expected)
    for name, arm in experiment.arms.items():
        if arm.top_k > experiment.pieces:
            yield Fault(f"experiment.arms.{name}.top_k", str(arm.top_k), f"at most `pieces` ({experiment.pieces})")

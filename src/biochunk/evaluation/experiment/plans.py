"""An experiment's config file, read and checked before any work."""

from pathlib import Path

from pydantic import ValidationError
from spacy import util

from ...config_text import config_problem, parse_config
from ...errors import BiochunkError, Fault, FileFaultsError, UsageError
from ...schema_faults import to_fault
from ...shipped import shipped_file, shipped_names
from .config import Plan
from .plan_faults import plan_faults


def read_plan(file: str) -> Plan:
    """Read an experiment's config.

    file (str): Name of one that comes with the package ("evaluate"), or a path that ends in ".cfg".
    RAISES (UsageError): When there is no such experiment.
    RAISES (FileFaultsError): With every fault of the file.
    """
    known = shipped_names("experiments")
    path = Path(file) if file.endswith(".cfg") else shipped_file("experiments", file)
    if not path.is_file() or not (file.endswith(".cfg") or file in known):
        names = ", ".join(known)
        raise UsageError(f"found the experiment '{file}', expected one of: {names}; or a config file that ends in .cfg")
    try:
        config = parse_config(path.read_text(encoding="utf-8-sig"), ["experiment", "reader"]).interpolate()
    except (OSError, ValueError) as error:
        raise BiochunkError(f"{file}: this config cannot be read: {config_problem(error)}") from None
    unknown = sorted(set(config) - {"experiment", "reader"})
    faults = [Fault(section, "an unknown section", "[experiment] or [reader]") for section in unknown]
    faults += [Fault(s, "nothing", f"the section [{s}]") for s in ("experiment", "reader") if s not in config]
    if not faults:
        try:
            plan = Plan(name=path.stem, experiment=config["experiment"], reader=config["reader"])
        except ValidationError as error:
            faults = [to_fault(detail, Plan) for detail in error.errors()]
        else:
            faults = plan_faults(plan)
    if faults:
        raise FileFaultsError(str(path), faults)
    return _installed(plan)


def _installed(plan: Plan) -> Plan:
    """The plan without the arms that need a pipeline which is not there."""
    arms = plan.experiment.arms
    left_out = {name: arm.needs for name, arm in arms.items() if arm.needs and not util.is_package(arm.needs)}
    if not left_out:
        return plan
    if plan.experiment.baseline in left_out:
        needed = left_out[plan.experiment.baseline]
        raise BiochunkError(f"{plan.name}: found no pipeline '{needed}', expected it, as the baseline arm needs it")
    kept = {name: arm for name, arm in arms.items() if name not in left_out}
    compared = [pair for pair in plan.experiment.comparisons if left_out.keys().isdisjoint(pair)]
    experiment = plan.experiment.model_copy(update={"arms": kept, "comparisons": compared})
    return plan.model_copy(update={"experiment": experiment, "left_out": left_out})

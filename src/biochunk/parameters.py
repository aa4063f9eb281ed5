"""Whether a dataset's `parameters` are options that the components take: each is tried on a real component."""

import re
from typing import Any

import spacy

from .errors import BiochunkError, Errors, Fault, FileFaultsError
from .pipeline.entity_spans import EntitySpans
from .schemas import Dataset

# The parts of E003, which a component raises for the first option that it refuses.
_PARTS = {"option": r"(?P<option>\w+)", "found": "(?P<found>.+)", "expected": "(?P<expected>.+?)", "name": r"\w+"}
_REFUSED = re.compile(
    re.sub(r"\\\{(\w+)\\\}", lambda match: _PARTS.pop(match[1], ".+"), re.escape(Errors.E003)), re.DOTALL
)


def check_parameters(dataset: Dataset, path: str) -> None:
    """Try the parameters beside the components' defaults; a recogniser named as entity source is loaded.

    The schema checks each option by itself; here they are checked against each other and against this machine.

    dataset (Dataset): A dataset that is right by its schema.
    path (str): Its file, as the user named it, for the error.
    RAISES (FileFaultsError): When a component refuses its options: one fault a component.
    """
    changed = dataset.parameters.model_dump(exclude_none=True)
    faults = [_fault(dataset, name, options) for name, options in changed.items() if options]
    found = [fault for fault in faults if fault is not None]
    if found:
        raise FileFaultsError(path, found)


def _fault(dataset: Dataset, component: str, options: dict[str, Any]) -> Fault | None:
    try:
        pipe = spacy.blank("en").add_pipe(component, config=options)
        if isinstance(pipe, EntitySpans):
            pipe.initialize(dataset=dataset)
    except Exception as error:
        # A pipeline that is named as entity source can be broken in any way.
        return _as_fault(component, options, error)
    return None


def _as_fault(component: str, options: dict[str, Any], error: Exception) -> Fault:
    where = f"parameters.{component}"
    refused = _REFUSED.fullmatch(str(error)) if isinstance(error, BiochunkError) else None
    if refused is None:
        if "source" in options:
            where = f"{where}.source"
        found = " ".join(f"{type(error).__name__}: {error}".split())
        return Fault(where, found, "options that the component takes")
    option = refused["option"]
    default = "" if option in options else " (the default)"
    return Fault(f"{where}.{option}", refused["found"] + default, refused["expected"])

"""Whether a dataset's `parameters` are options that the components take: each is tried on a real component."""

from typing import Any

import spacy

from .errors import Fault, FileFaultsError, OptionError
from .pipeline.entity_spans import EntitySpans
from .schemas import Dataset


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
    if isinstance(error, OptionError):
        default = "" if error.option in options else " (the default)"
        return Fault(f"{where}.{error.option}", error.found + default, error.expected)
    if "source" in options:
        where = f"{where}.source"
    found = " ".join(f"{type(error).__name__}: {error}".split())
    return Fault(where, found, "options that the component takes")

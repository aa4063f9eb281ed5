"""Pydantic's findings as faults in plain words: where, what was found, what is expected."""

import difflib
import json
import re
from typing import Any, get_args

from pydantic import BaseModel
from pydantic_core import ErrorDetails

from .errors import Fault

_LONGEST = 80

_EXPECTED = {
    "bool_parsing": "true or false",
    "bool_type": "true or false",
    "dict_type": "an object",
    "float_parsing": "a number",
    "float_type": "a number",
    "int_from_float": "a whole number",
    "int_parsing": "a whole number",
    "int_type": "a whole number",
    "list_type": "an array",
    "model_attributes_type": "an object",
    "model_type": "an object",
    "string_type": "text in quotes",
    "string_unicode": "valid Unicode",
    "tuple_type": "an array",
}
# What a field's regular expression wants, by the field's name.
_FORMS = {
    "name": "small letters, digits and underscores, a letter first",
    "version": "three numbers with points, such as 0.1.0",
}
_PREFIXES = (
    "Input should be ",
    "Value should have ",
    "String should have ",
    "List should have ",
    "Dictionary should have ",
    "Tuple should have ",
    "Value error, ",
)
_ONE_LINE = "text of one line, without control characters"


def to_fault(detail: ErrorDetails, model: type[BaseModel]) -> Fault:
    """One finding of pydantic as a fault.

    detail (ErrorDetails): What pydantic says.
    model (type[BaseModel]): The model of the whole file, which names the keys that may stand somewhere.
    """
    loc, kind, context = detail["loc"], detail["type"], detail.get("ctx", {})
    where = ".".join(str(part) for part in loc if part != "[key]") or "file"
    if kind == "biochunk_fault":
        return Fault(context.get("where") or where, context["found"], context["expected"])
    if kind == "missing":
        return Fault(where, "nothing", "a value (the key is required)")
    if kind == "extra_forbidden":
        return Fault(where, f"the unknown key '{loc[-1]}'", _expected_keys(loc, model))
    if kind == "json_invalid":
        # Of a line of a file: pydantic counts lines from it.
        problem = re.sub(
            r" at line \d+ column (\d+)$", r" at character \1", detail["msg"].removeprefix("Invalid JSON: ")
        )
        return Fault(where, _shown(detail["input"]), f"valid JSON ({problem})")
    return Fault(where, _shown(detail["input"]), _expected(kind, detail["msg"], loc))


def json_type(value: object) -> str:
    """What JSON calls a value, with its article: "an object", "a number", "null"."""
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return "an array"
    if isinstance(value, str):
        return "a string"
    if isinstance(value, bool):
        return "a boolean"
    return "null" if value is None else "a number"


def _expected(kind: str, message: str, loc: tuple[int | str, ...]) -> str:
    if kind == "string_pattern_mismatch":
        top = len(loc) == 1
        return _FORMS.get(str(loc[-1]), _ONE_LINE) if top else _ONE_LINE
    if kind in _EXPECTED:
        return _EXPECTED[kind]
    for prefix in _PREFIXES:
        message = message.removeprefix(prefix)
    return message.split(" after validation")[0]


def _shown(value: object) -> str:
    if isinstance(value, dict | list):
        return json_type(value) if value else f"an empty {json_type(value).split()[-1]}"
    if isinstance(value, bytes):
        # Pydantic's own parser gives up on what is nested too deeply, and names the whole input.
        return "JSON nested too deeply"
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= _LONGEST else text[: _LONGEST - 3] + "..."


def _expected_keys(loc: tuple[int | str, ...], model: type[BaseModel]) -> str:
    """Names the keys that may stand at `loc`, the likeliest alone."""
    here: Any = model
    for part in loc[:-1]:
        here = _step(here, part)
    keys = sorted(here.model_fields)
    close = difflib.get_close_matches(str(loc[-1]), keys, n=1)
    return f"'{close[0]}' or no such key" if close else "one of: " + ", ".join(keys)


def _step(here: Any, part: int | str) -> Any:
    """The type below `part`: a field of a model, an item of a list or a value of a dict."""
    annotation = here.model_fields[part].annotation if hasattr(here, "model_fields") else get_args(here)[-1]
    # Of "X | None" the X.
    choices = [choice for choice in get_args(annotation) if choice is not type(None)]
    return choices[0] if type(None) in get_args(annotation) else annotation

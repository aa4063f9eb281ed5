"""A dataset as the text of its file: one trigger a line, so that a change is one line of a diff."""

import json
from typing import Any

from .schemas import Dataset

WIDTH = 120


def dataset_text(dataset: Dataset) -> str:
    """The file that `read_dataset` reads back as an equal dataset. Values that are the default are left out.

    dataset (Dataset): The dataset.
    RETURNS (str): JSON; objects and arrays that fit stand on one line. Ends with a line feed.
    """
    return _lay_out(dataset.model_dump(mode="json", exclude_defaults=True), 0, 0) + "\n"


def _lay_out(value: Any, indent: int, used: int) -> str:
    """JSON of a value that starts `used` characters into a line."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    flat = json.dumps(value, ensure_ascii=False)
    # A trigger is always one line.
    if not isinstance(value, dict | list) or not value or used + len(flat) < WIDTH or "phrase" in value:
        return flat
    inner = "  " * (indent + 1)
    if isinstance(value, dict):
        parts = []
        for key, item in value.items():
            name = json.dumps(key, ensure_ascii=False) + ": "
            parts.append(name + _lay_out(item, indent + 1, len(inner) + len(name)))
        opening, closing = "{}"
    elif all(isinstance(item, str) for item in value):
        return _filled(value, inner, "  " * indent)
    else:
        parts = [_lay_out(item, indent + 1, len(inner)) for item in value]
        opening, closing = "[]"
    return f"{opening}\n{inner}" + f",\n{inner}".join(parts) + f"\n{'  ' * indent}{closing}"


def _filled(words: list[str], inner: str, outer: str) -> str:
    """A list of strings, as many a line as fit."""
    lines, line = [], ""
    for i, word in enumerate(words):
        item = json.dumps(word, ensure_ascii=False) + ("," if i + 1 < len(words) else "")
        if line and len(inner) + len(line) + 1 + len(item) > WIDTH:
            lines.append(line)
            line = item
        else:
            line = f"{line} {item}" if line else item
    return "[\n" + "\n".join(inner + text for text in [*lines, line]) + f"\n{outer}]"

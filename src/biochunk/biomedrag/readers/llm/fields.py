"""Fields of an answer's line: which relation and which entity of the text each one names, under whatever
decoration.
"""

import re
from collections import Counter, deque
from collections.abc import Sequence

_LETTERS = re.compile(r"[^\W_]+")
_NUMBERING = re.compile(r"^(?:\(?\d{1,3}[.):]|[-*•–—+>#]+)\s+")
_QUOTES = "\"'`´‘’“”«»*"
_OPENING, _CLOSING = "([{<", ")]}>"
# Readings of one field that are tried; each takes one layer of decoration off.
_MOST_READINGS = 40


class Names:
    """The relations of a task, to be found by what a model wrote: exactly, else by letters and digits where only one
    relation has these.
    """

    def __init__(self, relations: Sequence[str]) -> None:
        counts = Counter(letters(name) for name in relations)
        self._names = {letters(name): name for name in relations if counts[letters(name)] == 1 and letters(name)}
        self._names |= {name: name for name in relations}

    def find(self, field: str) -> str | None:
        """The relation that a field names, or None."""
        return self._names.get(field.strip(_QUOTES).strip()) or self._names.get(letters(field))


def split_fields(line: str) -> list[str]:
    """Fields of a line; the outer borders of a table's row are no separators."""
    inner = line.strip()
    if len(inner) > 1 and inner[0] == "|" == inner[-1]:
        inner = inner[1:-1]
    return [field.strip() for field in inner.split("|")]


def entity_of(field: str, text: str) -> str | None:
    """The entity of the text that a field names, as the text has it.

    The field is tried as it stands, then without quotes, numbering, brackets, a final stop, and a word and colon
    before it; so that no character of a name is taken for decoration where the name stands in the text.
    """
    waiting, seen = deque([field]), {field, ""}
    for _ in range(_MOST_READINGS):
        if not waiting:
            return None
        name = waiting.popleft()
        if found := place(name, text):
            return found
        for reading in _readings(name):
            if reading not in seen:
                seen.add(reading)
                waiting.append(reading)
    return None


def place(entity: str, text: str) -> str | None:
    """The first place where an entity's words stand whole: in the same case, else in any; with any white space."""
    words = entity.split()
    if not words or len(entity) > 2 * len(text) + 100:
        return None
    before = r"(?<!\w)" if words[0][0].isalnum() else ""
    after = r"(?!\w)" if words[-1][-1].isalnum() else ""
    pattern = before + r"\s+".join(map(re.escape, words)) + after
    found = re.search(pattern, text) or re.search(pattern, text, re.IGNORECASE)
    return found[0] if found else None


def letters(text: str) -> str:
    """Letters and digits of a text, lower-cased."""
    return "".join(_LETTERS.findall(text)).lower()


def words(text: str) -> list[str]:
    """Runs of letters and digits, lower-cased."""
    return _LETTERS.findall(text.lower())


def is_border(line: str) -> bool:
    """Whether a line is the one under the heading of a table."""
    return not set(line) - set("|-:+= ")


def is_heading(fields: Sequence[str]) -> bool:
    """Whether a line is the format itself, written once more."""
    return [letters(field) for field in fields] == ["head", "relation", "tail"]


def _readings(name: str) -> list[str]:
    """What a field may name under one layer of decoration."""
    readings = [name.strip(_QUOTES).strip(), name.rstrip(".,;:").rstrip(), _NUMBERING.sub("", name)]
    if name[:1] in _OPENING:
        readings.append(name[1:].strip())
    if name[-1:] in _CLOSING:
        readings.append(name[:-1].strip())
    if ": " in name:
        readings.append(name.partition(": ")[2].strip())
    return readings

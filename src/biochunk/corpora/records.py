"""The unified record: one sentence with its entities and triples, and how files of them are read and written."""

import json
import math
import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator
from pydantic_core import PydanticCustomError

from ..errors import Errors, Fault, FileFaultsError, UsageError
from ..files import whole_file
from ..schema_faults import to_fault

A_NUMBER = "a number that JSON can hold"


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class Entity(_Strict):
    """A mention. `text` is always the record's text from `start` to `end` (Unicode code points, end exclusive)."""

    id: str = Field(min_length=1)
    start: int = Field(ge=0)
    end: int
    text: str
    label: str = ""


class Triple(_Strict):
    """A relation between two mentions, named by entity id."""

    head: str
    relation: str = Field(min_length=1)
    tail: str


class Record(_Strict):
    """One sentence of a corpus.

    id (str): Unique within the file.
    dataset, split (str): Where it comes from ("gmciht", "train").
    text (str): The sentence.
    entities (list[Entity]): Mentions, with unique ids.
    triples (list[Triple]): Relations between them; empty when none holds.
    label (int | str | None): Class of the sentence, in a classification corpus.
    meta (dict): Anything else, JSON values only.
    """

    id: str = Field(min_length=1)
    dataset: str
    split: str
    text: str
    entities: list[Entity] = Field(default_factory=list)
    triples: list[Triple] = Field(default_factory=list)
    label: int | str | None = None
    meta: dict[str, Any] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _offsets_and_ids(self) -> "Record":
        ids = [entity.id for entity in self.entities]
        for entity in self.entities:
            found = self.text[entity.start : entity.end]
            if not entity.start < entity.end <= len(self.text) or found != entity.text:
                raise _fault(
                    f"entity {entity.id} [{entity.start}:{entity.end}] {entity.text!r}",
                    expected_offsets(self.text, entity),
                )
            if ids.count(entity.id) > 1:
                raise _fault(f"entity id {entity.id!r} twice", "each entity id once")
        for triple in self.triples:
            for end in (triple.head, triple.tail):
                if end not in ids:
                    raise _fault(f"the entity id {end!r} in a triple", f"one of {ids}")
        if number := not_finite(self.meta):
            raise _fault(f"{number} in meta", A_NUMBER)
        return self

    def to_json(self) -> str:
        """One line of JSON, without the line break; keys always in the same order.

        RAISES (ValueError): When `meta` holds NaN or Infinity, which JSON cannot.
        """
        return json.dumps(self.model_dump(), ensure_ascii=False, allow_nan=False)


def expected_offsets(text: str, entity: Entity) -> str:
    """What an entity that does not stand at its offsets should have, for a fault."""
    if entity.end > len(text):
        return f"an end of at most {len(text)}, where the text ends"
    return f"text equal to its slice of the sentence, which is {text[entity.start : max(entity.end, 0)]!r}"


def not_finite(value: object) -> str:
    """The first number of a JSON value that JSON cannot hold, "NaN" or "Infinity"; else ""."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list | tuple):
        return next((name for item in value if (name := not_finite(item))), "")
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    return ""


def _fault(found: str, expected: str) -> PydanticCustomError:
    return PydanticCustomError("biochunk_fault", "{expected}", {"found": found, "expected": expected})


def parse_record(line: str, path: str, number: int) -> Record:
    """Check one line of a unified file.

    line (str): The line.
    path (str): The file, for the error.
    number (int): The line's number, from 1, for the error.
    RAISES (FileFaultsError): With every fault of the line.
    """
    try:
        return Record.model_validate_json(line)
    except ValidationError as error:
        faults = dict.fromkeys(_to_fault(number, detail) for detail in error.errors())
        raise FileFaultsError(path, list(faults)) from None


def _to_fault(number: int, detail: Any) -> Fault:
    fault = to_fault(detail, Record)
    if detail["loc"][:1] == ("label",):
        # A union has an error for each of its types.
        return Fault(f"line {number}.label", fault.found, "a whole number, a string or null")
    return Fault(f"line {number}.{fault.where}" if detail["loc"] else f"line {number}", fault.found, fault.expected)


def read_records(path: str | Path, on_fault: Callable[[FileFaultsError], None] | None = None) -> Iterator[Record]:
    """Stream the records of a unified JSONL file; blank lines are passed over.

    path (str | Path): The file.
    on_fault: Called with the error of a bad line, which is then left out; default: the error is raised.
    RAISES (FileFaultsError): At the first bad line, when `on_fault` is not given.
    """
    name = os.fspath(path)
    try:
        with open(path, encoding="utf-8-sig", newline="\n") as file:
            for number, line in enumerate(file, 1):
                if not line.strip():
                    continue
                try:
                    yield parse_record(line, name, number)
                except FileFaultsError as error:
                    if on_fault is None:
                        raise
                    on_fault(error)
    except OSError as error:
        raise UsageError(Errors.E009.format(action="read", path=name, problem=error.strerror)) from None
    except UnicodeDecodeError as error:
        raise FileFaultsError(name, [Fault(f"byte {error.start} of a block", error.reason, "UTF-8 text")]) from None


def write_records(path: str | Path, records: Iterable[Record]) -> int:
    """Write a unified JSONL file, whole or not at all. RETURNS (int): How many records were written."""
    count = 0
    with whole_file(path) as file:
        for record in records:
            file.write(record.to_json() + "\n")
            count += 1
    return count

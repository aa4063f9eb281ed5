"""Every fault of a unified file by line, and offsets that were counted in UTF-16 code units.

Browser tools count in UTF-16, where a character beyond U+FFFF (an emoji, some CJK and mathematical letters)
is two units, so every offset behind one is too large by one. A file that shows this can be rewritten.
"""

import json
import os
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import BaseModel, ConfigDict, ValidationError

from ..errors import Errors, Fault, FileFaultsError, UsageError
from .records import A_NUMBER, Entity, Record, Triple, expected_offsets, not_finite, parse_record, write_records

UTF16_HINT = "; counted in UTF-16 code units, as browser tools do, the offsets of this line fit"


class Checked(NamedTuple):
    """What was found in a file.

    records (int): Lines without a fault.
    faults (int): Faults in the others.
    utf16 (bool): Some lines fit only when offsets are counted in UTF-16 code units, and no line denies it.
    """

    records: int
    faults: int
    utf16: bool


class _Shape(BaseModel):
    """A record of the right shape, whose offsets and ids may be wrong."""

    model_config = ConfigDict(extra="ignore", strict=True)

    id: str
    text: str
    entities: list[Entity] = []
    triples: list[Triple] = []
    meta: Any = None


def check_records(path: str | Path, on_fault: Callable[[Fault], None]) -> Checked:
    """Check a unified JSONL file in bounded memory (the ids are kept).

    on_fault (Callable): Called with each fault, in file order: bytes that are no UTF-8, lines that are no
        JSON, a key twice in one object, wrong shapes, NaN and Infinity, every wrong offset, entity ids that
        stand twice or are not there, record ids that stand twice, a file without records.
    RAISES (BiochunkError): If the file cannot be read.
    """
    name = os.fspath(path)
    records = faults = only_utf16 = contradictions = 0
    lines: dict[str, int] = {}
    for number, line in _lines(path):
        shape = _shape(line)
        found = list(_line_faults(line, name, number, shape))
        if shape:
            if shape.id in lines:
                found.append(
                    Fault(f"line {number}.id", f"{shape.id!r} of line {lines[shape.id]} again", "each id once")
                )
            lines.setdefault(shape.id, number)
            stands = all(_stands(shape.text, entity) for entity in shape.entities)
            fits = utf16_offsets(shape.text, shape.entities) is not None
            only_utf16 += fits and not stands
            contradictions += stands and not fits
        records += not found
        faults += len(found)
        for fault in found:
            on_fault(fault)
    if not records and not faults:
        faults = 1
        on_fault(Fault("file", "no record", "one a line"))
    return Checked(records, faults, bool(only_utf16 and not contradictions))


def from_utf16(path: str | Path, out: str | Path) -> int:
    """Rewrite a file whose offsets were counted in UTF-16 code units.

    RETURNS (int): How many entities got other offsets.
    RAISES (FileFaultsError): At the first line whose offsets do not fit in UTF-16 code units, or that has
        another fault; nothing is written then.
    """
    name = os.fspath(path)
    moved = 0

    def repaired() -> Iterator[Record]:
        nonlocal moved
        for number, line in _lines(path):
            shape = _shape(line)
            if shape is None:
                yield parse_record(line.decode("utf-8", "replace"), name, number)
                continue
            if repeated := list(_repeated_keys(line, f"line {number}")):
                raise FileFaultsError(name, repeated)
            offsets = utf16_offsets(shape.text, shape.entities)
            if offsets is None:
                raise FileFaultsError(
                    name, [Fault(f"line {number}", "offsets that do not fit", "offsets in UTF-16 code units")]
                )
            moved += sum((e.start, e.end) != span for e, span in zip(shape.entities, offsets, strict=True))
            yield parse_record(_with_offsets(line, offsets), name, number)

    write_records(out, repaired())
    return moved


def utf16_offsets(text: str, entities: list[Entity]) -> list[tuple[int, int]] | None:
    """The entities' offsets in characters if they are counted in UTF-16 code units; None if they are not."""
    data = text.encode("utf-16-le", "surrogatepass")
    spans = []
    for entity in entities:
        try:
            start = len(data[: 2 * entity.start].decode("utf-16-le"))
            found = data[2 * entity.start : 2 * entity.end].decode("utf-16-le")
        except UnicodeDecodeError:
            return None
        if not found or found != entity.text:
            return None
        spans.append((start, start + len(found)))
    return spans


def _line_faults(line: bytes, name: str, number: int, shape: _Shape | None) -> Iterator[Fault]:
    where = f"line {number}"
    try:
        text = line.decode()
    except UnicodeDecodeError as error:
        yield Fault(where, f"the byte 0x{line[error.start]:02X} at byte {error.start + 1} of the line", "UTF-8 text")
        return
    yield from _repeated_keys(line, where)
    try:
        parse_record(text, name, number)
    except FileFaultsError as error:
        # The record's own check stops at the first wrong offset or id, and names the line alone.
        content = _content_faults(shape, where) if shape else []
        surrogate = "" if shape else _lone_surrogate(text)
        if surrogate:
            yield Fault(where, f"the lone surrogate {surrogate}", "valid Unicode")
            return
        for fault in error.faults:
            if not content or fault.where != where:
                yield fault
        yield from content


def _repeated_keys(line: bytes, where: str) -> Iterator[Fault]:
    """A fault for each key that stands more than once in an object; of such a key a parser keeps the last."""
    repeated: list[str] = []

    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        counts = Counter(key for key, _ in items)
        repeated.extend(key for key, n in counts.items() if n > 1)
        return dict(items)

    try:
        json.loads(line, object_pairs_hook=pairs)
    except (ValueError, RecursionError):
        return  # no JSON, which is a fault of its own
    yield from (Fault(where, f"the key {key!r} more than once in one object", "each key once") for key in repeated)


def _lone_surrogate(line: str) -> str:
    """The first half of a surrogate pair that stands alone in a line of JSON, "U+D83E"; else ""."""
    try:
        json.dumps(json.loads(line), ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        return f"U+{ord(error.object[error.start]):04X}"
    except (ValueError, RecursionError):
        pass
    return ""


def _content_faults(shape: _Shape, where: str) -> list[Fault]:
    """Wrong offsets, ids and numbers; empty where something else is wrong."""
    hint = UTF16_HINT if utf16_offsets(shape.text, shape.entities) is not None else ""
    ids = [entity.id for entity in shape.entities]
    faults = []
    for i, entity in enumerate(shape.entities):
        place = f"{where}.entities.{i}"
        if not _stands(shape.text, entity):
            found = f"entity {entity.id} [{entity.start}:{entity.end}] {entity.text!r}{hint}"
            faults.append(Fault(place, found, expected_offsets(shape.text, entity)))
        if entity.id in ids[:i]:
            faults.append(Fault(f"{place}.id", f"entity id {entity.id!r} again", "each entity id once"))
    for i, triple in enumerate(shape.triples):
        for role, key in (("head", triple.head), ("tail", triple.tail)):
            if key not in ids:
                faults.append(Fault(f"{where}.triples.{i}.{role}", f"the entity id {key!r}", f"one of {ids}"))
    if number := not_finite(shape.meta):
        faults.append(Fault(f"{where}.meta", number, A_NUMBER))
    return faults


def _stands(text: str, entity: Entity) -> bool:
    return 0 <= entity.start < entity.end <= len(text) and text[entity.start : entity.end] == entity.text


def _shape(line: bytes) -> _Shape | None:
    try:
        return _Shape.model_validate_json(line)
    except ValidationError:
        return None


def _with_offsets(line: bytes, offsets: list[tuple[int, int]]) -> str:
    """The line with other offsets; a key that no record has stays, and is a fault later."""
    value: dict[str, Any] = json.loads(line)
    for entity, (start, end) in zip(value.get("entities", []), offsets, strict=True):
        entity["start"], entity["end"] = start, end
    return json.dumps(value, ensure_ascii=False)


def _lines(path: str | Path) -> Iterator[tuple[int, bytes]]:
    """The lines that are not blank, with their numbers from 1; a byte order mark is passed over."""
    try:
        with open(path, "rb") as file:
            for number, line in enumerate(file, 1):
                if number == 1:
                    line = line.removeprefix(b"\xef\xbb\xbf")
                if line.strip():
                    yield number, line
    except OSError as error:
        raise UsageError(Errors.E009.format(action="read", path=os.fspath(path), problem=error.strerror)) from None

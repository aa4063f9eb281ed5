"""What all readers and writers share: checked records, errors that name the place, text of a file."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from ...errors import BiochunkError, Errors, Fault, FileFaultsError, UsageError
from ..records import Record

OnFault = Callable[[FileFaultsError], None]

NOT_HELD = "{field} is not held by {format} and was left out"


def shorten(value: object, width: int = 80) -> str:
    """`repr` of a value, cut to a width, for an error."""
    shown = repr(value)
    return shown if len(shown) <= width else shown[: width - 3] + "..."


def fault(path: str | Path, where: str, found: str, expected: str) -> FileFaultsError:
    """An error with a single fault."""
    return FileFaultsError(str(path), [Fault(where, found, expected)])


def build_record(path: str | Path, where: str, **fields: Any) -> Record:
    """Build a record from what a reader found.

    path (str | Path): The file, for the error.
    where (str): The place in the file, for the error ("line 12", "document 'x'").
    RAISES (FileFaultsError): With every fault of the record.
    """
    try:
        return Record(**fields)
    except ValidationError as error:
        faults = []
        for detail in error.errors():
            place = ".".join((where, *(str(part) for part in detail["loc"])))
            if detail["type"] == "biochunk_fault":
                context = detail["ctx"]
                faults.append(Fault(place, context["found"], context["expected"]))
            else:
                found = "nothing" if detail["type"] == "missing" else shorten(detail["input"])
                faults.append(Fault(place, found, detail["msg"]))
        raise FileFaultsError(str(path), faults) from None


def check_unicode(path: str | Path, record: Record) -> None:
    """Refuse a record with a lone surrogate, which no file in UTF-8 can hold.

    RAISES (FileFaultsError): Naming the record and the character.
    """
    try:
        record.to_json().encode("utf-8")
    except UnicodeEncodeError as error:
        found = f"a lone surrogate (U+{ord(error.object[error.start]):04X})"
        raise fault(path, f"record {record.id!r}", found, "valid Unicode; repair the record") from None


def checked(records: Iterable[Record], path: str | Path) -> Iterator[Record]:
    """Pass records on to a writer: valid Unicode, each id once.

    RAISES (FileFaultsError): Naming the record.
    """
    seen: set[str] = set()
    for record in records:
        if record.id in seen:
            raise fault(path, f"record {record.id!r}", "the same record id twice", "each record id once")
        seen.add(record.id)
        check_unicode(path, record)
        yield record


def kept(path: str | Path, results: Iterator[Record | FileFaultsError], on_fault: OnFault | None) -> Iterator[Record]:
    """Pass on the good records of a file, each id once.

    path (str | Path): The file, for an error.
    results: What a reader found: records, and errors of records that it could not make.
    on_fault: Called with the error of a bad record, which is then left out; default: the error is raised.
    """
    seen: set[str] = set()
    for result in results:
        if isinstance(result, Record) and result.id in seen:
            result = fault(path, f"record {result.id!r}", "the same record id twice", "each record id once")
        if isinstance(result, Record):
            seen.add(result.id)
            yield result
        elif on_fault is None:
            raise result
        else:
            on_fault(result)


def read_text(path: str | Path) -> str:
    """The text of a file, every character kept (line ends too); a byte order mark is taken off.

    RAISES (BiochunkError): When the file cannot be opened.
    RAISES (FileFaultsError): When it is not UTF-8.
    """
    try:
        raw = Path(path).read_bytes()
    except OSError as error:
        raise cannot_read(path, error) from None
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise not_utf8(path) from None


def cannot_read(path: str | Path, error: OSError) -> BiochunkError:
    """The error for a file that cannot be opened."""
    return UsageError(Errors.E009.format(action="read", path=path, problem=error.strerror or error))


def not_utf8(path: str | Path) -> FileFaultsError:
    """The error for a file that is not UTF-8, naming the first byte that is not."""
    with open(path, "rb") as file:
        for number, line in enumerate(file, 1):
            try:
                line.decode("utf-8")
            except UnicodeDecodeError as error:
                wide = number == 1 and line[:2] in (b"\xff\xfe", b"\xfe\xff")
                found = f"0x{line[error.start]:02x}" + " (the file looks like UTF-16)" * wide
                return fault(path, f"line {number} byte {error.start + 1}", found, "a file in UTF-8")
    return fault(path, "file", "bytes that are not UTF-8", "a file in UTF-8")

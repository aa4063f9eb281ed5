"""Readers and writers of other formats: corpora come in, annotation tools get them (docs/formats.md)."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple, Protocol

from ...errors import UsageError
from ..records import Record
from . import bioc_json, bioc_xml, brat, docbin, huggingface, parquet, pubtator
from .checks import OnFault
from .notes import FormatWarning, Notes

__all__ = ["FORMATS", "Format", "FormatWarning", "Notes", "get_format"]


class Read(Protocol):
    """Reads a file or folder as records; see `bioc_xml.read` for the arguments."""

    def __call__(
        self,
        path: str | Path,
        *,
        dataset: str = "",
        split: str = "",
        notes: Notes | None = None,
        on_fault: OnFault | None = None,
    ) -> Iterator[Record]: ...


class Write(Protocol):
    """Writes records to a file or folder, whole or not at all; gives how many."""

    def __call__(self, path: str | Path, records: Iterable[Record], *, notes: Notes | None = None) -> int: ...


class Format(NamedTuple):
    """One format.

    read, write: Its functions.
    holds (frozenset[str]): The fields of a record that come back; the others are left out and noted.
    """

    read: Read
    write: Write
    holds: frozenset[str]


_MENTIONS = frozenset({"id", "text", "entities", "triples"})
_ALL = _MENTIONS | {"dataset", "split", "label", "meta"}

FORMATS: dict[str, Format] = {
    "bioc-xml": Format(bioc_xml.read, bioc_xml.write, _ALL),
    "bioc-json": Format(bioc_json.read, bioc_json.write, _ALL),
    "pubtator": Format(pubtator.read, pubtator.write, _MENTIONS),
    "brat": Format(brat.read, brat.write, _MENTIONS),
    "docbin": Format(docbin.read, docbin.write, _ALL),
    "parquet": Format(parquet.read, parquet.write, _ALL),
    "huggingface": Format(huggingface.read, huggingface.write, _ALL),
}


def get_format(name: str) -> Format:
    """The format of a name.

    RAISES (UsageError): Naming the formats there are.
    """
    if name not in FORMATS:
        raise UsageError(f"Found the format '{name}', expected one of: {', '.join(FORMATS)}.")
    return FORMATS[name]

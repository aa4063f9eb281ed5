"""Readers and writers of other formats: corpora come in, annotation tools get them (docs/formats.md)."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol

from ...errors import UsageError
from ..records import Record
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


@dataclass(frozen=True)
class Format:
    """One format. Its module is imported when it is used: some need spaCy or pyarrow.

    name (str): Its name on the command line.
    holds (frozenset[str]): The fields of a record that come back; the others are left out and noted.
    """

    name: str
    holds: frozenset[str]

    @property
    def read(self) -> Read:
        """Its reader."""
        return self._module().read

    @property
    def write(self) -> Write:
        """Its writer."""
        return self._module().write

    def _module(self) -> Any:
        return import_module(f".{self.name.replace('-', '_')}", __name__)


_MENTIONS = frozenset({"id", "text", "entities", "triples"})
_ALL = _MENTIONS | {"dataset", "split", "label", "meta"}

FORMATS: dict[str, Format] = {
    format.name: format
    for format in (
        Format("bioc-xml", _ALL),
        Format("bioc-json", _ALL),
        Format("pubtator", _MENTIONS),
        Format("brat", _MENTIONS),
        Format("docbin", _ALL),
        Format("parquet", _ALL),
        Format("huggingface", _ALL),
    )
}


def get_format(name: str) -> Format:
    """The format of a name.

    RAISES (UsageError): Naming the formats there are.
    """
    if name not in FORMATS:
        raise UsageError(f"Found the format '{name}', expected one of: {', '.join(FORMATS)}.")
    return FORMATS[name]

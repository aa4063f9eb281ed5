"""BioC JSON: the same documents as in BioC XML; JSON holds every character."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from ...files import whole_file
from ..records import Record
from .bioc import record_to_document
from .bioc_reader import Reader
from .checks import OnFault, cannot_read, checked, fault, kept, not_utf8
from .json_stream import DocumentStream, NotJsonError
from .notes import Notes, noting

# The second key is what PubTator's service answers with.
ARRAYS = ("documents", "PubTator3")


def read(
    path: str | Path,
    *,
    dataset: str = "",
    split: str = "",
    notes: Notes | None = None,
    on_fault: OnFault | None = None,
) -> Iterator[Record]:
    """Stream the records of a BioC JSON file: a collection, an array of documents, or one document a line.

    path (str | Path): The file.
    dataset, split (str): For documents that biochunk did not write.
    notes (Notes | None): Collects what had to be decided; default: one warning at the end.
    on_fault: Called with the error of a bad document, which is then left out; default: the error is raised.
    RAISES (FileFaultsError): For a file that is no JSON, whatever `on_fault` is.
    """
    with noting(notes) as notes:
        reader = Reader(path, dataset=dataset, split=split, notes=notes)
        found = (reader.record(document, f"line {line}") for line, document in _documents(path))
        yield from kept(path, found, on_fault)


def _documents(path: str | Path) -> Iterator[tuple[int, Any]]:
    try:
        with open(path, encoding="utf-8-sig", newline="") as file:
            yield from DocumentStream(file, ARRAYS).documents()
    except OSError as error:
        raise cannot_read(path, error) from None
    except UnicodeDecodeError:
        raise not_utf8(path) from None
    except NotJsonError as error:
        raise fault(path, f"line {error.line}", str(error), "BioC documents in JSON") from None


def write(path: str | Path, records: Iterable[Record], *, notes: Notes | None = None) -> int:
    """Write a BioC JSON collection, whole or not at all; nothing of a record is lost.

    path (str | Path): The file.
    records (Iterable[Record]): The records.
    notes (Notes | None): Unused: there is nothing to note.
    RETURNS (int): How many records were written.
    """
    count = 0
    with whole_file(path) as file:
        file.write('{"bioctype": "BioCCollection", "source": "biochunk", "date": "", "key": "", "version": "1.0", ')
        file.write('"infons": {}, "documents": [')
        for count, record in enumerate(checked(records, path), 1):
            document = json.dumps(record_to_document(record), ensure_ascii=False)
            file.write((",\n" if count > 1 else "\n") + document)
        file.write("\n]}\n")
    return count

"""Parquet: a row a record, `entities` and `triples` as nested columns, `label` and `meta` as JSON strings.

pandas, polars, DuckDB and Hugging Face `datasets` read it as it is. Rows are written and read in groups, so a
file of any size takes little memory.
"""

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

from ...errors import BiochunkError, FileFaultsError, MissingExtraError
from ..records import Record
from .checks import OnFault, build_record, cannot_read, checked, fault, kept, shorten
from .notes import Notes, noting
from .output import whole_path

ROWS = 1000

# A file with exactly these columns is one of biochunk's, where a label is JSON ('1' or '"1"'); in any other
# file a string label is just a string.
COLUMNS = ("id", "dataset", "split", "text", "entities", "triples", "label", "meta")


def import_pyarrow(what: str) -> Any:
    """pyarrow with its Parquet module.

    RAISES (MissingExtraError): When it is not installed.
    """
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise MissingExtraError("pyarrow", "formats", what) from None
    return pyarrow


def record_schema() -> Any:
    """The Arrow schema of a record."""
    pa = import_pyarrow("Parquet")
    text, number = pa.string(), pa.int64()
    entity = pa.struct([("id", text), ("start", number), ("end", number), ("text", text), ("label", text)])
    triple = pa.struct([("head", text), ("relation", text), ("tail", text)])
    types = (text, text, text, text, pa.list_(entity), pa.list_(triple), text, text)
    return pa.schema(list(zip(COLUMNS, types, strict=True)))


def write(path: str | Path, records: Iterable[Record], *, notes: Notes | None = None) -> int:
    """Write a Parquet file, whole or not at all; nothing of a record is lost.

    path (str | Path): The file.
    records (Iterable[Record]): The records.
    notes (Notes | None): Unused: there is nothing to note.
    RETURNS (int): How many records were written.
    """
    pa = import_pyarrow("Parquet")
    schema = record_schema()
    count = 0
    source = checked(records, path)
    with whole_path(path) as part, pa.parquet.ParquetWriter(part, schema) as writer:
        while rows := [row_of(record) for record in islice(source, ROWS)]:
            writer.write_table(pa.Table.from_pylist(rows, schema=schema))
            count += len(rows)
    return count


def read(
    path: str | Path,
    *,
    dataset: str = "",
    split: str = "",
    notes: Notes | None = None,
    on_fault: OnFault | None = None,
) -> Iterator[Record]:
    """Stream the records of a Parquet file.

    path (str | Path): The file; it needs a column `text`. Columns that a record has no field for go to meta.
    dataset, split (str): For files without these columns.
    notes (Notes | None): Collects what had to be decided; default: one warning at the end.
    on_fault: Called with the error of a bad row, which is then left out; default: the error is raised.
    RAISES (FileFaultsError): When the file is no Parquet, whatever `on_fault` is.
    """
    with noting(notes) as notes:
        yield from kept(path, rows_of_file(path, dataset, split, notes), on_fault)


def rows_of_file(path: str | Path, dataset: str, split: str, notes: Notes) -> Iterator[Record | FileFaultsError]:
    """The rows of one Parquet file as records, or the errors that tell why there is none."""
    pa = import_pyarrow("Parquet")
    with arrow_errors(path, "a Parquet file"), pa.parquet.ParquetFile(path) as file:
        yield from rows_to_records(path, file.schema_arrow, file.iter_batches(ROWS), dataset, split, notes)


@contextmanager
def arrow_errors(path: str | Path, expected: str) -> Iterator[None]:
    """Turn what pyarrow raises for a damaged or missing file into an error of ours.

    path (str | Path): The file.
    expected (str): What it should be.
    """
    pa = import_pyarrow(expected)
    try:
        yield
    except BiochunkError:
        raise
    except OSError as error:
        # pyarrow reports damage inside a file as OSError without an errno.
        if error.errno is not None:
            raise cannot_read(path, error) from None
        raise fault(path, "file", shorten(str(error)), expected) from None
    except (pa.ArrowException, ValueError) as error:
        raise fault(path, "file", shorten(str(error)), expected) from None


def rows_to_records(
    path: str | Path, schema: Any, batches: Iterable[Any], dataset: str, split: str, notes: Notes
) -> Iterator[Record | FileFaultsError]:
    """Rows of Arrow batches as records, or the errors that tell why there is none.

    path (str | Path): The file, for errors and for the ids of rows that have none.
    schema (pyarrow.Schema): Schema of the batches.
    batches (Iterable[pyarrow.RecordBatch]): The rows.
    dataset, split (str): For rows without these columns.
    notes (Notes): Where rules that were applied are counted.
    """
    if "text" not in schema.names:
        raise fault(path, "columns", ", ".join(schema.names) or "none", "a column 'text'")
    own = set(schema.names) == set(COLUMNS)
    number = 0
    for batch in batches:
        for row in batch.to_pylist():
            number += 1
            where = f"row {number}"
            fields: dict[str, Any] = {
                "id": f"{Path(path).stem}-{number}",
                "dataset": dataset,
                "split": split,
                "meta": {},
            }
            fields |= {key: row[key] for key in COLUMNS if row.get(key) is not None}
            try:
                for key in ("label", "meta"):
                    if isinstance(fields.get(key), str) and (own or key == "meta"):
                        fields[key] = _json(path, where, key, fields[key])
                more = {key: value for key, value in row.items() if key not in COLUMNS and value is not None}
                if more:
                    notes.add("columns that a record has no field for were put into meta", where)
                    fields["meta"] = {**more, **fields["meta"]}
                yield build_record(path, where, **fields)
            except FileFaultsError as error:
                yield error


def _json(path: str | Path, where: str, key: str, text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise fault(path, f"{where}, column {key}", shorten(text), "JSON") from None


def row_of(record: Record) -> dict[str, Any]:
    """A record as a row of `record_schema`."""
    row = record.model_dump()
    row["label"] = None if record.label is None else json.dumps(record.label)
    row["meta"] = json.dumps(record.meta)
    return row

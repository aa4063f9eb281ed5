"""A folder that Hugging Face `datasets` loads: `data/SPLIT-00000-of-00001.parquet`, as on the Hub.

`datasets.load_dataset(FOLDER)` gives a `DatasetDict` by split. Folders that `Dataset.save_to_disk` or
`DatasetDict.save_to_disk` wrote are read as well. Only pyarrow is needed.
"""

import json
import re
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from ...errors import FileFaultsError
from ..records import Record
from .checks import OnFault, cannot_read, checked, fault, kept, shorten
from .notes import Notes, noting
from .output import whole_folder
from .parquet import ROWS, arrow_errors, import_pyarrow, record_schema, row_of, rows_of_file, rows_to_records

_SPLIT = re.compile(r"\w+(\.\w+)*")
_SHARD = re.compile(r"(?P<split>.+?)-\d{5}-of-\d{5}(-[0-9a-f]+)?")


def write(path: str | Path, records: Iterable[Record], *, notes: Notes | None = None) -> int:
    """Write a folder for `datasets.load_dataset`, whole or not at all; nothing of a record is lost.

    path (str | Path): The folder; must not exist yet or be empty.
    records (Iterable[Record]): The records; in the folder they are sorted by split, in order within it.
    notes (Notes | None): Unused: there is nothing to note.
    RETURNS (int): How many records were written.
    RAISES (FileFaultsError): For a split whose name `datasets` does not allow.
    """
    pa = import_pyarrow("the Hugging Face format")
    schema = record_schema()
    count = 0
    writers: dict[str, Any] = {}
    waiting: dict[str, list[dict[str, Any]]] = {}
    with whole_folder(path) as folder, ExitStack() as stack:
        data = folder / "data"
        data.mkdir()
        for record in checked(records, path):
            count += 1
            split = record.split
            if split not in writers:
                if not _SPLIT.fullmatch(split):
                    found, expected = (
                        f"the split {split!r}",
                        "letters, digits, '_' and '.', as datasets allows",
                    )
                    raise fault(path, f"record {record.id!r}", found, expected)
                file = data / f"{split}-00000-of-00001.parquet"
                writers[split] = stack.enter_context(pa.parquet.ParquetWriter(file, schema))
                waiting[split] = []
            rows = waiting[split]
            rows.append(row_of(record))
            if len(rows) == ROWS:
                writers[split].write_table(pa.Table.from_pylist(rows, schema=schema))
                rows.clear()
        for split, rows in waiting.items():
            writers[split].write_table(pa.Table.from_pylist(rows, schema=schema))
        (folder / "README.md").write_text(_card(list(writers)), encoding="utf-8")
    return count


def read(
    path: str | Path,
    *,
    dataset: str = "",
    split: str = "",
    notes: Notes | None = None,
    on_fault: OnFault | None = None,
) -> Iterator[Record]:
    """Stream the records of a folder of Parquet files, or of one that `save_to_disk` wrote.

    path (str | Path): The folder.
    dataset, split (str): For rows without these columns; where `split` is empty, the split of the file's
        name.
    notes (Notes | None): Collects what had to be decided; default: one warning at the end.
    on_fault: Called with the error of a bad row, which is then left out; default: the error is raised.
    RAISES (FileFaultsError): When the folder holds neither, or a file is damaged, whatever `on_fault` is.
    """
    with noting(notes) as notes:
        yield from kept(path, _rows(Path(path), dataset, split, notes), on_fault)


def _rows(folder: Path, dataset: str, split: str, notes: Notes) -> Iterator[Record | FileFaultsError]:
    if (folder / "dataset_dict.json").is_file():
        for name in _json(folder / "dataset_dict.json").get("splits", []):
            yield from _saved(folder / str(name), dataset, split or str(name), notes)
    elif (folder / "state.json").is_file():
        yield from _saved(folder, dataset, split, notes)
    else:
        files = sorted(folder.rglob("*.parquet"))
        if not files:
            expected = "Parquet files, or a folder that save_to_disk wrote (state.json, dataset_dict.json)"
            raise fault(folder, "folder", "neither of both" if folder.is_dir() else "no folder", expected)
        for file in sorted(files, key=lambda file: _order(folder, file)):
            yield from rows_of_file(file, dataset, split or _split_of(file), notes)


def _saved(folder: Path, dataset: str, split: str, notes: Notes) -> Iterator[Record | FileFaultsError]:
    """The Arrow streams of one saved `Dataset`."""
    pa = import_pyarrow("the Hugging Face format")
    state = _json(folder / "state.json")
    if state.get("_indices_data_files"):
        raise fault(folder, "state.json", "a selection of rows", "a dataset saved after flatten_indices()")
    for item in state.get("_data_files") or []:
        file = folder / Path(str(item.get("filename"))).name
        with (
            arrow_errors(file, "an Arrow stream"),
            pa.memory_map(str(file)) as source,
            pa.ipc.open_stream(source) as reader,
        ):
            yield from rows_to_records(file, reader.schema, reader, dataset, split, notes)


def _json(path: Path) -> dict[str, Any]:
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise cannot_read(path, error) from None
    except ValueError as error:
        raise fault(path, "file", f"no JSON ({error})", "a JSON object") from None
    if not isinstance(value, dict):
        raise fault(path, "file", shorten(value), "a JSON object")
    return value


def _split_of(file: Path) -> str:
    match = _SHARD.fullmatch(file.stem)
    return match["split"] if match else file.stem


def _order(folder: Path, file: Path) -> tuple[int, str]:
    """Splits in the order of the card that `write` makes, all else by name."""
    card = folder / "README.md"
    listed = re.findall(r'^  - split: "(.+)"$', card.read_text(encoding="utf-8"), re.M) if card.is_file() else []
    name = _split_of(file)
    return (listed.index(name) if name in listed else len(listed)), str(file)


def _card(splits: list[str]) -> str:
    """The dataset card: tells `load_dataset` which file is which split."""
    lines = ["---", "configs:", "- config_name: default", "  data_files:"]
    for split in splits:
        lines += [f'  - split: "{split}"', f'    path: "data/{split}-00000-of-00001.parquet"']
    text = (
        "Written by biochunk. `label` and `meta` are JSON strings; entity offsets count Unicode code points, "
        "ends exclusive."
    )
    return "\n".join([*lines, "---", "", text, ""])

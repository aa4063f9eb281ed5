"""BioMedRAG's data folder to unified JSONL, in one of two views, with an account of every row."""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Literal, NamedTuple

from ..errors import BiochunkError, UsageError
from ..files import whole_file
from . import ade, chemprot, ddi, gmciht
from .group import WHY, Group, group_rows
from .output import Dropped, Output
from .published import Unusable, to_record
from .records import Record
from .report import GROUPED, KEPT, NO_TRIPLE, Tally, to_json
from .source import SPLITS, Row, Source, find_files, read_rows
from .splits import in_part, sentence_key
from .stage import Rows, Stage

View = Literal["published", "clean"]
SOURCES: dict[str, Source] = {
    source.name: source for source in (gmciht.SOURCE, ddi.SOURCE, chemprot.SOURCE, ade.SOURCE)
}
# ADE has no dev file: this share of the distinct sentences of train becomes dev, the same in both views.
DEV_FRACTION = 0.1
DEV_SEED = 0
# The clean view's file for the chunk store: dev without what stands in train or in test.
STORE = "store"


class Part(NamedTuple):
    """A split and the file it comes from. carved (bool | None): Which side of the file; None: all of it."""

    split: str
    path: Path
    carved: bool | None = None


def convert(
    root: Path,
    out: Path,
    view: View,
    datasets: Sequence[str] = (),
    *,
    on_row: Callable[[], None] | None = None,
) -> dict[str, Tally]:
    """Convert the benchmarks under a folder.

    root (Path): BioMedRAG's data folder, its repository, or one dataset's folder.
    out (Path): Gets `DATASET/SPLIT.jsonl`, `DATASET/dropped.tsv` and `report.json`; each appears whole or not
        at all.
    view (str): "published" (text as it stands, a record a row) or "clean" (see `clean`).
    datasets (Sequence[str]): Which; default: all that are found.
    on_row (Callable): Called once a row that is read, for a progress bar.
    RETURNS (dict[str, Tally]): The account, by dataset.
    RAISES (BiochunkError): If nothing is found, or a file is not what it should be.
    """
    unknown = [name for name in datasets if name not in SOURCES]
    if unknown:
        raise UsageError(f"found dataset '{unknown[0]}', expected one of: {', '.join(SOURCES)}")
    parts: dict[str, list[Part]] = {}
    for name, source in SOURCES.items():
        if datasets and name not in datasets:
            continue
        found = find_files(source, root, any_name=list(datasets) == [name])
        if not found and datasets:
            raise BiochunkError(_nothing_found(root, [source]))
        if found:
            parts[name] = _parts(source, found)
            _check_target(out / name, parts[name], view)
    if not parts:
        raise BiochunkError(_nothing_found(root, SOURCES.values()))
    tallies = {name: _convert_one(SOURCES[name], parts[name], out / name, view, on_row) for name in parts}
    with whole_file(out / "report.json") as file:
        file.write(to_json(view, tallies))
    return tallies


def _convert_one(
    source: Source, parts: Sequence[Part], folder: Path, view: View, on_row: Callable[[], None] | None
) -> Tally:
    with Output(folder) as out:
        for part in parts:
            out.open(part.split, part.path.name)
            if part.carved:
                share = f"{DEV_FRACTION:.0%} of the distinct sentences, seed {DEV_SEED}"
                out.tally.notes.append(f"dev is carved out of {part.path.name}: {share}")
        if view == "published":
            for record, relation in _records(source, parts, out, on_row):
                out.tally.outcome(record.split, relation, KEPT)
                out.write(record.split, record)
        else:
            with closing(Stage()) as stage:
                for record, relation in _records(source, parts, out, on_row):
                    if not stage.add(record, relation):
                        out.drop(_dropped(record, relation, "duplicate", "the same row stands above"))
                _write_clean(source, stage, {part.split: part.path.name for part in parts}, out)
    return out.tally


def _records(
    source: Source, parts: Sequence[Part], out: Output, on_row: Callable[[], None] | None
) -> Iterator[tuple[Record, str]]:
    """The usable rows as records of the published view, each with its relation; the others are dropped."""
    for part in parts:
        for number, row in enumerate(_rows(source, part), 1):
            relation = _relation(row)
            out.tally.read(part.split, relation)
            if on_row:
                on_row()
            try:
                yield to_record(source, part.split, part.path.name, row, number), relation
            except Unusable as error:
                where = f"line {row.line}" if row.item is None else f"item {row.item}"
                out.drop(Dropped(part.split, part.path.name, where, relation, *error.args))


def _rows(source: Source, part: Part) -> Iterator[Row]:
    for row in read_rows(source, part.path):
        key = sentence_key(row.asked.text)
        if part.carved is None or part.carved == in_part(key, DEV_FRACTION, DEV_SEED):
            yield row


def _write_clean(source: Source, stage: Stage, files: dict[str, str], out: Output) -> None:
    """Write train, dev and test without leaks, and the store: dev without what stands in test."""
    if "dev" in files:
        out.open(STORE, files["dev"])
    for split in files:
        for group in stage.groups(split):
            if split != "train" and "train" in group.splits:
                for record, relation in group.rows:
                    out.drop(_dropped(record, relation, "in_train", "the sentence stands in train"))
                continue
            merged = group_rows([record for record, _ in group.rows], source.marking)
            used = _account(split, group, merged, out)
            if merged.record:
                out.write(split, merged.record)
                if split == "dev":
                    _store(merged.record, used, out, in_test="test" in group.splits)
    for split in ("train", "test"):
        if split not in files:
            out.tally.notes.append(f"there is no {split} file, so no sentence was dropped for standing in it")


def _account(split: str, group: Rows, merged: Group, out: Output) -> list[tuple[Record, str, str]]:
    """Count what became of the rows of a sentence. RETURNS: The rows of use, with relation and outcome."""
    used = []
    for (record, relation), outcome in zip(group.rows, merged.outcomes, strict=True):
        if outcome in (KEPT, GROUPED):
            out.tally.outcome(split, relation, outcome)
            used.append((record, relation, outcome))
        else:
            out.drop(_dropped(record, relation, outcome, WHY[outcome]))
    for what, count in merged.events.items():
        out.tally.event(split, what, count)
    return used


def _store(merged: Record, used: Sequence[tuple[Record, str, str]], out: Output, *, in_test: bool) -> None:
    for record, relation, outcome in used:
        out.tally.read(STORE, relation)
        if in_test:
            dropped = _dropped(record, relation, "in_test", "the sentence stands in test")
            out.drop(dropped._replace(split=STORE))
        else:
            out.tally.outcome(STORE, relation, outcome)
    if not in_test:
        out.write(STORE, merged.model_copy(update={"split": STORE}))


def _dropped(record: Record, relation: str, reason: str, detail: str) -> Dropped:
    where = f"item {record.meta['item']}" if "item" in record.meta else f"line {record.meta['line']}"
    return Dropped(record.split, record.meta["file"], where, relation, reason, detail)


def _relation(row: Row) -> str:
    """What a row is counted under, on one line: its relation, its label, or that it states none."""
    name = row.asked.relation if row.asked.label is None else f"label {row.asked.label}"
    if name is None:
        return NO_TRIPLE
    return name if name.isprintable() else json.dumps(name)


def _parts(source: Source, found: dict[str, Path]) -> list[Part]:
    carve = source.carve_dev and "train" in found and "dev" not in found
    parts = [
        Part(split, found[split], False if carve and split == "train" else None) for split in SPLITS if split in found
    ]
    if carve:
        parts.insert(1, Part("dev", found["train"], True))
    return parts


def _check_target(folder: Path, parts: Sequence[Part], view: View) -> None:
    """RAISES (BiochunkError): If a split of another conversion would stay and be taken for one of this."""
    written = {part.split for part in parts}
    if view == "clean" and "dev" in written:
        written.add(STORE)
    for split in (*SPLITS, STORE):
        stale = folder / f"{split}.jsonl"
        if split not in written and stale.exists():
            raise BiochunkError(
                f"found '{stale}' from another conversion, which this one would not replace, expected a "
                "folder without it; delete it or choose another folder with -o"
            )


def _nothing_found(root: Path, sources: Iterable[Source]) -> str:
    folders = "; ".join(f"{source.name}: a folder {' or '.join(source.folders)}" for source in sources)
    return f"found no benchmark files under '{root}', expected {folders}, and a train, dev or test file in it"

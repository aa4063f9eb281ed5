"""BioMedRAG's data folder to unified JSONL, in one of two views, with an account of every row."""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Literal, NamedTuple, TextIO

from ..errors import BiochunkError, UsageError
from ..files import whole_file
from . import ade, chemprot, ddi, gmciht
from .group import WHY, group_rows
from .published import Unusable, to_record
from .records import Record
from .report import GROUPED, KEPT, NO_TRIPLE, Tally, to_json
from .source import SPLITS, Row, Source, find_files, read_rows
from .splits import in_part, sentence_key
from .stage import Stage

View = Literal["published", "clean"]
SOURCES: dict[str, Source] = {
    source.name: source for source in (gmciht.SOURCE, ddi.SOURCE, chemprot.SOURCE, ade.SOURCE)
}
# ADE has no dev file: this share of the distinct sentences of train becomes dev, in both views the same sentences.
DEV_FRACTION = 0.1
DEV_SEED = 0
# The clean view's file for the chunk store: dev without what stands in train or in test.
STORE = "store"


class Part(NamedTuple):
    """A split and the file it comes from. `carved` says which side of the file it is: None for the whole file."""

    split: str
    path: Path
    carved: bool | None = None


class Dropped(NamedTuple):
    """A row that became no part of a record."""

    split: str
    file: str
    where: str
    relation: str
    reason: str
    detail: str


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
    out (Path): Gets `DATASET/SPLIT.jsonl`, `DATASET/dropped.tsv` and `report.json`; each appears whole or not at all.
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
    source: Source, parts: Sequence[Part], out: Path, view: View, on_row: Callable[[], None] | None
) -> Tally:
    tally = Tally()
    with ExitStack() as stack:
        log = stack.enter_context(whole_file(out / "dropped.tsv"))
        log.write("\t".join(Dropped._fields) + "\n")

        def drop(row: Dropped) -> None:
            tally.outcome(row.split, row.relation, row.reason)
            log.write("\t".join(row) + "\n")

        def open_split(split: str) -> TextIO:
            return stack.enter_context(whole_file(out / f"{split}.jsonl"))

        for part in parts:
            tally.files[part.split] = part.path.name
            if part.carved:
                tally.notes.append(
                    f"dev is carved out of {part.path.name}: {DEV_FRACTION:.0%} of the distinct sentences, seed {DEV_SEED}"
                )
        if view == "published":
            for part in parts:
                file = open_split(part.split)
                for record, relation in _records(source, part, tally, drop, on_row):
                    tally.outcome(part.split, relation, KEPT)
                    tally.records[part.split] += 1
                    file.write(record.to_json() + "\n")
        else:
            with closing(Stage()) as rows:
                for part in parts:
                    for record, relation in _records(source, part, tally, drop, on_row):
                        if not rows.add(record, relation):
                            drop(_dropped(record, relation, "duplicate", "the same row stands above"))
                _write_clean(source, rows, [part.split for part in parts], open_split, tally, drop)
        tally.check()
    return tally


def _write_clean(
    source: Source,
    rows: Stage,
    splits: Sequence[str],
    open_split: Callable[[str], TextIO],
    tally: Tally,
    drop: Callable[[Dropped], None],
) -> None:
    """Write train, dev and test, and the store: what is left of dev without the sentences of test."""
    store = open_split(STORE) if "dev" in splits else None
    for split in splits:
        file = open_split(split)
        for group in rows.groups(split):
            if split != "train" and "train" in group.splits:
                for record, relation in group.rows:
                    drop(_dropped(record, relation, "in_train", "the sentence stands in train"))
                continue
            merged = group_rows([record for record, _ in group.rows], source.marking)
            used = []
            for (record, relation), outcome in zip(group.rows, merged.outcomes, strict=True):
                if outcome in (KEPT, GROUPED):
                    tally.outcome(split, relation, outcome)
                    used.append((record, relation, outcome))
                else:
                    drop(_dropped(record, relation, outcome, WHY[outcome]))
            for what, count in merged.events.items():
                tally.event(split, what, count)
            if not merged.record:
                continue
            tally.records[split] += 1
            file.write(merged.record.to_json() + "\n")
            if split == "dev" and store:
                for record, relation, outcome in used:
                    tally.read(STORE, relation)
                    if "test" in group.splits:
                        drop(
                            _dropped(record, relation, "in_test", "the sentence stands in test", split=STORE)
                        )
                    else:
                        tally.outcome(STORE, relation, outcome)
                if "test" not in group.splits:
                    tally.records[STORE] += 1
                    store.write(merged.record.model_copy(update={"split": STORE}).to_json() + "\n")
    tally.files[STORE] = tally.files.get("dev", "")
    missing = [split for split in ("train", "test") if split not in splits]
    tally.notes += [
        f"there is no {split} file, so no sentence was dropped for standing in it" for split in missing
    ]


def _dropped(record: Record, relation: str, reason: str, detail: str, *, split: str = "") -> Dropped:
    where = f"item {record.meta['item']}" if "item" in record.meta else f"line {record.meta['line']}"
    return Dropped(split or record.split, record.meta["file"], where, relation, reason, detail)


def _records(
    source: Source,
    part: Part,
    tally: Tally,
    drop: Callable[[Dropped], None],
    on_row: Callable[[], None] | None,
) -> Iterator[tuple[Record, str]]:
    """The usable rows of a part as records of the published view, each with its relation."""
    for number, row in enumerate(_rows(source, part), 1):
        relation = relation_of(row)
        tally.read(part.split, relation)
        if on_row:
            on_row()
        try:
            record = to_record(source, part.split, part.path.name, row, number)
        except Unusable as error:
            reason, detail = error.args
            where = f"line {row.line}" if row.item is None else f"item {row.item}"
            drop(Dropped(part.split, part.path.name, where, relation, reason, detail))
        else:
            yield record, relation


def _rows(source: Source, part: Part) -> Iterator[Row]:
    for row in read_rows(source, part.path):
        if part.carved is None or part.carved == in_part(
            sentence_key(row.asked.text), DEV_FRACTION, DEV_SEED
        ):
            yield row


def relation_of(row: Row) -> str:
    """What a row is counted under: its relation, or its label, or that it states none. Printable on one line."""
    name = row.asked.relation if row.asked.label is None else f"label {row.asked.label}"
    if name is None:
        return NO_TRIPLE
    return name if name.isprintable() else json.dumps(name)


def _parts(source: Source, found: dict[str, Path]) -> list[Part]:
    carve = source.carve_dev and "train" in found and "dev" not in found
    parts = [
        Part(split, found[split], False if carve and split == "train" else None)
        for split in SPLITS
        if split in found
    ]
    if carve:
        parts.insert(1, Part("dev", found["train"], True))
    return parts


def _check_target(folder: Path, parts: Sequence[Part], view: View) -> None:
    """RAISES (BiochunkError): If a split of another conversion would stay beside the new ones and be taken for one."""
    written = {part.split for part in parts}
    if view == "clean" and "dev" in written:
        written.add(STORE)
    for split in (*SPLITS, STORE):
        stale = folder / f"{split}.jsonl"
        if split not in written and stale.exists():
            raise BiochunkError(
                f"found '{stale}' from another conversion, which this one would not replace; delete it or choose "
                "another folder with -o"
            )


def _nothing_found(root: Path, sources: Iterable[Source]) -> str:
    folders = "; ".join(f"{source.name}: a folder {' or '.join(source.folders)}" for source in sources)
    return f"found no benchmark files under '{root}', expected {folders}, with the train, dev or test file inside"

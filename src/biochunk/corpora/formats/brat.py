"""BRAT stand-off: a folder with a `.txt` and an `.ann` file a record, and BRAT's `annotation.conf`."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

from ...errors import FileFaultsError
from ..records import Record
from .brat_lines import Annotations, annotation_lines, brat_type, parse_annotations
from .checks import NOT_HELD, OnFault, build_record, checked, fault, kept, read_text, shorten
from .fragments import COVERED, FRAGMENTS, add_fragments, pieces_of
from .notes import Notes, noting
from .offsets import Misfit, Pieces, locate
from .output import whole_folder

BOM = "\ufeff"


def read(
    path: str | Path,
    *,
    dataset: str = "",
    split: str = "",
    notes: Notes | None = None,
    on_fault: OnFault | None = None,
) -> Iterator[Record]:
    """Stream the records of a BRAT folder and its sub-folders, in the natural order of their names.

    path (str | Path): The folder.
    dataset, split (str): For all records; the format has no place for them.
    notes (Notes | None): Collects what had to be decided; default: one warning at the end.
    on_fault: Called with the error of a bad document, which is then left out; default: the error is raised.
    RAISES (FileFaultsError): When there is no text, or an `.ann` file without its text.
    """
    folder = Path(path)
    texts = sorted(folder.rglob("*.txt"), key=lambda file: _natural(file.relative_to(folder).as_posix()))
    stems = {text.with_suffix("") for text in texts}
    for annotations in sorted(folder.rglob("*.ann")):
        if annotations.with_suffix("") not in stems:
            raise fault(annotations, "file", "annotations without a text", f"{annotations.stem}.txt beside it")
    if not texts:
        raise fault(path, "folder", "no .txt file", "BRAT documents (NAME.txt with NAME.ann)")
    with noting(notes) as notes:
        yield from kept(path, (_record(text, folder, dataset, split, notes) for text in texts), on_fault)


def write(path: str | Path, records: Iterable[Record], *, notes: Notes | None = None) -> int:
    """Write a BRAT folder, whole or not at all.

    What the format has no place for (dataset, split, label, meta but for `fragments`) is left out and noted.

    path (str | Path): The folder; must not exist yet or be empty.
    records (Iterable[Record]): The records.
    notes (Notes | None): Collects what had to be decided; default: one warning at the end.
    RETURNS (int): How many records were written.
    RAISES (FileFaultsError): For a record with an id that cannot be a file name, or a label with a tab or
        line end.
    """
    count = 0
    labels: set[str] = set()
    relations: set[str] = set()
    with noting(notes) as notes, whole_folder(path) as folder:
        for record in checked(records, path):
            count += 1
            name = _file_name(record, path)
            lines = "".join(line + "\n" for line in annotation_lines(record, Path(path)))
            # A reader takes one byte order mark off; a text that begins with one needs a second.
            text = BOM + record.text if record.text.startswith(BOM) else record.text
            for suffix, content in ((".txt", text), (".ann", lines)):
                try:
                    with open(folder / (name + suffix), "x", encoding="utf-8", newline="") as file:
                        file.write(content)
                except FileExistsError:
                    found = f"the file name {name + suffix!r} a second time"
                    raise fault(path, f"record {record.id!r}", found, "ids that differ in more than case") from None
            labels.update(brat_type(entity.label) for entity in record.entities)
            relations.update(brat_type(triple.relation) for triple in record.triples)
            _note_losses(record, notes)
        (folder / "annotation.conf").write_text(_configuration(labels, relations), encoding="utf-8")
    return count


def _record(text_path: Path, folder: Path, dataset: str, split: str, notes: Notes) -> Record | FileFaultsError:
    try:
        return _parse(text_path, folder, dataset, split, notes)
    except FileFaultsError as error:
        return error


def _parse(text_path: Path, folder: Path, dataset: str, split: str, notes: Notes) -> Record:
    where = text_path.relative_to(folder).as_posix()
    with open(text_path, "rb") as file:
        marked = file.read(3) == BOM.encode()
    text = read_text(text_path)
    # The shared task of BioNLP has given mentions in .a1 and the rest in .a2.
    parts = [p for p in map(text_path.with_suffix, (".ann", ".a1", ".a2")) if p.exists()]
    if not parts:
        notes.add("texts without an .ann file were read as texts without mentions", where)
    path = parts[0] if parts else text_path
    found = parse_annotations("\n".join(map(read_text, parts)), path)
    entities, fragments = _entities(path, text, marked, found, where, notes)
    triples = _triples(path, found, where, notes)
    meta: dict[str, Any] = {}
    if add_fragments(meta, fragments):
        notes.add(COVERED, where)
    if found.kept:
        notes.add("attributes, events, normalisations, equivalences and notes were kept in meta.brat", where)
        meta["brat"] = found.kept
    return build_record(
        path,
        "file",
        id=_record_id(text_path.relative_to(folder).with_suffix("").as_posix()),
        dataset=dataset,
        split=split,
        text=text,
        entities=entities,
        triples=triples,
        meta=meta,
    )


def _entities(
    path: Path, text: str, marked: bool, found: Annotations, where: str, notes: Notes
) -> tuple[list[dict[str, Any]], dict[str, list[list[int]]]]:
    located = locate(text, found.mentions)
    if isinstance(located, list) and marked:
        again = locate(text, found.mentions, base=1)
        if not isinstance(again, list):
            located = ("characters with the byte order mark", again[1])
    if isinstance(located, list):
        raise _misfit(path, located[0])
    unit, pieces = located
    if unit != "characters":
        notes.add(f"offsets counted in {unit} were turned into characters", where)
    return [_entity(text, found, m.id, p) for m, p in zip(found.mentions, pieces, strict=True)], {
        found.entity_id(mention.id): [[start, end] for start, end in piece]
        for mention, piece in zip(found.mentions, pieces, strict=True)
        if len(piece) > 1
    }


def _entity(text: str, found: Annotations, key: str, pieces: Pieces) -> dict[str, Any]:
    start, end = pieces[0][0], pieces[-1][1]
    return {
        "id": found.entity_id(key),
        "start": start,
        "end": end,
        "text": text[start:end],
        "label": found.label(key),
    }


def _misfit(path: Path, misfit: Misfit) -> FileFaultsError:
    shown = f"{shorten(misfit.mention.text)} at {list(misfit.mention.pieces)}"
    expected = "offsets within the text" if misfit.found is None else f"{shorten(misfit.found)}, which stands there"
    return fault(path, f"mention {misfit.mention.id}", shown, expected)


def _triples(path: Path, found: Annotations, where: str, notes: Notes) -> list[dict[str, str]]:
    known = {mention.id for mention in found.mentions}

    def mention(key: str) -> str:
        """The record's id of a mention, or of an event's trigger."""
        target = found.events[key][0] if key in found.events else key
        if target not in known:
            raise fault(path, "file", f"a reference to {key!r}", "the id of a mention or event of the file")
        return found.entity_id(target)

    triples = [
        {"head": mention(head), "relation": found.label(key), "tail": mention(tail)}
        for key, head, tail in found.relations
    ]
    for key, (trigger, arguments) in found.events.items():
        notes.add("events were read as triples (trigger, role, argument)", f"{where}, {key}")
        triples += [
            {"head": mention(trigger), "relation": role, "tail": mention(argument)} for role, argument in arguments
        ]
    return triples


def _note_losses(record: Record, notes: Notes) -> None:
    where = f"record {record.id!r}"
    for name in ("dataset", "split", "label"):
        if getattr(record, name) not in ("", None):
            notes.add(NOT_HELD.format(field=name, format="BRAT"), where)
    pieces = {entity.id: pieces_of(record, entity) for entity in record.entities}
    held = {key: [list(piece) for piece in value] for key, value in pieces.items() if len(value) > 1}
    if record.meta and record.meta != {FRAGMENTS: held}:
        notes.add(NOT_HELD.format(field="meta (but for fragments)", format="BRAT"), where)


def _file_name(record: Record, path: str | Path) -> str:
    """The record's id as a file name; `_record_id` reads it back."""
    name = _encoded(record.id)
    if len(name) > 200:
        raise fault(path, f"record {record.id[:40]!r}...", f"an id of {len(name)} bytes", "a file name of 200 at most")
    return name


def _encoded(key: str) -> str:
    name = quote(key, safe="")
    return name.replace(".", "%2E", 1) if name.startswith(".") else name


def _record_id(stem: str) -> str:
    """A name that `_encoded` could have written is decoded; any other is the id as it is."""
    try:
        key = unquote(stem, errors="strict")
    except UnicodeDecodeError:
        return stem
    return key if _encoded(key) == stem else stem


def _natural(name: str) -> list[tuple[int, int, str]]:
    """A sort key by which "a2" stands before "a10"."""
    parts = re.findall(r"[0-9]+|[^0-9]+", name)
    return [(0, int(part), "") if part[0] in "0123456789" else (1, 0, part) for part in parts]


def _configuration(labels: set[str], relations: set[str]) -> str:
    """BRAT shows only types that its configuration names, and overlaps only where it allows them."""
    lines = [
        "[entities]",
        *sorted(labels),
        "",
        "[relations]",
        "<OVERLAP> Arg1:<ENTITY>, Arg2:<ENTITY>, <OVL-TYPE>:<ANY>",
    ]
    lines += [f"{relation} Arg1:<ENTITY>, Arg2:<ENTITY>" for relation in sorted(relations)]
    return "\n".join([*lines, "", "[events]", "", "[attributes]", ""])

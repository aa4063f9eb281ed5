"""PubTator: `id|t|title`, `id|a|abstract`, then mentions and relations between tabs, then a blank line.

Offsets run over the title, one character, the abstract. A record's text is `title + "\\n" + abstract`, or the
title alone where there is no abstract. The sixth column of a mention is a concept id; biochunk writes the
entity's id there, so that a relation names its two mentions without doubt.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from ...errors import FileFaultsError
from ...files import whole_file
from ..records import Entity, Record
from .checks import NOT_HELD, OnFault, build_record, cannot_read, checked, fault, kept, not_utf8, shorten
from .notes import Notes, noting
from .offsets import Mention, locate

_TEXT = re.compile(r"([^|\t]*)\|([ta])\|(.*)", re.DOTALL)
_ID = re.compile(r"[^|\t\n\r\ufeff][^|\t\n\r]*")
_NAME = re.compile(r"[^\t\n\r]*")

# A line can hold neither of these in a text: each is written as its picture, one character for one, and back.
_TO_PICTURES = str.maketrans("\n\r", "␊␍")
_FROM_PICTURES = str.maketrans("␊␍", "\n\r")

Line = tuple[int, str]


def read(
    path: str | Path,
    *,
    dataset: str = "",
    split: str = "",
    notes: Notes | None = None,
    on_fault: OnFault | None = None,
) -> Iterator[Record]:
    """Stream the records of a PubTator file.

    path (str | Path): The file.
    dataset, split (str): For all records; the format has no place for them.
    notes (Notes | None): Collects what had to be decided; default: one warning at the end.
    on_fault: Called with the error of a bad document, which is then left out; default: the error is raised.
    """
    with noting(notes) as notes:
        found = (_record(path, block, dataset, split, notes) for block in _blocks(path))
        yield from kept(path, found, on_fault)


def write(path: str | Path, records: Iterable[Record], *, notes: Notes | None = None) -> int:
    """Write a PubTator file, whole or not at all.

    What the format has no place for (dataset, split, label, meta) is left out and noted.

    path (str | Path): The file.
    records (Iterable[Record]): The records.
    notes (Notes | None): Collects what had to be decided; default: one warning at the end.
    RETURNS (int): How many records were written.
    RAISES (FileFaultsError): For a record with an id or label that a line cannot hold, or a text with the
        pictures U+240A and U+240D, which stand for line ends.
    """
    count = 0
    with noting(notes) as notes, whole_file(path) as file:
        for record in checked(records, path):
            count += 1
            file.write("\n".join(_lines(path, record, notes)) + "\n\n")
    return count


def _blocks(path: str | Path) -> Iterator[list[Line]]:
    """The numbered lines of each document; only line feeds (with or without a carriage return) end a line."""
    block: list[Line] = []
    try:
        with open(path, encoding="utf-8-sig", newline="\n") as file:
            for number, line in enumerate(file, 1):
                line = line.removesuffix("\n").removesuffix("\r")
                if line.strip():
                    block.append((number, line))
                elif block:
                    yield block
                    block = []
    except OSError as error:
        raise cannot_read(path, error) from None
    except UnicodeDecodeError:
        raise not_utf8(path) from None
    if block:
        yield block


def _record(path: str | Path, block: list[Line], dataset: str, split: str, notes: Notes) -> Record | FileFaultsError:
    try:
        return _parse(path, block, dataset, split, notes)
    except FileFaultsError as error:
        return error


def _parse(path: str | Path, block: list[Line], dataset: str, split: str, notes: Notes) -> Record:
    number, line = block[0]
    title = _TEXT.fullmatch(line)
    if title is None or title[2] != "t":
        raise fault(path, f"line {number}", shorten(line), "ID|t|TITLE")
    key, text, rest = title[1], title[3], block[1:]
    where = f"line {number}, document {key!r}"
    if rest and (abstract := _TEXT.fullmatch(rest[0][1])) is not None:
        if abstract[1] != key or abstract[2] != "a":
            raise fault(path, f"line {rest[0][0]}", shorten(rest[0][1]), f"{key}|a|ABSTRACT")
        text += "\n" + abstract[3] if abstract[3] else ""
        rest = rest[1:]
    mentions, relations = _rows(path, key, rest)
    if "␊" in text or "␍" in text:
        notes.add("the pictures ␊ and ␍ in a text were read as line ends", where)
        text = text.translate(_FROM_PICTURES)

    entities, meta = _entities(path, where, text, mentions, notes)
    concepts = [_concept(cells) for _, cells in mentions]
    triples, unresolved = [], []
    for line_number, cells in relations:
        heads, tails = (
            _with_concept(cells[2], entities, concepts),
            _with_concept(cells[3], entities, concepts),
        )
        if not heads or not tails:
            notes.add("relations of concepts without a mention were kept in meta.pubtator.relations", where)
            unresolved.append(cells[1:])
            continue
        head, tail = _nearest(heads, tails)
        if len(heads) > 1 or len(tails) > 1:
            notes.add(
                "relations of concepts with several mentions were set on the two nearest",
                f"line {line_number}",
            )
        triples.append({"head": head["id"], "relation": cells[1], "tail": tail["id"]})
        if len(cells) > 4:
            unresolved.append(cells[1:])
    if unresolved:
        meta["relations"] = unresolved
    return build_record(
        path,
        where,
        id=key,
        dataset=dataset,
        split=split,
        text=text,
        entities=entities,
        triples=triples,
        meta={"pubtator": meta} if meta else {},
    )


def _rows(path: str | Path, key: str, lines: Sequence[Line]) -> tuple[list[tuple[int, list[str]]], ...]:
    """Mentions and relations: (line number, cells)."""
    mentions, relations = [], []
    for number, line in lines:
        cells = line.split("\t")
        if cells[0] != key:
            raise fault(path, f"line {number}", f"id {shorten(cells[0])}", f"{key!r}, or a blank line before it")
        if len(cells) >= 5 and _is_number(cells[1]) and _is_number(cells[2]):
            mentions.append((number, cells))
        elif len(cells) in (4, 5):
            relations.append((number, cells))
        else:
            expected = "ID, START, END, TEXT, TYPE, CONCEPT or ID, RELATION, CONCEPT, CONCEPT between tabs"
            raise fault(path, f"line {number}", shorten(line), expected)
    return mentions, relations


def _is_number(cell: str) -> bool:
    return cell.isascii() and cell.isdigit() and len(cell) < 15


def _concept(cells: list[str]) -> str:
    """The concept of a mention; "-" is PubTator's sign for none."""
    return cells[5] if len(cells) > 5 and cells[5] != "-" else ""


def _entities(
    path: str | Path, where: str, text: str, mentions: list[tuple[int, list[str]]], notes: Notes
) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Entities, and what else the lines hold, by entity id."""
    concepts = [_concept(cells) for _, cells in mentions]
    own_ids = all(concepts) and max(Counter(concepts).values(), default=1) == 1
    ids = concepts if own_ids else [f"T{i}" for i in range(1, len(mentions) + 1)]
    stated = [Mention(f"line {number}", ((int(cells[1]), int(cells[2])),), cells[3]) for number, cells in mentions]
    located = locate(text, stated)
    if isinstance(located, list):
        mention, found = located[0].mention, located[0].found
        start, end = mention.pieces[0]
        shown = f"{shorten(mention.text)} at {start}-{end}"
        slice_ = "offsets within the text" if found is None else f"{shorten(found)}, which stands there"
        raise fault(path, mention.id, shown, slice_)
    unit, pieces = located
    if unit != "characters":
        notes.add(f"offsets counted in {unit} were turned into characters", where)
    entities = [
        {
            "id": key,
            "start": piece[0][0],
            "end": piece[0][1],
            "text": text[slice(*piece[0])],
            "label": cells[4],
        }
        for key, piece, (_, cells) in zip(ids, pieces, mentions, strict=True)
    ]
    meta: dict[str, Any] = {}
    if not own_ids and any(concepts):
        meta["concepts"] = {key: concept for key, concept in zip(ids, concepts, strict=True) if concept}
    more = {key: cells[6:] for key, (_, cells) in zip(ids, mentions, strict=True) if len(cells) > 6}
    if more:
        meta["more"] = more
    return entities, meta


def _with_concept(concept: str, entities: list[dict[str, Any]], concepts: list[str]) -> list[dict[str, Any]]:
    """The mentions of a concept; where none has exactly it, those that have it among several."""
    pairs = list(zip(entities, concepts, strict=True))
    exact = [entity for entity, stated in pairs if concept in (stated, entity["id"])]
    return exact or [entity for entity, stated in pairs if concept in re.split(r"[|,;]", stated)]


def _nearest(heads: list[dict[str, Any]], tails: list[dict[str, Any]]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The pair with the fewest characters between; of equals, the one that stands first."""

    def gap(pair: tuple[dict[str, Any], dict[str, Any]]) -> tuple[bool, int, int, int]:
        head, tail = pair
        between = max(head["start"], tail["start"]) - min(head["end"], tail["end"])
        return head is tail, max(between, 0), head["start"], tail["start"]

    return min(((head, tail) for head in heads for tail in tails), key=gap)


def _lines(path: str | Path, record: Record, notes: Notes) -> Iterator[str]:
    where = f"record {record.id!r}"
    _check(path, record, where)
    for field in ("dataset", "split", "label", "meta"):
        if getattr(record, field) not in ("", None, {}):
            notes.add(NOT_HELD.format(field=field, format="PubTator"), where)
    title, _, abstract = record.text.partition("\n")
    if not abstract:
        title = record.text
    if "\n" in (abstract or title) or "\r" in record.text:
        notes.add("line ends in texts were written as the pictures ␊ and ␍, which biochunk reads back", where)
    yield f"{record.id}|t|{title.translate(_TO_PICTURES)}"
    yield f"{record.id}|a|{abstract.translate(_TO_PICTURES)}"
    for entity in record.entities:
        yield "\t".join((record.id, str(entity.start), str(entity.end), _cell(entity), entity.label, entity.id))
    for triple in record.triples:
        yield "\t".join((record.id, triple.relation, triple.head, triple.tail))


def _cell(entity: Entity) -> str:
    """The mention's text; offsets are what counts, so a tab or line end may become a space here."""
    return re.sub(r"[\t\n\r]", " ", entity.text)


def _check(path: str | Path, record: Record, where: str) -> None:
    """Refuse what a line cannot hold."""
    if not _ID.fullmatch(record.id):
        raise fault(path, where, "its id", "an id without '|', tab and line end, which PubTator cannot hold")
    if any(entity.id == "-" for entity in record.entities):
        raise fault(path, where, "the entity id '-'", "another id; in PubTator it stands for no concept")
    if set(record.text) & set("␊␍"):
        raise fault(path, where, "U+240A or U+240D in its text", "none; in PubTator they stand for line ends")
    names = [name for entity in record.entities for name in (entity.id, entity.label)]
    for name in (*names, *(triple.relation for triple in record.triples)):
        if not _NAME.fullmatch(name):
            raise fault(path, where, f"the name {name!r}", "a name without tab and line end")

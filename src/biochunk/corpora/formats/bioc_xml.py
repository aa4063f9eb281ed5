"""BioC XML as a stream of documents: no entity is ever expanded, every character comes back as it was."""

from collections import deque
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any
from xml.parsers import expat
from xml.sax.saxutils import escape, quoteattr

from ...errors import FileFaultsError
from ...files import whole_file
from ..records import Record
from .bioc import CHARACTERS, Json, record_to_document
from .bioc_reader import Reader
from .checks import OnFault, cannot_read, checked, fault, kept, shorten
from .notes import Notes, noting

BLOCK = 1 << 16

LISTS = {
    "passage": "passages",
    "sentence": "sentences",
    "annotation": "annotations",
    "relation": "relations",
    "location": "locations",
    "node": "nodes",
}
VALUES = frozenset({"id", "offset", "text", "source", "date", "key", "infon"})
# Which element may stand in which; an element elsewhere is an error, never passed over.
PARENTS = {
    "document": {"collection"},
    "passage": {"document"},
    "sentence": {"passage"},
    "annotation": {"document", "passage", "sentence"},
    "relation": {"document", "passage", "sentence"},
    "location": {"annotation"},
    "node": {"relation"},
    "id": {"document"},
    "offset": {"passage", "sentence"},
    "text": {"passage", "sentence", "annotation"},
    "source": {"collection"},
    "date": {"collection"},
    "key": {"collection"},
    "infon": {"collection", "document", "passage", "sentence", "annotation", "relation"},
}


def read(
    path: str | Path,
    *,
    dataset: str = "",
    split: str = "",
    notes: Notes | None = None,
    on_fault: OnFault | None = None,
) -> Iterator[Record]:
    """Stream the records of a BioC XML file.

    path (str | Path): The file.
    dataset, split (str): For documents that biochunk did not write.
    notes (Notes | None): Collects what had to be decided; default: one warning at the end.
    on_fault: Called with the error of a bad document, which is then left out; default: the error is raised.
    RAISES (FileFaultsError): For a file that is not well-formed BioC, whatever `on_fault` is.
    """
    with noting(notes) as notes:
        reader = Reader(path, dataset=dataset, split=split, notes=notes)
        found = (reader.record(document, f"line {line}") for line, document in _documents(path))
        yield from kept(path, found, on_fault)


def write(path: str | Path, records: Iterable[Record], *, notes: Notes | None = None) -> int:
    """Write a BioC XML file, whole or not at all; nothing of a record is lost.

    path (str | Path): The file.
    records (Iterable[Record]): The records.
    notes (Notes | None): Collects what had to be decided; default: one warning at the end.
    RETURNS (int): How many records were written.
    RAISES (FileFaultsError): For an id, label or name with a character that XML cannot hold.
    """
    count = 0
    with noting(notes) as notes, whole_file(path) as file:
        file.write('<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE collection SYSTEM "BioC.dtd">\n')
        file.write("<collection><source>biochunk</source><date></date><key></key>\n")
        for record in checked(records, path):
            count += 1
            file.write(_document_xml(_for_xml(path, record, notes)) + "\n")
        file.write("</collection>\n")
    return count


class _Builder:
    """Expat's events to documents in BioC JSON's shape."""

    def __init__(self, path: str | Path) -> None:
        self.path = path
        self.ready: deque[tuple[int, Json]] = deque()
        self.stack: list[tuple[str, Json]] = []
        self.text: list[str] | None = None
        self.line = 0
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.parser.CharacterDataHandler = self.characters
        # A document type is harmless, an entity is a way to blow up memory or to read other files.
        self.parser.EntityDeclHandler = self.entity
        self.parser.SkippedEntityHandler = self.entity

    def entity(self, name: str, *_: object) -> None:
        raise self.wrong(f"the entity {name!r}", "a file that defines and uses no entities of its own")

    def wrong(self, found: str, expected: str) -> FileFaultsError:
        return fault(self.path, f"line {self.parser.CurrentLineNumber}", found, expected)

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        parent = self.stack[-1][0] if self.stack else ""
        if not (parent in PARENTS.get(tag, ()) or (tag == "collection" and not parent)):
            place = f" in <{parent}>" if parent else ""
            raise self.wrong(f"<{tag}>{place}", "the elements of BioC, with <collection> around them")
        if tag == "document":
            self.line = self.parser.CurrentLineNumber
        self.stack.append((tag, dict(attributes)))
        self.text = [] if tag in VALUES else None

    def characters(self, data: str) -> None:
        if self.text is not None:
            self.text.append(data)
        elif data.strip():
            raise self.wrong(f"text {shorten(data.strip())} in <{self.stack[-1][0]}>", "text only in elements of text")

    def end(self, tag: str) -> None:
        _, node = self.stack.pop()
        owner: dict[str, Any] = self.stack[-1][1] if self.stack else {}
        if tag in VALUES:
            value = "".join(self.text or [])
            if tag != "infon":
                owner[tag] = value
            elif "key" in node:
                owner.setdefault("infons", {})[node["key"]] = value
            else:
                raise self.wrong("<infon> without a key", "a key")
            self.text = None
        elif tag == "document":
            self.ready.append((self.line, node))
        elif tag in LISTS:
            owner.setdefault(LISTS[tag], []).append(node)


def _documents(path: str | Path) -> Iterator[tuple[int, Json]]:
    """Each document with the line it begins at."""
    builder = _Builder(path)
    try:
        with open(path, "rb") as file:
            while True:
                block = file.read(BLOCK)
                builder.parser.Parse(block, not block)
                while builder.ready:
                    yield builder.ready.popleft()
                if not block:
                    return
    except OSError as error:
        raise cannot_read(path, error) from None
    except expat.ExpatError as error:
        where = f"line {error.lineno} column {error.offset}"
        raise fault(path, where, expat.ErrorString(error.code), "well-formed XML") from None
    except (LookupError, ValueError) as error:
        if isinstance(error, FileFaultsError):
            raise
        raise fault(path, "line 1", f"an encoding that cannot be read ({error})", "a file in UTF-8") from None


def _legal(char: str) -> bool:
    """Whether XML 1.0 has the character (its production Char)."""
    # No surrogates here: `checked` has refused them.
    return char in "\t\n\r" or (char >= " " and char not in "\ufffe\uffff")


def _for_xml(path: str | Path, record: Record, notes: Notes) -> Json:
    """The record's document; characters that XML lacks stand in an infon and leave U+FFFD in the text."""
    document = record_to_document(record)
    where = f"record {record.id!r}"
    names = [record.id, record.dataset, record.split]
    names += [name for entity in record.entities for name in (entity.id, entity.label)]
    names += [triple.relation for triple in record.triples]
    for name in names:
        if not all(map(_legal, name)):
            raise fault(path, where, f"the name {name!r}", "a name without control characters, which XML cannot hold")
    lost = [(i, char) for i, char in enumerate(record.text) if not _legal(char)]
    if lost:
        notes.add("texts with characters that XML cannot hold have U+FFFD there and the infon " + CHARACTERS, where)
        document["infons"][CHARACTERS] = " ".join(f"{i}:{ord(char):04X}" for i, char in lost)
        passage = document["passages"][0]
        for owner in (passage, *passage["annotations"]):
            owner["text"] = "".join(char if _legal(char) else "\ufffd" for char in owner["text"])
    return document


def _document_xml(document: Json) -> str:
    passage = document["passages"][0]
    parts = ["<document>", _element("id", document["id"]), _infons(document)]
    parts += ["<passage>", _element("offset", "0"), _element("text", passage["text"])]
    for annotation in passage["annotations"]:
        locations = (f'<location offset="{p["offset"]}" length="{p["length"]}"/>' for p in annotation["locations"])
        parts += [f"<annotation id={_quoted(annotation['id'])}>", _infons(annotation), *locations]
        parts += [_element("text", annotation["text"]), "</annotation>"]
    for relation in passage["relations"]:
        nodes = (f"<node refid={_quoted(node['refid'])} role={_quoted(node['role'])}/>" for node in relation["nodes"])
        parts += [f"<relation id={_quoted(relation['id'])}>", _infons(relation), *nodes, "</relation>"]
    return "".join([*parts, "</passage></document>"])


def _infons(owner: Json) -> str:
    return "".join(f"<infon key={_quoted(key)}>{_escaped(value)}</infon>" for key, value in owner["infons"].items())


def _element(tag: str, text: str) -> str:
    return f"<{tag}>{_escaped(text)}</{tag}>"


def _escaped(text: str) -> str:
    # A bare carriage return would come back as a line feed.
    return escape(text, {"\r": "&#13;"})


def _quoted(text: str) -> str:
    return quoteattr(text)

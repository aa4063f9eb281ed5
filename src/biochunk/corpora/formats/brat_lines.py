"""One BRAT `.ann` file: its lines to mentions and relations, and a record to such lines."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from ..records import Record
from .bioc import HEAD_ROLES, TAIL_ROLES
from .checks import fault, shorten
from .fragments import pieces_of, pieces_text
from .offsets import Mention, Pieces

_MENTION = re.compile(r"(T\S*)\t(\S+) (\d{1,15} \d{1,15}(?:;\d{1,15} \d{1,15})*)\t(.*)", re.DOTALL)
_RELATION = re.compile(r"(R\S*)\t(\S+) ([^\s:]+):(\S+) ([^\s:]+):(\S+)\s*")
_EVENT = re.compile(r"(E\S*)\t([^\s:]+):(\S+)((?: [^\s:]+:\S+)*)\s*")
_NOTE = re.compile(r"(#\S*)\t(\S+) (\S+)(?:\t(.*))?", re.DOTALL)
_KEPT = re.compile(r"[AMN*]\S*\t.*", re.DOTALL)
_BRAT_ID = re.compile(r"T[1-9]\d{0,9}")
_LINE_ENDS = re.compile(r"[\t\n\r]")

# Notes in which biochunk keeps a name that BRAT's own syntax has no room for.
ENTITY_ID, LABEL = "EntityID", "Label"


@dataclass
class Annotations:
    """What an `.ann` file says.

    mentions (list[Mention]): In file order, with BRAT's own ids.
    labels (dict[str, str]): Type of each mention and relation, by BRAT id.
    relations (list): (BRAT id, head, tail), where head and tail are ids of mentions or events.
    events (dict): Event id -> (trigger, [(role, id)]).
    names (dict): (kind of note, BRAT id) -> name, from biochunk's own notes.
    kept (list[str]): All other lines, as they are.
    """

    mentions: list[Mention] = field(default_factory=list)
    labels: dict[str, str] = field(default_factory=dict)
    relations: list[tuple[str, str, str]] = field(default_factory=list)
    events: dict[str, tuple[str, list[tuple[str, str]]]] = field(default_factory=dict)
    names: dict[tuple[str, str], str] = field(default_factory=dict)
    kept: list[str] = field(default_factory=list)

    def entity_id(self, key: str) -> str:
        """The id that a mention has in the record."""
        return self.names.get((ENTITY_ID, key), key)

    def label(self, key: str) -> str:
        """The exact label of a mention or relation; an edit of its type in BRAT wins over biochunk's note."""
        exact = self.names.get((LABEL, key))
        return exact if exact is not None and brat_type(exact) == self.labels[key] else self.labels[key]


def brat_type(label: str) -> str:
    """A label as BRAT's types may be written: letters, digits, '-' and '_' of ASCII."""
    return re.sub(r"[^A-Za-z0-9_-]", "_", label) or "Entity"


def parse_annotations(text: str, path: Path) -> Annotations:
    """Parse the text of an `.ann` file.

    RAISES (FileFaultsError): Naming the line that is in none of BRAT's forms.
    """
    found = Annotations()
    for number, line in enumerate(text.split("\n"), 1):
        line = line.removesuffix("\r")
        if line.strip() and not _add(found, line):
            raise fault(path, f"line {number}", shorten(line), "a line of BRAT stand-off (T, R, E, A, M, N, *, #)")
    keys = [mention.id for mention in found.mentions] + [relation[0] for relation in found.relations]
    if len(set(keys)) < len(keys):
        twice = next(key for key in keys if keys.count(key) > 1)
        raise fault(path, "file", f"the id {twice!r} twice", "each id once")
    return found


def _add(found: Annotations, line: str) -> bool:
    """Take one line in; False when it is in no known form."""
    if match := _MENTION.fullmatch(line):
        key, found.labels[key], pieces, text = match.groups()
        bounds = [tuple(map(int, piece.split(" "))) for piece in pieces.split(";")]
        found.mentions.append(Mention(key, tuple(sorted((a, b) for a, b in bounds)), text))
    elif match := _RELATION.fullmatch(line):
        key, found.labels[key], role, head, other_role, tail = match.groups()
        if role.lower() in TAIL_ROLES and other_role.lower() in HEAD_ROLES:
            head, tail = tail, head
        found.relations.append((key, head, tail))
    elif match := _EVENT.fullmatch(line):
        arguments = [tuple(argument.split(":", 1)) for argument in match[4].split()]
        found.events[match[1]] = (match[3], [(role, key) for role, key in arguments])
        found.kept.append(line)
    elif (match := _NOTE.fullmatch(line)) and match[2] in (ENTITY_ID, LABEL):
        found.names[match[2], match[3]] = match[4] or ""
    elif match or _KEPT.fullmatch(line):
        found.kept.append(line)
    else:
        return False
    return True


def annotation_lines(record: Record, path: Path) -> Iterator[str]:
    """The lines of a record's `.ann` file.

    RAISES (FileFaultsError): For an id or label with a tab or line end.
    """
    _check(record, path)
    ids = [entity.id for entity in record.entities]
    own = all(map(_BRAT_ID.fullmatch, ids))
    keys = dict(zip(ids, ids if own else [f"T{i}" for i in range(1, len(ids) + 1)], strict=True))
    names: list[tuple[str, str, str]] = []
    for entity in record.entities:
        key, label = keys[entity.id], brat_type(entity.label)
        pieces = pieces_of(record, entity)
        yield f"{key}\t{label} {_bounds(pieces)}\t{_LINE_ENDS.sub(' ', pieces_text(record.text, pieces))}"
        names += [(ENTITY_ID, key, entity.id)] * (key != entity.id) + [(LABEL, key, entity.label)] * (
            label != entity.label
        )
    for i, triple in enumerate(record.triples, 1):
        label = brat_type(triple.relation)
        yield f"R{i}\t{label} Arg1:{keys[triple.head]} Arg2:{keys[triple.tail]}"
        names += [(LABEL, f"R{i}", triple.relation)] * (label != triple.relation)
    for i, (kind, key, name) in enumerate(names, 1):
        yield f"#{i}\t{kind} {key}\t{name}"


def _bounds(pieces: Pieces) -> str:
    return ";".join(f"{start} {end}" for start, end in pieces)


def _check(record: Record, path: Path) -> None:
    names = [name for entity in record.entities for name in (entity.id, entity.label)]
    for name in (*names, *(triple.relation for triple in record.triples)):
        if _LINE_ENDS.search(name):
            raise fault(path, f"record {record.id!r}", f"the name {name!r}", "a name without tab and line end")

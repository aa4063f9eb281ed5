"""BioC documents to records, with every structural fault named.

A foreign document is one record: its passages joined by one line feed each, and everything that a record has
no place for under `meta["bioc"]`.
"""

import json
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

from ...errors import FileFaultsError
from ..records import Record
from .bioc import CHARACTERS, DATASET, HEAD_ROLES, LABEL, META, OURS, SPLIT, TAIL_ROLES, Json
from .checks import build_record, fault, shorten
from .fragments import COVERED, add_fragments
from .notes import Notes
from .offsets import Mention, Pieces, locate

RELATION_KEYS = ("type", "relation", "relation type")

# A gap between two sentences is filled with spaces; a longer one than this is taken for a wrong offset.
LONGEST_GAP = 1000


class Reader:
    """Documents of one file to records.

    path (str | Path): The file, for errors.
    dataset, split (str): For documents that do not name their own.
    notes (Notes): Where rules that were applied are counted.
    """

    def __init__(self, path: str | Path, *, dataset: str, split: str, notes: Notes) -> None:
        self.path, self.dataset, self.split, self.notes = path, dataset, split, notes

    def record(self, document: object, where: str) -> Record | FileFaultsError:
        """One document's record, or the error that tells why there is none."""
        try:
            return self._record(_object(self.path, where, document, "a BioC document"), where)
        except FileFaultsError as error:
            return error

    def _record(self, document: Json, where: str) -> Record:
        if document.get("id") not in (None, ""):
            where = f"{where}, document {shorten(document['id'])}"
        infons = _object(self.path, where, document.get("infons") or {}, "infons")
        meta = self._json(infons, META, where) or {}
        if not isinstance(meta, dict):
            raise fault(self.path, f"{where}, {META}", shorten(meta), "a JSON object")
        extra: Json = {key: value for key, value in [("infons", _foreign(infons))] if value}

        text, entities, fragments = self._text_and_entities(document, where, extra)
        text = self._restore(text, infons, where)
        for entity in entities:
            entity["text"] = text[entity["start"] : entity["end"]]
        triples = self._triples(document, {entity["id"] for entity in entities}, where, extra)

        if add_fragments(meta, fragments):
            self.notes.add(COVERED, where)
        if extra:
            meta["bioc"] = {**earlier, **extra} if isinstance(earlier := meta.get("bioc"), dict) else extra
        return build_record(
            self.path,
            where,
            id=_text(document.get("id")),
            dataset=infons.get(DATASET, self.dataset),
            split=infons.get(SPLIT, self.split),
            text=text,
            entities=entities,
            triples=triples,
            label=self._json(infons, LABEL, where),
            meta=meta,
        )

    def _json(self, infons: Json, key: str, where: str) -> Any:
        if key not in infons:
            return None
        try:
            return json.loads(infons[key])
        except (ValueError, TypeError, RecursionError):
            raise fault(self.path, f"{where}, infon {key}", shorten(infons[key]), "JSON") from None

    def _text_and_entities(self, document: Json, where: str, extra: Json) -> tuple[str, list[Json], Json]:
        """The document's text, its entities (without their text) and the pieces of those with a gap."""
        passages = _list(self.path, where, document, "passages")
        loose = [*_list(self.path, where, document, "annotations")]
        text, bounds, infons = "", [], {}
        entities: list[Json] = []
        fragments: Json = {}
        for i, passage in enumerate(passages):
            place = f"{where}, passage {i + 1}"
            passage = _object(self.path, place, passage, "a passage")
            offset = self._number(passage, "offset", place)
            own = self._passage_text(passage, offset, place)
            text += "\n" * (i > 0)
            start = len(text)
            text += own
            bounds.append({"start": start, "end": len(text), "offset": offset, "infons": passage.get("infons") or {}})
            annotations = [*_annotations(self.path, place, passage), *_within(loose, offset, len(own))]
            for annotation, pieces in self._located(annotations, own, offset, place):
                moved = [[start + a, start + b] for a, b in pieces]
                key = self._free_id(annotation["id"], {entity["id"] for entity in entities}, place)
                entities.append({"id": key, "start": moved[0][0], "end": moved[-1][1], "label": annotation["label"]})
                if len(moved) > 1:
                    fragments[key] = moved
                if annotation["rest"]:
                    infons[key] = annotation["rest"]
        if loose:
            raise fault(self.path, where, f"annotation {shorten(loose[0])}", "one that stands within a passage")
        if infons:
            extra["annotations"] = infons
        if len(bounds) > 1 or any(bound["offset"] or bound["infons"] for bound in bounds):
            extra["passages"] = bounds
        return text, entities, fragments

    def _free_id(self, key: str, taken: set[str], where: str) -> str:
        """The id, or for one that an annotation before has, the next free of "T1~2", "T1~3", …"""
        if key not in taken:
            return key
        note = "annotation ids that stand twice in a document were changed (T1 to T1~2); relations name the first"
        self.notes.add(note, where)
        return next(free for n in count(2) if (free := f"{key}~{n}") not in taken)

    def _passage_text(self, passage: Json, offset: int, where: str) -> str:
        """The passage's text, put together from its sentences where they hold it."""
        text, sentences = passage.get("text") or "", _list(self.path, where, passage, "sentences")
        if text or not sentences:
            return self._string(text, where)
        for sentence in sentences:
            sentence = _object(self.path, where, sentence, "a sentence")
            gap = self._number(sentence, "offset", where) - offset - len(text)
            if not 0 <= gap <= LONGEST_GAP:
                found = f"a sentence at offset {sentence['offset']}"
                expected = f"one from {offset + len(text)} on, where the text before it ends"
                raise fault(self.path, where, found, expected)
            text += " " * gap + self._string(sentence.get("text") or "", where)
        return text

    def _located(self, annotations: list[Json], text: str, base: int, where: str) -> Iterator[tuple[Json, Pieces]]:
        """Each annotation with its pieces in characters of the passage's text."""
        read = [self._read_annotation(annotation, where) for annotation in annotations]
        mentions = [Mention(item["id"], item["pieces"], item["text"]) for item in read]
        located = locate(text, mentions, base)
        if isinstance(located, list):
            found, expected = located[0].found, located[0].mention.text
            place = f"{where}, annotation {located[0].mention.id!r} at {list(located[0].mention.pieces)}"
            raise fault(self.path, place, _shown(found), _shown(expected, "offsets within the text"))
        unit, pieces = located
        if unit != "characters":
            self.notes.add(f"offsets counted in {unit} were turned into characters", where)
        yield from zip(read, pieces, strict=True)

    def _read_annotation(self, annotation: object, where: str) -> Json:
        annotation = _object(self.path, where, annotation, "an annotation")
        key = _text(annotation.get("id"))
        if not isinstance(key, str) or not key:
            raise fault(self.path, where, f"annotation {shorten(annotation)}", "an annotation with an id")
        where = f"{where}, annotation {key!r}"
        infons = _object(self.path, where, annotation.get("infons") or {}, "infons")
        pieces = []
        for location in _list(self.path, where, annotation, "locations"):
            location = _object(self.path, where, location, "a location")
            start = self._number(location, "offset", where)
            pieces.append((start, start + self._number(location, "length", where)))
        if not pieces:
            raise fault(self.path, where, "no location", "at least one")
        text = annotation.get("text")
        return {
            "id": key,
            "pieces": tuple(sorted(pieces)),
            "text": None if text is None else self._string(text, where),
            "label": _text(infons.get("type")) or "",
            "rest": {key: value for key, value in infons.items() if key != "type"},
        }

    def _triples(self, document: Json, known: set[str], where: str, extra: Json) -> list[Json]:
        """Relations between two mentions as triples; others are kept in `extra` as they are."""
        passages = document.get("passages") or []
        owners = [document, *passages, *(sentence for p in passages for sentence in p.get("sentences") or [])]
        triples, others = [], []
        for owner in owners:
            for relation in _list(self.path, where, owner, "relations"):
                relation = _object(self.path, where, relation, "a relation")
                infons = _object(self.path, where, relation.get("infons") or {}, "infons")
                nodes = [_object(self.path, where, n, "a node") for n in _list(self.path, where, relation, "nodes")]
                name = next((_text(infons[key]) for key in RELATION_KEYS if infons.get(key)), None)
                ends = [_text(node.get("refid")) for node in nodes]
                if len(ends) == 2 and name and all(isinstance(end, str) and end in known for end in ends):
                    roles = [str(node.get("role")).lower() for node in nodes]
                    if roles[0] in TAIL_ROLES and roles[1] in HEAD_ROLES:
                        ends.reverse()
                    triples.append({"head": ends[0], "relation": name, "tail": ends[1]})
                    if len(infons) > 1:
                        others.append(relation)
                else:
                    self.notes.add("relations that do not join two mentions were kept in meta.bioc.relations", where)
                    others.append(relation)
        if others:
            extra["relations"] = others
        return triples

    def _restore(self, text: str, infons: Json, where: str) -> str:
        """Put back the characters that XML cannot hold; the writer left U+FFFD in their places."""
        if CHARACTERS not in infons:
            return text
        chars = list(text)
        try:
            for item in infons[CHARACTERS].split():
                offset, code = item.split(":")
                if chars[int(offset)] != "\ufffd":
                    raise ValueError
                chars[int(offset)] = chr(int(code, 16))
        except (ValueError, IndexError, AttributeError, OverflowError):
            found = shorten(infons[CHARACTERS])
            expected = "OFFSET:HEX for each U+FFFD in the text that stands for another character"
            raise fault(self.path, f"{where}, infon {CHARACTERS}", found, expected) from None
        return "".join(chars)

    def _number(self, owner: Json, key: str, where: str) -> int:
        value = owner.get(key)
        if isinstance(value, str) and value.strip().isascii() and value.strip().isdigit() and len(value) < 15:
            return int(value)
        if isinstance(value, int) and not isinstance(value, bool):
            return value
        raise fault(self.path, where, f"{key} {shorten(value)}", "a whole number")

    def _string(self, value: object, where: str) -> str:
        if not isinstance(value, str):
            raise fault(self.path, where, f"text {shorten(value)}", "a string")
        return value


def _annotations(path: str | Path, where: str, passage: Json) -> list[Json]:
    """The annotations of a passage and of its sentences; all count offsets from the document's start."""
    found = [*_list(path, where, passage, "annotations")]
    for sentence in _list(path, where, passage, "sentences"):
        found += _list(path, where, _object(path, where, sentence, "a sentence"), "annotations")
    return found


def _within(loose: list[Any], offset: int, length: int) -> list[Json]:
    """Take out of `loose`, the document's own annotations, those that begin in a passage."""
    taken = []
    for annotation in list(loose):
        try:
            start = min(int(location["offset"]) for location in annotation["locations"])
        except (TypeError, KeyError, ValueError):
            continue
        if offset <= start < offset + length:
            taken.append(annotation)
            loose.remove(annotation)
    return taken


def _foreign(infons: Json) -> Json:
    return {key: value for key, value in infons.items() if key not in OURS}


def _text(value: object) -> Any:
    """A number as text: JSON files of other tools write ids and types so."""
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _shown(text: str | None, instead: str = "offsets outside the text") -> str:
    return instead if text is None else shorten(text)


def _object(path: str | Path, where: str, value: object, what: str) -> Json:
    if not isinstance(value, dict):
        raise fault(path, where, shorten(value), f"{what} (a JSON object)")
    return value


def _list(path: str | Path, where: str, owner: Json, key: str) -> list[Any]:
    value = owner.get(key)
    if value is not None and not isinstance(value, list):
        raise fault(path, where, f"{key} {shorten(value)}", "a JSON array")
    return value or []

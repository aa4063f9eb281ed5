"""The `published` view: one record a row, text byte for byte as it stands, gold strings as spans."""

from .locate import NotLocated, Place, locate_pair
from .records import Entity, Record, Triple
from .source import Asked, Row, Source

# What DDI writes where no relation holds between the two entities of a row.
NO_RELATION = "None"


class Unusable(Exception):
    """A row cannot become a record. Arguments: reason, and detail for the report.

    Reasons: "not_located", a gold mention is not in the text; "surrogate", a lone surrogate, so the text is no valid
    Unicode; "empty", no text, or a relation without a name.
    """


def to_record(source: Source, split: str, file: str, row: Row, number: int) -> Record:
    """One row of a file as a record.

    file (str): Name of the file, for `meta`.
    number (int): Place of the row in the split, from 1, for the id.
    RETURNS (Record): `meta` holds `file`, `line` (and `item` in an array), `pairs` (the entity ids that the
        row asks about, so a row whose relation is None keeps its pair), `marks` (how a mention is marked),
        and `gold` (the corpus's own string where it differs from the text).
    RAISES (Unusable): If the row cannot be used.
    """
    asked = row.asked
    _check(asked)
    meta: dict[str, object] = {"file": file, "line": row.line}
    if row.item is not None:
        meta["item"] = row.item
    entities: list[Entity] = []
    triples: list[Triple] = []
    if asked.head is not None and asked.tail is not None and asked.relation is not None:
        try:
            places = locate_pair(asked.text, asked.head, asked.tail, source.marking)
        except NotLocated as error:
            raise Unusable("not_located", str(error)) from None
        ids = _ids(places)
        for place, key, label in zip(places, ids, source.labels, strict=True):
            if all(entity.id != key for entity in entities):
                text = asked.text[place.start : place.end]
                entities.append(Entity(id=key, start=place.start, end=place.end, text=text, label=label))
        entities.sort(key=lambda entity: entity.id)
        if asked.relation != NO_RELATION:
            triples.append(Triple(head=ids[0], relation=asked.relation, tail=ids[1]))
        meta["pairs"] = [list(ids)]
        marks = {key: place.mark for key, place in zip(ids, places, strict=True) if place.mark}
        if marks:
            meta["marks"] = marks
        gold = {key: g for key, place, g in zip(ids, places, (asked.head, asked.tail), strict=True) if not place.exact}
        if gold:
            meta["gold"] = gold
    return Record(
        id=f"{source.name}-{split}-{number:04d}",
        dataset=source.name,
        split=split,
        text=asked.text,
        entities=entities,
        triples=triples,
        label=asked.label,
        meta=meta,
    )


def _ids(places: tuple[Place, Place]) -> tuple[str, str]:
    """Ids of head and tail in text order; the same id for one mention that is both."""
    head, tail = places
    if (head.start, head.end) == (tail.start, tail.end):
        return "e1", "e1"
    return ("e1", "e2") if (head.start, head.end) < (tail.start, tail.end) else ("e2", "e1")


def _check(asked: Asked) -> None:
    for text in asked[:4]:
        if isinstance(text, str):
            try:
                text.encode()
            except UnicodeEncodeError as error:
                code = ord(text[error.start])
                raise Unusable("surrogate", f"U+{code:04X} at character {error.start} of {text[:40]!a}") from None
    if not asked.text.strip():
        raise Unusable("empty", "the text is empty")
    if asked.relation is not None and not asked.relation.strip():
        raise Unusable("empty", "the relation has no name")

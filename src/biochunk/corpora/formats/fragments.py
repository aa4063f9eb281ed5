"""Mentions with a gap ("left ... ventricle"): the entity covers all, `meta["fragments"]` has the pieces."""

from itertools import pairwise
from typing import Any

from ..records import Entity, Record
from .offsets import Pieces

# Key in `Record.meta`: entity id -> its pieces [[start, end], ...] for a mention with a gap. The entity
# itself runs from the start of the first piece to the end of the last.
FRAGMENTS = "fragments"
COVERED = "mentions with a gap were read as the span that covers them, their pieces kept in meta.fragments"


def pieces_of(record: Record, entity: Entity) -> Pieces:
    """The pieces of a mention in characters of the record's text.

    RETURNS (Pieces): Those of `meta["fragments"]` where they lie in order and cover exactly the entity; else
        the one piece that is the entity itself.
    """
    whole = ((entity.start, entity.end),)
    fragments = record.meta.get(FRAGMENTS)
    pieces = fragments.get(entity.id) if isinstance(fragments, dict) else None
    if not isinstance(pieces, list) or not all(isinstance(piece, list) and len(piece) == 2 for piece in pieces):
        return whole
    bounds = [bound for piece in pieces for bound in piece]
    if len(pieces) < 2 or not all(type(bound) is int for bound in bounds):
        return whole
    rising = all(a < b for a, b in pieces) and all(b <= c for (_, b), (c, _) in pairwise(pieces))
    if not rising or (bounds[0], bounds[-1]) != whole[0]:
        return whole
    return tuple((start, end) for start, end in pieces)


def pieces_text(text: str, pieces: Pieces) -> str:
    """The pieces' text, joined by spaces as stand-off formats do."""
    return " ".join(text[start:end] for start, end in pieces)


def add_fragments(meta: dict[str, Any], found: dict[str, list[list[int]]]) -> bool:
    """Add the pieces of mentions with a gap to a record's meta.

    RETURNS (bool): Whether any of them was not known yet.
    """
    if not found:
        return False
    known = meta.get(FRAGMENTS)
    known = known if isinstance(known, dict) else {}
    meta[FRAGMENTS] = {**known, **found}
    return any(known.get(key) != pieces for key, pieces in found.items())

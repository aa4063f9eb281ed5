"""Where found spans live on a Doc, and the functions that write and read them.

A span is an item of a span group; what is known about it ("facts": plain JSON) stands in the group's `attrs` under
the span's id. Both survive `Doc.to_bytes`, a default `DocBin`, `nlp.pipe(n_process=2)` and `Doc.copy`.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache, wraps
from typing import Any

from spacy.strings import get_string_id
from spacy.tokens import Doc, Span, SpanGroup
from spacy.vocab import Vocab

ENTITIES = "bio_entities"
TRIGGERS = "bio_triggers"
PROPOSITIONS = "bio_propositions"
CHUNKS = "bio_chunks"
CANDIDATES = "bio_candidates"

# One letter a group keeps ids unique across groups of a Doc.
ID_PREFIXES = {ENTITIES: "e", TRIGGERS: "t", PROPOSITIONS: "p", CHUNKS: "c", CANDIDATES: "k"}

Facts = dict[str, Any]

# A span before it is written to a Doc: index of its first token, index after its last one, label, facts. A plain tuple,
# as some twenty of them are made for every sentence.
Found = tuple[int, int, str, Facts]

# Where a written span stands: index of its first token, index after its last one, id, label.
Place = tuple[int, int, str, str]

_COMMON = 256


def _changing(name: str) -> Any:
    """A method of SpanGroup by which its spans change: from then on their places are not known."""
    method = getattr(SpanGroup, name)

    @wraps(method)
    def change(self: "_Written", *args: Any) -> Any:
        self.places = None
        return method(self, *args)

    return change


class _Written(SpanGroup):
    """A group as `write_group` leaves it. It knows the places of its spans until something else changes them: spaCy
    makes a new Span at every look at an item, and the components look at all items of a Doc several times.

    places (list[Place] | None): In the order of the spans; None once the group is changed.
    """

    __slots__ = ("places",)
    places: list[Place] | None

    append = _changing("append")
    extend = _changing("extend")
    from_bytes = _changing("from_bytes")
    __iadd__ = _changing("__iadd__")
    __setitem__ = _changing("__setitem__")
    __delitem__ = _changing("__delitem__")


@cache
def _common_ids(prefix: str) -> list[tuple[str, int]]:
    """The first ids of a group, with their hashes, so that they are not hashed anew for every Doc."""
    return [(key, get_string_id(key)) for key in (f"{prefix}{i}" for i in range(_COMMON))]


def register_ids(vocab: Vocab) -> None:
    """Make the common span ids known to a vocabulary. Each component does it when it is constructed, outside of any
    `nlp.memory_zone`, at whose end new strings are forgotten.
    """
    for prefix in ID_PREFIXES.values():
        for key, _ in _common_ids(prefix):
            vocab.strings.add(key)


def write_group(doc: Doc, group: str, found: Iterable[Found]) -> None:
    """Replace a span group of the Doc. Ids are given in order: "t0", "t1", …"""
    prefix = ID_PREFIXES[group]
    common = _common_ids(prefix)
    if common[-1][0] not in doc.vocab.strings:
        register_ids(doc.vocab)
    add = doc.vocab.strings.add
    labels: dict[str, int] = {}
    spans = []
    places = []
    attrs = {}
    for i, (start, end, label, facts) in enumerate(found):
        if i < _COMMON:
            key, hashed = common[i]
        else:
            key = f"{prefix}{i}"
            hashed = add(key)
        if label not in labels:
            labels[label] = add(label)
        # By position, which Cython reads faster: vector, its norm and kb_id are what they are by default.
        spans.append(Span(doc, start, end, labels[label], None, None, 0, hashed))
        places.append((start, end, key, label))
        attrs[key] = facts
    written = _Written(doc, name=group, spans=spans, attrs=attrs)
    written.places = places
    doc.spans[group] = written


def read_group(doc: Doc, group: str) -> Iterator[tuple[Span, Facts]]:
    """Yields each span of a group with its facts, in the order they were written; nothing if there is no group."""
    if group not in doc.spans:
        return
    spans = doc.spans[group]
    attrs = spans.attrs
    for span in spans:
        yield span, attrs.get(span.id_, {})


def read_places(doc: Doc, group: str) -> Sequence[Place]:
    """Where the spans of a group stand, in the order they were written; nothing if there is no group. Their facts are
    in the group's `attrs`.
    """
    if group not in doc.spans:
        return ()
    spans = doc.spans[group]
    places = spans.places if isinstance(spans, _Written) else None
    return places if places is not None else [(span.start, span.end, span.id_, span.label_) for span in spans]


def sentences(doc: Doc) -> list[tuple[int, int]]:
    """Token bounds (start, end) of the units of work: the sentences where they are set, else the whole Doc.

    Sentence splitters cut after "spp." and "Fig."; sentences that share an entity are therefore one unit.
    """
    if not len(doc):
        return []
    if not doc.has_annotation("SENT_START"):
        return [(0, len(doc))]
    units = [(sent.start, sent.end) for sent in doc.sents]
    if len(units) == 1 or ENTITIES not in doc.spans:
        return units
    entities = sorted(place[:2] for place in read_places(doc, ENTITIES))
    merged = units[:1]
    i = reach = 0
    for start, end in units[1:]:
        # How far the entities that begin before `start` reach; one may cross several borders.
        while i < len(entities) and entities[i][0] < start:
            reach = max(reach, entities[i][1])
            i += 1
        if reach > start:
            merged[-1] = (merged[-1][0], end)
        else:
            merged.append((start, end))
    return merged


def split_by(units: Sequence[tuple[int, int]], items: Iterable[Any]) -> list[list[Any]]:
    """Items (start, end, …) by the unit that they start in, sorted by start.

    units (Sequence): Token bounds, as `sentences` returns them.
    RETURNS (list[list]): One list a unit.
    """
    parts: list[list[Any]] = [[] for _ in units]
    i = 0
    for item in sorted(items, key=lambda item: item[:2]):
        while i < len(units) - 1 and item[0] >= units[i][1]:
            i += 1
        parts[i].append(item)
    return parts

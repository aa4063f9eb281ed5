"""spaCy's DocBin: a Doc a record, mentions in `doc.spans["bio_gold_entities"]`, the rest in its `attrs`.

`attrs` survive a default DocBin (user data do not). A mention whose border stands inside a token becomes the
span of all tokens it touches; its exact characters stand in `attrs`, and they are what is read back.
"""

import json
import sys
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import spacy
from spacy.language import Language
from spacy.tokens import Doc, DocBin, Span, SpanGroup
from spacy.util import filter_spans
from spacy.vocab import Vocab

from ...errors import FileFaultsError
from ..records import Record
from .checks import OnFault, build_record, cannot_read, checked, fault, kept, shorten
from .notes import Notes, noting
from .output import whole_path

GOLD = "bio_gold_entities"
ATTRS = ("ORTH", "SPACY", "ENT_IOB", "ENT_TYPE", "ENT_ID")


def record_to_doc(nlp: Language, record: Record) -> Doc:
    """A Doc that holds the whole record.

    nlp (Language): Its tokenizer is used, nothing else of it.
    record (Record): The record.
    RETURNS (Doc): With the span group `GOLD`, and `doc.ents` as far as mentions do not overlap (the longest
        win).
    """
    doc = nlp.make_doc(record.text)
    starts = [token.idx for token in doc]
    spans = []
    for entity in record.entities:
        first, last = _covering_tokens(starts, entity.start, entity.end)
        spans.append(Span(doc, first, last, label=entity.label, span_id=entity.id))
    attrs = {
        "id": record.id,
        "dataset": record.dataset,
        "split": record.split,
        "offsets": {entity.id: [entity.start, entity.end] for entity in record.entities},
        "triples": [[triple.head, triple.relation, triple.tail] for triple in record.triples],
        "label": json.dumps(record.label),
        "meta": json.dumps(record.meta),
    }
    doc.spans[GOLD] = SpanGroup(doc, name=GOLD, spans=spans, attrs=attrs)
    doc.ents = filter_spans(span for span in spans if span.label_)
    return doc


def _covering_tokens(starts: Sequence[int], start: int, end: int) -> tuple[int, int]:
    """Bounds of all tokens that the characters touch; the space after a token is part of it.

    `Doc.char_span` gives an empty span for such a space.
    """
    return bisect_right(starts, start) - 1, bisect_left(starts, end)


def write(
    path: str | Path, records: Iterable[Record], *, notes: Notes | None = None, nlp: Language | None = None
) -> int:
    """Write a DocBin (`.spacy`), whole or not at all; nothing of a record is lost.

    A DocBin is held in memory as a whole; that is spaCy's format.

    path (str | Path): The file.
    records (Iterable[Record]): The records.
    notes (Notes | None): Unused: there is nothing to note.
    nlp (Language | None): Its tokenizer is used; default: English without components.
    RETURNS (int): How many records were written.
    """
    if nlp is None:
        nlp = spacy.blank("en")
        # The limit is there for parsers and taggers; only the tokenizer runs here.
        nlp.max_length = sys.maxsize
    found = DocBin(attrs=ATTRS)
    for record in checked(records, path):
        found.add(record_to_doc(nlp, record))
    with whole_path(path) as part:
        part.write_bytes(found.to_bytes())
    return len(found)


def read(
    path: str | Path,
    *,
    dataset: str = "",
    split: str = "",
    notes: Notes | None = None,
    on_fault: OnFault | None = None,
) -> Iterator[Record]:
    """Read the records of a DocBin.

    path (str | Path): The file. Docs without the group `GOLD` are read by their `doc.ents`.
    dataset, split (str): For Docs that biochunk did not write.
    notes (Notes | None): Collects what had to be decided; default: one warning at the end.
    on_fault: Called with the error of a bad Doc, which is then left out; default: the error is raised.
    RAISES (FileFaultsError): When the file is no DocBin, whatever `on_fault` is.
    """
    with noting(notes) as notes:
        found = (_record(path, doc, i, dataset, split, notes) for i, doc in enumerate(_docs(path), 1))
        yield from kept(path, found, on_fault)


def _docs(path: str | Path) -> Iterator[Doc]:
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise cannot_read(path, error) from None
    try:
        yield from DocBin().from_bytes(data).get_docs(Vocab())
    except Exception as error:
        # Not for control flow: zlib, msgpack and spaCy have no common error for a file that is damaged.
        raise fault(path, "file", f"{type(error).__name__}: {error}", "a DocBin as spaCy writes it") from None


def _record(
    path: str | Path, doc: Doc, number: int, dataset: str, split: str, notes: Notes
) -> Record | FileFaultsError:
    where = f"Doc {number}"
    try:
        return _own(path, where, doc) if GOLD in doc.spans else _foreign(path, where, doc, dataset, split, notes)
    except FileFaultsError as error:
        return error


def _own(path: str | Path, where: str, doc: Doc) -> Record:
    group = doc.spans[GOLD]
    attrs: dict[str, Any] = group.attrs
    try:
        fields = {key: attrs[key] for key in ("id", "dataset", "split")}
        fields["label"], fields["meta"] = json.loads(attrs["label"]), json.loads(attrs["meta"])
        fields["triples"] = [dict(zip(("head", "relation", "tail"), t, strict=True)) for t in attrs["triples"]]
        exact = {key: (int(start), int(end)) for key, (start, end) in attrs["offsets"].items()}
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        found = f"attrs {shorten(dict(attrs))} ({type(error).__name__}: {error})"
        raise fault(path, f"{where}, spans[{GOLD!r}]", found, "what biochunk writes there") from None
    starts = [token.idx for token in doc]
    entities = []
    for span in group:
        start, end = exact.get(span.id_, (span.start_char, span.end_char))
        # Someone may have moved the span since; then its exact characters are not known any more.
        if _covering_tokens(starts, start, end) != (span.start, span.end):
            start, end = span.start_char, span.end_char
        entities.append({"id": span.id_, "start": start, "end": end, "text": doc.text[start:end], "label": span.label_})
    return build_record(path, where, text=doc.text, entities=entities, **fields)


def _foreign(path: str | Path, where: str, doc: Doc, dataset: str, split: str, notes: Notes) -> Record:
    groups = sorted(key for key in doc.spans if len(doc.spans[key]))
    if groups:
        notes.add(f"span groups other than {GOLD} were not read", f"{where}: {', '.join(groups)}")
    if doc.cats:
        notes.add("text categories were kept in meta.cats", where)
    entities = [
        {"id": f"e{i}", "start": ent.start_char, "end": ent.end_char, "text": ent.text, "label": ent.label_}
        for i, ent in enumerate(doc.ents, 1)
    ]
    return build_record(
        path,
        where,
        id=f"{Path(path).stem}-{where.split()[-1]}",
        dataset=dataset,
        split=split,
        text=doc.text,
        entities=entities,
        meta={"cats": dict(doc.cats)} if doc.cats else {},
    )

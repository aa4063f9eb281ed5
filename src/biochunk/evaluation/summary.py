"""What a pipeline finds on annotated sentences, as counts: a first look, without any reader or model."""

from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Any

from spacy.language import Language
from spacy.tokens import Doc

from ..corpora.records import Record
from ..spans import CHUNKS, ENTITIES, read_group
from ..triggers.coverage import found_in


@dataclass
class Summary:
    """Counts over the records of one corpus.

    sentences (int): Records.
    entities (int): Entity mentions that the pipeline found.
    with_trigger, with_proposition (int): Records with at least one.
    relations (int): Pairs (record, gold relation), each relation of a record once.
    fired (int): Of these, where the relation is a reading of some trigger.
    proposed (int): Of these, where some proposition has the relation, kept or not.
    triples (int): Gold triples.
    in_one_chunk (int): Of these, where one selected chunk holds the head and the tail mention.
    chunks (int): Selected chunks.
    words (int): Words of the selected chunks, cut at white space.
    """

    sentences: int = 0
    entities: int = 0
    with_trigger: int = 0
    with_proposition: int = 0
    relations: int = 0
    fired: int = 0
    proposed: int = 0
    triples: int = 0
    in_one_chunk: int = 0
    chunks: int = 0
    words: int = 0

    def __add__(self, other: "Summary") -> "Summary":
        return Summary(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(self)))

    def rates(self) -> dict[str, float | int | None]:
        """Name → value; None where nothing could be counted. Shares are from 0 to 1."""
        return {
            "sentences": self.sentences,
            "entities per sentence": _rate(self.entities, self.sentences),
            "share with a trigger": _rate(self.with_trigger, self.sentences),
            "share with a proposition": _rate(self.with_proposition, self.sentences),
            "gold relation among fired": _rate(self.fired, self.relations),
            "gold relation among propositions": _rate(self.proposed, self.relations),
            "chunks per sentence": _rate(self.chunks, self.sentences),
            "words per chunk": _rate(self.words, self.chunks),
            "gold pair in one chunk": _rate(self.in_one_chunk, self.triples),
        }


def summarize(nlp: Language, records: Iterable[Record], *, batch_size: int = 256) -> Summary:
    """Run a pipeline over records and count what it found; groups that an arm does not write count as empty.

    nlp (Language): The pipeline.
    records (Iterable[Record]): The records; only their text reaches the pipeline.
    batch_size (int): Texts that a component gets at a time.
    RETURNS (Summary): The counts.
    """
    total = Summary()
    pairs = ((record.text, record) for record in records)
    for doc, record in nlp.pipe(pairs, as_tuples=True, batch_size=batch_size):
        total += _count(doc, record)
    return total


def table(columns: dict[str, Summary]) -> str:
    """A table with one column a corpus and one line a rate; shares in percent."""
    rows = [["", *columns]]
    rates = [summary.rates() for summary in columns.values()]
    for name in rates[0]:
        rows.append([name, *(_cell(name, rate[name]) for rate in rates)])
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return "\n".join(
        "  ".join([row[0].ljust(widths[0]), *(c.rjust(w) for c, w in zip(row[1:], widths[1:], strict=True))]).rstrip()
        for row in rows
    )


def _count(doc: Doc, record: Record) -> Summary:
    fired, proposed, _ = found_in(doc)
    chunks = [span for span, _ in read_group(doc, CHUNKS)]
    offsets = {entity.id: (entity.start, entity.end) for entity in record.entities}
    pairs = [(*offsets[triple.head], *offsets[triple.tail]) for triple in record.triples]
    gold = {triple.relation for triple in record.triples}
    return Summary(
        sentences=1,
        # A mention with two boundaries is one mention.
        entities=sum(facts.get("boundary") != "minimal" for _, facts in read_group(doc, ENTITIES)),
        with_trigger=bool(fired),
        with_proposition=bool(proposed),
        relations=len(gold),
        fired=len(gold & fired),
        proposed=len(gold & proposed),
        triples=len(pairs),
        in_one_chunk=sum(any(c.start_char <= min(pair) and max(pair) <= c.end_char for c in chunks) for pair in pairs),
        chunks=len(chunks),
        words=sum(len(chunk.text.split()) for chunk in chunks),
    )


def _rate(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _cell(name: str, value: Any) -> str:
    if value is None:
        return "-"
    if isinstance(value, int):
        return str(value)
    return f"{value:.2f}" if " per " in name else f"{100 * value:.1f}%"

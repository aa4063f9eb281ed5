"""Unified records as BioMedRAG's rows: one sentence with one triple."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from ...corpora.records import Record
from ...corpora.splits import sentence_key
from ...errors import BiochunkError
from ..labelled import evidence_labels
from ..store import NONE
from .separators import Safe, safe

# What is counted, in the order of the report.
COUNTED = (
    "records",
    "lines",
    "lines of None",
    "pairs without a relation left out",
    "records without a line",
)


class Row(NamedTuple):
    """A line of every file of a split. head and tail are empty in a classification corpus."""

    sentence: Safe
    relation: str
    head: Safe
    tail: Safe


class Item(NamedTuple):
    """A record and its lines.

    record (Record): The record.
    key (str): Its `sentence_key`, by which a sentence is kept from its own chunks.
    rows (tuple[Row, ...]): At least one.
    """

    record: Record
    key: str
    rows: tuple[Row, ...]

    @property
    def classified(self) -> bool:
        """Whether the record has a class, and so no head and tail."""
        return self.record.label is not None


def read_items(records: Iterable[Record], labels: Sequence[str], *, none: bool, counts: Counter[str]) -> Iterator[Item]:
    """Rows of records: one a triple, one a pair that is asked about and has no relation, one a classified sentence.

    records (Iterable[Record]): Records.
    labels (Sequence[str]): The relations that the arm knows. Classes are named as in `evidence_labels`.
    none (bool): Whether pairs without a relation are rows of the relation `NONE`.
    counts (Counter): Gets the kinds of `COUNTED`.
    RAISES (BiochunkError): At a relation that is not among the labels.
    """
    counts.update(dict.fromkeys(COUNTED, 0))
    for record in records:
        counts["records"] += 1
        found = list(_found(record, labels))
        if not none and record.label is None:
            counts["pairs without a relation left out"] += sum(relation == NONE for relation, _, _ in found)
            found = [row for row in found if row[0] != NONE]
        if not found or not record.text.strip():
            counts["records without a line"] += 1
            continue
        sentence = safe(record.text)
        rows = tuple(Row(sentence, relation, safe(head), safe(tail)) for relation, head, tail in found)
        counts["lines"] += len(rows)
        counts["lines of None"] += sum(row.relation == NONE for row in rows)
        yield Item(record, sentence_key(record.text), rows)


def _found(record: Record, labels: Sequence[str]) -> Iterator[tuple[str, str, str]]:
    """Relation, head and tail of each row."""
    for triple in record.triples:
        if triple.relation not in labels:
            raise BiochunkError(
                f"record '{record.id}': found the relation '{triple.relation}', expected one that the pipeline knows: "
                f"{', '.join(labels)}"
            )
    if record.label is not None:
        yield evidence_labels(record, labels)[0], "", ""
        return
    mentions = {entity.id: entity.text for entity in record.entities}
    for triple in record.triples:
        yield triple.relation, mentions[triple.head], mentions[triple.tail]
    stated = {frozenset((triple.head, triple.tail)) for triple in record.triples}
    for first, second in _asked(record):
        if frozenset((first, second)) not in stated:
            yield NONE, mentions[first], mentions[second]


def _asked(record: Record) -> list[list[str]]:
    """Pairs of entity ids that the record asks about."""
    asked = record.meta.get("pairs") or []
    ids = [entity.id for entity in record.entities]
    if not isinstance(asked, list) or not all(
        isinstance(p, list) and len(p) == 2 and p[0] in ids and p[1] in ids for p in asked
    ):
        raise BiochunkError(
            f"record '{record.id}': found {asked!r} in meta.pairs, expected pairs of ids of its entities"
        )
    return asked

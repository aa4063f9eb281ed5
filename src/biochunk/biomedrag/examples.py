"""From records and what an arm found to what a reader sees and what it should answer."""

from collections.abc import Sequence

from ..corpora.records import Record
from .items import Evidence, Example, Gold, GoldTriple, Mention, PairAnswer, Sentence, Span, Task, Triple
from .visible import Visible


def make_example(
    record: Record,
    sentence: Sentence,
    *,
    task: Task,
    mentions: Sequence[Span],
    evidence: Sequence[Evidence] = (),
    visible: Visible | None = None,
) -> Example:
    """What a reader sees of one record under one arm. Of the record only its text and its asked pairs are read.

    record (Record): The record.
    sentence (Sentence): What the arm found in it.
    task (str): See `Reader.fit`.
    mentions (Sequence[Span]): Detected entities; the same in all arms of a comparison.
    evidence (Sequence[Evidence]): Retrieved chunks, the best first.
    visible (Visible | None): What it reads of the sentence; None: all of it.
    """
    shown = visible or Visible(record.text, [(0, len(record.text))])
    return Example(
        id=record.id,
        text=shown.text,
        mentions=shown.mentions(mentions) if task != "label" else (),
        pairs=tuple((first, second) for first, second, _ in _pairs(record, shown)) if task == "pairs" else (),
        cues=shown.cues(sentence.cues),
        statements=shown.statements(sentence.statements),
        evidence=tuple(evidence),
    )


def make_gold(record: Record, *, task: Task, visible: Visible | None = None) -> Gold:
    """What a reader should answer; its strings are those of the record whatever is visible.

    record (Record): The record.
    task (str): See `Reader.fit`.
    visible (Visible | None): What the reader sees, for the places of mentions; None: the sentence.
    """
    if task == "label":
        return Gold(label=int(record.label or 0))
    shown = visible or Visible(record.text, [(0, len(record.text))])
    mentions = _mentions(record, shown)
    triples = tuple(GoldTriple(mentions[t.head], t.relation, mentions[t.tail]) for t in record.triples)
    if task == "triples":
        return Gold(triples=triples)
    stated = {(t.head, t.tail): t.relation for t in record.triples}
    relations: list[PairAnswer | None] = []
    for _, _, (first, second) in _pairs(record, shown):
        if (first, second) in stated:
            relations.append(PairAnswer(stated[first, second], True))
        elif (second, first) in stated:
            relations.append(PairAnswer(stated[second, first], False))
        else:
            relations.append(None)
    return Gold(triples=triples, relations=tuple(relations))


def pair_triples(example: Example, relations: Sequence[PairAnswer | None]) -> tuple[Triple, ...]:
    """The triples that answers to asked pairs state."""
    return tuple(
        Triple(first.text, answer.relation, second.text)
        if answer.forward
        else Triple(second.text, answer.relation, first.text)
        for (first, second), answer in zip(example.pairs, relations, strict=True)
        if answer is not None
    )


def _mentions(record: Record, shown: Visible) -> dict[str, Mention]:
    return {e.id: shown.mention(e.text, e.start, e.end) for e in record.entities}


def _pairs(record: Record, shown: Visible) -> list[tuple[Mention, Mention, tuple[str, str]]]:
    """Asked pairs (those of the triples where a record lists none), each once, in text order, with their ids."""
    asked = record.meta.get("pairs") or [[t.head, t.tail] for t in record.triples]
    starts = {e.id: (e.start, e.end) for e in record.entities}
    mentions = _mentions(record, shown)
    pairs = {}
    for pair in asked:
        first, second = sorted(pair, key=starts.__getitem__)
        pairs[first, second] = (mentions[first], mentions[second], (first, second))
    return list(pairs.values())

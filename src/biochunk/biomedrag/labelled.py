"""Sentences whose relation is known, analysed for the chunk store."""

from collections.abc import Iterator, Sequence

from spacy.language import Language

from ..corpora.records import Record
from ..triggers.collect import gold_relations
from .from_doc import read_sentences
from .items import Sentence
from .store import NONE


def evidence_labels(record: Record, relations: Sequence[str]) -> list[str]:
    """Labels of the evidence that a record's sentence gives, and that evidence for it should have.

    record (Record): The record.
    relations (Sequence[str]): All relation labels, in the order of the dataset file.
    RETURNS (list[str]): Its gold relations, each once; in a classification corpus label 1 is the first relation.
        `NONE` alone where no relation holds: DDI's None rows and ADE's label 0.
    """
    return gold_relations(record, relations) or [NONE]


def labelled_sentences(
    records: Sequence[Record], nlp: Language, relations: Sequence[str], *, none: bool = True
) -> Iterator[tuple[str, Sentence]]:
    """What a store is built from: each record once a gold relation, its chunks ranked against that relation.

    Chunks of sentences without a relation are ranked as those of a new sentence.

    records (Sequence[Record]): The store split.
    nlp (Language): The arm's pipeline.
    relations (Sequence[str]): All relation labels, in the order of the dataset file.
    none (bool): Whether sentences without a relation give evidence too, labelled `NONE`.
    YIELDS (tuple[str, Sentence]): Label and sentence, in the order of the records.
    """
    labels = [evidence_labels(record, relations) for record in records]
    found: dict[tuple[int, str], Sentence] = {}
    for label in sorted({label for of_record in labels for label in of_record}):
        if label == NONE and not none:
            continue
        chosen = [number for number, of_record in enumerate(labels) if label in of_record]
        texts = ((records[number].id, records[number].text) for number in chosen)
        sentences = read_sentences(nlp, texts, target=None if label == NONE else label)
        found.update(((number, label), sentence) for number, sentence in zip(chosen, sentences, strict=True))
    for number, of_record in enumerate(labels):
        for label in of_record:
            if (number, label) in found:
                yield label, found[number, label]

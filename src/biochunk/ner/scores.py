"""How well a recogniser finds what corpora annotate: F1 by corpus and kind, by borders in characters."""

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from spacy.language import Language
from spacy.tokens import Doc

from ..corpora.records import read_records
from ..pipeline.mention_group import labelled_mentions
from .iob import IobCorpus

SLACK = 3


@dataclass
class Score:
    """Counts of one kind in one corpus: found and annotated, found, annotated."""

    right: int = 0
    found: int = 0
    gold: int = 0

    @property
    def precision(self) -> float:
        return self.right / self.found if self.found else 0.0

    @property
    def recall(self) -> float:
        return self.right / self.gold if self.gold else 0.0

    @property
    def f1(self) -> float:
        return 2 * self.right / (self.found + self.gold) if self.found + self.gold else 0.0


def score_corpus(nlp: Language, corpus: IobCorpus, split: str, most: int | None = None) -> dict[str, Score]:
    """Kind → score of `doc.ents`, and "all" for the kinds together. Kinds that the corpus lacks are not counted.

    A mention counts when both borders and the kind are right. Of mentions that are annotated twice one counts.
    """
    sentences = corpus.sentences(split)[:most]
    scores: dict[str, Score] = {}
    labels = sorted({label for sentence in sentences for _, _, label in sentence.mentions})
    counts: Counter[tuple[str, str]] = Counter()
    for sentence, doc in zip(sentences, nlp.pipe(s.text for s in sentences), strict=True):
        gold = set(sentence.mentions)
        found = {(e.start_char, e.end_char, e.label_) for e in doc.ents if e.label_ in labels}
        for name, mentions in (("right", gold & found), ("found", found), ("gold", gold)):
            counts.update((label, name) for _, _, label in mentions)
    for label in labels:
        scores[label] = Score(counts[label, "right"], counts[label, "found"], counts[label, "gold"])
    parts = list(scores.values())
    scores["all"] = Score(sum(s.right for s in parts), sum(s.found for s in parts), sum(s.gold for s in parts))
    return scores


@dataclass
class Recall:
    """Counts over sentences of a relation corpus.

    mentions (int): Mentions that a triple joins.
    exact, inside (int): Of these, found exactly; found in a span of at most `SLACK` tokens more.
    spans (int): Spans found.
    """

    mentions: int = 0
    exact: int = 0
    inside: int = 0
    spans: int = 0


def score_relations(nlp: Language, path: Path, most: int | None = None) -> Recall:
    """How many annotated mentions of a unified file are found, exactly or in a span of at most three tokens more."""
    records = [record for record in read_records(path) if record.triples][:most]
    total = Recall()
    for record, doc in zip(records, nlp.pipe(record.text for record in records), strict=True):
        ends = {id for triple in record.triples for id in (triple.head, triple.tail)}
        gold = {(e.start, e.end) for e in record.entities if e.id in ends}
        found = {(start, end) for start, end, _ in labelled_mentions(doc)}
        total.spans += len(found)
        total.mentions += len(gold)
        total.exact += len(gold & found)
        total.inside += sum((s, e) in found or _inside(doc, s, e, found) for s, e in gold)
    return total


def _inside(doc: Doc, start: int, end: int, found: set[tuple[int, int]]) -> bool:
    def tokens(low: int, high: int) -> int:
        return sum(token.idx < high and low < token.idx + len(token) for token in doc)

    return any(low <= start and end <= high and tokens(low, high) - tokens(start, end) <= SLACK for low, high in found)

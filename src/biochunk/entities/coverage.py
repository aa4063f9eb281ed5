"""How many annotated mentions a pipeline finds, and what each of its rules contributes."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from spacy.tokens import Doc

from ..corpora.records import Record
from ..spans import ENTITIES, PROPOSITIONS, read_group

# Tokens that a span may have beside the mention that it holds.
SLACK = 3

EXACTLY, INSIDE, SPANS = "found exactly", f"found inside, {SLACK} tokens more at most", "spans a mention"

_Place = tuple[int, int]


@dataclass
class Coverage:
    """Counts over annotated sentences.

    sentences, mentions (int): Sentences; places in them that are annotated as a mention, each once.
    exact (int): Mentions that some span of `bio_entities` has the borders of.
    inside (int): Mentions that some span holds with at most `SLACK` tokens more.
    spans (int): Spans of `bio_entities`; a mention with two boundaries has two.
    pairs (int): Pairs of mentions that some annotated triple joins, each once a sentence.
    joined (int): Of these, pairs with both mentions inside one proposition's span.
    arguments (int): Of these, pairs that overlap the two arguments of one proposition, in either order.
    by_rule (Counter[str]): Spans by rule, and by rule and boundary ("noun_phrase, minimal").
    right_by_rule (Counter[str]): Of these, spans that are annotated mentions.
    """

    sentences: int = 0
    mentions: int = 0
    exact: int = 0
    inside: int = 0
    spans: int = 0
    pairs: int = 0
    joined: int = 0
    arguments: int = 0
    by_rule: Counter[str] = field(default_factory=Counter)
    right_by_rule: Counter[str] = field(default_factory=Counter)

    def rates(self) -> dict[str, float | int | None]:
        """Name → value: shares from 0 to 1, None where nothing could be counted."""
        return {
            "mentions": self.mentions,
            EXACTLY: _rate(self.exact, self.mentions),
            INSIDE: _rate(self.inside, self.mentions),
            SPANS: _rate(self.spans, self.mentions),
            "spans a sentence": _rate(self.spans, self.sentences),
            "gold pair in one proposition": _rate(self.joined, self.pairs),
            "gold pair as its arguments": _rate(self.arguments, self.pairs),
        }

    def rules(self) -> dict[str, tuple[int, float]]:
        """Rule, with its boundary where there are two → how many spans, and which share of them is annotated."""
        return {rule: (n, self.right_by_rule[rule] / n) for rule, n in self.by_rule.most_common()}


def coverage(found: Iterable[tuple[Doc, Record]]) -> Coverage:
    """Count what was found against annotated mentions and triples.

    found (Iterable[tuple[Doc, Record]]): Each record with its text after a pipeline.
    """
    total = Coverage()
    for doc, record in found:
        _count(total, doc, record)
    return total


def _count(total: Coverage, doc: Doc, record: Record) -> None:
    spans = {(span.start_char, span.end_char): span.end - span.start for span, _ in read_group(doc, ENTITIES)}
    mentions = {(entity.start, entity.end) for entity in record.entities}
    total.sentences += 1
    total.mentions += len(mentions)
    for start, end in mentions:
        exact = (start, end) in spans
        total.exact += exact
        tokens = 0 if exact else sum(token.idx < end and start < token.idx + len(token) for token in doc)
        total.inside += exact or any(
            low <= start and end <= high and length - tokens <= SLACK for (low, high), length in spans.items()
        )
    for span, facts in read_group(doc, ENTITIES):
        rule = ", ".join(filter(None, (facts.get("rule", ""), facts.get("boundary", "")))) or "(none)"
        total.spans += 1
        total.by_rule[rule] += 1
        total.right_by_rule[rule] += (span.start_char, span.end_char) in mentions
    _count_pairs(total, doc, record)


def _count_pairs(total: Coverage, doc: Doc, record: Record) -> None:
    places = {entity.id: (entity.start, entity.end) for entity in record.entities}
    pairs = {(places[triple.head], places[triple.tail]) for triple in record.triples}
    if not pairs:
        return
    propositions = [(span.start_char, span.end_char, facts) for span, facts in read_group(doc, PROPOSITIONS)]
    for head, tail in pairs:
        low, high = min(head[0], tail[0]), max(head[1], tail[1])
        total.pairs += 1
        total.joined += any(start <= low and high <= end for start, end, _ in propositions)
        total.arguments += any(
            (_meet(facts["subject"], head) and _meet(facts["object"], tail))
            or (_meet(facts["subject"], tail) and _meet(facts["object"], head))
            for _, _, facts in propositions
        )


def _meet(one: list[int], other: _Place) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def _rate(part: int, whole: int) -> float | None:
    return part / whole if whole else None

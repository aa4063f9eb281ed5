"""Annotated sentences as the noun-phrase grammar sees them: phrases in words, and where gold mentions stand in them."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from spacy.tokens import Doc

from ..chunking.noun_phrases import next_word, noun_phrases
from ..corpora.records import Record
from ..pipeline.entity_rules import EntityRules

Range = tuple[int, int]


class Annotated(NamedTuple):
    """One annotated sentence.

    doc (Doc): Its tokens.
    words (tuple[str, ...]): The same, lower-case.
    gold (tuple[Range, ...]): Token ranges of the mentions that begin and end at token borders, each once.
    """

    doc: Doc
    words: tuple[str, ...]
    gold: tuple[Range, ...]


class Phrase(NamedTuple):
    """A noun phrase, uncut. Words that signs join ("IL-6") are one word.

    starts, ends (tuple[int, ...]): Token at which each of its words begins; the token behind it.
    heads (tuple[str, ...]): What each word is judged by: its last token, lower-case.
    gold (tuple[Range, ...]): Gold mentions inside it.
    """

    starts: tuple[int, ...]
    ends: tuple[int, ...]
    heads: tuple[str, ...]
    gold: tuple[Range, ...]


def annotated(docs: Iterable[tuple[Doc, Record]]) -> list[Annotated]:
    """Sentences with their mentions as token ranges. docs: each record's tokens, with the record."""
    found = []
    for doc, record in docs:
        spans = (doc.char_span(entity.start, entity.end) for entity in record.entities)
        gold = sorted({(span.start, span.end) for span in spans if span is not None})
        found.append(Annotated(doc, tuple(token.lower_ for token in doc), tuple(gold)))
    return found


def phrases(sentence: Annotated, rules: EntityRules) -> Iterator[Phrase]:
    """The noun phrases of a sentence, as long as the grammar makes them."""
    classes = rules.classes(sentence.doc)
    grammar = classes.grammar
    for start, end in noun_phrases(classes, len(grammar)):
        starts = [start]
        while (following := next_word(grammar, starts[-1], end)) < end:
            starts.append(following)
        ends = (*starts[1:], end)
        heads = tuple(sentence.words[i - 1] for i in ends)
        gold = tuple(mention for mention in sentence.gold if start <= mention[0] and mention[1] <= end)
        yield Phrase(tuple(starts), ends, heads, gold)

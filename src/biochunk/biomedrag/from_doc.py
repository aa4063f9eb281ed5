"""A Doc after an arm's pipeline as the chain's plain data."""

from collections.abc import Iterable, Iterator

from spacy.language import Language
from spacy.tokens import Doc
from spacy.tokens import Span as DocSpan

from ..extensions import TARGET_RELATION
from .items import Cue, Piece, Sentence, Span, Statement


def to_sentence(key: str, doc: Doc) -> Sentence:
    """What the pipeline found; groups that an arm does not write are empty.

    key (str): The record's id.
    doc (Doc): One sentence.
    """
    return Sentence(
        id=key,
        text=doc.text,
        mentions=tuple(sorted({_place(entity.span) for entity in doc._.bio_entities})),
        cues=tuple(Cue(*_place(t.span), t.relation, t.tier) for t in doc._.bio_triggers),
        statements=tuple(
            Statement(
                _place(p.subject),
                _place(p.trigger),
                _place(p.object),
                p.relation,
                p.priority or 0.0,
                p.negated,
                p.uncertain,
                p.kept,
            )
            for p in doc._.bio_propositions
        ),
        pieces=tuple(
            Piece(c.start_char, c.end_char, c.text, c.relation, c.similarity, c.source, c.slot, c.reason)
            for c in doc._.bio_chunks
        ),
    )


def read_sentences(
    nlp: Language, texts: Iterable[tuple[str, str]], *, target: str | None = None, batch_size: int = 256
) -> Iterator[Sentence]:
    """Run an arm over texts.

    nlp (Language): The arm's pipeline.
    texts (Iterable[tuple[str, str]]): Id and text of each sentence: all that the arm is shown.
    target (str | None): Rank chunks against this relation, as BioMedRAG does for its store, where gold is known.
    """
    if target is None:
        for doc, key in nlp.pipe(((text, key) for key, text in texts), as_tuples=True, batch_size=batch_size):
            yield to_sentence(key, doc)
        return

    def docs() -> Iterator[tuple[Doc, str]]:
        for key, text in texts:
            doc = nlp.make_doc(text)
            doc._.set(TARGET_RELATION, target)
            yield doc, key

    for doc, key in nlp.pipe(docs(), as_tuples=True, batch_size=batch_size):
        yield to_sentence(key, doc)


def _place(span: DocSpan) -> Span:
    return span.start_char, span.end_char

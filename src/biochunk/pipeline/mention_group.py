"""`mention_group`: keeps what one recogniser found beside what the next one finds.

A pipeline may have two recognisers: one finds mentions of any kind by their borders, one tells some kinds.
Both write `doc.ents`; this component, between them, moves the first one's spans to the group `bio_mentions`.
"""

from collections.abc import Iterator

from spacy.tokens import Doc, SpanGroup

MENTIONS = "bio_mentions"


class MentionGroup:
    """Moves `doc.ents` to the span group `bio_mentions`, and leaves `doc.ents` empty for the next recogniser."""

    def __call__(self, doc: Doc) -> Doc:
        doc.spans[MENTIONS] = SpanGroup(doc, name=MENTIONS, spans=list(doc.ents))
        doc.ents = []
        return doc


def labelled_mentions(doc: Doc) -> Iterator[tuple[int, int, str]]:
    """Mentions that recognisers found in a Doc, none overlapping: (first character, character after the last, label).

    Without a group `bio_mentions` these are `doc.ents`. With one its spans have the say on borders: each has the label
    of the entity that its last token is in, if any, as an English name has its head at the end; entities that touch no
    span of the group follow.
    """
    if MENTIONS not in doc.spans:
        yield from ((ent.start_char, ent.end_char, ent.label_) for ent in doc.ents)
        return
    ent_of = {i: ent for ent in doc.ents for i in range(ent.start, ent.end)}
    for span in doc.spans[MENTIONS]:
        ent = ent_of.get(span.end - 1)
        yield span.start_char, span.end_char, span.label_ if ent is None else ent.label_
    taken = {i for span in doc.spans[MENTIONS] for i in range(span.start, span.end)}
    for ent in doc.ents:
        if taken.isdisjoint(range(ent.start, ent.end)):
            yield ent.start_char, ent.end_char, ent.label_

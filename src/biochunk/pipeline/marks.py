"""Which entities an annotator marked in the text itself."""

from collections.abc import Iterable

from spacy.tokens import Doc, Span

from ..chunking.mentions import MARK_RULES
from ..chunking.windows import Window
from ..spans import Facts


def marked_entities(doc: Doc, entities: Iterable[tuple[Span, Facts]]) -> set[Window]:
    """Token bounds of the entities that stand in annotation marks, by the rules for these.

    A mark has white space inside: "[  aspirin  ]" is one, "[Ca2+]" is content.

    doc (Doc): The Doc.
    entities (Iterable[tuple[Span, Facts]]): Its entities, as `read_group` gives them.
    """
    marked = set()
    for span, facts in entities:
        if facts.get("rule") in MARK_RULES and span.start:
            before = doc[span.start - 1]
            if before.is_space or before.whitespace_:
                marked.add((span.start, span.end))
    return marked

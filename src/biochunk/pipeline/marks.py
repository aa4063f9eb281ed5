"""Which entities an annotator marked in the text itself."""

from collections.abc import Iterable

from spacy.tokens import Doc

from ..chunking.mentions import MARK_RULES
from ..chunking.windows import Window
from ..spans import Facts


def marked_entities(doc: Doc, entities: Iterable[tuple[Window, Facts]]) -> set[Window]:
    """Token bounds of the entities that stand in annotation marks, by the rules for these.

    A mark has white space inside: "[  aspirin  ]" is one, "[Ca2+]" is content.

    doc (Doc): The Doc.
    entities (Iterable[tuple[Window, Facts]]): Token bounds and facts of its entities.
    """
    marked = set()
    for place, facts in entities:
        if facts.get("rule") in MARK_RULES and place[0]:
            before = doc[place[0] - 1]
            if before.is_space or before.whitespace_:
                marked.add(place)
    return marked

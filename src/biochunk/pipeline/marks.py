"""Which entities an annotator marked in the text itself."""

from spacy.tokens import Doc

from ..chunking.mentions import MARK_RULES
from ..chunking.windows import Window
from ..spans import ENTITIES, read_group


def marked_entities(doc: Doc) -> set[Window]:
    """Token bounds of the entities that stand in annotation marks, by the rules for these.

    A mark has white space inside: "[  aspirin  ]" is one, "[Ca2+]" is content.
    """
    text = doc.text
    return {
        (span.start, span.end)
        for span, facts in read_group(doc, ENTITIES)
        if facts.get("rule") in MARK_RULES and text[span.start_char - 1 : span.start_char].isspace()
    }

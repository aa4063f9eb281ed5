"""The names of the sources of entity mentions, and how several are joined to one list."""

from collections.abc import Sequence
from typing import Any

from spacy.tokens import Doc

from ..chunking.mentions import MARK_RULES, Range
from ..chunking.overlap import Policy, join
from ..schemas import EntityKnowledge
from ..spans import Found

RULES = "rules"
PAPER = "paper"
ENTS = "ents"
NER = "ner"
GAZETTEER = "gazetteer"

_SYNONYMS = {"regex": RULES}
_NAMES = frozenset({RULES, PAPER, ENTS, NER, GAZETTEER})


def parse_sources(source: str | Sequence[str]) -> list[str]:
    """The sources that an option names, in its order, each once.

    source (str | Sequence[str]): "rules" or "regex", "paper", "ents", "ner", "gazetteer", or the name or path of a
        spaCy pipeline; the first five may also be joined by a plus sign ("ner+regex"); or a list of all these.
    """
    names: list[str] = []
    for item in [source] if isinstance(source, str) else source:
        parts = [_SYNONYMS.get(part.strip(), part.strip()) for part in item.split("+")]
        # The path of a pipeline may have a plus sign.
        names += parts if all(part in _NAMES for part in parts) else [item]
    return list(dict.fromkeys(names))


def is_pipeline(name: str) -> bool:
    """Whether a source is another spaCy pipeline, named by itself or, as "ner", by the option of that name."""
    return name == NER or name not in _NAMES


def paper_rules(rules: EntityKnowledge) -> EntityKnowledge:
    """The paper's three pattern rules (§3.4): markup, capitalised terms of several words, hyphenated words.

    Which marks a corpus has the dataset says; its patterns are left out.
    """
    marks = [rule for rule in rules.rules if rule in MARK_RULES and rule != "brackets"]
    return EntityKnowledge(rules=["brackets", *marks, "capitalised", "hyphenated"])


def join_found(doc: Doc, layers: Sequence[Sequence[Found]], policy: Policy) -> list[Found]:
    """Mentions of several sources as one list; see `chunking.overlap.join`.

    What annotation marks say comes before all sources, as it is no guess. A mention that has no label of its own but
    the ends of one in another source gets that one's label. Of two that lie one inside the other the facts say so
    ("boundary").
    """
    marks = [[found for found in layer if found[3]["rule"] in MARK_RULES] for layer in layers]
    layers = [[found for of_layer in marks for found in of_layer], *layers]
    words = [any(map(str.isalnum, token.text)) for token in doc]
    joined = join([[(start, end) for start, end, _, _ in found] for found in layers], policy, words)
    labels = _labels(layers)
    boundaries = _boundaries([(start, end) for start, end, _, _ in joined])
    result = []
    for start, end, layer, index in joined:
        _, _, label, facts = layers[layer][index]
        facts = {key: value for key, value in facts.items() if key != "boundary"}
        if (start, end) in boundaries:
            facts["boundary"] = boundaries[start, end]
        if label == "ENTITY":
            label = labels.get((start, end), label)
        result.append((start, end, label, facts))
    return result


def _boundaries(places: Sequence[Range]) -> dict[Range, str]:
    """ "maximal" and "minimal" for mentions one inside the other, by their tokens."""
    found: dict[Range, str] = {}
    longest: Range | None = None
    for place in sorted(places, key=_outer_first):
        if longest is not None and place[1] <= longest[1]:
            found[longest] = "maximal"
            found[place] = "minimal"
        else:
            longest = place
    return found


def _outer_first(place: Range) -> Range:
    return place[0], -place[1]


def _labels(layers: Sequence[Sequence[Found]]) -> dict[Any, str]:
    labels: dict[Any, str] = {}
    for found in layers:
        for start, end, label, _ in found:
            if label != "ENTITY":
                labels.setdefault((start, end), label)
    return labels

"""`bio_entity_spans`: writes the span group `bio_entities` (paper §3.4)."""

import json
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

import spacy
import srsly
from confection import Config
from spacy import util
from spacy.attrs import IDX, IS_PUNCT, IS_SPACE, LIKE_NUM, LOWER, SPACY
from spacy.language import Language
from spacy.tokens import Doc, Span
from spacy.training import Example
from spacy.util import filter_spans
from spacy.vocab import Vocab

from ..chunking import mentions
from ..chunking.lexicon import surface_forms, verb_forms
from ..errors import OptionError
from ..schemas import Dataset, EntityKnowledge, compile_any, compile_pattern
from ..spans import ENTITIES, Found, write_group
from .component import KnowledgePipe, score_sets, span_set

RULES = "rules"
ENTS = "ents"

_ATTRIBUTES = [LOWER, SPACY, IDX, IS_SPACE, IS_PUNCT, LIKE_NUM]

# Signs inside names: they link what stands on both sides when no space does.
_LINKS = ("-", "‐", "‑", "/", "'", "′", "″", ",", "·", "+", "(", ")")


class EntitySpans(KnowledgePipe):
    """Finds entity mentions by rules, or takes them from a named entity recogniser.

    nlp (Language): The pipeline.
    name (str): Name in the pipeline.
    source (str): "rules"; "ents" for `doc.ents` of an earlier component; else the name or path of a spaCy pipeline
        whose entities are taken. That pipeline is loaded once and carried inside a saved one.
    max_tokens (int): Longest noun phrase, in tokens.
    """

    groups = (ENTITIES,)

    def __init__(self, nlp: Language, name: str, *, source: str, max_tokens: int) -> None:
        super().__init__(nlp, name)
        self.check_options(("max_tokens", max_tokens, max_tokens >= 1, "a number from 1"))
        self.source = source
        self.max_tokens = max_tokens
        self.ner: Language | None = None
        self._patterns: list[tuple[str, int, Any]] = []
        self._any_pattern: Any = None
        self._classes: dict[int, str] = {}

    def _take_dataset(self, dataset: Dataset) -> dict[str, Any]:
        nominal = sorted(
            {
                form.text.lower()
                for relation in dataset.relations.values()
                for trigger in relation.triggers
                if trigger.pos == "noun" and trigger.tier < 3 and " " not in trigger.phrase
                for form in surface_forms(trigger)
            }
        )
        verbs = sorted(
            {
                form.text.lower()
                for relation in dataset.relations.values()
                for trigger in relation.triggers
                if trigger.pos == "verb" and " " not in trigger.phrase
                for form in surface_forms(trigger)
            }
        )
        return {"entities": dataset.entities.model_dump(), "nominal": nominal, "verbs": verbs}

    def _use_knowledge(self, knowledge: dict[str, Any]) -> None:
        self.rules = EntityKnowledge.model_validate(knowledge["entities"])
        self._any_pattern = compile_any(self.rules.patterns)
        self._patterns = [(p.name, p.group, compile_pattern(p)) for p in self.rules.patterns]
        self._classes = _class_table(self.vocab, self.rules, knowledge["verbs"], knowledge["nominal"])
        if self.source not in (RULES, ENTS) and self.ner is None:
            self.ner = _load_ner(self.name, self.source)

    def find(self, doc: Doc) -> list[Found]:
        """Mentions of the Doc in text order, none overlapping; writes nothing.

        doc (Doc): The Doc.
        RETURNS (list[Found]): Label "ENTITY" or the recogniser's label; facts: {"rule": name of what found it}.
        """
        self.require_knowledge()
        if self.source == RULES:
            return self._find_by_rules(doc)
        ents = doc.ents if self.ner is None else _project(self.ner(doc.text), doc)
        return [(ent.start, ent.end, ent.label_ or "ENTITY", {"rule": "ner"}) for ent in ents]

    def set_annotations(self, doc: Doc, found: Iterable[Found]) -> None:
        """Replace the Doc's group `bio_entities`."""
        write_group(doc, ENTITIES, found)

    def score(self, examples: Iterable[Example], **kwargs: Any) -> dict[str, Any]:
        """Precision, recall and F1 of mention borders, whatever the label: bio_entities_p, _r, _f."""
        return score_sets(((_borders(eg.reference), _borders(eg.predicted)) for eg in examples), ENTITIES)

    def _serializers(self) -> dict[str, Any]:
        return {} if self.source in (RULES, ENTS) else {"ner": _CarriedPipeline(self)}

    def _find_by_rules(self, doc: Doc) -> list[Found]:
        count = len(doc)
        if not count:
            return []
        array = doc.to_array(_ATTRIBUTES)
        lowers, spaces, first_characters, blank, punctuation, numbers = array.T
        starts = first_characters.tolist()
        flags = (blank << 2 | punctuation << 1 | numbers).tolist()
        classes = mentions.token_classes(lowers.tolist(), flags, spaces.tolist(), self._classes)
        text = doc.text
        marked = self._find_marked(text, starts, classes)
        for start, end, _ in marked:
            # What is marked is taken: no rule that infers mentions may touch it.
            classes = classes[:start] + mentions.PUNCTUATION * (end - start) + classes[end:]
        kept = self._find_inferred(text, starts, classes)
        if marked:
            kept = sorted([*marked, *kept])
        if "(" in text:
            ends = [*starts[1:], len(text)]
            kept = [(start, _closed(text, starts, ends, start, end), rule) for start, end, rule in kept]
        return [(start, end, "ENTITY", {"rule": rule}) for start, end, rule in kept]

    def _find_marked(self, text: str, starts: Sequence[int], classes: str) -> list[tuple[int, int, str]]:
        """What the user's patterns and annotation marks say: (first token, token after the last, rule)."""
        found: list[tuple[int, int, int, str]] = []
        # Most texts hold none of the user's patterns; one search for all of them tells.
        if self._any_pattern is None or self._any_pattern.search(text):
            for name, group, pattern in self._patterns:
                spans = [match.span(group) for match in pattern.finditer(text)]
                found += [(0, *span, name) for span in _to_tokens(starts, spans) if _has_letter(text, starts, *span)]
        for rule in self.rules.rules:
            if rule in mentions.MARK_RULES:
                found += [(1, *span, rule) for span in _to_tokens(starts, mentions.TEXT_RULES[rule](text))]
        # White space of any kind at the edges of a mark belongs to the mark.
        found = [(rank, *mentions.without_space(classes, start, end), rule) for rank, start, end, rule in found]
        return mentions.drop_overlaps([mention for mention in found if mention[1] < mention[2]]) if found else []

    def _find_inferred(self, text: str, starts: Sequence[int], classes: str) -> list[tuple[int, int, str]]:
        """What the other rules find, in the same form."""
        found: list[tuple[int, int, int, str]] = []
        for rule in self.rules.rules:
            if rule not in mentions.MARK_RULES and rule != "noun_phrase":
                for span in _to_tokens(starts, mentions.TEXT_RULES[rule](text)):
                    found += [(2, *run, rule) for run in mentions.noun_phrases(classes, len(starts), *span)]
        phrases: list[tuple[int, int]] = []
        if "noun_phrase" in self.rules.rules:
            phrases = [
                (start, end)
                for start, end in mentions.noun_phrases(classes, self.max_tokens)
                # Emoji, arrows and the like are no punctuation to spaCy.
                if text[starts[start]].isalnum() or _has_letter(text, starts, start, end)
            ]
        if not found:
            # Phrases do not overlap each other, so alone they need no sorting out.
            return [(start, end, "noun_phrase") for start, end in phrases]
        return mentions.drop_overlaps([*found, *((2, *phrase, "noun_phrase") for phrase in phrases)])


class _CarriedPipeline:
    """Saves the recogniser inside the component, so that the saved pipeline needs no other package or path."""

    def __init__(self, owner: EntitySpans) -> None:
        self.owner = owner

    def to_bytes(self) -> bytes:
        nlp = self._nlp()
        config, data = nlp.config.to_str(), nlp.to_bytes()
        return srsly.msgpack_dumps({"config": config, "data": data})

    def from_bytes(self, data: bytes) -> None:
        loaded = srsly.msgpack_loads(data)
        nlp = util.load_model_from_config(Config().from_str(loaded["config"], interpolate=False))
        self.owner.ner = nlp.from_bytes(loaded["data"])

    def to_disk(self, path: Path) -> None:
        self._nlp().to_disk(path)

    def from_disk(self, path: Path) -> None:
        self.owner.ner = spacy.load(path)

    def _nlp(self) -> Language:
        if self.owner.ner is None:
            self.owner.ner = _load_ner(self.owner.name, self.owner.source)
        return self.owner.ner


def _borders(doc: Doc) -> set[tuple[int, int]]:
    return {(start, end) for start, end, _ in span_set(doc, ENTITIES)}


def _class_table(vocab: Vocab, rules: EntityKnowledge, verbs: Sequence[str], nominal: Sequence[str]) -> dict[int, str]:
    """Token class of every word and sign that the noun-phrase rule knows, by hash of the lower-case form."""
    closed = json.loads((files("biochunk") / "data" / "closed_class.json").read_text("utf8"))
    table: dict[str, str] = dict.fromkeys(nominal, mentions.NOMINAL)
    table.update(dict.fromkeys((word.lower() for word in rules.stop_heads), mentions.NOMINAL))
    table.update(dict.fromkeys(verbs, mentions.VERB))
    for verb in closed["verbs"]:
        table.update(dict.fromkeys((form.text for form in verb_forms(verb)), mentions.VERB))
    stop_words = [
        *closed["adverbs_and_predicates"],
        *closed["function_words"],
        *closed["units_and_times"],
        *rules.stop_words,
    ]
    table.update(dict.fromkeys((word.lower() for word in stop_words), mentions.FUNCTION))
    table.update(dict.fromkeys(_LINKS, mentions.LINK))
    return {vocab.strings.add(word): kind for word, kind in table.items()}


def _has_letter(text: str, starts: Sequence[int], start: int, end: int) -> bool:
    stop = starts[end] if end < len(starts) else len(text)
    return any(character.isalnum() for character in text[starts[start] : stop])


def _closed(text: str, starts: Sequence[int], ends: Sequence[int], start: int, end: int) -> int:
    """The end of a mention, moved over a bracket that closes one inside it: "IL-2(IL-2" | ")"."""
    inside = text[starts[start] : ends[end - 1]]
    if end < len(ends) and text[starts[end] : ends[end]].rstrip() == ")" and not inside[-1].isspace():
        return end + (inside.count("(") > inside.count(")"))
    return end


def _to_tokens(starts: Sequence[int], ranges: Iterable[mentions.Range]) -> list[mentions.Range]:
    """Character ranges as the smallest token ranges that hold them. starts: first character of each token."""
    # A group of a user's pattern may match nothing.
    return [(bisect_right(starts, start) - 1, bisect_left(starts, end)) for start, end in ranges if start < end]


def _load_ner(name: str, source: str) -> Language:
    try:
        return spacy.load(source)
    except OSError:
        expected = f"'{RULES}', '{ENTS}', or the name or path of an installed spaCy pipeline"
        raise OptionError(name, "source", repr(source), expected) from None


def _project(source: Doc, target: Doc) -> list[Span]:
    """Entities of a Doc as spans of another Doc of the same text, whose tokens may differ.

    Growing to the target's token borders can make two entities meet; the longest then stays.
    """
    spans = (
        target.char_span(ent.start_char, ent.end_char, label=ent.label_, alignment_mode="expand") for ent in source.ents
    )
    return filter_spans(span for span in spans if span is not None)

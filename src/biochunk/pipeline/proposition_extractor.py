"""`proposition_extractor`: writes the span group `bio_propositions` (paper §3.8)."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from spacy.attrs import LOWER
from spacy.language import Language
from spacy.matcher import PhraseMatcher
from spacy.tokens import Doc
from spacy.training import Example

from ..chunking import patterns
from ..chunking.cues import load_cues
from ..chunking.polarity import AFFIRMED, find_cues, polarity_of
from ..chunking.windows import Borders, Window
from ..extensions import install_extensions
from ..schemas import Cues, Dataset
from ..spans import ENTITIES, PROPOSITIONS, TRIGGERS, Facts, Found, read_group, sentences, split_by, write_group
from .component import KnowledgePipe, score_sets

# Patterns that a cue may take part in, by part of speech, where the dataset file does not say.
_PATTERNS_BY_POS = {
    "verb": frozenset({"infix"}),
    "noun": frozenset({"infix", "prefix", "postfix"}),
    "preposition": frozenset({"infix"}),
    "phrase": frozenset({"infix", "postfix"}),
    "adjective": frozenset({"infix", "postfix"}),
}


class Options(NamedTuple):
    """Options of `proposition_extractor`; the defaults are the factory's.

    search (int): Largest distance in tokens between a trigger and an argument.
    margin (int): How many tokens the minimal span may grow on each side to take in negation and hedges.
    scope (int): Largest distance in tokens between a cue of negation or hedging and what it acts on.
    passive_agents (Sequence[str]): Words that introduce the agent of a passive.
    patterns (Sequence[str]): Patterns that are used at all.
    """

    search: int
    margin: int
    scope: int
    passive_agents: Sequence[str]
    patterns: Sequence[str]


class PropositionExtractor(KnowledgePipe):
    """Joins triggers with their nearest entities to subject-trigger-object propositions, with polarity.

    nlp (Language): The pipeline.
    name (str): Name in the pipeline.
    options (Options): Distances and patterns.
    """

    def __init__(self, nlp: Language, name: str, *, options: Options) -> None:
        super().__init__(nlp, name)
        self.options = options
        self._matcher = PhraseMatcher(nlp.vocab, attr="LOWER")
        self._phrases: dict[int, tuple[Sequence[Any], bool]] = {}
        add = nlp.vocab.strings.add
        self._words = {
            add(word): letter for letter, words in patterns.WORD_CLASSES.items() for word in words
        }
        self._agents = frozenset(
            letter
            for letter, words in patterns.WORD_CLASSES.items()
            for word in options.passive_agents
            if word in words
        )
        install_extensions()

    def _take_dataset(self, dataset: Dataset) -> dict[str, Any]:
        return {
            "negation": dataset.negation.model_dump(),
            "hedges": dataset.hedges.model_dump(),
            "context_markers": dataset.context_markers,
        }

    def _use_knowledge(self, knowledge: dict[str, Any]) -> None:
        cues = load_cues(Cues.model_validate(knowledge["negation"]), Cues.model_validate(knowledge["hedges"]))
        # Of each phrase its roles as a cue, and whether it is a context marker.
        phrases: dict[str, tuple[Sequence[Any], bool]] = {phrase: (roles, False) for phrase, roles in cues.items()}
        for marker in (" ".join(marker.lower().split()) for marker in knowledge["context_markers"]):
            phrases[marker] = (cues.get(marker, ()), True)
        matcher = PhraseMatcher(self.vocab, attr="LOWER")
        for phrase, doc in zip(phrases, self.tokenizer.pipe(phrases), strict=True):
            matcher.add(phrase, [doc])
        self._matcher = matcher
        self._phrases = {self.vocab.strings[phrase]: found for phrase, found in phrases.items()}

    def find(self, doc: Doc) -> list[Found]:
        """Propositions of the Doc by sentence and trigger; writes nothing.

        RETURNS (list[Found]): Label: the relation. Facts: subject, trigger, object as [start_char, end_char]; tier,
        pattern, passive, negated, uncertain.
        RAISES (BiochunkError): When the Doc has no group of entities or of triggers.
        """
        self.require_knowledge()
        self.require_group(doc, ENTITIES, "bio_entity_spans")
        self.require_group(doc, TRIGGERS, "trigger_tagger")
        triggers = [
            _Trigger(span.start, span.end, span.start_char, span.end_char, facts)
            for span, facts in read_group(doc, TRIGGERS)
        ]
        entities = {(span.start, span.end): (span.start_char, span.end_char) for span in doc.spans[ENTITIES]}
        if not triggers or len(entities) < 2:
            return []
        classes = patterns.word_classes(doc.to_array(LOWER).tolist(), self._words)
        phrases = [(start, end, *self._phrases[key]) for key, start, end in self._matcher(doc)]
        units = sentences(doc)
        parts = [(units[0], sorted(entities), triggers, phrases)]
        if len(units) > 1:
            split = [split_by(units, items) for items in (entities, triggers, phrases)]
            parts = list(zip(units, *split, strict=True))
        found: list[Found] = []
        for bounds, *items in parts:
            found += self._find_in_sentence(doc, classes, entities, bounds, *items)
        return found

    def _find_in_sentence(
        self,
        doc: Doc,
        classes: str,
        offsets: dict[Window, Window],
        bounds: Window,
        entities: Sequence[Window],
        triggers: Sequence["_Trigger"],
        phrases: Sequence[tuple[int, int, Sequence[Any], bool]],
    ) -> list[Found]:
        if len(entities) < 2 or not triggers:
            return []
        options = self.options
        first, last = bounds
        cues = find_cues(
            [(start, end, roles) for start, end, roles, _ in phrases if roles],
            [token.text for token in doc[first:last]] if phrases else (),
            offset=first,
            entities=entities,
            triggers=[(t.start, t.end) for t in triggers],
            window=options.scope,
        )
        # "patients without diabetes": what an argument cue denies is no subject either
        markers = [(p[0], p[1]) for p in phrases if p[3] or any(role[1] == "argument" for role in p[2])]
        sentence = patterns.Sentence(
            *bounds,
            entities,
            classes,
            verbs=[(t.start, t.end) for t in triggers if t.facts["readings"][0]["pos"] == "verb"],
            context=_settings(entities, markers, classes),
            search=options.search,
            agents=self._agents,
        )
        nouns = {t.start: t for t in triggers if t.facts["readings"][0]["pos"] == "noun"}
        borders: Borders | None = None
        found = []
        for trigger in triggers:
            matches: dict[tuple[Any, ...], list[patterns.Match]] = {}
            for reading in trigger.facts["readings"]:
                key = (reading["pos"], reading["invert"], reading["directed"], tuple(reading["patterns"] or ()))
                if key not in matches:
                    matches[key] = self._match(sentence, trigger, reading)
                for match in matches[key]:
                    head, tail = match.head, match.tail
                    start = min(head[0], tail[0], trigger.start)
                    end = max(head[1], tail[1], trigger.end)
                    polarity = AFFIRMED
                    if cues:
                        polarity = polarity_of(
                            cues, (trigger.start, trigger.end), head, tail, margin=options.margin
                        )
                        if polarity.cues:
                            borders = borders or Borders(entities, *bounds)
                            start = min(start, *(cue[0] for cue in polarity.cues))
                            end = max(end, *(cue[1] for cue in polarity.cues))
                            start, end = borders.whole((max(start, first), min(end, last)))
                    facts: Facts = {
                        "subject": list(offsets[head]),
                        "trigger": [trigger.start_char, trigger.end_char],
                        "object": list(offsets[tail]),
                        "tier": reading["tier"],
                        "pattern": match.pattern,
                        "passive": match.passive,
                        "negated": polarity.negated,
                        "uncertain": polarity.uncertain,
                    }
                    noun = nouns.get(head[1])
                    if noun is not None and reading["pos"] == "verb" and _leads(classes, noun.end, trigger.start):
                        # "aspirin therapy reduces": what acts is the therapy
                        facts["subject"][1] = noun.end_char
                    found.append(Found(start, end, reading["relation"], facts))
        return found

    def _match(self, sentence: patterns.Sentence, trigger: "_Trigger", reading: Facts) -> list[patterns.Match]:
        allowed = frozenset(reading["patterns"]) if reading["patterns"] is not None else _PATTERNS_BY_POS[reading["pos"]]
        cue = patterns.Cue(
            start=trigger.start,
            end=trigger.end,
            pos=reading["pos"],
            participle=trigger.facts["participle"],
            gerund=trigger.facts["gerund"],
            invert=reading["invert"],
            patterns=allowed.intersection(self.options.patterns),
        )
        found = list(patterns.match(sentence, cue))
        if not reading["directed"]:
            # Neither end of an undirected relation is the subject: the one that is written first stands for it.
            found = [m if m.head < m.tail else m._replace(head=m.tail, tail=m.head) for m in found]
        return found

    def set_annotations(self, doc: Doc, found: Iterable[Found]) -> None:
        """Replace the Doc's group `bio_propositions`."""
        write_group(doc, PROPOSITIONS, found)

    def score(self, examples: Iterable[Example], **kwargs: Any) -> dict[str, Any]:
        """Precision, recall and F1 of (subject, relation, object): bio_propositions_p, _r, _f."""
        return score_sets(((triple_set(eg.reference), triple_set(eg.predicted)) for eg in examples), PROPOSITIONS)


class _Trigger(NamedTuple):
    start: int
    end: int
    start_char: int
    end_char: int
    facts: Facts


def triple_set(doc: Doc, *, kept_only: bool = False) -> set[tuple[Any, ...]]:
    """(subject offsets, relation, object offsets) of each proposition of a Doc."""
    return {
        (*facts["subject"], span.label_, *facts["object"])
        for span, facts in read_group(doc, PROPOSITIONS)
        if facts.get("kept", True) or not kept_only
    }


def _settings(entities: Sequence[Window], markers: Sequence[Window], classes: str) -> frozenset[int]:
    """Indices of entities that a context marker opens ("in patients with"): in it, or at most two words behind it."""
    if not markers:
        return frozenset()
    return frozenset(
        i
        for i, (start, end) in enumerate(entities)
        for first, last in markers
        if first < end and start - last <= 2 and (start < last or patterns.COMMA not in classes[last:start])
    )


def _leads(classes: str, start: int, end: int) -> bool:
    """Whether only auxiliaries and adverbs stand between two tokens."""
    return start <= end and not classes[start:end].strip(patterns.BE + patterns.ADVERB + patterns.NOT)

"""`proposition_extractor`: writes the span group `bio_propositions` (paper §3.8)."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from operator import add
from typing import Any, NamedTuple

from spacy.attrs import IDX, LENGTH, LOWER, ORTH
from spacy.language import Language
from spacy.matcher import PhraseMatcher
from spacy.tokens import Doc
from spacy.training import Example

from ..chunking import patterns
from ..chunking.cues import load_cues
from ..chunking.mentions import apart
from ..chunking.polarity import AFFIRMED, Cue, Polarity, find_cues, has_cue, polarity_of
from ..chunking.windows import Borders, Window
from ..errors import BiochunkError, Errors
from ..schemas import Cues, Dataset
from ..spans import (
    ENTITIES,
    PROPOSITIONS,
    TRIGGERS,
    Facts,
    Found,
    read_group,
    read_places,
    sentences,
    split_by,
    write_group,
)
from .abbreviations import without_definitions
from .component import KnowledgePipe, score_sets
from .marks import marked_entities
from .trigger_forms import Form, Forms, Frame


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
        self.check_options(
            ("search", options.search, options.search >= 1, "a number from 1"),
            ("margin", options.margin, options.margin >= 0, "a number from 0"),
            ("scope", options.scope, options.scope >= 1, "a number from 1"),
        )
        self.options = options
        self._matcher = PhraseMatcher(nlp.vocab, attr="LOWER")
        self._phrases: dict[int, tuple[Sequence[Any], bool]] = {}
        strings = nlp.vocab.strings
        self._words = {strings.add(word): letter for letter, words in patterns.WORD_CLASSES.items() for word in words}
        self._forms = Forms(options.patterns)
        self._agents = frozenset(
            letter
            for letter, words in patterns.WORD_CLASSES.items()
            for word in options.passive_agents
            if word in words
        )

    def _take_dataset(self, dataset: Dataset) -> dict[str, Any]:
        return {
            "negation": dataset.negation.model_dump(),
            "hedges": dataset.hedges.model_dump(),
            "context_markers": dataset.context_markers,
        }

    def _use_knowledge(self, knowledge: dict[str, Any]) -> None:
        cues = load_cues(Cues.model_validate(knowledge["negation"]), Cues.model_validate(knowledge["hedges"]))
        # Of each phrase its roles as a cue, and whether it opens a setting: as a context marker, or as an argument cue,
        # as what it denies is no subject either ("patients without diabetes").
        phrases: dict[str, tuple[Sequence[Any], bool]] = {
            phrase: (roles, any(role.kind == "argument" for role in roles)) for phrase, roles in cues.items()
        }
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
        if len(doc.spans[ENTITIES]) < 2:
            return []
        known = doc.spans[TRIGGERS].attrs
        triggers: list[_Trigger] = []
        for start, end, key, _ in read_places(doc, TRIGGERS):
            facts = known.get(key)
            if not facts:
                raise BiochunkError(Errors.E011.format(group=TRIGGERS, text=doc[start:end].text))
            triggers.append((start, end, facts))
        if not triggers:
            return []
        known = doc.spans[ENTITIES].attrs
        mentions = [((start, end), known.get(key, {})) for start, end, key, _ in read_places(doc, ENTITIES)]
        entities = sorted({place for place, _ in mentions})
        marked = marked_entities(doc, mentions)
        same_as = {place: facts["same_as"] for place, facts in mentions if "same_as" in facts}
        lowers, firsts, lengths = doc.to_array([LOWER, IDX, LENGTH]).T.tolist()
        characters = _Characters(firsts, list(map(add, firsts, lengths)))
        classes = patterns.word_classes(lowers, self._words)
        phrases = [(start, end, *self._phrases[key]) for key, start, end in self._matcher(doc)]
        units = sentences(doc)
        parts: list[Any] = [(units[0], entities, triggers, phrases)]
        if len(units) > 1:
            split = [split_by(units, items) for items in (entities, triggers, phrases)]
            parts = list(zip(units, *split, strict=True))
        found: list[Found] = []
        for bounds, *items in parts:
            found += self._find_in_sentence(doc, classes, characters, marked, same_as, bounds, *items)
        return found

    def _find_in_sentence(
        self,
        doc: Doc,
        classes: str,
        characters: "_Characters",
        marked: set[Window],
        same_as: dict[Window, str],
        bounds: Window,
        everything: Sequence[Window],
        triggers: Sequence["_Trigger"],
        phrases: Sequence[tuple[int, int, Sequence[Any], bool]],
    ) -> list[Found]:
        entities = apart(everything)
        if same_as:
            entities = without_definitions(entities, same_as)
        if len(entities) < 2 or not triggers:
            return []
        options = self.options
        first, last = bounds
        forms = [self._forms(trigger[2]) for trigger in triggers]
        verbs = [(t[0], t[1]) for t, form in zip(triggers, forms, strict=True) if form.is_verb]
        nouns = {t[0]: t[1] for t, form in zip(triggers, forms, strict=True) if form.is_noun}
        cues: Sequence[Cue] = ()
        markers: list[Window] = []
        if phrases:
            roles = [(p[0], p[1], p[2]) for p in phrases if p[2]]
            if has_cue(roles):
                strings = doc.vocab.strings
                words = [strings[orth] for orth in doc.to_array(ORTH)[first:last].tolist()]
                bounds_of_triggers = [(t[0], t[1]) for t in triggers]
                cues = find_cues(
                    roles,
                    words,
                    offset=first,
                    entities=entities,
                    triggers=bounds_of_triggers,
                    window=options.scope,
                )
            markers = [(p[0], p[1]) for p in phrases if p[3]]
        context = _Context(
            classes=classes,
            characters=characters,
            nouns=nouns,
            cues=cues,
            cue_starts=[cue.start for cue in cues],
            borders=Borders(everything, first, last),
        )
        # An annotator's mark outranks what a rule infers, as the paper's rules find little else on marked text: where
        # propositions join marked mentions, a sentence has no others.
        annotated = [entity for entity in entities if entity in marked]
        for choice in [annotated, entities] if 2 <= len(annotated) < len(entities) else [entities]:
            sentence = patterns.Sentence(
                first,
                last,
                choice,
                classes,
                verbs=verbs,
                context=_settings(choice, markers, classes) if markers else frozenset(),
                search=options.search,
                agents=self._agents,
            )
            found: list[Found] = []
            for trigger, form in zip(triggers, forms, strict=True):
                self._add_propositions(found, sentence, trigger, form, context)
            if found:
                return found
        return []

    def _add_propositions(
        self,
        found: list[Found],
        sentence: patterns.Sentence,
        trigger: "_Trigger",
        form: Form,
        context: "_Context",
    ) -> None:
        """Add the propositions of one trigger, reading by reading."""
        start, end, facts = trigger
        starts, ends = context.characters
        offsets = [starts[start], ends[end - 1]]
        placed = []
        for frame in form.frames:
            cue = patterns.Cue(
                start, end, frame.pos, facts["participle"], facts["gerund"], frame.allowed, not frame.directed
            )
            matches = patterns.match(sentence, cue)
            placed.append([self._place(trigger, frame, match, context) for match in matches])
        for relation, tier, frame_number in form.readings:
            for low, high, subject, tail, pattern, passive, polarity in placed[frame_number]:
                facts = {
                    "relation": relation,
                    "subject": subject,
                    "trigger": offsets,
                    "object": tail,
                    "tier": tier,
                    "pattern": pattern,
                    "passive": passive,
                    "negated": polarity.negated,
                    "uncertain": polarity.uncertain,
                }
                found.append((low, high, relation, facts))

    def _place(
        self, trigger: "_Trigger", frame: Frame, match: patterns.Match, context: "_Context"
    ) -> tuple[int, int, list[int], list[int], str, bool, Polarity]:
        """A match with the roles that the relation wants: tokens of its whole span, characters of subject and object,
        pattern, whether a passive swapped them, and polarity.
        """
        head, tail, pattern, passive = match
        # Neither end of an undirected relation is the subject: the one that is written first stands for it.
        if frame.invert if frame.directed else tail < head:
            head, tail = tail, head
        start, end = trigger[:2]
        low, high = min(head[0], tail[0], start), max(head[1], tail[1], end)
        polarity = AFFIRMED
        if context.cues:
            # A cue acts within its scope, or on an argument from inside the proposition.
            reach = self.options.scope + _LONGEST_CUE
            cue_starts = context.cue_starts
            near = context.cues[bisect_left(cue_starts, low - reach) : bisect_right(cue_starts, high + reach)]
            polarity = polarity_of(near, (start, end), head, tail, margin=self.options.margin)
            for cue_start, cue_end in polarity.cues:
                low, high = min(low, cue_start), max(high, cue_end)
        # A trigger or cue that begins or ends within an entity must not cut it.
        low, high = context.borders.whole((low, high))
        if frame.pos == "verb" and head[1] in context.nouns:
            noun_end = context.nouns[head[1]]
            if _leads(context.classes, noun_end, start):
                # "aspirin therapy reduces": what acts is the therapy
                head = head[0], noun_end
        starts, ends = context.characters
        subject, other = [starts[head[0]], ends[head[1] - 1]], [starts[tail[0]], ends[tail[1] - 1]]
        return low, high, subject, other, pattern, passive, polarity

    def set_annotations(self, doc: Doc, found: Iterable[Found]) -> None:
        """Replace the Doc's group `bio_propositions`."""
        write_group(doc, PROPOSITIONS, found)

    def score(self, examples: Iterable[Example], **kwargs: Any) -> dict[str, Any]:
        """Precision, recall and F1 of (subject, relation, object): bio_propositions_p, _r, _f."""
        return score_sets(((triple_set(eg.reference), triple_set(eg.predicted)) for eg in examples), PROPOSITIONS)


# Tokens of the longest cue phrase, more or less: scopes are counted from its other end.
_LONGEST_CUE = 10

# start, end, facts
_Trigger = tuple[int, int, Facts]


class _Characters(NamedTuple):
    """Of each token of a Doc its first character and the one behind its last."""

    starts: Sequence[int]
    ends: Sequence[int]


class _Context(NamedTuple):
    """What all triggers of a sentence share: word classes, characters of tokens, ends of the noun triggers by first
    token, cues of polarity with their starts, and the borders that no span may cut.
    """

    classes: str
    characters: _Characters
    nouns: dict[int, int]
    cues: Sequence[Cue]
    cue_starts: Sequence[int]
    borders: Borders


def triple_set(doc: Doc, *, kept_only: bool = False) -> set[tuple[Any, ...]]:
    """(subject offsets, relation, object offsets) of each proposition of a Doc."""
    return {
        (*facts["subject"], span.label_, *facts["object"])
        for span, facts in read_group(doc, PROPOSITIONS)
        if facts.get("kept", True) or not kept_only
    }


def _settings(entities: Sequence[Window], markers: Sequence[Window], classes: str) -> frozenset[int]:
    """Indices of entities that a context marker opens ("in patients with"): in it, or at most two words behind it."""
    starts = [start for start, _ in entities]
    found = []
    for first, last in markers:
        for i in range(max(bisect_right(starts, first) - 1, 0), bisect_right(starts, last + 2)):
            start, end = entities[i]
            if first < end and (start < last or patterns.COMMA not in classes[last:start]):
                found.append(i)
    return frozenset(found)


def _leads(classes: str, start: int, end: int) -> bool:
    """Whether only auxiliaries and adverbs stand between two tokens."""
    return start <= end and not classes[start:end].strip(patterns.BE + patterns.ADVERB + patterns.NOT)

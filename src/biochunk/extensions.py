"""`doc._.bio_entities`, `bio_triggers`, `bio_propositions`, `bio_chunks`: what was found, as frozen dataclasses.

They are getters over the span groups, built anew at each access; nothing is stored in them. Import this module (any
component does) or call `install_extensions` before reading them from a Doc that comes from a file.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from spacy.tokens import Doc, Span

from .errors import BiochunkError, Errors
from .spans import CHUNKS, ENTITIES, PROPOSITIONS, TRIGGERS, Facts, read_group

TARGET_RELATION = "bio_target_relation"


@dataclass(frozen=True)
class Entity:
    """An entity mention.

    span (Span): Where it stands.
    label (str): "ENTITY", or the label of the recogniser that found it.
    rule (str): Name of the rule or pattern that found it, or "ner"; empty for a span of another component.
    boundary (str): "maximal" or "minimal" where one mention is given with two boundaries ("serum insulin", "insulin"),
        the minimal one inside the maximal one; else empty.
    source (str): The recogniser or list of terms that found it; empty where rules did.
    same_as (str): Span id of the first mention of the same entity, where an earlier component has paired abbreviations
        with what they stand for; else empty.
    """

    span: Span
    label: str
    rule: str
    boundary: str = ""
    source: str = ""
    same_as: str = ""

    @property
    def text(self) -> str:
        return self.span.text


@dataclass(frozen=True)
class Reading:
    """One relation that a trigger can signal.

    relation (str): The label.
    tier (int): 1 primary, 2 secondary, 3 tertiary.
    pos (str): Part of speech of the cue.
    invert (bool): True when the tail is written first.
    """

    relation: str
    tier: int
    pos: str
    invert: bool


@dataclass(frozen=True)
class Trigger:
    """A trigger word or phrase.

    span (Span): Where it stands.
    relation (str): Its strongest reading: lowest tier, then highest weight.
    tier (int): Tier of that reading.
    phrase (str): The cue as the dataset file writes it.
    readings (tuple[Reading, ...]): All relations it can signal, the strongest first.
    """

    span: Span
    relation: str
    tier: int
    phrase: str
    readings: tuple[Reading, ...]

    @property
    def text(self) -> str:
        return self.span.text


@dataclass(frozen=True)
class Proposition:
    """A relation between two entities by a trigger (paper §3.8).

    subject, trigger, object (Span): Head, cue and tail of the relation.
    relation (str): The label.
    tier (int): Tier of the trigger for this relation.
    pattern (str): "infix", "prefix" or "postfix".
    passive (bool): True when a passive swapped subject and object.
    negated, uncertain (bool): Polarity by scope.
    priority (float | None): Weight and tier bonus joined (eq. 2); None before `relation_resolver`.
    kept (bool): False when a competing proposition of higher priority won.
    reason (str): Why it lost; empty when it is kept.
    span (Span): The minimal span with its margin for negation and hedges.
    """

    subject: Span
    trigger: Span
    object: Span
    relation: str
    tier: int
    pattern: str
    passive: bool
    negated: bool
    uncertain: bool
    priority: float | None
    kept: bool
    reason: str
    span: Span

    @property
    def text(self) -> str:
        return self.span.text


@dataclass(frozen=True)
class Chunk:
    """A piece of evidence.

    span (Span): Where it stands.
    text (str): The Doc's text from `start_char` to `end_char`.
    start_char, end_char (int): Offsets in code points.
    source (str): "pair", "proposition", "trigger", "entity", "fixed", "fixed_strict" or "sentence".
    slot (int): Rank within its sentence, from 1.
    relation (str): The target relation where one is set; else what the proposition states, where the source is one;
        else the relation whose definition is nearest to the text, which need not be stated in it.
    similarity (float): Cosine to the definition of `relation`.
    score (float): What the ranking used: the cosine to the target's definition, else the highest over all definitions;
        in the mode "mix" joined with the priority.
    priority (float | None): Priority of the proposition that it is or, as a pair, isolates.
    proposition (str | None): Span id of that proposition.
    sentence (int): Index of the sentence in the Doc.
    reason (str): Why the chunk has this granularity, where the arm chooses one ("adaptive"); else empty.
    """

    span: Span
    text: str
    start_char: int
    end_char: int
    source: str
    slot: int
    similarity: float
    relation: str
    score: float
    priority: float | None
    proposition: str | None
    sentence: int
    reason: str = ""


def _with_facts(doc: Doc, group: str) -> Iterator[tuple[Span, Facts]]:
    for span, facts in read_group(doc, group):
        if not facts:
            raise BiochunkError(Errors.E011.format(group=group, text=span.text))
        yield span, facts


def _entities(doc: Doc) -> tuple[Entity, ...]:
    return tuple(
        Entity(
            span,
            span.label_,
            facts.get("rule", ""),
            facts.get("boundary", ""),
            facts.get("source", ""),
            facts.get("same_as", ""),
        )
        for span, facts in read_group(doc, ENTITIES)
    )


def _triggers(doc: Doc) -> tuple[Trigger, ...]:
    return tuple(
        Trigger(
            span=span,
            relation=span.label_,
            tier=facts["tier"],
            phrase=facts["phrase"],
            readings=tuple(Reading(r["relation"], r["tier"], r["pos"], r["invert"]) for r in facts["readings"]),
        )
        for span, facts in _with_facts(doc, TRIGGERS)
    )


def _propositions(doc: Doc) -> tuple[Proposition, ...]:
    found = [_proposition(doc, span, facts) for span, facts in _with_facts(doc, PROPOSITIONS)]
    found.sort(key=lambda p: (not p.kept, -(p.priority or 0.0), p.span.start, p.span.end))
    return tuple(found)


def _proposition(doc: Doc, span: Span, facts: Facts) -> Proposition:
    return Proposition(
        subject=_role(doc, facts["subject"]),
        trigger=_role(doc, facts["trigger"]),
        object=_role(doc, facts["object"]),
        relation=span.label_,
        tier=facts["tier"],
        pattern=facts["pattern"],
        passive=facts["passive"],
        negated=facts["negated"],
        uncertain=facts["uncertain"],
        priority=facts.get("priority"),
        kept=facts.get("kept", True),
        reason=facts.get("reason", ""),
        span=span,
    )


def _role(doc: Doc, offsets: Sequence[int]) -> Span:
    start, end = offsets
    span = doc.char_span(start, end, alignment_mode="expand")
    if span is None:
        raise BiochunkError(Errors.E010.format(found=[start, end], length=len(doc.text)))
    return span


def _chunks(doc: Doc) -> tuple[Chunk, ...]:
    doc_text = doc.text
    return tuple(
        Chunk(
            span=span,
            text=doc_text[span.start_char : span.end_char],
            start_char=span.start_char,
            end_char=span.end_char,
            source=facts["source"],
            slot=facts["slot"],
            similarity=facts["similarity"],
            relation=span.label_,
            score=facts["score"],
            priority=facts.get("priority"),
            proposition=facts.get("proposition"),
            sentence=facts["sentence"],
            reason=facts.get("reason", ""),
        )
        for span, facts in _with_facts(doc, CHUNKS)
    )


_GETTERS: dict[str, Any] = {
    ENTITIES: _entities,
    TRIGGERS: _triggers,
    PROPOSITIONS: _propositions,
    CHUNKS: _chunks,
}


def install_extensions() -> None:
    """Add the Doc extensions where they are missing.

    RAISES (BiochunkError): If an extension of another package has one of the names.
    """
    for name, getter in _GETTERS.items():
        if not Doc.has_extension(name):
            Doc.set_extension(name, getter=getter)
            continue
        other = Doc.get_extension(name)[2]
        if (getattr(other, "__module__", None), getattr(other, "__name__", None)) != (__name__, getter.__name__):
            raise BiochunkError(Errors.E012.format(name=name))
    if not Doc.has_extension(TARGET_RELATION):
        # Set it on a Doc to rank its chunks against one relation: doc._.bio_target_relation = "TREATS".
        Doc.set_extension(TARGET_RELATION, default=None)

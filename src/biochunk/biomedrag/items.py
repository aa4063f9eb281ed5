"""What passes along the chain. Everything here is plain data: texts, offsets, labels.

A `Sentence` is what an arm made of one text. It is built from the text alone, so that no arm can see gold. An
`Example` is what a reader may see; `Gold` is what it should answer, and reaches a reader only in `fit`.
"""

from dataclasses import dataclass
from typing import Literal, NamedTuple

Task = Literal["triples", "pairs", "label"]
# Start and end in code points, end exclusive.
Span = tuple[int, int]


class Cue(NamedTuple):
    """A trigger: where it stands, its strongest relation and that reading's tier."""

    start: int
    end: int
    relation: str
    tier: int


class Statement(NamedTuple):
    """A proposition: places of subject, trigger and object (all in one text), and what it states."""

    subject: Span
    trigger: Span
    object: Span
    relation: str
    priority: float
    negated: bool
    uncertain: bool
    kept: bool


class Piece(NamedTuple):
    """A selected chunk. slot: its rank in the sentence, from 1. reason: why it has this granularity; "" where the arm
    does not say.
    """

    start: int
    end: int
    text: str
    relation: str
    similarity: float
    source: str
    slot: int
    reason: str


class Sentence(NamedTuple):
    """What one arm found in one text.

    id (str): The record's id.
    text (str): The text.
    mentions (tuple[Span, ...]): Detected entities, in text order.
    cues (tuple[Cue, ...]): Triggers; empty in arms without.
    statements (tuple[Statement, ...]): Propositions; empty in arms without.
    pieces (tuple[Piece, ...]): Selected chunks by slot; evidence-only reading and answer retrieval use more of them
        than the chain does.
    """

    id: str
    text: str
    mentions: tuple[Span, ...]
    cues: tuple[Cue, ...]
    statements: tuple[Statement, ...]
    pieces: tuple[Piece, ...]


class Evidence(NamedTuple):
    """A stored chunk that retrieval found for a sentence.

    text (str): The chunk.
    relation (str): Its label in the store: gold of the sentence that it comes from.
    record (str): Id of that sentence's record.
    row (int): Its row in the store.
    similarity (float): To the piece that asked, after any hubness correction.
    piece (int): Index in `Sentence.pieces` of the piece that asked.
    """

    text: str
    relation: str
    record: str
    row: int
    similarity: float
    piece: int


class Mention(NamedTuple):
    """An entity that a reader is told of. start and end are -1 where the reader's text does not hold it."""

    text: str
    start: int
    end: int

    @property
    def visible(self) -> bool:
        return self.start >= 0


class Triple(NamedTuple):
    """An answer as strings, as it is scored."""

    head: str
    relation: str
    tail: str


class PairAnswer(NamedTuple):
    """The relation of an asked pair. forward: the pair's first mention is the head."""

    relation: str
    forward: bool


@dataclass(frozen=True, slots=True)
class Example:
    """What a reader may see of one item; never gold.

    id (str): The record's id.
    text (str): What it reads: the sentence, or the selected chunks alone (evidence-only).
    mentions (tuple[Span, ...]): Detected entities that `text` holds.
    pairs (tuple[tuple[Mention, Mention], ...]): Asked pairs, in the task "pairs"; else empty. The mention that is first
        in the sentence is first in the pair, so that the order tells nothing about the direction.
    cues (tuple[Cue, ...]): Triggers in `text`.
    statements (tuple[Statement, ...]): Propositions whose subject, trigger and object `text` holds.
    evidence (tuple[Evidence, ...]): Retrieved chunks of other sentences, the best first.
    """

    id: str
    text: str
    mentions: tuple[Span, ...] = ()
    pairs: tuple[tuple[Mention, Mention], ...] = ()
    cues: tuple[Cue, ...] = ()
    statements: tuple[Statement, ...] = ()
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True)
class GoldTriple:
    """A triple with the places of its mentions in the example's text (start -1: not there)."""

    head: Mention
    relation: str
    tail: Mention

    @property
    def triple(self) -> Triple:
        return Triple(self.head.text, self.relation, self.tail.text)


@dataclass(frozen=True, slots=True)
class Gold:
    """What an example's answer should be.

    triples (tuple[GoldTriple, ...]): Task "triples" and "pairs"; empty where nothing holds.
    relations (tuple[PairAnswer | None, ...]): Task "pairs": one an asked pair, None where no relation holds.
    label (int | None): Task "label".
    """

    triples: tuple[GoldTriple, ...] = ()
    relations: tuple[PairAnswer | None, ...] = ()
    label: int | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """What a reader answers; the fields of its task are filled.

    triples (tuple[Triple, ...]): Task "triples".
    relations (tuple[PairAnswer | None, ...]): Task "pairs": one an asked pair.
    label (int | None): Task "label".
    """

    triples: tuple[Triple, ...] = ()
    relations: tuple[PairAnswer | None, ...] = ()
    label: int | None = None

"""What the chunks of a Doc's sentences are selected from, out of the span groups that stand on it (paper §3.9)."""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from spacy.attrs import IDX, IS_SPACE, LOWER, SPACY
from spacy.tokens import Doc
from spacy.vocab import Vocab

from ..chunking import windows
from ..chunking.candidates import BLANK, EDGE_SIGNS, FIXED, WORD, Sizes, Source, pool, windows_by_source
from ..chunking.granularity import INFERRED, MARKED, NAMED, Mention, Piece, Signal, Stated, plan
from ..chunking.mentions import apart
from ..spans import ENTITIES, PROPOSITIONS, TRIGGERS, read_places, sentences, split_by
from .marks import marked_entities

# Words and signs that link the members of a list.
_LINKS = (",", ";", "and", "or", "nor", "plus", "/", "&", "+")
_LONGEST_LINK = 3
# The rule that takes any noun phrase for a mention.
_INFERS = "noun_phrase"


class Maker(NamedTuple):
    """What made a candidate.

    source (str): The source.
    priority (float): Of the proposition that it is or holds; else 0.
    proposition, relation (str | None): Span id of that proposition, and what it states.
    wanted (float): For the ranking "adaptive": planned pieces come in falling order of it; 0 for plain windows.
    chance (float | None): Estimate that a planned piece holds a pair that an annotator would relate.
    reason (str): Why this granularity; "{trigger}" stands for the text at `trigger`.
    trigger (Window | None): Token bounds of the trigger that the reason names.
    """

    source: str
    priority: float = 0.0
    proposition: str | None = None
    relation: str | None = None
    wanted: float = 0.0
    chance: float | None = None
    reason: str = ""
    trigger: windows.Window | None = None


class Pool(NamedTuple):
    """Candidates of one sentence.

    windows (dict[Window, int]): Token bounds, each with the number of its maker.
    rest (str): Reason of the candidates whose maker has none.
    """

    windows: dict[windows.Window, int]
    rest: str = ""


class _Proposition(NamedTuple):
    start: int
    end: int
    key: str
    facts: dict[str, Any]
    relation: str


class CandidatePools:
    """Makes the pool of every sentence of a Doc.

    vocab (Vocab): Of the pipeline.
    sources (Sequence[Source]): What makes candidates.
    sizes (Sizes): Sizes of windows.
    """

    def __init__(self, vocab: Vocab, *, sources: Sequence[Source], sizes: Sizes) -> None:
        self.sources, self.sizes = sources, sizes
        # Arms of fixed windows or whole sentences alone are the text as BioMedRAG cuts it.
        self._trims = not {"fixed", "fixed_strict", "sentence"}.issuperset(sources)
        self._edge_signs = {vocab.strings.add(sign): at for at, signs in EDGE_SIGNS.items() for sign in signs}
        self._links = {vocab.strings.add(link) for link in _LINKS}
        plans = "pair" in sources
        # Span groups that must be on a Doc.
        self.needs_triggers = plans or "trigger" in sources
        self.needs_propositions = plans or "proposition" in sources

    def __call__(self, doc: Doc, target: str | None = None) -> tuple[list[Pool], list[Maker]]:
        """The pool of each sentence, empty only where it is white space, and the makers. Writes nothing.

        doc (Doc): With the span groups that are needed.
        target (str | None): The relation that chunks are sought for, where there is one.
        """
        sources = self.sources
        array = doc.to_array([SPACY, IS_SPACE, LOWER])
        lowers = array[:, 2].tolist()
        blank = array[:, 1].tolist() if array[:, 1].any() else None
        units = sentences(doc)
        makers = [Maker(source) for source in sources]
        entities = _ranges(doc, ENTITIES)
        triggers = _ranges(doc, TRIGGERS) if self.needs_triggers else []
        # Losers count for plans only.
        propositions = _propositions(doc, all_of_them="pair" in sources) if self.needs_propositions else []
        numbered: list[tuple[int, int, int]] = []
        if "proposition" in sources:
            kept = [p for p in propositions if p.facts.get("kept", True)]
            kept.sort(key=lambda p: -p.facts.get("priority", 0.0))
            numbered = [(p.start, p.end, len(makers) + i) for i, p in enumerate(kept)]
            makers += [Maker("proposition", **_stated_by(p)) for p in kept]
        words: list[windows.Window] = []
        if not FIXED.keys().isdisjoint(sources):
            ends = (np.flatnonzero(array[:, 0]) + 1).tolist()
            # A text may end in a space, and a sentence where no space is.
            ends = sorted({*ends, *(end for _, end in units)})
            words = windows.space_words(ends, _space_runs(doc, blank))
        edges = self._edges(lowers, blank, entities)
        parts = [(units[0], entities, triggers, numbered, words)] if units else []
        if len(units) > 1:
            split = [split_by(units, items) for items in (entities, triggers, numbered, words)]
            parts = list(zip(units, *split, strict=True))
        all_borders = [windows.Borders(own, *unit) for unit, own, *_ in parts]
        plans: list[tuple[list[Piece], str]] = [([], "")] * len(parts)
        if "pair" in sources:
            plans = self._plans(doc, units, all_borders, triggers, propositions, lowers, target)
        pools = []
        for (_, _, own_triggers, own_propositions, own_words), borders, (pieces, rest) in zip(
            parts, all_borders, plans, strict=True
        ):
            first = len(makers)
            makers += [_planned(piece, len(pieces) - i, propositions) for i, piece in enumerate(pieces)]
            made = windows_by_source(
                sources,
                borders,
                triggers=own_triggers,
                found=[*((*piece.window, first + i) for i, piece in enumerate(pieces)), *own_propositions],
                words=own_words,
                sizes=self.sizes,
            )
            pools.append(Pool(pool(made, edges, self.sizes.min_tokens), rest))
        return pools, makers

    def _edges(
        self, lowers: Sequence[int], blank: Sequence[int] | None, entities: Iterable[windows.Window]
    ) -> Sequence[int]:
        """What each token may be at the edge of a window; see `pool`."""
        edges = [WORD] * len(lowers)
        if self._trims:
            signs = self._edge_signs
            edges = [signs.get(lower, WORD) for lower in lowers]
            for start, end in entities:
                # A sign inside a name is part of it.
                edges[start:end] = [WORD] * (end - start)
        if blank is not None:
            edges = [BLANK if flag else edge for flag, edge in zip(blank, edges, strict=True)]
        return edges

    def _plans(
        self,
        doc: Doc,
        units: Sequence[windows.Window],
        borders: Sequence[windows.Borders],
        triggers: Sequence[windows.Window],
        propositions: Sequence[_Proposition],
        lowers: Sequence[int],
        target: str | None,
    ) -> list[tuple[list[Piece], str]]:
        """Planned pieces of each sentence; the number of a proposition is its index."""
        offsets = doc.to_array(IDX).tolist()
        mentions = _mentions(doc, lowers)
        signals = _signals(doc, target)
        # An argument begins where its entity does, though it may end later ("aspirin therapy").
        places = {offsets[start]: (start, end) for start, end, *_ in mentions}
        places.update((offsets[bounds[0]], bounds) for bounds in triggers)
        nowhere = (-1, -1)
        stated = []
        for i, (start, end, _, facts, relation) in enumerate(propositions):
            if target is None or relation == target:
                subject = places.get(facts["subject"][0], nowhere)[0]
                other = places.get(facts["object"][0], nowhere)[0]
                pair = (subject, other) if subject < other else (other, subject)
                trigger = places.get(facts["trigger"][0], nowhere)
                kept, priority = facts.get("kept", True), facts.get("priority", 0.0)
                stated.append(Stated(start, end, pair, trigger, kept, priority, i))
        parts = [(mentions, signals, stated)]
        if len(units) > 1:
            split = [split_by(units, items) for items in (mentions, signals, stated)]
            parts = list(zip(*split, strict=True))
        return [
            plan(own, *part, self._listed(part[0], lowers), whole=self.sizes.max_tokens, reach=self.sizes.window)
            for own, part in zip(borders, parts, strict=True)
        ]

    def _listed(self, mentions: Sequence[Mention], lowers: Sequence[int]) -> list[bool]:
        """For each mention but the last, whether only words and signs of a list link it to the next."""
        links = self._links
        return [
            0 < b.start - a.end <= _LONGEST_LINK and links.issuperset(lowers[a.end : b.start])
            for a, b in pairwise(mentions)
        ]


def _ranges(doc: Doc, group: str) -> list[windows.Window]:
    return [(start, end) for start, end, _, _ in read_places(doc, group)]


def _mentions(doc: Doc, lowers: Sequence[int]) -> list[Mention]:
    places = read_places(doc, ENTITIES)
    attrs = doc.spans[ENTITIES].attrs if places else {}
    entities = [((start, end), attrs.get(key, {})) for start, end, key, _ in places]
    marked = marked_entities(doc, entities)
    rules = {place: facts.get("rule") for place, facts in entities}
    mentions = []
    for start, end in apart(sorted(rules)):
        kind = MARKED if (start, end) in marked else INFERRED if rules[start, end] == _INFERS else NAMED
        mentions.append(Mention(start, end, tuple(lowers[start:end]), kind))
    return mentions


def _signals(doc: Doc, target: str | None) -> list[Signal]:
    """Triggers under their strongest reading; where a relation is sought, those that can signal it, under that one."""
    attrs = doc.spans[TRIGGERS].attrs
    signals = []
    for start, end, key, _ in read_places(doc, TRIGGERS):
        for reading in attrs[key]["readings"]:
            if target is None or reading["relation"] == target:
                signals.append(Signal(start, end, reading["tier"], reading["directed"]))
                break
    return signals


def _propositions(doc: Doc, *, all_of_them: bool) -> list[_Proposition]:
    attrs = doc.spans[PROPOSITIONS].attrs
    return [
        _Proposition(start, end, key, facts, label)
        for (start, end, _, label), (key, facts) in zip(read_places(doc, PROPOSITIONS), attrs.items(), strict=True)
        if all_of_them or facts.get("kept", True)
    ]


def _stated_by(proposition: _Proposition) -> dict[str, Any]:
    return {
        "priority": proposition.facts.get("priority", 0.0),
        "proposition": proposition.key,
        "relation": proposition.relation,
    }


def _planned(piece: Piece, wanted: int, propositions: Sequence[_Proposition]) -> Maker:
    stated = _stated_by(propositions[piece.stated]) if piece.stated >= 0 else {}
    return Maker(piece.source, wanted=wanted, chance=piece.chance, reason=piece.reason, trigger=piece.trigger, **stated)


def _space_runs(doc: Doc, blank: Sequence[int] | None) -> Sequence[int] | None:
    """For each token whether it consists of U+0020 only; white space of other kinds is part of BioMedRAG's words."""
    if blank is None:
        return None
    return [int(flag and not doc[i].text.strip(" ")) for i, flag in enumerate(blank)]

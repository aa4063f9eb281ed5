"""What the facts of a trigger say to the patterns of propositions, worked out once for each written form."""

from collections.abc import Sequence
from typing import NamedTuple

from ..spans import Facts

# Patterns that a cue may take part in, by part of speech, where the dataset file does not say.
_PATTERNS_BY_POS = {
    "verb": frozenset({"infix"}),
    "noun": frozenset({"infix", "prefix", "postfix"}),
    "preposition": frozenset({"infix"}),
    "phrase": frozenset({"infix", "postfix"}),
    "adjective": frozenset({"infix", "postfix"}),
}
# Written forms that are remembered.
_MOST_FORMS = 10_000


class Frame(NamedTuple):
    """How a trigger's arguments are sought: part of speech, patterns, and the roles of what is found."""

    pos: str
    allowed: frozenset[str]
    directed: bool
    invert: bool


class Form(NamedTuple):
    """A trigger's facts as the patterns want them.

    facts (Facts): The facts.
    is_verb, is_noun (bool): Whether some reading is a verb, and whether the strongest one is a noun.
    frames (Sequence[Frame]): The different frames.
    readings (Sequence[tuple[str, int, int]]): Of each reading relation, tier and the number of its frame.
    """

    facts: Facts
    is_verb: bool
    is_noun: bool
    frames: Sequence[Frame]
    readings: Sequence[tuple[str, int, int]]


class Forms:
    """The forms met so far.

    patterns (Sequence[str]): Patterns that are used at all.
    """

    def __init__(self, patterns: Sequence[str]) -> None:
        self._all = frozenset(patterns)
        self._known: dict[int, Form] = {}

    def __call__(self, facts: Facts) -> Form:
        """The form of a trigger's facts; the tagger gives all its finds of one form the same facts."""
        # By identity, as facts cannot be hashed; the entry holds them, so that nothing else gets their place in memory.
        form = self._known.get(id(facts))
        if form is None:
            if len(self._known) >= _MOST_FORMS:
                # Docs from a file have facts of their own.
                self._known.clear()
            form = self._known[id(facts)] = self._read(facts)
        return form

    def _read(self, facts: Facts) -> Form:
        frames: dict[Frame, int] = {}
        readings = []
        for reading in facts["readings"]:
            pos, directed = reading["pos"], reading["directed"]
            allowed = _PATTERNS_BY_POS[pos]
            if reading["patterns"] is not None:
                allowed = frozenset(reading["patterns"])
            elif not directed and pos != "preposition":
                allowed = self._all
            frame = Frame(pos, allowed & self._all, directed, reading["invert"])
            readings.append((reading["relation"], reading["tier"], frames.setdefault(frame, len(frames))))
        return Form(
            facts=facts,
            is_verb=any(frame.pos == "verb" for frame in frames),
            is_noun=facts["readings"][0]["pos"] == "noun",
            frames=list(frames),
            readings=readings,
        )

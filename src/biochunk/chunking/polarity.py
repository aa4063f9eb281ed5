"""Negation and uncertainty of a proposition, by the scope of cues (paper §3.8).

`find_cues` works once a sentence and fixes how far each cue acts; `polarity_of` then answers for each
proposition with a few comparisons. How far a cue acts is worked out in `biochunk.chunking.scopes`.
"""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from .cues import Bounds, Match, PolarityName, Role, count_cues, has_cue
from .scopes import Reach, Sentence, argument_reach, post_reach, pre_reach, pseudo_reach, skip_blank

WINDOW = 15

# Verbs and adjectives that hold a negation: under an explicit one they make a double negation.
_IMPLICIT = frozenset(
    [
        "fail",
        "fails",
        "failed",
        "failing",
        "failure",
        "unable",
        "inability",
        "incapable",
        "insufficient",
        "unlikely",
    ]
)
# Inflected ones are the verb of a clause of their own.
_CLAUSE_VERBS = frozenset(["fails", "failed"])
_EXPLICIT = frozenset(["not", "n't", "no", "never", "neither", "nor", "none", "nothing"])

# A cue that counts, and its words in lower case.
_Acting = tuple[tuple[int, int, Role], list[str]]


class Cue(NamedTuple):
    """A cue with its reach; token indices are those of the Doc.

    start (int): First token of the cue.
    end (int): Token after the last.
    polarity (PolarityName): "negation" or "hedge".
    kind (str): "pre", "argument", "post" or "pseudo".
    left (int): First token on which the cue acts.
    right (int): Token after the last on which the cue acts.
    back (int): For "pre": the earliest start of a trigger before the cue whose later argument the cue acts
        on.
    core (int): The word of the cue that carries its meaning ("not" of "does not").
    implicit (bool): True for "fail to", "unable to" and the like, which cancel an explicit negation.
    """

    start: int
    end: int
    polarity: PolarityName
    kind: str
    left: int
    right: int
    back: int
    core: int
    implicit: bool


class Polarity(NamedTuple):
    """What the cues make of one proposition.

    negated (bool): The text denies it.
    uncertain (bool): The text only considers it.
    cues (tuple[Bounds, ...]): Token bounds of the acting cues that the proposition's span takes in.
    """

    negated: bool
    uncertain: bool
    cues: tuple[Bounds, ...]


AFFIRMED = Polarity(False, False, ())


def polarity_of(
    cues: Sequence[Cue],
    trigger: Bounds,
    subject: Bounds | None = None,
    object: Bounds | None = None,
    *,
    margin: int = 3,
) -> Polarity:
    """Polarity of a proposition (paper §3.8).

    - A pre cue acts when the trigger stands in its scope, or when an argument does while the trigger stands
      before the cue ("caused no rash").
    - An argument cue acts when what it hits is the trigger or one of the proposition's own arguments.
    - A post cue acts when the trigger stands in its scope, or an argument does and the trigger before it.
    - A trigger that begins inside a cue is acted on by it. Of a pseudo cue of negation this holds for its
      head noun: in "no increase in mortality" there is no increase, though nothing is said against mortality
      or another trigger.
    - A cue that is part of the trigger ("did not improve", "fail to") is part of what the relation means: no
      negation of it.
    - "fail to" and the like under an explicit negation make a double negation: not negated.
    - The proposition's minimal span grows by at most `margin` tokens on each side to take in a cue; a cue
      further off sets its flag without being taken in.

    cues (Sequence[Cue]): The sentence's cues from `find_cues`.
    trigger (Bounds): Token bounds of the trigger.
    subject (Bounds | None): Token bounds of the subject, if there is one.
    object (Bounds | None): Token bounds of the object, if there is one.
    margin (int): How many tokens the span may grow on each side.
    RETURNS (Polarity): Flags, and the cues to take into the span.
    """
    if not cues:
        return AFFIRMED
    arguments = [span for span in (subject, object) if span is not None]
    acting = [cue for cue in cues if _acts(cue, trigger, arguments)]
    if not acting:
        return AFFIRMED
    low = min(trigger[0], *(span[0] for span in arguments)) if arguments else trigger[0]
    high = max(trigger[1], *(span[1] for span in arguments)) if arguments else trigger[1]
    implicit = explicit = uncertain = False
    taken: dict[Bounds, None] = {}
    for cue in acting:
        if cue.polarity == "hedge":
            uncertain = True
        elif cue.implicit:
            implicit = True
        else:
            explicit = True
        if low - margin <= cue.start and cue.end <= high + margin:
            taken[cue.start, cue.end] = None
    return Polarity(explicit != implicit, uncertain, tuple(taken))


def _acts(cue: Cue, trigger: Bounds, arguments: Sequence[Bounds]) -> bool:
    start, end, polarity, kind, left, right, back, core, _ = cue
    if trigger[0] <= core < trigger[1]:
        return False
    if kind == "pseudo":
        return polarity == "negation" and trigger[0] < right and left < trigger[1]
    if start <= trigger[0] < end:
        return True
    if kind == "pre":
        if left <= trigger[0] < right:
            return True
        return back <= trigger[0] and trigger[1] <= start and any(left <= span[0] < right for span in arguments)
    if kind == "argument":
        return any(span[0] < right and left < span[1] for span in (trigger, *arguments))
    return trigger[0] < start and any(left <= span[0] < right for span in (trigger, *arguments))


def find_cues(
    matches: Iterable[Match],
    words: Sequence[str],
    *,
    offset: int = 0,
    entities: Sequence[Bounds] = (),
    triggers: Sequence[Bounds] = (),
    window: int = WINDOW,
) -> tuple[Cue, ...]:
    """The cues of one sentence and the tokens on which each acts.

    - Which matched phrases are cues: see `biochunk.chunking.cues.count_cues`.
    - The scope of a pre cue runs forward, at most `window` tokens, up to a termination ("but"), the bracket
      that closes around the cue, or a new clause. Commas of a list do not end it.
    - A verbal cue ("did not", "may", "failed to") ends before the next finite auxiliary or relative pronoun,
      before "after", "during" and the like, and before an inflected trigger that follows its own verb ("did
      not prevent apoptosis induced by TNF"), unless "or", "nor" or a comma joins the two.
    - An argument cue ("without") hits the next trigger, or the next entity and those that a list joins to it.
    - The scope of a post cue runs back likewise, to the subject of its clause.
    - "not lacking", "not without": both cues cancel. "Not" right before an entity is an argument cue.

    matches (Iterable[Match]): Phrases of `load_cues` found in the sentence: token bounds in the Doc, roles.
    words (Sequence[str]): The sentence's tokens as they are written.
    offset (int): Index in the Doc of the sentence's first token.
    entities (Sequence[Bounds]): Token bounds in the Doc of all the sentence's entities.
    triggers (Sequence[Bounds]): Token bounds in the Doc of all the sentence's triggers.
    window (int): How many tokens a scope may reach.
    RETURNS (tuple[Cue, ...]): The cues in text order.
    """
    matches = list(matches)
    if not has_cue(matches):
        return ()
    entity_ends: dict[int, int] = {}
    for start, end in entities:
        entity_ends[start - offset] = max(end - offset, entity_ends.get(start - offset, 0))
    trigger_ends = {start - offset: end - offset for start, end in triggers}
    found = count_cues(matches, words, offset, sorted(entity_ends.items()))
    sentence = Sentence(words, entity_ends, trigger_ends, window)
    lows = [[word.lower() for word in words[start:end]] for start, end, _ in found.acting]
    acting = list(zip(found.acting, lows, strict=True))
    if len(acting) > 1:
        acting = _without_double(acting, words)
    clauses = [start for (start, _, _), low in acting if not _CLAUSE_VERBS.isdisjoint(low)]
    cues = []
    for (start, end, role), low in acting:
        if role.kind == "pre" and low == ["not"] and skip_blank(words, end) in entity_ends:
            # "Not aspirin but warfarin inhibited COX-1": no verb is denied, a participant is.
            role = Role(role.polarity, "argument")
        left, right, back = _reach(sentence, start, end, role, found.stops[role.polarity], clauses)
        core = next((i for i, word in enumerate(low) if word in _EXPLICIT), -1)
        implicit = role.kind == "pre" and core < 0 and not _IMPLICIT.isdisjoint(low)
        if core < 0:
            core = next((i for i, word in enumerate(low) if word in _IMPLICIT), 0)
        reach = (left + offset, right + offset, back + offset, start + core + offset)
        cues.append(Cue(start + offset, end + offset, *role, *reach, implicit))
    return tuple(cues)


def _reach(
    sentence: Sentence, start: int, end: int, role: Role, stops: frozenset[int], clauses: Sequence[int]
) -> Reach:
    if role.kind == "pre":
        return pre_reach(sentence, start, end, stops, clauses)
    if role.kind == "argument":
        return argument_reach(sentence, end, stops)
    if role.kind == "post":
        return post_reach(sentence, start, stops)
    return pseudo_reach(sentence, start, end)


def _without_double(acting: list[_Acting], words: Sequence[str]) -> list[_Acting]:
    """Drop an explicit negation together with the argument cue right behind it ("not lacking")."""
    dropped: set[int] = set()
    for i, (((_, end, role), low), ((start, _, other), low_other)) in enumerate(pairwise(acting)):
        if (
            role == ("negation", "pre")
            and other == ("negation", "argument")
            and not _EXPLICIT.isdisjoint(low)
            and _EXPLICIT.isdisjoint(low_other)
            and not "".join(words[end:start]).strip()
        ):
            dropped.update((i, i + 1))
    return [item for i, item in enumerate(acting) if i not in dropped]

"""How far a cue of negation or hedging acts: scans over a sentence's words, entities and triggers.

Everything here works on token indices relative to the sentence. A scope is approximated from closed-class
words and the triggers' endings; no parser is needed.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

Reach = tuple[int, int, int]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_FINITE = _words("is are was were am has have had does did do may might can could will would shall should must")
_RELATIVE = _words("who whom whose which where that")
_SUBORDINATE = _words("who whom whose which where when because since if unless as")
_OPENERS = _SUBORDINATE | _words("although though while whereas")
# A verbal cue does not reach into these: "did not recur after treatment with metformin".
_ADJUNCT = (_SUBORDINATE - {"as"}) | _words("after before during following despite until than")
# What an argument cue hits stands before these; "of", "on" and "to" lead on ("lack of effect on COX-2").
_BARRIERS = _ADJUNCT | _words("in with by at from among through via that regarding concerning about")
_INTRODUCTORY = _ADJUNCT | _words("in at among with by on upon under within to for as")
_CHOICE = _words("or nor and/or")
_AND = _words("and & plus")
_CONJUNCTIONS = _CHOICE | _AND
_LIST = _CONJUNCTIONS | {","}
_DETERMINERS = _words("a an the any its their his her")
_NEW_SUBJECTS = _DETERMINERS | _words("this these those such both all most some")
_CLAUSE_STARTS = _LIST | _words("that whether ( : ;") | {""}
_OPEN, _CLOSE = _words("( ["), _words(") ]")
# No scope crosses these, should a sentence hold one ("The tumour did not recur. Cisplatin …").
_ENDS = _words(". ? !")
# A cue that ends in one of these acts on the verb that follows; in one of the others, on a whole clause.
_VERBAL_ENDS = _words("not n't never may might could to yet longer ,")
_CLAUSAL_ENDS = _words("that whether if")
_IRREGULAR_PAST = _words("led bound gave arose became made rose fell grew shown seen found")
_NOUN_ENDS = tuple(_words("ions ors ers ics els ments effects isms ists ants ies ss sis us ings"))
# How far from an argument cue an item may begin.
_NEAR = 8


class Sentence(NamedTuple):
    """What the scans read.

    words (Sequence[str]): The tokens as they are written; blank tokens may be among them.
    entities (Mapping[int, int]): First token of each entity to the token after its last.
    triggers (Mapping[int, int]): The same of triggers.
    window (int): How many tokens a scope may reach.
    """

    words: Sequence[str]
    entities: Mapping[int, int]
    triggers: Mapping[int, int]
    window: int


def pre_reach(sentence: Sentence, start: int, end: int, stops: Collection[int], clauses: Collection[int]) -> Reach:
    """Where a pre cue acts.

    stops (Collection[int]): Tokens of terminations.
    clauses (Collection[int]): First tokens of cues that are the verb of a clause of their own ("failed to").
    RETURNS (Reach): First token of the scope, token after its last, and the earliest start of a trigger
        before the cue whose later argument the cue may act on; the cue's own start when there is none.
    """
    words = sentence.words
    last = words[end - 1].lower()
    left = skip_blank(words, end)
    if last in _CLAUSAL_ENDS:
        return left, _forward(sentence, start, left, stops, (), verbal=False, inner=False), start
    verbal = last in _VERBAL_ENDS
    # "no" inside a clause ("showed no effect") reaches less far than at its head ("No drug inhibited").
    object_no = words[start].lower() == "no" and not (
        start - 1 in stops or _word_before(words, start) in _CLAUSE_STARTS
    )
    right = _forward(sentence, start, left, stops, clauses if verbal else (), verbal=verbal, inner=verbal or object_no)
    return left, right, _backward(sentence, start, stops, verbal)


def _forward(
    sentence: Sentence,
    start: int,
    left: int,
    stops: Collection[int],
    clauses: Collection[int],
    *,
    verbal: bool,
    inner: bool,
) -> int:
    """The token at which the scope of a pre cue is over.

    start (int): First token of the cue.
    left (int): First token of the scope.
    verbal (bool): Whether the cue acts on a verb.
    inner (bool): Whether the cue stands behind the subject of its clause, as every verbal cue does.
    """
    words, entities, triggers, window = sentence
    stop = min(left + window, len(words))
    depth = 0
    # In a relative clause ("drugs that do not inhibit COX-1 reduce pain") the clause's end is unmarked.
    relative = verbal and _word_before(words, start) in _RELATIVE
    # What has been passed: the verb that the cue acts on, an entity, a "between" that the next "and" belongs
    # to, a comma right behind a verb, and the place of a comma or "and" that may have begun a new clause.
    verb = noun = between = listed = False
    joint = verb_at = -1
    before, before_at = "", left
    i = left
    while i < stop:
        word = words[i].lower()
        step = 1
        if word in _OPEN:
            depth += 1
        elif word in _CLOSE:
            if not depth:
                return i
            depth -= 1
        elif not depth:
            if i in stops or word in _ENDS or (i > left and i in clauses):
                return i
            if word in _FINITE:
                if before in _AND:
                    return before_at
                if joint >= 0:
                    return joint
                if verbal or (inner and before not in _RELATIVE):
                    return i
                verb = True
            elif inner and word in _ADJUNCT and (verbal or verb):
                return i
            if i in triggers:
                joined = before in _CHOICE or (before == "," and listed) or (between and before in _AND)
                if not joined and (_inflected(word) or (relative and noun and before not in _AND)):
                    # Behind the cue's verb a participle is presupposed: "apoptosis induced by", "LPS-
                    # stimulated".
                    if (inner and (verb or (verbal and noun))) or (verb and before == "-"):
                        return i
                    if joint >= 0:
                        return joint
                verb, joint = True, -1
                step = max(triggers[i] - i, 1)
                verb_at = i + step - 1
            elif word == "," and i > left and _ends_subordinate(sentence, start, i):
                return i
            elif word == "," or (word in _AND and not between):
                listed = before_at == verb_at
                if verb or (inner and noun):
                    joint = i
            elif word == "between":
                between = True
            if i in entities:
                # In "is not aspirin-induced" the compound is what the cue acts on.
                noun = noun or i > left
                step = max(step, entities[i] - i)
        if word.strip() and not word.endswith("ly"):
            before_at = i + step - 1
            before = words[before_at].lower()
        i += step
    return stop


def _ends_subordinate(sentence: Sentence, start: int, comma: int) -> bool:
    """Whether a comma ends the subordinate clause that a cue stands in ("Since X did not differ, the …")."""
    words = sentence.words
    after = skip_blank(words, comma + 1)
    return (
        after < len(words)
        and words[after].lower() in _NEW_SUBJECTS
        and any(words[i].lower() in _OPENERS for i in range(max(start - sentence.window, 0), start))
    )


def _backward(sentence: Sentence, start: int, stops: Collection[int], verbal: bool) -> int:
    """The earliest token from which a trigger before a pre cue shares the cue's clause."""
    words, _, triggers, window = sentence
    limit = max(start - window, 0)
    # "X inhibited Y and did not affect Z": the verb of the cue is another.
    if verbal and _word_before(words, start) in _CONJUNCTIONS:
        return start
    depth = 0
    for i in range(start - 1, limit - 1, -1):
        word = words[i].lower()
        if word in _CLOSE:
            depth += 1
        elif word in _OPEN:
            if not depth:
                return i + 1
            depth -= 1
        elif not depth and (
            i in stops or word in _ENDS or word in _SUBORDINATE or (verbal and i in triggers and _inflected(word))
        ):
            return i + 1
    return limit


def argument_reach(sentence: Sentence, end: int, stops: Collection[int]) -> Reach:
    """What an argument cue hits: the next trigger, or the next entity and those that a list joins to it.

    RETURNS (Reach): Bounds of what is hit (empty when nothing is), and 0.
    """
    words, entities, triggers, window = sentence
    at = first = skip_blank(words, end)
    for i in range(first, min(first + window, first + _NEAR, len(words))):
        word = words[i].lower()
        if i in stops or word in _CLOSE or word in _ENDS:
            break
        if i in entities:
            return i, _list_end(sentence, entities[i]), 0
        # A verb that is further off is the sentence's own: "patients without symptoms received aspirin".
        if i > at and (word in _BARRIERS or word in _FINITE or word.endswith("ed")):
            break
        if i in triggers:
            if i > at and _inflected(word):
                break
            return i, triggers[i], 0
        if i == at and (word.endswith("ly") or word == "being"):
            at += 1
    return end, end, 0


def _list_end(sentence: Sentence, end: int) -> int:
    """The end of the list that an entity opens: "rash, fever or cough".

    A comma joins only where "or" or "and" follows later, so that in "without diabetes, metformin reduced …"
    nothing is joined. A trigger is an item only behind "or" ("without ulcers or bleeding"); behind "and" it
    is another predicate.
    """
    words, entities, triggers, _ = sentence
    i = end
    while True:
        i = skip_blank(words, i)
        join = ""
        while i < len(words) and words[i].lower() in _LIST:
            join = words[i].lower() if words[i] != "," or not join else join
            i = skip_blank(words, i + 1)
        while i < len(words) and words[i].lower() in _DETERMINERS:
            i = skip_blank(words, i + 1)
        if not join:
            return end
        if i in entities:
            i = max(entities[i], i + 1)
        elif i in triggers and join in _CHOICE and not _inflected(words[i].lower()):
            i = max(triggers[i], i + 1)
        else:
            return end
        if join != ",":
            end = i


def post_reach(sentence: Sentence, start: int, stops: Collection[int]) -> Reach:
    """Where a post cue acts: the subject of its clause. Behind "and" that subject cannot be told: nowhere.

    RETURNS (Reach): First token of the scope, the cue's start, and 0.
    """
    words, entities, triggers, window = sentence
    link = _word_before(words, start)
    if link in _CONJUNCTIONS:
        return start, start, 0
    if link in _RELATIVE:
        # "currents blocked by cocaine that are absent": what stands right before is meant, if it is known.
        ends = _last_word(words, _last_word(words, start)) + 1
        for first in range(max(ends - window, 0), ends):
            if entities.get(first) == ends or triggers.get(first) == ends:
                return first, start, 0
        return start, start, 0
    depth = 0
    joint = -1
    left = max(start - window, 0)
    for i in range(start - 1, left - 1, -1):
        word = words[i].lower()
        if word in _CLOSE:
            depth += 1
        elif word in _OPEN:
            if not depth:
                left = i + 1
                break
            depth -= 1
        elif not depth:
            if i in stops or word in _ENDS:
                left = i + 1
                break
            before = _word_before(words, i)
            if word in _FINITE and before not in _RELATIVE:
                return (i if joint < 0 else joint) + 1, start, 0
            verb = i in triggers and _inflected(word) and before not in _LIST and before not in ("", "-")
            if verb and joint >= 0:
                return joint + 1, start, 0
            if word in _AND or word == ",":
                joint = i
    left = skip_blank(words, left)
    if words[left].lower() in _INTRODUCTORY:
        # "In rats given aspirin, bleeding was absent": the opening phrase is no part of the subject.
        left = next((i + 1 for i in range(left, start) if words[i] == ","), left)
    return left, start, 0


def pseudo_reach(sentence: Sentence, start: int, end: int) -> Reach:
    """The head noun of a pseudo cue ("increase" of "no increase in"), which is all that it denies.

    RETURNS (Reach): Bounds of the head, and 0.
    """
    head = end - 1 if sentence.words[end - 1].lower() in ("in", "of", "between") else end
    return max(head - 1, start), head, 0


def skip_blank(words: Sequence[str], i: int) -> int:
    """The first token from `i` on that is not blank; the number of tokens when there is none."""
    while i < len(words) and not words[i].strip():
        i += 1
    return i


def _last_word(words: Sequence[str], i: int) -> int:
    """The last token before `i` that is not blank; -1 when there is none."""
    i -= 1
    while i >= 0 and not words[i].strip():
        i -= 1
    return i


def _word_before(words: Sequence[str], i: int) -> str:
    at = _last_word(words, i)
    return words[at].lower() if at >= 0 else ""


def _inflected(word: str) -> bool:
    """Whether a trigger's first word looks like a finite verb or a participle ("inhibits", "treated").

    A bare verb, a gerund or a noun is none ("inhibit", "inhibiting", "inhibitors").
    """
    return (
        word.endswith("ed")
        or word in _IRREGULAR_PAST
        or word in _FINITE
        or (word.endswith("s") and not word.endswith(_NOUN_ENDS))
    )

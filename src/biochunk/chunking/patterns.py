"""Subject-trigger-object patterns (paper §3.8): infix `E1 T E2`, prefix `T E1 … E2`, postfix `E1 … E2 T`.

Everything works on the tokens of one sentence: entities and triggers as index ranges, closed-class words as one letter
a token (`word_classes`). The nearest entities within a search distance are a trigger's arguments; English grammar of
voice, nominal frames and coordination decides which is the subject.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise, repeat
from typing import NamedTuple

from .windows import Window

# Word classes. Prepositions are told apart by the role that they give a noun's argument.
BY, WITH, OF, ON, AFTER, BETWEEN = "bwofar"
BE, ADVERB, NOT, AND, COMMA, HYPHEN, DETERMINER, PRONOUN, AS, WELL, LEAD, OTHER = "BRnc,-dpslg."
WORD_CLASSES: dict[str, Sequence[str]] = {
    BY: ("by",),
    WITH: ("with",),
    OF: ("of",),
    ON: ("on", "upon", "in", "to", "for", "toward", "towards", "against", "into", "within", "at", "among"),
    AFTER: ("via", "through", "using", "from", "after", "following"),
    BETWEEN: ("between",),
    BE: ("is", "are", "was", "were", "be", "been", "being", "am", "get", "gets", "got", "'s"),
    NOT: ("not", "n't", "never"),
    AND: ("and", "or", "nor", "&", "/", "plus", "but"),
    COMMA: (",",),
    HYPHEN: ("-", "‐", "‑", "–", "—"),
    DETERMINER: ("the", "a", "an", "its", "their", "his", "her", "this", "these", "both", "either", "neither"),
    PRONOUN: ("it", "they"),
    AS: ("as",),
    WELL: ("well",),
    # What a gerund may follow whose subject is that of the verb before.
    LEAD: ("without", "while", "when", "before", "thereby", "despite"),
    ADVERB: (
        "significantly", "markedly", "strongly", "greatly", "highly", "slightly", "moderately", "substantially",
        "dramatically", "effectively", "directly", "indirectly", "rapidly", "completely", "partially", "selectively",
        "specifically", "competitively", "irreversibly", "reversibly", "potently", "also", "further", "then",
        "only", "thereby", "potentially", "possibly", "probably", "commonly", "frequently", "often", "usually",
        "may", "might", "can", "could", "will", "would", "should", "has", "have", "had", "does", "do", "did",
    ),
}  # fmt: skip

_PASSIVE = re.compile(r"B[Rn]*$")
_SHARED_SUBJECT = re.compile(r"(?:c|,c|p)[RBn]*$")
_BY_GERUND = re.compile(r"[bag][Rn]*$")
_PREPOSITIONS = frozenset((BY, WITH, OF, ON, AFTER, BETWEEN))
_AGENT_PREPOSITIONS = frozenset((BY, WITH, AFTER))
_LINKS = frozenset((",", "c", ",c", "cn", ",cn", "sls", ",sls"))
# Tokens of the longest one, an article included.
_LONGEST_LINK = 4


class Cue(NamedTuple):
    """A trigger in a sentence, under one reading.

    start, end (int): Token range.
    pos (str): Part of speech of the cue.
    participle (bool): The written form can be a past participle.
    gerund (bool): The written form ends in -ing.
    patterns (frozenset[str]): Patterns that it may take part in.
    joint (bool): Both arguments may stand in one coordination ("use of aspirin and warfarin"), as in a relation without
        direction.
    """

    start: int
    end: int
    pos: str
    participle: bool
    gerund: bool
    patterns: frozenset[str]
    joint: bool


# Token ranges of the first and second argument (subject and object), the pattern, and whether a passive swapped them.
Match = tuple[Window, Window, str, bool]


def word_classes(lowers: Sequence[int], table: Mapping[int, str]) -> str:
    """One class letter a token. lowers: hash of each lower-case form; table: class of each closed-class word."""
    return "".join(map(table.get, lowers, repeat(OTHER)))


class Sentence:
    """What the patterns need to know of a sentence.

    start, end (int): Token bounds.
    entities (Sequence[Window]): Entities, sorted, not overlapping.
    classes (str): Word classes of the whole Doc, so that indices are the Doc's.
    verbs (Sequence[Window]): Verb triggers, sorted; they bound the reach of nominal ones.
    context (frozenset[int]): Indices of entities that a context marker makes a setting, which is no subject.
    search (int): Largest distance in tokens between a trigger and an argument.
    agents (frozenset[str]): Classes of the words that introduce the agent of a passive.
    coordinated (dict[int, range]): Indices of entities in a coordination, each with those of all its members.
    """

    __slots__ = (
        "agents", "classes", "context", "coordinated", "end", "ends", "entities", "search", "start", "starts", "verbs",
    )  # fmt: skip

    def __init__(
        self,
        start: int,
        end: int,
        entities: Sequence[Window],
        classes: str,
        *,
        verbs: Sequence[Window],
        context: frozenset[int],
        search: int,
        agents: frozenset[str],
    ) -> None:
        self.start, self.end, self.entities, self.classes = start, end, entities, classes
        self.verbs, self.context, self.search, self.agents = verbs, context, search, agents
        self.starts = [entity[0] for entity in entities]
        self.ends = [entity[1] for entity in entities]
        self.coordinated = coordinations(entities, classes)

    def left(self, border: int) -> int:
        """Index of the nearest entity that ends at or before `border` within the search distance, or -1."""
        i = bisect_right(self.ends, border) - 1
        return i if i >= 0 and border - self.ends[i] <= self.search else -1

    def right(self, border: int) -> int:
        """Index of the nearest entity that starts at or after `border` within the search distance, or -1."""
        i = bisect_left(self.starts, border)
        return i if i < len(self.starts) and self.starts[i] - border <= self.search else -1

    def subject(self, border: int) -> int:
        """Like `left`, but passes over entities that are only the setting while another one is in reach."""
        i = first = self.left(border)
        while i in self.context:
            i -= 1
        return i if i >= 0 and border - self.ends[i] <= self.search else first

    def chain(self, i: int, cue: Cue) -> Sequence[int]:
        """The coordination that entity i is part of, as far as it lies in reach of the cue."""
        chain = self.coordinated.get(i)
        if chain is None:
            return (i,)
        # Members on the same side of the cue as i, no further off than an argument may be.
        if self.starts[i] >= cue.end:
            first = max(chain.start, bisect_left(self.starts, cue.end))
            return range(first, min(chain.stop, bisect_right(self.starts, cue.end + self.search)))
        last = min(chain.stop, bisect_right(self.ends, cue.start))
        return range(max(chain.start, bisect_left(self.ends, cue.start - self.search)), last)

    def verb_between(self, start: int, end: int) -> bool:
        """Whether a verb trigger stands in the range."""
        i = bisect_left(self.verbs, (start, start))
        return i < len(self.verbs) and self.verbs[i][1] <= end


def coordinations(entities: Sequence[Window], classes: str) -> dict[int, range]:
    """Entities joined by commas and a conjunction ("A, B and C"), each index with the range of its group.

    Two members with a comma before the conjunction ("A, and B") are two clauses, not a coordination.
    """
    # What links each entity to the next one; "" where more than an article and a conjunction stand between.
    links = [
        _link(classes[start:end]) if end - start <= _LONGEST_LINK else "" for (_, start), (end, _) in pairwise(entities)
    ]
    groups: dict[int, range] = {}
    if not any(links):
        return groups
    i = 0
    while i < len(links):
        if not links[i]:
            i += 1
            continue
        first = last = i
        while i < len(links) and links[i]:
            i += 1
            if _joins(links[i - 1], alone=i - first == 1):
                last = i
        if last > first:
            group = range(first, last + 1)
            groups.update(dict.fromkeys(group, group))
    return groups


@cache
def _link(gap: str) -> str:
    """A gap between two entities without its articles, where only a link of a coordination is left of it; else ""."""
    link = gap.replace(DETERMINER, "").replace("cc", "c")
    return link if link in _LINKS else ""


def _joins(link: str, *, alone: bool) -> bool:
    """Whether a link ends a coordination; alone: whether it is the group's only one ("A, and B" is two clauses)."""
    return NOT in link or WELL in link or (AND in link and (not alone or link == AND))


def match(sentence: Sentence, cue: Cue) -> list[Match]:
    """All propositions of one cue in its sentence."""
    find = _verb if cue.pos == "verb" else _noun if cue.pos == "noun" else _other
    arguments = list(find(sentence, cue))
    if cue.joint and sentence.coordinated:
        arguments += _joint(sentence, cue)
    entities, allowed = sentence.entities, cue.patterns
    found: list[Match] = []
    seen: set[tuple[int, int]] = set()
    for heads, tails, pattern, passive in arguments:
        if pattern not in allowed:
            continue
        for head in heads:
            for tail in tails:
                if head == tail:
                    continue
                if cue.joint:
                    # Such a pair has no direction, and both ways of finding it may meet it.
                    pair = (head, tail) if head < tail else (tail, head)
                    if pair in seen:
                        continue
                    seen.add(pair)
                found.append((entities[head], entities[tail], pattern, passive))
    return found


Arguments = tuple[Sequence[int], Sequence[int], str, bool]


def _joint(sentence: Sentence, cue: Cue) -> Iterator[Arguments]:
    """The members of the nearest coordination on either side: the first of them with each other one."""
    for i, pattern in ((sentence.right(cue.end), "prefix"), (sentence.left(cue.start), "postfix")):
        if i in sentence.coordinated and len(members := sentence.chain(i, cue)) > 1:
            yield members[:1], members[1:], pattern, False


def _verb(sentence: Sentence, cue: Cue) -> Iterator[Arguments]:
    classes = sentence.classes
    before = classes[max(sentence.start, cue.start - 5) : cue.start]
    left = sentence.subject(cue.start)
    right = sentence.right(cue.end)
    if cue.participle and not before.endswith(HYPHEN):
        agent = _agent(sentence, cue, right)
        if agent >= 0:
            # "COX-2 was inhibited by aspirin", "COX-2 inhibited by aspirin"
            right = sentence.right(agent + 1)
            if left >= 0 and right >= 0:
                yield sentence.chain(right, cue), sentence.chain(left, cue), "infix", True
            return
        if _PASSIVE.search(before):
            return  # no agent: the subject is not said
    if right < 0:
        return
    if (cue.gerund and _BY_GERUND.search(before)) or _SHARED_SUBJECT.search(before):
        # "reduces pain by inhibiting COX-2", "reduces pain and inhibits COX-2": the subject of the verb before
        i = bisect_left(sentence.verbs, (cue.start, cue.start)) - 1
        if i >= 0:
            shared = sentence.subject(sentence.verbs[i][0])
            left = shared if shared >= 0 else left
    if left >= 0:
        yield sentence.chain(left, cue), sentence.chain(right, cue), "infix", False


def _agent(sentence: Sentence, cue: Cue, right: int) -> int:
    """Index of the word that introduces the agent of a passive, or -1: before the next entity, "with" at once."""
    stop = min(sentence.starts[right] if right >= 0 else sentence.end, cue.end + 6)
    for i in range(cue.end, stop):
        kind = sentence.classes[i]
        if kind in sentence.agents and (kind != WITH or i == cue.end):
            return i
    # An adjunct may stand between: "was inhibited in vitro by aspirin", "was inhibited in rats by aspirin".
    if right >= 0 and sentence.ends[right] < sentence.end and sentence.ends[right] - cue.end <= 6:
        i = sentence.ends[right]
        if sentence.classes[i] == BY and BY in sentence.agents and not sentence.verb_between(cue.end, i):
            return i
    return -1


def _noun(sentence: Sentence, cue: Cue) -> Iterator[Arguments]:
    classes = sentence.classes
    if classes[cue.end - 1] in _PREPOSITIONS:
        first, begin = classes[cue.end - 1], cue.end
    elif cue.end < sentence.end and classes[cue.end] in _PREPOSITIONS:
        first, begin = classes[cue.end], cue.end + 1
    else:
        yield from _bare_noun(sentence, cue)
        return
    left = sentence.left(cue.start)
    right = sentence.right(begin)
    if right < 0 or sentence.verb_between(begin, sentence.starts[right]):
        return
    ones = sentence.chain(right, cue)
    if first == BETWEEN:
        if len(ones) > 1:
            yield ones[:1], ones[1:], "prefix", False
        return
    compound = left >= 0 and sentence.ends[left] == cue.start
    # "treatment of diabetes with metformin": a second argument behind the first one's preposition
    second = ones[-1] + 1
    if not compound and second < len(sentence.starts) and sentence.starts[second] - cue.end <= sentence.search:
        gap = classes[sentence.ends[ones[-1]] : sentence.starts[second]]
        link = next((kind for kind in gap if kind in _PREPOSITIONS), None)
        if link is not None and not sentence.verb_between(sentence.ends[ones[-1]], sentence.starts[second]):
            twos = sentence.chain(second, cue)
            if link in _AGENT_PREPOSITIONS and first not in (BY, WITH):
                yield twos, ones, "prefix", False
                return
            yield ones, twos, "prefix", False
    if left < 0:
        return
    lefts = sentence.chain(left, cue)
    if first == BY:
        if sentence.ends[left] + 1 >= cue.start:
            yield ones, lefts, "infix", True  # "COX-2 inhibition by aspirin"
    else:
        yield lefts, ones, "infix", False


def _bare_noun(sentence: Sentence, cue: Cue) -> Iterator[Arguments]:
    """A noun that no preposition follows: "aspirin-COX-2 interaction", "metformin treatment … in patients"."""
    classes = sentence.classes
    left = sentence.left(cue.start)
    if left < 0:
        return
    adjacent = cue.start - sentence.ends[left] <= 1
    if adjacent and left > 0:
        ones = sentence.chain(left, cue)
        first = ones[0] if len(ones) > 1 else left - 1
        gap = classes[sentence.ends[first] : sentence.starts[left]]
        if cue.start - sentence.ends[first] <= sentence.search and (len(ones) > 1 or len(gap) <= 3):
            yield [first], [j for j in ones if j != first], "postfix", False
    right = sentence.right(cue.end)
    if right < 0:
        return
    if not sentence.verb_between(cue.end, sentence.starts[right]):
        yield sentence.chain(left, cue), sentence.chain(right, cue), "infix", False
        return
    if adjacent:
        # The verb has its own object; the noun's is behind a preposition: "metformin treatment reduces … in patients".
        for i in range(right, len(sentence.starts)):
            start = sentence.starts[i]
            if start - cue.end > sentence.search:
                return
            lead = classes[max(start - 2, cue.end) : start].replace(DETERMINER, "")
            if lead.endswith((ON, OF)) and lead[-1:] in (ON, OF):
                yield sentence.chain(left, cue), sentence.chain(i, cue), "infix", False
                return


def _other(sentence: Sentence, cue: Cue) -> Iterator[Arguments]:
    """Prepositions, phrases, adjectives: the nearest entity on each side, or the two before."""
    left = sentence.left(cue.start)
    if left < 0:
        return
    right = sentence.right(cue.end)
    if cue.pos == "preposition":
        # A preposition joins only what it stands between.
        if right >= 0 and cue.start - sentence.ends[left] <= 1 and sentence.starts[right] - cue.end <= 2:
            yield sentence.chain(left, cue), sentence.chain(right, cue), "infix", False
        return
    if right >= 0:
        yield sentence.chain(left, cue), sentence.chain(right, cue), "infix", False
    elif left > 0 and cue.start - sentence.ends[left - 1] <= sentence.search:
        yield [left - 1], [left], "postfix", False

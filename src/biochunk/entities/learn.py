"""Which words belong to a mention, learned from annotated sentences: counts, turned into the lists of a dataset file.

What belongs to a mention is a convention of each corpus. In every noun phrase with a gold mention the words before and
after it were cut by the annotators, and its first and last word were not; a word that is cut most of the time is cut,
one that is cut sometimes is optional. Few words are seen often, so that endings ("-al") judge the rest.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from ..chunking.edges import CUT, KEEP, OPTIONAL, Edge
from ..chunking.noun_phrases import FUNCTION, JOINED, JOINER, LINK, STARTER, VERB
from ..chunking.word_codes import WordCodes
from ..pipeline.entity_rules import EntityRules
from ..schemas import EdgeClass, EdgeWords, EntityKnowledge
from .sentences import Annotated, Phrase, phrases

_NAMES: dict[str, EdgeClass] = {KEEP: "keep", OPTIONAL: "optional", CUT: "cut"}
_ENDING = 3
# An ending of fewer words says nothing about others.
_DISTINCT = 3

MakeRules = Callable[[EntityKnowledge], EntityRules]


class Thresholds(NamedTuple):
    """What makes a word cut or optional.

    cut, optional (float): Smallest share of phrases in which a word at the edge is no part of the mention.
    alone (float): A word is no mention by itself where fewer of its spans are one.
    join (float): Smallest share of its places at which a verb form is part of a mention.
    hyphen_join (float): The same of words behind a hyphen, counting only places beside or in a mention.
    fewest (int): Fewest phrases that judge a word.
    fewest_endings (int): Fewest phrases that judge an ending.
    """

    cut: float = 0.85
    optional: float = 0.35
    alone: float = 0.05
    join: float = 0.15
    hyphen_join: float = 0.5
    fewest: int = 2
    fewest_endings: int = 8


class EdgeCounts:
    """How often a word at one edge was no part of the mention, and how often it was its outermost word."""

    def __init__(self) -> None:
        self.cut: Counter[str] = Counter()
        self.kept: Counter[str] = Counter()

    def total(self, word: str) -> int:
        return self.cut[word] + self.kept[word]


def count_edges(found: Iterable[Phrase]) -> tuple[EdgeCounts, EdgeCounts]:
    """Counts at the front and at the end of phrases that hold a gold mention and more."""
    before, after = EdgeCounts(), EdgeCounts()
    for phrase in found:
        first, last = phrase.starts[0], phrase.ends[-1]
        for start, end in phrase.gold:
            for word_start, word_end, head in zip(phrase.starts, phrase.ends, phrase.heads, strict=True):
                if word_start < start:
                    before.cut[head] += 1
                elif word_start == start and word_end < last:
                    before.kept[head] += 1
                if word_start >= end:
                    after.cut[head] += 1
                elif word_end == end and word_start > first:
                    after.kept[head] += 1
    return before, after


def learn_edge(counts: EdgeCounts, standing: Edge, limits: Thresholds) -> EdgeWords:
    """The lists of one edge.

    counts (EdgeCounts): What was seen.
    standing (Edge): What is done without these lists; words with which they agree are left out.
    limits (Thresholds): When a word is listed.
    """
    cut, total = sum(counts.cut.values()), sum(counts.cut.values()) + sum(counts.kept.values())
    prior = cut / total if total else 0.0
    # What was never seen is not thrown away.
    default = KEEP if _kind(prior, limits) == KEEP else OPTIONAL
    endings_cut, endings, distinct = Counter[str](), Counter[str](), Counter[str]()
    for word in counts.cut | counts.kept:
        if len(word) > _ENDING + 1:
            endings_cut[word[-_ENDING:]] += counts.cut[word]
            endings[word[-_ENDING:]] += counts.total(word)
            distinct[word[-_ENDING:]] += 1
    lists: dict[str, list[str]] = {KEEP: [], OPTIONAL: [], CUT: []}
    by_ending: dict[str, str] = {}
    shares: dict[str, float] = {}
    for ending, n in endings.items():
        shares[ending] = (endings_cut[ending] + 3 * prior) / (n + 3)
        kind = _kind(shares[ending], limits)
        if n >= limits.fewest_endings and distinct[ending] >= _DISTINCT and kind != default:
            by_ending[ending] = kind
            lists[kind].append(f"-{ending}")
    known = standing.with_endings(by_ending, default)
    for word in counts.cut | counts.kept:
        n = counts.total(word)
        if n < limits.fewest or not any(map(str.isalnum, word)):
            continue
        expected = shares.get(word[-_ENDING:], prior) if len(word) > _ENDING + 1 else prior
        kind = _kind((counts.cut[word] + 2 * expected) / (n + 2), limits)
        if kind != known(word):
            lists[kind].append(word)
    return EdgeWords(
        cut=sorted(lists[CUT]), optional=sorted(lists[OPTIONAL]), keep=sorted(lists[KEEP]), default=_NAMES[default]
    )


def _kind(share: float, limits: Thresholds) -> str:
    return CUT if share >= limits.cut else OPTIONAL if share >= limits.optional else KEEP


def count_alone(sentences: Iterable[Annotated], rules: EntityRules) -> tuple[Counter[str], Counter[str]]:
    """How often each word is a span by itself, and how often that span is a gold mention."""
    seen, gold = Counter[str](), Counter[str]()
    for sentence in sentences:
        mentions = set(sentence.gold)
        for start, end, *_ in rules.find(sentence.doc):
            if end - start == 1:
                seen[sentence.words[start]] += 1
                gold[sentence.words[start]] += (start, end) in mentions
    return seen, gold


def learn_alone(
    seen: Counter[str], gold: Counter[str], standing: WordCodes, limits: Thresholds
) -> tuple[list[str], list[str]]:
    """Words and endings that are no mention by themselves, and words that are one though a list says not.

    seen, gold (Counter[str]): How often each word is a span by itself, and a gold mention.
    standing (WordCodes): What is known without these lists.
    RETURNS (tuple[list[str], list[str]]): Never alone, and alone.
    """
    prior = sum(gold.values()) / max(sum(seen.values()), 1)
    # A name that the annotators passed over is a name all the same.
    words = [word for word in seen if not standing.is_name(word)]
    endings_seen, endings_gold, distinct = Counter[str](), Counter[str](), Counter[str]()
    for word in words:
        if len(word) > _ENDING + 1:
            endings_seen[word[-_ENDING:]] += seen[word]
            endings_gold[word[-_ENDING:]] += gold[word]
            distinct[word[-_ENDING:]] += 1
    never = {
        ending
        for ending, n in endings_seen.items()
        if n >= limits.fewest_endings
        and distinct[ending] >= _DISTINCT
        and (endings_gold[ending] + 2 * prior) / (n + 2) < limits.alone
    }
    lists: tuple[list[str], list[str]] = [f"-{ending}" for ending in never], []
    for word in words:
        known = standing.is_never_alone(word) or (len(word) > _ENDING + 1 and word[-_ENDING:] in never)
        share = (gold[word] + 2 * prior) / (seen[word] + 2)
        if known and gold[word] >= limits.fewest and share >= limits.alone:
            lists[1].append(word)
        elif not known and share < limits.alone:
            lists[0].append(word)
    return sorted(lists[0]), sorted(lists[1])


def learn_joins(
    sentences: Sequence[Annotated], rules: EntityRules, standing: Iterable[str], limits: Thresholds
) -> list[str]:
    """Verb forms and function words that are part of names, "-based" where that is so behind a hyphen.

    A verb form is one where mentions hold it often enough; a word behind a hyphen where mentions hold it at least as
    often as they end before it ("aspirin-induced") or begin behind it.

    standing (Iterable[str]): Such words that are known; they stay unless the sentences say otherwise.
    """
    held, places = Counter[str](), Counter[str]()
    for sentence in sentences:
        grammar = rules.classes(sentence.doc).grammar
        for i, kind in enumerate(grammar):
            if kind not in (FUNCTION, VERB, STARTER, JOINER, JOINED):
                continue
            word = sentence.words[i]
            if i and grammar[i - 1] == LINK:
                inside = any(start < i < end for start, end in sentence.gold)
                held[f"-{word}"] += inside
                places[f"-{word}"] += inside or any(end == i - 1 or start == i + 1 for start, end in sentence.gold)
            elif kind in (VERB, JOINER):
                held[word] += any(start <= i < end for start, end in sentence.gold)
                places[word] += 1
    joins = set(standing)
    for word, n in places.items():
        if n >= limits.fewest:
            share = limits.hyphen_join if word.startswith("-") else limits.join
            joins = joins | {word} if held[word] >= max(limits.fewest, share * n) else joins - {word}
    return sorted(joins)


def propose(
    sentences: Sequence[Annotated], knowledge: EntityKnowledge, make: MakeRules, limits: Thresholds
) -> EntityKnowledge:
    """The rules of a dataset with lists learned from sentences in place of its own.

    Rules, patterns, stop words and stop heads stay.
    """
    blank = EdgeWords()
    bare = knowledge.model_copy(update={"before": blank, "after": blank, "joins": None, "never_alone": [], "alone": []})
    rules = make(bare)
    joins = learn_joins(sentences, rules, rules.codes.joins, limits)
    joined = bare.model_copy(update={"joins": joins})
    rules = make(joined)
    found = [phrase for sentence in sentences for phrase in phrases(sentence, rules)]
    before, after = count_edges(found)
    cut = joined.model_copy(
        update={
            "before": learn_edge(before, rules.codes.before, limits),
            "after": learn_edge(after, rules.codes.after, limits),
        }
    )
    # To be counted, every word must be found.
    seen, gold = count_alone(sentences, make(cut.model_copy(update={"alone": rules.codes.never_alone_words()})))
    never, alone = learn_alone(seen, gold, rules.codes, limits)
    return cut.model_copy(update={"never_alone": never, "alone": alone})

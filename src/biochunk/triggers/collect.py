"""What stands between and near annotated pairs, counted by gold relation (paper §3.5)."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from ..corpora.records import Record
from ..schemas import Dataset
from .cues import Cue, Merger, Written

NEAR = 4  # words before the first and after the second mention in which a cue counts as near
MAX_BETWEEN = 25  # a pair further apart says nothing about the words between

Tokenize = Callable[[str], Sequence[tuple[int, int]]]


@dataclass(frozen=True)
class Item:
    """A relation in a sentence, with the pair that carries it where one is annotated.

    key (str): Letters and digits of the sentence; rows of one sentence have one key.
    words (tuple[str, ...]): Lower-cased words without white space.
    relation (str | None): Gold relation, None when the sentence carries none.
    head, tail (tuple[int, int] | None): Bounds of the mentions in words; None in a classification corpus.
    """

    key: str
    words: tuple[str, ...]
    relation: str | None
    head: tuple[int, int] | None = None
    tail: tuple[int, int] | None = None


@dataclass
class CueCounts:
    """How often a cue stands where, in distinct items.

    anywhere (int): Items of any relation, or of none, with the cue anywhere in the sentence.
    near (Counter[str]): By relation: items with the cue between or near the pair.
    places (Counter[tuple[str, str]]): By relation and place ("between", "before", "after").
    turned (Counter[str]): By relation: items whose tail stands where the pattern expects the head.
    ordered (Counter[str]): By relation: items in which a pattern says where head and tail should stand.
    """

    anywhere: int = 0
    near: Counter[str] = field(default_factory=Counter)
    places: Counter[tuple[str, str]] = field(default_factory=Counter)
    turned: Counter[str] = field(default_factory=Counter)
    ordered: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True)
class Collected:
    """Counts of a corpus.

    cues (dict[Cue, CueCounts]): Where each cue stands.
    totals (Counter[str | None]): Items by relation; None: no relation.
    near (dict[tuple[str, str], set[Cue]]): By key and relation of an item: its cues between or near the pair.
    """

    cues: dict[Cue, CueCounts]
    totals: Counter[str | None]
    near: dict[tuple[str, str], set[Cue]]


def gold_relations(record: Record, relations: Iterable[str]) -> list[str]:
    """Gold relations of a record, each once.

    A class label that is a number counts the relations from 1, and 0 is none; a text label is a relation's
    name, and any other text is none.

    record (Record): The record.
    relations (Iterable[str]): Relations of the task, in the order of the dataset file.
    """
    if record.triples:
        return list(dict.fromkeys(triple.relation for triple in record.triples))
    names = list(relations)
    if isinstance(record.label, int):
        return names[record.label - 1 : record.label] if record.label >= 1 else []
    return [record.label] if record.label in names else []


def items_of(records: Iterable[Record], dataset: Dataset, tokenize: Tokenize) -> list[Item]:
    """The items of a corpus. A sentence counts as carrying no relation only when none of its rows does.

    records (Iterable[Record]): Annotated sentences.
    dataset (Dataset): Names the relations of class labels.
    tokenize (Tokenize): Gives the character bounds of the words of a text, without white space.
    """
    found: list[Item] = []
    empty: dict[str, Item] = {}
    carrying: set[str] = set()
    for record in records:
        bounds = tokenize(record.text)
        words = tuple(record.text[start:end].lower() for start, end in bounds)
        key = re.sub(r"[\W_]+", "", record.text.lower())
        places = {entity.id: _words_of(bounds, entity.start, entity.end) for entity in record.entities}
        items = [Item(key, words, t.relation, places[t.head], places[t.tail]) for t in record.triples]
        if not items:
            items = [Item(key, words, relation) for relation in gold_relations(record, dataset.relations)]
        if items:
            carrying.add(key)
            found += items
        else:
            empty.setdefault(key, Item(key, words, None))
    return found + [item for key, item in empty.items() if key not in carrying]


def collect(items: Sequence[Item]) -> Collected:
    """Count cues over items. An item is counted once however many rows repeat its sentence and relation."""
    merger = Merger.of([item.words for item in items])
    cues: dict[Cue, CueCounts] = defaultdict(CueCounts)
    near: dict[tuple[str, str], set[Cue]] = defaultdict(set)
    totals: Counter[str | None] = Counter()
    seen: dict[tuple[str, str | None], set[Cue]] = {}
    for item in items:
        written = list(merger.written(item.words))
        if (item.key, item.relation) not in seen:
            totals[item.relation] += 1
        # Rows of one sentence may be split into words a little differently where a mention is marked.
        before = seen.setdefault((item.key, item.relation), set())
        for cue in {place.cue for place in written} - before:
            cues[cue].anywhere += 1
            before.add(cue)
        if item.relation is None:
            continue
        known = near[item.key, item.relation]
        for place in written:
            where = place_of(place, item)
            if where is None or place.cue in known:
                continue
            known.add(place.cue)
            counts = cues[place.cue]
            counts.near[item.relation] += 1
            counts.places[item.relation, where] += 1
            expected = expects_head_first(place, where, item)
            if expected is not None and item.head is not None and item.tail is not None:
                counts.ordered[item.relation] += 1
                counts.turned[item.relation] += expected != (item.head < item.tail)
    return Collected(dict(cues), totals, dict(near))


def place_of(place: Written, item: Item) -> str | None:
    """Where a cue stands: "between" the mentions of a pair, "before" or "after" them, or None far from them.

    Without a pair every place counts, as "between". A cue may share words with a mention ("patients with"),
    but one that lies inside a mention names an argument and signals no relation.
    """
    if item.head is None or item.tail is None:
        return "between"
    first, second = sorted((item.head, item.tail))
    if any(start <= place.start and place.end <= end for start, end in (first, second)):
        return None
    if second[0] - first[1] > MAX_BETWEEN or place.start < first[0] - NEAR or place.end > second[1] + NEAR:
        return None
    if place.start >= first[0] and place.end <= second[1]:
        return "between"
    return "before" if place.start < first[0] else "after"


def expects_head_first(place: Written, where: str, item: Item) -> bool | None:
    """Whether a cue's pattern expects the head first (paper §3.8); None when no pattern says so.

    Infix: the head first, unless a participle is followed by "by" or "with". Prefix, for nouns ("inhibition
        of X
    by Y"): the tail first when "by" or "with" stands between the mentions, the head first for "on", "in",
    "to", "for".
    """
    if item.head is None or item.tail is None:
        return None
    first, second = sorted((item.head, item.tail))
    following = item.words[place.end] if place.end < len(item.words) else ""
    if where == "between" and first[1] <= place.start + 1 and place.end - 1 <= second[0]:
        last = item.words[place.end - 1]
        passive = place.participle and ("by" in (following, last) or following == "with")
        return not passive
    if where == "before" and place.cue.pos == "noun" and place.end <= first[0] + 1:
        for word in item.words[first[1] : second[0]]:
            if word in ("by", "with"):
                return False
            if word in ("on", "in", "to", "for"):
                return True
    return None


def _words_of(bounds: Sequence[tuple[int, int]], start: int, end: int) -> tuple[int, int]:
    """The words that a character range touches."""
    inside = [i for i, (left, right) in enumerate(bounds) if left < end and right > start]
    return (inside[0], inside[-1] + 1) if inside else (0, 0)

"""What a corpus is like: lengths, density, distance, voice, polarity, triggers, and sentences that splits
share.

Everything is counted in one pass over the records; nothing but counts and sentence keys is held.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any

from ..chunking.cues import Match, Role, count_cues, load_cues
from ..chunking.lexicon import is_participle
from ..schemas import Cues
from .records import Entity, Record
from .splits import sentence_key

USUAL_ORDER = ("train", "dev", "test")

_WORD = re.compile(r"\w+|[^\w\s]")
_AGENT = re.compile(r"([a-z]+)\s+(?:by|with)\b", re.IGNORECASE)
_CUE_KINDS = ("pre", "argument", "post")


@dataclass
class SplitStats:
    """Counts over the records of one split.

    records (int): Records.
    keys (set[bytes]): Digests of `sentence_key`: what counts as the same sentence.
    words (Counter[int]): Records by number of words (between white space).
    entities (Counter[int]): Records by number of entities.
    covered (int): Characters that stand in an entity, of `characters`.
    characters (int): Characters.
    gaps (Counter[int]): Triples by number of words between head and tail; 0 where they touch or overlap.
    relations, labels, classes (Counter[str]): Triples by relation, entities by label, records by class.
    empty (int): Records without a triple.
    passives (int): Records with a participle before "by" or "with".
    negated, hedged (int): Records with a cue of negation, of uncertainty.
    triggered (int | None): Records in which a trigger fires; None where no dataset was given.
    fired (int | None): Triples whose relation is among those that fire; None likewise.
    """

    records: int = 0
    keys: set[bytes] = field(default_factory=set)
    words: Counter[int] = field(default_factory=Counter)
    entities: Counter[int] = field(default_factory=Counter)
    covered: int = 0
    characters: int = 0
    gaps: Counter[int] = field(default_factory=Counter)
    relations: Counter[str] = field(default_factory=Counter)
    labels: Counter[str] = field(default_factory=Counter)
    classes: Counter[str] = field(default_factory=Counter)
    empty: int = 0
    passives: int = 0
    negated: int = 0
    hedged: int = 0
    triggered: int | None = None
    fired: int | None = None


class CueFinder:
    """Finds cues of negation and uncertainty in plain text, as `biochunk.chunking.cues` has them."""

    def __init__(self) -> None:
        # First word of a phrase -> (its words, its roles), so that a text is looked at once.
        self._phrases: dict[str, list[tuple[list[str], list[Role]]]] = {}
        for phrase, roles in load_cues(Cues(), Cues()).items():
            words = _WORD.findall(phrase)
            self._phrases.setdefault(words[0], []).append((words, roles))

    def polarities(self, text: str, entities: Sequence[Entity] = ()) -> set[str]:
        """The polarities, "negation" and "hedge", that a text has a cue of.

        text (str): The text.
        entities (Sequence[Entity]): A cue inside of an entity is none.
        """
        tokens = list(_WORD.finditer(text))
        words = [token.group() for token in tokens]
        lower = [word.lower() for word in words]
        matches: list[Match] = [
            (i, i + len(phrase), roles)
            for i, word in enumerate(lower)
            for phrase, roles in self._phrases.get(word, ())
            if lower[i : i + len(phrase)] == phrase
        ]
        if not matches:
            return set()
        bounds = []
        for entity in entities:
            inside = [i for i, t in enumerate(tokens) if t.start() < entity.end and t.end() > entity.start]
            if inside:
                bounds.append((inside[0], inside[-1] + 1))
        acting = count_cues(matches, words, 0, bounds).acting
        return {role.polarity for _, _, role in acting if role.kind in _CUE_KINDS}


def count_record(stats: SplitStats, record: Record, cues: CueFinder, fired: frozenset[str] | None = None) -> None:
    """Add one record to the counts of its split.

    stats (SplitStats): The counts; changed.
    record (Record): The record.
    cues (CueFinder): Built once for all records.
    fired (frozenset[str] | None): Relations that the triggers in the text signal; None when no dataset was
        given.
    """
    stats.records += 1
    stats.keys.add(blake2b(sentence_key(record.text).encode("utf-8", "surrogatepass"), digest_size=12).digest())
    stats.words[len(record.text.split())] += 1
    stats.entities[len(record.entities)] += 1
    stats.characters += len(record.text)
    stats.covered += _covered(record.entities)
    stats.labels.update(entity.label for entity in record.entities)
    by_id = {entity.id: entity for entity in record.entities}
    for triple in record.triples:
        stats.relations[triple.relation] += 1
        stats.gaps[words_between(record.text, by_id[triple.head], by_id[triple.tail])] += 1
    stats.empty += not record.triples
    if record.label is not None:
        stats.classes[str(record.label)] += 1
    stats.passives += has_passive(record.text)
    polarities = cues.polarities(record.text, record.entities)
    stats.negated += "negation" in polarities
    stats.hedged += "hedge" in polarities
    if fired is not None:
        stats.triggered = (stats.triggered or 0) + bool(fired)
        stats.fired = (stats.fired or 0) + sum(triple.relation in fired for triple in record.triples)


def words_between(text: str, head: Entity, tail: Entity) -> int:
    """Words between two mentions, whichever comes first; 0 where they touch or overlap."""
    first, second = sorted((head, tail), key=lambda entity: (entity.start, entity.end))
    return len(text[first.end : second.start].split())


def has_passive(text: str) -> bool:
    """Whether a past participle stands right before "by" or "with" ("inhibited by", "treated with")."""
    return any(is_participle(match[1].lower()) for match in _AGENT.finditer(text))


def _covered(entities: Iterable[Entity]) -> int:
    """Characters in at least one entity."""
    total = reached = 0
    for entity in sorted(entities, key=lambda entity: entity.start):
        total += max(0, entity.end - max(entity.start, reached))
        reached = max(reached, entity.end)
    return total


def percentile(counts: Counter[int], share: float) -> int:
    """The smallest value that at least this share of all values do not exceed (nearest rank).

    counts (Counter[int]): How often each value occurs; not empty.
    share (float): From 0 to 1.
    """
    rank = share * counts.total()
    below = 0
    for value in sorted(counts):
        below += counts[value]
        if below >= rank:
            return value
    raise ValueError("no values")


def summary(counts: Counter[int]) -> dict[str, float | int | None]:
    """Mean, 50th and 90th percentile and maximum of counted values; all None where there are none."""
    total = counts.total()
    if not total:
        return {"mean": None, "p50": None, "p90": None, "max": None}
    mean = sum(value * count for value, count in counts.items()) / total
    return {"mean": mean, "p50": percentile(counts, 0.5), "p90": percentile(counts, 0.9), "max": max(counts)}


def leakage(splits: dict[str, SplitStats]) -> dict[str, dict[str, int]]:
    """How many distinct sentences of one split (outer key) stand in another (inner key) as well.

    Sentences are the same when their letters and digits are, in lower case. The diagonal is a split's number
    of distinct sentences.
    """
    return {
        row: {column: len(stats.keys & other.keys) for column, other in splits.items()} for row, stats in splits.items()
    }


def ordered(splits: dict[str, SplitStats]) -> dict[str, SplitStats]:
    """Splits in the order train, dev, test, then the others as they came."""
    rank = {name: i for i, name in enumerate(USUAL_ORDER)}
    return dict(sorted(splits.items(), key=lambda item: rank.get(item[0], len(rank))))


def to_data(splits: dict[str, SplitStats]) -> dict[str, Any]:
    """The statistics of one corpus as JSON values: `splits` (measures by split) and `leakage`."""
    return {
        "splits": {name: _measures(stats) for name, stats in splits.items()},
        "leakage": leakage(splits),
    }


def _measures(stats: SplitStats) -> dict[str, Any]:
    triples = stats.gaps.total()
    return {
        "records": stats.records,
        "distinct sentences": len(stats.keys),
        "words": summary(stats.words),
        "entities": {
            **summary(stats.entities),
            "total": stats.labels.total(),
            "share of characters": _share(stats.covered, stats.characters),
        },
        "triples": triples,
        "records without a triple": _share(stats.empty, stats.records),
        "words between head and tail": summary(stats.gaps),
        "passive": _share(stats.passives, stats.records),
        "negation cue": _share(stats.negated, stats.records),
        "hedge cue": _share(stats.hedged, stats.records),
        "trigger": None if stats.triggered is None else _share(stats.triggered, stats.records),
        "gold relation fired": None if stats.fired is None else _share(stats.fired, triples),
        "relations": dict(stats.relations.most_common()),
        "entity labels": dict(stats.labels.most_common()),
        "classes": dict(stats.classes.most_common()),
    }


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None

"""Triples that the linear reader can say of a text: pairs that are likely annotated, with their relations."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np

from ....ty import FloatArray, IntArray
from ...items import Gold, Mention, PairAnswer, Triple
from ...metrics import folded
from .decisions import log_chances
from .hashed import Logistic, chances
from .matrix import Columns, Matrix
from .prepared import answer_of, class_of, gold_row
from .reading import Reading, Row
from .ridge import Ridge
from .selection import Selected

# Pairs of a text that get relations, and how likely they must be, measured by the likeliest.
_PAIRS = 3
_LEAST = 0.05
# Relations of a pair that are possible answers.
_RELATIONS = 2
# Log-probability of a pair that is no candidate.
_UNFOUND = -10.0
# The same of a triple whose mentions are not both in the text.
_UNSEEN = -20.0

# A triple and its log-probability.
Proposal = tuple[Triple, float]


@dataclass(frozen=True, slots=True)
class TripleModel:
    """What one seed has learned.

    pairs (Logistic): Which pairs are annotated.
    ridge (Ridge), factor (float): Relations of an annotated pair.
    columns (Columns): Of the ridge's rows.
    relations (Sequence[str]): Labels.
    """

    pairs: Logistic
    ridge: Ridge
    factor: float
    columns: Columns
    relations: Sequence[str]

    def proposals(self, reading: Reading, asked: Sequence[int]) -> list[list[Proposal]]:
        """What may be answered, the likeliest first, no triple twice.

        asked (Sequence[int]): Examples of the reading.
        RETURNS (list[list[Proposal]]): One list an asked example.
        """
        likely = self._likely(reading, sorted({int(reading.which[i]) for i in asked}))
        found = [(place, i, *pair) for place, i in enumerate(asked) for pair in likely[int(reading.which[i])]]
        tables = self._log_chances(reading, [row for _, _, row, _ in found], [i for _, i, _, _ in found])
        proposals: list[list[Proposal]] = [[] for _ in asked]
        for (place, _, row, sure), table in zip(found, tables, strict=True):
            for number in np.argsort(-table, kind="stable")[:_RELATIONS].tolist():
                proposals[place].append((self._triple(row, number), sure + float(table[number])))
        return [_distinct(one) for one in proposals]

    def grades(self, reading: Reading, gold: Sequence[Gold]) -> FloatArray:
        """Log-probability of the gold triples of every example: the sum over them, or that of no answer where there
        are none.
        """
        grades = np.zeros(len(gold), dtype=np.float32)
        sure = self._by_place(reading)
        rows, owners, numbers = [], [], []
        for i, one in enumerate(gold):
            for triple in one.triples:
                if not (triple.head.visible and triple.tail.visible):
                    grades[i] += _UNSEEN
                    continue
                row, answer = gold_row(int(reading.which[i]), triple)
                grades[i] += sure.get((row.text, *_places(row)), _UNFOUND)
                rows.append(row)
                owners.append(i)
                numbers.append(class_of(answer, self.relations))
        tables = self._log_chances(reading, rows, owners)
        np.add.at(grades, np.array(owners, dtype=np.intp), tables[np.arange(len(rows)), numbers].astype(np.float32))
        empty = [i for i, one in enumerate(gold) if not one.triples]
        for i, proposals in zip(empty, self.proposals(reading, empty), strict=True):
            grades[i] = sum(np.log1p(-min(np.exp(value), 1 - 1e-6)) for _, value in proposals)
        return grades

    def _likely(self, reading: Reading, texts: Sequence[int]) -> dict[int, list[tuple[Row, float]]]:
        """The likeliest pairs of texts and their log-probabilities; of pairs with equal strings only the likeliest."""
        selected = cast(Selected, reading.selected)
        pairs, spans = selected.pairs, selected.spans
        sure = chances(self.pairs.scores(pairs.features, pairs.numbers))
        found: dict[int, list[tuple[Row, float]]] = {}
        for text in texts:
            low, high = np.searchsorted(pairs.texts, (text, text + 1))
            best: dict[frozenset[str], tuple[Row, float]] = {}
            for place in (low + np.argsort(-sure[low:high], kind="stable")).tolist():
                one, two = int(pairs.first[place]), int(pairs.second[place])
                chance = float(sure[place])
                if len(best) == _PAIRS or (best and chance < _LEAST * np.exp(next(iter(best.values()))[1])):
                    break
                strings = frozenset((spans.strings[one], spans.strings[two]))
                if strings not in best:
                    pair = tuple(_mention(reading.bare[text].text, spans.places[i]) for i in (one, two))
                    best[strings] = Row(text, pair), float(np.log(chance))  # type: ignore[arg-type]
            found[text] = list(best.values())
        return found

    def _log_chances(self, reading: Reading, rows: Sequence[Row], owners: Sequence[int]) -> FloatArray:
        if not rows:
            return np.zeros((0, 2 * len(self.relations)), dtype=np.float32)
        evidence = reading.evidence(self.relations)[np.array(owners, dtype=np.intp)]
        return log_chances(self.ridge.scores(Matrix(reading.named(rows, self.columns), evidence)), self.factor)

    def _triple(self, row: Row, number: int) -> Triple:
        first, second = cast(tuple[Mention, Mention], row.pair)
        answer = cast(PairAnswer, answer_of(number, self.relations))
        head, tail = (first, second) if answer.forward else (second, first)
        return Triple(head.text, answer.relation, tail.text)

    def _by_place(self, reading: Reading) -> dict[tuple[int, int, int, int, int], float]:
        selected = cast(Selected, reading.selected)
        pairs, places = selected.pairs, selected.spans.places
        sure = np.log(chances(self.pairs.scores(pairs.features, pairs.numbers)))
        keys = np.hstack([pairs.texts[:, None], places[pairs.first], places[pairs.second]])
        return {tuple(key): value for key, value in zip(keys.tolist(), sure.tolist(), strict=True)}


def _places(row: Row) -> tuple[int, int, int, int]:
    first, second = cast(tuple[Mention, Mention], row.pair)
    return first.start, first.end, second.start, second.end


def _mention(text: str, place: IntArray) -> Mention:
    start, end = place.tolist()
    return Mention(text[start:end], start, end)


def _distinct(proposals: Sequence[Proposal]) -> list[Proposal]:
    found: dict[tuple[str, ...], Proposal] = {}
    for triple, value in sorted(proposals, key=lambda proposal: -proposal[1]):
        found.setdefault(tuple(map(folded, triple)), (triple, value))
    return list(found.values())

"""What one seed of the linear reader has learned, and the answers that it gives."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from ....corpora.splits import in_part
from ....ty import FloatArray, IntArray
from ...items import Answer, Example, Gold, PairAnswer
from ...metrics import folded
from .decisions import best_factor, best_threshold, log_chances
from .hashed import Logistic
from .matrix import Matrix
from .prepared import Prepared, answer_of, class_of
from .reading import Reading, Row
from .ridge import Ridge, fit_ridge, left_out_scores
from .selection import Selected, fold_of
from .triples import Proposal, TripleModel

# Share of the sentences that a seed leaves out.
_LEFT_OUT = 0.05

Booleans = NDArray[np.bool_]


class Models(NamedTuple):
    """Weights: scores of classes, and in the task "triples" which pairs are annotated."""

    ridge: Ridge
    pairs: Logistic | None


@dataclass(frozen=True, slots=True)
class Learned:
    """A seed's weights and how they are used.

    prepared (Prepared): The train split.
    models (Models): The weights.
    factor (float): What makes log-probabilities of scores; see `log_chances`.
    threshold (float): The score above which an answer is given: of a triple its log-probability, else the margin.
    """

    prepared: Prepared
    models: Models
    factor: float
    threshold: float

    def answers(self, examples: Sequence[Example]) -> list[Answer]:
        """See `Reader.predict`."""
        prepared = self.prepared
        reading = prepared.read(examples)
        if prepared.task == "triples":
            model = _triple_model(prepared, self.models, self.factor)
            return [self._triples(one) for one in model.proposals(reading, range(len(examples)))]
        scores, owners = self._scores(reading)
        margins = _margins(scores, prepared)
        if prepared.task == "label":
            return [Answer(label=int(margin > self.threshold)) for margin in margins]
        numbers = scores[:, :-1].argmax(axis=1)
        numbers[margins <= self.threshold] = prepared.count - 1
        answers: list[list[PairAnswer | None]] = [[] for _ in examples]
        for owner, number in zip(owners.tolist(), numbers.tolist(), strict=True):
            answers[owner].append(answer_of(number, prepared.relations))
        return [Answer(relations=tuple(one)) for one in answers]

    def grades(self, examples: Sequence[Example], gold: Sequence[Gold]) -> FloatArray:
        """See `GradedReader.grade`."""
        prepared = self.prepared
        reading = prepared.read(examples)
        if prepared.task == "triples":
            return _triple_model(prepared, self.models, self.factor).grades(reading, gold)
        scores, owners = self._scores(reading)
        if prepared.task == "label":
            numbers = [int(one.label or 0) for one in gold]
        else:
            numbers = [class_of(answer, prepared.relations) for one in gold for answer in one.relations]
        grades = np.zeros(len(examples), dtype=np.float32)
        np.add.at(grades, owners, log_chances(scores, self.factor)[np.arange(len(scores)), numbers])
        return grades

    def _scores(self, reading: Reading) -> tuple[FloatArray, IntArray]:
        """Scores of all that is asked, and the example that each row is of."""
        prepared = self.prepared
        rows, owners = [], []
        for i, (text, example) in enumerate(zip(reading.which.tolist(), reading.examples, strict=True)):
            own = [Row(text)] if prepared.task == "label" else [Row(text, pair) for pair in example.pairs]
            rows += own
            owners += [i] * len(own)
        of = np.array(owners, dtype=np.intp)
        evidence = reading.evidence(prepared.relations)[of]
        return self.models.ridge.scores(Matrix(reading.named(rows, prepared.columns), evidence)), of

    def _triples(self, proposals: Sequence[Proposal]) -> Answer:
        chosen = proposals[: self.prepared.most]
        return Answer(triples=tuple(triple for triple, value in chosen if value > self.threshold))


def learn(prepared: Prepared, seed: int) -> Learned:
    """Learn weights from all sentences but a twentieth, another one for each seed."""
    if prepared.calibration is None:
        prepared.calibration = _calibrate(prepared)
    factor, threshold = prepared.calibration
    kept = np.array([not in_part(key, _LEFT_OUT, seed) for key in prepared.keys], dtype=bool)
    if not kept[prepared.owners].any():
        kept[:] = True
    return Learned(prepared, _fit(prepared, kept), factor, threshold)


def _fit(prepared: Prepared, kept: Booleans) -> Models:
    """Learn from some of the examples."""
    rows = np.flatnonzero(kept[prepared.owners])
    ridge = fit_ridge(prepared.matrix, prepared.products, rows, prepared.classes, count=prepared.count)
    if prepared.right is None:
        return Models(ridge, None)
    reading = prepared.reading
    pairs = cast(Selected, reading.selected).pairs
    texts = np.zeros(len(reading.bare), dtype=bool)
    texts[reading.which[kept]] = True
    inside = texts[pairs.texts]
    logistic = Logistic(penalty=6.0, least=3, iterations=40)
    logistic.fit(pairs.features[inside], prepared.right[inside], pairs.numbers[inside])
    return Models(ridge, logistic)


def _calibrate(prepared: Prepared) -> tuple[float, float]:
    """Factor of scores and threshold of answers, from what is said of sentences that were not learned from."""
    keys = [prepared.keys[owner] for owner in prepared.owners.tolist()]
    right = prepared.classes
    scores = left_out_scores(prepared.products, right, keys, count=prepared.count)
    factor = best_factor(scores, right)
    if prepared.task == "triples":
        return factor, _triples_threshold(prepared, factor)
    margins = _margins(scores, prepared)
    if prepared.task == "label":
        return factor, best_threshold(margins, right == 1, int((right == 1).sum()), otherwise=0.0)
    none = prepared.count - 1
    if not (right == none).any():
        return factor, -np.inf
    hits = scores[:, :-1].argmax(axis=1) == right
    return factor, best_threshold(margins, hits, int((right != none).sum()), otherwise=0.0)


def _triples_threshold(prepared: Prepared, factor: float) -> float:
    """The same of triples, in folds, as their candidates' rows are too many to leave each sentence out by itself."""
    folds = np.array([fold_of(key) for key in prepared.keys], dtype=np.intp)
    values, right, wanted = [], [], 0
    for fold in np.unique(folds).tolist():
        kept = folds != fold
        if not kept[prepared.owners].any():
            continue
        own = np.flatnonzero(~kept).tolist()
        model = _triple_model(prepared, _fit(prepared, kept), factor)
        for i, proposals in zip(own, model.proposals(prepared.reading, own), strict=True):
            gold = {tuple(map(folded, one.triple)) for one in prepared.gold[i].triples}
            wanted += len(gold)
            for triple, value in proposals[: prepared.most]:
                values.append(value)
                right.append(tuple(map(folded, triple)) in gold)
    return best_threshold(values, right, wanted, otherwise=-np.inf)


def _triple_model(prepared: Prepared, models: Models, factor: float) -> TripleModel:
    return TripleModel(cast(Logistic, models.pairs), models.ridge, factor, prepared.columns, prepared.relations)


def _margins(scores: FloatArray, prepared: Prepared) -> FloatArray:
    """By how much the best relation is above none, or label 1 above label 0."""
    if prepared.task == "label":
        return scores[:, 1] - scores[:, 0]
    return scores[:, :-1].max(axis=1) - scores[:, -1]

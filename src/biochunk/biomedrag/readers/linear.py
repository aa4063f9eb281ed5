"""The reader that learns weights of features: seconds on one core, so that experiments can afford many of it."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec

from ...errors import BiochunkError, MissingExtraError
from ...ty import FloatArray
from ..items import Answer, Example, Gold, Task
from .linear_learned import Learned, learn
from .linear_prepared import Prepared, prepare


@dataclass(kw_only=True, eq=False)
class LinearReader:
    """Linear models over words, triggers and propositions around a pair of mentions, and over labels of evidence.

    In the task "triples" a text's own candidates come first: detected entities, runs of words in them, and strings
    that are mentions in several train examples; one model finds mentions, one finds annotated pairs, one gives
    relations. Nothing in it asks for annotation marks; where a text has them (`published` GM-CIHT and ChemProt pad
    their mentions), it learns them from the characters beside candidates.

    seed (int): Holds back a tenth of the train sentences, another tenth for each seed: weights are learned from the
        rest, probabilities and thresholds are set on the tenth. All else has no randomness.
    """

    seed: int = 0
    _prepared: Prepared | None = field(default=None, init=False, repr=False)
    _learned: Learned | None = field(default=None, init=False, repr=False)

    def reseeded(self, seed: int) -> "LinearReader":
        """A new reader with another seed that uses again what this one made of the same examples, other than weights:
        features of texts, and candidates of train with the model that finds mentions, which has no seed.
        """
        other = LinearReader(seed=seed)
        other._prepared = self._prepared
        return other

    def fit(self, examples: Sequence[Example], gold: Sequence[Gold], *, task: Task, relations: Sequence[str]) -> None:
        """Learn; see `Reader.fit`.

        RAISES (MissingExtraError): If scikit-learn is not installed.
        RAISES (BiochunkError): When gold does not fit the examples, names an unknown relation, or there is nothing to
            learn.
        """
        if find_spec("sklearn") is None:
            raise MissingExtraError("scikit-learn", "experiment", "the linear reader")
        if self._prepared is None or not self._prepared.is_of(examples, gold, task, relations):
            self._prepared = prepare(examples, gold, task=task, relations=relations)
        self._learned = learn(self._prepared, self.seed)

    def predict(self, examples: Sequence[Example]) -> list[Answer]:
        """Answer; see `Reader.predict`."""
        return self._need_learned().answers(examples)

    def grade(self, examples: Sequence[Example], gold: Sequence[Gold]) -> FloatArray:
        """Log-probability of gold answers; see `GradedReader.grade`. Cheap for many examples of one text.

        "pairs": the sum over the pairs. "triples": the sum over gold triples of a pair's and its relation's
        log-probability; -10 in place of the first for a pair that is no candidate, -20 in all where a mention is not
        visible; without gold triples, that none of the possible ones is said.
        """
        return self._need_learned().grades(examples, gold)

    def _need_learned(self) -> Learned:
        if self._learned is None:
            raise BiochunkError("found a linear reader that has learned nothing, expected `fit` before it is asked")
        return self._learned

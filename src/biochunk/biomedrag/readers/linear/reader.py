"""The reader that learns weights of features: seconds on one core, so that experiments can afford many of it."""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from importlib.util import find_spec

from ....errors import BiochunkError, MissingExtraError
from ....ty import FloatArray
from ...items import Answer, Example, Gold, Task
from .learned import Learned, learn
from .prepared import Prepared, prepare


@dataclass(kw_only=True, eq=False)
class LinearReader:
    """Linear models over words, triggers and propositions around a pair of mentions, and over labels of evidence.

    In the task "triples" candidates come first: detected entities, runs of words in them, and strings that are mentions
    in several train examples; one model finds mentions, one finds annotated pairs, one gives relations. Nothing in it
    asks for annotation marks; where a text has them (`published` GM-CIHT and ChemProt pad their mentions), it learns
    them from the characters beside candidates.

    It answers all that is likelier than a threshold, and at most as many triples of a text as one train example has.
    Threshold and probabilities come from what is said of train sentences by models that did not see them.

    Memory grows with the square of the train rows (pairs, or texts in the task "label"), time with the cube: 5,000 take
    about 0.4 GB and some seconds.

    seed (int): Leaves out a twentieth of the train sentences, another one for each seed, when weights are learned: of
        relations, labels and annotated pairs. The model that finds mentions and the threshold have no randomness.
    """

    seed: int = 0
    _prepared: Prepared | None = field(default=None, init=False, repr=False)
    _learned: Learned | None = field(default=None, init=False, repr=False)

    def reseeded(self, seed: int) -> "LinearReader":
        """A reader with another seed that has still to be fitted. What has no seed is not made again when it gets the
        same examples; for them it learns in a fraction of the time.
        """
        other = LinearReader(seed=seed)
        other._prepared = self._prepared
        return other

    def fit(self, examples: Sequence[Example], gold: Sequence[Gold], *, task: Task, relations: Sequence[str]) -> None:
        """Learn; see `Reader.fit`.

        RAISES (MissingExtraError): If scikit-learn is not installed.
        RAISES (BiochunkError): When gold names an unknown relation, or there is nothing to learn.
        """
        if find_spec("sklearn") is None:
            raise MissingExtraError("scikit-learn", "experiment", "the linear reader")
        with _one_thread():
            if self._prepared is None or not self._prepared.is_of(examples, gold, task, relations):
                self._prepared = prepare(examples, gold, task=task, relations=relations)
            self._learned = learn(self._prepared, self.seed)

    def predict(self, examples: Sequence[Example]) -> list[Answer]:
        """Answer; see `Reader.predict`."""
        learned = self._need_learned()
        with _one_thread():
            return learned.answers(examples)

    def grade(self, examples: Sequence[Example], gold: Sequence[Gold]) -> FloatArray:
        """Log-probability of gold answers; see `GradedReader.grade`. Cheap for many examples of one text.

        "pairs": the sum over the pairs. "triples": the sum over gold triples of a pair's and its relation's
        log-probability; -10 in place of the first for a pair that is no candidate, -20 in all where a mention is not
        visible; without gold triples, that none of the possible ones is said.
        """
        learned = self._need_learned()
        with _one_thread():
            return learned.grades(examples, gold)

    def _need_learned(self) -> Learned:
        if self._learned is None:
            raise BiochunkError("found a linear reader that has learned nothing, expected `fit` before it is asked")
        return self._learned


def _one_thread() -> AbstractContextManager[object]:
    """Matrices are multiplied by one thread, so that the last bits do not depend on how many there are, and readers in
    several processes do not wait for each other.
    """
    # Comes with scikit-learn.
    from threadpoolctl import threadpool_limits

    return threadpool_limits(limits=1)

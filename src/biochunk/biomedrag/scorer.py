"""The chunk scorer: a linear model that puts retrieved evidence in the order in which it helps the reader."""

import hashlib
import json
import math
import zlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import safetensors
import safetensors.numpy
from numpy.typing import NDArray

from ..errors import BiochunkError, Errors, MissingExtraError
from ..folders import whole_folder
from ..ty import FloatArray, IntArray
from .items import Example
from .scorer_features import NUMBERS, evidence_features, sentence_features
from .ty import Scorer

WEIGHTS, ABOUT = "weights.safetensors", "scorer.json"
_SCHEMA = 2


@dataclass(frozen=True, eq=False)
class _Model:
    """keys (u,): hashes of sentence features, ascending. crossed (u, l): weight of each with each relation. numbers
    (len(NUMBERS),). biases (l,). relations: l labels.
    """

    keys: NDArray[np.uint32]
    crossed: FloatArray
    numbers: FloatArray
    biases: FloatArray
    relations: tuple[str, ...]


class LinearScorer:
    """Score of a chunk = weights of the sentence's features for the chunk's relation + weights of how it was retrieved.

    It is trained to raise the expected gain when one chunk of each example is drawn by the softmax of the scores. Where
    all chunks help alike, an example teaches nothing; where no example does, the order of retrieval stays.

    l2 (float): Strength of the penalty on squared weights, for gains of unit variance.
    min_count (int): Examples that must have a sentence feature, else it is left out.
    iterations (int): Most steps of L-BFGS.
    RAISES (BiochunkError): When an option makes no sense.
    """

    def __init__(self, *, l2: float = 0.1, min_count: int = 2, iterations: int = 100) -> None:
        if not (math.isfinite(l2) and l2 >= 0) or not min(min_count, iterations) >= 1:
            raise BiochunkError(
                f"found l2 {l2}, min_count {min_count} and iterations {iterations}, expected l2 from 0 and the others "
                "from 1"
            )
        self._options = {"l2": l2, "min_count": min_count, "iterations": iterations}
        self.l2 = l2
        self.min_count = min_count
        self.iterations = iterations
        self._model: _Model | None = None

    def fit(self, examples: Sequence[Example], gains: Sequence[FloatArray]) -> None:
        """Learn from the train split, anew at each call.

        examples (Sequence[Example]): With evidence, retrieved from the store that scored queries ask too.
        gains (Sequence[FloatArray]): For each example one number a chunk; see `gains.evidence_gains`.
        RAISES (BiochunkError): When gains and evidence do not fit, or there is no evidence at all.
        RAISES (MissingExtraError): If scipy is not installed.
        """
        for example, own in zip(examples, gains, strict=True):
            if own.shape != (len(example.evidence),):
                raise BiochunkError(
                    f"example '{example.id}': found gains of shape {own.shape}, expected one for each of "
                    f"{len(example.evidence)} chunks"
                )
        # One chunk is in order whatever it scores.
        used = [i for i, example in enumerate(examples) if len(example.evidence) > 1]
        if not used:
            raise BiochunkError(
                "found no train example with two pieces of evidence, expected some to learn an order from"
            )
        self._model = _fit(self, [examples[i] for i in used], [gains[i] for i in used])

    def score(self, examples: Sequence[Example]) -> list[FloatArray]:
        """See `Scorer.score`. Chunks with a relation that training never met have only the weights of the numbers.

        RAISES (BiochunkError): When it was neither trained nor loaded.
        """
        model = self._trained()
        column = {relation: number for number, relation in enumerate(model.relations)}
        scores = []
        for example in examples:
            keys, share = _keys(example)
            rows = np.searchsorted(model.keys, keys)
            rows = rows[model.keys[np.minimum(rows, len(model.keys) - 1)] == keys] if len(model.keys) else rows[:0]
            by_relation = model.crossed[rows].astype(np.float64).sum(axis=0) * share + model.biases
            columns = [column.get(item.relation, -1) for item in example.evidence]
            # The last place is that of unknown relations.
            own = np.append(by_relation, 0.0)[columns]
            scores.append((own + evidence_features(example) @ model.numbers.astype(np.float64)).astype(np.float32))
        return scores

    def to_disk(self, path: Path) -> None:
        """Save as safetensors and JSON, the whole folder or nothing."""
        model = self._trained()
        tensors = {"keys": model.keys, "crossed": model.crossed, "numbers": model.numbers, "biases": model.biases}
        weights = safetensors.numpy.save(tensors)
        about = {
            "schema": _SCHEMA,
            "options": self._options,
            "numbers": NUMBERS,
            "relations": model.relations,
            "digest": hashlib.sha256(weights).hexdigest(),
        }
        with whole_folder(path) as new:
            (new / WEIGHTS).write_bytes(weights)
            (new / ABOUT).write_text(json.dumps(about, indent=2) + "\n", encoding="utf-8")

    def from_disk(self, path: Path) -> "LinearScorer":
        """Load what `to_disk` saved, its options too. RETURNS (LinearScorer): The scorer itself.

        RAISES (BiochunkError): When a file is missing, broken, or does not fit the other.
        """
        try:
            about = json.loads((path / ABOUT).read_text(encoding="utf-8"))
            weights = (path / WEIGHTS).read_bytes()
            if about["schema"] != _SCHEMA or about["digest"] != hashlib.sha256(weights).hexdigest():
                raise ValueError(f"schema {about['schema']}, or {WEIGHTS} changed since it was saved")
            tensors = safetensors.numpy.load(weights)
            self.__init__(**about["options"])  # type: ignore[misc]
            model = _Model(**tensors, relations=tuple(about["relations"]))
            shapes = (model.crossed.shape, model.biases.shape, model.numbers.shape)
            count = len(model.relations)
            if shapes != ((len(model.keys), count), (count,), (len(NUMBERS),)):
                raise ValueError(f"weights of shapes {shapes}")
        except OSError as error:
            raise BiochunkError(
                Errors.E009.format(action="read", path=error.filename, problem=error.strerror)
            ) from None
        except (ValueError, TypeError, KeyError, safetensors.SafetensorError) as error:
            problem = f"no chunk scorer that fits together ({' '.join(str(error).split())}); train it again"
            raise BiochunkError(Errors.E009.format(action="read", path=path, problem=problem)) from None
        self._model = model
        return self

    def _trained(self) -> _Model:
        if self._model is None:
            raise BiochunkError("found a chunk scorer without weights, expected one that was trained or loaded")
        return self._model


def reordered(scorer: Scorer, examples: Sequence[Example]) -> list[Example]:
    """Examples with their evidence in the scorer's order; ties keep the order of retrieval."""
    found = []
    for example, scores in zip(examples, scorer.score(examples), strict=True):
        order = np.argsort(-scores, kind="stable").tolist()
        found.append(replace(example, evidence=tuple(example.evidence[i] for i in order)))
    return found


def _keys(example: Example) -> tuple[NDArray[np.uint32], float]:
    """Hashes of an example's sentence features, ascending, and the weight of each, which makes a unit vector."""
    features = sentence_features(example)
    keys = np.unique(
        np.array([zlib.crc32(text.encode("utf-8", "surrogatepass")) for text in features], dtype=np.uint32)
    )
    return keys, 1 / np.sqrt(max(len(keys), 1))


def _fit(scorer: LinearScorer, examples: Sequence[Example], gains: Sequence[FloatArray]) -> _Model:
    try:
        from scipy.optimize import minimize
        from scipy.sparse import csr_matrix
    except ImportError:
        raise MissingExtraError("scipy", "experiment", "Training the chunk scorer") from None
    found = [_keys(example) for example in examples]
    counts = Counter(key for keys, _ in found for key in keys.tolist())
    keys = np.array(sorted(key for key, count in counts.items() if count >= scorer.min_count), dtype=np.uint32)
    rows = [np.searchsorted(keys, own[np.isin(own, keys)]) for own, _ in found]
    lengths = [len(own) for own in rows]
    sentences = csr_matrix(
        (
            np.repeat([share for _, share in found], lengths),
            np.concatenate(rows),
            np.concatenate([[0], np.cumsum(lengths)]),
        ),
        shape=(len(examples), len(keys)),
    )
    relations = tuple(sorted({item.relation for example in examples for item in example.evidence}))
    column = {relation: number for number, relation in enumerate(relations)}
    columns = np.array([column[item.relation] for example in examples for item in example.evidence], dtype=np.intp)
    numbers = np.concatenate([evidence_features(example) for example in examples]).astype(np.float64)
    lists = _Lists([len(example.evidence) for example in examples])
    rewards = np.concatenate(gains).astype(np.float64)
    rewards /= rewards.std() or 1.0
    cells = lists.of * len(relations) + columns
    size, width = len(keys) * len(relations), len(NUMBERS)

    def loss(weights: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        crossed = weights[:size].reshape(len(keys), len(relations))
        by_relation = sentences @ crossed + weights[size + width :]
        scores = by_relation.ravel()[cells] + numbers @ weights[size : size + width]
        chances = lists.softmax(scores)
        expected = lists.sums(chances * rewards)
        off = chances * (expected[lists.of] - rewards)
        by_cell = np.bincount(cells, off, minlength=by_relation.size).reshape(by_relation.shape)
        gradient = np.concatenate([(sentences.T @ by_cell).ravel(), numbers.T @ off, by_cell.sum(axis=0)])
        return -expected.sum() + scorer.l2 / 2 * (weights**2).sum(), gradient + scorer.l2 * weights

    start = np.zeros(size + width + len(relations))
    weights = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": scorer.iterations}).x
    weights = weights.astype(np.float32)
    return _Model(
        keys,
        weights[:size].reshape(len(keys), len(relations)),
        weights[size : size + width],
        weights[size + width :],
        relations,
    )


class _Lists:
    """Lists of numbers one after the other. of (IntArray): The list of each number."""

    def __init__(self, lengths: Sequence[int]) -> None:
        self._starts = np.concatenate([[0], np.cumsum(lengths)[:-1]]).astype(np.intp)
        self.of: IntArray = np.repeat(np.arange(len(lengths)), lengths)

    def softmax(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Softmax within each list."""
        powers = np.exp(values - np.maximum.reduceat(values, self._starts)[self.of])
        return powers / self.sums(powers)[self.of]

    def sums(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Sum of each list."""
        return np.add.reduceat(values, self._starts)

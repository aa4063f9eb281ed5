"""An encoder that averages the pipeline's own word vectors."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from spacy.attrs import ORTH
from spacy.language import Language
from spacy.tokens import Doc
from spacy.vectors import Mode
from spacy.vocab import Vocab
from thinc.api import get_array_module, to_numpy

from ..errors import BiochunkError, Errors
from ..ty import FloatArray, IntArray
from .checks import check_text, flat_spans
from .cosines import Targets, make_targets, span_cosines, unit_rows
from .sums import Integers, dot_products, span_sums

# The largest value of a table becomes this integer: as precise as the table's own float32 needs.
PEAK = 2**20


@dataclass(frozen=True, eq=False)
class VectorTargets:
    """What spans are compared with.

    scale (float): What the word vectors are multiplied by before they are rounded to integers.
    targets (Targets): The texts, on the same scale.
    """

    scale: float
    targets: Targets


class VectorsEncoder:
    """Sums of `nlp.vocab.vectors` over the tokens; words without a vector count as zero.

    The vectors are rounded to integers (about six digits), so that a span has the same bits in every batch.
    """

    def __init__(self) -> None:
        self._nlp: Language | None = None

    def bind(self, nlp: Language) -> None:
        """Hand over the pipeline, whose tokenizer and vectors are used from now on."""
        self._nlp = nlp

    def encode(self, texts: Sequence[str]) -> FloatArray:
        """Encode texts.

        texts (Sequence[str]): The texts; the pipeline's tokenizer splits them.
        RETURNS (FloatArray): Shape (len(texts), d); rows of unit length, or zero where no word has a vector.
        RAISES (BiochunkError): If the pipeline has no vectors, or a text holds a lone surrogate.
        """
        return unit_rows(self._text_sums(texts))

    def prepare(self, texts: Sequence[str]) -> VectorTargets:
        """Make ready what spans will be compared with.

        texts (Sequence[str]): The texts, usually the relation definitions.
        RETURNS (VectorTargets): For `similarities`.
        """
        return VectorTargets(_scale(self._pipeline().vocab), make_targets(self._text_sums(texts)))

    def similarities(self, docs: Sequence[Doc], spans: Sequence[IntArray], targets: VectorTargets) -> FloatArray:
        """Cosine of every span to every target text.

        docs (Sequence[Doc]): The Docs of a batch, of one vocabulary.
        spans (Sequence[IntArray]): For each Doc an array (k, 2) of token bounds.
        targets (VectorTargets): What `prepare` returned.
        RETURNS (FloatArray): Shape (sum of k, number of target texts), in the order of docs and spans.
        RAISES (BiochunkError): If a span lies outside its Doc.
        """
        starts, ends = flat_spans(docs, spans)
        words, index = _words(docs, targets.scale, targets.targets.vectors.shape[1])
        dots = dot_products(words, targets.targets.vectors)
        return span_cosines(words, dots, index, starts, ends, targets.targets)

    def __getstate__(self) -> dict[str, None]:
        # A pipeline cannot be sent to a spawned worker, and `similarities` needs none.
        return {"_nlp": None}

    def _pipeline(self) -> Language:
        if self._nlp is None:
            raise _wrong("is not bound to a pipeline", "a call of bind(nlp), as the chunk selector makes")
        return self._nlp

    def _text_sums(self, texts: Sequence[str]) -> Integers:
        """Sums of the texts' word vectors: shape (len(texts), d)."""
        nlp = self._pipeline()
        scale = _scale(nlp.vocab)
        for text in texts:
            check_text(text)
        docs = [nlp.make_doc(text) for text in texts]
        words, index = _words(docs, scale, nlp.vocab.vectors.shape[1])
        ends = np.cumsum([len(doc) for doc in docs], dtype=np.intp)
        starts = np.concatenate([np.zeros(1, dtype=np.intp), ends])[:-1]
        sums = np.zeros((len(texts), words.shape[1]), dtype=np.int64)
        for which, part in span_sums(words, index, starts, ends):
            sums[which] = part
        return sums


def make_vectors_encoder() -> VectorsEncoder:
    """Builder of `biochunk.vectors_encoder.v1`: the selector binds it to its pipeline."""
    return VectorsEncoder()


def _scale(vocab: Vocab) -> float:
    """What makes the largest value of the vector table `PEAK`."""
    data = vocab.vectors.data
    if not data.size:
        raise _wrong(
            "found no word vectors in the pipeline",
            "some: set [initialize] vectors, or take a pipeline that has them",
        )
    xp = get_array_module(data)
    largest = float(xp.abs(data).max())
    if not np.isfinite(largest):
        raise _wrong("found NaN or infinite values in the pipeline's word vectors", "finite values")
    return PEAK / largest if largest else 1.0


def _words(docs: Sequence[Doc], scale: float, dims: int) -> tuple[Integers, IntArray]:
    """The different words of a batch: their vectors (u, d), and which one stands at each token (t,)."""
    tokens = [doc for doc in docs if len(doc)]
    if not tokens:
        return np.zeros((0, dims), dtype=np.int64), np.zeros(0, dtype=np.intp)
    vectors = tokens[0].vocab.vectors
    attribute = getattr(vectors, "attr", ORTH)
    keys, index = np.unique(np.concatenate([doc.to_array(attribute) for doc in tokens]), return_inverse=True)
    if vectors.mode == Mode.default:
        rows = to_numpy(vectors.find(keys=keys))
        found = np.zeros((len(keys), dims))
        found[rows >= 0] = to_numpy(vectors.data)[rows[rows >= 0]]
    else:
        found = to_numpy(vectors.get_batch(keys)).astype(np.float64)
    return np.rint(found * scale).astype(np.int64), index


def _wrong(problem: str, expected: str) -> BiochunkError:
    encoder = "biochunk.vectors_encoder.v1"
    return BiochunkError(Errors.E008.format(encoder=encoder, problem=problem, expected=expected))

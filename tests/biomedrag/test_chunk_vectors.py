import numpy as np
import pytest
from tests.biomedrag.handmade import BagOfWords, sentence

from biochunk.biomedrag.chunk_vectors import encode_chunks, frame_of

TEXT = "Aspirin blocks platelet COX-1 in mice."


@pytest.mark.parametrize(
    ("chunk", "mentions", "frame"),
    [
        ("Aspirin blocks platelet COX-1", ["Aspirin", "COX-1"], "blocks platelet"),
        ("blocks platelet", ["Aspirin", "COX-1"], "blocks platelet"),
        ("Aspirin blocks platelet COX-1", [], "Aspirin blocks platelet COX-1"),
        ("blocks platelet", ["platelet COX-1"], "blocks"),
        ("Aspirin blocks platelet COX-1", ["platelet COX-1", "COX-1"], "Aspirin blocks"),
        ("Aspirin", ["Aspirin"], "Aspirin"),
        ("COX-1 in mice.", ["COX-1", "in mice"], "COX-1 in mice."),
    ],
)
def test_a_frame_is_the_chunk_without_its_entities(chunk, mentions, frame):
    own = sentence("a", TEXT, chunk, mentions=mentions)
    assert frame_of(own, own.pieces[0]) == frame


CHUNKS = [("aspirin blocks", "blocks"), ("warfarin blocks", "blocks"), ("aspirin aspirin", "aspirin aspirin")]


def test_with_frames_the_cosine_is_the_mean_of_both_cosines():
    encoder = BagOfWords(["aspirin", "warfarin", "blocks"])
    texts, frames = (encoder.encode(list(side)) for side in zip(*CHUNKS, strict=True))
    vectors = encode_chunks(encoder, CHUNKS, "text+frame")
    np.testing.assert_allclose(vectors @ vectors.T, (texts @ texts.T + frames @ frames.T) / 2, atol=1e-6)


def test_without_frames_vectors_are_those_of_the_texts():
    encoder = BagOfWords(["aspirin", "warfarin", "blocks"])
    vectors = encode_chunks(encoder, CHUNKS, "text")
    np.testing.assert_array_equal(vectors, encoder.encode([text for text, _ in CHUNKS]))


def test_a_chunk_without_a_known_word_is_zero():
    vectors = encode_chunks(BagOfWords(["aspirin"]), [("xyz", "xyz")], "text+frame")
    assert vectors.shape == (1, 2) and not vectors.any()

"""An encoder that encodes each text once."""

import numpy as np

from biochunk.evaluation.remembering import Remembering


class Lengths:
    def __init__(self):
        self.asked = []

    def encode(self, texts):
        self.asked.append(list(texts))
        return np.array([[len(text), 1.0] for text in texts], dtype=np.float32).reshape(len(texts), 2)


def test_a_text_is_encoded_once():
    behind = Lengths()
    encoder = Remembering(behind)
    assert encoder.encode(["a", "bb", "a"]).tolist() == [[1, 1], [2, 1], [1, 1]]
    assert encoder.encode(["bb", "ccc"]).tolist() == [[2, 1], [3, 1]]
    assert behind.asked == [["a", "bb"], ["ccc"]]


def test_no_text_gives_no_row():
    assert Remembering(Lengths()).encode([]).shape == (0, 2)

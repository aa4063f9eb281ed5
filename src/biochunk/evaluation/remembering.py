"""Encode once what several searches share."""

from collections.abc import Sequence

import numpy as np

from ..ty import Encoder, FloatArray


class Remembering:
    """An encoder that encodes each text once in its life; the indexes of several chunkers share many texts.

    encoder (Encoder): The encoder behind it. What is remembered stays in memory: 1.5 KiB a text at 384 dimensions.
    """

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder
        self._vectors: dict[str, FloatArray] = {}

    def encode(self, texts: Sequence[str]) -> FloatArray:
        """As `Encoder.encode`; only texts that are new go to the encoder behind, each once."""
        new = [text for text in dict.fromkeys(texts) if text not in self._vectors]
        if new or not texts:
            encoded = self._encoder.encode(new)
            if not texts:
                return encoded
            self._vectors.update(zip(new, encoded, strict=True))
        return np.stack([self._vectors[text] for text in texts])

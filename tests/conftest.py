"""Fixtures that several parts' tests share."""

from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np
import pytest
from hypothesis import settings
from tokenizers import Tokenizer
from tokenizers.models import WordPiece
from tokenizers.normalizers import BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer

from biochunk.encoders.static import StaticEncoder
from biochunk.encoders.static_table import build_table

# The same examples in every run, so that a check says the same of the same code, and no
# limit of time that a busy machine can break. `pytest --hypothesis-profile explore` looks for new ones.
settings.register_profile("same", derandomize=True, deadline=None)
settings.register_profile("explore", deadline=None, max_examples=500)
settings.load_profile("same")


def build_tiny_static_encoder(
    words: Iterable[str] | Mapping[str, Sequence[float]], *, dims: int = 8, seed: int = 0
) -> StaticEncoder:
    """A static encoder whose vocabulary is the given lower-case words; every other word is unknown.

    words (Iterable[str] | Mapping[str, Sequence[float]]): The pieces ("##ing" is one inside a word), with
        their vectors if it is a mapping; otherwise each gets a random one.
    dims (int): Length of the random vectors.
    seed (int): Seed of the random vectors.
    """
    names = list(dict.fromkeys(words))
    if isinstance(words, Mapping):
        vectors = np.array([words[name] for name in names], dtype=np.float64)
    else:
        vectors = np.random.default_rng(seed).normal(size=(len(names), dims))
    vectors = np.vstack([np.zeros((1, vectors.shape[1])), vectors])
    vocab = {name: i for i, name in enumerate(["[UNK]", *names])}
    tokenizer = Tokenizer(WordPiece(vocab, unk_token="[UNK]"))
    tokenizer.normalizer = BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = BertPreTokenizer()
    return StaticEncoder(build_table(vectors, tokenizer, "tiny"))


@pytest.fixture(scope="session")
def tiny_static_encoder() -> Callable[..., StaticEncoder]:
    """The function `build_tiny_static_encoder`."""
    return build_tiny_static_encoder

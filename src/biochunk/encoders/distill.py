"""From a sentence transformer to a static table.

Each word piece and each frequent biomedical word goes through the model once; of the vectors the principal
components are kept, weighted by frequency. The idea is that of model2vec (MinishLab, 2024); the weights are
smooth inverse frequencies (Arora, Liang, Ma, 2017), with frequencies read from the order of the vocabulary.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from importlib.resources import files
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer
from tqdm import tqdm

from ..errors import BiochunkError, Errors, MissingExtraError
from .models import DEFAULT_MODEL, resolve_model
from .static import StaticEncoder
from .static_table import build_table, plain_tokenizer

Floats = NDArray[np.float64]

# Pieces or words that go through the model at a time.
BATCH = 512
WORKERS = 2

# Chosen on sentences of the GM-CIHT training split by agreement with the transformer's own cosines.
# First components that are left out: they say how frequent a piece is rather than what it means.
SKIPPED_COMPONENTS = 3
# The frequency of the word of rank r is taken as proportional to 1 / (r + 500), and its weight is
# (r + 500) / (r + 2500): 0.2 for the most frequent word, 0.9 for rare ones.
RANK_OFFSET = 500
RANK_SCALE = 2000
# Letters, digits and punctuation marks stand before all words in a vocabulary, in no order of frequency.
CHARACTER_WEIGHT = 0.05


def distill(
    model: str | Path = DEFAULT_MODEL,
    *,
    dims: int = 256,
    words: Iterable[str] | None = None,
    limit: int | None = None,
    progress: bool = True,
) -> StaticEncoder:
    """Make a static encoder from a transformer; about a minute on two cores.

    model (str | Path): A folder, an installed package that holds a model, or a name on the Hugging Face hub.
        Its tokenizer must be WordPiece, its sentence vector the mean over all tokens.
    dims (int): Length of the vectors.
    words (Iterable[str] | None): Words that get vectors of their own although the model's vocabulary holds
        them in pieces; default: `biomedical_words()`.
    limit (int | None): For trials: only the first so many pieces and words, the rest get zero vectors.
    progress (bool): Show a progress bar on stderr if that is a terminal.
    RETURNS (StaticEncoder): The encoder; the same bits in every run on one machine.
    RAISES (MissingExtraError): If torch, transformers or the default model is not installed.
    RAISES (BiochunkError): If the model cannot be loaded or is of another kind.
    """
    network, tokenizer, first, last = _load(str(model))
    plain = plain_tokenizer(tokenizer)
    names = [plain.id_to_token(i) for i in range(plain.get_vocab_size())]
    pieces = [[i] for i in range(len(names))]
    extended, added = add_words(plain, biomedical_words() if words is None else words)
    pieces += [plain.encode(word, add_special_tokens=False).ids for word in added]
    names += added
    meaningful = np.array([not is_special(name) for name in names])
    chosen = np.flatnonzero(meaningful)[:limit]
    if dims + SKIPPED_COMPONENTS > min(len(chosen), network.config.hidden_size):
        most = min(len(chosen), network.config.hidden_size) - SKIPPED_COMPONENTS
        raise _wrong(str(model), f"cannot give {dims} dimensions", f"at most {most}")
    sequences = [[first, *pieces[i], last] for i in chosen]
    vectors = np.zeros((len(names), dims))
    vectors[chosen] = principal_components(mean_states(network, sequences, progress=progress), dims)
    weights = frequency_weights(names, len(names) - len(added))
    return StaticEncoder(build_table(vectors * weights[:, None], extended, Path(model).name))


def biomedical_words() -> list[str]:
    """Frequent biomedical words that BERT holds only in pieces; the file says where they come from."""
    data = files("biochunk").joinpath("data", "words.json").read_text(encoding="utf8")
    return list(json.loads(data)["words"])


def add_words(tokenizer: Tokenizer, words: Iterable[str]) -> tuple[Tokenizer, list[str]]:
    """Give words a piece of their own at the end of the vocabulary.

    tokenizer (Tokenizer): A WordPiece tokenizer.
    words (Iterable[str]): Words; each is normalised and split as the tokenizer does with text.
    RETURNS (tuple[Tokenizer, list[str]]): A new tokenizer and the words that were added, in order.
    """
    data = json.loads(tokenizer.to_str())
    vocab = data["model"]["vocab"]
    added = []
    for text in words:
        normal = text if tokenizer.normalizer is None else tokenizer.normalizer.normalize_str(text)
        for word, _ in tokenizer.pre_tokenizer.pre_tokenize_str(normal):
            if word not in vocab:
                vocab[word] = len(vocab)
                added.append(word)
    return Tokenizer.from_str(json.dumps(data)), added


def is_special(piece: str) -> bool:
    """True for "[CLS]", "[unused7]" and their like."""
    return len(piece) > 2 and piece.startswith("[") and piece.endswith("]")


def frequency_weights(names: Sequence[str], ranked: int) -> Floats:
    """Weights of pieces: low for frequent ones, 0 for special ones.

    names (Sequence[str]): The pieces in order of the vocabulary, that is, of falling frequency.
    ranked (int): Number of pieces that this holds for; later ones, the added words, count as the rarest.
    RETURNS (Floats): Shape (len(names),).
    """
    words = np.array([len(name) > 1 and not is_special(name) for name in names])
    ranks = np.cumsum(words)
    ranks[ranked:] = ranks[ranked - 1]
    weights = (ranks + RANK_OFFSET) / (ranks + RANK_OFFSET + RANK_SCALE)
    weights[~words] = [CHARACTER_WEIGHT * (len(name) == 1) for name, word in zip(names, words, strict=True) if not word]
    return weights


def principal_components(vectors: Floats, dims: int, *, skip: int = SKIPPED_COMPONENTS) -> Floats:
    """Centre the vectors and keep `dims` principal components after the first `skip`.

    vectors (Floats): Shape (n, d).
    RETURNS (Floats): Shape (n, dims). A component's sign is such that its largest coefficient is positive.
    """
    centred = vectors - vectors.mean(axis=0)
    # Rows of the last factor are eigenvectors of the covariance, the largest eigenvalue first.
    axes = np.linalg.svd(centred.T @ centred, hermitian=True)[2][skip : skip + dims]
    largest = np.abs(axes).argmax(axis=1)
    axes *= np.sign(axes[np.arange(len(axes)), largest])[:, None]
    return centred @ axes.T


def mean_states(network: Any, sequences: Sequence[Sequence[int]], *, progress: bool) -> Floats:
    """Means of the model's last states.

    network (Any): The transformers model.
    sequences (Sequence[Sequence[int]]): Token ids; sequences of one length go together, so nothing is padded.
    RETURNS (Floats): Shape (len(sequences), hidden size).
    RAISES (BiochunkError): If a state is not finite.
    """
    import torch

    means = np.zeros((len(sequences), network.config.hidden_size))

    def work(numbers: list[int]) -> int:
        with torch.inference_mode():
            ids = torch.tensor([sequences[i] for i in numbers])
            states = network(input_ids=ids, attention_mask=torch.ones_like(ids)).last_hidden_state
            means[numbers] = states.mean(dim=1).double().numpy()
        return len(numbers)

    bar = tqdm(total=len(sequences), desc="distilling", unit="piece", disable=None if progress else True)
    with bar, one_torch_thread(), ThreadPoolExecutor(WORKERS) as pool:
        for done in pool.map(work, _batches(sequences)):
            bar.update(done)
    if not np.isfinite(means).all():
        raise _wrong(network.config.name_or_path, "gives NaN or infinite states", "finite ones")
    return means


def _batches(sequences: Sequence[Sequence[int]]) -> Iterator[list[int]]:
    """Numbers of sequences of one length, up to `BATCH` of them."""
    order = sorted(range(len(sequences)), key=lambda i: len(sequences[i]))
    for _, group in groupby(order, key=lambda i: len(sequences[i])):
        numbers = list(group)
        for start in range(0, len(numbers), BATCH):
            yield numbers[start : start + BATCH]


@contextmanager
def one_torch_thread() -> Iterator[None]:
    """One thread a batch: two batches side by side are faster than two threads that wait for each other, and
    the order of additions is the same everywhere."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def _load(model: str) -> tuple[Any, Tokenizer, int, int]:
    """The network, its tokenizer, and the ids of the tokens that open and close a sentence."""
    try:
        import torch  # noqa: F401
        from transformers import AutoModel, AutoTokenizer
    except ImportError:
        raise MissingExtraError("transformers", "embeddings", "Distilling a static encoder") from None
    path = resolve_model(model)
    try:
        network = AutoModel.from_pretrained(path)
        tokenizer = AutoTokenizer.from_pretrained(path, use_fast=True)
    except (OSError, ValueError) as error:
        expected = "a folder, an installed package or a hub name of a transformer"
        raise _wrong(model, f"cannot be loaded: {' '.join(str(error).split())}", expected) from None
    if not tokenizer.is_fast or tokenizer.cls_token_id is None or tokenizer.sep_token_id is None:
        raise _wrong(model, "has no fast tokenizer with [CLS] and [SEP]", "a BERT-like model")
    return network.eval(), tokenizer.backend_tokenizer, tokenizer.cls_token_id, tokenizer.sep_token_id


def _wrong(model: str, problem: str, expected: str) -> BiochunkError:
    return BiochunkError(Errors.E008.format(encoder=model, problem=problem, expected=expected))

"""The static encoder's data: one integer row a word piece, the tokenizer that makes pieces, and how both are
saved."""

import json
from dataclasses import dataclass
from typing import Any

import numpy as np
import safetensors
import safetensors.numpy
from numpy.typing import NDArray
from spacy.strings import StringStore
from tokenizers import Tokenizer
from tokenizers.models import WordPiece
from tokenizers.pre_tokenizers import BertPreTokenizer

from ..errors import BiochunkError, Errors
from .sums import peak

NAME = "biochunk.static_encoder.v1"
SCHEMA_VERSION = 1
# Largest absolute value of a table entry: 11 bits with the sign.
PEAK = 1023
CONTINUATION = "##"


@dataclass(frozen=True, eq=False)
class StaticTable:
    """One integer row a word piece. Make it with `build_table` or `read_table`.

    rows (NDArray[np.int16]): Shape (v, d), absolute values up to 1023; zero rows for pieces without meaning.
    tokenizer (Tokenizer): WordPiece; normalises and splits as BERT does, adds no special tokens, cuts
        nothing off.
    keys (NDArray[np.uint64]): Shape (w,), ascending: spaCy's string id of every piece that is a whole word.
    pieces (NDArray[np.int32]): Shape (w,): the row of each of these words.
    meta (dict[str, Any]): `schema`, `source` (name of the model that was distilled), `scale` (value of one
        unit), `dims`.
    """

    rows: NDArray[np.int16]
    tokenizer: Tokenizer
    keys: NDArray[np.uint64]
    pieces: NDArray[np.int32]
    meta: dict[str, Any]


def build_table(vectors: NDArray[np.floating], tokenizer: Tokenizer, source: str) -> StaticTable:
    """Quantise vectors to a table.

    vectors (NDArray[np.floating]): Shape (v, d); row i belongs to piece i of the tokenizer.
    tokenizer (Tokenizer): A WordPiece tokenizer; it is copied without truncation, padding and special tokens.
    source (str): Where the vectors come from, for the record.
    RETURNS (StaticTable): The table; the largest absolute value becomes 1023.
    RAISES (BiochunkError): If the vectors are not finite, not one a piece, or the tokenizer is of another
        kind.
    """
    plain = plain_tokenizer(tokenizer)
    if vectors.ndim != 2 or len(vectors) != plain.get_vocab_size():
        raise _wrong(f"got vectors of shape {vectors.shape}", f"one row for each of {plain.get_vocab_size()} pieces")
    if not np.isfinite(vectors).all():
        raise _wrong("got vectors with NaN or infinite values", "finite values")
    scale = float(np.abs(vectors).max(initial=0)) / PEAK or 1.0
    rows = np.rint(vectors / scale).astype(np.int16)
    meta = {"schema": SCHEMA_VERSION, "source": source, "scale": scale, "dims": vectors.shape[1]}
    return _assemble(rows, plain, whole_words(plain), meta)


def plain_tokenizer(tokenizer: Tokenizer) -> Tokenizer:
    """A copy that gives the pieces of a text and nothing else; "[MASK]" in a text is "[", "mask", "]"."""
    data = json.loads(tokenizer.to_str())
    data.update(truncation=None, padding=None, post_processor=None, added_tokens=[])
    return _read_tokenizer(json.dumps(data))


def whole_words(tokenizer: Tokenizer) -> NDArray[np.int32]:
    """Pieces that stand for a whole lower-case word: the tokenizer gives just this piece for the word."""
    vocab = tokenizer.get_vocab(with_added_tokens=False)
    words = [word for word in vocab if word == word.lower() and not is_continuation(word)]
    encoding = tokenizer.encode(words, is_pretokenized=True, add_special_tokens=False)
    found: dict[int, list[int]] = {}
    for number, piece in zip(encoding.word_ids, encoding.ids, strict=True):
        found.setdefault(number, []).append(piece)
    whole = [vocab[word] for number, word in enumerate(words) if found.get(number) == [vocab[word]]]
    return np.array(sorted(whole), dtype=np.int32)


def is_continuation(piece: str) -> bool:
    """True for a piece that only stands inside a word, such as "##ing"."""
    return piece.startswith(CONTINUATION) and len(piece) > len(CONTINUATION)


def write_table(table: StaticTable) -> dict[str, bytes]:
    """The table as named files: safetensors, the tokenizer's JSON and a small JSON of facts."""
    tensors: dict[str, NDArray[Any]] = {"rows": table.rows, "words": np.sort(table.pieces)}
    return {
        "table.safetensors": safetensors.numpy.save(tensors),
        "tokenizer.json": table.tokenizer.to_str().encode("utf8"),
        "meta.json": json.dumps(table.meta, indent=2, sort_keys=True).encode("utf8"),
    }


FILES = ("table.safetensors", "tokenizer.json", "meta.json")


def read_table(files: dict[str, bytes], where: str = NAME) -> StaticTable:
    """The table from what `write_table` gave.

    files (dict[str, bytes]): File name to content.
    where (str): What to call the files in an error, for example their folder.
    RETURNS (StaticTable): The table.
    RAISES (BiochunkError): If a file is missing, broken, of another version, or does not fit the others.
    """
    missing = [name for name in FILES if name not in files]
    if missing:
        raise _wrong(f"has no {', '.join(missing)}", f"the files {', '.join(FILES)}", where)
    try:
        meta = json.loads(files["meta.json"])
        tensors = safetensors.numpy.load(files["table.safetensors"])
        text = files["tokenizer.json"].decode("utf8")
    except (ValueError, safetensors.SafetensorError) as error:
        raise _wrong(f"has a broken file: {error}", "the files that were saved", where) from None
    schema = meta.get("schema") if isinstance(meta, dict) else meta
    if schema != SCHEMA_VERSION:
        expected = f"schema {SCHEMA_VERSION}; build the pipeline again"
        raise _wrong(f"was saved with table schema {schema}", expected, where)
    tokenizer = _read_tokenizer(text, where)
    rows, words = tensors.get("rows"), tensors.get("words")
    size = tokenizer.get_vocab_size()
    if rows is None or words is None or rows.dtype != np.int16 or rows.ndim != 2 or len(rows) != size:
        expected = f"an int16 row for each of {size} pieces"
        raise _wrong("has a table that does not fit its tokenizer", expected, where)
    if peak(rows) > PEAK or (len(words) and not 0 <= int(words.min()) <= int(words.max()) < size):
        raise _wrong("has values out of range", f"rows up to {PEAK} and words below {size}", where)
    return _assemble(rows, tokenizer, words, meta)


def _assemble(
    rows: NDArray[np.int16], tokenizer: Tokenizer, words: NDArray[np.int32], meta: dict[str, Any]
) -> StaticTable:
    # Not the hash alone: spaCy gives a few hundred words ("agent", "number") a small symbol number instead.
    strings = StringStore()
    keys = np.array([strings[tokenizer.id_to_token(word)] for word in words.tolist()], dtype=np.uint64)
    order = np.argsort(keys)
    return StaticTable(rows, tokenizer, keys[order], words[order], meta)


def _read_tokenizer(data: str, where: str = NAME) -> Tokenizer:
    try:
        tokenizer = Tokenizer.from_str(data)
    except Exception as error:  # the tokenizers package raises no narrower class
        expected = "a tokenizer.json of the tokenizers package"
        raise _wrong(f"has a broken tokenizer: {error}", expected, where) from None
    if not (isinstance(tokenizer.model, WordPiece) and isinstance(tokenizer.pre_tokenizer, BertPreTokenizer)):
        raise _wrong("has a tokenizer of another kind", "WordPiece with the BERT pre-tokenizer", where)
    return tokenizer


def _wrong(problem: str, expected: str, where: str = NAME) -> BiochunkError:
    return BiochunkError(Errors.E008.format(encoder=where, problem=problem, expected=expected))

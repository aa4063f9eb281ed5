"""The default encoder: a table of word-piece vectors, added up. No neural network at run time."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import srsly
from numpy.typing import NDArray
from spacy.tokens import Doc

from ..errors import BiochunkError, Errors
from ..ty import FloatArray, IntArray
from .checks import check_text, flat_spans
from .cosines import Targets, make_targets, span_cosines, unit_rows
from .static_table import FILES, NAME, StaticTable, read_table, write_table
from .sums import Integers, dot_products, span_sums

# What an encoder without a table saves.
EMPTY = {"meta.json": b'{"empty": true}'}
# Texts that are in work at a time in `encode`.
TEXTS = 1024
# Rows of the table that meet the target texts at a time.
ROWS = 4096
# How BERT's pre-tokenizer splits printable ASCII: every sign that is no letter, digit or space stands alone.
_PARTS = re.compile(r"[a-z0-9]+|[^a-z0-9 ]")


@dataclass(frozen=True, eq=False)
class PieceTargets:
    """What spans are compared with.

    targets (Targets): The target texts, n of them.
    dots (NDArray[np.int64]): Shape (rows of the table, n); dot products of every piece with every text.
    """

    targets: Targets
    dots: NDArray[np.int64]


class StaticEncoder:
    """Sums of word-piece vectors; the cosine does not see the difference between a sum and a mean.

    All sums are exact integers, so a text gets the same bits alone, in any batch, in any process and in any
    run. A Doc's words are looked up in lower case, once for each different word of a batch. `encode` splits
    text by the tokenizer's own rules and `similarities` by spaCy's tokens first: both see the same pieces
    except where spaCy cuts inside a word ("10mg" is "10" and "mg" to spaCy, "10" and "##mg" here).

    table (StaticTable | None): The data; None for an encoder that gets it by `from_disk` or `from_bytes`.
    """

    def __init__(self, table: StaticTable | None = None) -> None:
        self._table = table

    @property
    def table(self) -> StaticTable:
        """The data. RAISES (BiochunkError): If there is none yet."""
        if self._table is None:
            raise BiochunkError(
                Errors.E008.format(
                    encoder=NAME,
                    problem="holds no table yet",
                    expected=(
                        "one: run `biochunk build` and load the pipeline that it makes, or set "
                        "[initialize.components.hybrid_selector] encoder_source and call nlp.initialize()"
                    ),
                )
            )
        return self._table

    @property
    def is_empty(self) -> bool:
        """True while there is no table."""
        return self._table is None

    @property
    def dims(self) -> int:
        """Length of a vector."""
        return int(self.table.rows.shape[1])

    def encode(self, texts: Sequence[str]) -> FloatArray:
        """Encode texts.

        texts (Sequence[str]): The texts.
        RETURNS (FloatArray): Shape (len(texts), d); rows of unit length, or zero for text with no known word.
        RAISES (BiochunkError): If a text holds a lone surrogate, or there is no table.
        """
        vectors = np.zeros((len(texts), self.dims), dtype=np.float32)
        for first in range(0, len(texts), TEXTS):
            vectors[first : first + TEXTS] = unit_rows(self._text_sums(texts[first : first + TEXTS]))
        return vectors

    def prepare(self, texts: Sequence[str]) -> PieceTargets:
        """Make ready what spans will be compared with, once: every piece of the table meets every text.

        texts (Sequence[str]): The texts, usually the relation definitions.
        RETURNS (PieceTargets): For `similarities`.
        """
        targets = make_targets(self._text_sums(texts))
        rows = self.table.rows
        dots = np.empty((len(rows), len(texts)), dtype=np.int64)
        for first in range(0, len(rows), ROWS):
            dots[first : first + ROWS] = dot_products(rows[first : first + ROWS], targets.vectors)
        return PieceTargets(targets, dots)

    def similarities(self, docs: Sequence[Doc], spans: Sequence[IntArray], targets: PieceTargets) -> FloatArray:
        """Cosine of every span to every target text.

        docs (Sequence[Doc]): The Docs of a batch.
        spans (Sequence[IntArray]): For each Doc an array (k, 2) of token bounds.
        targets (PieceTargets): What `prepare` returned.
        RETURNS (FloatArray): Shape (sum of k, number of target texts), in the order of docs and spans.
        RAISES (BiochunkError): If a span lies outside its Doc, there is no table, or the Docs' Vocab is a
            bare `Vocab()`.
        """
        starts, ends = flat_spans(docs, spans)
        words, pieces, index = self._words(docs)
        # Nearly all words are single pieces, whose dot products are known already.
        dots = targets.dots.take(pieces, axis=0)
        several = np.flatnonzero(pieces < 0)
        dots[several] = dot_products(words[several], targets.targets.vectors)
        return span_cosines(words, dots, index, starts, ends, targets.targets)

    def to_bytes(self) -> bytes:
        """The table as bytes; those of an empty encoder say that it is empty."""
        return srsly.msgpack_dumps(self._files())

    def from_bytes(self, data: bytes) -> "StaticEncoder":
        """Take the table from what `to_bytes` gave. RETURNS (StaticEncoder): This encoder."""
        self._table = _read(srsly.msgpack_loads(data), NAME)
        return self

    def to_disk(self, path: str | Path) -> None:
        """Write the table's files into a folder; an empty encoder writes that it is empty."""
        folder = Path(path)
        folder.mkdir(parents=True, exist_ok=True)
        for name, content in self._files().items():
            (folder / name).write_bytes(content)

    def from_disk(self, path: str | Path) -> "StaticEncoder":
        """Take the table from a folder that `to_disk` wrote.

        path (str | Path): The folder.
        RETURNS (StaticEncoder): This encoder.
        RAISES (BiochunkError): If there is no such folder, or a file in it is missing or broken.
        """
        folder = Path(path)
        if not folder.is_dir():
            raise BiochunkError(Errors.E009.format(action="read", path=folder, problem="no such folder"))
        files = {name: (folder / name).read_bytes() for name in FILES if (folder / name).is_file()}
        self._table = _read(files, str(folder))
        return self

    def _files(self) -> dict[str, bytes]:
        return EMPTY if self._table is None else write_table(self._table)

    def _text_sums(self, texts: Sequence[str]) -> Integers:
        """Sums of the texts' pieces: shape (len(texts), d)."""
        for text in texts:
            check_text(text)
        return self._piece_sums(*self._tokenize([text.lower() for text in texts]))

    def _words(self, docs: Sequence[Doc]) -> tuple[Integers, IntArray, IntArray]:
        """The different words of a batch: their vectors (u, d), their rows of the table or -1 where a word has not
        exactly one (u,), and which word stands at each token (t,).
        """
        table = self.table
        tokens = [doc.to_array("LOWER") for doc in docs if len(doc)]
        if not tokens:
            none = np.zeros(0, dtype=np.intp)
            return np.zeros((0, self.dims), dtype=np.int32), none, none
        # Numpy sorts by a faster way when it must also tell where each key stands first.
        keys, _, index = np.unique(np.concatenate(tokens), return_index=True, return_inverse=True)
        if keys[0] == 0 and any(token.orth and not token.lower for doc in docs for token in doc):
            raise BiochunkError(
                Errors.E008.format(
                    encoder=NAME,
                    problem="got Docs of a Vocab that knows no lower-case forms",
                    expected="Docs made with a pipeline's Vocab, nlp.vocab, in place of Vocab()",
                )
            )
        places = np.searchsorted(table.keys, keys)
        places[places == len(table.keys)] = 0
        known = table.keys[places] == keys if len(table.keys) else np.zeros(len(keys), dtype=bool)
        unknown = np.flatnonzero(~known)
        strings = docs[0].vocab.strings
        pieces, counts = self._word_pieces([strings[key] for key in keys[unknown].tolist()])
        sums = self._piece_sums(pieces, counts)
        words = np.zeros((len(keys), self.dims), dtype=sums.dtype)
        rows = np.full(len(keys), -1, dtype=np.intp)
        rows[known] = table.pieces[places[known]]
        words[known] = table.rows[rows[known]]
        words[unknown] = sums
        return words, rows, index

    def _word_pieces(self, words: Sequence[str]) -> tuple[list[int], list[int]]:
        """What `_tokenize` gives, by a shorter way for lower-case words of printable ASCII.

        They need no normalising, and are split at punctuation only, so their parts go straight to the model.
        """
        tokenize = self.table.tokenizer.model.tokenize
        pieces: list[int] = []
        counts: list[int] = []
        for word in words:
            if word.isascii() and word.isprintable():
                parts = [word] if word.isalnum() else _PARTS.findall(word)
                found = [piece.id for part in parts for piece in tokenize(part)]
            else:
                found = self.table.tokenizer.encode(word, add_special_tokens=False).ids
            pieces += found
            counts.append(len(found))
        return pieces, counts

    def _tokenize(self, texts: Sequence[str]) -> tuple[list[int], list[int]]:
        """Pieces of lower-case texts, one after the other, and how many each text has."""
        # One text a call: the tokenizer starts no threads for it, so a later fork of the process is safe.
        encodings = [self.table.tokenizer.encode(text, add_special_tokens=False).ids for text in texts]
        return [piece for ids in encodings for piece in ids], [len(ids) for ids in encodings]

    def _piece_sums(self, pieces: Sequence[int], counts: Sequence[int]) -> Integers:
        """Sums of the rows of the first counts[0] pieces, of the next counts[1], …: (len(counts), d)."""
        ends = np.cumsum(np.asarray(counts, dtype=np.intp))
        # Rows stay below 2^10.
        dtype = np.int32 if max(counts, default=0) < 2**21 else np.int64
        sums = np.zeros((len(counts), self.dims), dtype=dtype)
        index = np.asarray(pieces, dtype=np.intp)
        for which, part in span_sums(self.table.rows, index, ends - counts, ends):
            sums[which] = part
        return sums


def _read(files: dict[str, bytes], where: str) -> StaticTable | None:
    return None if files.get("meta.json") == EMPTY["meta.json"] else read_table(files, where)


def make_static_encoder() -> StaticEncoder:
    """Builder of `biochunk.static_encoder.v1`: it gets its table when the pipeline is built or loaded."""
    return StaticEncoder()

"""The chunk store: chunks of sentences whose relation is known, which are evidence for other sentences."""

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import safetensors
import safetensors.numpy

from ..corpora.splits import sentence_key
from ..errors import BiochunkError, Errors
from ..folders import whole_folder
from ..ty import Encoder, FloatArray, IntArray
from .chunk_vectors import View, encode_chunks, frame_of
from .items import Sentence

# Label of chunks of sentences in which no relation holds; DDI's own name for it.
NONE = "None"

ROWS, VECTORS, ABOUT = "rows.jsonl", "vectors.safetensors", "store.json"
_SCHEMA = 1


class Origin(NamedTuple):
    """Where a stored chunk comes from.

    record (str): Id of the record.
    sentence (str): Its `sentence_key`.
    source (str): What made the chunk ("proposition", "fixed", …).
    start, end (int): Its place in the record's text.
    """

    record: str
    sentence: str
    source: str
    start: int
    end: int


class Row(NamedTuple):
    """A stored chunk.

    text (str): The chunk.
    relation (str): A gold relation of its sentence, or `NONE`.
    frame (str): The chunk without its entities; see `frame_of`.
    origins (tuple[Origin, ...]): All sentences that gave this text with this relation, in corpus order.
    """

    text: str
    relation: str
    frame: str
    origins: tuple[Origin, ...]


@dataclass(frozen=True)
class About:
    """What a store was made from.

    dataset, split, arm, encoder (str): For the record; the encoder by name, as it is not saved.
    view (str): What was encoded; queries are encoded in the same way.
    """

    dataset: str = ""
    split: str = ""
    arm: str = ""
    encoder: str = ""
    view: View = "text+frame"


@dataclass(frozen=True, eq=False)
class ChunkStore:
    """Stored chunks and their vectors.

    rows (Sequence[Row]): The chunks.
    vectors (FloatArray): Shape (len(rows), d): as `encode_chunks` gives them.
    about (About): Where they come from.
    RAISES (BiochunkError): When there is not one finite vector a row.
    """

    rows: Sequence[Row]
    vectors: FloatArray
    about: About

    def __post_init__(self) -> None:
        if self.vectors.ndim != 2 or len(self.vectors) != len(self.rows) or not np.isfinite(self.vectors).all():
            raise BiochunkError(
                f"found vectors of shape {self.vectors.shape} for {len(self.rows)} chunks, expected a finite row each"
            )

    @cached_property
    def sentences(self) -> dict[str, IntArray]:
        """Rows that come from each sentence, by `sentence_key`."""
        found: dict[str, list[int]] = {}
        for number, row in enumerate(self.rows):
            for origin in row.origins:
                found.setdefault(origin.sentence, []).append(number)
        return {key: np.unique(np.array(rows, dtype=np.intp)) for key, rows in found.items()}

    def rows_of(self, sentence: str) -> IntArray:
        """Row numbers that come from a sentence.

        sentence (str): Its text.
        """
        return self.sentences.get(sentence_key(sentence), np.zeros(0, dtype=np.intp))

    def to_disk(self, folder: str | Path) -> None:
        """Save as JSON lines and safetensors, the whole folder or nothing."""
        rows = "".join(json.dumps(_to_json(row), ensure_ascii=False) + "\n" for row in self.rows).encode()
        vectors = safetensors.numpy.save({"vectors": np.ascontiguousarray(self.vectors, dtype=np.float32)})
        about = {"schema": _SCHEMA, **asdict(self.about), "digest": _digest(rows, vectors)}
        with whole_folder(folder) as new:
            (new / ROWS).write_bytes(rows)
            (new / VECTORS).write_bytes(vectors)
            (new / ABOUT).write_text(json.dumps(about, indent=2) + "\n", encoding="utf-8")

    @classmethod
    def from_disk(cls, folder: str | Path) -> "ChunkStore":
        """Load what `to_disk` saved.

        RAISES (BiochunkError): When a file is missing, broken, or not of this store.
        """
        path = Path(folder)
        try:
            files = {name: (path / name).read_bytes() for name in (ROWS, VECTORS, ABOUT)}
        except OSError as error:
            raise BiochunkError(
                Errors.E009.format(action="read", path=error.filename, problem=error.strerror)
            ) from None
        try:
            about = json.loads(files[ABOUT])
            schema, digest = about.pop("schema"), about.pop("digest")
            if schema != _SCHEMA:
                raise ValueError(f"found schema {schema}, expected {_SCHEMA}")
            if digest != _digest(files[ROWS], files[VECTORS]):
                raise ValueError(f"found {ROWS} or {VECTORS} changed since they were saved")
            rows = [_from_json(json.loads(line)) for line in files[ROWS].decode().splitlines()]
            return cls(rows, safetensors.numpy.load(files[VECTORS])["vectors"], About(**about))
        except (ValueError, TypeError, KeyError, AttributeError, safetensors.SafetensorError) as error:
            problem = f"no chunk store that fits together ({' '.join(str(error).split())}); build it again"
            raise BiochunkError(Errors.E009.format(action="read", path=path, problem=problem)) from None


def stored_rows(sentences: Iterable[tuple[str, Sentence]], *, top_k: int = 2) -> list[Row]:
    """The rows of a store. Equal texts with one relation are one row, with all origins.

    sentences (Iterable[tuple[str, Sentence]]): Relation and analysed sentence; see `labelled.labelled_sentences`.
    top_k (int): Chunks of each, by slot.
    """
    frames: dict[tuple[str, str], str] = {}
    origins: dict[tuple[str, str], list[Origin]] = {}
    for relation, sentence in sentences:
        key = sentence_key(sentence.text)
        for piece in sentence.pieces[:top_k]:
            row = piece.text, relation
            frames.setdefault(row, frame_of(sentence, piece))
            origin = Origin(sentence.id, key, piece.source, piece.start, piece.end)
            origins.setdefault(row, []).append(origin)
    return [Row(*row, frames[row], tuple(dict.fromkeys(found))) for row, found in origins.items()]


def build_store(rows: Sequence[Row], encoder: Encoder, about: About) -> ChunkStore:
    """Encode rows.

    rows (Sequence[Row]): See `stored_rows`.
    encoder (Encoder): Text to vectors.
    about (About): What is encoded, and for the record.
    RAISES (BiochunkError): When there are no rows.
    """
    if not rows:
        raise BiochunkError("found no chunk for the store, expected at least one: give records with a known relation")
    return ChunkStore(rows, encode_chunks(encoder, [(row.text, row.frame) for row in rows], about.view), about)


def _digest(rows: bytes, vectors: bytes) -> str:
    return hashlib.sha256(hashlib.sha256(rows).digest() + hashlib.sha256(vectors).digest()).hexdigest()


def _to_json(row: Row) -> dict[str, Any]:
    return {**row._asdict(), "origins": [origin._asdict() for origin in row.origins]}


def _from_json(value: dict[str, Any]) -> Row:
    return Row(**{**value, "origins": tuple(Origin(**origin) for origin in value["origins"])})

"""The chunk store as BioMedRAG has it: the best chunks of the dev split, each once a relation."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from spacy.language import Language

from ...corpora.splits import sentence_key
from ...errors import BiochunkError
from ...ty import Encoder, FloatArray, IntArray
from ..items import Sentence
from ..labelled import labelled_sentences
from .rows import Item
from .separators import Safe, safe, single_spaced

_BATCH = 1024


class Entry(NamedTuple):
    """A stored chunk and its relation."""

    chunk: Safe
    relation: str


@dataclass(frozen=True, eq=False)
class Stored:
    """The store.

    by_relation (dict[str, list[Safe]]): The chunks of each relation, those of every sentence.
    entries (list[Entry]): The same, each chunk once a relation.
    vectors (FloatArray): Shape (entries, d), unit rows.
    own (dict[str, IntArray]): By sentence key the entries that come from that sentence.
    """

    by_relation: dict[str, list[Safe]]
    entries: list[Entry]
    vectors: FloatArray
    own: dict[str, IntArray]


def store_chunks(
    nlp: Language, encoder: Encoder, items: Sequence[Item], labels: Sequence[str], *, top_k: int, none: bool
) -> Stored:
    """Chunk the dev split, each sentence against the definition of its gold relation.

    A sentence without a relation has no definition; its chunks are ranked as those of a new sentence.

    nlp (Language): The arm.
    encoder (Encoder): Its encoder.
    items (Sequence[Item]): The dev split.
    labels (Sequence[str]): Its relations.
    top_k (int): Chunks of a sentence, by slot.
    none (bool): Whether sentences without a relation are stored.
    """
    by_relation: dict[str, list[Safe]] = {}
    sources: dict[tuple[str, str], set[str]] = {}
    records = [item.record for item in items]
    for relation, sentence in labelled_sentences(records, nlp, labels, none=none):
        for chunk in chunks_of(sentence, top_k):
            by_relation.setdefault(relation, []).append(chunk)
            sources.setdefault((chunk.text, relation), set()).add(sentence_key(sentence.text))
    # The store's file has one relation after the other.
    entries = {
        (chunk.text, relation): Entry(chunk, relation) for relation, all_ in by_relation.items() for chunk in all_
    }
    own: dict[str, list[int]] = {}
    for number, entry in enumerate(entries):
        for key in sources[entry]:
            own.setdefault(key, []).append(number)
    vectors = encode(encoder, [chunk for chunk, _ in entries])
    rows = {key: np.array(numbers, dtype=np.intp) for key, numbers in own.items()}
    return Stored(by_relation, list(entries.values()), vectors, rows)


def chunks_of(sentence: Sentence, top_k: int) -> list[Safe]:
    """Its first chunks, as they may be written.

    RAISES (BiochunkError): When the arm found none.
    """
    if not sentence.pieces:
        raise BiochunkError(f"record '{sentence.id}': found no chunk, expected at least one")
    return [single_spaced(safe(piece.text)) for piece in sentence.pieces[:top_k]]


def encode(encoder: Encoder, texts: Sequence[str]) -> FloatArray:
    """Vectors of many texts, some at a time; at least one text."""
    return np.concatenate([encoder.encode(texts[at : at + _BATCH]) for at in range(0, len(texts), _BATCH)])

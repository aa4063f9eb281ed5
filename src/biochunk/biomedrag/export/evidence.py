"""The stored chunks that each chunk of a sentence finds, and those that BioMedRAG goes on with."""

from collections.abc import Sequence
from operator import itemgetter
from typing import NamedTuple

import numpy as np
from spacy.language import Language

from ...errors import BiochunkError
from ...ty import Encoder
from ..from_doc import read_sentences
from ..retrieval import Pick
from ..ty import VectorIndex
from .rows import Item
from .separators import Safe
from .stored import Entry, Stored, chunks_of, encode

# Stored chunks that a chunk finds.
NEAREST = 5
_NONE = np.zeros(0, dtype=np.intp)


class Found(NamedTuple):
    """A chunk of a sentence and the stored chunks nearest to it.

    chunk (Safe): The chunk.
    entries (list[Entry]): Up to five, in ascending similarity, as BioMedRAG sorts them.
    similarities (list[float]): Of each.
    """

    chunk: Safe
    entries: list[Entry]
    similarities: list[float]


def find_evidence(
    nlp: Language, encoder: Encoder, items: Sequence[Item], stored: Stored, index: VectorIndex, top_k: int
) -> list[list[Found]]:
    """Chunk each item as a new sentence, and let each chunk find stored chunks, never one of the same sentence.

    nlp (Language): The arm.
    encoder (Encoder): Its encoder.
    items (Sequence[Item]): The items.
    stored (Stored): The store.
    index (VectorIndex): Over its vectors.
    top_k (int): Chunks of an item, by slot.
    RETURNS (list[list[Found]]): For each item its chunks, at least one.
    RAISES (BiochunkError): When no stored chunk is left for a sentence.
    """
    texts = ((item.record.id, item.record.text) for item in items)
    asked = [
        (number, chunk)
        for number, sentence in enumerate(read_sentences(nlp, texts))
        for chunk in chunks_of(sentence, top_k)
    ]
    exclude = [stored.own.get(items[number].key, _NONE) for number, _ in asked]
    rows, similarities = index.search(encode(encoder, [c.text for _, c in asked]), NEAREST, exclude=exclude)
    found: list[list[Found]] = [[] for _ in items]
    for (number, chunk), near, values in zip(asked, rows.tolist(), similarities.tolist(), strict=True):
        pairs = [(stored.entries[row], value) for row, value in zip(near, values, strict=True) if row >= 0][::-1]
        if not pairs:
            raise BiochunkError(
                f"record '{items[number].record.id}': found no stored chunk of another sentence, expected some; give a "
                "larger dev file"
            )
        found[number].append(Found(chunk, [entry for entry, _ in pairs], [value for _, value in pairs]))
    return found


def picked(found: Sequence[Found], pick: Pick) -> dict[str, tuple[Entry, float]]:
    """The stored chunk that each chunk of a sentence goes on with, and its similarity, by its text.

    A text that two chunks find stands once, with the relation that it was found with last, as in BioMedRAG.

    found (Sequence[Found]): The sentence's chunks.
    pick (str): "released": the first of the five, which is the fifth nearest, as BioMedRAG's code does; "nearest".
    """
    at = 0 if pick == "released" else -1
    return {one.entries[at].chunk.text: (one.entries[at], one.similarities[at]) for one in found}


def best(picks: dict[str, tuple[Entry, float]]) -> Entry:
    """The picked entry of the highest similarity; of equal ones the first."""
    return max(picks.values(), key=itemgetter(1))[0]

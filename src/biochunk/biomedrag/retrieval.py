"""Stored chunks for the chunks of a sentence."""

from collections.abc import Callable, Sequence
from typing import Literal

import numpy as np

from ..errors import UsageError
from ..ty import Encoder, FloatArray
from .chunk_vectors import encode_chunks, frame_of
from .hubness import Hubness, correct_queries, correct_rows
from .index import ExactIndex
from .items import Evidence, Sentence
from .store import ChunkStore
from .ty import VectorIndex

# "released": BioMedRAG's code sorts its k nearest ascending and takes the first of them, so the k-th nearest.
Pick = Literal["nearest", "released"]


class Retriever:
    """Finds evidence in a store.

    store (ChunkStore): The store.
    encoder (Encoder): The encoder that the store was built with.
    hubness (str): Correction of the similarities; see `hubness`.
    index (Callable): Makes the index of the (corrected) stored vectors; an external vector database can stand here.
    """

    def __init__(
        self,
        store: ChunkStore,
        encoder: Encoder,
        *,
        hubness: Hubness = "csls",
        index: Callable[[FloatArray], VectorIndex] = ExactIndex,
    ) -> None:
        self.store = store
        self._encoder = encoder
        self._hubness: Hubness = hubness
        self._index = index(correct_rows(store.vectors, hubness))

    def retrieve(
        self, sentences: Sequence[Sentence], *, k: int = 5, pick: Pick = "nearest", asking: int = 2
    ) -> list[tuple[Evidence, ...]]:
        """Evidence for sentences. A sentence never gets a chunk of itself, by letters and digits, in whatever split it
        stands. A piece without any word that the encoder knows asks nothing.

        sentences (Sequence[Sentence]): Analysed without knowledge of gold.
        k (int): Stored chunks of each piece.
        pick (str): "nearest": these k; "released": the last of them alone.
        asking (int): Pieces of a sentence that ask, by slot.
        RETURNS (list[tuple[Evidence, ...]]): For each sentence what its pieces found, each chunk once, the most
            similar first.
        RAISES (UsageError): When `k` or `asking` is no number from 1.
        RAISES (BiochunkError): When the encoder's vectors do not fit the store.
        """
        if k < 1 or asking < 1:
            raise UsageError(f"found k {k} and asking {asking}, expected numbers from 1")
        pieces = [(i, j) for i, sentence in enumerate(sentences) for j in range(min(asking, len(sentence.pieces)))]
        chunks = [(sentences[i].pieces[j].text, frame_of(sentences[i], sentences[i].pieces[j])) for i, j in pieces]
        queries = encode_chunks(self._encoder, chunks, self.store.about.view)
        known = np.flatnonzero(queries.any(axis=1))
        own = [self.store.rows_of(sentence.text) for sentence in sentences]
        rows, similarities = self._index.search(
            correct_queries(queries[known], self.store.vectors, self._hubness),
            k,
            exclude=[own[pieces[asked][0]] for asked in known],
        )
        found: list[list[Evidence]] = [[] for _ in sentences]
        for asked, its_rows, its_similarities in zip(known.tolist(), rows, similarities, strict=True):
            i, piece = pieces[asked]
            hits = [
                self._evidence(row, similarity, piece)
                for row, similarity in zip(its_rows.tolist(), its_similarities.tolist(), strict=True)
                if row >= 0
            ]
            found[i] += hits[-1:] if pick == "released" else hits
        return [_merged(hits) for hits in found]

    def _evidence(self, number: int, similarity: float, piece: int) -> Evidence:
        row = self.store.rows[number]
        return Evidence(row.text, row.relation, row.origins[0].record, number, similarity, piece)


def _merged(hits: Sequence[Evidence]) -> tuple[Evidence, ...]:
    """Each row once, by the piece that is nearest to it, the most similar first; ties by row, then by piece."""
    best: dict[int, Evidence] = {}
    for hit in sorted(hits, key=lambda hit: (-hit.similarity, hit.row, hit.piece)):
        best.setdefault(hit.row, hit)
    return tuple(best.values())

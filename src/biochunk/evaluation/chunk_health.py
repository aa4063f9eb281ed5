"""Whether an arm's chunks hold what a relation needs, before any reader (evaluation.md's chunk health)."""

from collections.abc import Sequence
from dataclasses import dataclass

from ..biomedrag.items import Piece, Sentence, Span
from ..biomedrag.visible import words
from ..corpora.records import Record
from ..errors import BiochunkError


@dataclass(frozen=True)
class ChunkHealth:
    """Counts over the chunks of some sentences and the gold triples of their records.

    sentences, chunks, chunk_words (int): Sentences, their chunks, and the words of these, cut at white space.
    entities (int): Gold mentions.
    cut (int): Of these, those that the border of some chunk cuts.
    triples (int): Gold triples.
    in_one_chunk (int): Of these, those with both mentions in one chunk.
    with_trigger (int): Of these, those with both mentions and a trigger of the gold relation in one chunk.
    in_chunks (int): Triples with both mentions in chunks, if not in the same one.
    """

    sentences: int
    chunks: int
    chunk_words: int
    entities: int
    cut: int
    triples: int
    in_one_chunk: int
    with_trigger: int
    in_chunks: int

    def rates(self) -> dict[str, float | int | None]:
        """Name to value: means, and shares from 0 to 1; None where there is nothing to count."""
        return {
            "sentences": self.sentences,
            "chunks per sentence": _rate(self.chunks, self.sentences),
            "words per chunk": _rate(self.chunk_words, self.chunks),
            "gold entities cut": _rate(self.cut, self.entities),
            "gold pair in one chunk": _rate(self.in_one_chunk, self.triples),
            "and a trigger of the relation": _rate(self.with_trigger, self.triples),
            "gold pair in the chunks": _rate(self.in_chunks, self.triples),
        }


def chunk_health(sentences: Sequence[Sentence], records: Sequence[Record]) -> ChunkHealth:
    """Measure chunks.

    sentences (Sequence[Sentence]): What an arm found; all their pieces count.
    records (Sequence[Record]): Their records, in the same order.
    RAISES (BiochunkError): When they do not belong together.
    """
    if [sentence.id for sentence in sentences] != [record.id for record in records]:
        raise BiochunkError(
            f"found {len(sentences)} sentences and {len(records)} records, expected the same in one order"
        )
    entities = cut = triples = one = trigger = some = 0
    for sentence, record in zip(sentences, records, strict=True):
        places = {entity.id: (entity.start, entity.end) for entity in record.entities}
        pieces = sentence.pieces
        entities += len(places)
        cut += sum(any(_cuts(piece, place) for piece in pieces) for place in places.values())
        for triple in record.triples:
            pair = (places[triple.head], places[triple.tail])
            holding = [piece for piece in pieces if all(_holds(piece, place) for place in pair)]
            cues = [(c.start, c.end) for c in sentence.cues if c.relation == triple.relation]
            triples += 1
            one += bool(holding)
            trigger += any(_holds(piece, cue) for piece in holding for cue in cues)
            some += all(any(_holds(piece, place) for piece in pieces) for place in pair)
    return ChunkHealth(
        sentences=len(sentences),
        chunks=sum(len(sentence.pieces) for sentence in sentences),
        chunk_words=sum(words(piece.text) for sentence in sentences for piece in sentence.pieces),
        entities=entities,
        cut=cut,
        triples=triples,
        in_one_chunk=one,
        with_trigger=trigger,
        in_chunks=some,
    )


def _holds(piece: Piece, place: Span) -> bool:
    return piece.start <= place[0] and place[1] <= piece.end


def _cuts(piece: Piece, place: Span) -> bool:
    """Whether a border of the piece lies inside the place."""
    return place[0] < piece.start < place[1] or place[0] < piece.end < place[1]


def _rate(part: int, whole: int) -> float | None:
    return part / whole if whole else None

"""Answer retrieval: can a question be answered from the first chunks that a search returns?

Every gold triple is a question (its head mention and what its relation means), and is answered by a passage that holds
the head and the tail mention of that triple in that sentence. What is indexed is up to the caller (`passages`,
`equal_words`, `peers`); compare indexes of the same mean words per passage only, and whole sentences by the words read.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..biomedrag.items import Span
from ..biomedrag.visible import words
from ..corpora.records import Record
from ..corpora.splits import sentence_key
from ..errors import BiochunkError
from ..ty import Encoder, FloatArray, IntArray
from .passages import Passage

# How head and definition become one vector: encoded as one text, or each alone and added.
QueryForm = Literal["text", "sum"]

# Words after which a question that found no answer is given up: about 20 whole sentences.
WORDS_CAP = 500
# Queries that are compared with all passages at a time.
_BATCH = 256

_LETTER = re.compile(r"[^\W_]")


class Query(NamedTuple):
    """A question. sentence: id of the sentence that answers it; head, tail: places of the two mentions there."""

    sentence: str
    mention: str
    definition: str
    head: Span
    tail: Span

    @property
    def text(self) -> str:
        return f"{self.mention} {self.definition}"

    def answered_by(self, passage: Passage) -> bool:
        """Whether the passage is of the sentence and holds both mentions."""
        return (
            passage.sentence == self.sentence
            and passage.start <= min(self.head[0], self.tail[0])
            and max(self.head[1], self.tail[1]) <= passage.end
        )


@dataclass(frozen=True)
class Questions:
    """The sentences of a split and the questions about them.

    texts (dict[str, str]): What is to be indexed: each distinct sentence by the id of its first record, in file order.
    queries (tuple[Query, ...]): Each question once.
    repeated_sentences (int): Records left out of `texts`, as an earlier one is the same sentence but for case, spaces
        and signs. Their questions are asked of that one.
    repeated_queries (int): Triples left out, as an earlier one asks the same of the same place.
    unplaced (int): Triples left out, as a mention of theirs, such as a lone sign, has no counterpart there.
    """

    texts: dict[str, str]
    queries: tuple[Query, ...]
    repeated_sentences: int
    repeated_queries: int
    unplaced: int


def questions(records: Iterable[Record], definitions: Mapping[str, str]) -> Questions:
    """One question for every gold triple of a split.

    records (Iterable[Record]): The split. Records without triples are indexed and ask nothing.
    definitions (Mapping[str, str]): What each relation means, as in the dataset file.
    RAISES (BiochunkError): When a relation has no definition.
    """
    texts: dict[str, str] = {}
    first: dict[str, str] = {}
    queries: dict[Query, None] = {}
    repeated_sentences = repeated_queries = unplaced = 0
    for record in records:
        sentence = first.setdefault(sentence_key(record.text), record.id)
        if sentence == record.id:
            texts[sentence] = record.text
        else:
            repeated_sentences += 1
        entities = {entity.id: entity for entity in record.entities}
        for triple in record.triples:
            if triple.relation not in definitions:
                known = ", ".join(definitions)
                raise BiochunkError(f"{record.id}: found the relation '{triple.relation}', expected one of: {known}")
            mentions = entities[triple.head], entities[triple.tail]
            head, tail = (_counterpart((m.start, m.end), record.text, texts[sentence]) for m in mentions)
            if head is None or tail is None:
                unplaced += 1
                continue
            query = Query(sentence, mentions[0].text, definitions[triple.relation], head, tail)
            repeated_queries += query in queries
            queries[query] = None
    return Questions(texts, tuple(queries), repeated_sentences, repeated_queries, unplaced)


def _counterpart(span: Span, text: str, other: str) -> Span | None:
    """The same letters and digits in another writing of a sentence, from the first to the last."""
    if text == other:
        return span
    before = len(_LETTER.findall(text, 0, span[0]))
    count = len(_LETTER.findall(text, span[0], span[1]))
    places = [match.start() for match in _LETTER.finditer(other)]
    return (places[before], places[before + count - 1] + 1) if count else None


@dataclass(frozen=True, eq=False)
class Answers:
    """How each question fared; all arrays have shape (queries,), in the order of the queries.

    ranks (IntArray): Place of the first answering passage, from 1; 0 where none is in the index.
    words_read (IntArray): Words of all passages up to and with the answer, those that two passages share twice, as a
        prompt would hold them; at most the cap, and the cap where there is no answer.
    """

    ranks: IntArray
    words_read: IntArray

    def hits(self, k: int) -> NDArray[np.bool_]:
        """Whether an answer is among the first k passages."""
        return (self.ranks > 0) & (self.ranks <= k)

    @property
    def reciprocal_ranks(self) -> NDArray[np.float64]:
        return np.divide(1.0, self.ranks, out=np.zeros(len(self.ranks)), where=self.ranks > 0)


class AnswerScores(NamedTuple):
    """Means over the questions. held: share that some passage of the index answers, the upper limit of recall."""

    queries: int
    held: float
    recall_at_1: float
    recall_at_5: float
    recall_at_10: float
    mrr: float
    words_read: float


def answer_scores(answers: Answers) -> AnswerScores:
    """Summarise. RAISES (BiochunkError): When there is no question."""
    if not len(answers.ranks):
        raise BiochunkError("found no question, expected gold triples in the split")
    at_1, at_5, at_10 = (float(answers.hits(k).mean()) for k in (1, 5, 10))
    return AnswerScores(
        queries=len(answers.ranks),
        held=float((answers.ranks > 0).mean()),
        recall_at_1=at_1,
        recall_at_5=at_5,
        recall_at_10=at_10,
        mrr=float(answers.reciprocal_ranks.mean()),
        words_read=float(answers.words_read.mean()),
    )


def find_answers(
    index: Sequence[Passage],
    queries: Sequence[Query],
    encoder: Encoder,
    *,
    form: QueryForm = "text",
    words_cap: int = WORDS_CAP,
) -> Answers:
    """Search an index for every question, by cosine; ties by the index's order.

    index (Sequence[Passage]): What is indexed.
    queries (Sequence[Query]): The questions.
    encoder (Encoder): Text to vectors. Each distinct text is encoded once; `Remembering` does so across calls.
    form (str): "text" encodes head and definition as one text. "sum" adds the vectors of both, so that they count
        alike: an encoder that averages words lets a definition of 25 words outweigh the head in "text".
    words_cap (int): See `Answers.words_read`.
    RAISES (BiochunkError): When the index is empty.
    """
    if not index:
        raise BiochunkError("found an empty index, expected passages")
    rows_of = defaultdict(list)
    for row, passage in enumerate(index):
        rows_of[passage.sentence].append(row)
    distinct = {text: column for column, text in enumerate(dict.fromkeys(p.text for p in index))}
    columns = np.array([distinct[passage.text] for passage in index])
    lengths = np.array([words(passage.text) for passage in index])
    vectors = encoder.encode(list(distinct))
    asked = _query_vectors(queries, encoder, form)
    ranks = np.zeros(len(queries), dtype=np.intp)
    words_read = np.full(len(queries), words_cap, dtype=np.intp)
    for start in range(0, len(queries), _BATCH):
        # Equal texts have equal scores, whatever the product rounds: they are compared as one column.
        cosines = asked[start : start + _BATCH] @ vectors.T
        for number, row_cosines in enumerate(cosines, start):
            query = queries[number]
            answering = [row for row in rows_of[query.sentence] if query.answered_by(index[row])]
            if not answering:
                continue
            scores = row_cosines[columns]
            best = max(answering, key=lambda row: (scores[row], -row))
            ahead = scores > scores[best]
            ahead[:best] |= scores[:best] == scores[best]
            ranks[number] = 1 + ahead.sum()
            words_read[number] = min(words_cap, lengths[ahead].sum() + lengths[best])
    return Answers(ranks, words_read)


def _query_vectors(queries: Sequence[Query], encoder: Encoder, form: QueryForm) -> FloatArray:
    if form == "text":
        return _encoded([query.text for query in queries], encoder)
    parts = [query.mention for query in queries], [query.definition for query in queries]
    # Cosines are only compared within a query, so that the sum needs no unit length.
    return _encoded(parts[0], encoder) + _encoded(parts[1], encoder)


def _encoded(texts: Sequence[str], encoder: Encoder) -> FloatArray:
    distinct = {text: row for row, text in enumerate(dict.fromkeys(texts))}
    return encoder.encode(list(distinct))[[distinct[text] for text in texts]]


def sentence_numbers(queries: Sequence[Query]) -> IntArray:
    """The number, from 0, of the sentence that each question is about, shape (queries,).

    Questions about one sentence stand or fall together, so the bootstrap (`statistics.mean_difference`) should draw
    sentences, not questions: these are its groups.
    """
    numbers = {key: number for number, key in enumerate(dict.fromkeys(query.sentence for query in queries))}
    return np.array([numbers[query.sentence] for query in queries], dtype=np.intp)

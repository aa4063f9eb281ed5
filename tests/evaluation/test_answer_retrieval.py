"""Answer retrieval: which questions are asked, which passage answers, ranks, words read."""

import numpy as np
import pytest

from biochunk.corpora.records import Entity, Record, Triple
from biochunk.errors import BiochunkError
from biochunk.evaluation.answer_retrieval import (
    Answers,
    Query,
    answer_scores,
    find_answers,
    questions,
    sentence_numbers,
)
from biochunk.evaluation.passages import Passage

DEFINITIONS = {"INHIBITS": "One blocks the other.", "TREATS": "A remedy for it."}


class LetterEncoder:
    """Vectors of how often each letter stands in a text; remembers what it was asked."""

    def __init__(self):
        self.asked = []

    def encode(self, texts):
        self.asked.append(list(texts))
        counts = np.array([[t.lower().count(c) for c in "abcdefghijklmnopqrstuvwxyz"] for t in texts], dtype=np.float32)
        counts = counts.reshape(len(texts), 26)
        lengths = np.linalg.norm(counts, axis=1, keepdims=True)
        return counts / np.where(lengths > 0, lengths, 1)


def record(key, text, *triples):
    """Triples as (head, relation, tail); each mention is the first such string in the text."""
    names = dict.fromkeys(m for head, _, tail in triples for m in (head, tail))
    entities = [Entity(id=n, start=text.index(n), end=text.index(n) + len(n), text=n) for n in names]
    made = [Triple(head=head, relation=relation, tail=tail) for head, relation, tail in triples]
    return Record(id=key, dataset="d", split="dev", text=text, entities=entities, triples=made)


def cut(key, text, *parts):
    return [Passage(key, text.index(p), text.index(p) + len(p), p) for p in parts]


FIRST = "Aspirin inhibits COX-2 in cells."


def test_every_triple_is_a_question():
    asked = questions([record("a", FIRST, ("Aspirin", "INHIBITS", "COX-2")), record("b", "Nothing here.")], DEFINITIONS)
    assert asked.texts == {"a": FIRST, "b": "Nothing here."}
    assert asked.queries == (Query("a", "Aspirin", "One blocks the other.", (0, 7), (17, 22)),)
    assert asked.queries[0].text == "Aspirin One blocks the other."


def test_a_sentence_written_twice_is_indexed_once_and_asked_in_its_first_writing():
    again = "aspirin  inhibits  COX-2  in cells ."
    asked = questions(
        [
            record("a", FIRST, ("Aspirin", "INHIBITS", "COX-2")),
            record("b", again, ("aspirin", "TREATS", "COX-2"), ("aspirin", "INHIBITS", "cells")),
        ],
        DEFINITIONS,
    )
    assert asked.texts == {"a": FIRST}
    assert asked.repeated_sentences == 1
    assert [(q.sentence, FIRST[slice(*q.head)], FIRST[slice(*q.tail)]) for q in asked.queries] == [
        ("a", "Aspirin", "COX-2"),
        ("a", "Aspirin", "COX-2"),
        ("a", "Aspirin", "cells"),
    ]


def test_the_same_question_is_asked_once():
    one = record("a", FIRST, ("Aspirin", "INHIBITS", "COX-2"))
    two = record("b", FIRST, ("Aspirin", "INHIBITS", "COX-2"))
    asked = questions([one, two], DEFINITIONS)
    assert len(asked.queries) == 1
    assert asked.repeated_queries == 1


def test_a_mention_without_a_letter_has_no_counterpart():
    asked = questions(
        [record("a", FIRST), record("b", "Aspirin inhibits + COX-2 in cells.", ("+", "TREATS", "cells"))], DEFINITIONS
    )
    assert asked.queries == ()
    assert asked.unplaced == 1


def test_a_relation_without_definition_is_named():
    with pytest.raises(BiochunkError, match="'CAUSES', expected one of: INHIBITS, TREATS"):
        questions([record("a", FIRST, ("Aspirin", "CAUSES", "COX-2"))], DEFINITIONS)


@pytest.mark.parametrize(
    ("sentence", "part", "answers"),
    [
        ("a", "Aspirin inhibits COX-2", True),
        ("a", FIRST, True),
        ("a", "inhibits COX-2", False),
        ("a", "Aspirin inhibits COX-", False),
        ("b", FIRST, False),
    ],
)
def test_a_passage_answers_when_it_holds_both_mentions_in_that_sentence(sentence, part, answers):
    start = FIRST.index(part)
    query = Query("a", "COX-2", "", (17, 22), (0, 7))
    assert query.answered_by(Passage(sentence, start, start + len(part), part)) is answers


INDEX = [
    *cut("a", "zz zz zz xx", "zz zz zz"),  # 3 words, the nearest to "zz"
    *cut("b", "zz y. q h", "zz y.", "q h"),
    *cut("c", "mm nn", "mm nn"),
]


def asking(sentence, head, tail, mention="zz"):
    return Query(sentence, mention, "", head, tail)


@pytest.mark.parametrize(
    ("query", "rank", "words"),
    [
        (asking("a", (0, 2), (3, 5)), 1, 3),
        (asking("b", (0, 2), (3, 4)), 2, 5),
        # Nothing of "m" is in the query: it stands behind what comes before it with the same cosine, zero.
        (asking("c", (0, 2), (3, 5)), 4, 9),
        # No passage holds both: no rank, and all words up to the cap.
        (asking("b", (0, 2), (6, 7)), 0, 20),
    ],
)
def test_rank_and_words_of_the_first_answer(query, rank, words):
    answers = find_answers(INDEX, [query], LetterEncoder(), words_cap=20)
    assert answers.ranks.tolist() == [rank]
    assert answers.words_read.tolist() == [words]


def test_words_read_are_capped():
    answers = find_answers(INDEX, [asking("c", (0, 2), (3, 5))], LetterEncoder(), words_cap=6)
    assert answers.words_read.tolist() == [6]


def test_the_best_of_several_answering_passages_counts():
    text = "zz y x w v"
    index = [*cut("a", text, text), *cut("a", text, "zz y")]
    answers = find_answers(index, [asking("a", (0, 2), (3, 4))], LetterEncoder())
    assert answers.ranks.tolist() == [1]
    assert answers.words_read.tolist() == [2]


def test_many_queries_are_ranked_as_one_by_one():
    generator = np.random.default_rng(0)
    letters = list("abcdefgh")
    texts = {str(i): " ".join(generator.choice(letters, 6)) for i in range(40)}
    index = [Passage(k, 2 * s, 2 * s + 5, t[2 * s : 2 * s + 5]) for k, t in texts.items() for s in range(4)]
    queries = [Query(k, str(generator.choice(letters)), "a b", (2, 3), (6, 7)) for k in texts for _ in range(8)]
    assert len(queries) > 256
    answers = find_answers(index, queries, LetterEncoder())
    encoder = LetterEncoder()
    for number in range(0, len(queries), 37):
        query = queries[number]
        order = np.argsort(-(encoder.encode([p.text for p in index]) @ encoder.encode([query.text])[0]), kind="stable")
        expected = next(rank for rank, row in enumerate(order, 1) if query.answered_by(index[row]))
        assert answers.ranks[number] == expected


def test_each_distinct_text_is_encoded_once():
    encoder = LetterEncoder()
    index = [Passage(str(i), 0, 2, "zz") for i in range(3)]
    find_answers(index, [asking(str(i), (0, 1), (1, 2)) for i in range(3)], encoder)
    assert encoder.asked == [["zz"], ["zz "]]


def test_a_sum_weighs_head_and_definition_alike():
    index = [*cut("a", "zz", "zz"), *cut("b", "mm", "mm")]
    query = Query("a", "zz", "mmmm mmmm mmmm", (0, 1), (1, 2))
    assert find_answers(index, [query], LetterEncoder(), form="text").ranks.tolist() == [2]
    assert find_answers(index, [query], LetterEncoder(), form="sum").ranks.tolist() == [1]


def test_an_empty_index_is_an_error():
    with pytest.raises(BiochunkError, match="empty index"):
        find_answers([], [asking("a", (0, 1), (1, 2))], LetterEncoder())


def test_scores():
    scores = answer_scores(Answers(np.array([1, 2, 6, 0]), np.array([5, 10, 40, 500])))
    assert scores == (4, 0.75, 0.25, 0.5, 0.75, pytest.approx((1 + 1 / 2 + 1 / 6) / 4), 138.75)


def test_scores_of_no_question_are_an_error():
    with pytest.raises(BiochunkError, match="no question"):
        answer_scores(Answers(np.array([], dtype=int), np.array([], dtype=int)))


def test_questions_are_numbered_by_their_sentence():
    queries = [asking(key, (0, 1), (1, 2)) for key in "abac"]
    assert sentence_numbers(queries).tolist() == [0, 1, 0, 2]

"""The evaluator: what counts as right, and the scores from counts."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from biochunk.biomedrag.items import Answer, Example, Gold, GoldTriple, Mention, PairAnswer, Triple
from biochunk.biomedrag.metrics import (
    VIEWS,
    Counts,
    count,
    count_labels,
    folded,
    make_item,
    make_score,
    score_answers,
    score_items,
)

A = Triple("aspirin", "INHIBITS", "COX-2")


@pytest.mark.parametrize(
    ("counts", "f1"),
    [
        # BioMedRAG's published run on GM-CIHT: triples, heads, tails, relations; and with every item written twice.
        ((377, 461, 465), 0.8142548596112312),
        ((428, 461, 465), 0.9244060475161987),
        ((423, 461, 465), 0.9136069114470842),
        ((402, 461, 465), 0.8682505399568036),
        ((754, 922, 930), 0.8142548596112312),
        ((0, 0, 3), 0.0),
        ((0, 3, 0), 0.0),
        ((0, 0, 0), 0.0),
        ((3, 3, 3), 1.0),
    ],
)
def test_score_from_counts(counts, f1):
    assert make_score(*counts).f1 == f1


def test_precision_and_recall_to_the_last_digit():
    assert make_score(377, 461, 465)[:2] == (0.8177874186550976, 0.810752688172043)


@pytest.mark.parametrize(
    ("predicted", "gold", "expected"),
    [
        ([A], [A], (1, 1, 1)),
        ([Triple(" Aspirin ", "inhibits", "cox-2")], [A], (1, 1, 1)),
        ([Triple("low  dose\u00a0 aspirin", "INHIBITS", "COX-2")], [Triple("low dose aspirin", *A[1:])], (1, 1, 1)),
        ([Triple("COX-2", "INHIBITS", "aspirin")], [A], (0, 1, 1)),
        ([A._replace(relation="AFFECTS")], [A], (0, 1, 1)),
        # What was never predicted is a miss; what is predicted where nothing holds is wrong.
        ([], [A, A._replace(tail="COX-1")], (0, 0, 2)),
        ([A], [], (0, 1, 0)),
        # Twice is once, in predictions and in gold.
        ([A, A, Triple("ASPIRIN", *A[1:])], [A], (1, 1, 1)),
        ([A], [A, A], (1, 1, 1)),
    ],
)
def test_triples_of_an_item(predicted, gold, expected):
    counts = count([make_item(predicted, gold)])
    assert (counts.right[0], counts.predicted[0], counts.gold[0]) == expected


def test_gold_that_falls_together_is_told():
    assert score_items([make_item([], [A, A, A._replace(tail="COX-1")]), make_item([], [A])]).repeated == 1


@pytest.mark.parametrize(
    ("predicted", "right"),
    [
        (A, {"triple", "pair", "undirected pair", "head", "relation", "tail"}),
        (Triple("COX-2", "INHIBITS", "aspirin"), {"undirected pair", "relation"}),
        (A._replace(relation="AFFECTS"), {"pair", "undirected pair", "head", "tail"}),
        (A._replace(tail="COX-1"), {"head", "relation"}),
    ],
)
def test_views(predicted, right):
    scores = score_items([make_item([predicted], [A])])
    assert {view for view, counts in scores.counts.items() if counts.score().f1 == 1} == right
    assert scores.main is scores.counts["triple"]


def test_a_view_counts_what_is_the_same_in_it_once():
    two = [A, A._replace(tail="COX-1")]
    assert count([make_item(two, two[:1])], "head").predicted.tolist() == [1]
    assert count([make_item(two, two[:1])], "tail").predicted.tolist() == [2]


def test_relations_by_themselves():
    other = Triple("TNF", "CAUSES", "fever")
    scores = score_items([make_item([A, other], [A]), make_item([A._replace(relation="AFFECTS")], [other])])
    assert {label: score[3:] for label, score in scores.relations.items()} == {
        "affects": (0, 1, 0),
        "causes": (0, 1, 1),
        "inhibits": (1, 1, 1),
    }


def test_counts_are_arrays_over_items():
    items = [make_item([A], [A]), make_item([], []), make_item([A], []), make_item([], [A])]
    counts = count(items)
    assert (len(counts), counts.right.dtype) == (4, np.int64)
    assert counts.exact.tolist() == [True, True, False, False]
    assert len(count([])) == 0


def test_class_one():
    counts = count_labels([1, 1, 0, None, 0], [1, 0, 1, 1, 0])
    assert counts.score()[3:] == (1, 2, 3)
    # No answer is not the class: wrong where it holds, right where it does not.
    assert counts.exact.tolist() == [True, False, False, False, True]


def test_answers_of_every_task():
    head, tail = Mention("aspirin", 0, 7), Mention("COX-2", 17, 22)
    example = Example("x", "aspirin inhibits COX-2", pairs=((head, tail),))
    gold = Gold(triples=(GoldTriple(tail, "INHIBITS", head),), relations=(PairAnswer("INHIBITS", False),))
    for answer, f1 in ((PairAnswer("INHIBITS", False), 1), (PairAnswer("INHIBITS", True), 0), (None, 0)):
        assert score_answers([example], [Answer(relations=(answer,))], [gold], task="pairs").main.score().f1 == f1
    written = Answer(triples=(Triple("cox-2", "inhibits", "aspirin"),))
    assert score_answers([example], [written], [gold], task="triples").main.score().f1 == 1
    scores = score_answers([example], [Answer(label=1)], [Gold(label=1)], task="label")
    assert (list(scores.counts), scores.main.score().f1, scores.relations) == (["label"], 1, {})


names = st.sampled_from(["a", "A ", "b", "b  c"])
triples = st.lists(st.builds(Triple, names, st.sampled_from(["R", "S"]), names), max_size=4)


@settings(deadline=None)
@given(st.lists(st.tuples(triples, triples), max_size=6))
def test_scores_are_bounded_and_views_only_loosen(pairs):
    scores = score_items([make_item(*pair) for pair in pairs])
    for counts in scores.counts.values():
        score = counts.score()
        assert (counts.right <= np.minimum(counts.predicted, counts.gold)).all()
        assert min(score[:2]) <= score.f1 + 1e-12
        assert 0 <= score.f1 <= max(score[:2]) + 1e-12 <= 1 + 1e-12
    # Every triple has one relation, so the relations' counts add up to the whole.
    whole = scores.main.score()
    for field in ("right", "predicted", "gold"):
        assert sum(getattr(score, field) for score in scores.relations.values()) == getattr(whole, field)
    exact = scores.main.exact
    assert all(counts.exact[exact].all() for counts in scores.counts.values())


@settings(deadline=None)
@given(st.text())
def test_folding_is_done_once(text):
    assert folded(folded(text)) == folded(text)


@settings(deadline=None)
@given(triples)
def test_gold_as_prediction_is_all_right(gold):
    for view in VIEWS:
        counts: Counts = count([make_item(reversed(gold), gold)], view)
        assert counts.exact.all()

"""Candidates and examples as strings."""

import pytest

from biochunk.biomedrag.export import wording
from biochunk.biomedrag.export.evidence import Found, best, picked
from biochunk.biomedrag.export.separators import Safe
from biochunk.biomedrag.export.stored import Entry


@pytest.mark.parametrize(
    ("items", "expected"),
    [
        ("a", ["a"]),
        ("ab", ["a", "b", "a b"]),
        ("abc", ["a", "b", "c", "a b", "a c", "b a", "b c", "c a", "c b", "a b c"]),
    ],
)
def test_candidates_are_all_orders_of_selections_and_one_of_the_full_set(items, expected):
    assert wording.candidates(list(items)) == expected


@pytest.mark.parametrize(("count", "strings"), [(4, 41), (5, 206)])
def test_number_of_candidates(count, strings):
    assert len(wording.candidates(list("abcde"[:count]))) == strings


def entry(text, relation):
    return Entry(Safe(text), relation)


FAR, NEAR, OTHER = entry("far", "A"), entry("near", "B"), entry("far", "C")
FOUND = [Found(Safe("x"), [FAR, NEAR], [0.1, 0.9]), Found(Safe("y"), [OTHER, NEAR], [0.3, 0.8])]


def test_released_pick_is_the_first_of_the_five_and_the_last_relation_of_a_text():
    assert picked(FOUND, "released") == {"far": (OTHER, 0.3)}


def test_nearest_pick_is_the_last_of_the_five():
    assert picked(FOUND, "nearest") == {"near": (NEAR, 0.8)}


def test_best_is_the_most_similar_and_of_equal_ones_the_first():
    assert best({"a": (FAR, 0.1), "b": (NEAR, 0.5), "c": (OTHER, 0.5)}) is NEAR

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from biochunk.chunking.windows import (
    Borders,
    entity_windows,
    fixed_windows,
    merge_overlapping,
    space_words,
    strict_windows,
    trigger_windows,
)

LENGTHS = st.integers(1, 80)


@st.composite
def sentences(draw):
    """Token bounds of a sentence and entities inside it, which may overlap."""
    start = draw(st.integers(0, 5))
    length = draw(LENGTHS)
    entities = []
    for _ in range(draw(st.integers(0, 8))):
        first = draw(st.integers(start, start + length - 1))
        entities.append((first, draw(st.integers(first + 1, min(first + 15, start + length)))))
    return Borders(entities, start, start + length), entities


def cuts(window, entities):
    return [
        entity for entity in merge_overlapping(entities) if any(entity[0] < border < entity[1] for border in window)
    ]


@pytest.mark.parametrize("count", range(1, 60))
def test_fixed_windows_are_numpy_array_split(count):
    words = [(i, i + 1) for i in range(count)]
    pieces = np.array_split(np.arange(count), max(count // 5, 1))
    assert fixed_windows(words) == [(piece[0], piece[-1] + 1) for piece in pieces]


def test_fixed_windows_of_nothing():
    assert fixed_windows([]) == []


@pytest.mark.parametrize(
    ("count", "expected"),
    [(1, [(0, 1)]), (5, [(0, 5)]), (6, [(0, 5), (5, 6)]), (11, [(0, 5), (5, 10), (10, 11)])],
)
def test_strict_windows_are_five_words(count, expected):
    assert strict_windows([(i, i + 1) for i in range(count)]) == expected


@pytest.mark.parametrize(
    ("text", "ends", "gaps", "expected"),
    [
        ("a b", [1, 2], None, [(0, 1), (1, 2)]),
        ("a  b", [1, 3], [0, 1, 0], [(0, 1), (2, 3)]),
        ("(a) b", [3, 4], None, [(0, 3), (3, 4)]),
        (" a", [2], [1, 0], [(1, 2)]),
        ("a  ", [1, 2], [0, 1], [(0, 1)]),
    ],
)
def test_space_words_split_on_spaces_only(text, ends, gaps, expected):
    assert space_words(ends, gaps) == expected


@pytest.mark.parametrize(
    ("window", "expected"),
    [((0, 4), (0, 6)), ((4, 9), (6, 9)), ((4, 5), None), ((3, 6), (3, 6)), ((0, 3), (0, 3))],
)
def test_snap_moves_end_out_and_start_past(window, expected):
    assert Borders([(3, 6)], 0, 10).snap(window) == expected


def test_entity_windows_of_plain_text_slide_by_the_stride():
    assert entity_windows(Borders([], 0, 14)) == [(0, 8), (3, 11), (6, 14)]


def test_entity_windows_extend_over_an_entity():
    assert entity_windows(Borders([(6, 10)], 0, 14))[0] == (0, 10)


def test_entity_windows_give_up_an_entity_that_is_too_much():
    windows = entity_windows(Borders([(7, 18)], 0, 30))
    assert windows[0] == (0, 7)


def test_a_short_sentence_is_one_window():
    assert entity_windows(Borders([], 2, 5)) == [(2, 5)]


@given(sentences())
def test_entity_windows_cut_nothing_and_cover_all(case):
    borders, entities = case
    windows = entity_windows(borders)
    assert not any(cuts(window, entities) for window in windows)
    covered = {i for start, end in windows for i in range(start, end)}
    inside = {i for start, end in merge_overlapping(entities) for i in range(start, end)}
    assert covered | inside == set(range(borders.start, borders.end))
    assert all(borders.start <= start < end <= borders.end for start, end in windows)


@given(sentences())
def test_entity_windows_keep_their_bounds_where_entities_let_them(case):
    borders, entities = case
    longest = max((end - start for start, end in merge_overlapping(entities)), default=0)
    length = borders.end - borders.start
    for start, end in entity_windows(borders):
        assert end - start >= min(5, length)
        if longest <= 7:
            assert end - start <= 12


@given(sentences(), st.integers(1, 12))
def test_fixed_windows_snapped_cut_nothing(case, size):
    borders, entities = case
    words = [(i, i + 1) for i in range(borders.start, borders.end)]
    for window in fixed_windows(words, size):
        snapped = borders.snap(window)
        assert snapped is None or not cuts(snapped, entities)


@given(sentences(), st.data())
def test_trigger_windows_hold_the_trigger_and_cut_nothing(case, data):
    borders, entities = case
    start = data.draw(st.integers(borders.start, borders.end - 1))
    end = data.draw(st.integers(start + 1, borders.end))
    [(left, right)] = trigger_windows([(start, end)], borders)
    assert left <= start < end <= right
    assert not cuts((left, right), entities)


def test_trigger_windows_reach_four_tokens():
    assert trigger_windows([(6, 7)], Borders([], 0, 20)) == [(2, 11)]

"""Mentions of several sources become one list by a stated policy."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biochunk.chunking.overlap import join

POLICIES = ["fill", "first", "longest"]
ANY_POLICY = ["nested", *POLICIES]
# "serum IL-6 of rats" as tokens: serum IL - 6 of rats
WORDS = [True, True, False, True, True, True]


@pytest.mark.parametrize(
    ("policy", "layers", "expected"),
    [
        ("longest", [[(1, 4)], [(0, 4)]], [(0, 4, 1)]),
        ("longest", [[(1, 4)], [(3, 6)]], [(1, 4, 0)]),
        ("longest", [[(3, 4)], [(1, 2), (3, 4)]], [(1, 2, 1), (3, 4, 0)]),
        ("first", [[(1, 4)], [(0, 4), (5, 6)]], [(1, 4, 0), (5, 6, 1)]),
        ("first", [[(1, 2), (1, 4)], []], [(1, 4, 0)]),
        ("fill", [[(1, 4)], [(0, 4), (5, 6)]], [(0, 1, 1), (1, 4, 0), (5, 6, 1)]),
        ("fill", [[(1, 2)], [(0, 6)]], [(0, 1, 1), (1, 2, 0), (3, 6, 1)]),
        ("fill", [[(3, 4)], [(1, 6)]], [(1, 2, 1), (3, 4, 0), (4, 6, 1)]),
        ("fill", [[], []], []),
        ("nested", [[(1, 4)], [(0, 4), (3, 6)]], [(0, 4, 1), (1, 4, 0)]),
        ("nested", [[(1, 2)], [(0, 4), (1, 4)]], [(0, 4, 1), (1, 2, 0)]),
        ("nested", [[(1, 2)], [(0, 4), (3, 4)]], [(0, 4, 1), (1, 2, 0), (3, 4, 1)]),
        ("nested", [[(0, 4), (1, 4)], [(1, 2)]], [(0, 4, 0), (1, 4, 0)]),
        ("nested", [[(0, 4)], [(1, 4), (5, 6)]], [(0, 4, 0), (5, 6, 1)]),
        ("nested", [[(1, 4)], [(0, 6), (1, 2)]], [(0, 6, 1), (1, 4, 0)]),
        ("nested", [[(0, 6)], [(0, 6)]], [(0, 6, 0)]),
    ],
)
def test_join_keeps(policy, layers, expected):
    assert [found[:3] for found in join(layers, policy, WORDS)] == expected


@st.composite
def texts(draw):
    words = draw(st.lists(st.booleans(), min_size=1, max_size=20))
    borders = st.integers(0, len(words) - 1).flatmap(lambda s: st.integers(s + 1, len(words)).map(lambda e: (s, e)))
    return words, draw(st.lists(st.lists(borders, max_size=6), min_size=1, max_size=3))


@given(texts(), st.sampled_from(POLICIES))
def test_nothing_overlaps_and_each_part_lies_in_its_mention(text, policy):
    words, layers = text
    found = join(layers, policy, words)
    assert found == sorted(found)
    assert all(one[1] <= other[0] for one, other in pairwise(found))
    for start, end, layer, index in found:
        low, high = layers[layer][index]
        assert low <= start < end <= high
        assert policy == "fill" or (low, high) == (start, end)


@given(texts())
def test_fill_loses_no_word_of_any_source(text):
    words, layers = text
    kept = {i for start, end, _, _ in join(layers, "fill", words) for i in range(start, end)}
    wanted = {i for spans in layers for start, end in spans for i in range(start, end) if words[i]}
    assert wanted <= kept


@given(texts(), st.sampled_from(["first", "longest"]))
def test_what_is_left_out_overlaps_what_was_preferred(text, policy):
    words, layers = text
    kept = join(layers, policy, words)
    for layer, spans in enumerate(layers):
        for start, end in spans:
            rivals = [k for k in kept if k[0] < end and start < k[1]]
            better = [k for k in rivals if (k[2] <= layer if policy == "first" else k[1] - k[0] >= end - start)]
            assert better


@given(texts())
def test_nested_mentions_cross_none_and_lie_two_deep_at_most(text):
    words, layers = text
    found = [mention[:2] for mention in join(layers, "nested", words)]
    assert len(set(found)) == len(found)
    for start, end in found:
        around = [m for m in found if m != (start, end) and m[0] <= start and end <= m[1]]
        assert len(around) <= 1
        assert all(m[1] <= start or end <= m[0] or m in around or (start <= m[0] and m[1] <= end) for m in found)


@given(texts(), st.sampled_from(ANY_POLICY))
def test_one_source_without_overlaps_is_kept_whole(text, policy):
    words, layers = text
    alone = [mention[:2] for mention in join(layers, "first", words)]
    assert [mention[:2] for mention in join([alone], policy, words)] == alone

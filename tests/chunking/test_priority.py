import pytest
from hypothesis import given
from hypothesis import strategies as st

from biochunk.chunking.priority import hierarchy, priority, resolve

BONUS = (3.0, 2.0, 1.0)


@pytest.mark.parametrize(("weight", "tier", "expected"), [(2, 3, 3), (3, 1, 6), (4, 2, 6), (0, 1, 3)])
def test_additive_is_weight_and_bonus(weight, tier, expected):
    assert priority(weight, tier, mode="additive", tier_bonus=BONUS) == expected


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("dataset", {"A": 1.0, "B": 2.0, "C": 4.0}),
        ("flat", {"A": 0.0, "B": 0.0, "C": 0.0}),
        ("inverted", {"A": 4.0, "B": 3.0, "C": 1.0}),
    ],
)
def test_hierarchy(kind, expected):
    assert hierarchy({"A": 1.0, "B": 2.0, "C": 4.0}, kind) == expected


def test_a_shuffled_hierarchy_deals_the_same_weights_to_other_relations():
    weights = {label: float(i) for i, label in enumerate("ABCDEFGH")}
    shuffled = hierarchy(weights, "shuffled")
    assert sorted(shuffled.values()) == sorted(weights.values()) and shuffled.keys() == weights.keys()
    assert sum(shuffled[label] != weight for label, weight in weights.items()) > 4
    # Neither chance nor the order in which a file names its relations changes it.
    assert hierarchy(dict(reversed(weights.items())), "shuffled") == shuffled


def test_lexicographic_lets_weight_decide():
    def value(weight, tier):
        return priority(weight, tier, mode="lexicographic", tier_bonus=BONUS)

    assert value(4, 3) > value(3, 1)
    assert value(3, 1) > value(3, 2) > value(3, 3)
    # The modes differ: added up, the tier would win here.
    assert priority(4, 3, mode="additive", tier_bonus=BONUS) < priority(3, 1, mode="additive", tier_bonus=BONUS)


@pytest.mark.parametrize(
    ("claims", "expected"),
    [
        ([(0, 5, 3.0, "a"), (3, 8, 6.0, "b")], [1, -1]),
        ([(0, 5, 3.0, "a"), (5, 8, 6.0, "b")], [-1, -1]),
        ([(0, 5, 6.0, "a"), (0, 7, 6.0, "a")], [-1, -1]),  # coordinated arguments do not compete
        ([(0, 9, 6.0, "a"), (0, 5, 6.0, "b")], [1, -1]),  # of equals the tighter
        ([(0, 3, 1.0, "a"), (2, 6, 2.0, "b"), (5, 9, 1.0, "c")], [1, -1, 1]),
    ],
)
def test_resolve(claims, expected):
    assert resolve(claims) == expected


@given(
    st.lists(
        st.tuples(st.integers(0, 40), st.integers(1, 12), st.sampled_from([1.0, 2.0, 3.0]), st.integers(0, 9)),
        max_size=20,
    )
)
def test_what_is_kept_does_not_overlap_and_losers_name_a_winner(items):
    claims = [(start, start + length, value, family) for start, length, value, family in items]
    lost_to = resolve(claims)
    hulls = {}
    for claim, winner in zip(claims, lost_to, strict=True):
        if winner < 0:
            start, end = hulls.get(claim[3], (claim[0], claim[1]))
            hulls[claim[3]] = (min(start, claim[0]), max(end, claim[1]))
        else:
            assert lost_to[winner] < 0
    ordered = sorted(hulls.values())
    assert all(ordered[i][1] <= ordered[i + 1][0] for i in range(len(ordered) - 1))

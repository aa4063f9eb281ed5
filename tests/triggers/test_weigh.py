import pytest
from hypothesis import given
from hypothesis import strategies as st

from biochunk.triggers.weigh import Fired, fit_weights, top_share


@pytest.mark.parametrize(
    ("bonus", "share"),
    [
        ({"A": 3.0, "B": 1.0}, 1.0),
        ({"A": 1.0, "B": 3.0}, 0.0),
        ({"A": 2.0, "B": 2.0}, 0.5),
        ({"B": 2.0}, 0.0),
        ({}, 0.0),
    ],
)
def test_weigh_share_of_gold_on_top(bonus: dict[str, float], share: float) -> None:
    assert top_share([Fired(bonus, "A")], {"A": 1.0, "B": 1.0}) == share


def test_weigh_share_of_no_items_is_zero() -> None:
    assert top_share([], {}) == 0.0


def test_weigh_raises_a_relation_that_should_win_and_keeps_the_others() -> None:
    items = [Fired({"A": 1.0, "B": 3.0}, "A")] * 3 + [Fired({"B": 3.0}, "B")]
    found = fit_weights(items, {"A": 1.0, "B": 1.0, "C": 7.0}, ["A"])
    assert top_share(items, found) == 1.0
    assert (found["B"], found["C"]) == (1.0, 7.0)


def test_weigh_leaves_weights_that_are_good_enough() -> None:
    items = [Fired({"A": 3.0, "B": 1.0}, "A")]
    assert fit_weights(items, {"A": 1.0, "B": 1.0}, ["A", "B"]) == {"A": 1.0, "B": 1.0}


NAMES = ["A", "B", "C"]
ITEMS = st.lists(
    st.builds(
        Fired,
        st.dictionaries(st.sampled_from(NAMES), st.sampled_from([1.0, 2.0, 3.0])),
        st.sampled_from(NAMES),
    ),
    max_size=12,
)


@given(ITEMS)
def test_weigh_never_makes_the_share_smaller(items: list[Fired]) -> None:
    start = dict.fromkeys(NAMES, 2.0)
    assert top_share(items, fit_weights(items, start, NAMES)) >= top_share(items, start)

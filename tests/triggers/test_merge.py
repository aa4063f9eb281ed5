from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from biochunk.schemas import Dataset, check_dataset
from biochunk.triggers.cues import Cue
from biochunk.triggers.learn import Proposal
from biochunk.triggers.merge import merge
from biochunk.triggers.table import review_table

NEW = Proposal("R", Cue("block", "verb"), 2, 7, 20, 0.4, 3.0, 12.0, "between", False)


def learned(tier: int, **changes: Any) -> dict[str, Any]:
    return {
        "phrase": "block",
        "tier": tier,
        "pos": "verb",
        "learned": {"tier": 2, "count": 7, "share": 0.4},
        **changes,
    }


@pytest.mark.parametrize(
    ("triggers", "proposal", "kind", "tier", "note"),
    [
        ([], NEW, "new", 2, ""),
        ([learned(2)], NEW, "same", 2, ""),
        ([learned(2)], replace(NEW, tier=1, share=0.7), "changed", 1, ""),
        ([learned(2)], replace(NEW, count=8), "changed", 2, ""),
        ([learned(2)], None, "dropped", None, ""),
        ([learned(2)], replace(NEW, invert=True), "same", 2, "learner: inverted"),
        ([learned(2, invert=True, pos="noun")], NEW, "same", 2, "learner: not inverted; learner: verb"),
        ([learned(1)], NEW, "hand", 1, "learner: tier 2"),
        ([learned(1)], None, "hand", 1, ""),
        ([{"phrase": "block", "tier": 3}], NEW, "hand", 3, "learner: tier 2"),
        ([{"phrase": "Block", "tier": 3}], None, "hand", 3, ""),
    ],
)
def test_merge_of_one_trigger(
    triggers: list[dict[str, Any]],
    proposal: Proposal | None,
    kind: str,
    tier: int | None,
    note: str,
    make_dataset: Callable[..., Dataset],
) -> None:
    old = make_dataset(R=triggers)
    new, [change] = merge(old, [proposal] if proposal else [])
    assert (change.kind, change.note) == (kind, note)
    assert [t.tier for t in new.relations["R"].triggers] == ([] if tier is None else [tier])
    assert old == make_dataset(R=triggers)


def test_merge_hand_edits_of_a_learned_trigger_stay(make_dataset: Callable[..., Dataset]) -> None:
    old = make_dataset(R=[learned(2, forms=["blocks"], patterns=["infix"], invert=True)])
    new, _ = merge(old, [replace(NEW, tier=1)])
    [trigger] = new.relations["R"].triggers
    assert (trigger.forms, trigger.patterns, trigger.invert, trigger.tier) == (["blocks"], ["infix"], True, 1)


def test_merge_leaves_out_what_a_reviewer_rejected() -> None:
    old = check_dataset(
        {
            "schema_version": 1,
            "name": "x",
            "relations": {"R": {"definition": "R.", "weight": 1, "rejected": ["BLOCK"]}},
        }
    )
    new, [change] = merge(old, [NEW])
    assert change.kind == "rejected"
    assert new == old


def test_merge_passes_over_relations_that_the_dataset_lacks(make_dataset: Callable[..., Dataset]) -> None:
    old = make_dataset(OTHER=[])
    assert merge(old, [NEW]) == (old, [])


def test_merge_of_its_own_result_changes_nothing(make_dataset: Callable[..., Dataset]) -> None:
    once, _ = merge(make_dataset(R=[{"phrase": "stop", "tier": 1}]), [NEW])
    twice, changes = merge(once, [NEW])
    assert twice == once
    assert [change.kind for change in changes] == ["hand", "same"]


def test_merge_table_shows_every_trigger_and_why(make_dataset: Callable[..., Dataset]) -> None:
    _, changes = merge(make_dataset(R=[{"phrase": "stop", "tier": 1}]), [NEW])
    lines = review_table(changes).splitlines()
    assert lines[0] == "R: 1 hand, 1 new"
    assert lines[2].split() == ["hand", "1", "stop", "phrase", "-", "-", "-", "-", "-"]
    assert lines[3].split() == ["new", "2", "block", "verb", "7", "20", "0.40", "3.0", "between"]

from collections.abc import Callable

from biochunk.schemas import Dataset
from biochunk.triggers.coverage import Found, coverage, found_in
from biochunk.triggers.finders import TAGGER, fired_tiers, make_finder
from biochunk.triggers.table import coverage_table

TRIGGERS = {
    "INHIBITS": [
        {"phrase": "inhibit", "tier": 1, "pos": "verb"},
        {"phrase": "reduce", "tier": 3, "pos": "verb"},
    ],
    "AFFECTS": [{"phrase": "reduce", "tier": 3, "pos": "verb"}],
}


def found(fired: str, proposed: str = "", top: str = "") -> Found:
    return Found(frozenset(fired.split()), frozenset(proposed.split()), tuple(top.split()))


def test_coverage_counts_by_relation_over_all_and_without_relation() -> None:
    rows = coverage(
        [
            (found("A B", "A", "A"), ["A"]),
            (found("B", "B", "B"), ["A"]),
            (found(""), ["A"]),
            (found("A B", "A B", "A B"), ["A", "B"]),
            (found("A"), []),
        ],
        ["A", "B", "C"],
    )
    assert list(rows) == ["A", "B", "C", "(none)", "all"]
    assert (rows["A"].items, rows["A"].trigger, rows["A"].fired, rows["A"].proposed, rows["A"].top) == (
        4,
        3,
        2,
        2,
        1.5,
    )
    assert (rows["B"].items, rows["B"].fired, rows["B"].others, rows["B"].alarms) == (1, 1, 4, 2)
    assert (rows["(none)"].items, rows["(none)"].trigger) == (1, 1)
    assert rows["all"].items == 5
    assert rows["all"].rates()["relations fired"] == (2 + 1 + 0 + 2 + 2) / 5
    assert rows["C"].rates()["gold fired"] is None


def test_coverage_table_leaves_out_what_cannot_be_counted() -> None:
    rows = coverage([(found("A", "A", "A"), ["A"]), (found(""), [])], ["A", "B"])
    lines = coverage_table(rows).splitlines()
    assert lines[1].split() == ["A", "1", "100.0%", "100.0%", "100.0%", "100.0%", "1.00", "0.0%"]
    assert lines[2].split() == ["B", "0", "-", "-", "-", "-", "-", "0.0%"]
    assert lines[3].split() == ["(none)", "1", "0.0%", "-", "-", "-", "0.00", "-"]


def test_coverage_reads_what_a_pipeline_found(make_dataset: Callable[..., Dataset]) -> None:
    nlp = make_finder(make_dataset(**TRIGGERS))
    assert found_in(nlp("Aspirin inhibits COX-2.")) == found("INHIBITS", "INHIBITS", "INHIBITS")
    both = found_in(nlp("Aspirin reduces inflammation."))
    assert both.fired == both.proposed == {"INHIBITS", "AFFECTS"}
    assert set(both.top) == {"INHIBITS", "AFFECTS"}
    assert found_in(nlp("Aspirin was bought.")) == found("")


def test_coverage_needs_no_proposition_component(make_dataset: Callable[..., Dataset]) -> None:
    nlp = make_finder(make_dataset(**TRIGGERS), TAGGER)
    doc = nlp("Aspirin inhibits COX-2 and reduces pain.")
    assert fired_tiers(doc) == {"INHIBITS": 1, "AFFECTS": 3}
    assert found_in(doc) == found("INHIBITS AFFECTS")

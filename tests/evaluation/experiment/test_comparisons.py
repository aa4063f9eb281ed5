"""Arms compared with each other: every figure in the tables, and a sentence that says what the figures say."""

import pytest

from biochunk.evaluation.report.comparisons import comparison_tables, rules_or_recogniser


def entry(view, difference, low, high, arm="hybrid-paper-rules", baseline="hybrid-ner"):
    return {
        "view": view,
        "dataset": "gmciht",
        "task": "triples",
        "input": "sentence",
        "arm": arm,
        "baseline": baseline,
        "difference": difference,
        "interval": [low, high],
        "p": 0.03125,
        "p_holm": 0.0625,
        "mcnemar": {"only_arm": 1, "only_baseline": 2, "p": 0.5},
    }


HIGHER, LOWER, CHANCE = (0.2, 0.1, 0.3), (-0.2, -0.3, -0.1), (0.01, -0.1, 0.1)


@pytest.mark.parametrize(
    ("published", "clean", "said"),
    [
        (HIGHER, LOWER, "rests on the spaces and brackets"),
        (HIGHER, CHANCE, "rests on the spaces and brackets"),
        (HIGHER, HIGHER, "is seen here without the marks"),
        (CHANCE, LOWER, "is not seen here even on the published text"),
        (LOWER, LOWER, "is not seen here even on the published text"),
    ],
)
def test_the_sentence_follows_the_intervals(published, clean, said):
    text = rules_or_recogniser({"comparisons": [entry("published", *published), entry("clean", *clean)]})
    assert said in text
    assert f"{100 * clean[0]:+.1f}" in text


def test_no_sentence_without_both_views():
    assert rules_or_recogniser({"comparisons": [entry("clean", *HIGHER)]}) == ""
    assert rules_or_recogniser({}) == ""


def test_every_figure_stands_in_the_table():
    [table] = comparison_tables({"comparisons": [entry("clean", *HIGHER, arm="a", baseline="b")]})
    assert table.rows == (("GM-CIHT", "triples", "a", "b", "+20.0", "+10.0 to +30.0", "0.031", "0.062", "higher"),)

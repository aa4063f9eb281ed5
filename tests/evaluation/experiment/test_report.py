"""The report of a small experiment: every number of the results reaches the tables, hostile text is escaped."""

import re

import pytest

from biochunk.evaluation.report.markdown import to_markdown
from biochunk.evaluation.report.page import render_report
from biochunk.evaluation.report.plots import Point, bars, intervals
from biochunk.evaluation.report.tables import interval, p_value, percent, verdict

PLACE = {"view": "clean", "dataset": "gmciht", "task": "triples", "input": "sentence"}


def score(arm: str, f1: float, view: str = "clean") -> dict:
    return {
        **PLACE,
        "view": view,
        "arm": arm,
        "items": 10,
        "seeds": [{"seed": 0, "f1": f1}],
        "f1": f1,
        "sd": 0.01,
        "precision": 0.5,
        "recall": 0.25,
        "interval": [f1 - 0.1, f1 + 0.1],
        "parts": {"triple": f1, "undirected pair": 0.625, "head": 0.5, "relation": 0.875, "tail": 0.5},
        "relations": {"treats": {"f1": f1, "gold": 7}, "causes": {"f1": 0.125, "gold": 3}},
    }


def results(**changes) -> dict:
    answers = {"view": "clean", "dataset": "gmciht", "encoder": "static"}
    return {
        "title": "A small one",
        "settings": {
            "baseline": "fixed",
            "arms": {"fixed": {"own_mentions": False}, "hybrid": {"own_mentions": False}},
            "budget": 16,
            "seeds": [0],
            "views": ["clean"],
            "store_split": "dev",
            "store_encoder": "static",
            "retrieved": 5,
            "shown": 5,
        },
        "reader": {"@misc": "biochunk.linear_reader.v1"},
        "corpora": [
            {**PLACE, "split": "dev", "store_split": "dev", "train": 9, "store": 4, "scored": 10},
        ],
        "overlaps": [],
        "scores": [score("fixed", 0.3), score("hybrid", 0.4125)],
        "differences": [
            {
                **PLACE,
                "arm": "hybrid",
                "baseline": "fixed",
                "difference": 0.1125,
                "interval": [0.0125, 0.2],
                "p": 0.0312,
                "mcnemar": {"only_arm": 3, "only_baseline": 1, "p": 0.625},
            }
        ],
        "mentions": [{"view": "clean", "dataset": "gmciht", "exact": 0.5, "both": 0.25, "per sentence": 6.5}],
        "chunk_health": [{"view": "clean", "dataset": "gmciht", "arm": "fixed", "chunks per sentence": 2.0}],
        "retrieval_health": [
            {
                **PLACE,
                "arm": "fixed",
                "order": "cosine",
                "queries": 10,
                "unserved": 0,
                "distinct": 8,
                "top_share": 0.2,
                "distinct_at_5": 9,
                "top_share_at_5": 0.3,
                "hit_at_1": 0.375,
                "hit_at_5": 0.75,
                "prior": 0.125,
            }
        ],
        "released": {"queries": 465, "distinct": 3, "top_share": 0.77, "hit_at_1": 0.065},
        "answers": [{**answers, "chunker": "hybrid", "recall@5": 0.4375, "words per passage": 9.5}],
        "answer_differences": [
            {
                **answers,
                "chunker": "hybrid",
                "other": "fixed",
                "measure": "recall@5",
                "difference": 0.0625,
                "interval": [-0.01, 0.1],
                "p": 0.2,
            }
        ],
        "references": {"source": "s", "paper": {"gmciht": {"fixed": 74.2, "hybrid": 82.6}}},
        "examples": [],
        **changes,
    }


@pytest.mark.parametrize("render", [to_markdown, render_report])
@pytest.mark.parametrize(
    "cell", ["41.2 ± 1.0", "31.2 to 51.2", "+11.2", "+1.2 to +20.0", "0.031", "0.625", "higher", "82.6", "37.5", "43.8"]
)
def test_every_figure_stands_in_the_report(render, cell):
    assert cell in render(results())


def test_a_difference_inside_its_interval_is_called_chance():
    entry = {**results()["differences"][0], "interval": [-0.01, 0.2]}
    text = to_markdown(results(differences=[entry]))
    assert "`hybrid` and `fixed` do not differ beyond chance" in text


def test_both_views_give_an_account_of_what_is_lost():
    mentions = [
        {"view": v, "dataset": "gmciht", "exact": 0.9, "both": b, "per sentence": 4.0}
        for v, b in (("published", 0.84375), ("clean", 0.25))
    ]
    scores = [score("fixed", 0.75, "published"), score("fixed", 0.3125)]
    text = to_markdown(results(scores=scores, differences=[], mentions=mentions))
    assert "F1 75.0 on published and 31.2 on clean text" in text
    assert "84.4 and 25.0 of the triples" in text


def test_hostile_text_is_escaped():
    rows = [{"name": "<b>", "triples": [["<i>x", "R", "y"]], "right": True, "seen": "<script>"}]
    example = {"view": "v", "dataset": "<d>", "id": "1", "kind": "k", "text": "<i>x causes y", "rows": rows}
    page = render_report(results(title="<script>alert(1)</script>", examples=[example]))
    assert "<script>" not in page and "<i>x" not in page
    assert page == render_report(results(title="<script>alert(1)</script>", examples=[example]))


def test_a_pipe_does_not_break_a_markdown_table():
    text = to_markdown(results(scores=[score("a|b", 0.3)], differences=[]))
    assert "a\\|b" in text


@pytest.mark.parametrize(
    ("bounds", "said"), [([0.01, 0.2], "higher"), ([-0.2, -0.01], "lower"), ([-0.1, 0.1], "within chance")]
)
def test_verdict(bounds, said):
    assert verdict(bounds) == said


def test_cells():
    assert percent(None) == "–"
    assert interval([0.1, -0.2], sign=True) == "+10.0 to -20.0"
    assert p_value(0.0001) == "< 0.001"


def test_plots_hold_every_value_and_no_id_twice():
    points = [Point("a", "x", 0.5, 0.4, 0.6), Point("a", "y", 0.1, -0.2, 0.3), Point("b", "x", 0.2, 0.2, 0.2)]
    svg = intervals(points, title="T", key="k", zero=True)
    assert svg.count("<circle") == 3
    ids = re.findall(r'id="([^"]+)"', svg + bars({"a": 0.5, "b": -0.25}, title="T", key="l"))
    assert len(ids) == len(set(ids)) == 4

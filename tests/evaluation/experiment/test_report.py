"""The report of a small experiment: every number of the results reaches the tables, hostile text is escaped."""

import re
from types import SimpleNamespace

import pytest

from biochunk.evaluation.report.examples import examples_html
from biochunk.evaluation.report.markdown import to_markdown
from biochunk.evaluation.report.page import render_report
from biochunk.evaluation.report.plots import Point, bars, intervals
from biochunk.evaluation.report.summary import summary_tables
from biochunk.evaluation.report.tables import interval, p_value, percent, verdict

EXAMPLE = {
    "view": "clean",
    "dataset": "gmciht",
    "task": "triples",
    "input": "sentence",
    "id": "1",
    "arm": "hybrid",
    "kind": "k",
}
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
            "arms": {"fixed": {"pipeline": "fixed", "top_k": 2}, "hybrid": {"pipeline": "hybrid", "top_k": 2}},
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
            {**PLACE, "split": "dev", "store_split": "dev", "train": 9, "store": 4, "scored": 465},
        ],
        "pipelines": {"fixed": "Pieces of words.", "hybrid": "The full method."},
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
                "p_holm": 0.0936,
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
                "p_holm": 0.2,
            }
        ],
        "references": {
            "source": "arXiv 1",
            "paper": {"gmciht": {"fixed": 74.2, "hybrid": 82.6, "BioMedRAG": 81.42}, "chemprot": {"BioMedRAG": 88.83}},
        },
        "examples": [],
        **changes,
    }


@pytest.mark.parametrize("render", [to_markdown, render_report])
@pytest.mark.parametrize(
    "cell",
    [
        *("41.2 ± 1.0", "31.2 to 51.2", "+11.2", "+1.2 to +20.0", "0.031", "0.094", "0.625", "higher", "37.5", "43.8"),
        *("The full method.", "6.50"),
    ],
)
def test_every_figure_stands_in_the_report(render, cell):
    assert cell in render(results())


@pytest.mark.parametrize(
    ("bounds", "scored", "cell", "word"),
    [
        ([0.05, 0.2], 465, "+11.2 (+5.0 to +20.0) higher", "higher"),
        ([-0.01, 0.2], 465, "+11.2 (-1.0 to +20.0) |", "within chance"),
        ([0.05, 0.2], 20, "measure nothing: no verdict", "too few items"),
    ],
)
def test_in_short_and_the_verdict_go_by_the_interval_and_the_items(bounds, scored, cell, word):
    given = results()
    differences = [{**given["differences"][0], "interval": bounds}]
    corpora = [{**given["corpora"][0], "scored": scored}]
    text = to_markdown(results(differences=differences, corpora=corpora))
    short, scores = text.split("## In short")[1].split("## Scores")
    assert cell in short
    assert f"| {word} |" in scores
    assert ("| hybrid |" in short) == (scored > 100)


def test_many_arms_are_the_rows_of_the_matrix():
    entry = results()["differences"][0]
    [table] = summary_tables(results(differences=[{**entry, "arm": f"arm-{i}"} for i in range(9)]))
    assert len(table.rows) == 9
    assert len(table.head) == 2


@pytest.mark.parametrize("view", ["published", "clean", "sample"])
def test_published_numbers_stand_beside_published_texts_only(view):
    given = results()
    health = [{**given["retrieval_health"][0], "view": view}]
    text = to_markdown(results(scores=[score("hybrid", 0.4, view)], differences=[], retrieval_health=health))
    for said in ("82.6", "81.4", "arXiv 1", "BioMedRAG's released run"):
        assert (said in text) == (view == "published")
    assert "74.2" not in text, "a row of an arm that is not there"
    assert "88.8" not in text, "a row of a dataset that is not there"


@pytest.mark.parametrize(
    ("arms", "said", "unsaid"),
    [
        ({"a": {"pipeline": "fixed"}, "b": {"pipeline": "fixed"}}, "and the same mentions.", "order of the evidence |"),
        ({"a": {"pipeline": "fixed", "own_mentions": True}}, "the same mentions for all but `a`.", "except"),
        (
            {"a": {"pipeline": "fixed"}, "b": {"pipeline": "fixed", "scorer": True}},
            "| b | fixed | Pieces of words. | the trained chunk scorer's |",
            "; order of the evidence:",
        ),
        (
            {"a": {"pipeline": "fixed"}, "b": {"pipeline": "fixed", "overrides": {"components.x.top_n": 3}}},
            "| b | fixed | Pieces of words. | x.top_n = 3 |",
            "; changed settings:",
        ),
    ],
)
def test_arms_are_described_by_what_differs(arms, said, unsaid):
    text = to_markdown(results(settings={**results()["settings"], "arms": arms}))
    assert said in text
    assert unsaid not in text


@pytest.mark.parametrize(("without", "there"), [(0, True), (3, False)])
def test_pairs_that_all_have_a_relation_are_said(without, there):
    corpora = [{**results()["corpora"][0], "pairs": {"asked": 9, "without relation": without}}]
    assert ("no pair without a relation" in to_markdown(results(corpora=corpora))) == there


TRH = "Thyrotropin-releasing hormone stimulates thyrotropin."


@pytest.mark.parametrize(
    ("text", "triple", "places", "marked"),
    [
        (TRH, ["Thyrotropin-releasing hormone", "R", "thyrotropin"], None, [(0, 29, "HEAD"), (41, 52, "TAIL")]),
        (TRH, ["thyrotropin", "R", "Thyrotropin-releasing hormone"], None, [(0, 29, "TAIL"), (41, 52, "HEAD")]),
        ("an agent acts on gent", ["gent", "R", "an"], None, [(0, 2, "TAIL"), (17, 21, "HEAD")]),
        ("x and x", ["x", "R", "x"], [[6, 7], [0, 1]], [(0, 1, "TAIL"), (6, 7, "HEAD")]),
        ("abc", ["abc", "R", "b"], None, [(0, 3, "HEAD")]),
        ("abc", ["", "class 1", ""], None, []),
    ],
)
def test_head_and_tail_are_marked_where_they_stand(text, triple, places, marked, monkeypatch):
    drawn = []
    monkeypatch.setattr(
        "biochunk.evaluation.report.examples.EntityRenderer",
        lambda options: SimpleNamespace(render=lambda data, page: drawn.extend(data[0]["ents"]) or ""),
    )
    rows = [{"name": "gold", "triples": [triple], "places": places, "right": None, "seen": ""}]
    examples_html([{**EXAMPLE, "text": text, "rows": rows}], "fixed")
    assert [(mark["start"], mark["end"], mark["label"]) for mark in drawn] == marked


def test_an_example_says_what_was_asked_and_of_whom():
    page = examples_html([{**EXAMPLE, "text": "x", "rows": []}], "fixed")
    assert "GM-CIHT, clean, triples, sentence and retrieved evidence, 1: k" in page
    assert "<code>hybrid</code> and <code>fixed</code>" in page


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
    example = {**EXAMPLE, "dataset": "<d>", "text": "<i>x causes y", "rows": rows}
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

"""Corpus statistics: each measure on a sentence of our own, the table and the page."""

import re
from collections import Counter
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biochunk.corpora.records import Entity, Record, Triple
from biochunk.corpora.stats import (
    CueFinder,
    SplitStats,
    count_record,
    has_passive,
    leakage,
    ordered,
    percentile,
    summary,
    to_data,
    words_between,
)
from biochunk.corpora.stats_page import Corpus, measure_rows, render_page, to_table
from biochunk.corpora.stats_plots import binned, bins, round_up


@pytest.fixture(scope="module")
def cues():
    return CueFinder()


def entity(text, mention, key="e1", label="X"):
    start = text.index(mention)
    return Entity(id=key, start=start, end=start + len(mention), text=mention, label=label)


def record(text, *mentions, relation=None, split="train", label=None, key="r"):
    entities = [entity(text, mention, f"e{i}") for i, mention in enumerate(mentions, 1)]
    triples = [Triple(head="e1", relation=relation, tail="e2")] if relation else []
    return Record(id=key, dataset="d", split=split, text=text, entities=entities, triples=triples, label=label)


def counted(cues, *records, fired=None):
    stats = SplitStats()
    for found in records:
        count_record(stats, found, cues, fired)
    return stats


@pytest.mark.parametrize(
    ("text", "head", "tail", "expected"),
    [
        ("aspirin strongly inhibits COX-2", "aspirin", "COX-2", 2),
        ("COX-2 is cut by  aspirin", "aspirin", "COX-2", 3),
        ("aspirin-COX-2", "aspirin", "COX-2", 1),
        ("aspirinCOX-2", "aspirin", "COX-2", 0),
        ("aspirin", "aspirin", "spir", 0),
    ],
)
def test_words_between(text, head, tail, expected):
    assert words_between(text, entity(text, head), entity(text, tail)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("COX-2 was inhibited by aspirin.", True),
        ("Patients Treated  with aspirin", True),
        ("genes driven by TP53", True),
        ("aspirin inhibits COX-2 by binding", False),
        ("diabetes with pain", False),
        ("used by", True),
        ("bystanders needed bypass", False),
    ],
)
def test_has_passive(text, expected):
    assert has_passive(text) is expected


@pytest.mark.parametrize(
    ("text", "mentions", "expected"),
    [
        ("Celecoxib does not inhibit COX-1.", (), {"negation"}),
        ("Aspirin may inhibit COX-1.", (), {"hedge"}),
        ("Aspirin inhibits COX-1.", (), set()),
        ("Asthma with no wheeze.", ("no wheeze",), set()),
        ("Not only aspirin helps.", (), set()),
        ("NO relaxes vessels.", (), set()),
        ("No. 5 was given.", (), set()),
        ("It did not help, but aspirin may.", (), {"negation", "hedge"}),
    ],
)
def test_cues_of_polarity(cues, text, mentions, expected):
    found = cues.polarities(text, [entity(text, mention) for mention in mentions])
    assert found == expected


def test_counts_of_one_record(cues):
    text = "COX-2 was not inhibited by aspirin here."
    stats = counted(cues, record(text, "COX-2", "aspirin", relation="INHIBITS", label=1))
    assert (stats.records, stats.words, stats.entities) == (1, {7: 1}, {2: 1})
    assert (stats.covered, stats.characters) == (12, len(text))
    assert (stats.gaps, stats.relations, stats.labels, stats.classes) == (
        {4: 1},
        {"INHIBITS": 1},
        {"X": 2},
        {"1": 1},
    )
    assert (stats.empty, stats.passives, stats.negated, stats.hedged) == (0, 1, 1, 0)
    assert (stats.triggered, stats.fired) == (None, None)


def test_overlapping_entities_cover_a_character_once(cues):
    assert counted(cues, record("IL-6 receptor", "IL-6 receptor", "IL-6")).covered == 13


@pytest.mark.parametrize(
    ("fired", "triggered", "gold"),
    [(frozenset(), 0, 0), ({"AFFECTS"}, 1, 0), ({"INHIBITS", "AFFECTS"}, 1, 1)],
)
def test_trigger_coverage(cues, fired, triggered, gold):
    stats = counted(cues, record("a b", "a", "b", relation="INHIBITS"), fired=frozenset(fired))
    assert (stats.triggered, stats.fired) == (triggered, gold)


def test_leakage_is_by_letters_and_digits_in_lower_case(cues):
    train = counted(cues, record("IL-6  rose."), record("TNF fell."), record("TNF fell"))
    test = counted(cues, record("il 6 rose"), record("p53 rose"))
    assert leakage({"train": train, "test": test}) == {
        "train": {"train": 2, "test": 1},
        "test": {"train": 1, "test": 2},
    }


def test_splits_come_in_the_usual_order():
    assert list(ordered({name: SplitStats() for name in ("x", "test", "train", "a")})) == [
        "train",
        "test",
        "x",
        "a",
    ]


@given(st.lists(st.integers(0, 50), min_size=1), st.sampled_from([0.5, 0.9, 1.0]))
def test_percentile_is_the_smallest_value_with_enough_below(values, share):
    found = percentile(Counter(values), share)
    assert sum(value <= found for value in values) >= share * len(values)
    assert found in values
    assert sum(value < found for value in values) < share * len(values)


def test_summary_of_nothing_is_none():
    assert summary(Counter()) == {"mean": None, "p50": None, "p90": None, "max": None}
    assert summary(Counter([1, 2, 9])) == {"mean": 4, "p50": 2, "p90": 9, "max": 9}


@given(st.lists(st.lists(st.integers(0, 300), max_size=30), min_size=1, max_size=3))
def test_bins_hold_every_value_once(lists):
    counts = [Counter(values) for values in lists]
    ranges = bins(counts)
    assert len(ranges) <= 27
    assert len({last - first for first, last in ranges}) <= 1
    for found in counts:
        if found:
            assert sum(binned(found, ranges)) == found.total()


@pytest.mark.parametrize(("share", "top"), [(0.01, 0.02), (0.1, 0.1), (0.101, 0.2), (0.25, 0.3), (1.0, 1.0)])
def test_round_up(share, top):
    assert round_up(share) == top


@pytest.fixture
def corpora(cues):
    """Two splits with a class, several lengths and a shared sentence, and an odd title."""
    text = "Aspirin clearly inhibits COX-2."
    train = [record(text, "Aspirin", "COX-2", relation="INHIBITS", label="yes")]
    train.append(record("Aspirin affects COX-2.", "Aspirin", "COX-2", relation="<b>AFFECTS", label="no"))
    splits = {"train": counted(cues, *train), "dev": counted(cues, record(text.lower(), label="yes"))}
    return [Corpus('a<b>&"c": d', splits)]


def test_table_has_every_measure_and_the_shared_sentences(corpora):
    lines = to_table(corpora).splitlines()
    assert lines[0].split() == ['a<b>&"c":', "d", "train", "dev"]
    assert lines[1].split() == ["records", "2", "1"]
    assert any(line.split() == ["dev", "1", "(100.0%)", "1"] for line in lines)
    assert not any("trigger" in line for line in lines)


def test_measures_of_a_dataset_are_shown_when_there_was_one(cues):
    stats = counted(cues, record("a b", "a", "b", relation="R"), fired=frozenset({"R"}))
    rows = dict(measure_rows({"train": stats}))
    assert rows["records in which a trigger fires"] == ["100.0%"]
    assert rows["triples whose relation fires"] == ["100.0%"]


def test_data_is_json_values_with_the_same_numbers(corpora):
    data = to_data(corpora[0].splits)
    assert data["splits"]["train"]["words"]["mean"] == 3.5
    assert data["splits"]["train"]["relations"] == {"INHIBITS": 1, "<b>AFFECTS": 1}
    assert data["leakage"]["dev"]["train"] == 1


def test_page_is_one_well_formed_document_without_outside_parts(corpora):
    page = render_page(corpora, title="T<i>tle")
    assert "<b>" not in page
    assert "<i>" not in page
    assert not re.search(r"(?:src|href)=\"(?!#)|url\(|@import|<script", page)
    tree = ElementTree.fromstring(re.sub(r"<!DOCTYPE html>|<meta[^>]*>", "", page))
    ids = [element.get("id") for element in tree.iter() if element.get("id")]
    assert len(ids) == len(set(ids))
    plots = list(tree.iter("svg"))
    assert len(plots) >= 4
    for plot in plots:
        title, description = plot.get("aria-labelledby").split()
        assert plot.get("role") == "img"
        assert {title, description} <= set(ids)


def test_same_statistics_give_the_same_page(corpora):
    assert render_page(corpora, title="t") == render_page(corpora, title="t")


def test_page_of_records_without_entities_has_no_empty_plots(cues):
    page = render_page([Corpus("c", {"train": counted(cues, record("")), "dev": SplitStats()})], title="t")
    assert "<svg" not in page
    assert "<h2>c</h2>" in page

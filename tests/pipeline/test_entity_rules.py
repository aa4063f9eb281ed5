"""Mentions by rule: which rule is named, two boundaries of one mention, and what holds of any text."""

import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biochunk.spans import ENTITIES

from .conftest import build, dataset

ONLY = ("bio_entity_spans",)


def found(doc):
    return [(e.text, e.rule, e.boundary) for e in doc._.bio_entities]


EDGES = {"before": {"optional": ["serum"], "cut": ["new"]}, "after": {"cut": ["levels"], "optional": ["activity"]}}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the serum glucose levels", [("serum glucose", "noun_phrase", "maximal"), ("glucose", "affixes", "minimal")]),
        ("new glucose activity", [("glucose activity", "noun_phrase", "maximal"), ("glucose", "affixes", "minimal")]),
        ("the mutation G551D", [("mutation G551D", "noun_phrase", "maximal"), ("G551D", "shapes", "minimal")]),
        ("the cholecystokinin antagonist L364718", [
            ("cholecystokinin antagonist", "noun_phrase", "maximal"),
            ("cholecystokinin", "affixes", "minimal"),
            ("L364718", "shapes", ""),
        ]),
        ("it binds IL-1β", [("IL-1β", "shapes", "")]),
        ("it binds a wild thing", [("wild thing", "noun_phrase", "")]),
        ("COX-1 and -2 were seen", [("COX-1 and -2", "coordination", "maximal"), ("COX-1", "shapes", "minimal")]),
        # A word that is no mention by itself is none as a minimal boundary either.
        ("serum analysis", [("serum analysis", "noun_phrase", "")]),
        ("the analysis", []),
    ],
)  # fmt: skip
def test_rules_and_boundaries(make_pipeline, text, expected):
    assert found(make_pipeline(components=ONLY, data=dataset(entities=EDGES))(text)) == expected


@pytest.mark.parametrize(
    ("boundary", "expected"),
    [("both", ["serum glucose", "glucose"]), ("maximal", ["serum glucose"]), ("minimal", ["glucose"])],
)
def test_one_boundary_by_option(make_pipeline, boundary, expected):
    nlp = make_pipeline(components=ONLY, data=dataset(entities=EDGES), bio_entity_spans={"boundary": boundary})
    assert [text for text, _, _ in found(nlp("the serum glucose levels"))] == expected


def test_names_alone_without_noun_phrases(make_pipeline):
    nlp = make_pipeline(components=ONLY, data=dataset(entities={"rules": ["shapes", "affixes"]}))
    assert found(nlp("a wild dose of metoprolol blocks NF-κB in (-)-cells")) == [
        ("metoprolol", "affixes", ""),
        ("NF-κB", "shapes", ""),
    ]


def test_the_earlier_of_two_rules_is_named(make_pipeline):
    nlp = make_pipeline(components=ONLY, data=dataset(entities={"rules": ["noun_phrase", "shapes"]}))
    assert found(nlp("it binds IL-1β")) == [("IL-1β", "noun_phrase", "")]


def test_the_papers_rules_alone(make_pipeline):
    nlp = make_pipeline(components=ONLY, data=dataset(entities={"rules": ["brackets", "capitalised", "hyphenated"]}))
    assert found(nlp("[aspirin] [here] in Parkinson Disease blocks COX-2 and pain-relief of aspirin")) == [
        ("here", "brackets", ""),
        ("Parkinson Disease", "capitalised", ""),
        ("COX-2", "hyphenated", ""),
        ("pain-relief", "hyphenated", ""),
    ]


def test_marks_are_taken_before_phrases(make_pipeline):
    nlp = make_pipeline(components=ONLY, data=dataset(entities={"rules": ["padding", "noun_phrase"]}))
    assert found(nlp("the wild  glucose  thing of rats")) == [
        ("wild", "noun_phrase", ""),
        ("glucose", "padding", ""),
        ("thing", "noun_phrase", ""),
        ("rats", "noun_phrase", ""),
    ]


NLP = build(ONLY, dataset(entities=EDGES), False, {})
PARTS = st.sampled_from(
    ["serum", "glucose", "levels", "and", "-", "-2", "COX-1", "(", ")", "[3H]", "β", "alpha-", " ", "  ", "\n", ",",
     "/", "1,25", "5", "mg", "A", "a", "vitamin", "🧬", "induced", "+", "\u00a0", "like", "'", "'s", "NO", "of"]
)  # fmt: skip


def test_a_name_does_not_grow_over_a_marked_mention():
    doc = NLP(":[A]'S")
    assert [span.text for span in doc.spans[ENTITIES]] == ["A", "'S"]


@pytest.mark.parametrize("text", ["0(0/SERUM)", "0(🧐)0", "0(0/SERUM)0", "a(0)0(b)", "}[{SERUM)  "])
def test_names_that_grow_to_close_a_bracket_stay_apart(text):
    doc = NLP(text)
    places = [(span.start, span.end) for span in doc.spans[ENTITIES]]
    assert len(set(places)) == len(places) > 0
    maximal = [s for s in doc.spans[ENTITIES] if doc.spans[ENTITIES].attrs[s.id_].get("boundary") != "minimal"]
    assert all(one.end <= other.start for one, other in pairwise(maximal))


@given(st.one_of(st.text(max_size=60), st.lists(PARTS, max_size=25).map("".join), st.lists(PARTS).map(" ".join)))
def test_mentions_stand_apart_or_one_in_the_other(text):
    if any("\ud800" <= character <= "\udfff" for character in text):
        return
    doc = NLP(text)
    reach = 0
    whole = (0, 0)
    for span in doc.spans[ENTITIES]:
        facts = doc.spans[ENTITIES].attrs[span.id_]
        assert any(map(str.isalnum, span.text))
        assert span.text == span.text.strip()
        if facts.get("boundary") == "minimal":
            assert whole[0] <= span.start < span.end <= whole[1]
            assert (span.start, span.end) != whole
        else:
            assert span.start >= reach
            whole = (span.start, span.end)
            reach = span.end


@pytest.mark.parametrize(
    "unit", ["gene ", "gene-", "COX-1 and -2 ", "[aspirin] in ", "(a", "a(b)", "serum ", "5-", "alpha- and ", "Ca(2+) "]
)
def test_rules_take_linear_time(unit):
    rules = NLP.get_pipe("bio_entity_spans").rules

    def seconds(count):
        doc = NLP.make_doc(unit * count)
        start = time.process_time()
        rules.find(doc)
        return time.process_time() - start

    small = min(seconds(1500) for _ in range(3))
    large = min(seconds(6000) for _ in range(3))
    # Quadratic work would take 16 times as long.
    assert large < 8 * small + 0.02

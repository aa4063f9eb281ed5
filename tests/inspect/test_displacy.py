"""A Doc as displaCy input."""

from collections.abc import Callable
from typing import Any

import pytest
import spacy
from hypothesis import given
from hypothesis import strategies as st
from spacy import displacy
from spacy.language import Language
from spacy.tokens import Doc
from tests.inspect.conftest import annotate

from biochunk.inspect import COLORS, arcs_data, spans_data
from biochunk.inspect.displacy import KINDS

Make = Callable[..., Doc]

NASTY = "<b>&\"'{}"
ESCAPED = "&lt;b&gt;&amp;&quot;&#x27;{}"


@pytest.fixture
def example(make_doc: Make) -> Doc:
    return make_doc(
        "Aspirin may not inhibit protein kinase C .",
        entities=[(0, 1, "ENTITY"), (4, 7, "GENE")],
        triggers=[(3, 4, "INHIBITS", 2)],
        propositions=[((0, 1), (3, 4), (4, 7), {"negated": True, "uncertain": True})],
        chunks=[(0, 7, "INHIBITS", {})],
    )


def spans(data: dict[str, Any]) -> list[tuple[Any, ...]]:
    keys = ("start_token", "end_token", "start", "end", "label", "kb_id", "kb_url")
    return [tuple(span[key] for key in keys) for span in data["spans"]]


def test_spans_data_of_every_kind(example: Doc) -> None:
    data = spans_data(example)
    assert data["text"] == example.text
    assert data["tokens"] == [token.text for token in example]
    assert spans(data) == [
        (0, 1, 0, 7, "ENTITY", "", "#e0"),
        (4, 7, 24, 40, "ENTITY", "GENE", "#e1"),
        (3, 4, 16, 23, "TIER 2", "INHIBITS", "#t0"),
        (0, 7, 0, 40, "PROPOSITION", "not INHIBITS?", "#p0"),
        (0, 7, 0, 40, "CHUNK", "1 INHIBITS", "#c0"),
    ]
    assert {span["label"] for span in data["spans"]} <= COLORS.keys()


def test_spans_data_of_chosen_kinds(make_doc: Make) -> None:
    lost = {"kept": False, "reason": "overlaps p0"}
    doc = make_doc("a b c d", propositions=[((0, 1), (1, 2), (2, 3), {}), ((0, 1), (1, 2), (3, 4), lost)])
    assert [span[4:6] for span in spans(spans_data(doc))] == [("PROPOSITION", "INHIBITS")]
    assert [span[4:6] for span in spans(spans_data(doc, kinds=["rejected"]))] == [("REJECTED", "INHIBITS")]
    assert spans(spans_data(doc, kinds=["chunk"])) == []


def test_spans_data_of_one_sentence_counts_from_its_start() -> None:
    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    doc = annotate(nlp("One fell. Two rose."), entities=[(0, 1, "ENTITY"), (3, 4, "ENTITY")])
    data = spans_data(doc, 1, anchor="d1-")
    assert (data["text"], data["tokens"]) == ("Two rose.", ["Two", "rose", "."])
    assert spans(data) == [(0, 1, 0, 3, "ENTITY", "", "#d1-e1")]
    with pytest.raises(IndexError):
        spans_data(doc, 2)


@pytest.mark.parametrize(
    ("roles", "words", "arcs"),
    [
        # infix: Aspirin inhibits COX
        (((0, 1), (1, 2), (2, 3)), ["a", "b", "c"], [(0, 1, "right"), (1, 2, "right")]),
        # passive: COX was inhibited by aspirin
        (((4, 5), (2, 3), (0, 1)), ["a", "b", "c", "d", "e"], [(2, 4, "left"), (0, 2, "left")]),
        # prefix: treatment of diabetes with metformin
        (((4, 5), (0, 1), (2, 3)), ["a", "b", "c", "d", "e"], [(0, 4, "left"), (0, 2, "right")]),
        # words of several tokens, and text between
        (((0, 2), (4, 5), (5, 8)), ["a b", "c d", "e", "f g h"], [(0, 2, "right"), (2, 3, "right")]),
        # the subject holds the trigger: one word, one arc
        (((0, 2), (1, 2), (3, 4)), ["a b", "c", "d"], [(0, 2, "right")]),
        # nothing to draw an arc between
        (((0, 2), (1, 3), (2, 4)), ["a b c d"], []),
    ],
)
def test_arcs_data_from_subject_to_trigger_to_object(
    make_doc: Make, roles: Any, words: list[str], arcs: list[tuple[int, int, str]]
) -> None:
    data = arcs_data(make_doc("a b c d e f g h", propositions=[(*roles, {})]))
    assert [word["text"] for word in data["words"]] == words
    assert [(arc["start"], arc["end"], arc["dir"]) for arc in data["arcs"]] == arcs
    assert {arc["label"] for arc in data["arcs"]} <= {"INHIBITS"}


def test_arcs_data_joins_propositions_of_a_sentence(make_doc: Make) -> None:
    doc = make_doc(
        "a inhibits b and c",
        propositions=[
            ((0, 1), (1, 2), (2, 3), {}),
            ((0, 1), (1, 2), (4, 5), {}),
            ((2, 3), (1, 2), (4, 5), {"kept": False}),
        ],
    )
    data = arcs_data(doc)
    assert [(word["text"], word["tag"]) for word in data["words"]] == [
        ("a", "subject"),
        ("inhibits", "trigger"),
        ("b", "object"),
        ("and", ""),
        ("c", "object"),
    ]
    # The arc that both share is drawn once.
    assert [(arc["start"], arc["end"]) for arc in data["arcs"]] == [(0, 1), (1, 2), (1, 4)]


def test_arcs_data_of_chosen_propositions(make_doc: Make) -> None:
    doc = make_doc("a b c", propositions=[((0, 1), (1, 2), (2, 3), {"kept": False, "negated": True})])
    assert arcs_data(doc)["words"] == []
    (proposition,) = doc._.bio_propositions
    assert {arc["label"] for arc in arcs_data(doc, propositions=[proposition])["arcs"]} == {"not INHIBITS"}


def test_arcs_data_shortens_long_text_between(make_doc: Make) -> None:
    doc = make_doc("a was in seven large trials said to inhibit b", propositions=[((0, 1), (8, 9), (9, 10), {})])
    assert [word["text"] for word in arcs_data(doc)["words"]] == ["a", "was … to", "inhibit", "b"]


def test_displacy_labels_are_escaped_once(make_doc: Make) -> None:
    doc = make_doc(
        "a b c",
        entities=[(0, 1, NASTY)],
        triggers=[(1, 2, NASTY, 1)],
        propositions=[((0, 1), (1, 2), (2, 3), {"relation": NASTY})],
        chunks=[(0, 3, NASTY, {})],
    )
    html = displacy.render(spans_data(doc), style="span", manual=True)
    html += displacy.render(arcs_data(doc), style="dep", manual=True)
    assert "<b>" not in html
    assert html.count(ESCAPED) == 4 + 2


def test_displacy_data_is_new_with_every_call(example: Doc) -> None:
    for make in (spans_data, arcs_data):
        first = make(example)
        displacy.render(first, style="span" if make is spans_data else "dep", manual=True)
        assert make(example) == make(example)
        assert all("render_slot" not in span for span in make(example).get("spans", ()))


def test_displacy_uses_the_colours_of_the_kinds(example: Doc) -> None:
    html = displacy.render(spans_data(example), style="span", manual=True, options={"colors": COLORS})
    assert all(COLORS[label] in html for label in ("ENTITY", "TIER 2", "PROPOSITION", "CHUNK"))


def bounds(count: int) -> st.SearchStrategy[tuple[int, int]]:
    return st.tuples(st.integers(0, count - 1), st.integers(1, count)).filter(lambda b: b[0] < b[1])


@given(st.data(), st.text(max_size=30))
def test_displacy_never_raises(blank: Language, data: st.DataObject, text: str) -> None:
    doc = blank(text)
    if len(doc):
        span, label = bounds(len(doc)), st.text(min_size=1, max_size=5)
        facts = st.fixed_dictionaries({"kept": st.booleans(), "negated": st.booleans(), "relation": label})
        annotate(
            doc,
            entities=data.draw(st.lists(st.builds(lambda s, t: (*s, t), span, label), max_size=4)),
            triggers=data.draw(
                st.lists(st.builds(lambda s, t, n: (*s, t, n), span, label, st.integers(1, 3)), max_size=4)
            ),
            propositions=data.draw(st.lists(st.tuples(span, span, span, facts), max_size=4)),
            chunks=data.draw(st.lists(st.builds(lambda s, t: (*s, t, {}), span, label), max_size=4)),
        )
    drawn = spans_data(doc, kinds=[*KINDS, "rejected"])
    for item in drawn["spans"]:
        start, end = item["start"], item["end"]
        assert drawn["text"][start:end] == doc[item["start_token"] : item["end_token"]].text
    assert displacy.render(drawn, style="span", manual=True)
    arcs = arcs_data(doc)
    assert all(0 <= arc["start"] < arc["end"] < len(arcs["words"]) for arc in arcs["arcs"])
    assert displacy.render(arcs, style="dep", manual=True)

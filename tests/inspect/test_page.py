"""The HTML page, and what fits displaCy's pictures to it."""

from collections.abc import Callable
from html.parser import HTMLParser
from importlib.metadata import entry_points
from typing import Any

import pytest
import spacy
from hypothesis import given, settings
from hypothesis import strategies as st
from spacy.displacy import SpanRenderer
from spacy.language import Language
from spacy.tokens import Doc
from tests.inspect.conftest import annotate

from biochunk.inspect import COLORS, render_page
from biochunk.inspect.colors import MEANINGS
from biochunk.inspect.svg import _slots

Make = Callable[..., Doc]

NASTY = "<b>&\"'{}"
VOID = {"meta", "br", "hr", "img", "link", "input"}


class Reader(HTMLParser):
    """Checks that elements nest, and collects text, ids and links."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.tags: list[str] = []
        self.cells: list[str] = []
        self.feed(html)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        self.tags.append(tag)
        self.ids += [values["id"]] if values.get("id") else []
        self.links += [v for k, v in attrs if k in ("href", "src", "xlink:href") and v]
        if tag in ("td", "th"):
            self.cells.append("")
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] in ("td", "th"):
            self.cells[-1] += data


@pytest.fixture
def example(make_doc: Make) -> Doc:
    return make_doc(
        "Aspirin inhibits COX2 and reduces <i>pain</i> .",
        entities=[(0, 1, "ENTITY"), (2, 3, NASTY)],
        triggers=[(1, 2, "INHIBITS", 1), (4, 5, "AFFECTS", 3)],
        propositions=[
            ((0, 1), (1, 2), (2, 3), {"uncertain": True}),
            (
                (0, 1),
                (4, 5),
                (5, 6),
                {"relation": NASTY, "kept": False, "reason": "overlaps p0", "priority": None},
            ),
        ],
        chunks=[(0, 3, "INHIBITS", {"source": "proposition", "proposition": "p0"}), (0, 7, NASTY, {})],
    )


def test_page_shows_every_fact_of_the_tables(example: Doc) -> None:
    cells = Reader(render_page([example], title="t")).cells
    rows = [["p0", "Aspirin", "INHIBITS", "COX2", "inhibits (tier 1)", "infix", "6", "uncertain", "kept"]]
    rows += [["1", "Aspirin inhibits COX2", "proposition p0", "0.500", "INHIBITS", "0–21"]]
    for row in rows:
        start = cells.index(row[0])
        assert cells[start : start + len(row)] == row
    assert "lost: overlaps p0" in cells


def test_page_trusts_no_text(example: Doc) -> None:
    html = render_page([example], title=NASTY)
    assert "<b>" not in html
    assert "<i>" not in html
    assert {"b", "i"}.isdisjoint(Reader(html).tags)


def test_page_links_lead_to_rows_and_to_nothing_outside(example: Doc) -> None:
    page = Reader(render_page([example, example], title="t"))
    assert len(page.ids) == len(set(page.ids))
    assert page.links
    assert all(link.startswith("#") for link in page.links)
    rows = {link for link in page.links if "-p" in link or "-c" in link}
    assert rows
    assert rows <= {"#" + key for key in page.ids}


def test_page_draws_kept_propositions_only(example: Doc) -> None:
    html = render_page([example], title="t")
    assert html.count("<svg") == 1
    assert 'aria-label="Aspirin → INHIBITS? → COX2"' in html


def test_page_of_nothing(make_doc: Make) -> None:
    assert "No text." in render_page([], title="t")
    html = render_page([make_doc(""), make_doc("word")], title="t")
    assert "An empty text." in html
    assert "Propositions: none found." in html
    Reader(html)


def test_page_has_a_section_for_each_sentence() -> None:
    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    page = Reader(render_page([annotate(nlp("One fell. Two rose."))], title="t"))
    assert [key for key in page.ids if "-s" in key] == ["d1-s1", "d1-s2"]


def test_page_of_a_doc_without_groups(blank: Language) -> None:
    Reader(render_page([blank("Aspirin fell.")], title="t"))


def test_page_same_docs_same_bytes(example: Doc) -> None:
    assert render_page([example], title="t") == render_page([example], title="t")


@settings(max_examples=50)
@given(st.text(max_size=40))
def test_page_is_well_formed_for_any_text(blank: Language, text: str) -> None:
    doc = blank(text)
    count = len(doc)
    if count:
        annotate(doc, entities=[(0, count, text)], chunks=[(0, count, text or "x", {})])
    Reader(render_page([doc], title=text))


@given(st.lists(st.tuples(st.integers(0, 8), st.integers(1, 9), st.sampled_from("AB")).filter(lambda r: r[0] < r[1])))
def test_page_knows_how_deep_displacy_stacks(ranges: list[tuple[int, int, str]]) -> None:
    # The height of a picture is worked out from this; displaCy's own heights are too small for some lines.
    items: list[dict[str, Any]] = [{"start_token": a, "end_token": b, "label": label} for a, b, label in ranges]
    tokens = SpanRenderer._assemble_per_token_info(["x"] * 9, items)
    deepest = max((e["render_slot"] for token in tokens for e in token["entities"]), default=0)
    assert max(_slots(ranges), default=0) == deepest


@pytest.mark.parametrize("color", COLORS.values())
def test_colors_carry_black_text(color: str) -> None:
    channels = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    luminance = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    assert (luminance + 0.05) / 0.05 >= 7


def test_colors_are_explained_and_known_to_displacy() -> None:
    assert COLORS.keys() == MEANINGS.keys()
    (entry,) = entry_points(group="spacy_displacy_colors", name="biochunk")
    assert entry.load() is COLORS

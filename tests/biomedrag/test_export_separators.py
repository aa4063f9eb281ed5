"""Text that BioMedRAG's scripts cannot take for a separator."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biochunk.biomedrag.export.separators import KINDS, Safe, safe, single_spaced

SEPARATORS = ("|", "--##", "Context:", "Response", "Examples:", "###", "{}", "    ", "\t", "\n", "\r", "\u2028")


@pytest.mark.parametrize(
    ("text", "written", "replaced"),
    [
        ("IL-6 rose.", "IL-6 rose.", ()),
        ("|r| > 0.5", "¦r¦ > 0.5", ("|", "|")),
        ("a--##--b", "a--#--b", ("--##--",)),
        ("a--##--##--b", "a--#--#--b", ("--##--", "--##--")),
        ("a--##", "a--#", ("--##--",)),
        ("Context: Response: Examples:", "context: response: examples:", ("Context:", "Response", "Examples:")),
        ("Responses in context:", "responses in context:", ("Response",)),
        ("### Input: x", "# Input: x", ("###",)),
        ("a\r\nb\u2028c", "a b c", ("line break", "line break")),
        ("a\tb", "a b", ("tab",)),
        ("{}{ x }", "{ }{ x }", ("{}",)),
        ("a  b   c    d     e", "a  b   c  d  e", ("four spaces", "four spaces")),
        ("a\n\n\n\nb", "a  b", ("line break",) * 4 + ("four spaces",)),
        (" a ", "a", ()),
        ("\n", "", ("line break",)),
    ],
)
def test_what_would_be_split_at_is_replaced_and_counted(text, written, replaced):
    assert safe(text) == Safe(written, replaced)


HOSTILE = st.lists(
    st.one_of(st.sampled_from((*SEPARATORS, *"-#|{} ", "Con", "text:", "¦")), st.text(max_size=3)), max_size=12
).map("".join)


@given(HOSTILE)
def test_no_separator_is_left(text):
    written = safe(text).text
    assert not [separator for separator in SEPARATORS if separator in written]
    assert len((written + "x").splitlines()) == 1
    assert written == written.strip()


@given(HOSTILE)
def test_safe_text_stays_as_it_is(text):
    assert safe(safe(text).text) == Safe(safe(text).text)


@given(HOSTILE)
def test_letters_and_digits_stay(text):
    kept = "".join(filter(str.isalnum, safe(text).text)).lower()
    assert kept == "".join(filter(str.isalnum, text)).lower()


@given(HOSTILE)
def test_kinds_are_named(text):
    assert set(safe(text).replaced) <= set(KINDS)


def test_chunks_are_single_spaced():
    assert single_spaced(Safe("of  IL-6   and TNF", ("tab",))) == Safe("of IL-6 and TNF", ("tab",))

"""Undoing the marks: the sentence comes back, with every span on its mention."""

# ruff: noqa: E501 - a case of a table reads best on one line

import re

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from biochunk.corpora.clean import fold_space, unmark
from biochunk.corpora.edits import Edit, Edited
from biochunk.corpora.locate import Marking, locate_pair

PLAIN = Marking()
GMCIHT = Marking(padding=True, brackets=True)
CHEMPROT = Marking(padding=True, eats_next=True)


def _unmarked(text: str, head: str, tail: str, marking: Marking) -> tuple[str, list[str]]:
    spans = [(place.start, place.end) for place in locate_pair(text, head, tail, marking)]
    clean = unmark(text, head, tail, spans, marking)
    return clean.text, [clean.text[start:end] for start, end in clean.spans]


TABLE = {
    "padding": (GMCIHT, "tnf", "rats", "low  tnf  in  rats .", "low tnf in rats."),
    "at both ends": (GMCIHT, "tnf", "rats", " tnf  in  rats ", "tnf in rats"),
    "in brackets of the text": (GMCIHT, "tnf", "il-6", "cytokines ( tnf , il-1, il-6) and  il-6 ", "cytokines (tnf, il-1, il-6) and il-6"),
    "inside words": (GMCIHT, "ea", "il-6", "the incr ea se by  ea  of  il-6 .", "the increase by ea of il-6."),
    "inside two words": (GMCIHT, "nor", "men", "for treat men t of  men  with  nor : e nor mous", "for treatment of men with nor: enormous"),
    "a word that goes on": (GMCIHT, "rat", "ct", "each  rat 's  rat s: ct -rese ct ed", "each rat's rats:ct-resected"),
    "brackets": (GMCIHT, "mit", "pain", "results: [  mit  ] eased {  pain  }, and more", "results: mit eased pain, and more"),
    "brackets in a word": (GMCIHT, "am", "pain", "a[  am  ]b or {  pain  }.", "aamb or pain."),
    "brackets with one space": (GMCIHT, "mit", "pain", "[ mit ] eased {  pain  }", "mit eased pain"),
    "brackets and padding": (GMCIHT, "mit", "pain", "[  mit  ] and  mit  eased {  pain  }", "mit and mit eased pain"),
    "a translated title": (GMCIHT, "tnf", "rats", "[ tnf  and  rats ].", "[tnf and rats]."),
    "a bracket of the text": (GMCIHT, "tnf", "rats", "[tnf] and {rats} in [1]", "[tnf] and {rats} in [1]"),
    "one mention in the other": (GMCIHT, "ethanol", "microsomal ethanol oxidizing system", "a  microsomal ethanol oxidizing system  for  ethanol .", "a microsomal ethanol oxidizing system for ethanol."),
    "one side, as nested ones are": (GMCIHT, "plasmin", "plasminogen", "human  plasminogen activation by  plasmin .", "human plasminogen activation by plasmin."),
    "side by side": (GMCIHT, "tnf", "rats", "low  tnf   rats  fell", "low tnf rats fell"),
    "an unmarked mention": (GMCIHT, "ringer's lactate", "men", "in  men   ringer's lactate  or ringer's lactate with salt", "in men ringer's lactate or ringer's lactate with salt"),
    "an unmarked one beside a mark": (GMCIHT, "alcohol oxidase", "dehydrogenase", " alcohol oxidase  and alcohol oxidase  dehydrogenase ", "alcohol oxidase and alcohol oxidase dehydrogenase"),
    "an unmarked row": (GMCIHT, "tnf", "rats", "tnf in rats of one lab ( tnf rose ) .", "tnf in rats of one lab ( tnf rose ) ."),
    "double spaces": (GMCIHT, "tnf", "rats", "low   tnf  in  these   rats  .", "low tnf in these rats."),
    "other white space": (GMCIHT, "tnf", "rats", "5\u00a0mg\u2009 tnf  in\n\t rats \r\nfell", "5 mg tnf in rats fell"),
    "decimals without a zero": (GMCIHT, "tnf", "rats", "p < .05 for  tnf  in  rats ", "p < .05 for tnf in rats"),
    "a lost bracket": (CHEMPROT, "losartan", "PSA", " losartan  cut antigen ( PSA   expression", "losartan cut antigen (PSA) expression"),
    "a lost bracket before a comma": (CHEMPROT, "losartan", "PSA", " losartan  cut antigen ( PSA  , which", "losartan cut antigen (PSA), which"),
    "a lost bracket at the end": (CHEMPROT, "losartan", "PSA", " losartan  cut antigen ( PSA  ", "losartan cut antigen (PSA)"),
    "a lost bracket before a hyphen": (CHEMPROT, "losartan", "PSA", " losartan  cut antigen ( PSA  -dependent growth", "losartan cut antigen (PSA)-dependent growth"),
    "one lost bracket, two mentions": (CHEMPROT, "losartan", "PSA", "antigen ( PSA   fell by  losartan   too", "antigen (PSA) fell by losartan too"),
    "no lost bracket": (CHEMPROT, "losartan", "PSA", " losartan  cut antigen ( PSA  and ERK) and more", "losartan cut antigen (PSA and ERK) and more"),
    "a lost comma stays lost": (CHEMPROT, "losartan", "PSA", " losartan   unlike others, cut  PSA ", "losartan unlike others, cut PSA"),
    "a lost character before a full stop": (CHEMPROT, "losartan", "PSA", " losartan  cut  PSA  .", "losartan cut PSA."),
    "a mention broken by the other's marks": (CHEMPROT, "NO", "iNOS", " NO  comes from (i NO S) in cells", "NO comes from (iNOS) in cells"),
    "no marks": (PLAIN, "aspirin", "warfarin", " aspirin  and\nwarfarin .", "aspirin and warfarin ."),
}  # fmt: skip


@pytest.mark.parametrize(("marking", "head", "tail", "marked", "expected"), TABLE.values(), ids=TABLE)
def test_unmark(marking: Marking, head: str, tail: str, marked: str, expected: str) -> None:
    text, mentions = _unmarked(marked, head, tail, marking)
    assert text == expected
    assert mentions == [head, tail]


@pytest.mark.parametrize(("marking", "head", "tail", "marked", "expected"), TABLE.values(), ids=TABLE)
def test_unmark_changes_no_clean_text(marking: Marking, head: str, tail: str, marked: str, expected: str) -> None:
    assert _unmarked(expected, head, tail, marking) == (expected, [head, tail])


@pytest.mark.parametrize(
    ("marking", "marked", "doubtful"),
    [
        # Doubled spaces show what was there.
        (GMCIHT, "low  tnf  in  rats .", set()),
        # Letters joined, because a mark inside a word looks like a word between two.
        (GMCIHT, "the a tnf b and  rats ", {4, 7}),
        # What stood behind an annotated mention is lost.
        (CHEMPROT, "low  tnf   in  rats ,", {6}),
    ],
)
def test_unmark_says_what_is_doubtful(marking: Marking, marked: str, doubtful: set[int]) -> None:
    spans = [(place.start, place.end) for place in locate_pair(marked, "tnf", "rats", marking)]
    assert unmark(marked, "tnf", "rats", spans, marking).doubtful == doubtful


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("", ""),
        (" \n ", ""),
        ("a b", "a b"),
        ("  a \t b\r\n", "a b"),
        ("5\u00a0mg\ufeff–10\u2009mg", "5 mg–10 mg"),
        ("a\u200bb", "ab"),
        ("a \u200b b", "a b"),
        ("\ufeffa\u2060", "a"),
        ("a\u3000b\x0cc\x85d\u2028e", "a b c d e"),
        (" a", "a"),
        ("a ", "a"),
    ],
)
def test_fold_space(text: str, folded: str) -> None:
    assert fold_space(text).text == folded


@given(st.text(" \n\u00a0\u200bab", max_size=20))
def test_fold_space_is_all_that_split_and_join_do(text: str) -> None:
    assert fold_space(text).text == " ".join(text.replace("\u200b", "").split())


@given(st.text("abc", min_size=1, max_size=12), st.data())
def test_edited_moves_spans_with_their_text(text: str, data: st.DataObject) -> None:
    cuts = sorted(data.draw(st.sets(st.integers(0, len(text)), max_size=6)))
    edits = [Edit(a, b, data.draw(st.text("xyz", max_size=3))) for a, b in zip(cuts[::2], cuts[1::2], strict=False)]
    edited = Edited(text, edits)
    by_hand = text
    for edit in reversed(edits):
        by_hand = by_hand[: edit.start] + edit.new + by_hand[edit.end :]
    assert edited.text == by_hand
    edges = [0, *(edge for edit in edits for edge in edit[:2]), len(text)]
    for start, end in zip(edges[::2], edges[1::2], strict=True):
        a, b = edited.moved(start, end)
        if start < end:
            assert edited.text[a:b] == text[start:end]


# Own sentences, marked as the corpora are marked.
_WORDS = ["aspirin", "no", "norepinephrine", "il-6", "rats", "tnf", "cox-2", "loss", "of", "the", "in", "β-lactamase", "(ct)", "and/or", "12.5%", "5'-ase"]  # fmt: skip
_SENTENCES = st.lists(st.sampled_from(_WORDS), min_size=4, max_size=14).map(" ".join)


@st.composite
def _annotated(draw: st.DrawFn) -> tuple[str, tuple[int, int], tuple[int, int]]:
    """A sentence, and the spans of two mentions of one to three words that do not share a word."""
    text = draw(_SENTENCES) + draw(st.sampled_from([".", "", "!", ")."]))
    bounds = [match.span() for match in re.finditer(r"[^\s().!]+", text)]
    first = draw(st.integers(0, len(bounds) - 2))
    first_end = draw(st.integers(first, min(first + 2, len(bounds) - 2)))
    second = draw(st.integers(first_end + 1, len(bounds) - 1))
    second_end = draw(st.integers(second, min(second + 2, len(bounds) - 1)))
    spans = (bounds[first][0], bounds[first_end][1]), (bounds[second][0], bounds[second_end][1])
    mentions = [text[start:end] for start, end in spans]
    assume(mentions[0] not in mentions[1] and mentions[1] not in mentions[0])
    return (text, spans[1], spans[0]) if draw(st.booleans()) else (text, *spans)


def _pad(text: str, mention: str) -> str:
    """The corpora's padding: one space on both sides of the string, wherever it stands."""
    return text.replace(mention, f" {mention} ")


def _assume_unbroken(text: str, head: str, tail: str) -> None:
    """Padding of one mention must not cut the other; several words inside of two are beyond recovery."""
    assume(tail in _pad(text, head) and head in _pad(text, tail))
    assume(len(re.findall(re.escape(head) + "|" + re.escape(tail), text)) == text.count(head) + text.count(tail))
    for mention in (head, tail):
        if " " in mention:
            assume(not re.search(rf"\w{re.escape(mention)}\w", text))
        # Whether a number that padding broke was one number is beyond recovery.
        if mention[0].isdigit():
            assume(not re.search(rf"\d[.,]?{re.escape(mention)}", text))
        if mention[-1].isdigit():
            assume(not re.search(rf"{re.escape(mention)}[.,]?\d", text))


@given(_annotated())
def test_unmark_undoes_padding(annotated: tuple[str, tuple[int, int], tuple[int, int]]) -> None:
    text, *spans = annotated
    head, tail = (text[start:end] for start, end in spans)
    _assume_unbroken(text, head, tail)
    assert _unmarked(_pad(_pad(text, head), tail), head, tail, GMCIHT) == (text, [head, tail])


@given(_annotated())
def test_unmark_undoes_brackets(annotated: tuple[str, tuple[int, int], tuple[int, int]]) -> None:
    text, *spans = annotated
    head, tail = (text[start:end] for start, end in spans)
    _assume_unbroken(text, head, tail)
    assume(all(len(re.findall(f"(?={re.escape(mention)})", text)) == 1 for mention in (head, tail)))
    marked = text.replace(head, f"[  {head}  ]").replace(tail, f"{{  {tail}  }}")
    places = [(place.start, place.end) for place in locate_pair(marked, head, tail, GMCIHT)]
    clean = unmark(marked, head, tail, places, GMCIHT)
    assert clean.text == text
    assert clean.spans == list(spans)


@given(_annotated())
def test_unmark_loses_no_letter_of_chemprot(annotated: tuple[str, tuple[int, int], tuple[int, int]]) -> None:
    """The annotated places lose the character behind them; all letters and both mentions are there again."""
    text, *spans = annotated
    head, tail = (text[start:end] for start, end in spans)
    _assume_unbroken(text, head, tail)
    marked = text
    for start, end in sorted(spans, reverse=True):
        assume(not text[end : end + 1].isalnum())
        marked = f"{marked[:start]}\0{marked[start:end]}\1{marked[end + 1 :]}"
    marked = _pad(_pad(marked, head), tail).replace("\0", "").replace("\1", " ")
    clean, mentions = _unmarked(marked, head, tail, CHEMPROT)
    assert re.findall(r"\w", clean) == re.findall(r"\w", text)
    assert mentions == [head, tail]
    assert "  " not in clean

"""What a model may write, and what is read from it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biochunk.biomedrag.items import Mention, PairAnswer, Triple
from biochunk.biomedrag.readers.llm.fields import place
from biochunk.biomedrag.readers.llm.parse import parse_label, parse_pair, parse_triples

TEXT = "Aspirin inhibits COX-2 and  IL-6 release in (R)-warfarin  treated mice, and interacts with vitamin D(3)."
RELATIONS = ["INHIBITS", "INTERACTS_WITH", "TREATS"]
ONE = Triple("Aspirin", "INHIBITS", "COX-2")
TWO = Triple("Aspirin", "INTERACTS_WITH", "vitamin D(3)")


@pytest.mark.parametrize(
    ("written", "triples"),
    [
        ("Aspirin|INHIBITS|COX-2", [ONE]),
        ("Aspirin|INHIBITS|COX-2\nAspirin|INTERACTS_WITH|vitamin D(3)", [ONE, TWO]),
        ("  Aspirin | INHIBITS |  COX-2 \r\n", [ONE]),
        ("aspirin|inhibits|cox-2", [ONE]),
        ("Aspirin|Interacts with|Vitamin  D(3)", [TWO]),
        ("Aspirin|interacts-with|vitamin D(3)", [TWO]),
        ("```\nAspirin|INHIBITS|COX-2\n```", [ONE]),
        ("```text\nAspirin|INHIBITS|COX-2\n```\n", [ONE]),
        ("1. Aspirin|INHIBITS|COX-2\n2) Aspirin|INTERACTS_WITH|vitamin D(3)", [ONE, TWO]),
        ("- Aspirin|INHIBITS|COX-2", [ONE]),
        ("* **Aspirin|INHIBITS|COX-2**", [ONE]),
        ("• Aspirin | **INHIBITS** | COX-2", [ONE]),
        ('"Aspirin|INHIBITS|COX-2"', [ONE]),
        ('"Aspirin"|"INHIBITS"|"COX-2",', [ONE]),
        ("`Aspirin|INHIBITS|COX-2`", [ONE]),
        ("“Aspirin”|INHIBITS|‘COX-2’.", [ONE]),
        ("(Aspirin | INHIBITS | COX-2)", [ONE]),
        ("[Aspirin|INTERACTS_WITH|vitamin D(3)]", [TWO]),
        ("<Aspirin|INHIBITS|COX-2>.", [ONE]),
        ("Response: Aspirin|INHIBITS|COX-2", [ONE]),
        ("The triple is: Aspirin|INHIBITS|COX-2", [ONE]),
        ("Here are the relations:\n\nAspirin|INHIBITS|COX-2\n\nI hope that helps!", [ONE]),
        ("| head | relation | tail |\n|------|:---:|------|\n| Aspirin | INHIBITS | COX-2 |", [ONE]),
        ("<think>Perhaps Aspirin|TREATS|mice?</think>\nAspirin|INHIBITS|COX-2", [ONE]),
        ("Perhaps Aspirin|TREATS|mice?</think>Aspirin|INHIBITS|COX-2", [ONE]),
        ("Aspirin|INHIBITS|IL-6 release", [Triple("Aspirin", "INHIBITS", "IL-6 release")]),
        ("Aspirin|INHIBITS|COX-2 and IL-6", [Triple("Aspirin", "INHIBITS", "COX-2 and  IL-6")]),
        ("(R)-warfarin|TREATS|mice", [Triple("(R)-warfarin", "TREATS", "mice")]),
        ("1) (R)-warfarin|TREATS|mice.", [Triple("(R)-warfarin", "TREATS", "mice")]),
        ("Aspirin|INHIBITS|COX-2\n\nContext: Aspirin helps.\nResponse: Aspirin|TREATS|mice", [ONE]),
        ("Context: Aspirin helps.\nResponse: Aspirin|INHIBITS|COX-2", [ONE]),
        ("Aspirin|None|COX-2", []),
        ("Aspirin|INHIBITS|COX-2\nNone", [ONE]),
        ("None", []),
        ("none.", []),
        ('"None"', []),
        ("**None**", []),
        ("Response: None", []),
        ("```\nNone\n```", []),
        ("No relation.", []),
        ("None of the listed relations is stated.", []),
        ("N/A", []),
    ],
)
def test_answer_is_read_whatever_stands_around_it(written: str, triples: list[Triple]):
    parsed = parse_triples(written, TEXT, RELATIONS)
    assert list(parsed.triples) == triples
    assert not parsed.faults


@pytest.mark.parametrize(
    ("written", "triples", "faults"),
    [
        ("", [], {"empty": 1}),
        (" \n\t", [], {"empty": 1}),
        ("```\n```", [], {"empty": 1}),
        ("<think>Aspirin|INHIBITS|COX-2", [], {"empty": 1}),
        ("I cannot help with that.", [], {"malformed": 1}),
        ('{"head": "Aspirin"}', [], {"malformed": 1}),
        ("Aspirin, INHIBITS, COX-2", [], {"malformed": 1}),
        ("Aspirin|COX-2", [], {"fields": 1}),
        ("Aspirin|", [], {"fields": 1}),
        ("|Aspirin", [], {"fields": 1}),
        ("Aspirin|INHIBITS|COX-2|yes", [], {"fields": 1}),
        ("Aspirin|INHIBITS|COX-2; Aspirin|TREATS|mice", [], {"fields": 1}),
        ("Aspirin|KILLS|COX-2", [], {"relation": 1}),
        ("Aspirin||COX-2", [], {"relation": 1}),
        ("Aspirin|INHIBITS|TNF", [], {"entity": 1}),
        ("|INHIBITS|COX-2", [], {"entity": 1}),
        ("Aspirin|INHIBITS|COX", [Triple("Aspirin", "INHIBITS", "COX")], {}),
        ("Aspirin|INHIBITS|vitamin", [Triple("Aspirin", "INHIBITS", "vitamin")], {}),
        ("spirin|INHIBITS|COX-2", [], {"entity": 1}),
        ("Aspirin|INHIBITS|mic", [], {"entity": 1}),
        ("Aspirin|INHIBITS|COX-2\nTNF|INHIBITS|COX-2\nAspirin|KILLS|mice", [ONE], {"entity": 1, "relation": 1}),
        ("Aspirin|INHIBITS|COX-2\n" * 3, [ONE], {"repeated": 2}),
        ("Aspirin|INHIBITS|COX-2\n" * 300, [ONE], {"repeated": 199, "too_many_lines": 1}),
        ("x" * 100_000, [], {"malformed": 1}),
        ("|" * 100_000, [], {"malformed": 1}),
        ("|x" * 100_000, [], {"fields": 1}),
        ("(" * 3000 + "|INHIBITS|" + ")" * 3000, [], {"malformed": 1}),
        ("((((" * 300 + "|INHIBITS|" + "))))" * 100, [], {"entity": 1}),
    ],
)
def test_fault_costs_its_line_and_is_counted(written: str, triples: list[Triple], faults: dict[str, int]):
    parsed = parse_triples(written, TEXT, RELATIONS)
    assert list(parsed.triples) == triples
    assert parsed.faults == faults


def test_last_line_of_a_cut_answer_does_not_count():
    parsed = parse_triples("Aspirin|INHIBITS|COX-2\nAspirin|INTERACTS_WITH|vitamin", TEXT, RELATIONS, cut=True)
    assert parsed == ((ONE,), {"cut": 1})
    assert parse_triples("Aspirin|INHIBITS|COX-2\n", TEXT, RELATIONS, cut=True).triples == (ONE,)
    assert parse_triples("Aspirin|INHIBITS|COX-2\nContext: Asp", TEXT, RELATIONS, cut=True) == ((ONE,), {})
    assert parse_triples("", TEXT, RELATIONS, cut=True) == ((), {"cut": 1})


def test_entity_with_a_separator_in_its_name():
    parsed = parse_triples("a|b ratio|TREATS|c|d", "the a|b ratio treats c|d well", ["TREATS"])
    assert parsed.triples == (Triple("a|b ratio", "TREATS", "c|d"),)


def test_relations_that_differ_only_in_signs_are_told_apart_exactly():
    text = "A up B"
    assert parse_triples("A|UP+|B", text, ["UP+", "UP-"]).triples == (Triple("A", "UP+", "B"),)
    assert parse_triples("A|UP|B", text, ["UP+", "UP-"]).faults == {"relation": 1}
    assert parse_triples("A|+|B", text, ["+", "-"]).triples == (Triple("A", "+", "B"),)


@pytest.mark.parametrize(
    ("entity", "text", "found"),
    [
        ("TAT", "Tat and TAT", "TAT"),
        ("tAt", "Tat and TAT", "Tat"),
        ("β-catenin", "the Β-Catenin path", "Β-Catenin"),
        ("a b", "xa b, a\n b", "a\n b"),
        ("p53", "p530", None),
        (".5%", "0.5% of", ".5%"),
        ("", "a", None),
        ("a.c", "abc", None),
    ],
)
def test_place(entity: str, text: str, found: str | None):
    assert place(entity, text) == found


PAIR = (Mention("aspirin", 0, 7), Mention("COX-2 gene", 17, 27))


@pytest.mark.parametrize(
    ("written", "answer", "faults"),
    [
        ("aspirin|INHIBITS|COX-2 gene", PairAnswer("INHIBITS", True), {}),
        ("COX-2 gene|INHIBITS|Aspirin", PairAnswer("INHIBITS", False), {}),
        ("1. **aspirin|inhibits|cox-2  gene**", PairAnswer("INHIBITS", True), {}),
        ("None", None, {}),
        ("aspirin|None|COX-2 gene", None, {}),
        ("", None, {"empty": 1}),
        ("INHIBITS", None, {"malformed": 1}),
        ("aspirin|INHIBITS", None, {"fields": 1}),
        ("aspirin|KILLS|COX-2 gene", None, {"relation": 1}),
        ("aspirin|INHIBITS|TNF", None, {"other_pair": 1}),
        ("aspirin|INHIBITS|COX-2", None, {"other_pair": 1}),
        ("aspirin|INHIBITS|aspirin", None, {"other_pair": 1}),
        ("aspirin COX-2 gene|INHIBITS|aspirin", None, {"other_pair": 1}),
        ("aspirin|TREATS|TNF\naspirin|INHIBITS|COX-2 gene", PairAnswer("INHIBITS", True), {"other_pair": 1}),
        (
            "aspirin|INHIBITS|COX-2 gene\nCOX-2 gene|INHIBITS|aspirin",
            PairAnswer("INHIBITS", True),
            {"contradiction": 1},
        ),
        ("aspirin|INHIBITS|COX-2 gene\naspirin|INHIBITS|COX-2 gene", PairAnswer("INHIBITS", True), {"repeated": 1}),
    ],
)
def test_pair(written: str, answer: PairAnswer | None, faults: dict[str, int]):
    assert parse_pair(written, PAIR, RELATIONS) == (answer, faults)


def test_pair_of_mentions_that_are_written_alike():
    same = (Mention("aspirin", 0, 7), Mention("Aspirin", 12, 19))
    assert parse_pair("aspirin|INHIBITS|aspirin", same, RELATIONS) == (PairAnswer("INHIBITS", True), {})


@pytest.mark.parametrize(
    ("written", "label", "faults"),
    [
        ("1", 1, {}),
        ("0", 0, {}),
        ("1.", 1, {}),
        ("**0**", 0, {}),
        ("Response: 1", 1, {}),
        ("Yes", 1, {}),
        ("no.", 0, {}),
        ("True", 1, {}),
        ("```\n1\n```", 1, {}),
        ("No, the context names no adverse effect.", 0, {}),
        ("Yes: a rash after the drug.", 1, {}),
        ("The context states it, so the answer is 1.", 1, {}),
        ("The patient had a rash.\n1", 1, {}),
        ("<think>0 or 1? Yes.</think>\n0", 0, {}),
        ("", None, {"empty": 1}),
        ("I cannot tell.", None, {"malformed": 1}),
        ("It is either 0 or 1", None, {"malformed": 1}),
        ("2", None, {"malformed": 1}),
        ("1\n0", 1, {"contradiction": 1}),
    ],
)
def test_label(written: str, label: int | None, faults: dict[str, int]):
    assert parse_label(written) == (label, faults)


def test_cut_label():
    assert parse_label("1", cut=True) == (1, {"cut": 1})
    assert parse_label("<think>hm", cut=True) == (None, {"cut": 1})


ANY_TEXT = st.text(st.characters() | st.sampled_from("|\n`.()-1 <>"), max_size=200)


@given(written=ANY_TEXT, text=ANY_TEXT, cut=st.booleans())
def test_nothing_is_raised_and_entities_stand_in_the_text(written: str, text: str, cut: bool):
    for triple in parse_triples(written, text, RELATIONS, cut=cut).triples:
        assert triple.head in text
        assert triple.tail in text
        assert triple.relation in RELATIONS
    parse_pair(written, PAIR, RELATIONS, cut=cut)
    label, faults = parse_label(written, cut=cut)
    assert label is not None or faults


NAME = st.text(st.characters(categories=["L", "N", "P", "Zs"]), min_size=1, max_size=12).map(str.strip).filter(bool)


@given(head=NAME, tail=NAME, before=NAME, between=NAME)
def test_right_answer_is_always_read(head: str, tail: str, before: str, between: str):
    text = f"{before} {head} {between} {tail}"
    parsed = parse_triples(f"{head}|INHIBITS|{tail}", text, RELATIONS)
    (triple,) = parsed.triples
    assert [" ".join(part.split()).lower() for part in (triple.head, triple.tail)] == [
        " ".join(part.split()).lower() for part in (head, tail)
    ]

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biochunk.chunking.noun_phrases import Classes, next_word, noun_phrases, read_classes


def classes(grammar, names=None):
    size = len(grammar)
    return Classes(grammar, "K" * size, "K" * size, names or "." * size, [1] * size)


@pytest.mark.parametrize(
    ("grammar", "expected"),
    [
        ("NVN", [(0, 1), (2, 3)]),
        ("FNNVFNP", [(1, 3), (5, 6)]),
        # A number ends a name; it begins one only where it is joined to it, or before a Greek letter.
        ("ND", [(0, 2)]),
        ("DN", [(1, 2)]),
        ("DHN", [(0, 3)]),
        ("DGHN", [(0, 4)]),
        ("DD", []),
        ("DHD", []),
        # Signs join, and are no part of a name at its edge.
        ("NHN", [(0, 3)]),
        ("NHV", [(0, 1)]),
        # "vitamin A", "take a tablet"
        ("LA", [(0, 2)]),
        ("NAN", [(0, 1), (2, 3)]),
        # A capital A ends a name, but is an article before a noun.
        ("NYF", [(0, 2)]),
        ("NYN", [(0, 1), (2, 3)]),
        # "all-trans", "all patients"
        ("fHN", [(0, 3)]),
        ("fN", [(1, 2)]),
        ("fHV", []),
        # "insulin-like growth factor", "insulin like factors"
        ("NHJNN", [(0, 5)]),
        ("NjNN", [(0, 1), (2, 4)]),
        ("NHJ", [(0, 1)]),
        # "infected cells", "drugs killed cells"
        ("FpN", [(1, 3)]),
        ("NpN", [(0, 1), (2, 3)]),
        ("", []),
    ],
)
def test_noun_phrases(grammar, expected):
    assert list(noun_phrases(classes(grammar), 8)) == expected


def test_a_name_in_apposition_is_a_phrase_of_its_own():
    # "muscarinic antagonist | diphenidol"
    assert list(noun_phrases(classes("NNN", ".ha"), 8)) == [(0, 2), (2, 3)]


def test_a_long_run_is_cut_from_its_end():
    assert list(noun_phrases(classes("N" * 12), 8)) == [(0, 4), (4, 12)]


def test_joined_words_are_never_parted():
    assert list(noun_phrases(classes("NHN" * 3), 4)) == [(0, 3), (3, 6), (6, 9)]
    assert list(noun_phrases(classes("NHNHNHN"), 2)) == [(0, 7)]


def test_next_word_passes_joined_words():
    assert [next_word("NHNN", i, 4) for i in (0, 3)] == [3, 4]


WORD, LINK, PLUS, OPEN, CLOSE, DOSE = "NKK.", "HKK.", "+KK.", "HKK[", "HKK)", "UKK."


@pytest.mark.parametrize(
    ("codes", "spaces", "grammar"),
    [
        ([WORD, LINK, WORD], [0, 0, 0], "NHN"),
        ([WORD, LINK, WORD], [1, 1, 0], "NPN"),
        ([WORD, LINK, WORD], [0, 1, 0], "NPN"),
        ([LINK, WORD], [0, 0], "PN"),
        # "CD4+ cells", "a + b"
        ([WORD, PLUS, WORD], [0, 1, 0], "NDN"),
        ([WORD, PLUS, WORD], [1, 1, 0], "NPN"),
        # "Ca(2|)" closes a bracket of its own word, "(|COX|)" does not.
        (["NKK(", CLOSE, WORD], [0, 1, 0], "NDN"),
        ([OPEN, WORD, CLOSE, WORD], [0, 0, 1, 0], "PNPN"),
        ([WORD, OPEN, WORD, CLOSE], [0, 0, 0, 0], "NHND"),
        # "aspirin 100 mg"; "1 g", but "G protein"
        ([WORD, "DKKD", DOSE], [1, 1, 0], "NPU"),
        (["DKKD", "uKK1", WORD], [1, 1, 0], "PPN"),
        (["uKK1", WORD], [1, 0], "uN"),
        # "insulin-like"
        ([WORD, LINK, "jKK.", WORD], [0, 0, 1, 0], "NHJN"),
        ([WORD, "jKK.", WORD], [1, 1, 0], "NjN"),
        # "NF-kB", "10-kb"
        ([WORD, LINK, DOSE], [0, 0, 0], "NHN"),
        (["DKKD", LINK, DOSE], [0, 0, 0], "DHU"),
    ],
)
def test_signs_join_what_is_written_together(codes, spaces, grammar):
    assert read_classes(codes, spaces).grammar == grammar


def test_joined_words_are_judged_together():
    found = read_classes(["NOO.", LINK, "NCC."], [0, 0, 0])
    assert (found.before, found.after) == ("x-C", "O-C")


def test_a_letter_binds_what_follows():
    # "P-glycoprotein" is not cut to "P".
    assert read_classes(["NKK1", LINK, "NCC."], [0, 0, 0]).after == "K-K"


@given(st.text(alphabet="NDGLFVSPUuAYfjJHp+", max_size=60), st.integers(1, 9))
def test_phrases_stand_apart_in_order(grammar, max_tokens):
    found = list(noun_phrases(classes(grammar), max_tokens))
    position = 0
    for start, end in found:
        assert position <= start < end <= len(grammar)
        assert not set(grammar[start:end]) & set("FVSPUj+")
        position = end

import pytest

from biochunk.chunking.word_codes import WordCodes
from biochunk.schemas import EntityKnowledge


def codes(**rules):
    knowledge = EntityKnowledge.model_validate(rules)
    return WordCodes(knowledge, verbs=["inhibits", "inhibited"], nominal=["therapy"])


@pytest.mark.parametrize(
    ("word", "is_number", "expected"),
    [
        ("the", False, "F"),
        ("inhibits", False, "V"),
        ("aspirin", False, "N"),
        ("Aspirin", False, "N"),
        ("7", True, "D"),
        ("seven", True, "D"),
        ("beta", False, "G"),
        ("mg", False, "U"),
        ("g", False, "u"),
        ("vitamin", False, "L"),
        ("a", False, "A"),
        ("A", False, "Y"),
        ("like", False, "j"),
        ("all", False, "f"),
        ("infected", False, "p"),
        ("quickly", False, "F"),
        ("family", False, "N"),
        ("NO", False, "N"),
        ("no", False, "f"),
        ("-", False, "H"),
        ("+", False, "+"),
        (";", False, "P"),
        ("→→", False, "P"),
        ("🧬", False, "P"),
        ("\n", False, "S"),
    ],
)
def test_class_in_the_grammar(word, is_number, expected):
    assert codes()(word, is_number)[0] == expected


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("p53", "s"),
        ("metoprolol", "a"),
        ("evidence", "!"),
        ("therapy", "!"),
        ("inhibitor", "h"),
        ("L", "1"),
        ("alpha-", "~"),
        ("Ca(2", "("),
        ("disease", "."),
    ],
)
def test_what_a_word_says_of_itself(word, expected):
    assert codes()(word, False)[3] == expected


def test_a_nominal_trigger_is_cut_from_both_edges():
    assert codes()("therapy", False)[1:3] == "CC"


def test_own_lists_outweigh_the_built_in_ones():
    own = codes(
        before={"keep": ["new"]},
        after={"keep": ["therapy"], "optional": ["-itis"], "default": "cut"},
        alone=["therapy"],
        joins=["inhibited"],
    )
    assert own("new", False)[1] == "K"
    assert own("therapy", False) == "NCK."
    assert own("arthritis", False)[2] == "O"
    assert own("word", False)[2] == "C"
    assert own("inhibited", False)[0] == "N"
    # Given joins stand for the built-in ones.
    assert own("like", False)[0] == "F"


def test_stop_words_end_a_phrase_and_stop_heads_are_cut():
    own = codes(stop_words=["Placebo"], stop_heads=["activity"])
    assert own("placebo", False)[0] == "F"
    assert own("activity", False) == "NCC!"

"""The cue lexicon, and which matched phrases count as cues."""

import json

import pytest

from biochunk.chunking.cues import KINDS, Role, count_cues, has_cue, load_cues
from biochunk.schemas import Cues

NONE = Cues()
PRE = [Role("negation", "pre")]
POST = [Role("negation", "post")]
PSEUDO = [Role("negation", "pseudo")]
STOP = [Role("negation", "termination"), Role("hedge", "termination")]


@pytest.fixture(scope="module")
def built_in():
    return load_cues(NONE, NONE)


@pytest.mark.parametrize(
    ("phrase", "role"),
    [
        ("not", Role("negation", "pre")),
        ("was not", Role("negation", "pre")),
        ("without", Role("negation", "argument")),
        ("was ruled out", Role("negation", "post")),
        ("no increase in", Role("negation", "pseudo")),
        ("no significant increase in", Role("negation", "pseudo")),
        ("but", Role("negation", "termination")),
        ("may", Role("hedge", "pre")),
        ("putative", Role("hedge", "argument")),
        ("remains unclear", Role("hedge", "post")),
        ("membrane potential", Role("hedge", "pseudo")),
        ("however", Role("hedge", "termination")),
    ],
)
def test_built_in_phrase_has_its_role(built_in, phrase, role):
    assert role in built_in[phrase]


def test_built_in_phrases_are_lower_case_single_spaced_and_expanded(built_in):
    assert all(phrase == " ".join(phrase.lower().split()) for phrase in built_in)
    assert not [phrase for phrase in built_in if set("(|)") & set(phrase)]


def test_built_in_lists_use_every_kind(built_in):
    roles = {role for found in built_in.values() for role in found}
    assert roles == {Role(polarity, kind) for polarity in ("negation", "hedge") for kind in KINDS}


def test_phrase_of_both_polarities_has_a_role_in_each(built_in):
    assert built_in["may not"] == [Role("negation", "pre"), Role("hedge", "pre")]


def test_lexicon_survives_json(built_in):
    again = json.loads(json.dumps(built_in))
    assert {phrase: [Role(*role) for role in roles] for phrase, roles in again.items()} == built_in


def test_dataset_adds_phrases(built_in):
    lexicon = load_cues(Cues(pre=["Hardly  ever"]), NONE)
    assert lexicon["hardly ever"] == PRE
    assert set(lexicon) == {*built_in, "hardly ever"}


def test_replace_uses_only_the_dataset_lists_of_that_polarity(built_in):
    lexicon = load_cues(Cues(replace=True, pre=["hardly"]), NONE)
    negation = [phrase for phrase, roles in lexicon.items() if any(role.polarity == "negation" for role in roles)]
    assert negation == ["hardly"]
    assert "may" in lexicon


def test_replace_with_empty_lists_gives_no_cue():
    assert load_cues(Cues(replace=True), Cues(replace=True)) == {}


def test_dataset_switches_off_a_cue_by_calling_it_pseudo():
    assert load_cues(Cues(pseudo=["should not"]), NONE)["should not"] == PSEUDO


def test_pseudo_phrase_still_terminates():
    lexicon = load_cues(Cues(pseudo=["however"]), NONE)
    assert Role("negation", "termination") in lexicon["however"]


@pytest.mark.parametrize(("roles", "expected"), [(PRE, True), (STOP, False), (PSEUDO, True)])
def test_has_cue(roles, expected):
    assert has_cue([(0, 1, roles)]) is expected
    assert has_cue([]) is False


def counted(matches, text, entities=(), offset=0):
    shifted = [(start + offset, end + offset, roles) for start, end, roles in matches]
    found = count_cues(shifted, text.split(), offset, entities)
    return [(start, end) for start, end, _ in found.acting], sorted(found.stops["negation"])


@pytest.mark.parametrize(
    ("text", "matches", "entities", "expected"),
    [
        # Longest, then pseudo, then leftmost.
        ("it was not observed", [(1, 3, PRE), (1, 4, POST), (2, 3, PRE)], [], [(1, 4)]),
        ("no increase in pain", [(0, 1, PRE), (0, 3, PSEUDO)], [], [(0, 3)]),
        ("it is not only pain", [(1, 3, PRE), (2, 4, PSEUDO)], [], [(2, 4)]),
        ("is not yet", [(0, 2, PRE), (1, 3, PRE)], [], [(0, 2)]),
        ("no pain no fever", [(0, 1, PRE), (2, 3, PRE)], [], [(0, 1), (2, 3)]),
        # In an entity or across its edge, but not with an entity that begins the cue.
        ("no wheeze", [(0, 1, PRE)], [(0, 2)], []),
        ("with no wheeze", [(0, 2, PRE)], [(1, 3)], []),
        ("heart failure to thrive", [(1, 3, PRE)], [(0, 2)], []),
        ("absence of pain", [(0, 2, PRE)], [(0, 1), (2, 3)], [(0, 2)]),
        # Other senses.
        ("no - reflow", [(0, 1, PRE)], [], []),
        ("no . 5", [(0, 1, PRE)], [], []),
        ("no 5", [(0, 1, PRE)], [], []),
        ("said no .", [(1, 2, PRE)], [], [(1, 2)]),
        ("NO rose", [(0, 1, PRE)], [], []),
        ("NO PAIN", [(0, 1, PRE)], [], [(0, 1)]),
        ("in May", [(1, 2, PRE)], [], []),
        ("May help", [(0, 1, PRE)], [], [(0, 1)]),
        # A field's value.
        ("Smoking : no", [(1, 3, POST)], [], [(1, 3)]),
        ("Smoking : no .", [(1, 3, POST)], [], [(1, 3)]),
        ("Smoking : no Alcohol : yes", [(1, 3, POST)], [], [(1, 3)]),
        ("Plan : no further visits", [(1, 3, POST), (2, 3, PRE)], [], [(2, 3)]),
    ],
)
@pytest.mark.parametrize("offset", [0, 7])
def test_count_cues(text, matches, entities, expected, offset):
    assert counted(matches, text, entities, offset)[0] == expected


@pytest.mark.parametrize(
    ("text", "matches", "stops"),
    [
        ("but not", [(0, 1, STOP)], [0]),
        ("but not", [(0, 1, STOP), (0, 2, PRE)], []),
        ("on the other hand", [(0, 4, STOP)], [0, 1, 2, 3]),
        ("except pain", [(0, 1, [*PRE, *STOP])], [0]),
        (", it was not", [(0, 2, STOP), (1, 4, PRE)], [0, 1]),
    ],
)
def test_terminations_are_swallowed_only_by_a_longer_phrase_around_them(text, matches, stops):
    assert counted(matches, text)[1] == stops

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biochunk.triggers.cues import MAX_WORDS, Merger

# What a corpus must hold for the forms below to be told apart.
SEEN = [
    *("inhibit", "inhibits", "inhibited", "inhibiting", "inhibition", "inhibitor", "inhibitors"),
    *("treat", "treated", "treating", "treatment", "treatments", "prepare", "prepared", "stop", "stopped"),
    *("increase", "increases", "increased", "increasing", "lead", "leads", "led", "bind", "binds", "bound"),
    *("effect", "effects", "effective", "patient", "patients", "cell", "cells", "substrate", "substrates"),
    *("of", "by", "with", "in", "on", "to", "for", "after"),
]


@pytest.fixture
def merger() -> Merger:
    return Merger.of([SEEN])


@pytest.mark.parametrize(
    ("written", "phrase", "pos"),
    [
        ("inhibits", "inhibit", "verb"),
        ("inhibiting", "inhibit", "verb"),
        ("inhibited by", "inhibit", "verb"),
        ("prepared", "prepare", "verb"),
        ("stopped", "stop", "verb"),
        ("bound", "bind", "verb"),
        ("leads to", "lead to", "verb"),
        ("treated with", "treated with", "phrase"),
        ("inhibition of", "inhibition of", "noun"),
        ("inhibitors of", "inhibitor of", "noun"),
        ("effects of", "effect of", "noun"),
        ("increases in", "increase in", "noun"),
        ("increases", "increase", "verb"),
        ("substrates for", "substrate for", "noun"),
        ("after", "after", "preposition"),
        ("in patients with", "in patients with", "phrase"),
        ("patients with", "patient with", "noun"),
        ("effective in", "effective in", "phrase"),
        ("dose - dependent", "dose-dependent", "phrase"),
    ],
)
def test_cues_merge_inflections(written: str, phrase: str, pos: str, merger: Merger) -> None:
    cue, _ = merger.merge(written.split())
    assert (cue.phrase, cue.pos) == (phrase, pos)


def test_cues_know_a_participle(merger: Merger) -> None:
    assert merger.merge(["inhibited"])[1]
    assert not merger.merge(["inhibits"])[1]


def test_cues_of_a_sentence_start_and_end_with_words_that_say_something(merger: Merger) -> None:
    words = ["the", "inhibition", "of", "cells", "was", ",", "in", "3", "patients"]
    found = {" ".join(words[w.start : w.end]) for w in merger.written(words)}
    assert found == {
        "inhibition",
        "inhibition of",
        "inhibition of cells",
        "of",
        "of cells",
        "cells",
        "in",
        "patients",
    }


@given(st.lists(st.sampled_from([*SEEN, "the", "and", "-", ",", "3", "β", ""]), max_size=20))
def test_cues_lie_inside_the_sentence_and_are_short(words: list[str]) -> None:
    for written in Merger.of([words]).written(words):
        assert 0 <= written.start < written.end <= len(words)
        assert written.end - written.start <= MAX_WORDS
        assert written.cue.phrase.strip()

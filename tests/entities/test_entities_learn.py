"""Lists of words, learned from sentences in which they stand inside or outside of mentions."""

from functools import partial

import pytest

from biochunk.chunking.edges import CUT, KEEP, OPTIONAL
from biochunk.chunking.word_codes import WordCodes
from biochunk.entities.learn import Thresholds, propose
from biochunk.entities.sentences import annotated, phrases
from biochunk.pipeline.entity_rules import EntityRules
from biochunk.triggers.finders import make_finder

from .conftest import dataset, record


def learned(marked, **limits):
    data = dataset()
    nlp = make_finder(data, ("bio_entity_spans",))
    records = [record(text, i) for i, text in enumerate(marked)]
    sentences = annotated((nlp.make_doc(r.text), r) for r in records)
    make = partial(EntityRules, nlp.vocab, verbs=["inhibits"], nominal=[], max_tokens=8, boundary="both")
    return propose(sentences, data.entities, make, Thresholds(**limits))


def edges(rules):
    """What is done with a word at the front and at the end of a phrase, lists, endings and default together."""
    codes = WordCodes(rules, verbs=[], nominal=[])
    return codes.before, codes.after


def test_a_word_outside_of_mentions_is_cut():
    rules = learned(["the murky <m>insulin</m> rose", "a murky <m>leptin</m> fell", "in murky <m>renin</m> there"] * 4)
    before, _ = edges(rules)
    assert before("murky") == CUT
    # What was never seen is not cut.
    assert before("unheard") == OPTIONAL


def test_a_word_inside_of_mentions_stays_and_one_of_both_kinds_is_optional():
    inside = ["the <m>grey leptin</m> fell", "the <m>grey renin</m> fell"] * 4
    outside = ["a murky <m>insulin</m> fell", "a murky <m>ghrelin</m> fell"] * 4
    both = ["a sandy <m>leptin</m> fell", "a <m>sandy renin</m> fell"] * 4
    rules = learned(inside + outside + both)
    before, _ = edges(rules)
    assert [before(word) for word in ("murky", "grey", "sandy")] == [CUT, KEEP, OPTIONAL]


def test_the_end_of_a_phrase_is_learned_by_itself():
    rules = learned(["the <m>insulin</m> murk rose", "an <m>insulin murk</m> rose", "the <m>leptin</m> dross fell"] * 4)
    _, after = edges(rules)
    assert [after(word) for word in ("dross", "murk")] == [CUT, OPTIONAL]
    assert rules.before.cut == []


def test_a_word_seen_once_is_not_listed():
    rules = learned(["the murky <m>insulin</m> rose", "the <m>grey renin</m> rose"])
    assert {"murky", "grey"}.isdisjoint(rules.before.cut + rules.before.optional + rules.before.keep)


def test_words_that_are_never_a_mention_by_themselves():
    rules = learned(["the murk of <m>bismuth</m> rose", "the dross of <m>bismuth</m> rose"] * 40, alone=0.05)
    assert rules.never_alone == ["dross", "murk"]


def test_a_listed_word_that_is_a_mention_by_itself_is_let_through():
    assert "analysis" in learned(["the <m>analysis</m> of <m>bismuth</m>"] * 5).alone


def test_a_name_is_a_name_whether_annotated_or_not():
    rules = learned(["the metoprolol of <m>bismuth</m> rose"] * 80, alone=0.05)
    assert rules.never_alone == []


def test_verb_forms_in_names_are_joined():
    rules = learned(["the <m>calcium-binding protein</m> rose", "a <m>heart block</m> and <m>heart block</m>"] * 3)
    assert {"-binding", "block"} <= {*rules.joins}


def test_known_joins_stay_unless_they_part_mentions():
    rules = learned(["a <m>renin</m>-dependent <m>rash</m> rose"] * 3)
    assert "-dependent" not in rules.joins
    assert "-like" in rules.joins


def test_what_is_written_by_hand_stays():
    data = dataset(stop_words=["placebo"], patterns=[{"name": "code", "pattern": "X[0-9]"}])
    nlp = make_finder(data, ("bio_entity_spans",))
    sentences = annotated([(nlp.make_doc(r.text), r) for r in [record("a <m>renin</m> rose")]])
    make = partial(EntityRules, nlp.vocab, verbs=[], nominal=[], max_tokens=8, boundary="both")
    rules = propose(sentences, data.entities, make, Thresholds())
    assert (rules.stop_words, rules.patterns) == (data.entities.stop_words, data.entities.patterns)


def test_learning_twice_gives_the_same_lists():
    marked = ["the murky <m>insulin</m> rose", "a <m>grey leptin</m> level fell"] * 5
    assert learned(marked) == learned(marked)


def test_phrases_are_in_words_that_signs_join():
    data = dataset()
    nlp = make_finder(data, ("bio_entity_spans",))
    rules = EntityRules(nlp.vocab, data.entities, verbs=[], nominal=[], max_tokens=8, boundary="both")
    [sentence] = annotated([(nlp.make_doc(r.text), r) for r in [record("the new <m>NF-kB</m> level")]])
    [phrase] = phrases(sentence, rules)
    assert phrase.heads == ("new", "kb", "level")
    assert phrase.gold == ((2, 5),)


@pytest.mark.parametrize("marked", ["the <m>insul</m>in rose", "no mention"])
def test_mentions_within_tokens_teach_nothing(marked):
    assert annotated([(make_finder(dataset(), ()).make_doc(r.text), r) for r in [record(marked)]])[0].gold == ()

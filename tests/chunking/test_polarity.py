"""Scope of negation and hedges, by a table of marked-up sentences and by properties."""

import re
from pathlib import Path
from typing import NamedTuple

import pytest
import spacy
from hypothesis import given
from hypothesis import strategies as st
from spacy.matcher import PhraseMatcher
from spacy.tokens import Doc

from biochunk.chunking.cues import load_cues
from biochunk.chunking.polarity import AFFIRMED, find_cues, polarity_of
from biochunk.schemas import Cues

MARK = re.compile(r"</?([TSOEt])>|[\[\]]")
NLP = spacy.blank("en")
LEXICON = load_cues(Cues(), Cues())


def _matcher(lexicon):
    matcher = PhraseMatcher(NLP.vocab, attr="LOWER")
    for phrase, doc in zip(lexicon, NLP.tokenizer.pipe(lexicon), strict=True):
        matcher.add(phrase, [doc])
    return matcher


MATCHER = _matcher(LEXICON)


class Case(NamedTuple):
    words: list[str]
    matches: list
    spans: dict[str, list[tuple[int, int]]]
    cues: tuple[tuple[int, int], ...]


def parse(marked, matcher=MATCHER, lexicon=LEXICON):
    """Text, matches and token bounds of a marked-up sentence."""
    text, opened, found, position = "", {}, [], 0
    for mark in MARK.finditer(marked):
        text += marked[position : mark.start()]
        position = mark.end()
        label = mark[1] or "["
        if mark[0].startswith("</") or mark[0] == "]":
            found.append((label, opened.pop(label), len(text)))
        else:
            opened[label] = len(text)
    text += marked[position:]
    assert not opened, f"a mark is left open in {marked}"
    doc = NLP.make_doc(text)
    spans: dict[str, list[tuple[int, int]]] = {}
    for label, start, end in found:
        span = doc.char_span(start, end)
        assert span is not None, f"{text[start:end]!r} is no token span in {marked}"
        spans.setdefault(label, []).append((span.start, span.end))
    matches = [(start, end, lexicon[NLP.vocab.strings[key]]) for key, start, end in matcher(doc)]
    return Case([token.text for token in doc], matches, spans, tuple(spans.get("[", ())))


def judge(case, *, offset=0, margin=3, **options):
    """The polarity of the case's proposition, as if its sentence began at token `offset`."""

    def at(*labels):
        return [(s + offset, e + offset) for label in labels for s, e in case.spans.get(label, ())]

    cues = find_cues(
        [(s + offset, e + offset, roles) for s, e, roles in case.matches],
        case.words,
        offset=offset,
        entities=at("S", "O", "E"),
        triggers=at("T", "t"),
        **options,
    )
    (trigger,) = at("T")
    return polarity_of(cues, trigger, next(iter(at("S")), None), next(iter(at("O")), None), margin=margin)


def rows():
    lines = Path(__file__).with_name("polarity_sentences.txt").read_text("utf-8").splitlines()
    return [tuple(line.split(maxsplit=1)) for line in lines if line.strip() and not line.startswith("#")]


@pytest.mark.parametrize(("expected", "marked"), rows())
def test_polarity_of_marked_sentences(expected, marked):
    case = parse(marked)
    polarity = judge(case)
    flags = ("N" if polarity.negated else "") + ("U" if polarity.uncertain else "") or "-"
    assert (flags, polarity.cues) == (expected, case.cues)


def test_table_is_large_and_has_every_polarity():
    expected = [row[0] for row in rows()]
    assert len(expected) >= 80
    assert {"N", "U", "NU", "-"} == set(expected)


@pytest.mark.parametrize("margin", [0, 1, 2, 3, 20])
def test_margin_decides_what_the_span_takes_in_but_not_the_flag(margin):
    case = parse("No rat of either sex <T>developed</T> <O>ulcers</O>.")
    polarity = judge(case, margin=margin)
    assert polarity.negated
    assert polarity.cues == (((0, 1),) if margin >= 5 else ())


def test_cue_inside_the_span_is_taken_in_whatever_the_margin():
    case = parse("<S>Aspirin</S> [did not] <T>inhibit</T> <O>COX-2</O>.")
    assert judge(case, margin=0).cues == case.cues


@pytest.mark.parametrize(("window", "negated"), [(4, False), (5, True)])
def test_window_limits_a_scope(window, negated):
    case = parse("No rat of either sex <T>developed</T> <O>ulcers</O>.")
    assert judge(case, window=window).negated is negated


def test_cue_with_two_polarities_is_taken_in_once():
    case = parse("<S>Aspirin</S> [may not] <T>inhibit</T> <O>COX-2</O>.")
    assert judge(case) == (True, True, case.cues)


def test_blank_tokens_do_not_part_a_cue_from_what_it_hits():
    case = parse("  Rats  without  <O>ulcers</O>  or  <E>pain</E>  were  <T>treated</T>  with  <S>aspirin</S>  .")
    assert judge(case) == (True, False, ((3, 4),))


def test_propositions_of_one_sentence_are_judged_apart():
    case = parse("<S>Aspirin</S> <T>inhibited</T> <E>COX-1</E> but not <E>COX-2</E>.")
    first, second = case.spans["E"]
    (subject,), (trigger,) = case.spans["S"], case.spans["T"]
    cues = find_cues(case.matches, case.words, entities=[subject, first, second], triggers=[trigger])
    assert polarity_of(cues, trigger, subject, first) == AFFIRMED
    assert polarity_of(cues, trigger, subject, second).negated


def test_dataset_cues_act_beside_the_built_in_ones():
    own = load_cues(Cues(pre=["hardly"], pseudo=["should not"]), Cues())
    matcher = _matcher(own)
    for marked, negated in (
        ("<S>Aspirin</S> hardly <T>inhibits</T> <O>COX-2</O>.", True),
        ("<S>Aspirin</S> does not <T>inhibit</T> <O>COX-2</O>.", True),
        ("<S>Aspirin</S> should not be <T>given</T> with <O>warfarin</O>.", False),
    ):
        assert judge(parse(marked, matcher, own)).negated is negated


CLOSED_CLASS = """
aspirin COX-2 inhibits reduced treatment and or , ; : ( ) [ ] . - not no No NO without but was is may May that
which who although neither nor failed to did evidence of ruled out unlikely unclear 5 the in by β 🧬
"""
WORDS = st.sampled_from([*CLOSED_CLASS.split(), "\u00a0", "\n"])


@st.composite
def sentences(draw):
    """Words, entity and trigger bounds that overlap at will, and one proposition of them."""
    words = draw(st.lists(WORDS, min_size=1, max_size=25))
    bounds = st.tuples(st.integers(0, len(words) - 1), st.integers(1, 3)).map(
        lambda pair: (pair[0], min(pair[0] + pair[1], len(words)))
    )
    entities, triggers = draw(st.lists(bounds, max_size=5)), draw(st.lists(bounds, min_size=1, max_size=4))
    argument = st.sampled_from([None, *entities])
    return words, entities, triggers, (draw(st.sampled_from(triggers)), draw(argument), draw(argument))


def _shifted(span, offset):
    return span and (span[0] + offset, span[1] + offset)


def _polarity(sentence, offset=0, matched=True):
    words, entities, triggers, proposition = sentence
    doc = Doc(NLP.vocab, words)
    matches = [(s, e, LEXICON[NLP.vocab.strings[key]]) for key, s, e in MATCHER(doc)] if matched else []
    cues = find_cues(
        [(s + offset, e + offset, roles) for s, e, roles in matches],
        words,
        offset=offset,
        entities=[_shifted(span, offset) for span in entities],
        triggers=[_shifted(span, offset) for span in triggers],
    )
    return cues, polarity_of(cues, *(_shifted(span, offset) for span in proposition))


@given(sentences())
def test_any_sentence_gets_cues_in_bounds_and_order(sentence):
    cues, polarity = _polarity(sentence)
    n = len(sentence[0])
    assert all(0 <= cue.start < cue.end <= n for cue in cues)
    assert all(0 <= i <= n for cue in cues for i in (cue.left, cue.right, cue.back, cue.core))
    assert list(polarity.cues) == sorted(set(polarity.cues))
    assert set(polarity.cues) <= {(cue.start, cue.end) for cue in cues}


@given(sentences(), st.integers(1, 10_000))
def test_polarity_does_not_depend_on_where_the_sentence_begins(sentence, offset):
    _, here = _polarity(sentence)
    _, there = _polarity(sentence, offset)
    assert there == (here.negated, here.uncertain, tuple(_shifted(span, offset) for span in here.cues))


@given(sentences())
def test_without_matches_everything_is_affirmed(sentence):
    assert _polarity(sentence, matched=False) == ((), AFFIRMED)


@given(sentences())
def test_flags_need_a_cue_of_their_polarity(sentence):
    cues, polarity = _polarity(sentence)
    kinds = {cue.polarity for cue in cues}
    assert not polarity.negated or "negation" in kinds
    assert not polarity.uncertain or "hedge" in kinds


def test_time_is_linear_in_a_sentence_of_cues():
    """A cue looks at most a window far, so four times the words give four times the tokens looked at."""

    class Counting(list):
        looks = 0

        def __getitem__(self, key):
            Counting.looks += 1
            return super().__getitem__(key)

    looks = []
    for n in (250, 1000):
        words = ["aspirin", "may", "not"] * n
        doc = Doc(NLP.vocab, words)
        matches = [(s, e, LEXICON[NLP.vocab.strings[key]]) for key, s, e in MATCHER(doc)]
        Counting.looks = 0
        find_cues(matches, Counting(words))
        looks.append(Counting.looks)
    assert looks[1] < 4.5 * looks[0]

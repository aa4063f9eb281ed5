"""Scope of negation and hedges, by a table of marked-up sentences and by properties."""

import re
from pathlib import Path
from typing import NamedTuple

import pytest
import spacy
from spacy.matcher import PhraseMatcher

from biochunk.chunking.cues import load_cues
from biochunk.chunking.polarity import find_cues, polarity_of
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

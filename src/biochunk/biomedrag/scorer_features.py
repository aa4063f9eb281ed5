"""What the chunk scorer looks at: the sentence, as strings, and how each piece of evidence was found, as numbers."""

import re
from collections import Counter

import numpy as np

from ..ty import FloatArray
from .items import Example, Span, Statement

# Names of the numbers of `evidence_features`, in their order.
NUMBERS = ("similarity", "votes", "rank", "statements", "cues")
# A chunk this much less similar than the first has 1/e of its vote.
_VOTE_SCALE = 0.125
# More propositions or triggers than that say no more.
_MOST = 2
# Words beside a proposition.
_BESIDE = 2
_WORD = re.compile(r"[^\W_]+|[^\w\s]")


def sentence_features(example: Example) -> list[str]:
    """The sentence as strings, each once: its words, the words between an asked pair, its triggers, and what its kept
    propositions say and stand in.
    """
    text = example.text
    found = [f"word {word}" for word in _words(text)]
    for first, second in example.pairs:
        if first.visible and second.visible:
            found += _between("between", text[first.end : second.start])
    for cue in example.cues:
        found += (f"cue {_phrase(text, (cue.start, cue.end))}", f"cue of {cue.relation}")
    for statement in example.statements:
        if statement.kept:
            found += _statement(text, statement)
    return list(dict.fromkeys(found))


def _statement(text: str, statement: Statement) -> list[str]:
    """A proposition: its trigger and relation, where they stand, the last words of its arguments (their heads), and the
    words between and beside these.
    """
    subject, trigger, other = statement.subject, statement.trigger, statement.object
    left, right = min(subject, other), max(subject, other)
    phrase = _phrase(text, trigger)
    return [
        f"statement {phrase}",
        f"statement of {statement.relation}",
        f"statement {phrase} {subject < trigger} {other < trigger}",
        f"statement of {statement.relation} {subject < other}",
        *(f"subject {word}" for word in _words(text[slice(*subject)])[-1:]),
        *(f"object {word}" for word in _words(text[slice(*other)])[-1:]),
        *_between("inner", text[left[1] : right[0]]),
        *(f"left {word}" for word in _words(text[: left[0]])[-_BESIDE:]),
        *(f"right {word}" for word in _words(text[right[1] :])[:_BESIDE]),
    ]


def _between(name: str, text: str) -> list[str]:
    """Words and pairs of words of a text between two mentions; the mentions are "<" and ">"."""
    words = _words(text)
    return [
        *(f"{name} {word}" for word in words),
        *(f"{name} {one} {two}" for one, two in zip(["<", *words], [*words, ">"], strict=True)),
    ]


def _phrase(text: str, span: Span) -> str:
    return " ".join(_words(text[slice(*span)]))


def _words(text: str) -> list[str]:
    return [match.lower() for match in _WORD.findall(text)]


def evidence_features(example: Example) -> FloatArray:
    """Numbers of each piece of evidence.

    RETURNS (FloatArray): Shape (n, len(NUMBERS)): the similarity; the share of its relation among the retrieved chunks,
        near ones counting more; 1 / rank; how many kept propositions and how many triggers of the sentence have
        its relation, at most 2, as a share of 2.
    """
    evidence = example.evidence
    highest = max((item.similarity for item in evidence), default=0.0)
    votes: Counter[str] = Counter()
    for item in evidence:
        votes[item.relation] += np.exp((item.similarity - highest) / _VOTE_SCALE)
    every = sum(votes.values())
    stated = Counter(statement.relation for statement in example.statements if statement.kept)
    cued = Counter(cue.relation for cue in example.cues)
    rows = [
        (
            item.similarity,
            votes[item.relation] / every,
            1 / rank,
            min(stated[item.relation], _MOST) / _MOST,
            min(cued[item.relation], _MOST) / _MOST,
        )
        for rank, item in enumerate(evidence, 1)
    ]
    return np.array(rows, dtype=np.float32).reshape(len(rows), len(NUMBERS))

"""What the chunk scorer looks at: the sentence, as strings, and how each piece of evidence was found, as numbers."""

import re
from collections import Counter
from collections.abc import Iterator

import numpy as np

from ..ty import FloatArray
from .items import Example

# Names of the numbers of `evidence_features`, in their order.
NUMBERS = ("similarity", "votes", "rank", "statements", "cues")
# A chunk this much less similar than the first has 1/e of its vote.
_VOTE_SCALE = 0.125
# More propositions or triggers than that say no more.
_MOST = 2
_WORD = re.compile(r"[^\W_]+|[^\w\s]")


def sentence_features(example: Example) -> list[str]:
    """The sentence as strings, each once: its words, the words between an asked pair, its triggers, and the triggers
    and relations of its kept propositions.
    """
    text = example.text
    found = [f"word {word}" for word in _words(text)]
    for first, second in example.pairs:
        if first.visible and second.visible:
            found += (f"between {word}" for word in _words(text[first.end : second.start]))
    for cue in example.cues:
        found += (f"cue {' '.join(_words(text[cue.start : cue.end]))}", f"cue of {cue.relation}")
    for statement in example.statements:
        if statement.kept:
            start, end = statement.trigger
            found += (f"statement {' '.join(_words(text[start:end]))}", f"statement of {statement.relation}")
    return list(dict.fromkeys(found))


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


def _words(text: str) -> Iterator[str]:
    return (match.lower() for match in _WORD.findall(text))

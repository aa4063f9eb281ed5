"""Which pairs of a text are annotated, for the linear reader: first spans, then pairs of the best of them."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ....corpora.splits import in_part, sentence_key
from ....ty import FloatArray
from ...items import Example, Gold
from .hashed import Hashes, Logistic
from .pairs import Pairs, read_pairs
from .spans import Counts, Spans, Tokens, known_features, read_spans, read_tokens, said_strings
from .text import Text, words_of

_FOLDS = 3
_FOLD_SEED = 77
# Examples in which a string is a mention of a triple, for it to be looked for everywhere.
_KNOWN = 2


@dataclass(frozen=True, slots=True)
class Selected:
    """Candidates and pairs of some texts."""

    spans: Spans
    pairs: Pairs


def fold_of(key: str) -> int:
    """One of three parts of the train split, by `sentence_key`; the same for all seeds."""
    return sum(in_part(key, fold / _FOLDS, _FOLD_SEED) for fold in range(1, _FOLDS))


class SpanModel:
    """Says which spans are mentions of triples.

    Learned in folds: what is said of a text that was learned from comes from models that did not see it, so that a
    model of pairs meets the same doubt in learning as in use.
    """

    def __init__(self, examples: Sequence[Example], texts: Sequence[Text], gold: Sequence[Gold]) -> None:
        said = said_strings(gold)
        often = Counter(string for strings in said for string in strings)
        self._known: dict[str, set[str]] = {}
        for string, count in often.items():
            if count >= _KNOWN and (words := words_of(string)):
                self._known.setdefault(words[0], set()).add(string)
        self._folds: list[tuple[Logistic, Counts, Counts]] = []
        tokens, spans = self._read(examples, texts)
        of_text = np.array([fold_of(sentence_key(example.text)) for example in examples], dtype=np.intp)
        folds = of_text[spans.texts]
        right = _right_spans(spans, gold)
        own = np.array(
            [string in said[text] for string, text in zip(spans.strings, spans.texts.tolist(), strict=True)], dtype=bool
        )
        scores = np.zeros(len(right), dtype=np.float32)
        for fold in range(_FOLDS):
            inside = folds != fold
            others = np.flatnonzero(of_text != fold).tolist()
            told = Counter(string for text in others for string in said[text])
            met = Counter(_seen(spans, inside))
            model = Logistic(penalty=1.0)
            model.fit(_with_known(spans, told, met, inside, own[inside]), right[inside])
            self._folds.append((model, told, met))
            scores[~inside] = model.scores(_with_known(spans, told, met, ~inside))
        self.learned = Selected(spans, read_pairs(examples, tokens, spans, scores))

    def read(self, examples: Sequence[Example], texts: Sequence[Text]) -> Selected:
        """Candidates and pairs of new texts."""
        tokens, spans = self._read(examples, texts)
        every = np.ones(len(spans.strings), dtype=bool)
        scores = [model.scores(_with_known(spans, told, met, every)) for model, told, met in self._folds]
        mean: FloatArray = np.asarray(np.mean(scores, axis=0, dtype=np.float32), dtype=np.float32)
        return Selected(spans, read_pairs(examples, tokens, spans, mean))

    def _read(self, examples: Sequence[Example], texts: Sequence[Text]) -> tuple[Tokens, Spans]:
        tokens = read_tokens(examples, texts)
        return tokens, read_spans(examples, texts, tokens, self._known)


def right_pairs(selected: Selected, gold: Sequence[Gold]) -> NDArray[np.bool_]:
    """Which pairs are those of gold triples, by place, in either order."""
    wanted = [
        {frozenset(((t.head.start, t.head.end), (t.tail.start, t.tail.end))) for t in one.triples} for one in gold
    ]
    places = [tuple(place) for place in selected.spans.places.tolist()]
    pairs = selected.pairs
    return np.array(
        [
            frozenset((places[one], places[two])) in wanted[text]
            for text, one, two in zip(pairs.texts.tolist(), pairs.first.tolist(), pairs.second.tolist(), strict=True)
        ],
        dtype=bool,
    )


def _right_spans(spans: Spans, gold: Sequence[Gold]) -> NDArray[np.bool_]:
    wanted = [{(m.start, m.end) for t in one.triples for m in (t.head, t.tail)} for one in gold]
    return np.array(
        [tuple(place) in wanted[text] for text, place in zip(spans.texts.tolist(), spans.places.tolist(), strict=True)],
        dtype=bool,
    )


def _seen(spans: Spans, rows: NDArray[np.bool_]) -> list[str]:
    """Strings of candidates, each once a text."""
    pairs = {(spans.texts[row], spans.strings[row]): None for row in np.flatnonzero(rows).tolist()}
    return [string for _, string in pairs]


def _with_known(
    spans: Spans, told: Counts, met: Counts, rows: NDArray[np.bool_], own: NDArray[np.bool_] | None = None
) -> Hashes:
    chosen = np.flatnonzero(rows)
    strings = [spans.strings[row] for row in chosen.tolist()]
    return np.hstack([spans.features[chosen], known_features(strings, told, met, own)])

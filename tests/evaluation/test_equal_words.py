"""Chunkers by size: the arms' rules, and sizes that give a wanted mean."""

import numpy as np
import pytest

from biochunk.chunking.windows import fixed_windows
from biochunk.errors import BiochunkError
from biochunk.evaluation.equal_words import FIXED, at_mean_words, even_windows, strict_windows
from biochunk.evaluation.passages import index_size

TEXT = "a  bb c\u00a0c d e f g h i j k l"


def parts(cut, text):
    return [text[start:end] for start, end in cut(text)]


@pytest.mark.parametrize(
    ("cut", "expected"),
    [
        (even_windows(5), ["a  bb c\u00a0c d e f", "g h i j k l"]),
        (even_windows(3), ["a  bb c\u00a0c", "d e f", "g h i", "j k l"]),
        (even_windows(40), [TEXT]),
        (strict_windows(5), ["a  bb c\u00a0c d e", "f g h i j", "k l"]),
    ],
)
def test_rules(cut, expected):
    assert parts(cut, TEXT) == expected


@pytest.mark.parametrize("cut", [even_windows(3), strict_windows(3)])
def test_a_blank_text_has_no_chunk(cut):
    assert cut("  ") == []


def test_the_rule_is_the_arm_s():
    assert len(even_windows(5)(TEXT)) == len(fixed_windows([(i, i + 1) for i in range(12)], 5))


def some_texts():
    generator = np.random.default_rng(0)
    return {str(i): " ".join(f"w{i}x{j}" for j in range(generator.integers(8, 40))) for i in range(80)}


@pytest.mark.parametrize("name", list(FIXED))
@pytest.mark.parametrize("mean", [5.3, 6.8, 9.1])
def test_the_mean_is_met_and_every_word_indexed_once(name, mean):
    texts = some_texts()
    index = at_mean_words(texts, FIXED[name], mean, name=name)
    size = index_size(index, len(texts))
    assert abs(size.words_per_passage / mean - 1) <= 0.03
    assert [w for p in index for w in p.text.split()] == [w for t in texts.values() for w in t.split()]


def test_the_same_mean_gives_the_same_chunks():
    assert at_mean_words(some_texts(), strict_windows, 7.0, name="x") == at_mean_words(
        some_texts(), strict_windows, 7.0, name="x"
    )


def test_a_mean_that_cannot_be_met_is_an_error():
    with pytest.raises(
        BiochunkError, match=r"fixed: found \d+\.\d\d words per chunk at the nearest size, expected 99.00"
    ):
        at_mean_words(some_texts(), even_windows, 99.0, name="fixed")

from collections import Counter

import numpy as np
import pytest
from tests.biomedrag.handmade import evidence, example

from biochunk.biomedrag.gains import evidence_gains
from biochunk.biomedrag.items import Gold, GoldTriple, Mention
from biochunk.errors import BiochunkError, UsageError

RELATIONS = ["A", "B"]


class Trusting:
    """A reader that believes the relation of its evidence, and is sure of what it has seen in training."""

    def __init__(self, seed):
        self.seed = seed

    def fit(self, examples, gold, *, task, relations):
        self.seen = [one.text for one in examples]
        self.shown = [one.evidence for one in examples]

    def predict(self, examples):
        raise NotImplementedError

    def grade(self, examples, gold):
        return np.log([self.chance(one, relation(answer)) for one, answer in zip(examples, gold, strict=True)])

    def chance(self, one, gold):
        if one.text in self.seen:
            return 1.0
        return 0.5 if not one.evidence else 0.9 if one.evidence[0].relation == gold else 0.25


def relation(gold):
    return gold.triples[0].relation


def answer(label):
    return Gold(triples=(GoldTriple(Mention("x", 0, 1), label, Mention("y", 2, 3)),))


EXAMPLES = [
    example(f"e{i}", f"sentence {i // 2}", *(evidence(j, "AB"[j % 2]) for j in range(i % 3))) for i in range(24)
]
GOLD = [answer("AB"[i % 2]) for i in range(24)]


def gains(make=Trusting, parts=3, graders=1, **options):
    return evidence_gains(
        make, EXAMPLES, GOLD, task="triples", relations=RELATIONS, parts=parts, graders=graders, **options
    )


def test_a_gain_is_the_probability_with_one_chunk_over_that_with_none():
    for i, own in enumerate(gains()):
        assert own.dtype == np.float32
        expected = [0.4 if "AB"[j % 2] == "AB"[i % 2] else -0.25 for j in range(i % 3)]
        np.testing.assert_allclose(own, expected, rtol=1e-6)


def test_gains_of_several_readers_are_averaged():
    class Unsure(Trusting):
        def chance(self, one, gold):
            return 0.1 * (self.seed + 2) if one.evidence else 0.1

    # Readers of other parts than the own one: two of the chances 0.1, 0.2 and 0.3.
    means = {round(float(value), 6) for own in gains(Unsure, graders=2) for value in own}
    assert means == {0.15, 0.2, 0.25}
    assert {round(float(value), 6) for own in gains(Unsure, graders=1) for value in own} == {0.1, 0.2, 0.3}


@pytest.mark.parametrize("graders", [1, 3])
def test_each_reader_learns_one_part_with_one_chunk_and_grades_others(graders):
    made = []

    class Watching(Trusting):
        def __init__(self, seed):
            super().__init__(seed)
            self.asked = []
            made.append(self)

        def grade(self, examples, gold):
            self.asked = [one.id for one in examples]
            assert not {one.text for one in examples} & set(self.seen)
            assert all(len(one.evidence) < 2 for one in examples)
            assert all(len(shown) < 2 for shown in self.shown)
            return super().grade(examples, gold)

    gains(Watching, parts=4, graders=graders, seed=7)
    assert [reader.seed for reader in made] == [7, 8, 9, 10]
    assert sorted(text for reader in made for text in reader.seen) == sorted(one.text for one in EXAMPLES)
    assert len({len(reader.seen) for reader in made}) == 1
    asked = Counter(key for reader in made for key in reader.asked)
    assert asked == {one.id: graders * (1 + len(one.evidence)) for one in EXAMPLES}


class Wrong(Trusting):
    def grade(self, examples, gold):
        return np.full(len(examples), np.nan)


class Short(Trusting):
    def grade(self, examples, gold):
        return super().grade(examples, gold)[1:]


@pytest.mark.parametrize("make", [Wrong, Short])
def test_wrong_grades_are_refused(make):
    with pytest.raises(BiochunkError, match="log-probability"):
        gains(make)


@pytest.mark.parametrize("counts", [{"parts": 1}, {"parts": 3, "graders": 3}, {"graders": 0}])
def test_parts_and_graders_are_in_range(counts):
    with pytest.raises(UsageError, match=r"parts and . graders"):
        gains(**counts)


def test_there_are_as_many_sentences_as_parts():
    with pytest.raises(BiochunkError, match="found 12 train sentences, expected at least 13"):
        gains(parts=13)


def test_the_seed_cuts_otherwise_and_the_same_one_the_same():
    def cut(seed):
        readers = []

        class Kept(Trusting):
            def __init__(self, seed):
                super().__init__(seed)
                readers.append(self)

        gains(Kept, seed=seed)
        return [reader.seen for reader in readers]

    assert cut(0) == cut(0) != cut(1)

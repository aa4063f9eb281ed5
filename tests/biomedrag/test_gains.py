import numpy as np
import pytest
from tests.biomedrag.handmade import evidence, example

from biochunk.biomedrag.gains import evidence_gains
from biochunk.biomedrag.items import Gold, GoldTriple, Mention
from biochunk.errors import BiochunkError, UsageError

RELATIONS = ["A", "B"]


class Trusting:
    """A reader that believes the relation of its evidence, and more so what it has seen in training."""

    def __init__(self, seed):
        self.seed = seed
        self.seen = []

    def fit(self, examples, gold, *, task, relations):
        self.seen = [one.text for one in examples]
        self.shown = [one.evidence for one in examples]

    def predict(self, examples):
        raise NotImplementedError

    def grade(self, examples, gold):
        chance = [
            0.0 if not e.evidence else 2.0 if e.evidence[0].relation == relation(g) else -1.0
            for e, g in zip(examples, gold, strict=True)
        ]
        return np.array([c + 100 * (e.text in self.seen) for c, e in zip(chance, examples, strict=True)])


def relation(gold):
    return gold.triples[0].relation


def answer(label):
    return Gold(triples=(GoldTriple(Mention("x", 0, 1), label, Mention("y", 2, 3)),))


EXAMPLES = [
    example(f"e{i}", f"sentence {i // 2}", *(evidence(j, "AB"[j % 2]) for j in range(i % 3))) for i in range(24)
]
GOLD = [answer("AB"[i % 2]) for i in range(24)]


def gains(make=Trusting, parts=3, **options):
    return evidence_gains(make, EXAMPLES, GOLD, task="triples", relations=RELATIONS, parts=parts, **options)


def test_a_gain_is_the_grade_with_one_chunk_over_that_with_none():
    # A reader that had learned the example itself would add the same 100 to both; see the next test.
    for i, own in enumerate(gains()):
        assert own.dtype == np.float32
        assert own.tolist() == [2.0 if "AB"[j % 2] == "AB"[i % 2] else -1.0 for j in range(i % 3)]


def test_each_reader_learns_one_part_with_one_chunk_and_grades_another():
    made = []

    class Watching(Trusting):
        def __init__(self, seed):
            super().__init__(seed)
            made.append(self)

        def grade(self, examples, gold):
            assert not {one.text for one in examples} & set(self.seen)
            assert all(len(one.evidence) < 2 for one in examples)
            assert all(len(shown) < 2 for shown in self.shown)
            return super().grade(examples, gold)

    gains(Watching, parts=4, seed=7)
    assert [reader.seed for reader in made] == [7, 8, 9, 10]
    assert sorted(text for reader in made for text in reader.seen) == sorted(one.text for one in EXAMPLES)


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


def test_parts_must_be_two_and_filled():
    with pytest.raises(UsageError, match="1 parts"):
        gains(parts=1)
    with pytest.raises(BiochunkError, match="fewer than 50 parts"):
        gains(parts=50)

import json
from dataclasses import replace

import numpy as np
import pytest
from tests.biomedrag.handmade import evidence, example

from biochunk.biomedrag.items import Cue, Example, Mention, Statement
from biochunk.biomedrag.scorer import ABOUT, WEIGHTS, LinearScorer, reordered
from biochunk.biomedrag.scorer_features import NUMBERS, evidence_features, sentence_features
from biochunk.biomedrag.ty import Scorer
from biochunk.errors import BiochunkError

CUES = {"TREATS": ["therapy", "relieves"], "INHIBITS": ["blocks", "suppresses"], "CAUSES": ["induces", "after"]}


def corpus(count, seed):
    """Sentences that say their relation, and evidence of all relations in any order."""
    numbers = np.random.default_rng(seed)
    examples, gains = [], []
    for i in range(count):
        relation = list(CUES)[i % 3]
        text = f"drug {numbers.choice(CUES[relation])} thing {numbers.integers(9)}"
        found = [
            evidence(int(numbers.integers(99)), str(label), float(similarity))
            for label, similarity in zip(numbers.permutation([*CUES, *CUES]), sorted(-numbers.random(6)), strict=True)
        ]
        examples.append(example(f"e{i}", text, *found))
        gains.append(np.array([float(item.relation == relation) for item in found], dtype=np.float32))
    return examples, gains


def trained():
    scorer = LinearScorer()
    scorer.fit(*corpus(90, seed=0))
    return scorer


def share_of_best_first(examples, gains):
    best = {
        one.id: {item for item, gain in zip(one.evidence, own, strict=True) if gain}
        for one, own in zip(*corpus(60, seed=1), strict=True)
    }
    return np.mean([one.evidence[0] in best[one.id] for one in examples])


def test_it_is_a_scorer():
    assert isinstance(LinearScorer(), Scorer)


def test_it_puts_evidence_that_helped_alike_sentences_first():
    examples, gains = corpus(60, seed=1)
    assert share_of_best_first(examples, gains) < 0.5
    assert share_of_best_first(reordered(trained(), examples), gains) > 0.95


def test_gains_of_chance_teach_nothing():
    numbers = np.random.default_rng(3)
    examples, gains = corpus(90, seed=0)
    scorer = LinearScorer()
    scorer.fit(examples, [numbers.permutation(own) for own in gains])
    assert share_of_best_first(reordered(scorer, corpus(60, seed=1)[0]), gains) < 0.6


def test_it_scores_an_example_alone_as_among_others_and_the_same_each_time():
    examples, _ = corpus(20, seed=2)
    first, second = trained().score(examples), trained()
    for one, own in zip(examples, first, strict=True):
        assert second.score([one])[0].tobytes() == own.tobytes()
        assert own.dtype == np.float32 and own.shape == (len(one.evidence),)


def test_no_evidence_and_unknown_relations_are_scored_too():
    empty, unknown, bare = trained().score(
        [
            example("a", "drug blocks x"),
            example("b", "drug blocks x", evidence(1, "NEW")),
            example("c", "", evidence(1, "TREATS")),
        ]
    )
    assert empty.shape == (0,) and np.isfinite(unknown).all() and np.isfinite(bare).all()


def test_a_reader_that_makes_no_use_of_evidence_teaches_no_order():
    examples, gains = corpus(30, seed=0)
    scorer = LinearScorer()
    scorer.fit(examples, [0 * own for own in gains])
    assert reordered(scorer, examples) == examples


def test_ties_keep_the_order_of_retrieval():
    class Equal:
        def score(self, examples):
            return [np.zeros(len(one.evidence), dtype=np.float32) for one in examples]

    examples, _ = corpus(3, seed=0)
    assert reordered(Equal(), examples) == examples


def test_a_loaded_scorer_scores_the_same_bits(tmp_path):
    scorer, (examples, _) = trained(), corpus(20, seed=2)
    scorer.to_disk(tmp_path / "one")
    loaded = LinearScorer().from_disk(tmp_path / "one")
    assert all(a.tobytes() == b.tobytes() for a, b in zip(scorer.score(examples), loaded.score(examples), strict=True))
    loaded.to_disk(tmp_path / "two")
    for name in (WEIGHTS, ABOUT):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


def fewer_relations(folder):
    about = json.loads((folder / ABOUT).read_text())
    (folder / ABOUT).write_text(json.dumps({**about, "relations": about["relations"][1:]}))


@pytest.mark.parametrize(
    "damage",
    [
        fewer_relations,
        lambda folder: (folder / ABOUT).write_text("{}"),
        lambda folder: (folder / ABOUT).write_text("?"),
        lambda folder: (folder / WEIGHTS).write_bytes(b"?"),
        lambda folder: (folder / WEIGHTS).unlink(),
    ],
)
def test_a_damaged_folder_is_one_error(tmp_path, damage):
    trained().to_disk(tmp_path / "scorer")
    damage(tmp_path / "scorer")
    with pytest.raises(BiochunkError, match="scorer") as caught:
        LinearScorer().from_disk(tmp_path / "scorer")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: LinearScorer().score([]), "without weights"),
        (lambda: LinearScorer().fit([example("a", "x", evidence(0, "A"))], [np.zeros(2, dtype=np.float32)]), "'a'"),
        (lambda: LinearScorer().fit([example("a", "x", evidence(0, "A"))], [np.zeros(1, dtype=np.float32)]), "order"),
    ],
)
def test_what_cannot_be_is_refused(call, message):
    with pytest.raises(BiochunkError, match=message):
        call()


STATED = Example(
    id="a",
    text="Aspirin blocks COX-1 in mice",
    pairs=((Mention("Aspirin", 0, 7), Mention("COX-1", 15, 20)), (Mention("mice", -1, -1), Mention("COX-1", 15, 20))),
    cues=(Cue(8, 14, "INHIBITS", 1),),
    statements=(
        Statement((0, 7), (8, 14), (15, 20), "INHIBITS", 5.0, False, False, True),
        Statement((0, 7), (21, 23), (24, 28), "LOCATION_OF", 1.0, False, False, False),
    ),
    evidence=(evidence(3, "INHIBITS", 0.5), evidence(4, "CAUSES", 0.4), evidence(5, "INHIBITS", 0.4)),
)


def test_sentence_features_say_what_stands_in_it():
    assert sentence_features(STATED) == [
        *(f"word {word}" for word in ("aspirin", "blocks", "cox", "-", "1", "in", "mice")),
        *("between blocks", "between < blocks", "between blocks >"),
        *("cue blocks", "cue of INHIBITS"),
        *("statement blocks", "statement of INHIBITS"),
        # The trigger stands behind the subject, and the object behind the trigger.
        *("statement blocks True False", "statement of INHIBITS True"),
        *("subject aspirin", "object 1"),
        *("inner blocks", "inner < blocks", "inner blocks >"),
        *("right in", "right mice"),
    ]


def test_a_proposition_that_is_said_backwards_has_other_features():
    forward = sentence_features(STATED)
    statement = STATED.statements[0]
    turned = statement._replace(subject=statement.object, object=statement.subject)
    backward = sentence_features(replace(STATED, statements=(turned,)))
    assert set(forward) - set(backward) == {
        "statement blocks True False",
        "statement of INHIBITS True",
        "subject aspirin",
        "object 1",
    }


def test_evidence_features_say_how_it_was_found():
    found = evidence_features(STATED)
    assert found.shape == (3, len(NUMBERS))
    less = np.exp(-0.1 / 0.125)
    votes = (1 + less) / (1 + 2 * less)
    np.testing.assert_allclose(
        found, [[0.5, votes, 1, 0.5, 0.5], [0.4, 1 - votes, 1 / 2, 0, 0], [0.4, votes, 1 / 3, 0.5, 0.5]], rtol=1e-6
    )

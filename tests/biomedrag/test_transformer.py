import subprocess
import sys
import warnings

import numpy as np
import pytest
from tests.biomedrag.tiny_encoder import save_tiny_encoder

from biochunk.biomedrag.examples import pair_triples
from biochunk.biomedrag.items import Evidence, Example, Gold, GoldTriple, Mention, PairAnswer, Triple
from biochunk.biomedrag.readers.transformer import TransformerReader
from biochunk.biomedrag.ty import GradedReader
from biochunk.errors import BiochunkError, MissingExtraError, UsageError

RELATIONS = ("LOWERS", "RAISES")
# Two entities and what holds between them: nothing, one triple in either direction, or two.
SENTENCES = {
    "zelan lowers mirin": [("zelan", "LOWERS", "mirin")],
    "mirin is lowered by zelan": [("zelan", "LOWERS", "mirin")],
    "zelan raises mirin": [("zelan", "RAISES", "mirin")],
    "mirin raises zelan": [("mirin", "RAISES", "zelan")],
    "kolin lowers mirin": [("kolin", "LOWERS", "mirin")],
    "mirin lowers kolin": [("mirin", "LOWERS", "kolin")],
    "zelan beside mirin": [],
    "kolin or zelan , not mirin": [],
    "zelan lowers mirin and raises kolin": [("zelan", "LOWERS", "mirin"), ("zelan", "RAISES", "kolin")],
}
ENTITIES = ("zelan", "mirin", "kolin")
ONE = {text: triples for text, triples in SENTENCES.items() if len(triples) == 1}

pytest.importorskip("torch")
pytest.importorskip("transformers")


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    return save_tiny_encoder(tmp_path_factory.mktemp("tiny") / "model", [*SENTENCES, "effect of on in rats"])


def reader(model, **options):
    return TransformerReader(
        **{
            "model": model,
            "epochs": 60,
            "batch_size": 4,
            "lr": 3e-3,
            "head_lr": 3e-3,
            "weight_decay": 0.0,
            "dropout": 0.0,
            "hidden": 32,
            "kept": 4,
            "max_words": 2,
            "train_embeddings": True,
            "threads": 1,
            "device": "cpu",
            "precision": "float32",
            **options,
        }
    )


def place(text, name):
    start = text.find(name)
    return Mention(name, start, start + len(name)) if start >= 0 else Mention(name, -1, -1)


def triples_of(sentences):
    """Examples with detected entities, and gold."""
    examples, gold = [], []
    for i, (text, triples) in enumerate(sentences.items()):
        found = sorted(m for m in (place(text, name) for name in ENTITIES) if m.visible)
        examples.append(Example(id=str(i), text=text, mentions=tuple((m.start, m.end) for m in found)))
        gold.append(Gold(tuple(GoldTriple(place(text, h), r, place(text, t)) for h, r, t in triples)))
    return examples, gold


def pairs_of(sentences):
    """Examples that ask for each pair of entities in text order, and gold."""
    examples, gold = [], []
    for i, (text, triples) in enumerate(sentences.items()):
        found = sorted((m for m in (place(text, name) for name in ENTITIES) if m.visible), key=lambda m: m.start)
        pairs = tuple((first, second) for k, first in enumerate(found) for second in found[k + 1 :])
        forward = {(h, t): PairAnswer(r, True) for h, r, t in triples}
        backward = {(t, h): PairAnswer(r, False) for h, r, t in triples}
        said = {**backward, **forward}
        examples.append(Example(id=str(i), text=text, pairs=pairs))
        gold.append(Gold(relations=tuple(said.get((a.text, b.text)) for a, b in pairs)))
    return examples, gold


@pytest.fixture(scope="module")
def fitted(model):
    """A reader of sentences with one triple each."""
    one = reader(model)
    one.fit(*triples_of(ONE), task="triples", relations=RELATIONS)
    return one


def test_it_is_a_graded_reader(model):
    assert isinstance(reader(model), GradedReader)


def test_one_triple_a_sentence_with_its_direction(fitted):
    examples, gold = triples_of(ONE)
    assert [answer.triples for answer in fitted.predict(examples)] == [(g.triples[0].triple,) for g in gold]
    assert fitted.fitted.held == 0
    assert fitted.fitted.trained == len(ONE)
    assert fitted.fitted.losses[-1] < fitted.fitted.losses[0]


def test_several_triples_or_none(model):
    one = reader(model, epochs=80)
    examples, gold = triples_of(SENTENCES)
    one.fit(examples, gold, task="triples", relations=RELATIONS)
    held = one.fitted.held
    assert held + one.fitted.trained == len(SENTENCES)
    found = [
        set(answer.triples) == {t.triple for t in g.triples}
        for answer, g in zip(one.predict(examples), gold, strict=True)
    ]
    assert sum(found) >= len(SENTENCES) - held


def test_relations_of_asked_pairs(model):
    one = reader(model)
    examples, gold = pairs_of(SENTENCES)
    one.fit(examples, gold, task="pairs", relations=RELATIONS)
    answers = one.predict(examples)
    right = [answer.relations == g.relations for answer, g in zip(answers, gold, strict=True)]
    assert sum(right) >= len(SENTENCES) - one.fitted.held
    assert any(None in answer.relations for answer in answers)
    assert all(len(answer.relations) == len(example.pairs) for answer, example in zip(answers, examples, strict=True))
    assert {t for e, a in zip(examples, answers, strict=True) for t in pair_triples(e, a.relations)} <= {
        Triple(*t) for triples in SENTENCES.values() for t in triples
    }


def test_labels(model):
    one = reader(model, epochs=30)
    examples = [Example(id=text, text=text) for text in SENTENCES]
    gold = [Gold(label=int("lower" in text)) for text in SENTENCES]
    one.fit(examples, gold, task="label", relations=())
    right = [answer.label == g.label for answer, g in zip(one.predict(examples), gold, strict=True)]
    assert sum(right) >= len(SENTENCES) - one.fitted.held
    assert np.all(np.exp(one.grade(examples, gold))[[i for i, ok in enumerate(right) if ok]] > 0.4)


def test_evidence_is_read(model):
    """The sentence alone says nothing; only its evidence differs."""
    examples, gold = [], []
    for i in range(8):
        relation = RELATIONS[i % 2]
        evidence = (Evidence("zelan on mirin", relation, "r", i, 1.0, 0),)
        text = "effect of zelan on mirin"
        examples.append(Example(id=str(i), text=text, mentions=((10, 15), (19, 24)), evidence=evidence))
        gold.append(Gold((GoldTriple(place(text, "zelan"), relation, place(text, "mirin")),)))
    one = reader(model, epochs=20)
    one.fit(examples, gold, task="triples", relations=RELATIONS)
    assert [answer.triples[0].relation for answer in one.predict(examples)] == [RELATIONS[i % 2] for i in range(8)]


def test_grade_is_the_log_probability_of_gold(fitted):
    examples, gold = triples_of(ONE)
    right = fitted.grade(examples, gold)
    assert right.shape == (len(ONE),)
    assert right.dtype == np.float32
    assert np.all((right <= 0) & (right > np.log(0.5)))
    turned = [Gold((GoldTriple(g.triples[0].tail, g.triples[0].relation, g.triples[0].head),)) for g in gold]
    assert np.all(fitted.grade(examples, turned) < np.log(0.5))


def test_probabilities_of_all_answers_sum_to_one(fitted):
    text = "zelan raises mirin"
    example = Example(id="x", text=text, mentions=((0, 5), (13, 18)))
    names = fitted._tuned.read([example])[0].texts
    every = [
        Gold((GoldTriple(place(text, head), relation, place(text, tail)),))
        for head in names
        for tail in names
        for relation in RELATIONS
        if head != tail
    ]
    wide = TransformerReader()
    wide._tuned = fitted._tuned
    fitted._tuned.network.kept, before = 64, fitted._tuned.network.kept
    try:
        total = np.exp(wide.grade([example] * len(every), every)).sum()
    finally:
        fitted._tuned.network.kept = before
    assert total == pytest.approx(1, abs=1e-4)


def test_gold_that_no_candidates_make_counts_as_unsayable(fitted):
    text = "zelan lowers mirin"
    gold = [Gold((GoldTriple(Mention("basalt", -1, -1), "LOWERS", place(text, "mirin")),))]
    assert fitted.grade([Example(id="x", text=text)], gold) == pytest.approx([-20])


def test_unreachable_gold_is_counted(model):
    examples, gold = triples_of(ONE)
    gold[0] = Gold((GoldTriple(Mention("basalt", -1, -1), "LOWERS", gold[0].triples[0].tail),))
    one = reader(model, epochs=1)
    one.fit(examples, gold, task="triples", relations=RELATIONS)
    assert one.fitted.missing == 1


def test_asked_mentions_that_the_text_does_not_hold(model):
    examples, gold = pairs_of(ONE)
    hidden = [
        Example(id=e.id, text="effect in rats", pairs=tuple((Mention(a.text, -1, -1), b) for a, b in e.pairs)[:1])
        for e in examples
    ]
    hidden = [
        Example(id=e.id, text=e.text, pairs=tuple((a, Mention(b.text, -1, -1)) for a, b in e.pairs)) for e in hidden
    ]
    one = reader(model, epochs=2)
    one.fit(hidden, gold, task="pairs", relations=RELATIONS)
    assert [len(answer.relations) for answer in one.predict(hidden)] == [1] * len(hidden)


@pytest.mark.parametrize("text", ["", " \n ", "zelan", "…", ", ; .", "basalt granit"])
@pytest.mark.parametrize("task", ["triples", "pairs", "label"])
def test_degenerate_text_gets_an_answer(fitted, model, text, task):
    one = fitted
    if task != "triples":
        one = reader(model, epochs=1)
        examples, gold = pairs_of(ONE)
        gold = [Gold(relations=g.relations, label=i % 2) for i, g in enumerate(gold)]
        one.fit(examples, gold, task=task, relations=RELATIONS)
    [answer] = one.predict([Example(id="x", text=text)])
    assert answer.triples == () or text == "basalt granit"
    assert one.predict([]) == []


def test_an_answer_does_not_depend_on_the_other_examples(fitted):
    examples, gold = triples_of(ONE)
    together = fitted.predict(examples)
    assert [fitted.predict([example])[0] for example in examples] == together
    alone = [fitted.grade([e], [g])[0] for e, g in zip(examples, gold, strict=True)]
    assert fitted.grade(examples, gold) == pytest.approx(alone, abs=1e-4)


def test_the_same_seed_gives_the_same_weights(model):
    def weights(seed):
        one = reader(model, epochs=2, seed=seed, dropout=0.2)
        one.fit(*triples_of(ONE), task="triples", relations=RELATIONS)
        return {name: value.numpy() for name, value in one._tuned.network.state_dict().items()}

    first, again, other = weights(3), weights(3), weights(4)
    assert all(np.array_equal(first[name], again[name]) for name in first)
    assert any(not np.array_equal(first[name], other[name]) for name in first)


def test_fit_leaves_the_random_state_of_torch_alone(model):
    import torch

    before = torch.get_rng_state()
    reader(model, epochs=1).fit(*triples_of(ONE), task="triples", relations=RELATIONS)
    assert torch.equal(before, torch.get_rng_state())


def test_round_trip_on_disk(fitted, tmp_path):
    examples, gold = triples_of(ONE)
    fitted.to_disk(tmp_path / "reader")
    names = {path.name for path in (tmp_path / "reader").rglob("*") if path.is_file()}
    assert {"reader.json", "network.safetensors", "config.json", "tokenizer.json"} <= names
    assert not [name for name in names if name.endswith((".bin", ".pkl", ".pt"))]
    loaded = TransformerReader(threads=1).from_disk(tmp_path / "reader")
    assert loaded.epochs == fitted.epochs
    assert loaded.predict(examples) == fitted.predict(examples)
    assert np.array_equal(loaded.grade(examples, gold), fitted.grade(examples, gold))


def test_a_folder_that_is_no_reader_is_an_error(fitted, tmp_path):
    with pytest.raises(BiochunkError, match="B009"):
        TransformerReader().from_disk(tmp_path)
    fitted.to_disk(tmp_path / "reader")
    (tmp_path / "reader" / "network.safetensors").unlink()
    with pytest.raises(BiochunkError, match="B009"):
        TransformerReader().from_disk(tmp_path / "reader")


def test_long_text_is_counted_and_warned_of(model):
    long = {" ".join(["zelan lowers mirin"] * 10): [("zelan", "LOWERS", "mirin")]}
    one = reader(model, epochs=1, max_pieces=20)
    with pytest.warns(UserWarning, match="1 of 7 sentences are longer than 20 word pieces"):
        one.fit(*triples_of({**ONE, **long}), task="triples", relations=RELATIONS)
    assert one.fitted.cut == 1
    with pytest.warns(UserWarning, match="1 of 1 sentences"):
        one.predict([Example(id="x", text=next(iter(long)))])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        one.predict([Example(id="x", text="zelan lowers mirin")])


@pytest.mark.parametrize(
    "options", [{"epochs": 0}, {"kept": 1}, {"precision": "float8"}, {"max_pieces": 0}, {"batch_size": 0}]
)
def test_a_wrong_option_is_an_error_that_names_it(options):
    with pytest.raises(UsageError, match=next(iter(options))):
        TransformerReader(**options)


def test_what_cannot_be_fitted_is_an_error(model, tmp_path):
    examples, gold = triples_of(ONE)
    with pytest.raises(BiochunkError, match="no examples"):
        reader(model).fit([], [], task="triples", relations=RELATIONS)
    with pytest.raises(BiochunkError, match="one each"):
        reader(model).fit(examples, gold[:-1], task="triples", relations=RELATIONS)
    with pytest.raises(BiochunkError, match="RAISES"):
        reader(model).fit(examples, gold, task="triples", relations=["LOWERS"])
    with pytest.raises(BiochunkError, match="B008"):
        reader(str(tmp_path)).fit(examples, gold, task="triples", relations=RELATIONS)
    with pytest.raises(BiochunkError, match="not fitted"):
        reader(model).predict(examples)


@pytest.mark.parametrize("package", ["torch", "transformers"])
def test_a_missing_package_is_an_error_that_names_the_extra(model, monkeypatch, package):
    import biochunk.biomedrag.readers.transformer.reader as module

    find = module.find_spec
    monkeypatch.setattr(module, "find_spec", lambda name: None if name == package else find(name))
    with pytest.raises(MissingExtraError, match=rf"'{package}'.*biochunk\[experiment\]"):
        reader(model).fit(*triples_of(ONE), task="triples", relations=RELATIONS)


def test_the_module_alone_loads_no_network():
    code = "import sys, biochunk.biomedrag.readers.transformer as t; sys.exit(t.__name__ + '.network' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.slow
def test_the_default_encoder_learns_a_few_sentences():
    one = TransformerReader(epochs=25, batch_size=4, lr=1e-3, threads=1, device="cpu", precision="float32")
    examples, gold = triples_of(ONE)
    one.fit(examples, gold, task="triples", relations=RELATIONS)
    assert [answer.triples for answer in one.predict(examples)] == [(g.triples[0].triple,) for g in gold]

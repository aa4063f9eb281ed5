"""The linear reader on sentences of our own, made from few words so that there is a right answer to learn."""

from dataclasses import replace
from importlib import util
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from biochunk.biomedrag.items import (
    Answer,
    Cue,
    Evidence,
    Example,
    Gold,
    GoldTriple,
    Mention,
    PairAnswer,
    Triple,
)
from biochunk.biomedrag.readers.factories import make_linear_reader
from biochunk.biomedrag.readers.linear import LinearReader
from biochunk.biomedrag.ty import GradedReader, Reseedable
from biochunk.errors import BiochunkError, MissingExtraError

DRUGS = ["aspirin", "curcumin", "metformin", "warfarin", "statin", "zinc", "biotin", "taurine", "quercetin"]
DRUGS += ["caffeine", "menthol", "heparin"]
GENES = ["cox-2", "nf-kb", "ampk", "akt1", "tnf", "mtor", "pparg", "sirt1", "nrf2", "egfr", "trpm8", "bcl-2"]
RELATIONS = ["INHIBITS", "STIMULATES"]
# How a pair is said, its relation, and whether the drug stands first; its gene is the tail.
FORMS = [
    ("{drug} inhibits {gene} in rats.", "INHIBITS", True),
    ("{gene} was inhibited by {drug} in cells.", "INHIBITS", False),
    ("{drug} strongly stimulates {gene}.", "STIMULATES", True),
    ("stimulation of {gene} by {drug} was seen.", "STIMULATES", False),
    ("{drug} and {gene} were both measured.", None, True),
]
Item = tuple[Example, Gold]


def mention(text: str, string: str) -> Mention:
    start = text.find(string)
    return Mention(string, start, start + len(string) if start >= 0 else -1)


def item(form: int, drug: str, gene: str, key: str = "") -> Item:
    """One sentence that asks for its pair."""
    pattern, relation, forward = FORMS[form]
    text = pattern.format(drug=drug, gene=gene)
    one, two = mention(text, drug), mention(text, gene)
    pair = (one, two) if forward else (two, one)
    example = Example(key or text, text, mentions=tuple(sorted((m.start, m.end) for m in pair)), pairs=(pair,))
    if relation is None:
        return example, Gold(relations=(None,))
    return example, Gold((GoldTriple(one, relation, two),), (PairAnswer(relation, forward),))


def corpus(drugs: list[str], genes: list[str], forms: tuple[int, ...] = (0, 1, 2, 3, 4)) -> list[Item]:
    return [item(form, drug, gene) for drug in drugs for gene in genes[::2] for form in forms]


TRAIN = corpus(DRUGS[:8], GENES[:8])
NEW = corpus(DRUGS[8:], GENES[8:])


def fitted(items: list[Item], task: str, seed: int = 0, reader: LinearReader | None = None) -> LinearReader:
    reader = reader or LinearReader(seed=seed)
    examples, gold = zip(*items, strict=True)
    reader.fit(examples, gold, task=task, relations=RELATIONS)  # type: ignore[arg-type]
    return reader


def share_right(reader: LinearReader, items: list[Item]) -> float:
    answers = reader.predict([example for example, _ in items])
    return float(np.mean([a.relations == gold.relations for a, (_, gold) in zip(answers, items, strict=True)]))


@pytest.fixture(scope="module")
def pair_reader() -> LinearReader:
    return fitted(TRAIN, "pairs")


@pytest.fixture(scope="module")
def triple_reader() -> LinearReader:
    return fitted(TRAIN, "triples")


def test_is_a_graded_reader_that_can_be_reseeded():
    reader = make_linear_reader()(seed=3)

    assert isinstance(reader, GradedReader)
    assert isinstance(reader, Reseedable)
    assert reader.seed == 3


@pytest.mark.parametrize("form", range(len(FORMS)))
def test_pairs_learn_relation_direction_and_none(pair_reader: LinearReader, form: int):
    items = [one for one in NEW if one in corpus(DRUGS[8:], GENES[8:], (form,))]

    assert share_right(pair_reader, items) == 1


def test_triples_are_found_in_new_sentences(triple_reader: LinearReader):
    answers = triple_reader.predict([example for example, _ in NEW])

    right = [set(a.triples) == {t.triple for t in gold.triples} for a, (_, gold) in zip(answers, NEW, strict=True)]
    assert np.mean(right) >= 0.9


def test_several_triples_of_one_sentence():
    def several(drug: str, first: str, second: str) -> Item:
        text = f"{drug} inhibits {first} but stimulates {second}."
        one, two, three = (mention(text, string) for string in (drug, first, second))
        triples = (GoldTriple(one, "INHIBITS", two), GoldTriple(one, "STIMULATES", three))
        return Example(text, text, mentions=tuple((m.start, m.end) for m in (one, two, three))), Gold(triples)

    genes = list(pairwise(GENES))
    train = [several(drug, *pair) for drug in DRUGS[:6] for pair in genes[:8]]
    example, gold = several("heparin", *genes[-1])

    [answer] = fitted(train + TRAIN, "triples").predict([example])

    assert set(answer.triples) == {triple.triple for triple in gold.triples}


def test_no_more_triples_than_an_example_of_train_has(triple_reader: LinearReader):
    text = "aspirin inhibits cox-2 in rats. metformin strongly stimulates ampk."
    spans = tuple((m.start, m.end) for m in (mention(text, s) for s in ("aspirin", "cox-2", "metformin", "ampk")))

    [answer] = triple_reader.predict([Example("two", text, mentions=spans)])

    assert len(answer.triples) == 1


def test_mentions_can_be_told_from_padding():
    def padded(drug: str, gene: str, other: str) -> Item:
        text = f"in {other} the  {drug}  inhibits the  {gene}  of {other}."
        one, two = mention(text, drug), mention(text, gene)
        first = mention(text, other)
        spans = tuple(sorted((m.start, m.end) for m in (one, two, first)))
        return Example(text, text, mentions=spans), Gold((GoldTriple(one, "INHIBITS", two),))

    train = [padded(drug, gene, other) for drug in DRUGS[:6] for gene in GENES[:6] for other in DRUGS[6:9]]
    example, gold = padded("zinc", "egfr", "menthol")

    [answer] = fitted(train, "triples").predict([example])

    assert answer.triples == (gold.triples[0].triple,)


def test_words_inside_a_detected_entity_can_be_the_mention():
    def inner(drug: str, gene: str) -> Item:
        text = f"pure {drug} inhibits {gene} activity."
        one, two = mention(text, drug), mention(text, gene)
        spans = ((0, one.end), (two.start, two.end + len(" activity")))
        return Example(text, text, mentions=spans), Gold((GoldTriple(one, "INHIBITS", two),))

    train = [inner(drug, gene) for drug in DRUGS[:8] for gene in GENES[:8]]

    [answer] = fitted(train, "triples").predict([inner("heparin", "egfr")[0]])

    assert answer.triples == (Triple("heparin", "INHIBITS", "egfr"),)


def test_labels():
    def case(drug: str, bad: bool) -> Item:
        text = f"{drug}-induced rash in a child" if bad else f"a child was treated with {drug}"
        return Example(text, text), Gold(label=int(bad))

    reader = fitted([case(drug, bad) for drug in DRUGS[:9] for bad in (True, False)], "label")
    answers = reader.predict([case(drug, bad)[0] for drug in DRUGS[9:] for bad in (True, False)])

    assert [answer.label for answer in answers] == [1, 0] * 3


@pytest.mark.parametrize("hidden", [(0,), (1,), (0, 1)])
def test_pairs_with_hidden_mentions_are_answered_from_the_words(hidden: tuple[int, ...]):
    def hide(one: Item) -> Item:
        example, gold = one
        pair = tuple(Mention(m.text, -1, -1) if i in hidden else m for i, m in enumerate(example.pairs[0]))
        return replace(example, pairs=(pair,), mentions=()), gold  # type: ignore[arg-type]

    reader = fitted([hide(one) for one in TRAIN], "pairs")

    assert share_right(reader, [hide(one) for one in NEW]) >= 0.9


def test_triples_whose_mentions_are_hidden_are_not_learned_from():
    hidden = [
        (example, Gold(tuple(GoldTriple(Mention("zinc", -1, -1), t.relation, t.tail) for t in gold.triples)))
        for example, gold in TRAIN[:10]
    ]

    [answer] = fitted(TRAIN + hidden, "triples").predict([item(0, "heparin", "egfr")[0]])

    assert answer.triples == (Triple("heparin", "INHIBITS", "egfr"),)


@pytest.mark.parametrize("task", ["pairs", "triples"])
def test_the_same_seed_gives_the_same_answers_and_grades(task: str):
    examples, gold = map(list, zip(*NEW, strict=True))
    one, two = fitted(TRAIN, task, seed=5), fitted(TRAIN, task, seed=5)

    assert one.predict(examples) == two.predict(examples)
    assert one.grade(examples, gold).tolist() == two.grade(examples, gold).tolist()


@pytest.mark.parametrize("task", ["pairs", "triples"])
def test_a_reseeded_reader_learns_what_a_new_one_learns(task: str):
    examples, gold = map(list, zip(*NEW, strict=True))
    first = fitted(TRAIN, task, seed=1)
    first.predict(examples)

    reseeded = fitted(TRAIN, task, reader=first.reseeded(2))
    new = fitted(TRAIN, task, seed=2)

    assert reseeded.grade(examples, gold).tolist() == new.grade(examples, gold).tolist()
    assert first.grade(examples, gold).tolist() != new.grade(examples, gold).tolist()


def test_a_reseeded_reader_that_gets_other_examples_forgets_the_first():
    other = [(replace(example, text=example.text + " Again."), gold) for example, gold in TRAIN]
    examples, gold = map(list, zip(*NEW, strict=True))

    reseeded = fitted(other, "pairs", reader=fitted(TRAIN, "pairs").reseeded(0))

    assert reseeded.grade(examples, gold).tolist() == fitted(other, "pairs").grade(examples, gold).tolist()


@pytest.mark.parametrize("task", ["pairs", "triples"])
def test_an_answer_does_not_depend_on_other_examples(task: str, request: pytest.FixtureRequest):
    reader: LinearReader = request.getfixturevalue("pair_reader" if task == "pairs" else "triple_reader")
    examples = [example for example, _ in NEW]

    together = reader.predict(examples)

    assert together == [reader.predict([example])[0] for example in examples]


def test_shuffled_gold_gives_chance_level():
    rng = np.random.default_rng(0)
    order = rng.permutation(len(TRAIN)).tolist()
    shuffled = [
        (example, replace(gold, relations=TRAIN[i][1].relations))
        for (example, gold), i in zip(TRAIN, order, strict=True)
    ]

    assert share_right(fitted(shuffled, "pairs"), NEW) < 0.5


def test_grades_of_all_answers_to_a_pair_are_log_probabilities(pair_reader: LinearReader):
    example, gold = item(1, "heparin", "egfr")
    answers = [None, *(PairAnswer(relation, forward) for relation in RELATIONS for forward in (True, False))]

    grades = pair_reader.grade([example] * 5, [Gold(relations=(answer,)) for answer in answers])

    assert np.exp(grades.astype(np.float64)).sum() == pytest.approx(1, abs=1e-5)
    assert answers[int(grades.argmax())] == gold.relations[0]


def test_the_grade_of_the_gold_triple_is_the_highest(triple_reader: LinearReader):
    example, gold = item(0, "heparin", "egfr")
    [right] = gold.triples
    wrong = [
        GoldTriple(right.head, "STIMULATES", right.tail),
        GoldTriple(right.tail, "INHIBITS", right.head),
        GoldTriple(right.head, "INHIBITS", mention(example.text, "rats")),
        GoldTriple(right.head, "INHIBITS", Mention("nowhere", -1, -1)),
    ]

    grades = triple_reader.grade([example] * 6, [Gold((t,)) for t in (right, *wrong)] + [Gold()])

    assert (grades <= 0).all()
    assert (grades[0] > grades[1:]).all()


def test_evidence_of_the_gold_relation_raises_its_grade():
    def with_evidence(one: Item, relation: str) -> Example:
        return replace(one[0], evidence=(Evidence("a chunk", relation, "r1", 0, 0.5, 0),))

    # The words alone do not tell the relation; the evidence does.
    unclear = [
        (replace(example, text="x y", pairs=((Mention(drug, -1, -1), Mention("tnf", -1, -1)),), mentions=()), gold)
        for drug in DRUGS
        for example, gold in (item(0, drug, "tnf"), item(2, drug, "tnf"))
    ]
    train = [(with_evidence(one, one[1].triples[0].relation), one[1]) for one in unclear]
    reader = fitted(train, "pairs")
    asked = unclear[0]
    right, wrong = RELATIONS

    grades = reader.grade([with_evidence(asked, right), asked[0], with_evidence(asked, wrong)], [asked[1]] * 3)

    assert grades[0] > grades[1] > grades[2]


def test_evidence_is_read_in_its_order(pair_reader: LinearReader):
    chunks = tuple(Evidence("a chunk", relation, "r", i, 0.5, 0) for i, relation in enumerate(RELATIONS))
    train = [
        (replace(example, evidence=chunks if gold.relations[0] else chunks[::-1]), gold) for example, gold in TRAIN
    ]
    reader = fitted(train, "pairs")
    example, gold = item(0, "heparin", "egfr")

    grades = reader.grade([replace(example, evidence=e) for e in (chunks, chunks[::-1])], [gold, gold])

    assert grades[0] > grades[1]


def test_triggers_are_read():
    # The verb is a new one; only its trigger says what it means.
    def cued(verb: str, relation: str, drug: str, gene: str) -> Item:
        text = f"{drug} {verb} {gene}."
        one, two, cue = mention(text, drug), mention(text, gene), mention(text, verb)
        example = Example(text, text, pairs=((one, two),), cues=(Cue(cue.start, cue.end, relation, 1),))
        return example, Gold((GoldTriple(one, relation, two),), (PairAnswer(relation, True),))

    verbs = {"inhibits": "INHIBITS", "blocks": "INHIBITS", "boosts": "STIMULATES", "raises": "STIMULATES"}
    train = [cued(verb, verbs[verb], drug, gene) for verb in verbs for drug in DRUGS[:6] for gene in GENES[:4]]
    new = [cued("quells", "INHIBITS", "zinc", "egfr"), cued("sparks", "STIMULATES", "zinc", "egfr")]

    assert share_right(fitted(train, "pairs"), new) == 1


def test_texts_without_anything_to_answer(pair_reader: LinearReader, triple_reader: LinearReader):
    assert triple_reader.predict([Example("empty", ""), Example("none", "no entity")]) == [Answer(), Answer()]
    assert pair_reader.predict([Example("no pair", "no pair here")]) == [Answer()]
    assert pair_reader.predict([]) == []


@settings(max_examples=50, deadline=None)
@given(st.text(max_size=60), st.data())
def test_any_text_is_answered_from_its_own_characters(triple_reader: LinearReader, text: str, data: st.DataObject):
    place = st.integers(0, len(text))
    spans = data.draw(st.lists(st.tuples(place, place).filter(lambda span: span[0] < span[1]), max_size=4))
    example = Example("any", text, mentions=tuple(sorted(set(spans))))

    [answer] = triple_reader.predict([example])

    assert all(triple.head in text and triple.tail in text for triple in answer.triples)


def test_a_relation_that_is_not_among_the_labels_is_an_error():
    with pytest.raises(BiochunkError, match="found the relation 'INHIBITS', expected one of: STIMULATES"):
        examples, gold = zip(*TRAIN, strict=True)
        LinearReader().fit(examples, gold, task="pairs", relations=["STIMULATES"])


@pytest.mark.parametrize("task", ["pairs", "triples", "label"])
def test_nothing_to_learn_is_an_error(task: str):
    with pytest.raises(BiochunkError, match="nothing in them to learn"):
        LinearReader().fit([], [], task=task, relations=RELATIONS)  # type: ignore[arg-type]


def test_one_example_is_enough_to_learn():
    reader = fitted(TRAIN[:1], "pairs")

    assert share_right(reader, TRAIN[:1]) == 1


def test_asking_before_learning_is_an_error():
    with pytest.raises(BiochunkError, match="expected `fit`"):
        LinearReader().predict([NEW[0][0]])


def test_without_scikit_learn_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch):
    found = util.find_spec
    monkeypatch.setattr(
        "biochunk.biomedrag.readers.linear.reader.find_spec", lambda name: None if name == "sklearn" else found(name)
    )

    with pytest.raises(MissingExtraError, match=r"biochunk\[experiment\]"):
        fitted(TRAIN, "pairs")

import pytest
from tests.biomedrag.handmade import BagOfWords, sentence

from biochunk.biomedrag.leaks import check_gold_blind, check_store, check_train
from biochunk.biomedrag.store import About, build_store, stored_rows
from biochunk.corpora.records import Entity, Record, Triple
from biochunk.errors import BiochunkError

TEXT = "Aspirin blocks COX-1."


def record(key="test-1", split="test", text=TEXT):
    entities = [Entity(id="e1", start=0, end=7, text=text[:7]), Entity(id="e2", start=8, end=12, text=text[8:12])]
    triples = [Triple(head="e1", relation="INHIBITS", tail="e2")]
    return Record(id=key, dataset="x", split=split, text=text, entities=entities, triples=triples, label=1)


def store(text="aspirin  BLOCKS  COX-1 .", split="dev"):
    rows = stored_rows([("INHIBITS", sentence("dev-9", text))])
    return build_store(rows, BagOfWords(["blocks"]), About(split=split))


OTHER = "Warfarin gives bleeding."


def test_a_scored_sentence_in_the_store_is_refused_on_the_clean_view():
    scored = [record("test-0", text=OTHER), record("test-1"), record("test-2")]
    with pytest.raises(BiochunkError, match=r"found 2 scored .* 'test-1'"):
        check_store(store(), scored, split="test", view="clean")


def test_it_is_counted_on_the_published_view():
    assert check_store(store(), [record(text=OTHER), record()], split="test", view="published") == 1


@pytest.mark.parametrize(
    ("built_from", "scored"),
    [(store(split="dev"), record(split="dev")), (store(split="store"), record(split="dev")), (store(OTHER), record())],
)
def test_a_store_of_the_scored_split_and_one_of_other_sentences_pass(built_from, scored):
    assert check_store(built_from, [scored], split=scored.split, view="clean") == 0


def test_what_is_scored_counts_and_not_what_its_records_say():
    with pytest.raises(BiochunkError, match="found 1 scored"):
        check_store(store(split="dev"), [record(split="dev")], split="test", view="clean")


def test_a_scored_sentence_in_train_is_refused_or_counted():
    train = [record("train-1", "train", "aspirin blocks [ COX-1 ]!!")]
    assert check_train(train, [record(), record(text=OTHER)], view="published") == 1
    with pytest.raises(BiochunkError, match=r"1 scored .* in train .*'test-1'"):
        check_train(train, [record()], view="clean")
    assert check_train(train, [record(text=OTHER)], view="clean") == 0


RECORDS = [record("a"), record("b", text="Warfarin gives rise to bleeding.")]


def sees_relation(records):
    return [(r.text, r.triples[0].relation == "INHIBITS" if r.triples else False) for r in records]


def sees_mentions(records):
    return [[e.text for e in r.entities] for r in records]


def sees_count(records):
    return [len(r.triples) for r in records]


def sees_direction(records):
    return [r.triples[0].head if r.triples else "e1" for r in records]


def sees_label(records):
    return [r.label == 1 for r in records]


def sees_marks(records):
    return [r.meta.get("marks") for r in records]


def sees_text(records):
    return [(r.id, r.text.split()) for r in records]


def sees_asked(records):
    return [[sorted(pair) for pair in r.meta.get("pairs") or []] for r in records]


def test_a_function_of_texts_passes():
    check_gold_blind(sees_text, RECORDS)
    check_gold_blind(sees_text, RECORDS, pairs=True)


@pytest.mark.parametrize("arm", [sees_relation, sees_mentions, sees_count, sees_label])
def test_an_arm_that_sees_gold_is_found(arm):
    with pytest.raises(BiochunkError, match=r"2 of 2 results .* 'a'"):
        check_gold_blind(arm, RECORDS)


@pytest.mark.parametrize("arm", [sees_relation, sees_count, sees_direction, sees_label, sees_marks])
def test_an_arm_that_sees_more_than_the_asked_pairs_is_found(arm):
    marked = {"pairs": [["e2", "e1"]], "marks": {"e1": "padding"}}
    with pytest.raises(BiochunkError, match="depend on gold"):
        check_gold_blind(arm, [r.model_copy(update={"meta": marked}) for r in RECORDS], pairs=True)


@pytest.mark.parametrize("pairs", [[["e1", "e2"]], None])
def test_asked_pairs_and_their_mentions_may_be_seen(pairs):
    asked = [r.model_copy(update={"meta": {"pairs": [["e1", "e2"]]}}) for r in RECORDS]
    check_gold_blind(sees_asked, asked, pairs=True)
    check_gold_blind(sees_mentions, asked, pairs=True)


def test_every_record_has_a_result():
    with pytest.raises(BiochunkError, match="one a record"):
        check_gold_blind(lambda records: sees_text(records)[1:], RECORDS)

import numpy as np
import pytest
from tests.biomedrag.handmade import BagOfWords, sentence

from biochunk.biomedrag.index import ExactIndex
from biochunk.biomedrag.retrieval import Retriever
from biochunk.biomedrag.store import About, build_store, stored_rows
from biochunk.errors import BiochunkError, UsageError

# Rows 0 to 5: each has less of "blocks" than the one before.
WORDS = BagOfWords({"blocks": [1, 0], "in": [0, 1], "never": [-1, 0]})
STORED = [
    ("INHIBITS", sentence("s0", "It blocks")),
    ("INHIBITS", sentence("s1", "It blocks blocks blocks in")),
    ("CAUSES", sentence("s2", "It blocks blocks in")),
    ("CAUSES", sentence("s3", "It blocks in")),
    ("TREATS", sentence("s4", "It blocks in in")),
    ("TREATS", sentence("s5", "It in in in")),
]


def retriever(view="text", hubness="none", stored=STORED):
    return Retriever(build_store(stored_rows(stored), WORDS, About(view=view)), WORDS, hubness=hubness)


def rows(found):
    return [item.row for item in found]


def test_nearest_serves_the_nearest_chunks_the_best_first():
    [found] = retriever().retrieve([sentence("q", "x blocks")], k=3)
    assert rows(found) == [0, 1, 2]
    assert (found[2].text, found[2].relation, found[2].record, found[2].piece) == (
        "It blocks blocks in",
        "CAUSES",
        "s2",
        0,
    )
    assert [item.similarity for item in found] == pytest.approx([1, 3 / 10**0.5, 2 / 5**0.5], abs=1e-6)


def test_released_serves_the_fifth_nearest_alone():
    [found] = retriever().retrieve([sentence("q", "x blocks")], pick="released")
    assert rows(found) == [4]


def test_released_serves_the_last_one_of_a_small_store():
    [found] = retriever(stored=STORED[:3]).retrieve([sentence("q", "x blocks")], pick="released")
    assert rows(found) == [2]


@pytest.mark.parametrize("text", ["It blocks", "it  BLOCKS !", "[ It ] blocks"])
@pytest.mark.parametrize("pick", ["nearest", "released"])
def test_a_sentence_never_gets_itself_whatever_its_id_spaces_and_case(text, pick):
    [found] = retriever().retrieve([sentence("another id", text)], k=6, pick=pick)
    assert 0 not in rows(found) and found


def test_a_row_that_a_sentence_shares_with_another_is_not_served_either():
    stored = [*STORED, ("INHIBITS", sentence("s6", "So: It blocks", "It blocks"))]
    [found] = retriever(stored=stored).retrieve([sentence("q", "so it blocks")], k=9)
    assert 0 not in rows(found)


def test_what_pieces_find_is_merged_each_chunk_once_by_its_nearest_piece():
    asking = sentence("q", "x blocks then y in", "x blocks", "y in")
    [found] = retriever().retrieve([asking], k=4)
    assert [(item.row, item.piece) for item in found] == [(0, 0), (5, 1), (1, 0), (2, 0), (4, 1), (3, 0)]


def test_only_the_wanted_pieces_ask():
    asking = sentence("q", "x blocks then y in", "x blocks", "y in")
    [found] = retriever().retrieve([asking], k=1, asking=1)
    assert rows(found) == [0]


def test_a_piece_without_a_known_word_asks_nothing():
    found = retriever().retrieve([sentence("q", "xyz"), sentence("r", "", ""), sentence("s", "in")], k=1)
    assert [rows(items) for items in found] == [[], [], [5]]


def test_frames_make_alike_what_is_said_of_other_things():
    encoder = BagOfWords(["aspirin", "warfarin", "blocks", "causes", "it"])
    stored = [
        ("CAUSES", sentence("a", "aspirin causes it", mentions=["aspirin", "it"])),
        ("INHIBITS", sentence("b", "warfarin blocks", mentions=["warfarin"])),
    ]
    asking = sentence("q", "aspirin it it blocks", mentions=["aspirin", "it it"])
    first = {}
    for view in ("text", "text+frame"):
        own = Retriever(build_store(stored_rows(stored), encoder, About(view=view)), encoder, hubness="none")
        first[view] = own.retrieve([asking], k=1)[0][0].relation
    assert first == {"text": "CAUSES", "text+frame": "INHIBITS"}


def test_evidence_does_not_depend_on_the_other_queries():
    asking = [sentence(f"q{i}", f"x {'blocks ' * i}{'in ' * (7 - i)}") for i in range(8)]
    for hubness in ("none", "centre", "csls"):
        own = retriever(hubness=hubness)
        assert own.retrieve(asking) == [own.retrieve([one])[0] for one in asking]


def test_another_index_can_stand_in():
    class Counting(ExactIndex):
        asked = 0

        def search(self, queries, k, *, exclude=None):
            Counting.asked += len(queries)
            return super().search(queries, k, exclude=exclude)

    store = build_store(stored_rows(STORED), WORDS, About(view="text"))
    Retriever(store, WORDS, index=Counting).retrieve([sentence("q", "x blocks")])
    assert Counting.asked == 1


def test_another_encoder_than_the_stores_is_refused():
    store = build_store(stored_rows(STORED), WORDS, About(view="text"))
    with pytest.raises(BiochunkError, match="encoder"):
        Retriever(store, BagOfWords(["blocks"]), hubness="none").retrieve([sentence("q", "x blocks")])


@pytest.mark.parametrize("wrong", [{"k": 0}, {"asking": 0}])
def test_counts_are_numbers_from_1(wrong):
    with pytest.raises(UsageError, match="from 1"):
        retriever().retrieve([sentence("q", "x blocks")], **wrong)


def test_shuffled_labels_give_chance_level():
    numbers = np.random.default_rng(0)
    words = [f"w{i}" for i in range(60)]
    labels = ["A", "B", "C"]
    # Words 0-19 speak of A, 20-39 of B, 40-59 of C; A is half of the data.
    prior = [0.5, 0.3, 0.2]

    def corpus(name, count):
        for i in range(count):
            label = int(numbers.choice(3, p=prior))
            text = " ".join(words[20 * label + j] for j in numbers.choice(20, 5, replace=False))
            yield labels[label], sentence(f"{name}{i}", f"{text} {name}{i}", text)

    stored, asking = list(corpus("s", 400)), list(corpus("q", 600))
    permuted = [labels_of for labels_of, _ in stored]
    numbers.shuffle(permuted)
    encoder = BagOfWords(words)

    def hit_rate(pairs):
        own = Retriever(build_store(stored_rows(pairs), encoder, About()), encoder)
        found = own.retrieve([one for _, one in asking], k=1)
        return np.mean([items[0].relation == label for (label, _), items in zip(asking, found, strict=True)])

    chance = sum(share**2 for share in prior)
    assert hit_rate(stored) > 0.95
    shuffled = hit_rate([(label, one) for label, (_, one) in zip(permuted, stored, strict=True)])
    # Four standard errors of 600 queries.
    assert abs(shuffled - chance) < 4 * (chance * (1 - chance) / 600) ** 0.5

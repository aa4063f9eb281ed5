"""The parts of the linear reader."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_matrix

from biochunk.biomedrag.items import Cue, Example
from biochunk.biomedrag.readers.linear.decisions import best_factor, best_threshold, log_chances
from biochunk.biomedrag.readers.linear.hashed import Logistic, chances, mixed, number
from biochunk.biomedrag.readers.linear.matrix import Columns, Matrix, gram
from biochunk.biomedrag.readers.linear.ridge import fit_ridge, left_out_scores
from biochunk.biomedrag.readers.linear.text import Text, frame, skeleton, stem

SKELETONS = [
    ("effects of aspirin on zinc, biotin and cox-2 .", ("aspirin", "cox-2"), "effects of <1> on <2> ."),
    ("aspirin, zinc and biotin inhibit cox-2", ("aspirin", "cox-2"), "<1> inhibit <2>"),
    ("aspirin and cox-2 were seen", ("aspirin", "cox-2"), "<1> and <2> were seen"),
    ("cox-2 or zinc blocks aspirin/biotin", ("cox-2", "aspirin"), "<1> blocks <2>"),
    ("aspirin, and zinc, act on cox-2", ("aspirin", "cox-2"), "<1> , act on <2>"),
    ("aspirin acts on the cox-2 of biotin", ("aspirin", "cox-2"), "<1> acts on the <2> of <e>"),
]


def text_of(sentence: str, *mentions: str, cues: tuple[tuple[str, str], ...] = ()) -> Text:
    spans = sorted((sentence.index(m), sentence.index(m) + len(m)) for m in mentions if m in sentence)
    found = tuple(Cue(sentence.index(c), sentence.index(c) + len(c), relation, 1) for c, relation in cues)
    return Text(Example("t", sentence, mentions=tuple(spans), cues=found))


@pytest.mark.parametrize(("sentence", "pair", "expected"), SKELETONS)
def test_a_skeleton_leaves_out_the_other_members_of_coordinations(sentence: str, pair: tuple[str, str], expected: str):
    text = text_of(sentence, "aspirin", "zinc", "biotin", "cox-2")
    one, two = (text.tokens((sentence.index(m), sentence.index(m) + len(m))) for m in pair)

    assert " ".join(skeleton(text, one, two)) == expected


def test_a_trigger_stands_in_a_skeleton_as_its_relation():
    sentence = "aspirin is responsible for rash"
    text = text_of(sentence, "aspirin", "rash", cues=(("responsible for", "CAUSES"),))

    assert skeleton(text, (0, 1), (4, 5)) == ["<1>", "is", "cue CAUSES", "<2>"]


def test_a_skeleton_around_a_hidden_mention():
    text = text_of("aspirin acts on cox-2", "aspirin")

    assert skeleton(text, (0, 1), None) == ["<1>", "acts", "on", "cox", "-", "2"]
    assert skeleton(text, None, None) == []


def test_a_frame_holds_no_content_words():
    text = text_of("the large effect of aspirin on zinc", "aspirin", cues=(("effect", "AFFECTS"),))

    assert frame(text.kinds) == ["cue AFFECTS", "of", "on"]


@pytest.mark.parametrize(
    ("word", "expected"), [("inhibits", "inhibit"), ("inhibition", "inhibit"), ("inhibitor", "inhibit"), ("was", "was")]
)
def test_stems(word: str, expected: str):
    assert stem(word) == expected


@given(st.text(max_size=40), st.data())
def test_tokens_of_a_span_are_those_that_it_touches(sentence: str, data: st.DataObject):
    text = text_of(sentence)
    start = data.draw(st.integers(0, len(sentence)))
    end = data.draw(st.integers(start, len(sentence)))

    first, last = text.tokens((start, end))

    touched = [i for i, (s, e) in enumerate(zip(text.starts, text.ends, strict=True)) if s < end and start < e]
    if start < end:
        assert list(range(first, last)) == touched


def some_rows(seed: int = 0, rows: int = 60, columns: int = 90) -> Matrix:
    rng = np.random.default_rng(seed)
    named = rng.random((rows, columns)) * (rng.random((rows, columns)) < 0.15)
    return Matrix(csr_matrix(named.astype(np.float32)), rng.random((rows, 3)).astype(np.float32))


def test_gram_is_all_inner_products():
    matrix = some_rows()
    dense = np.hstack([matrix.named.toarray(), matrix.vectors])

    assert np.allclose(gram(matrix), dense @ dense.T, atol=1e-5)


def test_scores_of_left_out_groups_are_those_of_fits_without_them():
    matrix = some_rows()
    classes = np.random.default_rng(1).integers(0, 3, 60)
    groups = [str(i // 4) for i in range(60)]
    products = gram(matrix)

    scores = left_out_scores(products, classes, groups, count=3)

    for group in ("0", "7"):
        out = np.array([one == group for one in groups])
        ridge = fit_ridge(matrix, products, np.flatnonzero(~out), classes, count=3)
        assert np.allclose(scores[out], ridge.scores(matrix.take(np.flatnonzero(out))), atol=1e-4)


def test_columns_keep_names_of_two_rows_and_weigh_blocks():
    columns = Columns({"a": 1.0, "b": 0.25})
    blocks = {"a": [["x", "y"], ["x", "z"], ["z"]], "b": [["u"], ["v"], ["u"]]}

    rows = columns.fit(blocks).toarray()

    assert rows.shape == (3, 3)
    assert np.allclose(np.square(rows).sum(axis=1), [1.25, 1.0, 1.25])
    assert (columns.named(blocks).toarray() == rows).all()
    assert not columns.named({"a": [["y", "new"]], "b": [[]]}).toarray().any()


def test_logistic_regression_learns_a_feature_and_a_number():
    rng = np.random.default_rng(0)
    feature, value = rng.integers(0, 2, 200), rng.normal(size=200)
    right = feature + value > 0.5
    model = Logistic(penalty=0.1)
    features, numbers = mixed(1, feature)[:, None], value[:, None].astype(np.float32)

    model.fit(features, right, numbers)

    found = chances(model.scores(features, numbers)) > 0.5
    assert (found == right).mean() > 0.95


def test_hashes_tell_purposes_values_and_their_order_apart():
    one, two = np.array([1, 2, 2]), np.array([2, 1, 1])

    found = {*mixed(1, one, two).tolist(), *mixed(2, one, two).tolist(), *mixed(1, one).tolist()}

    assert len(found) == 6
    assert number("aspirin") == 3416760201


THRESHOLDS = [
    # scores, right, wanted, the answers that should be given
    ([0.9, 0.8, 0.2], [True, True, False], 2, [True, True, False]),
    ([0.9, 0.8, 0.2], [True, False, True], 2, [True, True, True]),
    ([0.9, 0.8, 0.2, 0.1], [True, False, False, False], 3, [True, False, False, False]),
    ([0.5, 0.5, 0.1], [True, False, False], 1, [True, True, False]),
]


@pytest.mark.parametrize(("scores", "right", "wanted", "given"), THRESHOLDS)
def test_the_threshold_has_the_highest_f1(scores: list[float], right: list[bool], wanted: int, given: list[bool]):
    threshold = best_threshold(scores, right, wanted, otherwise=0.0)

    assert [score > threshold for score in scores] == given


@pytest.mark.parametrize(("scores", "right"), [([], []), ([0.3], [False])])
def test_a_threshold_from_nothing(scores: list[float], right: list[bool]):
    assert best_threshold(scores, right, 1, otherwise=-1.0) == -1.0


def test_the_factor_fits_how_often_scores_are_right():
    scores = np.array([[1.0, 0.0]] * 100, dtype=np.float32)

    sure = best_factor(scores, np.zeros(100, dtype=np.intp))
    unsure = best_factor(scores, np.array([0] * 70 + [1] * 30))

    assert sure > unsure
    assert np.exp(log_chances(scores[:1], unsure))[0, 0] == pytest.approx(0.7, abs=0.1)

import numpy as np
import pytest
import spacy
from spacy.tokens import Doc
from spacy.vocab import Vocab

from biochunk.encoders.checks import check_text, check_vectors, flat_spans
from biochunk.errors import BiochunkError


def test_check_vectors_gives_unit_rows():
    found = check_vectors([[3, 4], [0, 0], [1e200, 0]], 3)
    assert found.dtype == np.float32
    assert found == pytest.approx(np.array([[0.6, 0.8], [0, 0], [1, 0]]))


def test_check_vectors_takes_nothing_for_no_texts():
    assert check_vectors([], 0, 5).shape == (0, 5)


@pytest.mark.parametrize(
    ("returned", "message"),
    [
        ([[1.0, 2.0]], r"shape \(1, 2\) for 2 texts, expected shape \(2, 2\)"),
        ([1.0, 2.0], r"shape \(2,\) for 2 texts"),
        ([[1.0], [2.0]], r"shape \(2, 1\) for 2 texts"),
        ([[1.0, np.nan], [0.0, 1.0]], "NaN or infinite values for 2 texts, expected finite values"),
        ([[1.0, np.inf], [0.0, 1.0]], "NaN or infinite"),
    ],
)
def test_check_vectors_refuses_what_is_no_answer(returned, message):
    with pytest.raises(BiochunkError, match=message):
        check_vectors(returned, 2, 2)


def test_check_text_names_the_surrogate():
    check_text("α 💊 \u200b")
    with pytest.raises(BiochunkError, match=r"U\+DC00.*character 2"):
        check_text("ab\udc00")


def test_flat_spans_counts_on_over_docs():
    docs = [Doc(Vocab(), words=words) for words in (["a", "b"], [], ["c", "d", "e"])]
    spans = [np.array([[0, 2]]), np.zeros((0, 2)), [(0, 1), (1, 3)]]
    starts, ends = flat_spans(docs, spans)
    assert starts.tolist() == [0, 2, 3]
    assert ends.tolist() == [2, 3, 5]


def test_entry_points_resolve():
    names = ["static", "sentence_transformers", "spacy_transformer", "vectors"]
    builders = [spacy.registry.misc.get(f"biochunk.{name}_encoder.v1") for name in names]
    assert [builder.__name__ for builder in builders] == [f"make_{name}_encoder" for name in names]

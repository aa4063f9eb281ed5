import multiprocessing
import os
import pickle
import subprocess
import sys
from collections import Counter

import numpy as np
import pytest
import spacy
from hypothesis import given
from hypothesis import strategies as st
from spacy.language import Language
from spacy.tokens import Doc
from spacy.vocab import Vocab

from biochunk.encoders.static import StaticEncoder, make_static_encoder
from biochunk.errors import BiochunkError
from biochunk.ty import Encoder, Serializable, SpanEncoder

# "number" and "agent": spaCy gives these a small symbol number in place of a hash.
WORDS = [
    "aspirin", "inhibits", "cox", "-", "2", "treats", "pain", "in", "##hib", "##ition", "not",
    "number", "agent", "don", "'", "t", "[", "]", "unk", "=", "#", "α", "cafe",
]  # fmt: skip
SOME = st.sampled_from(["Aspirin", "inhibits", "COX", "inhibition", "number", "agent", "zzz", " ", "=", "Café"])
TEXTS = ["pain", "COX not number", "zzz"]


@pytest.fixture(scope="module")
def encoder(tiny_static_encoder):
    return tiny_static_encoder(WORDS)


@pytest.fixture(scope="module")
def vocab():
    return spacy.blank("en").vocab


def whole(docs):
    return [np.array([[0, len(doc)]]) for doc in docs]


def all_spans(doc):
    return np.array([(s, e) for s in range(len(doc)) for e in range(s + 1, len(doc) + 1)]).reshape(-1, 2)


def naive(encoder, words, text):
    """The same cosine from Python integers."""
    table = encoder.table

    def total(texts):
        counts = Counter()
        for word, count in Counter(texts).items():
            for i in table.tokenizer.encode(word.lower(), add_special_tokens=False).ids:
                counts[i] += count
        return [sum(n * table.rows[i, d].item() for i, n in counts.items()) for d in range(encoder.dims)]

    a, b = total(words), total([text])
    dot, inverses = sum(x * y for x, y in zip(a, b, strict=True)), []
    for vector in (a, b):
        norm = float(sum(x * x for x in vector))
        inverses.append(1.0 / np.sqrt(norm) if norm else 0.0)
    return np.float32(dot * inverses[0] * inverses[1])


def test_builder_gives_an_empty_encoder_of_every_protocol():
    encoder = make_static_encoder()
    assert encoder.is_empty
    assert all(isinstance(encoder, protocol) for protocol in (Encoder, SpanEncoder, Serializable))


@pytest.mark.parametrize("use", [lambda e: e.encode(["a"]), lambda e: e.prepare(["a"]), lambda e: e.dims])
def test_empty_encoder_says_how_to_get_a_table(use):
    with pytest.raises(BiochunkError, match=r"B008.*holds no table yet.*biochunk build.*encoder_source"):
        use(StaticEncoder())


def test_encode_gives_unit_rows_and_zero_for_unknown_words(encoder):
    vectors = encoder.encode(["Aspirin inhibits COX-2", "zzz", "", " \n"])
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx([1, 0, 0, 0])


def test_encode_of_nothing_has_the_right_shape(encoder):
    assert encoder.encode([]).shape == (0, 8)


def test_encode_does_not_depend_on_the_number_of_texts(encoder):
    texts = ["aspirin", "inhibits pain", "zzz", "cox - 2"] * 600
    assert np.array_equal(encoder.encode(texts)[-4:], encoder.encode(texts[:4]))


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("INHIBITS", "inhibits"),
        ("Café", "cafe"),
        ("Cafe\u0301", "cafe"),
        ("pa\u200bin", "pain"),
        ("not\u00a0pain", "not pain"),
        ("aspirin\r\npain", "aspirin pain"),
        ("aspirin 💊", "aspirin"),
        ("[UNK]", "[ unk ]"),
        ("aspirin\x00", "aspirin"),
        ("Α", "α"),
    ],
)
def test_encode_reads_odd_text_as_bert_does(encoder, text, same):
    assert encoder.encode([same]).any()
    assert np.array_equal(encoder.encode([text]), encoder.encode([same]))


def test_encode_refuses_a_lone_surrogate(encoder):
    with pytest.raises(BiochunkError, match=r"B005.*U\+D83D.*character 3"):
        encoder.encode(["fine", "ab \ud83d"])


def test_similarities_are_cosines_of_encoded_texts(encoder):
    nlp = spacy.blank("en")
    docs = [nlp("Aspirin inhibits COX - 2."), nlp("Inhibition treats pain")]
    spans = [np.array([[0, 2], [1, 5]]), np.array([[0, 3]])]
    targets = ["pain", "cox not"]
    expected = encoder.encode(["aspirin inhibits", "inhibits cox - 2", "inhibition treats pain"])
    found = encoder.similarities(docs, spans, encoder.prepare(targets))
    assert found.dtype == np.float32
    assert found == pytest.approx(expected @ encoder.encode(targets).T, abs=1e-6)


@given(st.lists(SOME, max_size=9))
def test_similarities_equal_a_naive_computation(encoder, vocab, words):
    doc = Doc(vocab, words=words)
    spans = all_spans(doc)
    found = encoder.similarities([doc], [spans], encoder.prepare(TEXTS))
    expected = [[naive(encoder, words[s:e], text) for text in TEXTS] for s, e in spans]
    assert np.array_equal(found, np.array(expected, dtype=np.float32).reshape(-1, len(TEXTS)))


@given(st.lists(st.lists(SOME, max_size=6), min_size=1, max_size=6), st.randoms(use_true_random=False))
def test_similarities_do_not_depend_on_the_batch(encoder, vocab, texts, random):
    docs = [Doc(vocab, words=words) for words in texts]
    targets = encoder.prepare(TEXTS)
    alone = [encoder.similarities([doc], [all_spans(doc)], targets) for doc in docs]
    order = random.sample(range(len(docs)), len(docs))
    together = encoder.similarities([docs[i] for i in order], [all_spans(docs[i]) for i in order], targets)
    assert together.tobytes() == np.concatenate([alone[i] for i in order]).tobytes()


def test_similarities_of_no_docs_and_of_no_spans(encoder, vocab):
    targets = encoder.prepare(TEXTS)
    docs = [Doc(vocab, words=[]), Doc(vocab, words=["pain"])]
    assert encoder.similarities([], [], targets).shape == (0, 3)
    assert encoder.similarities(docs, [np.zeros((0, 2), dtype=np.intp)] * 2, targets).shape == (0, 3)
    assert encoder.similarities(docs, [np.array([[0, 0]]), np.array([[1, 1]])], targets).tolist() == [[0] * 3] * 2


def test_similarities_with_no_targets(encoder, vocab):
    doc = Doc(vocab, words=["pain"])
    assert encoder.similarities([doc], whole([doc]), encoder.prepare([])).shape == (1, 0)


def test_similarity_of_unknown_words_is_zero(encoder, vocab):
    docs = [Doc(vocab, words=["zzz", " ", "\u200b"])]
    assert encoder.similarities(docs, whole(docs), encoder.prepare(TEXTS)).tolist() == [[0, 0, 0]]


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["number", "Agent"], "number agent"),
        (["##hib"], "##hib"),
        (["[UNK]"], "[unk]"),
        (["don't"], "don't"),
        (["=" * 3000], "=" * 3000),
        (["pain", "cox"] * 2000, "pain cox " * 2000),
    ],
)
def test_similarity_of_a_text_to_itself_is_one(encoder, vocab, words, text):
    docs = [Doc(vocab, words=words)]
    assert encoder.similarities(docs, whole(docs), encoder.prepare([text])).tolist() == [[1.0]]


def test_similarities_of_a_long_doc_are_exact(encoder, vocab):
    words = (["aspirin", "inhibits", "pain", "zzz", "number"] * 20_000)[:100_000]
    doc = Doc(vocab, words=words)
    spans = [(0, 100_000), (17, 99_999), (5, 262), (99_990, 100_000), (2_040, 2_060)]
    found = encoder.similarities([doc], [np.array(spans)], encoder.prepare(TEXTS))
    for (start, end), row in zip(spans, found, strict=True):
        assert row.tolist() == [naive(encoder, words[start:end], text) for text in TEXTS]


@pytest.mark.parametrize("span", [(-1, 1), (0, 3), (2, 1)])
def test_similarities_refuse_a_span_outside_its_doc(encoder, vocab, span):
    docs = [Doc(vocab, words=["pain", "cox"]), Doc(vocab, words=["pain"])]
    with pytest.raises(BiochunkError, match=r"span \(-?\d, \d\) outside its Doc"):
        encoder.similarities(docs, [np.array([span]), np.array([[0, 1]])], encoder.prepare(TEXTS))


def test_similarities_refuse_a_vocabulary_without_lower_case(encoder):
    docs = [Doc(Vocab(), words=["pain"])]
    with pytest.raises(BiochunkError, match=r"B008.*no lower-case forms.*nlp\.vocab"):
        encoder.similarities(docs, whole(docs), encoder.prepare(TEXTS))


def test_similarities_need_spans_for_every_doc(encoder, vocab):
    with pytest.raises(BiochunkError, match="0 arrays of spans for 1 Docs"):
        encoder.similarities([Doc(vocab, words=["pain"])], [], encoder.prepare(TEXTS))


class Scorer:
    """Stands for the chunk selector: puts a Doc's similarities into `user_data`."""

    def __init__(self, encoder):
        self.encoder = encoder
        self.targets = encoder.prepare(TEXTS)

    def __call__(self, doc):
        doc.user_data["row"] = self.encoder.similarities([doc], whole([doc]), self.targets).tobytes()
        return doc


@pytest.mark.parametrize("method", ["fork", pytest.param("spawn", marks=pytest.mark.slow)])
def test_pipe_with_two_processes_gives_the_same_bytes(encoder, method, monkeypatch):
    if method not in multiprocessing.get_all_start_methods():
        pytest.skip(f"this system cannot {method}")
    monkeypatch.setattr(spacy.language, "mp", multiprocessing.get_context(method))
    # Another test may have used a tokenizer's threads, and then each fork warns.
    monkeypatch.setenv("TOKENIZERS_PARALLELISM", "false")
    nlp = spacy.blank("en")
    Language.component("encoders_test_scorer", func=Scorer(encoder))
    nlp.add_pipe("encoders_test_scorer")
    texts = [f"Aspirin-{i} treats {word} inhibition" for i in range(10) for word in ("pain", "zzz", "COX-2")]
    expected = [nlp(text).user_data["row"] for text in texts]
    found = [doc.user_data["row"] for doc in nlp.pipe(texts, n_process=2, batch_size=4)]
    assert found == expected


FORK = """
import os, sys
sys.path.insert(0, sys.argv[1])
from conftest import build_tiny_static_encoder
encoder = build_tiny_static_encoder(["pain", "##s", "cox"])
encoder.encode(["pains of cox-2"] * 100)
if not os.fork():
    encoder.encode(["pains of cox-2"] * 100)
    os._exit(0)
sys.exit(os.waitstatus_to_exitcode(os.wait()[1]))
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
def test_a_fork_after_use_gives_no_warning(pytestconfig):
    environment = {key: value for key, value in os.environ.items() if key != "TOKENIZERS_PARALLELISM"}
    command = [sys.executable, "-c", FORK, str(pytestconfig.rootpath / "tests")]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert "tokenizers" not in done.stderr


def same_scores(encoder, other, vocab):
    docs = [Doc(vocab, words=["Aspirin", "inhibition", "number", "zzz"])]
    return np.array_equal(
        encoder.similarities(docs, [all_spans(docs[0])], encoder.prepare(TEXTS)),
        other.similarities(docs, [all_spans(docs[0])], other.prepare(TEXTS)),
    )


def test_bytes_disk_and_pickle_keep_the_table(encoder, vocab, tmp_path):
    encoder.to_disk(tmp_path / "encoder")
    for other in (
        make_static_encoder().from_bytes(encoder.to_bytes()),
        make_static_encoder().from_disk(tmp_path / "encoder"),
        pickle.loads(pickle.dumps(encoder)),
    ):
        assert other.table.meta == encoder.table.meta
        assert other.to_bytes() == encoder.to_bytes()
        assert same_scores(encoder, other, vocab)


def test_empty_encoder_stays_empty(tmp_path):
    make_static_encoder().to_disk(tmp_path / "encoder")
    assert make_static_encoder().from_disk(tmp_path / "encoder").is_empty
    assert make_static_encoder().from_bytes(make_static_encoder().to_bytes()).is_empty


def test_from_disk_refuses_a_folder_that_is_not_there(tmp_path):
    with pytest.raises(BiochunkError, match=r"B009.*nowhere': no such folder"):
        make_static_encoder().from_disk(tmp_path / "nowhere")


def test_from_disk_refuses_a_folder_without_a_table(tmp_path):
    with pytest.raises(BiochunkError, match=rf"{tmp_path}.*has no table.safetensors, tokenizer.json, meta.json"):
        make_static_encoder().from_disk(tmp_path)


def test_an_empty_encoder_saved_over_a_table_is_empty(encoder, tmp_path):
    encoder.to_disk(tmp_path)
    make_static_encoder().to_disk(tmp_path)
    assert make_static_encoder().from_disk(tmp_path).is_empty

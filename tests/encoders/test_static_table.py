import json

import numpy as np
import pytest
import safetensors.numpy
from tokenizers import Tokenizer
from tokenizers.models import BPE, WordPiece
from tokenizers.normalizers import BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer
from tokenizers.processors import TemplateProcessing

from biochunk.encoders.static_table import build_table, read_table, whole_words, write_table
from biochunk.errors import BiochunkError

PIECES = ["[UNK]", "[CLS]", "pain", "##ing", "in", "Pain", "#", "co-x"]


def tokenizer():
    made = Tokenizer(WordPiece({piece: i for i, piece in enumerate(PIECES)}, unk_token="[UNK]"))
    made.normalizer = BertNormalizer(lowercase=True)
    made.pre_tokenizer = BertPreTokenizer()
    return made


def table():
    return build_table(np.arange(len(PIECES) * 2, dtype=float).reshape(-1, 2), tokenizer(), "test")


def test_build_table_uses_the_whole_range():
    rows = table().rows
    assert rows.dtype == np.int16
    assert rows[-1].tolist() == [955, 1023]  # 14 and 15 of at most 15


def test_build_table_takes_zero_vectors():
    assert not build_table(np.zeros((len(PIECES), 3)), tokenizer(), "test").rows.any()


def test_build_table_drops_special_tokens_and_limits_of_the_tokenizer():
    made = tokenizer()
    made.add_special_tokens(["[CLS]"])
    made.enable_truncation(3)
    made.enable_padding(length=3)
    made.post_processor = TemplateProcessing(single="[CLS] $A", special_tokens=[("[CLS]", 1)])
    built = build_table(np.ones((len(PIECES), 2)), made, "test")
    assert built.tokenizer.encode("in").tokens == ["in"]
    assert built.tokenizer.encode("in in in in pain [CLS]").tokens == [*["in"] * 4, "pain", *["[UNK]"] * 3]


def test_whole_words_are_pieces_that_the_tokenizer_gives_for_themselves():
    assert [PIECES[i] for i in whole_words(tokenizer())] == ["pain", "in", "#"]


def test_build_table_refuses_the_wrong_number_of_vectors():
    with pytest.raises(BiochunkError, match=r"shape \(3, 2\).*one row for each of 8 pieces"):
        build_table(np.ones((3, 2)), tokenizer(), "test")


def test_build_table_refuses_nan():
    with pytest.raises(BiochunkError, match="NaN"):
        build_table(np.full((len(PIECES), 2), np.nan), tokenizer(), "test")


def test_build_table_refuses_another_kind_of_tokenizer():
    with pytest.raises(BiochunkError, match=r"another kind.*WordPiece"):
        build_table(np.ones((1, 2)), Tokenizer(BPE({"a": 0}, [])), "test")


def test_read_table_takes_what_write_table_gave():
    read = read_table(write_table(table()))
    assert np.array_equal(read.rows, table().rows)
    assert np.array_equal(read.keys, table().keys)
    assert np.array_equal(read.pieces, table().pieces)
    assert read.meta == {"schema": 1, "source": "test", "scale": 15 / 1023, "dims": 2}


def test_write_table_gives_the_same_bytes_each_time():
    assert write_table(table()) == write_table(read_table(write_table(table())))


def other_rows():
    shorter = {piece: i for i, piece in enumerate(PIECES[:-1])}
    made = json.loads(tokenizer().to_str())
    made["model"]["vocab"] = shorter
    return json.dumps(made).encode()


def save(**tensors):
    return safetensors.numpy.save(tensors)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("meta.json", None, "has no meta.json"),
        ("meta.json", b"{", "broken file"),
        ("meta.json", b"[]", r"table schema \[\]. Expected schema 1"),
        ("meta.json", b'{"schema": 2}', "schema 2. Expected schema 1; build the pipeline again"),
        ("table.safetensors", b"abc", "broken file"),
        (
            "table.safetensors",
            save(rows=np.full((8, 2), 1024, np.int16), words=np.zeros(1, np.int32)),
            "out of range",
        ),
        (
            "table.safetensors",
            save(rows=np.zeros((8, 2), np.int16), words=np.full(1, 8, np.int32)),
            "out of range",
        ),
        ("table.safetensors", save(rows=np.zeros((8, 2), np.int16)), "does not fit its tokenizer"),
        ("tokenizer.json", b"\xff", "broken file"),
        ("tokenizer.json", b"{}", "broken tokenizer"),
        ("tokenizer.json", other_rows(), "does not fit its tokenizer"),
    ],
)
def test_read_table_says_which_file_is_wrong(name, content, message):
    saved = write_table(table())
    if content is None:
        del saved[name]
    else:
        saved[name] = content
    with pytest.raises(BiochunkError, match=rf"the folder.*{message}"):
        read_table(saved, "the folder")

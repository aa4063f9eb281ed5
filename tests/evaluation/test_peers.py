"""Chunkers of other packages, where they are installed."""

import sys

import pytest

from biochunk.errors import BiochunkError, MissingExtraError
from biochunk.evaluation.equal_words import at_mean_words
from biochunk.evaluation.passages import index_size
from biochunk.evaluation.peers import PEERS, located

MODULES = {"langchain-recursive": "langchain_text_splitters", "chonkie-recursive": "chonkie"}
TEXT = "Aspirin (100 mg), given daily,  reduced COX-2; in mice, however, COX-2 was not\tchanged by aspirin."


@pytest.mark.parametrize("name", list(PEERS))
@pytest.mark.parametrize("size", [1, 4, 20, 500])
def test_chunks_hold_the_whole_text_in_order(name, size):
    pytest.importorskip(MODULES[name])
    spans = PEERS[name](size)(TEXT)
    assert spans == sorted(spans)
    assert "".join(TEXT[a:b] for a, b in spans).replace(" ", "").replace("\t", "") == TEXT.replace(" ", "").replace(
        "\t", ""
    )


@pytest.mark.parametrize("name", list(PEERS))
def test_a_larger_size_makes_longer_chunks(name):
    pytest.importorskip(MODULES[name])
    counts = [len(PEERS[name](size)(TEXT)) for size in (4, 20, 500)]
    assert counts == sorted(counts, reverse=True)
    assert counts[0] > counts[-1] == 1


@pytest.mark.parametrize("name", list(PEERS))
def test_a_wanted_mean_is_met(name):
    pytest.importorskip(MODULES[name])
    texts = {str(i): f"Study {i}: " + TEXT[: 40 + i] for i in range(40)}
    size = index_size(at_mean_words(texts, PEERS[name], 4.2, name=name), len(texts))
    assert abs(size.words_per_passage / 4.2 - 1) <= 0.03


@pytest.mark.parametrize("name", list(PEERS))
def test_a_missing_package_names_the_extra(name, monkeypatch):
    monkeypatch.setitem(sys.modules, MODULES[name], None)
    with pytest.raises(MissingExtraError, match=r"biochunk\[peers\]"):
        PEERS[name](5)


def test_equal_chunks_are_found_one_after_the_other():
    assert located("ab ab  ab", ["ab ", "", " ab", "ab"]) == [(0, 2), (3, 5), (7, 9)]


def test_a_chunk_that_is_not_what_follows_is_an_error():
    with pytest.raises(BiochunkError, match="found the chunk 'c', expected what follows in the sentence: 'b'"):
        located("a b c", ["a", "c"])

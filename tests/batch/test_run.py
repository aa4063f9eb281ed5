"""Blocks through a pipeline: `biochunk.batch.run.Chunker`."""

import json
from collections.abc import Iterable, Iterator
from typing import Any

import pytest
from spacy.language import Language
from spacy.tokens import Doc
from tests.pipeline.conftest import COMPONENTS, build, dataset

from biochunk.batch.lines import Line
from biochunk.batch.run import Chunker, Settings

SETTINGS = Settings("text", "text", None, 4)


@Language.component("test_refuses")
def refuses(doc: Doc) -> Doc:
    """Fails on a text with the word FAIL."""
    if "FAIL" in doc.text:
        raise ValueError("this text\nis refused")
    return doc


class BatchPipe:
    """Gives up a whole batch for one bad text, as trainable components do; or drops it without a word."""

    name = "test_batch"

    def __init__(self, silent: bool) -> None:
        self.silent = silent
        self.handler: Any = None

    def set_error_handler(self, handler: Any) -> None:
        self.handler = handler

    def get_error_handler(self) -> Any:
        return self.handler

    def __call__(self, doc: Doc) -> Doc:
        return doc

    def pipe(self, stream: Iterable[Doc], *, batch_size: int) -> Iterator[Doc]:
        docs = list(stream)
        if not any("FAIL" in doc.text for doc in docs):
            yield from docs
        elif not self.silent:
            self.handler(self.name, self, docs, ValueError("bad batch"))


@Language.factory("test_batch", default_config={"silent": False})
def make_batch_pipe(nlp: Language, name: str, silent: bool) -> BatchPipe:
    return BatchPipe(silent)


@pytest.fixture
def nlp() -> Language:
    """A pipeline of its own for each test, as a Chunker changes its error handler."""
    return build(COMPONENTS, dataset(), False, {})


def block(*texts: str) -> list[Line]:
    return [Line(i, text.encode(), len(text) + 1) for i, text in enumerate(texts, 1)]


def test_run_one_outcome_a_line(nlp: Language) -> None:
    outcomes = Chunker(nlp, SETTINGS).run(block("Aspirin inhibits COX-2.", "", "a"))
    assert [bool(outcome.record) for outcome in outcomes] == [True, False, True]
    assert [outcome.chunks for outcome in outcomes] == [
        len(json.loads(outcome.record)["chunks"]) if outcome.record else 0 for outcome in outcomes
    ]
    assert not any(outcome.error for outcome in outcomes)


def test_run_failing_component_costs_its_text_only(nlp: Language) -> None:
    nlp.add_pipe("test_refuses", first=True)
    outcomes = Chunker(nlp, SETTINGS).run(block("a", "FAIL", "b", "c", "d", "FAIL e"))
    expected = "component 'test_refuses' failed: this text is refused"
    assert [outcome.error for outcome in outcomes] == ["", expected, "", "", "", expected]
    assert [bool(outcome.record) for outcome in outcomes] == [True, False, True, True, True, False]


def test_run_first_error_of_a_text_is_reported(nlp: Language, monkeypatch: pytest.MonkeyPatch) -> None:
    # Components of ours report an error and hand the Doc on; the next ones then miss a span group.
    def find(doc: Doc) -> None:
        raise ValueError("no entities today")

    monkeypatch.setattr(nlp.get_pipe("bio_entity_spans"), "find", find)
    (outcome,) = Chunker(nlp, SETTINGS).run(block("a"))
    assert outcome.error == "component 'bio_entity_spans' failed: no entities today"
    assert not outcome.record


def test_run_failing_batch_is_tried_text_by_text(nlp: Language) -> None:
    nlp.add_pipe("test_batch", last=True)
    outcomes = Chunker(nlp, SETTINGS).run(block("a", "FAIL", "b"))
    assert [outcome.error for outcome in outcomes] == ["", "component 'test_batch' failed: bad batch", ""]
    assert [bool(outcome.record) for outcome in outcomes] == [True, False, True]


def test_run_silently_dropped_text_is_an_error(nlp: Language) -> None:
    nlp.add_pipe("test_batch", last=True, config={"silent": True})
    outcomes = Chunker(nlp, SETTINGS).run(block("a", "FAIL"))
    assert [outcome.error for outcome in outcomes] == ["", "no component says why, but one dropped the text"]


def test_run_failing_tokenizer_costs_its_text_only(nlp: Language, monkeypatch: pytest.MonkeyPatch) -> None:
    tokenizer = nlp.tokenizer

    def tokenize(text: str) -> Doc:
        if text == "FAIL":
            raise ValueError("no tokens")
        return tokenizer(text)

    monkeypatch.setattr(nlp, "tokenizer", tokenize)
    outcomes = Chunker(nlp, SETTINGS).run(block("a", "FAIL", "b"))
    assert [outcome.error for outcome in outcomes] == ["", "the tokenizer failed: no tokens", ""]


def test_run_vocabulary_does_not_grow(nlp: Language) -> None:
    chunker = Chunker(nlp, SETTINGS)
    chunker.run(block("Aspirin inhibits COX-2."))
    before = len(nlp.vocab.strings)
    chunker.run(block(*(f"Newword{i} inhibits otherword{i}." for i in range(50))))
    assert len(nlp.vocab.strings) == before


def test_run_outcome_does_not_depend_on_the_block(nlp: Language) -> None:
    texts = ["Aspirin inhibits COX-2.", "Metformin reduces pain.", "The treatment of pain with aspirin."]
    chunker = Chunker(nlp, SETTINGS)
    together = chunker.run(block(*texts))
    alone = [chunker.run([line])[0] for line in block(*texts)]
    assert together == alone

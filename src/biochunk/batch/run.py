"""A block of lines through a pipeline: records in order, and the reason of every failure."""

import json
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from spacy.language import Language
from spacy.tokens import Doc

from ..extensions import TARGET_RELATION
from .lines import Line
from .records import to_record
from .texts import BadLineError, Format, Text, parse_line


class Settings(NamedTuple):
    """How lines are read and texts are worked on.

    format (Format): "jsonl" or "text".
    text_key (str): Key of the text in a JSON object.
    relation (str | None): Relation that chunks are ranked against; None: the pipeline's own choice.
    batch_size (int): Texts that a component gets at a time.
    """

    format: Format
    text_key: str
    relation: str | None
    batch_size: int


class Outcome(NamedTuple):
    """What became of one line; all fields empty where it was blank.

    record (str): The record as JSON, without the line end.
    chunks (int): How many chunks it has.
    error (str): Why there is no record.
    """

    record: str = ""
    chunks: int = 0
    error: str = ""


class Chunker:
    """Works on blocks of lines with one pipeline, whose error handler it takes over.

    nlp (Language): The pipeline.
    settings (Settings): How it is used.
    """

    def __init__(self, nlp: Language, settings: Settings) -> None:
        self.nlp = nlp
        self.settings = settings
        self._errors: dict[int, str] = {}
        # spaCy's annotation wants a handler that raises, its documentation offers ones that return.
        nlp.set_error_handler(self._on_error)  # type: ignore[arg-type]

    def run(self, block: Iterable[Line]) -> list[Outcome]:
        """What becomes of each line of a block, in order.

        block (Iterable[Line]): The lines; so many as their Docs fit into memory.
        """
        settings = self.settings
        outcomes: list[Outcome] = []
        texts: dict[int, Text] = {}
        for place, line in enumerate(block):
            try:
                text = parse_line(line, settings.format, settings.text_key, self.nlp.max_length)
            except BadLineError as error:
                outcomes.append(Outcome(error=str(error)))
                continue
            outcomes.append(Outcome())
            if text is not None:
                texts[place] = text
        # What a Doc adds to the vocabulary is freed at the end, so that memory does not grow with the input.
        with self.nlp.memory_zone():
            for place, outcome in self._run_texts(texts).items():
                outcomes[place] = outcome
        return outcomes

    def _run_texts(self, texts: dict[int, Text]) -> dict[int, Outcome]:
        found, errors = self._pipe(texts)
        # A component that works on batches gives up a whole batch for one bad text: each again by itself.
        for place in texts.keys() - found.keys() if len(texts) > 1 else ():
            alone, error = self._pipe({place: texts[place]})
            found |= alone
            errors |= error
        failed = {
            place: Outcome(error=errors.get(place, "no component says why, but one dropped the text"))
            for place in texts.keys() - found.keys()
        }
        return found | failed

    def _pipe(self, texts: dict[int, Text]) -> tuple[dict[int, Outcome], dict[int, str]]:
        """Outcomes of the texts that got through, and errors of the others, by place."""
        errors: dict[int, str] = {}
        self._errors = errors
        outcomes = {}
        docs = self.nlp.pipe(self._docs(texts), as_tuples=True, batch_size=self.settings.batch_size)
        for doc, place in docs:
            # A component may report an error and still hand the Doc on.
            if place not in errors:
                outcomes[place] = _to_outcome(doc, texts[place])
        return outcomes, errors

    def _docs(self, texts: dict[int, Text]) -> Iterator[tuple[Doc, int]]:
        for place, text in texts.items():
            try:
                doc = self.nlp.make_doc(text.text)
            except Exception as error:
                self._errors[place] = _in_one_line("the tokenizer", error)
                continue
            if self.settings.relation is not None:
                doc._.set(TARGET_RELATION, self.settings.relation)
            yield doc, place

    def _on_error(self, name: str, component: Any, docs: list[Doc], error: Exception) -> None:
        for doc in docs:
            # The first error is the cause; later components stumble over what it left undone.
            self._errors.setdefault(doc._context, _in_one_line(f"component '{name}'", error))


def _to_outcome(doc: Doc, text: Text) -> Outcome:
    record = to_record(doc, text)
    return Outcome(json.dumps(record, ensure_ascii=False, allow_nan=False), len(record["chunks"]))


def _in_one_line(where: str, error: Exception) -> str:
    return f"{where} failed: {' '.join(str(error).split()) or type(error).__name__}"

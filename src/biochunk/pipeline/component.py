"""What the five components share: knowledge from a dataset, kept as JSON in a saved pipeline, and span scores."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import srsly
from spacy import util
from spacy.language import Language
from spacy.pipeline.pipe import Pipe
from spacy.scorer import PRFScore
from spacy.tokens import Doc
from spacy.training import Example

from ..errors import BiochunkError, Errors, OptionError
from ..extensions import install_extensions
from ..schemas import Dataset, check_dataset
from ..spans import register_ids

_BATCH_TOKENS = 1024


class KnowledgePipe(Pipe):
    """A component that works from its share of a dataset file.

    A subclass says which part of a dataset it needs (`_take_dataset`, plain JSON) and builds its tables from that part
    (`_use_knowledge`). The part is what a saved pipeline holds, so that it needs no file beside it.

    nlp (Language): The pipeline; its vocabulary and tokenizer are kept, so that phrases are cut as its texts are.
    name (str): Name in the pipeline.
    """

    def __init__(self, nlp: Language, name: str) -> None:
        self.vocab = nlp.vocab
        self.tokenizer: Any = nlp.tokenizer
        self.name = name
        self.knowledge: dict[str, Any] | None = None
        register_ids(nlp.vocab)
        install_extensions()

    def check_options(self, *checks: tuple[str, Any, bool, str]) -> None:
        """Refuse wrong options. checks: name, value, whether it is right, and what is expected.

        RAISES (OptionError): For the first wrong one.
        """
        for option, found, right, expected in checks:
            if not right:
                raise OptionError(self.name, option, str(found), expected)

    def _take_dataset(self, dataset: Dataset) -> dict[str, Any]:
        raise NotImplementedError

    def _use_knowledge(self, knowledge: dict[str, Any]) -> None:
        raise NotImplementedError

    def find(self, doc: Doc) -> Any:
        raise NotImplementedError

    def set_annotations(self, doc: Doc, found: Any) -> None:
        raise NotImplementedError

    def __call__(self, doc: Doc) -> Doc:
        """Find and write; an error goes to the pipeline's error handler."""
        try:
            self.set_annotations(doc, self.find(doc))
        except Exception as error:
            self.get_error_handler()(self.name, self, [doc], error)
        return doc

    def pipe(self, stream: Iterable[Doc], *, batch_size: int = 256) -> Iterator[Doc]:
        """Apply the component to a stream of Docs, a batch at a time.

        stream (Iterable[Doc]): The Docs.
        batch_size (int): Most Docs in a batch; see `batches`.
        """
        for docs in batches(stream, batch_size):
            failed: list[int] = []
            for i, doc in enumerate(docs):
                try:
                    self.set_annotations(doc, self.find(doc))
                except Exception as error:
                    self.get_error_handler()(self.name, self, [doc], error)
                    failed.append(i)
            yield from (doc for i, doc in enumerate(docs) if i not in failed) if failed else docs

    def initialize(
        self,
        get_examples: Callable[[], Iterable[Example]] | None = None,
        *,
        nlp: Language | None = None,
        dataset: Any = None,
    ) -> None:
        """Take the component's knowledge from a dataset.

        get_examples: Not used; part of spaCy's signature.
        nlp (Language): Not used; part of spaCy's signature.
        dataset (Dataset | dict): The dataset, usually `{"@readers": "biochunk.dataset.v1", "path": FILE}`.
        RAISES (BiochunkError): When no dataset is given, or a wrong one.
        """
        if dataset is None:
            raise BiochunkError(Errors.E002.format(name=self.name))
        if not isinstance(dataset, Dataset):
            dataset = check_dataset(dataset, f"[initialize.components.{self.name}] dataset")
        self.set_knowledge(self._take_dataset(dataset))

    def set_knowledge(self, knowledge: dict[str, Any]) -> None:
        """Replace the component's knowledge by a part in the form of `to_disk`."""
        self._use_knowledge(knowledge)
        self.knowledge = knowledge

    def require_knowledge(self) -> None:
        if self.knowledge is None:
            raise BiochunkError(Errors.E002.format(name=self.name))

    def require_group(self, doc: Doc, group: str, factory: str) -> None:
        if group not in doc.spans:
            raise BiochunkError(Errors.E004.format(name=self.name, group=group, factory=factory))

    def _serializers(self) -> dict[str, Any]:
        """Name → object with to_bytes/from_bytes/to_disk/from_disk, beside the knowledge."""
        return {}

    def to_bytes(self, *, exclude: Iterable[str] = ()) -> bytes:
        """Serialize to bytes. exclude (Iterable[str]): Parts to leave out ("knowledge", …)."""
        parts = {"knowledge": lambda: srsly.json_dumps(self.knowledge).encode()}
        parts |= {name: part.to_bytes for name, part in self._serializers().items()}
        return util.to_bytes(parts, exclude)

    def from_bytes(self, data: bytes, *, exclude: Iterable[str] = ()) -> "KnowledgePipe":
        """Load from bytes. exclude (Iterable[str]): Parts to leave out."""
        loaded: dict[str, Any] = {}
        parts: dict[str, Any] = {"knowledge": lambda b: loaded.update(knowledge=srsly.json_loads(b.decode()))}
        parts |= {name: part.from_bytes for name, part in self._serializers().items()}
        util.from_bytes(data, parts, exclude)
        self._load(loaded)
        return self

    def to_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> None:
        """Save to a folder. exclude (Iterable[str]): Parts to leave out."""
        parts: dict[str, Any] = {"knowledge": lambda p: srsly.write_json(p.with_suffix(".json"), self.knowledge)}
        parts |= {name: part.to_disk for name, part in self._serializers().items()}
        util.to_disk(util.ensure_path(path), parts, exclude)

    def from_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> "KnowledgePipe":
        """Load from a folder. exclude (Iterable[str]): Parts to leave out."""
        loaded: dict[str, Any] = {}
        parts: dict[str, Any] = {
            "knowledge": lambda p: loaded.update(knowledge=srsly.read_json(p.with_suffix(".json")))
        }
        parts |= {name: part.from_disk for name, part in self._serializers().items()}
        util.from_disk(util.ensure_path(path), parts, exclude)
        self._load(loaded)
        return self

    def _load(self, loaded: dict[str, Any]) -> None:
        if loaded.get("knowledge") is not None:
            self.set_knowledge(loaded["knowledge"])


def batches(stream: Iterable[Doc], size: int) -> Iterator[list[Doc]]:
    """Docs in batches that end at `size` Docs or about a thousand tokens, whichever comes first.

    One component then works on some thirty sentences before the next one does: what it uses stays in the processor's
    cache. Larger batches leave it, and one long Doc costs no more memory than many short ones.
    """
    docs: list[Doc] = []
    tokens = 0
    for doc in stream:
        docs.append(doc)
        tokens += len(doc)
        if len(docs) >= size or tokens >= _BATCH_TOKENS:
            yield docs
            docs, tokens = [], 0
    if docs:
        yield docs


def score_sets(pairs: Iterable[tuple[set[Any], set[Any]]], prefix: str) -> dict[str, float | None]:
    """Micro precision, recall and F1 over (gold, predicted) sets, one pair an example; missed gold counts as missed.

    RETURNS (dict): "<prefix>_p", "<prefix>_r", "<prefix>_f"; None where no example holds gold.
    """
    total = PRFScore()
    any_gold = False
    for gold, predicted in pairs:
        any_gold = any_gold or bool(gold)
        total.tp += len(gold & predicted)
        total.fp += len(predicted - gold)
        total.fn += len(gold - predicted)
    if not any_gold:
        return {f"{prefix}_{key}": None for key in "prf"}
    return {f"{prefix}_p": total.precision, f"{prefix}_r": total.recall, f"{prefix}_f": total.fscore}


def span_set(doc: Doc, group: str) -> set[tuple[int, int, str]]:
    """(start_char, end_char, label) of each span of a group."""
    return {(s.start_char, s.end_char, s.label_) for s in doc.spans[group]} if group in doc.spans else set()

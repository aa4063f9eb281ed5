"""Another spaCy pipeline as a finder of mentions, carried inside a component."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import srsly
from confection import Config
from spacy import util
from spacy.language import Language
from spacy.tokens import Doc

from ..errors import OptionError
from ..spans import Found
from .mention_group import labelled_mentions
from .spacy_load import is_pipeline_name, load_spacy

RULE = "ner"


class Recogniser:
    """A spaCy pipeline whose entities are mentions; loaded when it is first needed, saved inside its owner.

    owner (str): Name of the component that has it, for errors.
    option (str): The option that names it.
    source (str): Name or path of the pipeline.
    """

    def __init__(self, owner: str, option: str, source: str) -> None:
        self.owner = owner
        self.option = option
        self.source = source
        self.nlp: Language | None = None

    @property
    def name(self) -> str:
        """What the pipeline calls itself: "en_biochunk_ner"; before it is loaded, the source."""
        return self.source if self.nlp is None else "{lang}_{name}".format(**self.nlp.meta)

    def load(self) -> Language:
        """The pipeline.

        RAISES (OptionError): When there is none of that name.
        RAISES (BiochunkError): When it cannot be loaded.
        """
        if self.nlp is None:
            if not is_pipeline_name(self.source):
                expected = "the name or path of an installed spaCy pipeline"
                if self.option == "source":
                    expected = (
                        f"'rules', 'ents', 'paper', 'gazetteer', 'ner', some of them joined by '+', or {expected}"
                    )
                raise OptionError(self.owner, self.option, repr(self.source), expected)
            self.nlp = load_spacy(self.source)
        return self.nlp

    def find(self, docs: Sequence[Doc]) -> list[list[Found]]:
        """Mentions of each Doc, of a pipeline that may cut text to other tokens: see `labelled_mentions`."""
        nlp = self.load()
        name = self.name
        return [
            [
                (span.start, span.end, label or "ENTITY", {"rule": RULE, "source": name})
                for span, label in _project(read, doc)
            ]
            for doc, read in zip(docs, nlp.pipe(doc.text for doc in docs), strict=True)
        ]

    def to_bytes(self) -> bytes:
        """The whole pipeline, config and weights."""
        nlp = self.load()
        return srsly.msgpack_dumps({"config": nlp.config.to_str(), "data": nlp.to_bytes()})

    def from_bytes(self, data: bytes) -> None:
        """Load what `to_bytes` gave."""
        loaded = srsly.msgpack_loads(data)
        nlp = util.load_model_from_config(Config().from_str(loaded["config"], interpolate=False))
        self.nlp = nlp.from_bytes(loaded["data"])

    def to_disk(self, path: Path) -> None:
        """Save the whole pipeline to a folder."""
        self.load().to_disk(path)

    def from_disk(self, path: Path) -> None:
        """Load what `to_disk` saved."""
        self.nlp = load_spacy(path)


def _project(source: Doc, target: Doc) -> list[tuple[Any, str]]:
    """Mentions of a Doc as spans of another Doc of the same text, whose tokens may differ.

    Growing to the target's token borders can make two mentions meet; the longest then stays.
    """
    found = {}
    for start, end, label in labelled_mentions(source):
        span = target.char_span(start, end, label=label, alignment_mode="expand")
        if span is not None:
            found[span.start, span.end] = span
    return [(span, span.label_) for span in util.filter_spans(found.values())]

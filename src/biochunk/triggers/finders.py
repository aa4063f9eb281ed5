"""Pipelines without an encoder, straight from a dataset: what triggers fire, and what they join."""

from collections.abc import Iterable, Sequence

import spacy
from spacy.language import Language
from spacy.tokens import Doc

from ..pipeline.component import KnowledgePipe
from ..schemas import Dataset
from ..spans import TRIGGERS, read_group
from ..tokenizer import make_tokenizer

TAGGER = ("trigger_tagger",)
PROPOSITIONS = ("bio_entity_spans", "trigger_tagger", "proposition_extractor", "relation_resolver")


def make_finder(dataset: Dataset, factories: Iterable[str] = PROPOSITIONS) -> Language:
    """A pipeline in memory with a dataset's knowledge and its parameters.

    dataset (Dataset): The dataset.
    factories (Iterable[str]): Names of components that need no encoder, in order.
    """
    nlp = _blank()
    parameters = dataset.parameters.model_dump(exclude_none=True)
    for factory in factories:
        pipe = nlp.add_pipe(factory, config=parameters.get(factory, {}))
        if isinstance(pipe, KnowledgePipe):
            pipe.initialize(dataset=dataset)
    return nlp


class Words:
    """Cuts texts into words as the pipelines do, without white space."""

    def __init__(self) -> None:
        self._tokenizer = _blank().tokenizer

    def __call__(self, text: str) -> Sequence[tuple[int, int]]:
        """Character bounds of the words of a text."""
        return [(t.idx, t.idx + len(t)) for t in self._tokenizer(text) if not t.is_space]


def fired_tiers(doc: Doc) -> dict[str, int]:
    """Relations that the Doc's triggers signal, each with its strongest tier (1 is the strongest)."""
    tiers: dict[str, int] = {}
    for _, facts in read_group(doc, TRIGGERS):
        for reading in facts["readings"]:
            tiers[reading["relation"]] = min(reading["tier"], tiers.get(reading["relation"], 3))
    return tiers


def _blank() -> Language:
    nlp = spacy.blank("en")
    nlp.tokenizer = make_tokenizer()(nlp)
    return nlp

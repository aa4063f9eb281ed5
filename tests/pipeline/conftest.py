"""A small dataset of our own and a pipeline built from it in memory."""

from collections.abc import Callable

import pytest
import spacy
from spacy.language import Language

from biochunk.schemas import Dataset, check_dataset
from tests.conftest import build_tiny_static_encoder

COMPONENTS = (
    "bio_entity_spans",
    "trigger_tagger",
    "proposition_extractor",
    "relation_resolver",
    "hybrid_selector",
)


def trigger(phrase: str, tier: int, pos: str, **more: object) -> dict[str, object]:
    return {"phrase": phrase, "tier": tier, "pos": pos, **more}


def relation(weight: float, definition: str, *triggers: dict[str, object], **more: object) -> dict[str, object]:
    return {"weight": weight, "definition": definition, "triggers": list(triggers), **more}


RELATIONS = {
    "TREATS": relation(
        4,
        "a drug is a therapy of a disease in patients",
        trigger("therapy", 1, "noun"),
        trigger("treatment", 1, "noun"),
        trigger("treat", 1, "verb"),
    ),
    "INHIBITS": relation(
        3, "a drug inhibits a protein", trigger("inhibit", 1, "verb"), trigger("inhibition", 1, "noun")
    ),
    "STIMULATES": relation(3, "a drug activates a protein", trigger("activate", 1, "verb")),
    "CAUSES": relation(3, "a drug causes pain", trigger("cause", 1, "verb"), trigger("induce", 1, "verb")),
    "AFFECTS": relation(
        2,
        "a drug reduces pain",
        trigger("reduce", 3, "verb"),
        trigger("regulate", 2, "verb"),
        trigger("effect", 2, "noun"),
    ),
    "INTERACTS_WITH": relation(2, "two drugs interact", trigger("interaction", 1, "noun"), directed=False),
    "PROCESS_OF": relation(1, "a disease of patients", trigger("with", 3, "preposition", invert=True)),
    "PRECEDES": relation(1, "one comes before the other", trigger("after", 2, "preposition", invert=True)),
    "COEXISTS_WITH": relation(1, "two diseases stand together", trigger("associated with", 3, "phrase")),
}


def dataset(**more: object) -> Dataset:
    return check_dataset({"schema_version": 1, "name": "tiny", "relations": RELATIONS, **more})


def build(components: tuple[str, ...], data: Dataset, sentences: bool, options: dict[str, dict]) -> Language:
    nlp = spacy.blank("en", config={"nlp": {"tokenizer": {"@tokenizers": "biochunk.tokenizer.v1"}}})
    if sentences:
        nlp.add_pipe("sentencizer")
    for name in components:
        component = nlp.add_pipe(name, config=options.get(name, {}))
        if name == "hybrid_selector":
            words = {word for entry in RELATIONS.values() for word in entry["definition"].split()}
            component.encoder = build_tiny_static_encoder(sorted(words))
        component.initialize(dataset=data)
    return nlp


@pytest.fixture(scope="session")
def make_pipeline() -> Callable[..., Language]:
    """Gives the pipeline with some components and options; equal ones are built once, as processing changes nothing."""
    built: dict[str, Language] = {}

    def make(
        *,
        components: tuple[str, ...] = COMPONENTS,
        data: Dataset | None = None,
        sentences: bool = False,
        **options,
    ) -> Language:
        key = repr((components, data, sentences, options))
        if key not in built:
            built[key] = build(components, data or dataset(), sentences, options)
        return built[key]

    return make

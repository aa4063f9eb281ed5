"""One pipeline from two trained recognisers: one for borders of mentions of any kind, one for kinds."""

from importlib.metadata import requires
from pathlib import Path

import spacy
from spacy.language import Language

from .. import __version__
from ..build import checked_version
from ..errors import UsageError
from ..pipeline.spacy_load import load_spacy
from ..tokenizer import make_tokenizer

NAME = "biochunk_ner"


def join_recognisers(borders: Path | None, kinds: Path | None, *, version: str) -> Language:
    """The pipeline "en_biochunk_ner".

    With both, `doc.ents` has the kinds and the span group `bio_mentions` the mentions by their borders; with one,
    `doc.ents` has what that one finds. The component `bio_entity_spans` reads either.

    borders, kinds (Path | None): Folders of pipelines that `spacy train` made, with a component "ner".
    version (str): Version of the pipeline.
    RAISES (UsageError): When neither is given, one is no such pipeline, or the version is none.
    RAISES (BiochunkError): When one cannot be loaded.
    """
    if borders is None and kinds is None:
        raise UsageError("found neither --borders nor --kinds, expected a trained pipeline for one of them, or both")
    version = checked_version(version)
    nlp = spacy.blank("en", config={"nlp": {"tokenizer": {"@tokenizers": "biochunk.tokenizer.v1"}}})
    nlp.tokenizer = make_tokenizer()(nlp)
    if borders is not None:
        nlp.add_pipe("ner", name="borders", source=_trained(borders))
    if borders is not None and kinds is not None:
        nlp.add_pipe("mention_group")
    if kinds is not None:
        nlp.add_pipe("ner", name="kinds", source=_trained(kinds))
    major, minor = __version__.split(".")[:2]
    needs = next((r for r in requires("biochunk") or () if r.startswith("spacy")), "spacy")
    transformers = any("transformer" in str(nlp.get_pipe_config(name)).lower() for name in nlp.pipe_names)
    own = "biochunk[transformers]" if transformers else "biochunk"
    nlp.meta.update(
        name=NAME,
        version=version,
        description="Biomedical mentions: their borders, and chemicals, diseases, genes and anatomy among them",
        author="The biochunk authors",
        license="",
        requirements=[f"{own}>={major}.{minor},<{major}.{int(minor) + 1}", needs],
    )
    return nlp


def _trained(path: Path) -> Language:
    if not (path / "config.cfg").is_file():
        raise UsageError(f"found no pipeline in '{path}', expected a folder such as MODEL/model-best by `spacy train`")
    nlp = load_spacy(path)
    if "ner" not in nlp.pipe_names:
        raise UsageError(f"found the components {nlp.pipe_names} in '{path}', expected one called 'ner'")
    if not nlp.get_pipe("ner").labels:  # type: ignore[attr-defined]
        raise UsageError(f"found a component 'ner' without labels in '{path}', expected a trained one")
    # The recogniser takes the token vectors that it shares along.
    for name in ("tok2vec", "transformer"):
        if name in nlp.pipe_names:
            nlp.replace_listeners(name, "ner", ["model.tok2vec"])
    return nlp

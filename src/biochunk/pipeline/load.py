"""A biochunk pipeline by name or path, checked before the first text."""

from pathlib import Path

import spacy
from spacy.language import Language

from ..errors import BiochunkError, Errors, UsageError
from .hybrid_selector import HybridSelector


def load_pipeline(name: str, relation: str | None = None) -> Language:
    """Load a pipeline that finds evidence chunks.

    name (str): Name of an installed package ("en_biochunk_gmciht"), or the folder of a saved pipeline.
    relation (str | None): A relation that it must know.
    RETURNS (Language): The pipeline.
    RAISES (UsageError): If there is no such pipeline, it makes no chunks, or it does not know the relation.
    RAISES (BiochunkError): If it cannot be loaded, or a sentence does not get through it.
    """
    if not name.strip() or not (spacy.util.is_package(name) or Path(name).exists()):
        raise UsageError(
            Errors.E009.format(
                action="load the pipeline",
                path=name,
                problem="found no installed package and no folder of that name. Install its wheel, or "
                "make one with `biochunk build`.",
            )
        )
    try:
        nlp = spacy.load(name)
        selectors = [component for _, component in nlp.pipeline if isinstance(component, HybridSelector)]
        if not selectors:
            found = ", ".join(nlp.pipe_names) or "no component"
            problem = f"found {found}; expected a pipeline with a hybrid_selector, such as en_biochunk_gmciht"
            raise UsageError(Errors.E009.format(action="chunk with the pipeline", path=name, problem=problem))
        # What is missing (knowledge, a table, a component) would otherwise be reported for every text.
        nlp("Aspirin inhibits COX-2.")
    except BiochunkError:
        raise
    except Exception as error:
        # A folder can be broken in any way, and its user needs the reason and no traceback.
        problem = " ".join(f"{type(error).__name__}: {error}".split())
        raise BiochunkError(Errors.E009.format(action="load the pipeline", path=name, problem=problem)) from error
    for selector in selectors:
        if relation is not None and relation not in selector.labels:
            raise UsageError(Errors.E007.format(found=relation, expected=", ".join(selector.labels)))
    return nlp

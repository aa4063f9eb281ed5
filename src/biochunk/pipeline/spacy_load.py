"""Any spaCy pipeline by name or path, with one clear error where it cannot be loaded."""

from pathlib import Path

import spacy
from spacy import util
from spacy.language import Language

from ..errors import BiochunkError, Errors


def is_pipeline_name(name: str) -> bool:
    """Whether there is an installed package, or a file or folder, of a name."""
    return bool(name.strip()) and (util.is_package(name) or Path(name).exists())


def load_spacy(name: str | Path) -> Language:
    """Load a pipeline.

    name (str | Path): Name of an installed package, or a folder.
    RAISES (BiochunkError): If it cannot be loaded, or a sentence does not get through it.
    """
    try:
        nlp = spacy.load(name)
        # What is missing (weights, knowledge) would otherwise be found only when the first text comes.
        nlp("Aspirin inhibits COX-2.")
    except BiochunkError:
        raise
    except Exception as error:
        # A folder can be broken in any way, and its user needs the reason and no traceback.
        problem = " ".join(f"{type(error).__name__}: {error}".split())[:400]
        raise BiochunkError(Errors.E009.format(action="load the pipeline", path=name, problem=problem)) from error
    return nlp

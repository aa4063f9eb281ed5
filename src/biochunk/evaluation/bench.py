"""Speed of a pipeline beside `spacy.blank("en")`, in one run over the same texts."""

import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from time import perf_counter

import spacy
from spacy.language import Language

from ..wording import counted

# Texts a block. All parts see one block before the next begins, so that a machine's other load hits them alike.
BLOCK = 256

# With fewer texts a short disturbance, and what is set up with the first ones, decides about the figures.
FEWEST = 200

LEGEND = '"first pass": texts not met before, as in use; "again": the same texts once more, their words known by then'

BLANK = 'spacy.blank("en")'
FULL = "full pipeline"
BESIDE = "other pipeline"
TOKENIZER = "tokenizer"


@dataclass
class Bench:
    """Seconds by part.

    texts (int): How many texts were read.
    first, again (dict[str, float]): Seconds of `spacy.blank("en")`, of the full pipeline and of another one beside it,
        where there is one, when they meet a text for the first time (as in use) and when they meet it again (its words
        are in spaCy's vocabulary by then).
    parts (dict[str, float]): Seconds of the tokenizer and of each component, on texts met before.
    peak_mib (float): Largest memory of the process so far, in MiB; NaN where the system does not tell.
    """

    texts: int = 0
    first: dict[str, float] = field(default_factory=dict)
    again: dict[str, float] = field(default_factory=dict)
    parts: dict[str, float] = field(default_factory=dict)
    peak_mib: float = 0.0

    def ratio(self, seconds: dict[str, float]) -> float:
        """Speed of the full pipeline over that of `spacy.blank("en")`."""
        return seconds[BLANK] / seconds[FULL]

    def times_as_long(self, seconds: dict[str, float]) -> float:
        """Time of the full pipeline over that of the other one."""
        return seconds[FULL] / seconds[BESIDE]


def bench(nlp: Language, texts: Sequence[str], beside: Language | None = None) -> Bench:
    """Time a pipeline.

    nlp (Language): The pipeline. Load it anew for each call, so that it has met none of the texts.
    texts (Sequence[str]): At least one text.
    beside (Language | None): Another pipeline to time over the same texts, likewise newly loaded.
    RETURNS (Bench): The times.
    """
    result = Bench(texts=len(texts))
    whole = {BLANK: spacy.blank("en"), FULL: nlp, **({BESIDE: beside} if beside is not None else {})}
    for pipeline in whole.values():
        pipeline("One text to get started.")
    for start in range(0, len(texts), BLOCK):
        block = texts[start : start + BLOCK]
        for seconds in (result.first, result.again):
            for name, pipeline in whole.items():
                _add(seconds, name, _timed(pipeline.pipe(block)))
        began = perf_counter()
        docs = [nlp.make_doc(text) for text in block]
        _add(result.parts, TOKENIZER, perf_counter() - began)
        for name, component in nlp.pipeline:
            began = perf_counter()
            docs = list(component.pipe(docs)) if hasattr(component, "pipe") else [component(doc) for doc in docs]
            _add(result.parts, name, perf_counter() - began)
    result.peak_mib = _peak_mib()
    return result


def few_texts_note(texts: int) -> str:
    """One line that warns where the figures say little; empty where there are enough texts."""
    if texts >= FEWEST:
        return ""
    return f"Note: found {counted(texts, 'text')}; figures from fewer than {FEWEST} are unreliable"


def _timed(stream: Iterable[object]) -> float:
    began = perf_counter()
    for _ in stream:
        pass
    return perf_counter() - began


def _add(seconds: dict[str, float], part: str, more: float) -> None:
    seconds[part] = seconds.get(part, 0.0) + more


def _peak_mib() -> float:
    try:
        import resource
    except ImportError:  # Windows
        return float("nan")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    # Kibibytes on Linux, bytes on macOS.
    return peak / (1024 * 1024 if sys.platform == "darwin" else 1024)


def table(result: Bench) -> list[tuple[str, str, str, str]]:
    """Rows of a table: part, texts a second, microseconds a text, speed relative to `spacy.blank("en")`."""
    rows = [("", "texts/s", "us/text", "ratio")]
    groups = (
        ("first pass", result.first, result.first),
        ("again", result.again, result.again),
        ("", result.parts, result.again),
    )
    for title, seconds, base in groups:
        for part, value in seconds.items():
            name = f"{part}, {title}" if title else f"  {part}"
            rows.append(
                (
                    name,
                    f"{result.texts / value:,.0f}",
                    f"{value / result.texts * 1e6:,.1f}",
                    f"{base[BLANK] / value:.2f}",
                )
            )
    return rows

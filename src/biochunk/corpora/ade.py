"""ADE: does a sentence report an adverse drug effect? Labels 0 and 1, no mentions, no dev file.

BioMedRAG trains on 4000 rows of the corpus, so that file goes before the full one where both are present.
"""

from collections.abc import Iterator
from typing import Any

from .source import Asked, Misfit, Source, text_at


def parse(value: dict[str, Any]) -> Iterator[Asked]:
    """One row of `{"text", "label"}`."""
    text = text_at(value, "text")
    label = value.get("label")
    if isinstance(label, bool) or label not in (0, 1):
        raise Misfit("label", "nothing" if "label" not in value else repr(label)[:60], "0 or 1")
    yield Asked(text, label=label)


SOURCE = Source(
    name="ade",
    title="ADE",
    folders=("ade", "ade_classification"),
    files={
        "train": (
            r"ade_corpus_v2_train_4000\.jsonl?",
            r"ade_corpus_v2_train\.jsonl?",
            r"(.*_)?train(_\d+)?\.jsonl?",
        ),
        "dev": (r"(ade_corpus_v2_)?(dev|valid|validation)\.jsonl?",),
        "test": (r"ade_corpus_v2_test\.jsonl?", r"(.*_)?test(_\d+)?\.jsonl?"),
    },
    parse=parse,
    carve_dev=True,
)

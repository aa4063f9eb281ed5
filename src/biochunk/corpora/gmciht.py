"""GM-CIHT (also called GIT): biomedical triples with 22 relations, one triple a row, all lower-case.

Mentions are padded with one more space on each side; a seventh also stands in
brackets, `[  head  ]` and `{  tail  }`.
"""

from collections.abc import Iterator
from typing import Any

from .locate import Marking
from .source import Asked, Source, text_at


def parse(value: dict[str, Any]) -> Iterator[Asked]:
    """One row of `{"SENTENCE", "SUBJECT_TEXT", "PREDICATE", "OBJECT_TEXT"}`."""
    yield Asked(
        text_at(value, "SENTENCE"),
        text_at(value, "SUBJECT_TEXT"),
        text_at(value, "PREDICATE"),
        text_at(value, "OBJECT_TEXT"),
    )


SOURCE = Source(
    name="gmciht",
    title="GM-CIHT",
    folders=("gmciht", "gm-ciht", "0_gm-ciht"),
    files={split: (rf"renew_triplet_t_{split}\.jsonl?",) for split in ("train", "dev", "test")},
    parse=parse,
    marking=Marking(padding=True, brackets=True),
)

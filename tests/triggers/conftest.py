"""Marked-up sentences as records: `<h>aspirin</h> inhibits <t>COX-2</t>`; the head may come first or last."""

import re
from collections.abc import Callable, Iterable

import pytest

from biochunk.corpora.records import Entity, Record, Triple
from biochunk.schemas import Dataset, check_dataset

MARK = re.compile(r"</?[ht]>")

Marked = tuple[str, str]


def record(marked: str, relation: str, i: int = 0, split: str = "train") -> Record:
    """A record of one pair; `relation` "" for a pair that carries none."""
    text = MARK.sub("", marked)
    entities = []
    for label in "ht":
        match = re.search(f"<{label}>(.*?)</{label}>", marked)
        assert match is not None
        start = len(MARK.sub("", marked[: match.start()]))
        mention = MARK.sub("", match[1])
        entities.append(Entity(id=label, start=start, end=start + len(mention), text=mention))
    triples = [Triple(head="h", relation=relation, tail="t")] if relation else []
    return Record(id=str(i), dataset="demo", split=split, text=text, entities=entities, triples=triples)


def dataset(**relations: list[dict[str, object]]) -> Dataset:
    """A dataset of these relations, all of weight 2, with these triggers."""
    return check_dataset(
        {
            "schema_version": 1,
            "name": "demo",
            "relations": {
                name: {"definition": f"{name}.", "weight": 2, "triggers": triggers}
                for name, triggers in relations.items()
            },
        }
    )


@pytest.fixture
def records() -> Callable[[Iterable[Marked]], list[Record]]:
    return lambda pairs: [record(marked, relation, i) for i, (marked, relation) in enumerate(pairs)]


@pytest.fixture
def make_record() -> Callable[..., Record]:
    return record


@pytest.fixture
def make_dataset() -> Callable[..., Dataset]:
    return dataset


DRUGS = ["aspirin", "ibuprofen", "naproxen", "celecoxib", "diclofenac", "ketorolac"]
TARGETS = ["COX-1", "COX-2", "PGE2", "TXA2", "LTB4", "PGI2"]
DISEASES = ["asthma", "gout", "fever", "migraine", "arthritis", "colitis"]


# No two sentences of a pattern share a word that would be as good a cue as the pattern's own.
FILLERS = ["platelets", "neurons", "kidneys", "plasma", "muscle", "saliva"]


@pytest.fixture
def corpus() -> list[Record]:
    """Six sentences a pattern: INHIBITS by verb and noun, TREATS, PRECEDES tail first, no relation."""
    forms = [
        ("<h>{d}</h> inhibits <t>{t}</t>: {f}.", "INHIBITS"),
        ("<t>{t}</t> was inhibited by <h>{d}</h>: {f}.", "INHIBITS"),
        ("Inhibition of <t>{t}</t> by <h>{d}</h>: {f}.", "INHIBITS"),
        ("<h>{d}</h> is the treatment of <t>{s}</t>.", "TREATS"),
        ("<t>{s}</t> after <h>{d}</h>: {f}.", "PRECEDES"),
        ("<h>{d}</h> and <t>{t}</t> were seen: {f}.", ""),
    ]
    made = []
    for form, relation in forms:
        for d, t, s, f in zip(DRUGS, TARGETS, DISEASES, FILLERS, strict=True):
            made.append(record(form.format(d=d, t=t, s=s, f=f), relation, len(made)))
    return made

"""Marked-up sentences as records: `high <m>insulin</m> levels`."""

import re

from biochunk.corpora.records import Entity, Record, Triple
from biochunk.schemas import Dataset, check_dataset

MARK = re.compile(r"<m>(.*?)</m>")


def record(marked: str, i: int = 0, relation: str = "") -> Record:
    """A record of the marked mentions; with a relation, of a triple of the first two of them."""
    text, entities, at = "", [], 0
    for number, match in enumerate(MARK.finditer(marked)):
        text += marked[at : match.start()]
        start = len(text)
        text += match[1]
        entities.append(Entity(id=f"e{number}", start=start, end=len(text), text=match[1]))
        at = match.end()
    text += marked[at:]
    triples = [Triple(head="e0", relation=relation, tail="e1")] if relation else []
    return Record(id=str(i), dataset="demo", split="train", text=text, entities=entities, triples=triples)


def dataset(**entities: object) -> Dataset:
    """A dataset with one verb trigger and these entity rules."""
    triggers = [{"phrase": "inhibit", "tier": 1, "pos": "verb"}]
    relations = {"INHIBITS": {"definition": "A drug inhibits a protein.", "weight": 2, "triggers": triggers}}
    return check_dataset({"schema_version": 1, "name": "demo", "relations": relations, "entities": entities})

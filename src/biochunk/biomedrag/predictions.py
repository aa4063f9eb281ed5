"""Predictions files of our own: what a system answered and what holds, one item a line, so that a file scores itself.

    {"id": "x1", "triples": [{"head": "aspirin", "relation": "TREATS", "tail": "pain"}], "label": null,
     "gold": {"triples": [...], "label": null}, "meta": {}}

`triples` null (or left out) says that the system gave no answer that could be read; [] says that it answered "none".
`label` is the class of the text where one is asked. `gold` may be left out where the corpus is at hand, `meta` is free.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ..corpora.jsonrows import JsonRow, read_json_rows
from ..corpora.records import Record, read_records
from ..errors import Fault, FileFaultsError
from ..files import whole_file
from ..schema_faults import to_fault
from ..wording import counted
from .items import Answer, Example, Gold, Task, Triple
from .metrics import Item, Scores, answer_triples, count_labels, folded, make_item, score_items


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class TripleText(_Strict):
    """A triple as strings."""

    head: str
    relation: str
    tail: str


class Truth(_Strict):
    """What holds of an item: its triples, and its class where one is asked."""

    triples: list[TripleText] = Field(default_factory=list)
    label: int | None = None


class Prediction(_Strict):
    """One line of a predictions file; see the module for its meaning."""

    id: str = Field(min_length=1)
    triples: list[TripleText] | None = None
    label: int | None = None
    gold: Truth | None = None
    meta: dict[str, Any] = Field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Scored:
    """A predictions file, ready to be scored.

    items (list[Item]): Triples, one an item of the file, in its order.
    labels (list[tuple[int | None, int]]): Predicted and true class of the items that have one.
    unread (list[str]): Places ("line 12") of answers that could not be read; they count as nothing predicted.
    missing (list[str]): Ids of gold items without a line; they count as nothing predicted.
    notes (list[str]): What else a reader of the score should know, one sentence each.
    names (dict[str, str]): From a relation as compared to how the file first writes it, gold before predictions.
    """

    items: list[Item]
    labels: list[tuple[int | None, int]]
    unread: list[str]
    missing: list[str]
    notes: list[str]
    names: dict[str, str] = field(default_factory=dict)

    def scores(self) -> Scores:
        """The scores: over triples where the file has any, and of class 1 where it has classes."""
        found = Scores({}, {})
        if not self.labels or any(item.predicted or item.gold for item in self.items):
            found = score_items(self.items)
        if self.labels:
            predicted, gold = zip(*self.labels, strict=True)
            found.counts["label"] = count_labels(predicted, gold)
        return found


def make_prediction(
    example: Example, answer: Answer, gold: Gold, *, task: Task, meta: dict[str, Any] | None = None
) -> Prediction:
    """The line of one answer of a reader.

    example (Example): What the reader saw.
    answer (Answer): What it answered.
    gold (Gold): What it should have answered.
    task (str): See `Reader.fit`.
    meta (dict | None): Anything else that the line should keep; JSON values only.
    """
    if task == "label":
        truth = Truth(label=int(gold.label or 0))
        return Prediction(id=example.id, label=answer.label, gold=truth, meta=meta or {})
    return Prediction(
        id=example.id,
        triples=_texts(answer_triples(example, answer, task=task)),
        gold=Truth(triples=_texts(triple.triple for triple in gold.triples)),
        meta=meta or {},
    )


def write_predictions(path: str | Path, predictions: Iterable[Prediction]) -> None:
    """Write a predictions file, whole or not at all."""
    with whole_file(path) as file:
        for prediction in predictions:
            file.write(prediction.model_dump_json() + "\n")


def load_predictions(path: str | Path) -> list[Prediction]:
    """The lines of a predictions file as they are. RAISES (FileFaultsError): With every line that is wrong."""
    return [line for _, line in _rows(str(path))]


def read_predictions(path: str | Path, gold: str | Path | None = None) -> Scored:
    """Read a predictions file and join it with gold.

    path (str | Path): The file: JSON lines, or a JSON array of the same objects.
    gold (str | Path | None): A unified corpus file, whose gold then counts instead of that in the lines. Items come in
        its order, and a record without a line counts as nothing predicted. Default: the gold in the lines.
    RAISES (FileFaultsError): With every line that is wrong, has an id for the second time, or has no gold.
    """
    rows = _rows(str(path))
    truths = _corpus(str(gold)) if gold is not None else None
    faults = _faults(rows, truths, str(gold))
    if faults:
        raise FileFaultsError(str(path), faults)
    if truths is None:
        truths = {line.id: line.gold or Truth() for _, line in rows}
    return _join({line.id: (row.where, line) for row, line in rows}, truths)


def _rows(path: str) -> list[tuple[JsonRow, Prediction]]:
    rows, faults = [], []
    for row in read_json_rows(path):
        try:
            rows.append((row, Prediction.model_validate(row.value)))
        except ValidationError as error:
            found = (to_fault(detail, Prediction) for detail in error.errors())
            faults += [Fault(f"{row.where}.{fault.where}", fault.found, fault.expected) for fault in found]
    if faults:
        raise FileFaultsError(path, list(dict.fromkeys(faults)))
    return rows


def _faults(rows: Sequence[tuple[JsonRow, Prediction]], truths: dict[str, Truth] | None, corpus: str) -> list[Fault]:
    """What is wrong with lines that are well-formed."""
    faults = []
    first: dict[str, str] = {}
    for row, line in rows:
        if line.id in first:
            faults.append(Fault(f"{row.where}.id", f"{line.id!r}, as on {first[line.id]}", "each id once"))
        first.setdefault(line.id, row.where)
        if truths is None and line.gold is None:
            faults.append(Fault(f"{row.where}.gold", "no gold", "gold in the line, or a corpus that holds it (--gold)"))
        if truths is not None and line.id not in truths:
            faults.append(Fault(f"{row.where}.id", repr(line.id), f"the id of a record of {corpus}"))
    return faults


def _corpus(path: str) -> dict[str, Truth]:
    truths: dict[str, Truth] = {}
    for record in read_records(path):
        if record.id in truths:
            raise FileFaultsError(path, [Fault(f"record {record.id!r}", "this id twice", "each id once")])
        truths[record.id] = _truth(record, path)
    return truths


def _truth(record: Record, path: str) -> Truth:
    texts = {entity.id: entity.text for entity in record.entities}
    triples = _texts(Triple(texts[t.head], t.relation, texts[t.tail]) for t in record.triples)
    try:
        return Truth(triples=triples, label=None if record.label is None else int(record.label))
    except ValueError:
        fault = Fault(f"record {record.id!r}: label", repr(record.label), "a whole number")
        raise FileFaultsError(path, [fault]) from None


def _join(lines: dict[str, tuple[str, Prediction]], truths: dict[str, Truth]) -> Scored:
    scored = Scored([], [], [], [], [])
    unasked = 0
    for id, truth in truths.items():
        where, line = lines.get(id, ("", Prediction(id=id)))
        unasked += truth.label is None and line.label is not None
        scored.items.append(make_item(map(_triple, line.triples or ()), map(_triple, truth.triples)))
        if truth.label is not None:
            scored.labels.append((line.label, truth.label))
        if id not in lines:
            scored.missing.append(id)
        elif (line.triples if truth.label is None else line.label) is None:
            scored.unread.append(where)
    for triple in (
        *(triple for truth in truths.values() for triple in truth.triples),
        *(triple for _, line in lines.values() for triple in line.triples or ()),
    ):
        scored.names.setdefault(folded(triple.relation), triple.relation)
    if unasked:
        scored.notes.append(f"{counted(unasked, 'predicted label')} without a gold label: not scored.")
    return scored


def _texts(triples: Iterable[Triple]) -> list[TripleText]:
    return [TripleText(head=t.head, relation=t.relation, tail=t.tail) for t in triples]


def _triple(text: TripleText) -> Triple:
    return Triple(text.head, text.relation, text.tail)

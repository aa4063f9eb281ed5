"""Checks that nothing of the answers reaches what is scored."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ..corpora.convert import STORE
from ..corpora.records import Entity, Record, Triple
from ..corpora.splits import sentence_key
from ..errors import BiochunkError
from .store import ChunkStore

# The view that holds BioMedRAG's own data, whose splits overlap.
PUBLISHED = "published"
_NONSENSE = "NONSENSE"


def check_store(store: ChunkStore, scored: Sequence[Record], *, split: str, view: str) -> int:
    """A store must hold no sentence of another split that is scored.

    A store of the scored split itself holds its sentences by design. `Retriever` never serves a sentence its own
    chunks, in this case as in the published view.

    store (ChunkStore): The store; `store.about.split` says what it was built from ("store" is dev).
    scored (Sequence[Record]): The scored records.
    split (str): The split that is scored, whatever the records themselves say of theirs.
    view (str): "published" counts what overlaps; every other view refuses it.
    RETURNS (int): How many scored records have their sentence in the store of another split.
    RAISES (BiochunkError): When there are some and the view is not "published".
    """
    if _split(store.about.split) == _split(split):
        return 0
    found = [record for record in scored if len(store.rows_of(record.text))]
    return _counted(found, f"the chunk store, which was built from the split '{store.about.split}'", view)


def check_train(train: Iterable[Record], scored: Sequence[Record], *, view: str) -> int:
    """What is learned from must hold no scored sentence.

    train (Iterable[Record]): The records that readers and scorers learn from.
    scored (Sequence[Record]): The scored records.
    view (str): See `check_store`.
    RETURNS (int): How many scored records have their sentence in train.
    RAISES (BiochunkError): When there are some and the view is not "published".
    """
    learned = {sentence_key(record.text) for record in train}
    return _counted([record for record in scored if sentence_key(record.text) in learned], "train", view)


def check_gold_blind(
    function: Callable[[Sequence[Record]], Sequence[Any]], records: Sequence[Record], *, pairs: bool = False
) -> None:
    """An arm must give the same for a record whatever its gold is: it is run with the gold, with nonsense in its place,
    and with none.

    function (Callable): The arm: records to one result each, of plain data that `==` compares.
    records (Sequence[Record]): Some records.
    pairs (bool): The entities and asked pairs stay, as in the pair task the arm is given them; relations and directions
        do not.
    RAISES (BiochunkError): When a result changes, or there is not one for each record.
    """
    expected = function(records)
    for name, changed in (("nonsense", _nonsense), ("none", _without_gold)):
        found = function([changed(record, pairs) for record in records])
        if not len(expected) == len(found) == len(records):
            raise BiochunkError(
                f"found {len(expected)} and {len(found)} results, expected {len(records)}: one a record"
            )
        seen = [record.id for record, a, b in zip(records, expected, found, strict=True) if a != b]
        if seen:
            raise BiochunkError(
                f"found {len(seen)} of {len(records)} results that depend on gold (the first: record '{seen[0]}' with "
                f"{name} in its place), expected results of the text alone; change the arm so that it reads no gold"
            )


def _split(name: str) -> str:
    return "dev" if name == STORE else name


def _counted(found: Sequence[Record], where: str, view: str) -> int:
    if found and view != PUBLISHED:
        raise BiochunkError(
            f"found {len(found)} scored sentences in {where} (the first: record '{found[0].id}'), expected none on the "
            f"view '{view}'; take the splits of one run of `biochunk corpora convert`, which removes them"
        )
    return len(found)


def _nonsense(record: Record, pairs: bool) -> Record:
    """The record with gold that is wrong and, where entities may change too, of other mentions."""
    label = None if record.label is None else _NONSENSE if isinstance(record.label, str) else 1 - record.label
    if pairs:
        triples = [Triple(head=t.tail, relation=_NONSENSE, tail=t.head) for t in record.triples]
        return record.model_copy(update={"triples": triples, "label": label, "meta": _asked(record)})
    spans = [(start, start + 1) for start in (0, len(record.text) - 1) if record.text]
    entities = [
        Entity(id=f"e{number}", start=start, end=end, text=record.text[start:end], label=_NONSENSE)
        for number, (start, end) in enumerate(spans)
    ]
    triples = [Triple(head="e0", relation=_NONSENSE, tail="e1")] if entities else []
    return record.model_copy(update={"entities": entities, "triples": triples, "label": label, "meta": {}})


def _without_gold(record: Record, pairs: bool) -> Record:
    if pairs:
        return record.model_copy(update={"triples": [], "label": None, "meta": _asked(record)})
    return record.model_copy(update={"entities": [], "triples": [], "label": None, "meta": {}})


def _asked(record: Record) -> dict[str, Any]:
    """The asked pairs, each in text order so that it tells no direction, and nothing else."""
    starts = {entity.id: (entity.start, entity.end) for entity in record.entities}
    asked = record.meta.get("pairs") or [[triple.head, triple.tail] for triple in record.triples]
    return {"pairs": [sorted(pair, key=starts.__getitem__) for pair in asked]}

"""From corpus files to what the reader sees, where no experiment has prepared it."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from ....corpora.records import Record, read_records
from ....errors import Fault, FileFaultsError, UsageError
from ...examples import make_example, make_gold
from ...from_doc import read_sentences
from ...items import Evidence, Example, Gold, Sentence, Task
from ...labelled import labelled_sentences
from ...retrieval import Retriever
from ...store import About, build_store, stored_rows

if TYPE_CHECKING:
    from spacy.language import Language

# Records that are analysed, and retrieved for, at a time.
_BLOCK = 512


class EvidenceSource:
    """Evidence for sentences: stored chunks of other sentences that are like their own chunks.

    nlp (Language): The pipeline that makes chunks; its encoder compares them.
    store (Path): Unified JSONL; what its sentences state is the evidence.
    relations (Sequence[str]): All relation labels.
    RAISES (UsageError): If the pipeline selects no chunks.
    RAISES (BiochunkError): If the file gives none.
    """

    def __init__(self, nlp: "Language", store: Path, relations: Sequence[str]) -> None:
        from ....pipeline.hybrid_selector import HybridSelector

        encoder = next((pipe.encoder for _, pipe in nlp.pipeline if isinstance(pipe, HybridSelector)), None)
        if encoder is None:
            raise UsageError("found a pipeline without a chunk selector, expected one that `biochunk build` made")
        rows = stored_rows(labelled_sentences(list(read_records(store)), nlp, relations))
        self._nlp = nlp
        self._retriever = Retriever(build_store(rows, encoder, About()), encoder)

    def of(self, records: Sequence[Record]) -> Iterator[tuple[Sentence, tuple[Evidence, ...]]]:
        """Each record's sentence, of which the pipeline sees the text alone, and its evidence, the best first."""
        sentences = list(read_sentences(self._nlp, ((record.id, record.text) for record in records)))
        yield from zip(sentences, self._retriever.retrieve(sentences), strict=True)


def read_corpus(
    path: Path, *, task: Task, relations: Sequence[str], limit: int | None = None
) -> tuple[list[Record], list[Gold]]:
    """Records and their gold.

    path (Path): Unified JSONL.
    task (str): See `Reader.fit`.
    relations (Sequence[str]): All relation labels.
    limit (int | None): Read so many records from the beginning.
    RAISES (FileFaultsError): With every record whose annotation is none of the task.
    RAISES (UsageError): If there is no record.
    """
    records = list(islice(read_records(path), limit))
    if not records:
        raise UsageError(f"{path}: found no record, expected at least one")
    faults = [fault for record in records for fault in _faults(record, task, set(relations))]
    if faults:
        raise FileFaultsError(str(path), faults)
    return records, [make_gold(record, task=task) for record in records]


def to_examples(records: Iterable[Record], *, task: Task, source: EvidenceSource | None = None) -> Iterator[Example]:
    """What the reader sees of records.

    records (Iterable[Record]): The records; of each its text and its asked pairs are read, and never its gold.
    task (str): See `Reader.fit`.
    source (EvidenceSource | None): Gives evidence; None: there is none.
    """
    stream = iter(records)
    while block := list(islice(stream, _BLOCK)):
        found = source.of(block) if source else (_unread(record) for record in block)
        for record, (sentence, evidence) in zip(block, found, strict=True):
            yield make_example(record, sentence, task=task, mentions=sentence.mentions, evidence=evidence)


def _unread(record: Record) -> tuple[Sentence, tuple[Evidence, ...]]:
    return Sentence(record.id, record.text, (), (), (), ()), ()


def _faults(record: Record, task: Task, relations: set[str]) -> Iterator[Fault]:
    """What does not fit the task in one record."""
    where = f"record {record.id!r}"
    if task == "label":
        if record.label not in (0, 1):
            yield Fault(f"{where}: label", repr(record.label), "0 or 1 in the task 'label'")
        return
    for relation in dict.fromkeys(triple.relation for triple in record.triples):
        if relation not in relations:
            yield Fault(f"{where}: relation", repr(relation), f"one of the dataset's: {', '.join(sorted(relations))}")

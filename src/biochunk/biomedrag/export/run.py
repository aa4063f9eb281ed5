"""The export: unified splits and an arm in, BioMedRAG's files out."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from hashlib import blake2b
from itertools import islice
from pathlib import Path

import numpy as np
from spacy.language import Language

from ...corpora.records import Record
from ...errors import BiochunkError, UsageError
from ...pipeline.hybrid_selector import HybridSelector
from ..index import ExactIndex
from ..retrieval import Pick
from ..store import NONE
from ..ty import VectorIndex
from . import names
from .demos import Demos
from .evidence import find_evidence
from .folder import Folder
from .lines import Writer
from .report import Report
from .rows import Item, Row, read_items
from .separators import Safe, safe, single_spaced
from .stored import Stored, store_chunks
from .vectors import write_vectors

# What a pair has that is asked about and has no relation; the arm knows no definition of it.
NONE_DEFINITION = "The sentence states no relation between the two."
Progress = Callable[[Iterable[Item], str], Iterable[Item]]
_BATCH = 256


@dataclass(frozen=True)
class Settings:
    """What is written.

    top_k (int): Chunks of a sentence, those stored and those that ask. BioMedRAG stores two. Each more multiplies the
        candidates; see `wording.candidates`.
    pick (str): Which of the five stored chunks that a chunk finds goes on; see `evidence.picked`.
    none (bool): Whether pairs without a relation are rows of the relation None.
    vector_size (int | None): Numbers a row of the candidates' vectors, filled up with zeros; None: the encoder's.
    seed (int): For the heads and tails that are put around chosen chunks.
    """

    top_k: int = 2
    pick: Pick = "released"
    none: bool = True
    vector_size: int | None = None
    seed: int = 0


def export_biomedrag(
    path: Path,
    nlp: Language,
    *,
    train: Iterable[Record],
    dev: Iterable[Record],
    test: Iterable[Record] | None = None,
    settings: Settings | None = None,
    progress: Progress | None = None,
) -> Report:
    """Write the files into a folder.

    Of train and dev the rows are kept in memory, test is streamed.

    path (Path): An empty folder.
    nlp (Language): The arm; its definitions are the relations'.
    train (Iterable[Record]): What queries and demonstrations come from.
    dev (Iterable[Record]): What is stored.
    test (Iterable[Record] | None): What is scored; None: the files of test are not written.
    settings (Settings | None): Options; None: the defaults.
    progress: Called with the items of a split and its name; gives them back.
    RETURNS (Report): What was written; also in report.json.
    RAISES (BiochunkError): When a record has a relation or a label that the arm does not know, a split is empty, or a
        sentence finds no chunk or no demonstration of another sentence.
    """
    with Folder(path) as folder:
        return _Export(folder, nlp, settings or Settings(), progress or _silent).run(train, dev, test)


def _silent(items: Iterable[Item], split: str) -> Iterable[Item]:
    return items


class _Export:
    """What the steps of one export share."""

    def __init__(self, folder: Folder, nlp: Language, settings: Settings, progress: Progress) -> None:
        selector = next(pipe for _, pipe in nlp.pipeline if isinstance(pipe, HybridSelector))
        self.folder, self.nlp, self.settings, self.progress = folder, nlp, settings, progress
        self.encoder, self.labels = selector.encoder, selector.labels
        self.definitions = {**(selector.knowledge or {})["definitions"], NONE: NONE_DEFINITION}
        self.classified = False
        self.candidates: set[bytes] = set()
        self.report = Report("{lang}_{name} {version}".format(**nlp.meta), asdict(settings))
        if selector.options.top_k < settings.top_k:
            raise UsageError(
                f"found a pipeline that selects {selector.options.top_k} chunks of a sentence, expected at least "
                f"top_k, which is {settings.top_k}"
            )
        for label in self.labels:
            if safe(label) != Safe(label):
                raise BiochunkError(f"found the relation '{label}', which BioMedRAG's scripts would cut; rename it")

    def run(self, train: Iterable[Record], dev: Iterable[Record], test: Iterable[Record] | None) -> Report:
        settings = self.settings
        examples, source = list(self._items(train, "train")), list(self._items(dev, "dev"))
        for split, items in (("train", examples), ("dev", source)):
            self._check_not_empty(split, len(items))
        self.classified = examples[0].classified
        relations = self._relations([*examples, *source])
        stored = store_chunks(self.nlp, self.encoder, source, self.labels, top_k=settings.top_k, none=settings.none)
        own = stored.vectors.shape[1]
        size = settings.vector_size or own
        if size < own:
            raise UsageError(f"found the vector size {size}, expected at least {own}, as the encoder's vectors have")
        self._write_knowledge(relations, source, stored)
        index, demos = ExactIndex(stored.vectors), Demos(examples, self.encoder)
        pairs = {} if self.classified else _pairs(source)
        splits: dict[str, Iterable[Item]] = {"train": examples}
        if test is not None:
            splits["test"] = self._items(test, "test")
        for split, rows in splits.items():
            writer = Writer(self.folder, split, relations, pick=settings.pick, pairs=pairs, seed=settings.seed)
            self._write_split(split, rows, writer, stored, index, demos)
        self._write_vectors(size)
        if self.classified:
            self.report.notes.append("no files of triples: the corpus has classes, and no heads and tails")
        if test is None:
            self.report.notes.append("no files of test, which some scripts read too: any unified file can be test")
        self.report.count_files(self.folder)
        self.folder.text(names.REPORT, self.report.to_json())
        return self.report

    def _items(self, records: Iterable[Record], split: str) -> Iterator[Item]:
        counts = self.report.splits[split] = Counter()
        return read_items(records, self.labels, none=self.settings.none, counts=counts)

    def _relations(self, items: Sequence[Item]) -> list[str]:
        """What instructions list: all that the arm knows, and None where it occurs; of classes those that occur."""
        found = {row.relation for item in items for row in item.rows}
        known = (label for label in self.labels if label in found or not self.classified)
        return [*known, *({NONE} & found)]

    def _write_knowledge(self, relations: Sequence[str], dev: Sequence[Item], stored: Stored) -> None:
        for relation in relations:
            definition = single_spaced(safe(self.definitions[relation]))
            self.folder.text(names.RELATIONS, f"{relation}    \t{definition.text}", definition)
        for item in dev:
            self._check(item)
            for row in item.rows:
                self._write_row(row, "dev")
        for relation, chunks in stored.by_relation.items():
            for name in names.CHUNKS:
                self.folder.json(name, {relation: [chunk.text for chunk in chunks]}, *chunks)
        for chunk, relation in stored.entries:
            self.folder.text(names.STORED, f"{chunk.text}--##--{relation}", chunk)
        np.save(self.folder.path / names.STORED_VECTORS, stored.vectors)
        self.report.count_store(stored)

    def _write_split(
        self, split: str, items: Iterable[Item], writer: Writer, stored: Stored, index: VectorIndex, demos: Demos
    ) -> None:
        chosen = self.report.chosen[split] = Counter()
        stream = iter(self.progress(items, split))
        while batch := list(islice(stream, _BATCH)):
            found = find_evidence(self.nlp, self.encoder, batch, stored, index, self.settings.top_k)
            for item, own, demo in zip(batch, found, demos.nearest(batch), strict=True):
                self._check(item)
                self.report.splits[split]["sentences kept from own chunks"] += item.key in stored.own
                for row in item.rows:
                    self._write_row(row, split)
                    written = writer.write(row, own, demo)
                    chosen[written.chosen] += 1
                    self.report.agreeing[split] += written.chosen.relation == row.relation
                    for text in written.strings:
                        self._write_candidate(text)
        self._check_not_empty(split, len(chosen))

    def _check_not_empty(self, split: str, items: int) -> None:
        if not items:
            raise BiochunkError(f"{split}: found no record with a triple, an asked pair or a label, expected some")

    def _check(self, item: Item) -> None:
        """RAISES (BiochunkError): When some records have a label and others triples."""
        if item.classified != self.classified:
            raise BiochunkError(
                f"record '{item.record.id}': found {'a label' if item.classified else 'triples'} beside records with "
                f"{'triples' if item.classified else 'labels'}, expected one kind"
            )

    def _write_row(self, row: Row, split: str) -> None:
        line = {
            "PREDICATE": row.relation,
            "SUBJECT_TEXT": row.head.text,
            "OBJECT_TEXT": row.tail.text,
            "SENTENCE": row.sentence.text,
        }
        self.folder.json(names.ROWS.format(split=split), line, row.sentence, row.head, row.tail)

    def _write_candidate(self, text: str) -> None:
        """Each once. Only digests are kept: the candidates of a large corpus are many."""
        digest = blake2b(text.encode(), digest_size=16).digest()
        if digest not in self.candidates:
            self.candidates.add(digest)
            self.folder.text(names.CANDIDATES, text)

    def _write_vectors(self, size: int) -> None:
        self.folder.close(names.CANDIDATES)
        texts, shape = self.folder.path / names.CANDIDATES, (self.folder.lines[names.CANDIDATES], size)
        write_vectors(self.folder.path / names.CANDIDATE_VECTORS, texts, self.encoder, shape)


def _pairs(items: Sequence[Item]) -> dict[str, list[tuple[Safe, Safe]]]:
    """Heads and tails of the rows of each relation."""
    pairs: dict[str, list[tuple[Safe, Safe]]] = {}
    for item in items:
        for row in item.rows:
            pairs.setdefault(row.relation, []).append((row.head, row.tail))
    return pairs

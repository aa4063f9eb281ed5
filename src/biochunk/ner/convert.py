"""Training data of the two recognisers: DocBins that `spacy train` reads."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
import spacy
from spacy.tokens import Doc, DocBin

from ..corpora.records import Record, read_records
from ..corpora.splits import in_part, sentence_key
from ..errors import BiochunkError, UsageError
from ..folders import check_replaceable, whole_folder
from ..schemas import read_dataset
from ..shipped import dataset_path
from ..spans import ENTITIES, read_group
from ..tokenizer import make_tokenizer
from ..triggers.finders import make_finder
from .iob import IobCorpus, Tagged, find_corpora
from .targets import LABEL, gold_spans, names_of_other_kinds, set_borders, set_kinds

# The part of the sentences that a training run is judged by, to end it and to keep its best model. It is carved out of
# train, so that the splits that are scored later have no say.
_HELD = 0.05
_SEED = 11
# Share of the words beside an annotated mention that count as outside any; the others may be mentions themselves.
_BESIDE = 0.6
_LONGEST = 8

_PARTS, _SPLITS = ("borders", "kinds"), ("train", "dev")


def convert(folder: Path | None, relations: Path | None, out: Path, *, most: int | None = None) -> Counter[str]:
    """Write DocBins `train.spacy` and `dev.spacy`: in `out/borders` for mentions of any kind, by relation corpora, in
    `out/kinds` for chemicals, diseases, genes and anatomy, by corpora of entities. What cannot be made is left out.

    folder (Path | None): Folder of IOB corpora; see `find_corpora`.
    relations (Path | None): Folder DATASET/train.jsonl of unified JSONL, the clean view.
    out (Path): New, empty, or the output of an earlier run, which is replaced.
    most (int | None): Read no more than this many sentences of a corpus.
    RETURNS (Counter[str]): Sentences by corpus and in all, mentions, and those left out as their borders are inside a
        token.
    RAISES (UsageError): When `out` holds anything else, or an input.
    RAISES (BiochunkError): When an input cannot be read, or has no sentence to learn from.
    """
    if folder is None and relations is None:
        raise UsageError("found neither IOB corpora nor --relations, expected one of them, or both")
    check_replaceable(out, "the output of an earlier run", _is_converted, [folder, relations])
    counts: Counter[str] = Counter()
    with whole_folder(out) as part:
        if relations is not None:
            _write(part / "borders", relations, _borders(relations, most, counts), counts)
        if folder is not None:
            _write(part / "kinds", folder, _kinds(find_corpora(folder), most, counts), counts)
    return counts


def _is_converted(folder: Path) -> bool:
    """Whether a folder holds what `convert` writes and nothing else."""
    files = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if not path.is_dir()}
    return files <= {f"{part}/{split}.spacy" for part in _PARTS for split in _SPLITS}


def _write(folder: Path, source: Path, docs: Iterable[Doc], counts: Counter[str]) -> None:
    bins = {split: DocBin() for split in _SPLITS}
    for doc in docs:
        split = "dev" if in_part(sentence_key(doc.text), _HELD, _SEED) else "train"
        counts[f"{folder.name}, {split}: sentences"] += 1
        counts[f"{folder.name}, {split}: mentions"] += len(doc.ents)
        bins[split].add(doc)
    folder.mkdir()
    if not len(bins["train"]):
        raise BiochunkError(f"found no sentence to train on for '{folder.name}' in '{source}', expected some")
    for split, docbin in bins.items():
        docbin.to_disk(folder / f"{split}.spacy")


def _borders(folder: Path, most: int | None, counts: Counter[str]) -> Iterable[Doc]:
    paths = sorted(folder.glob("*/train.jsonl"))
    if not paths:
        raise UsageError(f"found no */train.jsonl in '{folder}', expected corpora by `biochunk corpora convert`")
    rng = np.random.default_rng(_SEED)
    for path in paths:
        records = [record for record in read_records(path) if record.entities][:most]
        counts[f"borders, {path.parent.name}: sentences"] = len(records)
        if not records:
            continue
        nlp = make_finder(read_dataset(dataset_path(records[0].dataset)), ("bio_entity_spans",))
        for doc, record in nlp.pipe(((record.text, record) for record in records), as_tuples=True):
            mentions = _mentions(record)
            gold = gold_spans(doc, mentions)
            counts["borders: mentions left out"] += len(mentions) - len(gold)
            set_borders(doc, gold, [(s.start, s.end) for s, _ in read_group(doc, ENTITIES)], rng, beside=_BESIDE)
            del doc.spans[ENTITIES]
            yield doc


def _mentions(record: Record) -> list[tuple[int, int, str]]:
    return [(start, end, LABEL) for start, end in sorted({(e.start, e.end) for e in record.entities})]


def _kinds(corpora: Sequence[IobCorpus], most: int | None, counts: Counter[str]) -> Iterable[Doc]:
    sentences = {corpus.name: corpus.sentences("train")[:most] for corpus in corpora}
    counts.update({f"kinds, {name}: sentences": len(found) for name, found in sentences.items()})
    names: dict[str, set[str]] = defaultdict(set)
    for found in sentences.values():
        for sentence in found:
            for start, end, label in sentence.mentions:
                names[label].add(sentence.text[start:end].lower())
    nlp = spacy.blank("en")
    tokenize = make_tokenizer()(nlp)
    for found in sentences.values():
        others = names_of_other_kinds(names, labels_of(found))
        for sentence in found:
            doc = tokenize(sentence.text)
            gold = gold_spans(doc, sentence.mentions)
            counts["kinds: mentions left out"] += len(sentence.mentions) - len(gold)
            set_kinds(doc, gold, others, _LONGEST)
            yield doc


def labels_of(sentences: Iterable[Tagged]) -> set[str]:
    """The kinds that a corpus annotates."""
    return {label for sentence in sentences for _, _, label in sentence.mentions}

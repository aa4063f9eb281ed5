"""What can be said without any reader: chunk health, retrieval health, and which mentions readers are offered."""

from collections import Counter
from typing import Any

from ...biomedrag.files import load_evidence, load_sentences
from ...biomedrag.labelled import evidence_labels
from ..chunk_health import chunk_health
from ..retrieval_health import retrieval_health
from .analyse import dataset_of
from .config import Arm, Experiment
from .corpus import Source
from .layout import Layout, pipeline_name, retrieval_name


def chunk_entries(experiment: Experiment, source: Source, layout: Layout) -> list[dict[str, Any]]:
    """Entries of `chunk_health` for one source, of the chunks that the chain uses."""
    records = source.records("scored")
    # Triggers that an arm does not look for stand in its chunks all the same: one pipeline's triggers for all arms.
    common = pipeline_name(Arm(pipeline=experiment.mentions))
    cues = [s.cues for s in load_sentences(layout.sentences(source.view, source.dataset, common, "scored"))]
    entries = []
    for name, arm in experiment.arms.items():
        if arm.scorer:
            continue
        path = layout.sentences(source.view, source.dataset, pipeline_name(arm), "scored")
        sentences = [
            s._replace(pieces=s.pieces[: arm.top_k], cues=own)
            for s, own in zip(load_sentences(path), cues, strict=True)
        ]
        found = chunk_health(sentences, records)
        entries.append({"view": source.view, "dataset": source.dataset, "arm": name, **found.rates()})
    return entries


def retrieval_entries(experiment: Experiment, source: Source, layout: Layout) -> list[dict[str, Any]]:
    """Entries of `retrieval_health` for one source: each arm with its evidence as its reader sees it."""
    records = source.records("scored")
    relations = list(dataset_of(source.dataset).relations)
    labels = [evidence_labels(record, relations) for record in records]
    # What always serving the most common relation of train would hit.
    counts = Counter(label for record in source.records("train") for label in evidence_labels(record, relations))
    common = counts.most_common(1)[0][0]
    prior = sum(common in own for own in labels) / len(labels)
    entries = []
    for name, arm in experiment.arms.items():
        order = "scorer" if arm.scorer else "cosine"
        path = layout.evidence(source.view, source.dataset, retrieval_name(arm, experiment), "scored", order=order)
        found = load_evidence(path)
        health = retrieval_health([found[record.id] for record in records], labels)
        place = {"view": source.view, "dataset": source.dataset, "arm": name, "order": order}
        entries.append({**place, **health._asdict(), "prior": prior})
    return entries


def mention_entry(experiment: Experiment, source: Source, layout: Layout) -> dict[str, Any]:
    """How many gold mentions are exactly among those that the reader is offered."""
    name = pipeline_name(Arm(pipeline=experiment.mentions))
    sentences = load_sentences(layout.sentences(source.view, source.dataset, name, "scored"))
    ends = both = triples = offered = 0
    for record, sentence in zip(source.records("scored"), sentences, strict=True):
        places = {entity.id: (entity.start, entity.end) for entity in record.entities}
        found = set(sentence.mentions)
        offered += len(found)
        for triple in record.triples:
            hits = [places[end] in found for end in (triple.head, triple.tail)]
            triples, ends, both = triples + 1, ends + sum(hits), both + all(hits)
    return {
        "view": source.view,
        "dataset": source.dataset,
        "exact": ends / (2 * triples) if triples else None,
        "both": both / triples if triples else None,
        "per sentence": offered / len(sentences),
    }

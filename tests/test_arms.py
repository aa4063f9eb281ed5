"""Every shipped arm on the sample sentences of every dataset: what must never be, is not."""

from pathlib import Path

import pytest

from biochunk.build import build_pipeline
from biochunk.corpora.records import read_records
from biochunk.schemas import read_dataset
from biochunk.shipped import dataset_path, shipped_names
from biochunk.spans import CHUNKS, ENTITIES, PROPOSITIONS
from tests.conftest import build_tiny_static_encoder

SAMPLES = Path(__file__).parents[1] / "corpora" / "samples"


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    path = tmp_path_factory.mktemp("table")
    build_tiny_static_encoder(["drug", "disease", "protein", "inhibits", "causes", "interaction"]).to_disk(path)
    return path


@pytest.mark.parametrize("arm", shipped_names("pipelines"))
@pytest.mark.parametrize("name", ["gmciht", "ddi", "chemprot", "ade"])
def test_no_arm_cuts_an_entity_or_leaves_a_sentence_without_chunks(table, name, arm):
    nlp = build_pipeline(read_dataset(dataset_path(name)), arm=arm, encoder=table)
    selector = nlp.get_pipe("hybrid_selector")
    texts = [record.text for record in read_records(SAMPLES / name / "dev.jsonl")]
    for text, doc in zip(texts, nlp.pipe(texts), strict=True):
        assert doc.text == text
        assert all(selector.candidates(doc))
        for chunk in doc._.bio_chunks:
            assert chunk.text == text[chunk.start_char : chunk.end_char]
        entities = doc.spans.get(ENTITIES, [])
        for group in (CHUNKS, PROPOSITIONS):
            for span in doc.spans.get(group, []):
                assert not any(e.start < border < e.end for e in entities for border in (span.start, span.end))

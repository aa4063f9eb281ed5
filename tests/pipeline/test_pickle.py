"""Pipelines are pickled for other processes: `nlp.pipe(n_process=2)` where processes are spawned, joblib, Spark."""

import pickle

import pytest

from tests.pipeline.conftest import dataset

RULES = ["brackets", "coordination", "shapes", "affixes", "noun_phrase"]
TEXT = "Aspirin inhibits COX-1 and -2 in rats after treatment of pain with ibuprofen, but IL-6 activates X-123."


@pytest.mark.parametrize(
    "entities", [{}, {"rules": RULES, "patterns": [{"name": "code", "pattern": "X-[0-9]{3}"}]}], ids=["default", "all"]
)
def test_a_pickled_pipeline_gives_equal_chunks(make_pipeline, entities):
    nlp = make_pipeline(data=dataset(**({"entities": entities} if entities else {})))
    docs = [pipeline(TEXT) for pipeline in (nlp, pickle.loads(pickle.dumps(nlp)))]
    first, second = ([(c.text, c.source, c.score) for c in doc._.bio_chunks] for doc in docs)
    assert first == second
    assert first

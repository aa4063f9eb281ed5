"""What the arm "adaptive" decides, sentence by sentence, and that its decisions travel with the Doc."""

import pytest
import spacy
from spacy.tokens import DocBin, Span
from spacy.vocab import Vocab

from biochunk.batch.records import to_record
from biochunk.batch.texts import Text
from biochunk.spans import CHUNKS, ENTITIES

from .conftest import COMPONENTS, dataset

NAMES = {"aspirin", "metformin", "warfarin", "digoxin", "cox-2", "ampk", "mice", "rats"}


@pytest.fixture
def adaptive(make_pipeline):
    """Runs the arm over a text in which the names above are the entities."""

    def run(text, *, target=None, **options):
        nlp = make_pipeline(
            bio_entity_spans={"source": "ents"},
            hybrid_selector={"sources": ["pair", "trigger", "entity", "fixed"], "ranking": "adaptive", **options},
        )
        doc = nlp.make_doc(text)
        doc.ents = [Span(doc, t.i, t.i + 1, label="NAME") for t in doc if t.lower_ in NAMES]
        doc._.bio_target_relation = target
        return nlp(doc)

    return run


SENTENCES = [
    # short: whole, then the pair
    (
        "Aspirin inhibits COX-2.",
        [
            ("Aspirin inhibits COX-2.", "sentence: 2 entities in 4 tokens"),
            ("Aspirin inhibits COX-2", "pair: 2 entities, trigger 'inhibits' between"),
        ],
    ),
    # one pair in a long sentence: the pair, then its context
    (
        "In the years after that it was seen time and again that aspirin inhibits COX-2, which nobody had expected.",
        [
            ("aspirin inhibits COX-2", "pair: 2 entities, trigger 'inhibits' between"),
            ("time and again that aspirin inhibits COX-2, which nobody had", "context: the likeliest pair stands out"),
        ],
    ),
    # two clauses: each pair by itself
    (
        "As we know, aspirin strongly inhibits COX-2, whereas metformin only activates AMPK at such a dose as that.",
        [
            ("aspirin strongly inhibits COX-2", "pair: 4 entities, trigger 'inhibits' between"),
            ("metformin only activates AMPK", "pair: 4 entities, trigger 'activates' between"),
        ],
    ),
    # negation stays with its pair
    (
        "In these mice, as was shown before by all of us, aspirin did not inhibit COX-2, but warfarin was fine.",
        [("aspirin did not inhibit COX-2", "pair: 4 entities, trigger 'inhibit' between")],
    ),
    # a trigger beside its pair
    (
        "This was the first of many reports on a clear interaction of aspirin and warfarin in the whole literature.",
        [("interaction of aspirin and warfarin", "pair: 2 entities, trigger 'interaction' before")],
    ),
    # no trigger, or no pair
    (
        "In these mice aspirin and COX-2 were both seen, and so were warfarin, some digoxin and others.",
        [(None, "window: no trigger")],
    ),
    (
        "It was not as it should have been, and so it was never done again by any of them.",
        [(None, "window: 0 entities")],
    ),
]


@pytest.mark.parametrize(("text", "expected"), SENTENCES, ids=[text[:40] for text, _ in SENTENCES])
def test_granularity(adaptive, text, expected):
    found = [(chunk.text, chunk.reason) for chunk in adaptive(text, top_k=len(expected))._.bio_chunks]
    assert [reason for _, reason in found] == [reason for _, reason in expected]
    for (chunk, _), (wanted, _) in zip(found, expected, strict=True):
        assert wanted in (None, chunk)


def test_a_pair_says_which_proposition_it_isolates(adaptive):
    doc = adaptive(SENTENCES[2][0])
    first, second = doc._.bio_chunks
    by_id = {p.span.id_: p for p in doc._.bio_propositions}
    assert (by_id[first.proposition].relation, first.relation, first.priority) == ("INHIBITS", "INHIBITS", 6)
    assert by_id[second.proposition].relation == second.relation == "STIMULATES"
    assert 0 < second.score <= first.score < 1


def test_a_target_relation_decides_which_triggers_count(adaptive):
    first = adaptive(SENTENCES[2][0], target="STIMULATES")._.bio_chunks[0]
    assert (first.text, first.relation) == ("metformin only activates AMPK", "STIMULATES")


def test_every_chunk_has_a_reason(adaptive):
    for text, _ in SENTENCES:
        chunks = adaptive(text, top_k=20)._.bio_chunks
        assert chunks
        assert all(chunk.reason for chunk in chunks)


def test_other_rankings_give_no_reason(adaptive):
    chunks = adaptive(SENTENCES[1][0], sources=["entity"], ranking="cosine")._.bio_chunks
    assert {chunk.reason for chunk in chunks} == {""}


def test_marks_say_which_pair_is_meant(make_pipeline):
    nlp = make_pipeline(
        data=dataset(entities={"rules": ["padding", "noun_phrase"]}),
        hybrid_selector={"sources": ["pair"], "ranking": "adaptive"},
    )
    text = (
        "In mice warfarin activates AMPK, and  aspirin  was given to rats, where digoxin inhibits  COX-2  as in most."
    )
    chunk = nlp(text)._.bio_chunks[0]
    assert chunk.text == "aspirin  was given to rats, where digoxin inhibits  COX-2"
    assert ", both marked, trigger 'inhibits' between" in chunk.reason


def test_overlapping_entities_are_one_mention(make_pipeline):
    options = {"sources": ["pair", "entity"], "ranking": "adaptive", "max_tokens": 5}
    nlp = make_pipeline(components=COMPONENTS[1:], hybrid_selector=options)
    doc = nlp.make_doc("serum aspirin strongly inhibits the COX-2 enzyme in rats")
    doc.spans[ENTITIES] = [doc[0:2], doc[1:2], doc[5:6], doc[5:7]]
    for _, component in nlp.pipeline:
        doc = component(doc)
    chunk = doc._.bio_chunks[0]
    assert chunk.reason == "pair: 2 entities, trigger 'inhibits' between"
    assert chunk.text == "serum aspirin strongly inhibits the COX-2 enzyme"


def test_reasons_stand_in_records(adaptive):
    text = SENTENCES[0][0]
    record = to_record(adaptive(text), Text(id="a", text=text, meta={}, source=None))
    assert record["chunks"][1]["reason"] == "pair: 2 entities, trigger 'inhibits' between"


def test_reasons_travel(make_pipeline, tmp_path):
    nlp = make_pipeline(hybrid_selector={"sources": ["pair", "entity"], "ranking": "adaptive"})
    nlp.to_disk(tmp_path)
    texts = [text for text, _ in SENTENCES]
    expected = [nlp(text).spans[CHUNKS].attrs for text in texts]
    assert all(facts["reason"] for attrs in expected for facts in attrs.values())
    assert [doc.spans[CHUNKS].attrs for doc in spacy.load(tmp_path).pipe(texts)] == expected
    docs = DocBin(docs=list(nlp.pipe(texts, batch_size=3))).to_bytes()
    assert [doc.spans[CHUNKS].attrs for doc in DocBin().from_bytes(docs).get_docs(Vocab())] == expected


def test_sentences_are_planned_by_themselves(make_pipeline):
    options = {"sources": ["pair", "entity"], "ranking": "adaptive", "max_tokens": 5, "top_k": 1}
    nlp = make_pipeline(sentences=True, hybrid_selector=options)
    doc = nlp("Aspirin was seen in all the mice. Warfarin there activates AMPK in all of them.")
    assert [(chunk.sentence, chunk.reason) for chunk in doc._.bio_chunks] == [
        (0, "window: no trigger"),
        (1, "pair: 2 entities, trigger 'activates' between"),
    ]

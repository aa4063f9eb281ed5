"""The same questions to every component: options by config, saving, Docs that travel, empty and odd Docs."""

import pytest
import spacy
from spacy.tokens import Doc, DocBin
from spacy.training import Example
from spacy.vocab import Vocab

from biochunk.errors import BiochunkError
from biochunk.spans import CHUNKS, ENTITIES, PROPOSITIONS, TRIGGERS

from .conftest import COMPONENTS, dataset

TEXT = "Aspirin therapy reduces inflammation by inhibiting COX-1 and COX-2. It may not cause β-cell pain in patients."
GROUPS = (ENTITIES, TRIGGERS, PROPOSITIONS, CHUNKS)


def facts(doc):
    """All that stands on a Doc, as plain values."""
    return {
        group: [(s.start_char, s.end_char, s.label_, s.id_, doc.spans[group].attrs[s.id_]) for s in doc.spans[group]]
        for group in GROUPS
    }


@pytest.fixture
def nlp(make_pipeline):
    return make_pipeline(sentences=True)


def test_every_group_is_filled(nlp):
    assert all(facts(nlp(TEXT)).values())


def test_two_runs_give_the_same_bytes(nlp):
    assert nlp(TEXT).to_bytes() == nlp(TEXT).to_bytes()


def test_pipe_gives_what_single_calls_give(nlp):
    texts = [TEXT, "", "Aspirin inhibits COX-2.", "   ", "x"] * 3
    assert [facts(doc) for doc in nlp.pipe(texts, batch_size=2)] == [facts(nlp(text)) for text in texts]


@pytest.mark.parametrize(
    "travel",
    [
        lambda doc, nlp: Doc(nlp.vocab).from_bytes(doc.to_bytes()),
        lambda doc, nlp: Doc(Vocab()).from_bytes(doc.to_bytes()),
        lambda doc, nlp: next(iter(DocBin().from_bytes(DocBin(docs=[doc]).to_bytes()).get_docs(Vocab()))),
        lambda doc, nlp: doc.copy(),
        lambda doc, nlp: list(nlp.pipe([TEXT, TEXT], n_process=2))[1],
    ],
    ids=["to_bytes", "other vocab", "DocBin", "copy", "n_process"],
)
def test_facts_travel_with_the_doc(nlp, travel):
    doc = nlp(TEXT)
    travelled = travel(doc, nlp)
    assert facts(travelled) == facts(doc)
    assert [p.relation for p in travelled._.bio_propositions] == [p.relation for p in doc._.bio_propositions]


@pytest.mark.parametrize("way", ["bytes", "disk"])
def test_a_saved_pipeline_works_the_same(nlp, way, tmp_path):
    if way == "bytes":
        loaded = spacy.blank("en").from_config(nlp.config).from_bytes(nlp.to_bytes())
    else:
        nlp.to_disk(tmp_path)
        loaded = spacy.load(tmp_path)
    assert facts(loaded(TEXT)) == facts(nlp(TEXT))
    assert not list(tmp_path.rglob("*.pkl"))


@pytest.mark.parametrize("name", COMPONENTS)
def test_component_bytes_round_trip(nlp, name):
    component = nlp.get_pipe(name)
    data = component.to_bytes()
    other = spacy.blank("en").add_pipe(name)
    assert other.from_bytes(data).to_bytes() == data


@pytest.mark.parametrize("name", COMPONENTS)
def test_exclude_is_kept_to(nlp, name, tmp_path):
    nlp.get_pipe(name).to_disk(tmp_path / name, exclude=["knowledge"])
    assert not (tmp_path / name / "knowledge.json").exists()


@pytest.mark.parametrize("name", COMPONENTS)
def test_a_component_without_a_dataset_says_so(name):
    component = spacy.blank("en").add_pipe(name)
    with pytest.raises(BiochunkError, match=r"\[B002\].*initialize\.components"):
        component.initialize()
    with pytest.raises(BiochunkError, match=r"\[B002\]"):
        component(spacy.blank("en")("Aspirin"))


@pytest.mark.parametrize(
    ("name", "missing"),
    [
        ("proposition_extractor", ENTITIES),
        ("relation_resolver", PROPOSITIONS),
        ("hybrid_selector", "bio_"),
    ],
)
def test_a_missing_group_is_named(make_pipeline, name, missing):
    nlp = make_pipeline(components=(name,))
    with pytest.raises(BiochunkError, match=rf"\[B004\].*{missing}"):
        nlp("Aspirin inhibits COX-2.")


@pytest.mark.parametrize(
    ("name", "option", "value"),
    [
        ("hybrid_selector", "stride", 0),
        ("hybrid_selector", "width", 2),
        ("hybrid_selector", "max_tokens", 3),
        ("hybrid_selector", "top_k", 0),
        ("hybrid_selector", "mix", 1.5),
        ("hybrid_selector", "sources", []),
        ("hybrid_selector", "ranking", "adaptive"),
        ("relation_resolver", "tier_bonus", [1.0]),
        ("proposition_extractor", "search", 0),
        ("bio_entity_spans", "max_tokens", 0),
    ],
)
def test_a_wrong_option_is_named(name, option, value):
    with pytest.raises(BiochunkError, match=rf"\[B003\].*{option}"):
        spacy.blank("en").add_pipe(name, config={option: value})


@pytest.mark.parametrize("name", COMPONENTS)
def test_factories_are_entry_points(name):
    assert spacy.blank("en").has_factory(name)
    meta = spacy.blank("en").get_factory_meta(name)
    assert "doc.spans" in meta.assigns


def test_initialize_by_config(tmp_path, make_pipeline):
    path = tmp_path / "tiny.json"
    path.write_text(dataset().model_dump_json(), encoding="utf8")
    nlp = spacy.blank("en")
    nlp.add_pipe("trigger_tagger")
    reader = {"@readers": "biochunk.dataset.v1", "path": str(path)}
    nlp.config["initialize"]["components"]["trigger_tagger"] = {"dataset": reader}
    nlp.initialize()
    assert [t.relation for t in nlp("Aspirin inhibits COX-2")._.bio_triggers] == ["INHIBITS"]


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("bio_entity_spans", "bio_entities"),
        ("trigger_tagger", "bio_triggers"),
        ("proposition_extractor", "bio_propositions"),
        ("relation_resolver", "bio_relations"),
        ("hybrid_selector", "bio_chunks"),
    ],
)
def test_scores_can_lose(nlp, name, key):
    component = nlp.get_pipe(name)
    gold, blank = nlp("Aspirin inhibits COX-2."), nlp.make_doc("Aspirin inhibits COX-2.")
    assert component.score([Example(gold, gold)])[f"{key}_r"] == 1.0
    # Gold that was never proposed is a miss, also where another example is right.
    scores = component.score([Example(blank, gold), Example(gold, gold)])
    assert scores[f"{key}_r"] == 0.5
    assert component.score([Example(gold, blank)])[f"{key}_f"] is None


def test_evaluate_reports_every_component(nlp):
    gold = nlp("Aspirin inhibits COX-2.")
    scores = nlp.evaluate([Example(nlp.make_doc(gold.text), gold)])
    assert {
        "bio_entities_f",
        "bio_triggers_f",
        "bio_propositions_f",
        "bio_relations_f",
        "bio_chunks_r",
    } <= scores.keys()


def test_equal_offsets_keep_their_own_facts(make_pipeline):
    doc = make_pipeline()("Aspirin treatment of patients with pain")
    spans = [(span.start, span.end, span.id_) for span in doc.spans[PROPOSITIONS]]
    assert len({key for *_, key in spans}) == len(spans)


@pytest.mark.parametrize(
    "text", ["", " ", "\n\n", "\u200b", "a", "(" * 300, "Aspirin" * 200, "🧬 β\u0301 \u00a0 x\r\ny"]
)
def test_odd_texts_do_no_harm(nlp, text):
    doc = nlp(text)
    assert doc.text == text
    for chunk in doc._.bio_chunks:
        assert chunk.text == text[chunk.start_char : chunk.end_char]
    assert bool(doc._.bio_chunks) == bool(text.strip())


def test_overlapping_entities_of_other_components_are_not_cut(make_pipeline):
    nlp = make_pipeline(components=COMPONENTS[1:])
    doc = nlp.make_doc("serum aspirin level inhibits COX-2 in rats")
    doc.spans[ENTITIES] = [doc[0:3], doc[1:2], doc[4:5], doc[1:4]]
    for _, component in nlp.pipeline:
        doc = component(doc)
    entities = [(span.start, span.end) for span in doc.spans[ENTITIES]]
    assert doc._.bio_propositions
    for group in (PROPOSITIONS, CHUNKS):
        for span in doc.spans[group]:
            assert not any(s < span.start < e or s < span.end < e for s, e in entities)


def test_mix_joins_cosine_and_priority(make_pipeline):
    doc = make_pipeline(hybrid_selector={"ranking": "mix"})(
        "Aspirin inhibits COX-2 and a drug causes pain in patients."
    )
    for chunk in doc._.bio_chunks:
        assert chunk.score <= 1.0
    best = next(chunk for chunk in doc._.bio_chunks if chunk.proposition is not None)
    # The highest priority counts in full: 30 % of the score.
    assert best.score >= 0.3

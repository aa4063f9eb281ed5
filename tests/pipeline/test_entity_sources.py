"""Several sources of entities in one pipeline, by one config value."""

import pytest
import spacy
from spacy.tokens import DocBin

from biochunk.build import build_pipeline
from biochunk.errors import BiochunkError
from biochunk.pipeline.entity_sources import parse_sources
from biochunk.pipeline.gazetteer import Terms

from .conftest import dataset

TEXT = "Serum insulin and old aspirin inhibit it."


@pytest.fixture(scope="module")
def recogniser(tmp_path_factory):
    nlp = spacy.blank("en", meta={"name": "tiny_ner"})
    nlp.add_pipe("entity_ruler").add_patterns(
        [{"label": "GENE", "pattern": [{"LOWER": "insulin"}]}, {"label": "CHEMICAL", "pattern": [{"LOWER": "aspirin"}]}]
    )
    path = tmp_path_factory.mktemp("models") / "recogniser"
    nlp.to_disk(path)
    return str(path)


def pipeline(recogniser, source, terms=None, **options):
    nlp = spacy.blank("en", config={"nlp": {"tokenizer": {"@tokenizers": "biochunk.tokenizer.v1"}}})
    pipe = nlp.add_pipe("bio_entity_spans", config={"source": source, "ner": recogniser, **options})
    pipe.initialize(dataset=dataset(), gazetteer=terms)
    return nlp


def found(nlp, text=TEXT):
    return [(e.text, e.label, e.rule, e.boundary, e.source) for e in nlp(text)._.bio_entities]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("rules", ["rules"]),
        ("regex", ["rules"]),
        ("ner+regex", ["ner", "rules"]),
        (" ner + gazetteer ", ["ner", "gazetteer"]),
        (["en_ner_one", "regex", "en_ner_one"], ["en_ner_one", "rules"]),
        (["ner+regex", "ents"], ["ner", "rules", "ents"]),
        ("models/a+b", ["models/a+b"]),
        ("", [""]),
        ([], []),
    ],
)
def test_sources_are_read(source, expected):
    assert parse_sources(source) == expected


@pytest.mark.parametrize("source", [["rules", "paper"], []])
def test_impossible_sources_are_refused(recogniser, source):
    with pytest.raises(BiochunkError, match=r"\[B003\].*source is"):
        pipeline(recogniser, source)


def test_each_span_says_what_found_it(recogniser):
    assert found(pipeline(recogniser, "ner")) == [
        ("insulin", "GENE", "ner", "", "en_tiny_ner"),
        ("aspirin", "CHEMICAL", "ner", "", "en_tiny_ner"),
    ]
    both = found(pipeline(recogniser, "ner+regex", overlap="nested"))
    assert ("insulin", "GENE", "ner", "minimal", "en_tiny_ner") in both
    assert ("Serum insulin", "ENTITY", "noun_phrase", "maximal", "") in both


def test_longest_takes_the_whole_phrase_and_first_the_recogniser(recogniser):
    longest = [text for text, *_ in found(pipeline(recogniser, "ner+regex", overlap="longest"))]
    first = [text for text, *_ in found(pipeline(recogniser, "ner+regex", overlap="first"))]
    assert "Serum insulin" in longest and "insulin" not in longest
    assert "insulin" in first and "Serum insulin" not in first


def test_a_term_gives_its_label_to_the_same_span(recogniser):
    terms = Terms([("serum insulin", "GENE", "M7")])
    [entity] = [e for e in found(pipeline(recogniser, "regex+gazetteer", terms)) if e[0] == "Serum insulin"]
    assert entity[1] == "GENE"


def test_the_papers_rules_find_its_three_patterns_alone(recogniser):
    nlp = pipeline(recogniser, "paper")
    text = "Tumor Necrosis Factor and COX-2 but not aspirin in [ ibuprofen ] rats"
    rules = {(text, rule) for text, _, rule, _, _ in found(nlp, text)}
    assert {text for text, _ in rules} >= {"Tumor Necrosis Factor", "COX-2", "ibuprofen"}
    assert "aspirin" not in {text for text, _ in rules}
    assert {rule for _, rule in rules} <= {"brackets", "capitalised", "hyphenated"}


def test_facts_survive_saving_and_docbin(recogniser, tmp_path):
    nlp = pipeline(recogniser, "ner+regex")
    nlp.to_disk(tmp_path / "saved")
    loaded = spacy.load(tmp_path / "saved")
    assert found(loaded) == found(nlp)
    assert found(spacy.blank("en").from_config(nlp.config).from_bytes(nlp.to_bytes())) == found(nlp)
    [doc] = DocBin().from_bytes(DocBin(docs=[nlp(TEXT)]).to_bytes()).get_docs(nlp.vocab)
    assert [(e.text, e.label, e.rule, e.boundary, e.source) for e in doc._.bio_entities] == found(nlp)


def test_batches_find_what_single_texts_do(recogniser):
    nlp = pipeline(recogniser, "ner+regex")
    texts = [TEXT, "", "Aspirin.", TEXT.upper()]
    in_batches = [[(e.text, e.rule) for e in doc._.bio_entities] for doc in nlp.pipe(texts)]
    assert in_batches == [[(e.text, e.rule) for e in nlp(text)._.bio_entities] for text in texts]


def test_an_error_in_a_batch_goes_to_the_handler_with_its_doc(recogniser, monkeypatch):
    nlp = pipeline(recogniser, "ner")
    pipe = nlp.get_pipe("bio_entity_spans")
    whole = pipe.recognisers["ner"].find
    monkeypatch.setattr(
        pipe.recognisers["ner"], "find", lambda docs: whole(docs) if all(d.text != "bad" for d in docs) else 1 / 0
    )
    failed = []
    nlp.set_error_handler(lambda name, component, docs, error: failed.extend(doc.text for doc in docs))
    assert [doc.text for doc in nlp.pipe(["Aspirin.", "bad", TEXT])] == ["Aspirin.", TEXT]
    assert failed == ["bad"]


def test_a_built_pipeline_names_its_recogniser_and_no_path(recogniser, tmp_path, tiny_static_encoder):
    arm = tmp_path / "mine.cfg"
    arm.write_text(
        f'[components.bio_entity_spans]\nfactory = "bio_entity_spans"\nsource = "ner+regex"\nner = "{recogniser}"\n'
    )
    tiny_static_encoder(["drug"]).to_disk(tmp_path / "table")
    nlp = build_pipeline(dataset(), arm=str(arm), encoder=tmp_path / "table")
    settings = nlp.get_pipe_config("bio_entity_spans")
    assert (settings["source"], settings["ner"]) == (["ner", "rules"], "en_tiny_ner")
    nlp.to_disk(tmp_path / "saved")
    assert found(spacy.load(tmp_path / "saved")) == found(nlp)


def test_terms_come_by_config(recogniser, tmp_path, tiny_static_encoder):
    (tmp_path / "terms.txt").write_text("old aspirin\n", encoding="utf8")
    arm = tmp_path / "mine.cfg"
    arm.write_text(
        '[components.bio_entity_spans]\nfactory = "bio_entity_spans"\nsource = "gazetteer"\n'
        '[initialize.components.bio_entity_spans.gazetteer]\n@readers = "biochunk.gazetteer.v1"\n'
        f'path = "{tmp_path / "terms.txt"}"\n'
    )
    tiny_static_encoder(["drug"]).to_disk(tmp_path / "table")
    nlp = build_pipeline(dataset(), arm=str(arm), encoder=tmp_path / "table")
    assert [entity[0] for entity in found(nlp)] == ["old aspirin"]


def test_annotation_marks_come_before_any_source(recogniser):
    nlp = pipeline(recogniser, "ner+regex")
    text = "Low doses of [ old aspirin ] inhibit it."
    assert [(text, rule) for text, _, rule, _, _ in found(nlp, text) if "aspirin" in text] == [
        ("old aspirin", "brackets")
    ]

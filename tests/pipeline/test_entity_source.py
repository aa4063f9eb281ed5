"""Where entities come from is one config value; nothing else in the pipeline changes."""

import pytest
import spacy

from biochunk.errors import BiochunkError
from biochunk.spans import ENTITIES

from .conftest import dataset

TEXT = "Aspirin inhibits COX-2 in rats."


@pytest.fixture(scope="module")
def recogniser(tmp_path_factory):
    """A saved spaCy pipeline that sets `doc.ents`, with other tokens than ours."""
    nlp = spacy.blank("xx")
    nlp.add_pipe("entity_ruler").add_patterns(
        # Token patterns: spaCy's ruler loses phrase patterns on the way through bytes.
        [
            {"label": "CHEMICAL", "pattern": [{"ORTH": "Aspirin"}]},
            {"label": "GENE", "pattern": [{"ORTH": "COX-2"}]},
        ]
    )
    path = tmp_path_factory.mktemp("models") / "recogniser"
    nlp.to_disk(path)
    return path


def found(doc):
    return [(entity.text, entity.label, entity.rule) for entity in doc._.bio_entities]


EXPECTED = [("Aspirin", "CHEMICAL", "ner"), ("COX-2", "GENE", "ner")]


def test_another_pipeline_by_path(make_pipeline, recogniser):
    nlp = make_pipeline(bio_entity_spans={"source": str(recogniser)})
    doc = nlp(TEXT)
    assert found(doc) == EXPECTED
    assert [(p.subject.text, p.object.text) for p in doc._.bio_propositions] == [("Aspirin", "COX-2")]


def test_the_recogniser_is_carried_inside(make_pipeline, recogniser, tmp_path):
    nlp = make_pipeline(bio_entity_spans={"source": str(recogniser)})
    nlp.to_disk(tmp_path / "pipeline")
    moved = recogniser.rename(recogniser.with_name("moved"))
    try:
        assert found(spacy.load(tmp_path / "pipeline")(TEXT)) == EXPECTED
        other = spacy.blank("en").from_config(nlp.config).from_bytes(nlp.to_bytes())
        assert found(other(TEXT)) == EXPECTED
    finally:
        moved.rename(recogniser)


def test_ents_of_an_earlier_component():
    nlp = spacy.blank("en")
    nlp.add_pipe("entity_ruler").add_patterns([{"label": "CHEMICAL", "pattern": "Aspirin"}])
    nlp.add_pipe("bio_entity_spans", config={"source": "ents"}).initialize(dataset=dataset())
    assert found(nlp(TEXT)) == [("Aspirin", "CHEMICAL", "ner")]


def test_an_unknown_source_is_named(make_pipeline):
    with pytest.raises(BiochunkError, match=r"\[B003\].*source is 'no_such_pipeline'.*'rules', 'ents'"):
        make_pipeline(bio_entity_spans={"source": "no_such_pipeline"})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Tumor necrosis factor alpha receptor-complex regulates it", "Tumor necrosis factor alpha receptor-complex"),
        ("it inhibits IL-2(IL-2) there", "IL-2(IL-2)"),
        ("it binds tris(2,2'-bipyridyl)ruthenium(II) there", "tris(2,2'-bipyridyl)ruthenium(II)"),
        ("the serum of Parkinson Disease patients", "Parkinson Disease patients"),
        ("given vitamin D 3 in rats", "vitamin D 3"),
        ("the α-tocopherol was low", "α-tocopherol"),
        ("an aspirin-induced rash", "aspirin"),
    ],
)
def test_rules_find(make_pipeline, text, expected):
    doc = make_pipeline(components=("bio_entity_spans",))(text)
    assert expected in [span.text for span in doc.spans[ENTITIES]]


def test_patterns_of_the_user_win(make_pipeline):
    patterns = [{"name": "dose", "pattern": r"\d+ mg"}, {"name": "carotene", "pattern": "β-car.*e"}]
    nlp = make_pipeline(components=("bio_entity_spans",), data=dataset(entities={"patterns": patterns}))
    # An astral character and Greek letters before the match must not move it.
    assert found(nlp("🧬 β-carotene at 5 mg")) == [("β-carotene", "ENTITY", "carotene"), ("5 mg", "ENTITY", "dose")]


@pytest.mark.parametrize("text", ["gave  aspirin\u00a0  ", "Rats  aspirin \u00a0  there", "[ aspirin\u2009 ] here"])
def test_marks_hold_no_white_space(make_pipeline, text):
    data = dataset(entities={"rules": ["brackets", "padding", "noun_phrase"]})
    doc = make_pipeline(data=data)(text)
    assert "aspirin" in [span.text for span in doc.spans[ENTITIES]]
    assert all(span.text == span.text.strip() for span in doc.spans[ENTITIES])

"""Short and long forms that an earlier component has paired count as one entity."""

import pytest
import spacy
from spacy.language import Language
from spacy.tokens import Doc, DocBin, Span

from biochunk.pipeline.abbreviations import join_abbreviations
from biochunk.spans import read_group

from .conftest import dataset

TEXT = "Tumor necrosis factor (TNF) rose. Anti TNF drugs lower TNF."


def entity(start, end, label="GENE"):
    return (start, end, label, {"rule": "ner"})


def same_as(found):
    return [(start, end, label, facts.get("same_as")) for start, end, label, facts in found]


@pytest.mark.parametrize(
    ("found", "pairs", "expected"),
    [
        ([entity(0, 3), entity(4, 5)], [((4, 5), (0, 3))], [(0, 3, "GENE", "e0"), (4, 5, "GENE", "e0")]),
        # The detector's long form is a part of the mention, or the mention of it.
        ([entity(0, 4), entity(5, 6)], [((5, 6), (1, 4))], [(0, 4, "GENE", "e0"), (5, 6, "GENE", "e0")]),
        ([entity(2, 3), entity(5, 6)], [((5, 6), (0, 3))], [(2, 3, "GENE", "e0"), (5, 6, "GENE", "e0")]),
        # A short form that nothing found becomes a mention, with the label of its long form.
        (
            [entity(0, 3)],
            [((4, 5), (0, 3)), ((9, 10), (0, 3))],
            [(0, 3, "GENE", "e0"), (4, 5, "GENE", "e0"), (9, 10, "GENE", "e0")],
        ),
        # Nothing is found where neither form is.
        ([entity(7, 8)], [((4, 5), (0, 3))], [(7, 8, "GENE", None)]),
        ([entity(0, 1), entity(2, 3)], [], [(0, 1, "GENE", None), (2, 3, "GENE", None)]),
        # Two long forms with a mention in common are one entity.
        (
            [entity(0, 3), entity(4, 5), entity(6, 7)],
            [((4, 5), (0, 3)), ((4, 5), (6, 7))],
            [(0, 3, "GENE", "e0"), (4, 5, "GENE", "e0"), (6, 7, "GENE", "e0")],
        ),
    ],
)
def test_forms_are_joined(found, pairs, expected):
    assert same_as(join_abbreviations(found, pairs)) == expected


@pytest.fixture
def detector():
    """A stand-in for scispaCy's AbbreviationDetector: the same extensions, filled for TNF; removed after the test."""
    Doc.set_extension("abbreviations", default=[])
    Span.set_extension("long_form", default=None)

    @Language.factory("stand_in_abbreviations", default_config={"make_serializable": False})
    def make(nlp, name, make_serializable: bool):
        def detect(doc):
            found = []
            for token in doc:
                if token.text == "TNF":
                    short, long = doc[token.i : token.i + 1], doc[0:3]
                    short._.long_form = long
                    facts = {"short_start": short.start, "short_end": short.end, "long_start": 0, "long_end": 3}
                    found.append(facts if make_serializable else short)
            doc._.abbreviations = found
            return doc

        return detect

    yield
    Doc.remove_extension("abbreviations")
    Span.remove_extension("long_form")


@pytest.mark.parametrize("serializable", [False, True])
def test_what_scispacy_writes_is_read_and_survives(detector, serializable):
    nlp = spacy.blank("en")
    nlp.add_pipe("stand_in_abbreviations", config={"make_serializable": serializable})
    nlp.add_pipe("entity_ruler").add_patterns([{"label": "GENE", "pattern": "Tumor necrosis factor"}])
    nlp.add_pipe("bio_entity_spans", config={"source": "ents"}).initialize(dataset=dataset())
    doc = nlp(TEXT)
    expected = [("Tumor necrosis factor", "e0")] + [("TNF", "e0")] * 3
    assert [(e.text, e.same_as) for e in doc._.bio_entities] == expected
    doc.user_data.clear()  # the detector's spans cannot be saved, ours can
    [again] = DocBin().from_bytes(DocBin(docs=[doc]).to_bytes()).get_docs(nlp.vocab)
    assert [(span.text, facts["same_as"]) for span, facts in read_group(again, "bio_entities")] == expected


def test_a_definition_is_no_argument(detector):
    nlp = spacy.blank("en")
    nlp.add_pipe("stand_in_abbreviations")
    nlp.add_pipe("entity_ruler").add_patterns(
        [{"label": "GENE", "pattern": "Tumor necrosis factor"}, {"label": "GENE", "pattern": "leptin"}]
    )
    for name, options in (
        ("bio_entity_spans", {"source": "ents"}),
        ("trigger_tagger", {}),
        ("proposition_extractor", {}),
    ):
        nlp.add_pipe(name, config=options).initialize(dataset=dataset())
    for text in (
        "Tumor necrosis factor (TNF) inhibits leptin.",
        "Tumor necrosis factor (TNF) interaction with leptin.",
    ):
        pairs = {(p.subject.text, p.object.text) for p in nlp(text)._.bio_propositions}
        assert pairs == {("Tumor necrosis factor", "leptin")}

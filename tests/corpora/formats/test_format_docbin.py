"""DocBin: what spaCy users see in it, and exact characters whatever the tokens are."""

import pytest
import spacy
from spacy.tokens import Doc, DocBin, Span

from biochunk.corpora.formats import Notes, docbin
from biochunk.corpora.records import Entity, Record, Triple
from biochunk.errors import FileFaultsError


@pytest.fixture(scope="module")
def nlp():
    return spacy.blank("en")


def record(text, *bounds, labels=None, **fields):
    labels = labels or ["GENE"] * len(bounds)
    entities = [
        Entity(id=f"e{i}", start=start, end=end, text=text[start:end], label=label)
        for i, ((start, end), label) in enumerate(zip(bounds, labels, strict=True), 1)
    ]
    return Record(id="r1", dataset="d", split="dev", text=text, entities=entities, **fields)


def save(tmp_path, *docs, **options):
    DocBin(docs=docs, **options).to_disk(tmp_path / "in.spacy")
    return tmp_path / "in.spacy"


def test_mentions_stand_in_a_span_group_and_in_ents(nlp, tmp_path):
    found = record("IL-6 binds the IL-6 receptor.", (0, 4), (15, 19), (15, 28), labels=["GENE", "GENE", "PROTEIN"])
    docbin.write(tmp_path / "out.spacy", [found], nlp=nlp)
    (doc,) = DocBin().from_disk(tmp_path / "out.spacy").get_docs(spacy.blank("en").vocab)
    assert [(s.id_, s.text, s.label_) for s in doc.spans["bio_gold_entities"]] == [
        ("e1", "IL-6", "GENE"),
        ("e2", "IL-6", "GENE"),
        ("e3", "IL-6 receptor", "PROTEIN"),
    ]
    # The longest of two that overlap.
    assert [(ent.text, ent.label_) for ent in doc.ents] == [("IL-6", "GENE"), ("IL-6 receptor", "PROTEIN")]


@pytest.mark.parametrize("bounds", [(1, 3), (0, 9), (4, 5), (5, 16), (16, 17), (0, 17)])
def test_exact_characters_survive_borders_inside_tokens(nlp, bounds):
    doc = docbin.record_to_doc(nlp, record("COX-2(COX2) fell ", bounds))
    span = doc.spans["bio_gold_entities"][0]
    assert len(span) >= 1
    assert span.start_char <= bounds[0]
    assert docbin._own("p", "Doc 1", doc).entities[0] == record("COX-2(COX2) fell ", bounds).entities[0]


def test_relations_survive_a_default_docbin(nlp, tmp_path):
    triples = [Triple(head="e2", relation="INHIBITS", tail="e1")]
    found = record("COX-2 aspirin", (0, 5), (6, 13), triples=triples, label=1, meta={"a": {"b": [1, None]}})
    path = save(tmp_path, docbin.record_to_doc(nlp, found))
    assert list(docbin.read(path)) == [found]


def test_edits_in_spacy_are_read(nlp, tmp_path):
    doc = docbin.record_to_doc(nlp, record("COX-2(COX2) and aspirin fell", (0, 3), (16, 23)))
    group = doc.spans["bio_gold_entities"]
    doc.spans["bio_gold_entities"] = spacy.tokens.SpanGroup(
        doc,
        name="bio_gold_entities",
        attrs=group.attrs,
        spans=[
            Span(doc, group[0].start, group[0].end, label="NEW", span_id="e1"),
            Span(doc, len(doc) - 1, len(doc), label="X", span_id="e2"),
        ],
    )
    (back,) = docbin.read(save(tmp_path, doc))
    # The label was changed; the second span was moved, so its old characters no longer count.
    assert [(e.id, e.text, e.label) for e in back.entities] == [("e1", "COX", "NEW"), ("e2", "fell", "X")]


def test_foreign_docbin_is_read_by_its_ents(nlp, tmp_path):
    doc = nlp.make_doc("Aspirin fell.")
    doc.ents = [Span(doc, 0, 1, label="DRUG")]
    doc.cats = {"ADE": 1.0}
    doc.spans["sc"] = [Span(doc, 1, 2, label="X")]
    notes = Notes()
    (back,) = docbin.read(save(tmp_path, doc), dataset="mine", split="train", notes=notes)
    assert (back.id, back.dataset, back.split) == ("in-1", "mine", "train")
    assert back.entities == [Entity(id="e1", start=0, end=7, text="Aspirin", label="DRUG")]
    assert back.meta == {"cats": {"ADE": 1.0}}
    assert len(notes.lines()) == 2


@pytest.mark.parametrize("change", [{"triples": [["e1"]]}, {"label": "no json"}, {"offsets": {"e1": 3}}, {"id": None}])
def test_damaged_attributes_are_one_error(nlp, tmp_path, change):
    doc = docbin.record_to_doc(nlp, record("Aspirin", (0, 7)))
    doc.spans["bio_gold_entities"].attrs.update(change)
    with pytest.raises(FileFaultsError, match="Doc 1"):
        list(docbin.read(save(tmp_path, doc)))


@pytest.mark.parametrize("length", [0, 10, 100])
def test_truncated_file_is_refused(nlp, tmp_path, length):
    docbin.write(tmp_path / "out.spacy", [record("Aspirin " * 50, (0, 7))], nlp=nlp)
    path = tmp_path / "cut.spacy"
    path.write_bytes((tmp_path / "out.spacy").read_bytes()[:length])
    with pytest.raises(FileFaultsError, match="expected a DocBin as spaCy writes it"):
        list(docbin.read(path))


def test_text_beyond_the_limit_of_parsers_is_written(tmp_path):
    text = "a " * 500_001
    docbin.write(tmp_path / "out.spacy", [Record(id="r", dataset="", split="", text=text)])
    (back,) = docbin.read(tmp_path / "out.spacy")
    assert back.text == text


def test_record_to_doc_keeps_spaces_of_any_kind(nlp):
    text = "  A\u00a0b\t\r\n \u2009c  "
    doc = docbin.record_to_doc(nlp, record(text, (0, 1), (2, 5), (len(text) - 1, len(text))))
    assert isinstance(doc, Doc)
    assert doc.text == text

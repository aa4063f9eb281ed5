"""Entity corpora are read as English writes them, and what they leave out is missing annotation."""

import shutil
from pathlib import Path

import numpy as np
import pytest
import spacy
from spacy.tokens import DocBin

from biochunk.errors import BiochunkError, FileFaultsError, UsageError
from biochunk.ner.convert import convert
from biochunk.ner.iob import find_corpora, read_iob
from biochunk.ner.targets import gold_spans, names_of_other_kinds, set_borders, set_kinds
from biochunk.tokenizer import make_tokenizer

SAMPLES = Path(__file__).parents[2] / "corpora/samples"

nlp = spacy.blank("en")
tokenize = make_tokenizer()(nlp)


def read(tmp_path, text):
    (tmp_path / "train.tsv").write_text(text, encoding="utf8")
    return [(s.text, [(s.text[a:b], label) for a, b, label in s.mentions]) for s in read_iob(tmp_path / "train.tsv")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The\tO\nS\tB-GENE\n-\tI-GENE\n100\tI-GENE\n.\tO\n", ("The S-100.", [("S-100", "GENE")])),
        ("drug\tO\n(\tO\nAspirin\tB-Chemical\n)\tO\nrose\tO\n", ("drug (Aspirin) rose", [("Aspirin", "CHEMICAL")])),
        ("liver\tB-Anatomy\nheart\tB-Anatomy\n", ("liver heart", [("liver", "ANATOMY"), ("heart", "ANATOMY")])),
        ("\ufeffAspirin\tB-Chemical\r\n", ("Aspirin", [("Aspirin", "CHEMICAL")])),
        ("a\tI-Disease\nb\tI-Cell\n", ("a b", [("a", "DISEASE"), ("b", "CELL")])),
    ],
)
def test_read_iob_joins_what_is_written_together(tmp_path, text, expected):
    assert read(tmp_path, text) == [expected]


def test_wrong_lines_are_named(tmp_path):
    with pytest.raises(FileFaultsError) as error:
        read(tmp_path, "word\tO\nword\nword\tX-GENE\n\tO\nword\tB\na\tB-GENE\tx\na\tB-\na\tO\tO\na\tOx\n")
    assert [fault.where for fault in error.value.faults] == [f"line {i}" for i in range(2, 10)]


def test_a_folder_without_corpora_is_an_error(tmp_path):
    with pytest.raises(BiochunkError, match="found no corpus"):
        find_corpora(tmp_path)


def iob(doc):
    return [("-" if t.ent_iob == 0 else t.ent_iob_) for t in doc]


def test_borders_are_known_beside_mentions_and_missing_elsewhere():
    doc = tokenize("The serum insulin level of old rats fell")
    gold = gold_spans(doc, [(10, 17, "ENTITY")])
    possible = [(1, 4), (5, 7)]
    set_borders(doc, gold, possible, np.random.default_rng(0), beside=1.0)
    assert iob(doc) == ["O", "O", "B", "O", "O", "-", "-", "O"]
    set_borders(doc, gold, possible, np.random.default_rng(0), beside=0.0)
    assert iob(doc) == ["O", "-", "B", "-", "O", "-", "-", "O"]


def test_names_that_other_corpora_annotate_are_missing():
    doc = tokenize("Aspirin in liver cancer of rats")
    names = {"CHEMICAL": {"aspirin"}, "DISEASE": {"liver cancer", "aspirin"}, "ANATOMY": {"rats", "of"}}
    others = names_of_other_kinds(names, {"CHEMICAL"})
    assert others == {"liver cancer", "rats"}
    set_kinds(doc, gold_spans(doc, [(0, 7, "CHEMICAL")]), others, 8)
    assert iob(doc) == ["B", "O", "-", "-", "O", "-"]


def test_convert_writes_what_spacy_trains_on(iob_folder, tmp_path):
    counts = convert(iob_folder, None, tmp_path / "out")
    docs = list(DocBin().from_disk(tmp_path / "out/kinds/train.spacy").get_docs(nlp.vocab))
    assert counts["kinds, train: sentences"] == len(docs)
    drugs = [doc for doc in docs if not any(ent.label_ == "DISEASE" for ent in doc.ents)]
    # Diseases that DRUGS does not annotate stand in the other corpus, so nothing is learned of them.
    assert drugs
    assert all("-" in iob(doc) for doc in drugs)
    assert not (tmp_path / "out/borders").exists()


def test_convert_needs_a_corpus(tmp_path):
    with pytest.raises(UsageError, match="expected one of them"):
        convert(None, None, tmp_path / "out")
    with pytest.raises(UsageError, match=r"found no \*/train.jsonl"):
        convert(None, tmp_path, tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("part", ["kinds", "borders"])
def test_corpora_without_a_sentence_are_said(iob_folder, tmp_path, part):
    """One beside others is counted as 0; when there is nothing else, there is nothing to train on."""
    none, some = tmp_path / "none", tmp_path / "some"
    if part == "kinds":
        (none / "EMPTY-IOB").mkdir(parents=True)
        (none / "EMPTY-IOB/train.tsv").write_text("\n", encoding="utf8")
        shutil.copytree(iob_folder, some)
        shutil.copytree(none / "EMPTY-IOB", some / "EMPTY-IOB")
    else:
        (none / "EMPTY").mkdir(parents=True)
        (none / "EMPTY/train.jsonl").write_text("", encoding="utf8")
        shutil.copytree(SAMPLES / "ade", some / "ade")
        shutil.copytree(none / "EMPTY", some / "EMPTY")
    folders = {"kinds": lambda path: (path, None), "borders": lambda path: (None, path)}[part]
    with pytest.raises(BiochunkError, match=f"no sentence to train on for '{part}'"):
        convert(*folders(none), tmp_path / "out")
    assert not (tmp_path / "out").exists()
    counts = convert(*folders(some), tmp_path / "out")
    assert counts[f"{part}, EMPTY: sentences"] == 0
    assert f"{part}, EMPTY: sentences" in counts

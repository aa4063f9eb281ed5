"""Mentions from a list of terms: its three file forms, what is left out, finding, saving."""

import json
import time

import pytest
import spacy

from biochunk.errors import BiochunkError, FileFaultsError
from biochunk.pipeline.gazetteer import Gazetteer, Terms, read_terms
from biochunk.tokenizer import make_tokenizer

from .conftest import dataset


@pytest.fixture(scope="module")
def tokenizer():
    return make_tokenizer()(spacy.blank("en"))


def gazetteer(tokenizer, *terms):
    found = Gazetteer()
    found.add(Terms([(term, "CHEMICAL", "") for term in terms]), tokenizer)
    return found


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("terms.txt", "aspirin\n\nVitamin D\n"),
        ("terms.tsv", "aspirin\tCHEMICAL\tM1\nVitamin D\n"),
        ("terms.jsonl", '{"term": "aspirin", "label": "CHEMICAL", "id": "M1"}\n{"term": "Vitamin  D"}\n'),
    ],
)
def test_three_file_forms(tmp_path, name, content):
    (tmp_path / name).write_text(content, encoding="utf8")
    facts = ("ENTITY", "") if name.endswith("txt") else ("CHEMICAL", "M1")
    assert read_terms(tmp_path / name).items == [("aspirin", *facts), ("Vitamin D", "ENTITY", "")]


def test_short_stop_and_repeated_terms_are_left_out_and_counted(tmp_path):
    (tmp_path / "terms.txt").write_text("IL\nall\naspirin\nAspirin\n", encoding="utf8")
    terms = read_terms(tmp_path / "terms.txt", stop_terms=["ALL"])
    assert [term for term, _, _ in terms.items] == ["aspirin"]
    assert terms.left_out == {"short": 1, "stop term": 1, "twice": 1}


def test_two_labels_of_one_term_are_a_warning(tmp_path):
    (tmp_path / "terms.tsv").write_text("insulin\tGENE\nInsulin\tCHEMICAL\n", encoding="utf8")
    with pytest.warns(UserWarning, match="1 terms stand twice with different labels"):
        assert read_terms(tmp_path / "terms.tsv").items == [("insulin", "GENE", "")]


def test_every_wrong_line_is_named(tmp_path):
    (tmp_path / "terms.jsonl").write_text('{"term": "a drug"}\nno\n{"name": "x"}\n[1]\n', encoding="utf8")
    with pytest.raises(FileFaultsError) as error:
        read_terms(tmp_path / "terms.jsonl")
    assert [fault.where for fault in error.value.faults] == ["line 2", "line 3", "line 4"]


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("[" * 100_000, "no JSON"),
        ('{"term": "ab\\ud800cd"}', r"half a character in 'ab\ud800cd'"),
        ('{"term": "abcd", "id": "\\udfff"}', r"half a character in '\udfff'"),
    ],
)
def test_json_that_is_no_term_is_one_line(tmp_path, line, found):
    (tmp_path / "terms.jsonl").write_text('{"term": "gout"}\n' + line + "\n", encoding="utf8")
    with pytest.raises(FileFaultsError) as error:
        read_terms(tmp_path / "terms.jsonl")
    assert [(fault.where, fault.found) for fault in error.value.faults] == [("line 2", found)]


def test_a_cell_may_be_of_any_length(tmp_path):
    (tmp_path / "terms.tsv").write_text(f'{"a" * 200_000}\tGENE\tG1\r\n"gout"\n', encoding="utf8")
    assert [(len(t), label, i) for t, label, i in read_terms(tmp_path / "terms.tsv").items] == [
        (200_000, "GENE", "G1"),
        (6, "ENTITY", ""),
    ]


def test_an_empty_list_and_a_missing_file_are_errors(tmp_path):
    (tmp_path / "terms.txt").write_text("x\n", encoding="utf8")
    with pytest.raises(FileFaultsError, match="no term"):
        read_terms(tmp_path / "terms.txt")
    with pytest.raises(BiochunkError, match="Cannot read"):
        read_terms(tmp_path / "none.txt")


@pytest.mark.parametrize(
    ("terms", "text", "expected"),
    [
        (["aspirin"], "Aspirin helps.", ["Aspirin"]),
        (
            ["vitamin d", "vitamin d receptor"],
            "The vitamin D receptor and vitamin D rose.",
            ["vitamin D receptor", "vitamin D"],
        ),
        (["COX-2"], "It blocks cox-2, not COX-1.", ["cox-2"]),
        (["β-lactamase"], "A β-lactamase rose.", ["β-lactamase"]),
        (["\u00b5-opioid receptor"], "The \u03bc-opioid receptor.", ["\u03bc-opioid receptor"]),
        (["cannot bind"], "They cannot bind it.", ["cannot bind"]),
        (["5-fluorouracil (5-FU)"], "Given 5-fluorouracil (5-FU) daily.", ["5-fluorouracil (5-FU)"]),
        (["rat"], "A strategy for rats.", []),
        (["aspirin"], "", []),
    ],
)
def test_terms_are_found(tokenizer, terms, text, expected):
    doc = tokenizer(text)
    assert [doc[start:end].text for start, end, _, _ in gazetteer(tokenizer, *terms).find(doc)] == expected


def test_bytes_bring_back_labels_and_identifiers(tokenizer):
    first = Gazetteer()
    first.add(Terms([("aspirin", "CHEMICAL", "M1"), ("gout", "DISEASE", "")]), tokenizer)
    second = Gazetteer().from_bytes(first.to_bytes())
    doc = tokenizer("Aspirin in gout")
    assert second.find(doc) == first.find(doc) != []
    assert second.find(doc)[0] == (0, 1, "CHEMICAL", {"rule": "gazetteer", "source": "gazetteer", "id": "M1"})
    assert second.to_bytes() == first.to_bytes()


def test_a_list_as_long_as_mesh_loads_in_seconds(tokenizer):
    # Ten thousand words in pairs; names of chemicals have as many signs as these.
    words = [f"{i % 97}-methyl{chr(97 + i % 26)}{chr(97 + i // 26 % 26)}{chr(97 + i // 676)}" for i in range(10_000)]
    pairs = [f"{words[i % 10_000]} {words[(i * 7 + i // 10_000) % 10_000]}" for i in range(300_000)]
    first, second = Gazetteer(), Gazetteer()
    first.add(Terms([(term, "CHEMICAL", f"D{i}") for i, term in enumerate(dict.fromkeys(pairs))]), tokenizer)
    data = first.to_bytes()
    start = time.process_time()
    second.from_bytes(data)
    assert time.process_time() - start < 5
    assert len(second) == len(first) > 290_000


def test_a_pipeline_carries_its_terms(tmp_path):
    (tmp_path / "terms.jsonl").write_text(json.dumps({"term": "p53", "label": "GENE"}) + "\n", encoding="utf8")
    nlp = spacy.blank("en")
    nlp.add_pipe("bio_entity_spans", config={"source": "gazetteer"}).initialize(
        dataset=dataset(), gazetteer=read_terms(tmp_path / "terms.jsonl")
    )
    nlp.to_disk(tmp_path / "saved")
    (tmp_path / "terms.jsonl").unlink()
    other = spacy.blank("en").from_config(nlp.config).from_bytes(nlp.to_bytes())
    for loaded in (spacy.load(tmp_path / "saved"), other):
        assert [(e.text, e.label, e.rule) for e in loaded("Loss of P53.")._.bio_entities] == [
            ("P53", "GENE", "gazetteer")
        ]


@pytest.mark.parametrize(("source", "terms"), [("gazetteer", None), ("rules", Terms([("p53", "GENE", "")]))])
def test_terms_and_source_must_agree(source, terms):
    pipe = spacy.blank("en").add_pipe("bio_entity_spans", config={"source": source})
    with pytest.raises(BiochunkError, match=r"\[B003\].*list of terms is given"):
        pipe.initialize(dataset=dataset(), gazetteer=terms)

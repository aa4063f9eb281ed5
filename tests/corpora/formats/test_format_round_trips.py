"""Unified → format → unified is the identity on all that a format holds, whatever Unicode the text has."""

from pathlib import Path

import pytest
import spacy
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from biochunk.corpora.formats import FORMATS, Notes
from biochunk.corpora.records import Entity, Record, Triple, read_records
from biochunk.errors import FileFaultsError

SAMPLES = Path(__file__).parents[3] / "corpora" / "samples"

NLP = spacy.blank("en")

# Names and ids as line-based formats hold them; what they refuse has its own tests.
NAME_CHARACTERS = st.characters(categories=("L", "N", "P", "S", "Mn", "Zs"), exclude_characters="|")
NAMES = st.text(NAME_CHARACTERS, min_size=1, max_size=8)

# All of Unicode but surrogates and the pictures of PubTator's line ends; kinds that break tools come often.
AWKWARD = ["\r\n", "\n", "\r", "\t", "\x00", "\x0b", "\x1c", "\x85", "\u00a0", "\u2028", "\u2029", "\ufeff"]
AWKWARD += [
    "\ufffd",
    "\ufffe",
    "\uffff",
    "\u200d",
    "e\u0301",
    "🧬",
    "𝛼",
    "<b>",
    "&amp;",
    "]]>",
    "|t|",
    "\\",
    '"',
    "%20",
]
ANY_CHARACTER = st.characters(exclude_categories=("Cs",), exclude_characters="␊␍")
TEXTS = st.lists(st.text(ANY_CHARACTER, max_size=6) | st.sampled_from(AWKWARD), max_size=12).map("".join)

JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(ANY_CHARACTER, max_size=5),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(ANY_CHARACTER, max_size=3), inner, max_size=2),
    max_leaves=4,
)


@st.composite
def records(draw: st.DrawFn, texts: st.SearchStrategy[str] = TEXTS) -> Record:
    text = draw(texts)
    entities, triples, pieces = [], [], {}
    if text:
        # "-" is refused by PubTator, where it stands for no concept.
        ids = draw(st.lists(NAMES.filter(lambda name: name != "-"), max_size=4, unique=True))
        for key in ids:
            start = draw(st.integers(0, len(text) - 1))
            end = draw(st.integers(start + 1, len(text)))
            label = draw(st.just("") | NAMES)
            entities.append(Entity(id=key, start=start, end=end, text=text[start:end], label=label))
            if end - start > 2:
                pieces[key] = [[start, start + 1], [end - 1, end]]
        if ids:
            ends = st.sampled_from(ids)
            triples = draw(st.lists(st.builds(Triple, head=ends, relation=NAMES, tail=ends), max_size=3))
    meta = draw(st.dictionaries(NAMES, JSON_VALUES, max_size=2))
    return Record(
        id=draw(NAMES),
        dataset=draw(NAMES),
        split=draw(st.sampled_from(["train", "dev", "test"])),
        text=text,
        entities=entities,
        triples=triples,
        label=draw(st.none() | st.integers(-3, 3) | NAMES),
        meta={**meta, "fragments": pieces} if pieces else meta,
    )


def held(record: Record, name: str) -> dict[str, object]:
    return {key: value for key, value in record.model_dump().items() if key in FORMATS[name].holds}


@pytest.mark.parametrize("name", FORMATS)
@given(found=st.lists(records(), min_size=1, max_size=3, unique_by=lambda record: record.id))
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
def test_round_trip_is_identical_on_any_text(name, found, tmp_path_factory):
    path = tmp_path_factory.mktemp("out") / "corpus"
    # Building a tokenizer takes longer than all the rest.
    options = {"nlp": NLP} if name == "docbin" else {}
    FORMATS[name].write(path, found, notes=Notes(), **options)
    back = FORMATS[name].read(path, notes=Notes())
    # Folders are in order of name or split; all else keeps the order.
    key = (lambda record: record["id"]) if name in ("brat", "huggingface") else (lambda record: 0)
    expected = sorted((held(record, name) for record in found), key=key)
    assert sorted((held(record, name) for record in back), key=key) == expected


@pytest.mark.parametrize("name", ["bioc-xml", "bioc-json", "brat"])
@given(record=records(TEXTS.filter(lambda text: len(text) > 5)).filter(lambda record: record.meta.get("fragments")))
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
def test_fragments_are_written_as_pieces_and_read_back(name, record, tmp_path_factory):
    path = tmp_path_factory.mktemp("out") / "corpus"
    FORMATS[name].write(path, [record], notes=Notes())
    assert next(FORMATS[name].read(path, notes=Notes())).meta["fragments"] == record.meta["fragments"]


@pytest.mark.parametrize("name", FORMATS)
def test_round_trip_of_the_samples(name, tmp_path):
    found = [record for path in sorted(SAMPLES.glob("*/*.jsonl")) for record in read_records(path)]
    assert FORMATS[name].write(tmp_path / "out", found, notes=Notes()) == len(found) > 300
    back = list(FORMATS[name].read(tmp_path / "out", notes=Notes()))
    expected = sorted((held(record, name) for record in found), key=lambda record: record["id"])
    assert sorted((held(record, name) for record in back), key=lambda record: record["id"]) == expected


@pytest.mark.parametrize("name", ["pubtator", "brat"])
def test_what_a_format_cannot_hold_is_noted_once_a_kind(name, tmp_path):
    found = [Record(id=f"r{i}", dataset="d", split="train", text="x", label=1, meta={"a": 1}) for i in range(3)]
    notes = Notes()
    FORMATS[name].write(tmp_path / "out", found, notes=notes)
    lost = [line for line in notes.lines() if "left out" in line]
    assert [line.split()[0] for line in lost] == ["dataset", "split", "label", "meta"]
    assert all(": 3 (first: record 'r0')" in line for line in lost)


@pytest.mark.parametrize("name", set(FORMATS) - {"pubtator", "brat"})
def test_formats_that_hold_all_have_nothing_to_note(name, tmp_path, recwarn):
    found = [Record(id="r", dataset="d", split="train", text="IL-6\n rose", label="yes", meta={"a": [None]})]
    FORMATS[name].write(tmp_path / "out", found)
    assert list(FORMATS[name].read(tmp_path / "out")) == found
    assert not recwarn.list


@pytest.mark.parametrize("name", FORMATS)
def test_lone_surrogate_is_refused_by_record_and_leaves_nothing(name, tmp_path):
    bad = Record(id="r7", dataset="d", split="train", text="IL-6 \ud83e rose")
    with pytest.raises(FileFaultsError, match=r"record 'r7'.*lone surrogate \(U\+D83E\)"):
        FORMATS[name].write(tmp_path / "out", [bad], notes=Notes())
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", FORMATS)
def test_one_id_for_two_records_is_refused(name, tmp_path):
    twice = [Record(id="r7", dataset="d", split="train", text=text) for text in "ab"]
    with pytest.raises(FileFaultsError, match="record 'r7': found the same record id twice"):
        FORMATS[name].write(tmp_path / "out", twice, notes=Notes())


@pytest.mark.parametrize("name", FORMATS)
def test_no_records_is_a_file_without_records(name, tmp_path):
    assert FORMATS[name].write(tmp_path / "out", []) == 0
    if name in ("brat", "huggingface"):
        with pytest.raises(FileFaultsError, match=r"no .txt file|neither"):
            list(FORMATS[name].read(tmp_path / "out"))
    else:
        assert list(FORMATS[name].read(tmp_path / "out")) == []


@pytest.mark.parametrize("name", FORMATS)
def test_missing_file_is_one_clear_error(name, tmp_path):
    with pytest.raises(ValueError, match="nothing-here"):
        list(FORMATS[name].read(tmp_path / "nothing-here"))


@pytest.mark.parametrize("name", FORMATS)
@given(data=st.binary(max_size=200))
@settings(max_examples=30, deadline=None)
def test_any_bytes_are_read_or_refused_with_our_error(name, data, tmp_path_factory):
    path = tmp_path_factory.mktemp("in")
    if name == "brat":
        (path / "a.txt").write_text("IL-6 rose", encoding="utf-8")
    file = path / {"brat": "a.ann", "huggingface": "a.parquet"}.get(name, "a")
    file.write_bytes(data)
    try:
        list(FORMATS[name].read(path if name in ("brat", "huggingface") else file, notes=Notes()))
    except FileFaultsError as error:
        assert str(path) in str(error)

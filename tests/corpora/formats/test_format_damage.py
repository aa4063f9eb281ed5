"""Files that were damaged at random: read, or refused with an error of ours; never another exception."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from biochunk.corpora.formats import FORMATS, Notes, bioc_json
from biochunk.corpora.records import Entity, Record, Triple
from biochunk.errors import FileFaultsError

TEXT = "β-lactamase\nis blocked by 🧬 aspirin."
ENTITIES = [
    Entity(id="T1", start=0, end=11, text=TEXT[:11], label="GENE"),
    Entity(id="T2", start=28, end=35, text=TEXT[28:35], label="DRUG"),
    Entity(id="T3", start=0, end=35, text=TEXT[:35], label="X"),
]
TRIPLES = [Triple(head="T2", relation="INHIBITS", tail="T1")]
META = {"fragments": {"T3": [[0, 4], [28, 35]]}, "a": [1, {"b": None}]}
RECORDS = [
    Record(
        id=f"r{i}",
        dataset="d",
        split="train",
        text=TEXT,
        entities=ENTITIES,
        triples=TRIPLES,
        label=i,
        meta=META,
    )
    for i in range(2)
]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=3,
)


def read(name, path):
    """The records of a file; errors that name it are fine, others fail the test."""
    try:
        return list(FORMATS[name].read(path, notes=Notes()))
    except FileFaultsError as error:
        assert str(path) in str(error)
        return []


@pytest.mark.parametrize("name", ["bioc-xml", "bioc-json", "pubtator", "brat", "docbin", "parquet"])
@given(data=st.data())
@settings(max_examples=60, deadline=None)
def test_bytes_changed_anywhere(name, data, tmp_path_factory, pristine):
    path = tmp_path_factory.mktemp("damaged") / "out"
    files = dict(pristine[name])
    target = data.draw(st.sampled_from(sorted(files)))
    content = files[target]
    start = data.draw(st.integers(0, len(content)))
    end = min(len(content), start + data.draw(st.integers(0, 6)))
    new = data.draw(
        st.binary(max_size=4) | st.sampled_from([b"\n", b"\t", b"|", b'"', b"<", b">", b"&x;", b"-1", b"9"])
    )
    files[target] = content[:start] + new + content[end:]
    for inside, raw in files.items():
        file = path / inside if inside else path
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(raw)
    read(name, path)


@pytest.fixture(scope="module")
def pristine(tmp_path_factory):
    """Each format's files as it writes them: name inside the folder ("" for a file) -> bytes."""
    found = {}
    for name, format in FORMATS.items():
        path = tmp_path_factory.mktemp("pristine") / "out"
        format.write(path, RECORDS, notes=Notes())
        files = [path] if path.is_file() else [file for file in path.iterdir() if file.suffix in (".txt", ".ann")]
        found[name] = {"" if file == path else file.name: file.read_bytes() for file in files}
    return found


def places(value, path=()):
    """The path to every value inside of a JSON value."""
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield from places(inner, (*path, key))


@given(data=st.data())
@settings(max_examples=200, deadline=None)
def test_any_value_of_a_bioc_document_changed(data, tmp_path_factory):
    path = tmp_path_factory.mktemp("damaged") / "out.json"
    bioc_json.write(path, RECORDS)
    collection = json.loads(path.read_text(encoding="utf-8"))
    place = data.draw(st.sampled_from([place for place in places(collection) if place]))
    owner = collection
    for key in place[:-1]:
        owner = owner[key]
    if isinstance(owner, dict) and data.draw(st.booleans()):
        del owner[place[-1]]
    else:
        owner[place[-1]] = data.draw(JSON)
    path.write_text(json.dumps(collection), encoding="utf-8")
    for record in read("bioc-json", path):
        # What comes through is a record in every respect: it can be written and read again.
        assert Record.model_validate_json(record.to_json()) == record

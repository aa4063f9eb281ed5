"""Parquet and Hugging Face folders: columns of other tools, splits, damaged files."""

import json

import pytest

from biochunk.corpora.formats import Notes, huggingface, parquet
from biochunk.corpora.records import Entity, Record
from biochunk.errors import BiochunkError, FileFaultsError, MissingExtraError

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")


def record(key, split="train", **fields):
    return Record(id=key, dataset="d", split=split, text=fields.pop("text", f"text of {key}"), **fields)


def table(tmp_path, rows, name="in.parquet"):
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / name)
    return tmp_path / name


def test_columns_are_nested_and_plain(tmp_path):
    entity = Entity(id="e1", start=0, end=4, text="text", label="X")
    parquet.write(tmp_path / "out.parquet", [record("r1", entities=[entity], label=1, meta={"a": [1]})])
    (row,) = pq.read_table(tmp_path / "out.parquet").to_pylist()
    assert row["entities"] == [{"id": "e1", "start": 0, "end": 4, "text": "text", "label": "X"}]
    assert (row["label"], row["meta"]) == ("1", '{"a": [1]}')


def test_label_keeps_its_type(tmp_path):
    found = [record("a", label=1), record("b", label="1"), record("c", label=None)]
    parquet.write(tmp_path / "out.parquet", found)
    assert [back.label for back in parquet.read(tmp_path / "out.parquet")] == [1, "1", None]


def test_foreign_columns_go_to_meta_and_missing_ones_have_defaults(tmp_path):
    notes = Notes()
    path = table(tmp_path, [{"text": "A", "label": "yes", "year": 1999}, {"text": "B", "label": None, "year": None}])
    first, second = parquet.read(path, dataset="mine", split="dev", notes=notes)
    assert (first.id, first.dataset, first.split, first.label) == ("in-1", "mine", "dev", "yes")
    assert (first.meta, second.meta) == ({"year": 1999}, {})
    assert len(notes.lines()) == 1


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([{"sentence": "A"}], "columns: found sentence, expected a column 'text'"),
        ([{"text": 3}], "row 1.text: found 3"),
        (
            [{"text": "A", "entities": [{"id": "e", "start": 0, "end": 9, "text": "A"}]}],
            "row 1: found entity e",
        ),
        ([{"text": "A", "meta": "{"}], "row 1, column meta: found '{', expected JSON"),
        ([{"id": "x", "text": "A"}, {"id": "x", "text": "B"}], "the same record id twice"),
    ],
)
def test_rows_that_are_no_records_are_refused(tmp_path, rows, message):
    with pytest.raises(FileFaultsError, match=message):
        list(parquet.read(table(tmp_path, rows)))


@pytest.mark.parametrize("length", [0, 3, 200])
def test_truncated_file_is_refused(tmp_path, length):
    parquet.write(tmp_path / "out.parquet", [record(str(i)) for i in range(100)])
    path = tmp_path / "cut.parquet"
    path.write_bytes((tmp_path / "out.parquet").read_bytes()[:length])
    with pytest.raises(FileFaultsError, match=r"cut\.parquet.*expected a Parquet file"):
        list(parquet.read(path))


def test_damage_inside_the_file_is_our_error(tmp_path):
    parquet.write(tmp_path / "out.parquet", [record(str(i), text="x" * i) for i in range(100)])
    data = bytearray((tmp_path / "out.parquet").read_bytes())
    data[10:200] = bytes(190)
    (tmp_path / "out.parquet").write_bytes(data)
    with pytest.raises(BiochunkError, match=r"out\.parquet"):
        list(parquet.read(tmp_path / "out.parquet"))


def test_row_groups_keep_the_order(tmp_path):
    found = [record(str(i)) for i in range(2500)]
    assert parquet.write(tmp_path / "out.parquet", iter(found)) == 2500
    assert pq.ParquetFile(tmp_path / "out.parquet").num_row_groups == 3
    assert list(parquet.read(tmp_path / "out.parquet")) == found


def test_missing_pyarrow_names_the_extra(monkeypatch, tmp_path):
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'biochunk\[formats\]'"):
        parquet.write(tmp_path / "out.parquet", [])
    assert not list(tmp_path.iterdir())


def test_folder_has_a_file_and_a_line_of_the_card_for_each_split(tmp_path):
    huggingface.write(tmp_path / "out", [record("a", "train"), record("b", "dev"), record("c", "train")])
    files = sorted(path.relative_to(tmp_path / "out").as_posix() for path in (tmp_path / "out").rglob("*.*"))
    assert files == ["README.md", "data/dev-00000-of-00001.parquet", "data/train-00000-of-00001.parquet"]
    card = (tmp_path / "out" / "README.md").read_text()
    assert card.index('split: "train"') < card.index('split: "dev"')
    # Sorted by split in order of appearance, in order within.
    assert [back.id for back in huggingface.read(tmp_path / "out")] == ["a", "c", "b"]


@pytest.mark.parametrize("split", ["", "a/b", "..", "a b"])
def test_split_that_datasets_does_not_allow_is_refused(tmp_path, split):
    with pytest.raises(FileFaultsError, match="record 'a': found the split"):
        huggingface.write(tmp_path / "out", [record("a", split)])
    assert not list(tmp_path.iterdir())


def test_split_comes_from_the_file_name_where_no_column_has_it(tmp_path):
    table(tmp_path, [{"text": "A"}], "train-00000-of-00002.parquet")
    table(tmp_path, [{"text": "B"}], "validation.parquet")
    back = list(huggingface.read(tmp_path, dataset="mine"))
    assert [(r.text, r.split, r.dataset) for r in back] == [
        ("A", "train", "mine"),
        ("B", "validation", "mine"),
    ]


def test_saved_dataset_is_read(tmp_path):
    """The files as `Dataset.save_to_disk` writes them."""
    rows = pa.Table.from_pylist([{"text": "A", "label": 1}, {"text": "B", "label": 0}])
    with (
        pa.OSFile(str(tmp_path / "data-00000-of-00001.arrow"), "wb") as sink,
        pa.ipc.new_stream(sink, rows.schema) as out,
    ):
        out.write_table(rows)
    state = {"_data_files": [{"filename": "data-00000-of-00001.arrow"}], "_split": "train"}
    (tmp_path / "state.json").write_text(json.dumps(state))
    back = list(huggingface.read(tmp_path, split="train"))
    assert [(r.text, r.label, r.split) for r in back] == [("A", 1, "train"), ("B", 0, "train")]


@pytest.mark.parametrize(
    ("state", "message"),
    [
        ("{", "no JSON"),
        ("[]", "a JSON object"),
        ('{"_data_files": [{"filename": "../gone.arrow"}]}', "Cannot read .*gone.arrow"),
        ('{"_indices_data_files": [{}]}', "flatten_indices"),
    ],
)
def test_damaged_saved_dataset_is_one_error(tmp_path, state, message):
    (tmp_path / "state.json").write_text(state)
    with pytest.raises(BiochunkError, match=message):
        list(huggingface.read(tmp_path))


def test_datasets_loads_the_folder_and_saves_what_is_read(tmp_path, monkeypatch):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    datasets = pytest.importorskip("datasets")
    entity = Entity(id="e1", start=0, end=4, text="text", label="X")
    found = [record("a", entities=[entity], label="yes"), record("b", "dev", meta={"a": 1})]
    huggingface.write(tmp_path / "out", found)
    loaded = datasets.load_dataset(str(tmp_path / "out"), cache_dir=str(tmp_path / "cache"))
    assert {name: list(part["id"]) for name, part in loaded.items()} == {"train": ["a"], "dev": ["b"]}
    loaded.save_to_disk(str(tmp_path / "saved"))
    assert list(huggingface.read(tmp_path / "saved")) == found

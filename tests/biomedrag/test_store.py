import json

import numpy as np
import pytest
import safetensors.numpy
from tests.biomedrag.handmade import BagOfWords, sentence

from biochunk.biomedrag.store import ABOUT, ROWS, VECTORS, About, ChunkStore, Origin, build_store, stored_rows
from biochunk.errors import BiochunkError

SENTENCES = [
    ("INHIBITS", sentence("a", "Aspirin blocks COX-1 in β cells.", "Aspirin blocks COX-1", "in β cells.")),
    ("TREATS", sentence("a", "Aspirin blocks COX-1 in β cells.", "Aspirin blocks COX-1")),
    ("INHIBITS", sentence("b", "We saw: Aspirin blocks COX-1!", "Aspirin blocks COX-1", "We saw:", "!")),
]


@pytest.fixture
def store():
    encoder = BagOfWords(["aspirin", "blocks", "cox-1", "in", "we"])
    return build_store(stored_rows(SENTENCES), encoder, About("gmciht", "dev", "hybrid", "static"))


def test_equal_texts_of_one_relation_are_one_row_with_all_origins():
    rows = stored_rows(SENTENCES)
    assert [(row.text, row.relation) for row in rows] == [
        ("Aspirin blocks COX-1", "INHIBITS"),
        ("in β cells.", "INHIBITS"),
        ("Aspirin blocks COX-1", "TREATS"),
        ("We saw:", "INHIBITS"),
    ]
    assert rows[0].origins == (
        Origin("a", "aspirinblockscox1inβcells", "fixed", 0, 20),
        Origin("b", "wesawaspirinblockscox1", "fixed", 8, 28),
    )


def test_only_the_first_chunks_are_stored():
    assert [row.text for row in stored_rows(SENTENCES[-1:], top_k=1)] == ["Aspirin blocks COX-1"]


def test_rows_of_a_sentence_are_found_by_letters_and_digits(store):
    assert store.rows_of("ASPIRIN  blocks [ COX-1 ] in β-cells").tolist() == [0, 1, 2]
    assert store.rows_of("another").tolist() == []


def test_an_empty_store_is_refused():
    with pytest.raises(BiochunkError, match="no chunk"):
        build_store([], BagOfWords(["a"]), About())


def test_vectors_must_fit_the_rows(store):
    with pytest.raises(BiochunkError, match=r"shape \(3, .* for 4 chunks"):
        ChunkStore(store.rows, store.vectors[:3], store.about)


def test_a_loaded_store_is_the_saved_one_to_the_bit(store, tmp_path):
    store.to_disk(tmp_path / "one")
    loaded = ChunkStore.from_disk(tmp_path / "one")
    assert loaded.rows == store.rows and loaded.about == store.about
    assert loaded.vectors.dtype == np.float32 and loaded.vectors.tobytes() == store.vectors.tobytes()
    loaded.to_disk(tmp_path / "two")
    for name in (ROWS, VECTORS, ABOUT):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


def drop_row(folder):
    lines = (folder / ROWS).read_text().splitlines(keepends=True)
    (folder / ROWS).write_text("".join(lines[1:]))


def other_vectors(folder):
    (folder / VECTORS).write_bytes(safetensors.numpy.save({"vectors": np.ones((4, 10), dtype=np.float32)}))


def cut_vectors(folder):
    (folder / VECTORS).write_bytes((folder / VECTORS).read_bytes()[:-4])


def other_schema(folder):
    about = json.loads((folder / ABOUT).read_text())
    (folder / ABOUT).write_text(json.dumps({**about, "schema": 2}))


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (drop_row, "changed since"),
        (other_vectors, "changed since"),
        (cut_vectors, "changed since"),
        (other_schema, "found schema 2, expected 1"),
        (lambda folder: (folder / ABOUT).write_text("{}"), "schema"),
        (lambda folder: (folder / ABOUT).write_text("[]"), "fits together"),
        (lambda folder: (folder / ABOUT).write_text("{"), "fits together"),
        (lambda folder: (folder / VECTORS).unlink(), VECTORS),
        (lambda folder: (folder / ROWS).unlink(), ROWS),
    ],
)
def test_a_damaged_folder_is_one_error(store, tmp_path, damage, message):
    folder = tmp_path / "store"
    store.to_disk(folder)
    damage(folder)
    with pytest.raises(BiochunkError, match=message) as caught:
        ChunkStore.from_disk(folder)
    assert str(folder) in str(caught.value) and "\n" not in str(caught.value)


def test_a_store_that_cannot_be_written_leaves_the_old_one(store, tmp_path):
    store.to_disk(tmp_path / "store")
    broken = ChunkStore([*store.rows[:3], store.rows[3]._replace(text="\ud800")], store.vectors, store.about)
    with pytest.raises(UnicodeEncodeError):
        broken.to_disk(tmp_path / "store")
    assert ChunkStore.from_disk(tmp_path / "store").rows == store.rows
    assert [path.name for path in tmp_path.iterdir()] == ["store"]

"""Splits that keep a sentence on one side and depend on nothing but the sentence and the seed."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biochunk.corpora.records import Record, read_records, write_records
from biochunk.corpora.splits import in_part, sentence_key, split_file
from biochunk.errors import BiochunkError, UsageError


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("TNF-α fell (n = 5).", "tnfαfelln5"),
        (" tnf - α  fell, n=5", "tnfαfelln5"),
        ("β_Lactamase", "βlactamase"),
        ("ΑΣ ΑΣ", "ασασ"),
        ("İ", "İ"),
        ("", ""),
        (" ... \n !", "...!"),
    ],
)
def test_sentence_key(text: str, key: str) -> None:
    assert sentence_key(text) == key


@given(st.text(max_size=20))
def test_sentence_key_has_a_character_for_each_letter_and_digit(text: str) -> None:
    letters = [char for char in text if char.isalnum()]
    assert not letters or len(sentence_key(text)) == len(letters)


def test_in_part_never_changes() -> None:
    """Written down once: a split of a published result must come out the same everywhere."""
    keys = ["tnffell", "aspirincutpain", "βlactamaserose", "il6rose", "nochange"]
    assert [in_part(key, 0.5) for key in keys] == [True, False, True, False, True]
    assert [in_part(key, 0.5, seed=1) for key in keys] == [False, True, True, True, True]


@pytest.mark.parametrize("fraction", [0.05, 0.1, 0.5])
@pytest.mark.parametrize("seed", [0, 1])
def test_in_part_meets_the_fraction(fraction: float, seed: int) -> None:
    share = sum(in_part(f"sentence{i}", fraction, seed) for i in range(20_000)) / 20_000
    assert abs(share - fraction) < 0.01


@given(st.text(max_size=10), st.floats(0, 1), st.floats(0, 1))
def test_in_part_nests(key: str, a: float, b: float) -> None:
    assert in_part(key, min(a, b)) <= in_part(key, max(a, b))


def _corpus(path: Path, count: int = 300) -> Path:
    texts = [text for i in range(count) for text in (f"Drug {i} cut pain.", f" drug {i}  cut pain")]
    records = (Record(id=str(i), dataset="own", split="train", text=text) for i, text in enumerate(texts))
    write_records(path, records)
    return path


def test_split_file_keeps_a_sentence_on_one_side(tmp_path: Path) -> None:
    part, rest = split_file(_corpus(tmp_path / "own.jsonl"), tmp_path / "out", fraction=0.2, seed=3)
    sides = [list(read_records(tmp_path / "out" / f"{name}.jsonl")) for name in ("part", "rest")]
    assert [len(side) for side in sides] == [part, rest]
    assert part + rest == 600
    assert 60 < part < 180
    keys = [{sentence_key(record.text) for record in side} for side in sides]
    assert not keys[0] & keys[1]
    ids = [[int(record.id) for record in side] for side in sides]
    assert all(side == sorted(side) for side in ids)


@pytest.mark.parametrize("fraction", [0, 1, -0.1, 10, float("nan")])
def test_split_file_wants_a_fraction(tmp_path: Path, fraction: float) -> None:
    with pytest.raises(UsageError, match="expected a number between 0 and 1"):
        split_file(_corpus(tmp_path / "own.jsonl"), tmp_path / "out", fraction=fraction)


def test_split_file_writes_nothing_when_a_side_is_empty(tmp_path: Path) -> None:
    with pytest.raises(BiochunkError, match="found 2 records, of which 0 fell into the part"):
        split_file(_corpus(tmp_path / "own.jsonl", 1), tmp_path / "out", fraction=0.001)
    assert list((tmp_path / "out").iterdir()) == []

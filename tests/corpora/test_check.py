"""Every fault of a unified file by line, and the repair of offsets counted in UTF-16 code units."""

# ruff: noqa: E501 - a case of a table reads best on one line

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biochunk.cli.corpora import check_command
from biochunk.corpora.check import Checked, check_records, from_utf16, utf16_offsets
from biochunk.corpora.records import Entity, Record, read_records
from biochunk.errors import BiochunkError, Fault, FileFaultsError, UsageError


def _record(text: str = "TNF fell", *entities: tuple[int, int, str], **values: Any) -> dict[str, Any]:
    listed = [{"id": f"e{i}", "start": s, "end": e, "text": t} for i, (s, e, t) in enumerate(entities, 1)]
    return {"id": "a", "dataset": "own", "split": "train", "text": text, "entities": listed, **values}


def _write(path: Path, *lines: dict[str, Any] | str | bytes) -> Path:
    raw = [
        line if isinstance(line, bytes) else (line if isinstance(line, str) else json.dumps(line)).encode()
        for line in lines
    ]
    path.write_bytes(b"".join(line + b"\n" for line in raw))
    return path


def _check(path: Path) -> tuple[Checked, list[Fault]]:
    faults: list[Fault] = []
    return check_records(path, faults.append), faults


def test_check_passes_a_good_file(tmp_path: Path) -> None:
    good = _record("TNF fell", (0, 3, "TNF"))
    path = _write(tmp_path / "own.jsonl", "\ufeff" + json.dumps(good), "", json.dumps(good | {"id": "b"}) + "\r")
    assert _check(path) == (Checked(records=2, faults=0, utf16=False), [])


FAULTY: dict[str, tuple[dict[str, Any] | str | bytes, list[tuple[str, str]]]] = {
    "no JSON": ("{", [("line 2", "EOF while parsing an object")]),
    "other JSON": ("{'id': 1}", [("line 2", "key must be a string at character 2")]),
    "not UTF-8": (b'{"id": "\xb5"}', [("line 2", "UTF-8 text")]),
    "a lone surrogate": ('{"id": "\\ud83e"}', [("line 2", "valid Unicode")]),
    "an array": ("[]", [("line 2", "object")]),
    "no text": ({"id": "b", "dataset": "own", "split": "x"}, [("line 2.text", "a value (the key is required)")]),
    "a key too many": (_record(extra=1, id="b"), [("line 2.extra", "no such key")]),
    "another type": (_record(id=3), [("line 2.id", "text in quotes")]),
    "several shapes": (_record(text=1, label=[], id="b"), [("line 2.text", "text in quotes"), ("line 2.label", "a whole number, a string or null")]),
    "two wrong offsets": (
        _record("TNF fell", (0, 2, "TNF"), (4, 8, "fell"), (4, 80, "fell"), id="b"),
        [("line 2.entities.0", "'TN'"), ("line 2.entities.2", "at most 8, where the text ends")],
    ),
    "a negative offset": (_record("TNF fell", (-4, 8, "fell"), id="b"), [("line 2.entities.0.start", "greater")]),
    "an empty mention": (_record("TNF fell", (3, 3, ""), id="b"), [("line 2.entities.0", "slice")]),
    "an entity id twice": (
        _record(entities=[{"id": "e", "start": 0, "end": 3, "text": "TNF"}] * 2, id="b"),
        [("line 2.entities.1.id", "each entity id once")],
    ),
    "ids that are not there": (
        _record("TNF fell", (0, 3, "TNF"), triples=[{"head": "x", "relation": "R", "tail": "e1"}, {"head": "e1", "relation": "R", "tail": "y"}], id="b"),
        [("line 2.triples.0.head", "['e1']"), ("line 2.triples.1.tail", "['e1']")],
    ),
    "a shape and an offset": (
        {key: value for key, value in _record("TNF fell", (0, 2, "TNF"), id="b").items() if key != "split"},
        [("line 2.split", "required"), ("line 2.entities.0", "slice")],
    ),
    "a number that is none": (_record(id="b", meta={"a": [1, {"b": float("nan")}]}), [("line 2.meta", "JSON can hold")]),
    "an offset and a number": (
        _record("TNF fell", (0, 2, "TNF"), id="b", meta={"a": float("-inf")}),
        [("line 2.entities.0", "'TN'"), ("line 2.meta", "JSON can hold")],
    ),
    "a label that is none": (_record(id="b", label=float("inf")), [("line 2.label", "a whole number")]),
    "an id twice": (_record(), [("line 2.id", "each id once")]),
}  # fmt: skip


@pytest.mark.parametrize(("line", "expected"), FAULTY.values(), ids=FAULTY)
def test_check_names_every_fault(
    tmp_path: Path, line: dict[str, Any] | str | bytes, expected: list[tuple[str, str]]
) -> None:
    path = _write(tmp_path / "own.jsonl", _record(), line, _record(id="c"), _record(id="c"))
    checked, faults = _check(path)
    # Faults of one line hide none of another.
    assert faults[-1].where == "line 4.id"
    assert checked == Checked(records=2, faults=len(expected) + 1, utf16=False)
    assert [fault.where for fault in faults[:-1]] == [where for where, _ in expected]
    for fault, (_, part) in zip(faults, expected, strict=False):
        assert part in fault.expected


def test_check_names_keys_that_stand_twice(tmp_path: Path) -> None:
    line = '{"id": "a", "dataset": "own", "split": "x", "text": "B", "text": "C", "meta": {"k": 1, "k": 2}}'
    path = _write(tmp_path / "own.jsonl", line)
    checked, faults = _check(path)
    assert checked == Checked(records=0, faults=2, utf16=False)
    assert {(f.where, f.found) for f in faults} == {
        ("line 1", "the key 'text' more than once in one object"),
        ("line 1", "the key 'k' more than once in one object"),
    }
    with pytest.raises(FileFaultsError, match="the key 'text' more than once"):
        from_utf16(path, tmp_path / "out.jsonl")


@pytest.mark.parametrize("lines", [[], ["", "  "]])
def test_check_of_a_file_without_records_is_a_fault(tmp_path: Path, lines: list[str]) -> None:
    checked, faults = _check(_write(tmp_path / "own.jsonl", *lines))
    assert checked == Checked(records=0, faults=1, utf16=False)
    assert faults == [Fault("file", "no record", "one a line")]


def test_a_record_does_not_write_what_json_cannot_hold() -> None:
    record = Record(id="a", dataset="own", split="x", text="B")
    record.meta["a"] = float("nan")
    with pytest.raises(ValueError, match="not JSON compliant"):
        record.to_json()
    with pytest.raises(ValueError, match="JSON can hold"):
        Record(id="a", dataset="own", split="x", text="B", meta={"a": float("inf")})


def test_check_wants_a_file(tmp_path: Path) -> None:
    with pytest.raises(BiochunkError, match="No such file"):
        _check(tmp_path / "none.jsonl")


DNA = "🧬 BRCA1 lost"
IN_UTF16 = _record(DNA, (3, 8, "BRCA1"))
IN_CHARACTERS = _record(DNA, (2, 7, "BRCA1"), id="b")
EITHER = _record("BRCA1 lost 🧬", (0, 5, "BRCA1"), id="c")


def test_check_says_when_offsets_are_counted_in_utf16(tmp_path: Path) -> None:
    checked, faults = _check(_write(tmp_path / "own.jsonl", IN_UTF16, EITHER))
    assert checked.utf16
    assert len(faults) == 1
    assert "counted in UTF-16 code units" in faults[0].found


@pytest.mark.parametrize(
    ("lines", "utf16"),
    [
        ([EITHER], False),
        ([IN_CHARACTERS], False),
        ([IN_UTF16, IN_CHARACTERS], False),
        ([IN_UTF16, _record(DNA, (4, 9, "BRCA1"), id="d")], True),
    ],
)
def test_check_wants_no_line_that_contradicts_utf16(tmp_path: Path, lines: list[dict[str, Any]], utf16: bool) -> None:
    assert _check(_write(tmp_path / "own.jsonl", *lines))[0].utf16 == utf16


def test_from_utf16_rewrites_offsets(tmp_path: Path) -> None:
    assert from_utf16(_write(tmp_path / "own.jsonl", IN_UTF16, EITHER), tmp_path / "out.jsonl") == 1
    fixed = [record.model_dump(exclude_defaults=True) for record in read_records(tmp_path / "out.jsonl")]
    assert fixed == [IN_CHARACTERS | {"id": "a"}, EITHER]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (IN_CHARACTERS, "line 2: found offsets that do not fit, expected offsets in UTF-16 code units"),
        ({"id": "b"}, "line 2.text: found nothing"),
        (IN_UTF16 | {"extra": 1}, "line 2.extra"),
    ],
)
def test_from_utf16_writes_nothing_for_a_faulty_file(tmp_path: Path, line: dict[str, Any], message: str) -> None:
    with pytest.raises(FileFaultsError) as caught:
        from_utf16(_write(tmp_path / "own.jsonl", IN_UTF16, line), tmp_path / "out.jsonl")
    assert message in str(caught.value)
    assert not (tmp_path / "out.jsonl").exists()


@given(st.text("a🧬β ", min_size=1, max_size=12), st.data())
def test_utf16_offsets_are_what_a_browser_counts(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))

    def units(part: str) -> int:
        return sum(2 if ord(char) > 0xFFFF else 1 for char in part)

    entity = Entity(id="e", start=units(text[:start]), end=units(text[:end]), text=text[start:end])
    assert utf16_offsets(text, [entity]) == [(start, end)]


def test_check_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good = _write(tmp_path / "good.jsonl", EITHER)
    bad = _write(tmp_path / "bad.jsonl", IN_UTF16, "{")
    check_command([good])
    assert capsys.readouterr().out == f"{good}: 1 record without a fault, 0 faults\n"
    with pytest.raises(BiochunkError, match="found 2 faults"):
        check_command([good, bad])
    assert f"{bad}: line 1.entities.0: found" in capsys.readouterr().err
    with pytest.raises(BiochunkError, match="found 1 fault, expected none"):
        check_command([_write(tmp_path / "empty.jsonl")])
    assert "empty.jsonl: file: found no record" in capsys.readouterr().err
    with pytest.raises(UsageError, match="found --fix-utf16 without -o"):
        check_command([good], fix_utf16=True)
    with pytest.raises(UsageError):
        check_command([good], output=tmp_path / "out.jsonl")
    with pytest.raises(UsageError):
        check_command([good, bad], fix_utf16=True, output=tmp_path / "out.jsonl")


def test_record_and_check_agree(tmp_path: Path) -> None:
    """A line that the reader takes has no fault, and the other way round."""
    for name, (line, _) in FAULTY.items():
        path = _write(tmp_path / "own.jsonl", line)
        checked, _ = _check(path)
        read: list[Record] = []
        refused: list[FileFaultsError] = []
        if not isinstance(line, bytes):
            read = list(read_records(path, refused.append))
        assert bool(read) == (checked.faults == 0), name

"""Any string of JSON objects is read; anything else is one error with its place."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biochunk.corpora import jsonrows
from biochunk.corpora.jsonrows import read_json_rows
from biochunk.errors import BiochunkError, FileFaultsError

ROWS = [{"a": "β-lactamase\u00a0rose", "b": [1]}, {"a": "}{][", "b": []}]


def _write(folder: Path, content: str | bytes) -> Path:
    path = folder / "rows.json"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


FIRST, SECOND = (json.dumps(row, ensure_ascii=False) for row in ROWS)
READABLE = {
    "json lines": f"{FIRST}\n{SECOND}\n",
    "no last line break": f"{FIRST}\n{SECOND}",
    "blank lines": f"\n{FIRST}\n\n{SECOND}\n\n",
    "carriage returns": f"{FIRST}\r\n{SECOND}\r\n",
    "an array": f"[{FIRST}, {SECOND}]",
    "an indented array": json.dumps(ROWS, indent=2),
    "an array and lines": f"[{FIRST}]\n{SECOND}\n",
    "lines and an array": f"{FIRST}\n[\n{SECOND}\n]\n",
    "arrays": f"[{FIRST}][][{SECOND}]",
    "on one line": FIRST + SECOND,
    "with a byte order mark": f"\ufeff[{FIRST}, {SECOND}]",
}


@pytest.mark.parametrize("content", READABLE.values(), ids=READABLE)
def test_jsonrows_reads(tmp_path: Path, content: str) -> None:
    assert [row.value for row in read_json_rows(_write(tmp_path, content))] == ROWS


def test_jsonrows_says_where_a_row_stands(tmp_path: Path) -> None:
    rows = list(read_json_rows(_write(tmp_path, f"{FIRST}\n\n[\n{FIRST},\n{SECOND}]\n{SECOND}")))
    assert [(row.line, row.item) for row in rows] == [(1, None), (4, 1), (5, 2), (6, None)]
    assert [row.where for row in rows] == ["line 1", "item 1", "item 2", "line 6"]


@pytest.mark.parametrize("block", [1, 2, 3, 7, 64])
def test_jsonrows_does_not_depend_on_how_much_is_read_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, block: int
) -> None:
    path = _write(tmp_path, READABLE["an array and lines"])
    whole = list(read_json_rows(path))
    monkeypatch.setattr(jsonrows, "_BLOCK", block)
    assert list(read_json_rows(path)) == whole


FAULTY = {
    "empty": (b"", "line 1: found an empty file"),
    "blank": (b" \n\n", "no JSON object"),
    "only a mark": (b"\xef\xbb\xbf", "an empty file"),
    "empty array": (b"[]", "no JSON object"),
    "cut in an object": (b'{"a": 1}\n{"a": "x', "line 2: found the end of the file inside an object"),
    "cut after a key": (b'{"a": 1}\n{"a"', "line 2: found the end of the file inside an object"),
    "cut after a line": (
        b'{"a": 1}\n{"a":\n',
        "line 3: found the end of the file inside an object that begins on line 2",
    ),
    "a row without its end": (
        b'{"a": 1}\n{"a"\n{"a": 2}',
        """line 3: found '{"a": 2}' inside an object that begins on line 2""",
    ),
    "cut in an array": (b'[{"a": 1},\n', "line 2, item 2 of the array: found the end of the file"),
    "cut after an item": (b'[{"a": 1}', "item 1 of the array: found the end of the file"),
    "cut in a character": ('{"a": "β'.encode()[:-1], "inside a character"),
    "latin-1": ('{"a": 1}\n{"a": "µ"}'.encode("latin-1"), "line 2: found the byte 0xB5"),
    "utf-16": ('{"a": 1}'.encode("utf-16"), "found UTF-16 text, expected UTF-8"),
    "no comma": (b'[{"a": 1} {"a": 2}]', "item 1 of the array: found '{', expected ',' or ']'"),
    "a comma too many": (b'[{"a": 1},]', "item 2 of the array"),
    "a stray bracket": (b'{"a": 1}]', "line 1: found ']'"),
    "not JSON": (b"TNF fell.", "line 1: found 'T"),
    "single quotes": (b"{'a': 1}", "valid JSON"),
    "a string": (b'"TNF"', "expected a JSON object"),
    "a number": (b"12", "expected a JSON object"),
    "a list of lists": (b"[[1]]", "item 1 of the array: found '["),
    "a line break in a string": (b'{"a": "x\ny"}', "valid JSON (Invalid control character"),
    "a key twice": (b'{"a": 1, "a": 2}', "the key 'a' twice"),
    "no number": (b'{"a": NaN}', "found NaN"),
    "nested too deeply": (b"[" + b'{"a":' * 100_000, "nested too deeply"),
}


@pytest.mark.parametrize(("content", "message"), FAULTY.values(), ids=FAULTY)
def test_jsonrows_names_the_fault(tmp_path: Path, content: bytes, message: str) -> None:
    path = _write(tmp_path, content)
    with pytest.raises(FileFaultsError) as caught:
        list(read_json_rows(path))
    assert message in str(caught.value)
    assert str(caught.value).startswith(f"{path}: line ")


@pytest.mark.parametrize("block", [1, 2, 5])
@pytest.mark.parametrize("name", [name for name in FAULTY if name != "nested too deeply"])
def test_jsonrows_names_the_fault_however_much_is_read_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, block: int, name: str
) -> None:
    monkeypatch.setattr(jsonrows, "_BLOCK", block)
    test_jsonrows_names_the_fault(tmp_path, *FAULTY[name])


def test_jsonrows_yields_the_rows_before_a_fault(tmp_path: Path) -> None:
    rows = read_json_rows(_write(tmp_path, f"{FIRST}\n[oops"))
    assert next(rows).value == ROWS[0]
    with pytest.raises(FileFaultsError, match="line 2, item 1"):
        next(rows)


def test_jsonrows_stops_at_an_object_that_never_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jsonrows, "_LONGEST", 1000)
    monkeypatch.setattr(jsonrows, "_BLOCK", 100)
    with pytest.raises(FileFaultsError, match="an object of more than 1000 characters"):
        list(read_json_rows(_write(tmp_path, '{"a": "' + "x" * 100_000)))


def test_jsonrows_without_a_file(tmp_path: Path) -> None:
    with pytest.raises(BiochunkError, match=r"\[B009\] Cannot read .*No such file"):
        list(read_json_rows(tmp_path / "none.json"))


_VALUES = st.dictionaries(st.text(max_size=5), st.text(max_size=20) | st.none() | st.lists(st.integers()), max_size=4)


@given(st.lists(_VALUES, min_size=1, max_size=6), st.booleans(), st.booleans(), st.sampled_from([None, 1, 3]))
def test_jsonrows_round_trip(
    tmp_path_factory: pytest.TempPathFactory,
    rows: list[dict[str, object]],
    as_array: bool,
    ascii_only: bool,
    indent: int | None,
) -> None:
    dumped = [json.dumps(row, ensure_ascii=ascii_only, indent=indent) for row in rows]
    content = "[" + ",".join(dumped) + "]" if as_array else "\n".join(dumped)
    path = _write(tmp_path_factory.mktemp("rows"), content)
    assert [row.value for row in read_json_rows(path)] == rows

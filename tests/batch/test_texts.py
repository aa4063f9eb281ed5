"""Lines to texts: `biochunk.batch.texts`, and the choice of a format."""

import io
import json
from typing import Any

import pytest

from biochunk.batch.lines import Line, read_lines
from biochunk.batch.texts import BadLineError, Text, guess_format, parse_line
from biochunk.cli.common import FormatOption, lines_and_format

ONE = "Aspirin inhibits COX-2."
TWO = "Metformin does not inhibit COX-1."
LONGEST = 1_000_000


def jsonl(*values: Any) -> bytes:
    return "".join(json.dumps(value, ensure_ascii=False) + "\n" for value in values).encode()


def parse(data: bytes, format: str = "jsonl", text_key: str = "text") -> Text | None:
    return parse_line(Line(12, data, len(data)), format, text_key, LONGEST)


@pytest.mark.parametrize(
    ("name", "data", "texts"),
    [
        ("a.jsonl", jsonl({"text": ONE}, {"text": TWO}), [ONE, TWO]),
        ("a.jsonl", jsonl(ONE, TWO), [ONE, TWO]),
        ("a.jsonl", b"\xef\xbb\xbf" + jsonl({"text": ONE}), [ONE]),
        ("a.jsonl", jsonl({"text": ONE}, {"text": TWO}).replace(b"\n", b"\r\n").rstrip(), [ONE, TWO]),
        ("a.jsonl", b"\n" + jsonl({"text": ""}) + b"  \r\n" + jsonl(ONE), [None, "", None, ONE]),
        ("a.jsonl", b"", []),
        ("a.txt", b"", []),
        ("a.txt", f"{ONE}\n\n \t\n{TWO}".encode(), [ONE, None, None, TWO]),
        ("a.txt", f"\ufeff{ONE}\r\n{TWO}\r\n".encode(), [ONE, TWO]),
        ("a.txt", "β\u2028inhibits\x0bα\n".encode(), ["β\u2028inhibits\x0bα"]),
        ("a.txt", f" {ONE}  \n".encode(), [f" {ONE}  "]),
        ("a.txt", jsonl({"text": ONE}), [json.dumps({"text": ONE})]),
        ("-", b"\n \n" + jsonl({"text": ONE}), [None, None, ONE]),
        ("-", f"\n{ONE}\n".encode(), [None, ONE]),
    ],
)
def test_texts_every_form_of_input(name: str, data: bytes, texts: list[str | None]) -> None:
    lines, format = lines_and_format(io.BytesIO(data), name, FormatOption.auto)
    parsed = [parse_line(line, format, "text", LONGEST) for line in lines]
    assert [text and text.text for text in parsed] == texts


@pytest.mark.parametrize(
    ("name", "line", "format"),
    [
        ("a.jsonl", ONE.encode(), "jsonl"),
        ("A.NDJSON", ONE.encode(), "jsonl"),
        ("a.txt", b'{"text": "a"}', "text"),
        ("-", b'{"text": "a"}', "jsonl"),
        ("-", b' {"text": "cut off', "jsonl"),
        ("-", b"{}", "jsonl"),
        ("-", b'"a string"', "jsonl"),
        ("-", b'[{"text": "a"}]', "jsonl"),
        ("-", b'"Aspirin" is a name.', "text"),
        ("-", b"[  Aspirin  ] inhibits {  COX-2  }", "text"),
        ("-", b"{  COX-2  } falls", "text"),
        ("-", b"12", "text"),
        ("-", b"[" * 100_000, "text"),
        ("-", b"\xff", "text"),
        ("-", b"", "text"),
        ("notes.dat", ONE.encode(), "text"),
    ],
)
def test_texts_format_by_name_then_by_first_line(name: str, line: bytes, format: str) -> None:
    assert guess_format(name, line) == format


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("a", Text("line-12", "a", {}, {})),
        ({"text": "a"}, Text("line-12", "a", {}, {})),
        ({"text": "a", "id": None}, Text("line-12", "a", {}, {})),
        ({"id": 7, "text": "a", "meta": None, "n": 1.5}, Text(7, "a", None, {"n": 1.5})),
        ({"text": "a", "triples": [], "label": 1}, Text("line-12", "a", {}, {"triples": [], "label": 1})),
    ],
)
def test_texts_keep_what_came_with_the_text(value: Any, expected: Text) -> None:
    assert parse(json.dumps(value).encode()) == expected


def test_texts_other_text_key() -> None:
    assert parse(b'{"text": 7, "sentence": "a"}', text_key="sentence") == Text("line-12", "a", {}, {"text": 7})


def test_texts_escaped_astral_character_is_one_code_point() -> None:
    assert parse(rb'"\ud83e\uddec a"') == Text("line-12", "🧬 a", {}, {})


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b'{"text": "a', 'found \'{"text": "a\', expected valid JSON (Unterminated string'),
        (b'{"id": 1}', "found the keys 'id', expected the key 'text'"),
        (b"{}", "found the keys none"),
        (b'{"text": 5}', "found 5 under 'text', expected a string"),
        (b'{"text": null}', "found null under 'text'"),
        (b'[{"text": "a"}]', "found a JSON array, expected a JSON object with a text, or a JSON string"),
        (b"12", "found 12, expected"),
        (b"true", "found true or false, expected"),
        (
            b'{"text": "a \\ud83e b"}',
            "found a lone surrogate (U+D83E) at character 2, expected valid Unicode",
        ),
        (b'"a\\udc00"', "found a lone surrogate (U+DC00) at character 1, expected valid Unicode"),
        (b'{"text": "a", "meta": {"b": "\\udc00"}}', "a lone surrogate outside the text"),
        (b'{"text": "a", "\\udc00": 1}', "a lone surrogate outside the text"),
        (b'{"text": "a\xff"}', "found the byte 0xFF at byte 11 of the line, expected UTF-8 text"),
        (b'{"text": "a", "text": "b"}', "found the key 'text' twice in one object, expected each key once"),
        (b'{"text": "a", "meta": {"b": 1, "b": 2}}', "found the key 'b' twice"),
        (b'{"text": "a", "n": NaN}', "found the number NaN, expected one that JSON can hold"),
        (b'{"text": "a", "n": -1e999}', "found the number -1e999"),
        (b'{"text": "a", "n": %s}' % (b"1" * 5000), "JSON that can be read"),
        (b"[" * 100_000, "found brackets nested too deeply"),
        (b'"%s"' % (b"a" * (LONGEST + 1)), "found a text of 1000001 characters, expected at most 1000000"),
    ],
)
def test_texts_bad_line_names_found_and_expected(data: bytes, message: str) -> None:
    with pytest.raises(BadLineError) as caught:
        parse(data)
    assert message in str(caught.value)
    assert len(str(caught.value)) < 300
    assert "\n" not in str(caught.value)


def test_texts_cut_line_is_bad(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("biochunk.batch.lines.LONGEST_LINE", 8)
    long, short = read_lines(io.BytesIO(b"x" * 30 + b"\nabc\n"))
    with pytest.raises(BadLineError, match="found a line of 31 bytes"):
        parse_line(long, "text", "text", LONGEST)
    assert parse_line(short, "text", "text", LONGEST) == Text("line-2", "abc", {}, {})

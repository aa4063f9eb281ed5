"""One line of input to the text in it and what came with the text."""

import json
import re
from typing import Any, Literal, NamedTuple, NoReturn

from .lines import LONGEST_LINE, Line

Format = Literal["jsonl", "text"]

# A JSON object, or an array of objects, which is reported as such. Marked-up text such as
# "[  x  ] inhibits {  y  }" is neither.
_LOOKS_LIKE_JSON = re.compile(rb'\s*(?:\{\s*["}]|\[\s*\{)')
_SURROGATE = re.compile("[\ud800-\udfff]")
_OBJECT = "a JSON object with a text, or a JSON string"


class Text(NamedTuple):
    """A text to work on.

    id (Any): The input's "id", else "line-12".
    text (str): The text.
    meta (Any): The input's "meta", else {}.
    source (dict): Every other key of the input object, unchanged.
    """

    id: Any
    text: str
    meta: Any
    source: dict[str, Any]


class BadLineError(Exception):
    """A line that holds no text to work on. Arguments: what was found, what is expected."""

    def __str__(self) -> str:
        found, expected = self.args
        return f"found {found}, expected {expected}"


def guess_format(name: str, line: bytes) -> Format:
    """The format of an input.

    name (str): Its file name; ".jsonl", ".ndjson" and ".json" mean JSONL, ".txt" text.
    line (bytes): Its first line that is not blank; it decides where the name does not.
    """
    ending = name.lower().rpartition(".")[2]
    if ending in ("jsonl", "ndjson", "json"):
        return "jsonl"
    if ending == "txt":
        return "text"
    if _LOOKS_LIKE_JSON.match(line):
        return "jsonl"
    try:
        return "jsonl" if isinstance(json.loads(line), str) else "text"
    except (ValueError, RecursionError):
        return "text"


def parse_line(line: Line, format: Format, text_key: str, max_length: int) -> Text | None:
    """The text of a line.

    line (Line): The line.
    format (Format): "jsonl" or "text".
    text_key (str): Key of the text in a JSON object.
    max_length (int): Most characters of a text.
    RETURNS (Text | None): None where the line is blank.
    RAISES (BadLineError): If the line is not UTF-8, not JSON, or holds no text that a pipeline can take.
    """
    if line.cut:
        raise BadLineError(f"a line of {line.size} bytes", f"at most {LONGEST_LINE}")
    raw = _decode(line.data)
    if not raw.strip():
        return None
    name = f"line-{line.number}"
    if format == "text":
        return Text(name, check_text(raw, max_length), {}, {})
    value = _parse(raw)
    if isinstance(value, str):
        return Text(name, check_text(value, max_length), {}, {})
    if not isinstance(value, dict):
        raise BadLineError(_shown(value), _OBJECT)
    if text_key not in value:
        keys = ", ".join(repr(key) for key in value) or "none"
        raise BadLineError(f"the keys {_short(keys)}", f"the key {text_key!r} (--text-key names another)")
    source = dict(value)
    text = source.pop(text_key)
    if not isinstance(text, str):
        raise BadLineError(f"{_shown(text)} under {text_key!r}", "a string")
    check_text(text, max_length)
    if "\\u" in raw and _SURROGATE.search(json.dumps(source, ensure_ascii=False)):
        raise BadLineError("a lone surrogate outside the text", "valid Unicode")
    given = source.pop("id", None)
    return Text(name if given is None else given, text, source.pop("meta", {}), source)


def check_text(text: str, max_length: int) -> str:
    """RETURNS (str): The text itself. RAISES (BadLineError): If it is too long or no valid Unicode."""
    if len(text) > max_length:
        raise BadLineError(
            f"a text of {len(text)} characters",
            f"at most {max_length} (nlp.max_length); split it into smaller texts",
        )
    if lone := _SURROGATE.search(text):
        raise BadLineError(f"a lone surrogate (U+{ord(lone[0]):04X}) at character {lone.start()}", "valid Unicode")
    return text


def _decode(data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        found = f"the byte 0x{data[error.start]:02X} at byte {error.start} of the line"
        raise BadLineError(found, "UTF-8 text; convert the file, for example with iconv") from None


def _parse(raw: str) -> Any:
    try:
        return json.loads(raw, object_pairs_hook=_unique, parse_constant=_refuse_number, parse_float=_finite_number)
    except json.JSONDecodeError as error:
        message = f"valid JSON ({error.msg}, character {error.pos}), {_OBJECT}"
        raise BadLineError(repr(_short(raw)), message) from None
    except RecursionError:
        raise BadLineError("brackets nested too deeply", _OBJECT) from None
    except ValueError as error:
        # An integer of thousands of digits.
        raise BadLineError(repr(_short(raw)), f"JSON that can be read ({error})") from None


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise BadLineError(f"the key {twice!r} twice in one object", "each key once")
    return value


def _finite_number(digits: str) -> float:
    number = float(digits)
    if number - number != 0:
        _refuse_number(digits)
    return number


def _refuse_number(digits: str) -> NoReturn:
    raise BadLineError(f"the number {_short(digits)}", "one that JSON can hold")


def _shown(value: object) -> str:
    kinds = {list: "a JSON array", dict: "a JSON object", bool: "true or false", type(None): "null"}
    return kinds.get(type(value), _short(repr(value)))


def _short(text: str) -> str:
    return text if len(text) <= 60 else text[:57] + "..."

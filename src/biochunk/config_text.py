"""Config files (spaCy's format) as text: how they are read, and what is wrong with one in plain words."""

import re
from configparser import DuplicateOptionError, DuplicateSectionError
from configparser import Error as ConfigParserError
from typing import Any

from confection import Config, ConfigValidationError

_SECTION = re.compile(r"^\[([^\]\n]+)\]", re.MULTILINE)
# What confection says of a value: where inside it, the value, its type as Python writes it.
_IS_NOT = re.compile(r"at root(?P<where>\S*): (?P<found>.*) is not (?P<type>.*)", re.DOTALL)
_UNKNOWN = re.compile(r"unexpected argument: (?P<name>.*)", re.DOTALL)
_LITERAL = re.compile(r"(?:typing\.)?Literal\[(.*)\]", re.DOTALL)
_TYPES = {
    "<class 'bool'>": "true or false",
    "<class 'float'>": "a number",
    "<class 'int'>": "a whole number",
    "<class 'str'>": "text in quotes",
}


def parse_config(text: str, section_order: list[str] | None = None) -> Config:
    """Read a config, or a part of one: confection wants the section above each section, here an empty one will do.

    text (str): The file's text.
    section_order (list[str] | None): See `Config`.
    RETURNS (Config): The config, with its variables as they are written.
    RAISES (ValueError): When it is none; see `config_problem`.
    """
    # A section that is there, or put in already.
    known = set(_SECTION.findall(text))

    def with_those_above(match: re.Match[str]) -> str:
        parts = match[1].split(".")
        missing = [above for i in range(1, len(parts)) if (above := ".".join(parts[:i])) not in known]
        known.update(missing)
        return "".join(f"[{section}]\n" for section in missing) + match[0]

    try:
        return Config(section_order=section_order).from_str(_SECTION.sub(with_those_above, text), interpolate=False)
    except KeyError as error:
        raise ValueError(f"found a section above [{error.args[0]}], expected it below, as a part of it") from None
    except DuplicateOptionError as error:
        raise ValueError(f"found the key '{error.option}' twice in [{error.section}], expected each key once") from None
    except DuplicateSectionError as error:
        raise ValueError(f"found the section [{error.section}] twice, expected each section once") from None
    except ConfigParserError as error:
        raise ValueError(" ".join(str(error).split())) from None


def config_problem(error: Exception) -> str:
    """What an error says of a config, in one line."""
    if isinstance(error, ConfigValidationError) and error.errors:
        return "; ".join(f"{where}: found {found}, expected {expected}" for where, found, expected in values(error))
    return " ".join(str(error).split())


def values(error: ConfigValidationError) -> list[tuple[str, str, str]]:
    """RETURNS (list[tuple[str, str, str]]): For each wrong value its place, what was found and what is expected."""
    return [_value(".".join(map(str, detail["loc"])), str(detail["msg"])) for detail in error.errors or ()]


def _value(where: str, message: str) -> tuple[str, str, str]:
    if match := _IS_NOT.fullmatch(message):
        return where + match["where"], match["found"], _in_words(match["type"])
    if match := _UNKNOWN.fullmatch(message):
        return where, f"the unknown option {match['name']}", "one that is there, or none"
    return where, f"a wrong value ({message.removeprefix('at root: ')})", "one that fits"


def _in_words(kind: str) -> str:
    choices: list[Any] = [_TYPES.get(part.strip(), part.strip()) for part in kind.split(" | ")]
    words = ["none" if choice in ("None", "<class 'NoneType'>") else _choices(choice) for choice in choices]
    return " or ".join(words)


def _choices(kind: str) -> str:
    match = _LITERAL.fullmatch(kind)
    return f"one of: {match[1]}" if match else kind

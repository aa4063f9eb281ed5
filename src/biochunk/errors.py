"""Errors that a user can act on: what was found, what was expected, what to change."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .wording import counted

# A file with more faults than this is mended in several rounds.
_MOST_SHOWN = 200


class BiochunkError(ValueError):
    """A failure with a message for the user. The command line prints it as is and exits with `exit_code`."""

    exit_code = 1

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled with its message, whatever its constructor takes, so that it gets from one process to another."""
        return _rebuilt, (type(self), self.args, self.__dict__)


def _rebuilt(kind: type[BiochunkError], args: tuple[Any, ...], values: dict[str, Any]) -> BiochunkError:
    error = kind.__new__(kind, *args)
    error.__dict__.update(values)
    return error


class UsageError(BiochunkError):
    """A wrong argument or option."""

    exit_code = 2


class MissingExtraError(BiochunkError):
    """A part needs a package that is not installed."""

    def __init__(self, package: str, extra: str, what: str) -> None:
        super().__init__(Errors.E001.format(what=what, package=package, extra=extra))


class OptionError(BiochunkError):
    """A component refuses an option.

    name (str): The component's name in the pipeline.
    option (str): The option.
    found, expected (str): What it is, and what it should be.
    """

    def __init__(self, name: str, option: str, found: str, expected: str) -> None:
        self.option, self.found, self.expected = option, found, expected
        super().__init__(Errors.E003.format(name=name, option=option, found=found, expected=expected))


@dataclass(frozen=True)
class Fault:
    """One thing that is wrong in a file.

    where (str): Key path ("relations.TREATS.weight") or line ("line 12").
    found (str): What stands there.
    expected (str): What should stand there.
    """

    where: str
    found: str
    expected: str


class FileFaultsError(BiochunkError):
    """Everything that is wrong in one file, in one error.

    path (str): The file, as the user named it.
    faults (Sequence[Fault]): At least one fault, in file order.
    most (int): So many are named in the message, and the rest is counted.
    """

    def __init__(self, path: str, faults: Sequence[Fault], most: int = _MOST_SHOWN) -> None:
        self.path = path
        self.faults = tuple(faults)
        lines = [f"{path}: {fault.where}: found {fault.found}, expected {fault.expected}" for fault in faults]
        if len(lines) > most:
            lines[most:] = [f"{path}: and {counted(len(lines) - most, 'more fault')}"]
        super().__init__("\n".join(line if len(line) <= 600 else line[:597] + "..." for line in lines))


class Errors:
    """Message templates. A code is never reused for another meaning."""

    E001 = "[B001] {what} needs the package '{package}'. Install it with: pip install 'biochunk[{extra}]'"
    E002 = (
        "[B002] Component '{name}' holds no knowledge yet: found no dataset, expected one. Set "
        "[initialize.components.{name}] dataset in the config and call nlp.initialize(), or load a built pipeline."
    )
    E003 = "[B003] Component '{name}': {option} is {found}, expected {expected}. Change [components.{name}] {option}."
    E004 = (
        "[B004] Component '{name}' found no span group '{group}' on the Doc, expected one. Add '{factory}' "
        "before '{name}' in the pipeline."
    )
    E005 = (
        "[B005] The text holds a lone surrogate (U+{code:04X}) at character {position}, expected valid Unicode. "
        "Repair the input or replace it, for example with text.encode('utf-8', 'replace').decode()."
    )
    E006 = (
        "[B006] The encoder returned {found} for {texts} texts, expected {expected}. Check the encoder named in "
        "[components.{name}.encoder]."
    )
    E007 = "[B007] Relation '{found}' is not in the dataset, expected one of: {expected}."
    E008 = "[B008] The encoder '{encoder}' {problem}. Expected {expected}."
    E009 = "[B009] Cannot {action} '{path}': {problem}"
    E010 = (
        "[B010] A proposition's argument stands at {found}, expected offsets inside the Doc's text of {length} "
        "characters. The span group and its Doc do not belong together."
    )
    E011 = (
        "[B011] The span {text!r} of the group '{group}' has no facts, expected those that its component wrote. "
        "Doc.from_docs and Doc.to_json drop them; use Doc.to_bytes, DocBin or Doc.copy."
    )
    E012 = (
        "[B012] Found a Doc extension '{name}' of another package, expected the name to be free. Remove it with "
        "Doc.remove_extension('{name}') before biochunk's components are made."
    )

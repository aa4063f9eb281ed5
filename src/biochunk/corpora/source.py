"""What a benchmark's files are called and what stands in them; the four readers fill in one `Source` each."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from ..errors import BiochunkError, Errors, Fault, FileFaultsError, UsageError
from .jsonrows import read_json_rows
from .locate import Marking

SPLITS = ("train", "dev", "test")
# A file with more faults than this is the wrong file, and its user needs no longer list.
_MOST_FAULTS = 50


class Asked(NamedTuple):
    """What one row says, in its own words: a triple of strings, or a label, or a bare sentence.

    text (str): The sentence as it stands in the file.
    head, relation, tail (str | None): The triple; relation "None" where the corpus says that none holds.
    label (int | None): Class of the sentence.
    """

    text: str
    head: str | None = None
    relation: str | None = None
    tail: str | None = None
    label: int | None = None


class Row(NamedTuple):
    """One row of a file and where it stands: line from 1, and item from 1 where the file is an array."""

    asked: Asked
    line: int
    item: int | None


@dataclass(frozen=True)
class Source:
    """One benchmark.

    name (str): Name of the dataset in unified files.
    title (str): Name for reports.
    folders (tuple[str, ...]): What its folder is called: in our layout, then in BioMedRAG's repository.
    files (dict[str, tuple[str, ...]]): Lower-case patterns of file names by split, the preferred one first.
    parse (Callable): An object of the file to what it asks; raises `Misfit` for an object of another shape.
    marking (Marking): How the corpus marks mentions in its text.
    labels (tuple[str, str]): Entity labels of head and tail.
    directed (bool): False when (a, b) and (b, a) ask the same.
    carve_dev (bool): The benchmark has no dev file, so one is carved out of train.
    """

    name: str
    title: str
    folders: tuple[str, ...]
    files: dict[str, tuple[str, ...]]
    parse: Callable[[dict[str, Any]], Iterable[Asked]]
    marking: Marking = field(default_factory=Marking)
    labels: tuple[str, str] = ("", "")
    directed: bool = True
    carve_dev: bool = False


class Misfit(Exception):
    """An object has another shape. Arguments: key path, what was found, what is expected."""


def text_at(value: dict[str, Any], key: str) -> str:
    """The string under a key. RAISES (Misfit): If there is none."""
    if key not in value:
        raise Misfit(key, f"the keys {', '.join(value) or 'none'}", f"the key '{key}'")
    if not isinstance(value[key], str):
        raise Misfit(key, _shown(value[key]), "a string")
    return value[key]


def triples_at(value: dict[str, Any], key: str) -> list[tuple[str, str, str]]:
    """The [head, relation, tail] lists under a key. RAISES (Misfit): If something else stands there."""
    if key not in value:
        raise Misfit(key, f"the keys {', '.join(value) or 'none'}", f"the key '{key}'")
    triples = value[key]
    if not isinstance(triples, list):
        raise Misfit(key, _shown(triples), "a list of [head, relation, tail]")
    for i, triple in enumerate(triples):
        if not (isinstance(triple, list) and len(triple) == 3 and all(isinstance(part, str) for part in triple)):
            raise Misfit(f"{key}.{i}", _shown(triple), "[head, relation, tail], three strings")
    return [(head, relation, tail) for head, relation, tail in triples]


def sentence_with_triples(value: dict[str, Any]) -> Iterator[Asked]:
    """Parser of `{"text", "triple_list"}`, one row a triple; a sentence without a triple is a row too."""
    text = text_at(value, "text")
    triples = triples_at(value, "triple_list")
    if not triples:
        yield Asked(text)
    for head, relation, tail in triples:
        yield Asked(text, head, relation, tail)


def read_rows(source: Source, path: Path) -> Iterator[Row]:
    """Stream the rows of one file.

    RAISES (FileFaultsError): With every object of another shape, after the last row; at once where the file
        is not readable as JSON.
    """
    faults: list[Fault] = []
    for line, item, value in read_json_rows(path):
        try:
            asked = list(source.parse(value))
        except Misfit as misfit:
            key, found, expected = misfit.args
            where = f"line {line}" if item is None else f"item {item} of the array"
            faults.append(Fault(f"{where}, {key}", found, expected))
            if len(faults) >= _MOST_FAULTS:
                break
            continue
        for one in asked:
            yield Row(one, line, item)
    if faults:
        raise FileFaultsError(str(path), faults)


def find_files(source: Source, root: Path, *, any_name: bool = False) -> dict[str, Path]:
    """The file of each split under a data folder, its repository, or the dataset's own folder.

    any_name (bool): Take `root` as the dataset's own folder whatever it is called.

    A split's patterns are tried in order and the first that matches wins, so that BioMedRAG's other files
    (`rel2id.json`, `DDI_test.json`, the full ADE train file beside the 4000 rows in use) are passed over.
    RAISES (BiochunkError): If the folder cannot be read, or one split has several files.
    """
    for folder in _folders(source, root, any_name):
        found = _splits(source, folder)
        if found:
            return found
    return {}


def _folders(source: Source, root: Path, any_name: bool) -> Iterator[Path]:
    if not root.is_dir():
        problem = "not a folder" if root.exists() else "there is no such folder"
        raise UsageError(Errors.E009.format(action="read", path=root, problem=problem))
    for parent in (root, root / "dataset"):
        if parent.is_dir():
            by_name = {path.name.lower(): path for path in _entries(parent) if path.is_dir()}
            yield from (by_name[name] for name in source.folders if name in by_name)
    if any_name or root.resolve().name.lower() in source.folders:
        yield root


def _splits(source: Source, folder: Path) -> dict[str, Path]:
    files = [path for path in _entries(folder) if path.is_file()]
    found = {}
    for split, patterns in source.files.items():
        for pattern in patterns:
            named = [path for path in files if re.fullmatch(pattern, path.name.lower())]
            if len(named) > 1:
                names = ", ".join(path.name for path in named)
                raise BiochunkError(
                    Errors.E009.format(
                        action="choose the file of",
                        path=f"{source.name}/{split}",
                        problem=f"{names} all fit; keep one",
                    )
                )
            if named:
                found[split] = named[0]
                break
    return found


def _entries(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError as error:
        raise UsageError(Errors.E009.format(action="read", path=folder, problem=error.strerror)) from None


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."

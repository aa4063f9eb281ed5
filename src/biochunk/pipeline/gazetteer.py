"""Mentions from a list of terms: reading one, finding its terms in a Doc, and keeping it in a saved pipeline."""

import json
import re
import warnings
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import srsly
from spacy.tokens import Doc

from ..errors import BiochunkError, Errors, Fault, FileFaultsError
from ..spans import Found

LABEL = "ENTITY"
RULE = "gazetteer"

# The micro sign and the Greek letter mu look alike, and texts and lists have either.
_MICRO, _MU = "\u00b5", "\u03bc"

# Half of a pair that stands for one character; JSON can write it, UTF-8 cannot.
_SURROGATE = re.compile("[\ud800-\udfff]")


class Terms:
    """A list of terms. No dataclass, as spaCy makes a dict of one on its way from a config to a component.

    items (list): (term, label, identifier or "") each; no term twice, whatever its case.
    left_out (dict[str, int]): How many lines were left out, by reason.
    """

    def __init__(self, items: list[tuple[str, str, str]], left_out: dict[str, int] | None = None) -> None:
        self.items = items
        self.left_out = left_out or {}


def read_terms(path: str | Path, *, label: str = LABEL, min_length: int = 3, stop_terms: Sequence[str] = ()) -> Terms:
    """Read a list of terms; as "biochunk.gazetteer.v1" a reader for configs.

    Three forms, by the file's name: ".jsonl" has objects {"term": …, "label": …, "id": …}; ".tsv" has a term, a label
    and an identifier a line, tab between them; any other has a term a line. Label and identifier may be missing.

    path (str | Path): The file, in UTF-8.
    label (str): Label of terms that have none.
    min_length (int): Shorter terms, in characters, are left out: most are words of the language too.
    stop_terms (Sequence[str]): Terms to leave out, whatever their case.
    RETURNS (Terms): The terms. Of one that stands twice the first stays; where their labels differ, a warning
        says how many.
    RAISES (FileFaultsError): With every line that is none of its form, or when no term is left.
    """
    faults: list[Fault] = []
    stop = {term.lower() for term in stop_terms}
    kept: dict[str, tuple[str, str, str]] = {}
    left_out = {"short": 0, "stop term": 0, "twice": 0, "twice with another label": 0}
    for number, row in enumerate(_rows(path), 1):
        if isinstance(row, str):
            faults.append(Fault(f"line {number}", row, 'an object such as {"term": "aspirin", "label": "CHEMICAL"}'))
            continue
        term, own, identifier = row
        key = term.lower()
        if not term:
            continue
        if len(term) < min_length:
            left_out["short"] += 1
        elif key in stop:
            left_out["stop term"] += 1
        elif key in kept:
            left_out["twice" if kept[key][1] == (own or label) else "twice with another label"] += 1
        else:
            kept[key] = (term, own or label, identifier)
    if not faults and not kept:
        faults.append(Fault("file", "no term", f"at least one of {min_length} characters or more"))
    if faults:
        raise FileFaultsError(str(path), faults)
    if count := left_out["twice with another label"]:
        warnings.warn(f"{path}: {count} terms stand twice with different labels; the first is used", stacklevel=2)
    return Terms(list(kept.values()), {reason: count for reason, count in left_out.items() if count})


def _rows(path: str | Path) -> Iterator[tuple[str, str, str] | str]:
    """(term, label, identifier) of each line; of a line that is wrong, what was found."""
    suffix = Path(path).suffix
    try:
        with open(path, encoding="utf-8-sig", newline="") as file:
            if suffix == ".jsonl":
                yield from map(_object, file)
            elif suffix == ".tsv":
                for line in file:
                    term, label, identifier = ([cell.strip() for cell in line.split("\t")] + ["", "", ""])[:3]
                    yield term, label, identifier
            else:
                for line in file:
                    yield line.strip(), "", ""
    except OSError as error:
        raise BiochunkError(Errors.E009.format(action="read", path=path, problem=error.strerror)) from None
    except UnicodeDecodeError as error:
        fault = Fault(f"byte {error.start}", f"0x{error.object[error.start]:02x}, which is not UTF-8", "text in UTF-8")
        raise FileFaultsError(str(path), [fault]) from None


def _object(line: str) -> tuple[str, str, str] | str:
    if not line.strip():
        return "", "", ""
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return "no JSON"
    found = [value.get(key, "") for key in ("term", "label", "id")] if isinstance(value, dict) else []
    values = [item for item in found if isinstance(item, str)]
    if len(values) < 3 or not values[0].strip():
        return line.strip()[:60]
    broken = next((item for item in values if _SURROGATE.search(item)), None)
    if broken is not None:
        return f"half a character in {ascii(broken)[:60]}"
    term, label, identifier = (" ".join(item.split()) for item in values)
    return term, label, identifier


class Gazetteer:
    """Finds terms in Docs by their lower-cased tokens, the longest at each place.

    A dictionary of whole terms, and for each first word the lengths that terms with it have. spaCy's PhraseMatcher
    finds the same, but cannot be saved without pickle and would have to be filled anew from Docs at each load.
    """

    def __init__(self) -> None:
        self._terms: dict[str, tuple[str, str]] = {}
        self._lengths: dict[str, tuple[int, ...]] = {}

    def __len__(self) -> int:
        return len(self._terms)

    def add(self, terms: Terms, tokenizer: Any) -> None:
        """Replace the terms. tokenizer: Makes a Doc of a text, as the pipeline does with the texts to search."""
        # The tokenizer looks at what stands between spaces, and terms have such words in common.
        tokens: dict[str, str] = {}
        # A word of ASCII letters is one token, but for exceptions such as "cannot".
        exceptions = {word.lower() for word in getattr(tokenizer, "rules", None) or {}}
        found: dict[str, tuple[str, str]] = {}
        for term, label, identifier in terms.items:
            for form in {term, term.replace(_MICRO, _MU), term.replace(_MU, _MICRO)}:
                words = form.split()
                for word in words:
                    if word not in tokens:
                        lower = word.lower()
                        plain = lower.isascii() and lower.isalpha() and lower not in exceptions
                        tokens[word] = lower if plain else " ".join(token.lower_ for token in tokenizer(word))
                found.setdefault(" ".join(map(tokens.__getitem__, words)), (label, identifier))
        self._set(found)

    def _set(self, terms: dict[str, tuple[str, str]]) -> None:
        lengths: dict[str, set[int]] = {}
        for key in terms:
            lengths.setdefault(key.partition(" ")[0], set()).add(key.count(" ") + 1)
        self._terms = terms
        self._lengths = {word: tuple(sorted(found, reverse=True)) for word, found in lengths.items()}

    def find(self, doc: Doc) -> list[Found]:
        """Terms in a Doc, from left to right, none overlapping. A term's tokens stand side by side, with or without
        space between them. Facts: "rule", "source", and "id" where the term has an identifier.
        """
        words = [token.lower_ for token in doc]
        found: list[Found] = []
        position = 0
        while position < len(words):
            lengths = self._lengths.get(words[position], ())
            end = next((e for e in self._ends(words, position, lengths)), None)
            if end is None:
                position += 1
                continue
            label, identifier = self._terms[" ".join(words[position:end])]
            facts = {"rule": RULE, "source": RULE, "id": identifier} if identifier else {"rule": RULE, "source": RULE}
            found.append((position, end, label, facts))
            position = end
        return found

    def _ends(self, words: Sequence[str], start: int, lengths: Iterable[int]) -> Iterator[int]:
        for length in lengths:
            if start + length <= len(words) and " ".join(words[start : start + length]) in self._terms:
                yield start + length

    def to_bytes(self) -> bytes:
        """The terms as bytes (msgpack): labels and identifiers apart from the terms, which come sorted."""
        keys = sorted(self._terms)
        facts = [self._terms[key] for key in keys]
        labels = sorted({label for label, _ in facts})
        index = {label: i for i, label in enumerate(labels)}
        return srsly.msgpack_dumps(
            {
                "terms": "\n".join(keys),
                "labels": labels,
                "label": [index[label] for label, _ in facts],
                "ids": "\n".join(identifier for _, identifier in facts),
            }
        )

    def from_bytes(self, data: bytes) -> "Gazetteer":
        """Load what `to_bytes` gave."""
        loaded = srsly.msgpack_loads(data)
        labels = loaded["labels"]
        if loaded["label"]:
            facts = zip((labels[i] for i in loaded["label"]), loaded["ids"].split("\n"), strict=True)
            self._set(dict(zip(loaded["terms"].split("\n"), facts, strict=True)))
        else:
            self._set({})
        return self

    def to_disk(self, path: str | Path) -> None:
        """Write the terms to a file."""
        Path(path).write_bytes(self.to_bytes())

    def from_disk(self, path: str | Path) -> "Gazetteer":
        """Read what `to_disk` wrote."""
        return self.from_bytes(Path(path).read_bytes())

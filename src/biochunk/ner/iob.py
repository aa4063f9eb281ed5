"""Named entity corpora in IOB: a token and its tag a line, tab between them, a blank line between sentences."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ..chunking.mentions import Range
from ..errors import BiochunkError, Errors, Fault, FileFaultsError

# A tag has a label of one word, and nothing stands behind it.
_TAG = re.compile(r"O|[BI]-\S+")

# Our labels, by those of the corpora.
_LABELS = {"Chemical": "CHEMICAL", "Disease": "DISEASE", "GENE": "GENE", "Anatomy": "ANATOMY"}


@dataclass(frozen=True)
class Tagged:
    """A sentence.

    text (str): Its words, written together where English does so.
    mentions (list): (first character, character after the last, label) each.
    """

    text: str
    mentions: list[tuple[int, int, str]]


@dataclass(frozen=True)
class IobCorpus:
    """A corpus. name (str): What it is called. folder (Path): Where its files are."""

    name: str
    folder: Path

    def sentences(self, split: str) -> list[Tagged]:
        """All sentences of "train" or "devel"; empty where it has no such file."""
        path = self.folder / f"{split}.tsv"
        return list(read_iob(path)) if path.is_file() else []


def find_corpora(folder: Path) -> list[IobCorpus]:
    """The corpora in a folder: its subfolders with a train.tsv or devel.tsv, by name without "-IOB".

    RAISES (BiochunkError): When there is none.
    """
    found = [
        IobCorpus(path.name.removesuffix("-IOB"), path)
        for path in (sorted(folder.iterdir()) if folder.is_dir() else [])
        if (path / "train.tsv").is_file() or (path / "devel.tsv").is_file()
    ]
    if not found:
        raise BiochunkError(f"found no corpus in '{folder}', expected folders such as BC5CDR-IOB with a train.tsv")
    return found


def read_iob(path: Path) -> Iterator[Tagged]:
    """Sentences of a file.

    path (Path): The file, in UTF-8; a byte order mark is accepted.
    RAISES (FileFaultsError): With every line that is no token and tag.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise BiochunkError(Errors.E009.format(action="read", path=path, problem=error)) from None
    faults: list[Fault] = []
    rows: list[tuple[str, str]] = []
    for number, line in enumerate([*text.split("\n"), ""], 1):
        if line.strip():
            word, _, tag = line.rstrip("\r").partition("\t")
            if not word.strip() or _TAG.fullmatch(tag) is None:
                faults.append(Fault(f"line {number}", repr(line[:60]), "a token, a tab and O, B-LABEL or I-LABEL"))
            rows.append((word, tag))
        elif rows:
            if not faults:
                yield _tagged(rows)
            rows = []
    if faults:
        raise FileFaultsError(str(path), faults)


# What is written together with the word before it, with the word after it, or with both. The corpora part names at
# every sign ("S", "-", "100"), which texts do not.
_CLOSES = frozenset(".,;:!?)]}%")
_OPENS = frozenset("([{")
_JOINS = frozenset("-/'–")


def _tagged(rows: list[tuple[str, str]]) -> Tagged:
    runs: list[tuple[Range, str]] = []
    text = ""
    glued = True
    previous = "O"
    for word, tag in rows:
        if not (glued or word in _CLOSES or word in _JOINS):
            text += " "
        start = len(text)
        text += word
        glued = word in _OPENS or word in _JOINS
        kind, label = tag[:1], tag[2:]
        if kind == "I" and previous == label and runs:
            runs[-1] = ((runs[-1][0][0], len(text)), label)
        elif kind != "O":
            runs.append(((start, len(text)), label))
        previous = label
    return Tagged(text, [(*span, _LABELS.get(label, label.upper())) for span, label in runs])

"""Files that are made once: each lies beside the key of what it was made from, so that a stopped run continues and a
changed setting makes anew only what depends on it.
"""

import hashlib
import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from ...files import whole_file


def key_of(*parts: Any, code: Iterable[str] = (), inputs: Iterable[Path] = ()) -> str:
    """A hash of everything that a file is made from.

    parts (Any): Settings; JSON values.
    code (Iterable[str]): Modules and folders of the package, such as "chunking" or "build.py".
    inputs (Iterable[Path]): Files that are read, by content.
    """
    digest = hashlib.sha256(json.dumps(parts, sort_keys=True, default=str).encode("utf-8", "surrogatepass"))
    for name in code:
        digest.update(_code_hash(name).encode())
    for path in inputs:
        digest.update(_file_hash(path, path.stat().st_mtime_ns, path.stat().st_size).encode())
    return digest.hexdigest()[:24]


def is_fresh(path: Path, key: str) -> bool:
    """Whether a file or folder is there and was made from what the key says."""
    mark = _mark(path)
    return path.exists() and mark.is_file() and mark.read_text(encoding="utf-8").strip() == key


def made(path: Path, key: str) -> None:
    """Say what a file or folder was made from; called when it is complete."""
    with whole_file(_mark(path)) as file:
        file.write(key + "\n")


@dataclass(frozen=True)
class Cell:
    """A piece of work and what it makes.

    outputs (tuple[Path, ...]): Files or folders that `work` makes.
    key (str): What they are made from; see `key_of`.
    work (Callable): A function of a module, as it is sent to other processes.
    args (tuple): Its arguments.
    """

    outputs: tuple[Path, ...]
    key: str
    work: Callable[..., object]
    args: tuple[Any, ...]

    @property
    def fresh(self) -> bool:
        return all(is_fresh(path, self.key) for path in self.outputs)

    def make(self) -> None:
        """Do the work and say that it is done."""
        self.work(*self.args)
        for path in self.outputs:
            made(path, self.key)


def _mark(path: Path) -> Path:
    return path.with_name(f".{path.name}.key")


@cache
def _code_hash(name: str) -> str:
    root = Path(str(files("biochunk"))) / name
    paths = sorted(root.rglob("*.py")) if root.is_dir() else [root]
    digest = hashlib.sha256()
    for path in paths:
        digest.update(path.read_bytes())
    return digest.hexdigest()


@cache
def _file_hash(path: Path, changed: int, size: int) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as stream:
        while block := stream.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()

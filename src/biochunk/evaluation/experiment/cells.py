"""Files that are made once: each lies beside the key of what it was made from, so that a stopped run continues and a
changed setting makes anew only what depends on it. Beside the key stands a hash of the file, so that one that was
damaged or cut off is made again too.
"""

import hashlib
import json
import shutil
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
    """Whether a file or folder is there, was made from what the key says, and is as it was made."""
    try:
        return _mark(path).read_bytes() == _said(path, key)
    except OSError:
        return False


def made(path: Path, key: str) -> None:
    """Say what a file or folder was made from; called when it is complete."""
    said = _said(path, key).decode()
    with whole_file(_mark(path)) as file:
        file.write(said)


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
        """Do the work and say that it is done. What stood in its place before goes, a folder too."""
        for path in self.outputs:
            _remove(_mark(path))
            _remove(path)
        self.work(*self.args)
        for path in self.outputs:
            made(path, self.key)


def _mark(path: Path) -> Path:
    return path.with_name(f".{path.name}.key")


def _said(path: Path, key: str) -> bytes:
    return f"{key} {_content_hash(path)}\n".encode()


def _content_hash(path: Path) -> str:
    """Hash of a file, or of the files of a folder with their names."""
    digest = hashlib.sha256()
    for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
        if not file.is_dir():
            found = file.stat()
            name = file.relative_to(path).as_posix()
            digest.update(f"{name} {_file_hash(file, found.st_mtime_ns, found.st_size)}\n".encode())
    return digest.hexdigest()[:24]


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


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

"""Binary files and folders that appear whole or not at all; `biochunk.files` has the same for text."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ...errors import BiochunkError, Errors, UsageError
from ...files import is_special


@contextmanager
def whole_path(path: str | Path) -> Iterator[Path]:
    """Gives the path of a file to write, which takes the place of `path` only when the block ends well.

    A device or a named pipe gets the file's bytes then, as another file must not take its place.
    """
    target = Path(path)
    special = is_special(target)
    with tempfile.TemporaryDirectory() if special else _hidden_folder(target) as folder:
        part = Path(folder) / "part"
        yield part
        try:
            if special:
                with part.open("rb") as source, target.open("wb") as device:
                    shutil.copyfileobj(source, device)
            else:
                os.replace(part, target)
        except OSError as error:
            raise BiochunkError(Errors.E009.format(action="write", path=target, problem=error.strerror)) from None


@contextmanager
def whole_folder(path: str | Path) -> Iterator[Path]:
    """Gives an empty folder, which becomes `path` only when the block ends well.

    path (str | Path): Must not exist, or be an empty folder: files of another export are never mixed with new
        ones.
    RAISES (UsageError): When something stands at `path`.
    RAISES (BiochunkError): When it cannot be written.
    """
    target = Path(path)
    if target.is_dir() and not any(target.iterdir()):
        target.rmdir()
    if target.exists():
        problem = "found something there, expected a new or empty folder. Name another one or remove it."
        raise UsageError(Errors.E009.format(action="write", path=target, problem=problem))
    with _hidden_folder(target) as folder:
        part = folder / "part"
        part.mkdir()
        yield part
        os.rename(part, target)


@contextmanager
def _hidden_folder(target: Path) -> Iterator[Path]:
    """A folder beside the target, so that the last step is a rename on one file system."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        folder = tempfile.mkdtemp(dir=target.parent, prefix=f".{target.name[:100]}.", suffix=".part")
    except OSError as error:
        raise BiochunkError(Errors.E009.format(action="write", path=target, problem=error.strerror)) from None
    try:
        yield Path(folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)

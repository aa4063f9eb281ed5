"""Folders that appear whole or not at all."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp

from .errors import BiochunkError, Errors, UsageError


@contextmanager
def whole_folder(folder: str | Path) -> Iterator[Path]:
    """Give a new folder that takes the place of `folder` only when the block ends without an error.

    folder (str | Path): The folder; what stands there is replaced. Of a link, what it points to is replaced.
    RAISES (UsageError): When something else than a folder stands there.
    RAISES (BiochunkError): When it cannot be written.
    """
    target = Path(folder).resolve()
    if target.exists() and not target.is_dir():
        raise UsageError(Errors.E009.format(action="write", path=folder, problem="found a file, expected a folder"))
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        work = Path(mkdtemp(dir=target.parent, prefix=f".{target.name}.", suffix=".part"))
    except OSError as error:
        raise BiochunkError(Errors.E009.format(action="write", path=folder, problem=error.strerror)) from None
    new, old = work / "new", work / "old"
    try:
        new.mkdir()
        yield new
        if target.exists():
            target.rename(old)
        try:
            new.rename(target)
        except OSError:
            if old.exists():
                old.rename(target)
            raise
    except OSError as error:
        raise BiochunkError(Errors.E009.format(action="write", path=folder, problem=error.strerror)) from error
    finally:
        shutil.rmtree(work, ignore_errors=True)

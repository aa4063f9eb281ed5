"""Folders that appear whole or not at all."""

import shutil
from collections.abc import Callable, Iterable, Iterator
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


def check_replaceable(
    folder: Path, own: str, is_own: Callable[[Path], bool], inputs: Iterable[str | Path | None] = ()
) -> None:
    """See that a folder may be written as a whole, before any work is done.

    folder (Path): The folder. It may be new, empty, or an earlier output, which is replaced.
    own (str): What an earlier output is called: "a saved pipeline".
    is_own (Callable): Whether a folder is one.
    inputs (Iterable): Files and folders that are read: none of them may stand in `folder`. Names of other things do
        no harm.
    RAISES (UsageError): When anything else would be lost.
    """
    if not folder.exists():
        return
    if not folder.is_dir():
        raise UsageError(f"found the file '{folder}', expected a folder: new, empty, or {own}, which is replaced")
    target = folder.resolve()
    for path in (path for path in inputs if path):
        place = Path(path).resolve()
        if Path(path).exists() and (place == target or target in place.parents):
            raise UsageError(
                f"found the input '{path}' in the output folder '{folder}', which is replaced; expected another folder"
            )
    if any(folder.iterdir()) and not is_own(folder):
        raise UsageError(
            f"found other files in the folder '{folder}', expected a new or empty folder, or {own}, which is replaced"
        )

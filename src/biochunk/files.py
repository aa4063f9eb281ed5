"""Files that appear whole or not at all."""

import errno
import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from .errors import BiochunkError, Errors, UsageError


@contextmanager
def whole_file(path: str | Path) -> Iterator[TextIO]:
    """Open a text file (UTF-8, line feeds) that takes the place of `path` only when the block ends without an error.

    path (str | Path): The file. A device or a named pipe is written into, as another file must not take its place.
    RAISES (UsageError): When it is a folder.
    RAISES (BiochunkError): When it cannot be written.
    """
    target = Path(path)
    with _in_place(target) if is_special(target) else _replacing(target) as file:
        yield file


def is_special(path: Path) -> bool:
    """Whether a device, a named pipe or a socket stands at a path; a link is what it points to.

    RAISES (UsageError): When a folder stands there.
    """
    try:
        mode = path.stat().st_mode
    except OSError:
        # Nothing stands there, or the attempt to write will tell what is wrong.
        return False
    if stat.S_ISDIR(mode):
        raise UsageError(Errors.E009.format(action="write", path=path, problem="found a folder, expected a file"))
    return not stat.S_ISREG(mode)


@contextmanager
def _in_place(target: Path) -> Iterator[TextIO]:
    try:
        file = open(target, "w", encoding="utf-8", newline="\n")  # noqa: SIM115 - closed by the with block below
    except OSError as error:
        raise BiochunkError(Errors.E009.format(action="write", path=target, problem=error.strerror)) from None
    try:
        with file:
            yield file
    except OSError as error:
        if not is_full(error):
            raise
        raise BiochunkError(Errors.E009.format(action="write", path=target, problem=error)) from None


@contextmanager
def _replacing(target: Path) -> Iterator[TextIO]:
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.", suffix=".part")
    except OSError as error:
        raise BiochunkError(Errors.E009.format(action="write", path=target, problem=error.strerror)) from None
    try:
        with open(handle, "w", encoding="utf-8", newline="\n") as file:
            yield file
        # mkstemp makes files private; the finished file gets what any new file would get.
        umask = os.umask(0)
        os.umask(umask)
        os.chmod(name, 0o666 & ~umask)
        os.replace(name, target)
    except BaseException as error:
        os.unlink(name)
        if is_full(error):
            raise BiochunkError(Errors.E009.format(action="write", path=target, problem=error)) from None
        raise


def is_full(error: BaseException) -> bool:
    """Whether an error says that a disk has no room left."""
    return isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)

"""Files that appear whole or not at all."""

import errno
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from .errors import BiochunkError, Errors


@contextmanager
def whole_file(path: str | Path) -> Iterator[TextIO]:
    """Open a text file (UTF-8, line feeds) that takes the place of `path` only when the block ends without an error."""
    target = Path(path)
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

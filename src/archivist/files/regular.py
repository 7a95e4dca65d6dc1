"""Reading a file that others may have put something else in the place of."""

import errno
import os
import stat
from pathlib import Path


def read_regular(path: Path) -> bytes:
    """A file's bytes; a pipe in its place is refused, not waited for.

    Raises:
        OSError: It cannot be read, or its place is on a disk that is not there.
    """
    try:
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    except FileNotFoundError:
        if path.is_symlink() and not path.resolve().parent.is_dir():
            raise OSError(errno.ENXIO, "it is a link into a folder that is not there") from None
        raise
    with os.fdopen(handle, "rb", buffering=0) as file:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise OSError(errno.EINVAL, "it is no regular file")
        return file.read()

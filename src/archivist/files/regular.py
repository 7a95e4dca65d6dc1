"""Reading a file that others may have put something else in the place of."""

import errno
import os
import stat
from pathlib import Path


def read_regular(path: Path, most: int | None = None) -> bytes:
    """A file's bytes; a pipe or a device in its place is refused, not waited for.

    Args:
        path: Of the file.
        most: Bytes that it may have; any number where unset.

    Raises:
        OSError: It cannot be read, has more bytes, or its place is on a disk that is not there.
    """
    try:
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    except FileNotFoundError:
        if path.is_symlink() and not path.resolve().parent.is_dir():
            raise OSError(errno.ENXIO, "it is a link into a folder that is not there") from None
        raise
    with os.fdopen(handle, "rb", buffering=0) as file:
        found = os.fstat(handle)
        if not stat.S_ISREG(found.st_mode):
            raise OSError(errno.EINVAL, "it is no regular file")
        if most is not None and found.st_size > most:
            raise OSError(errno.EFBIG, f"it has more than {most:,} bytes")
        return file.read()

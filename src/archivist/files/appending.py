"""Bytes added at the end of a file that others have open: nobody's bytes are in anybody's way.

The system puts what is appended behind whatever stands there at that moment, so that who else appends, with the file open since
whenever, loses nothing.
"""

import os
from contextlib import suppress
from pathlib import Path

from archivist.files.atomic import FILE_MODE, FileNotWritten, make_folder, sync_folder


def append(path: Path, content: bytes) -> int:
    """Add bytes at the end of a file, synced; it is made where there is none, and a link stays one.

    Returns:
        Where they begin.

    Raises:
        FileNotWritten: They are not there; unless somebody wrote behind a part of them at once.
    """
    begin = None
    try:
        handle, is_new = _open(path)
        try:
            begin = _write(handle, content)
            os.fsync(handle)
            if is_new:
                sync_folder(path.parent)
        finally:
            os.close(handle)
    except OSError as error:
        if begin is not None:
            take_back(path, begin, content)
        raise FileNotWritten(path, error) from error
    return begin


def take_back(path: Path, begin: int, content: bytes) -> None:
    """Take bytes back that were appended, as long as nothing stands behind them."""
    with suppress(OSError):
        handle = os.open(path, os.O_WRONLY | getattr(os, "O_BINARY", 0))
        try:
            if os.fstat(handle).st_size == begin + len(content):
                os.ftruncate(handle, begin)
        finally:
            os.close(handle)


def _open(path: Path) -> tuple[int, bool]:
    """A handle, and whether the file was made."""
    flags = os.O_WRONLY | os.O_APPEND | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    try:
        return os.open(path, flags), False
    except FileNotFoundError:
        make_folder(path.parent)
        return os.open(path, flags | os.O_CREAT, FILE_MODE), True


def _write(handle: int, content: bytes) -> int:
    """Write in one piece wherever the system can; where it begins.

    Raises:
        OSError: What was written of it is gone again.
    """
    written, begin = 0, None
    try:
        while written < len(content):
            written += os.write(handle, content[written:])
            if begin is None:
                begin = os.lseek(handle, 0, os.SEEK_CUR) - written
    except OSError:
        with suppress(OSError):
            if begin is not None and os.fstat(handle).st_size == begin + written:
                os.ftruncate(handle, begin)
        raise
    return begin if begin is not None else os.lseek(handle, 0, os.SEEK_END)

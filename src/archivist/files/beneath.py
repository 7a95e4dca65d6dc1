"""Files of somebody's workspace, opened by their real places: no link on the way is followed, also none that was put there a moment ago.

What was decided about a place holds for the file that is opened. Such files are their owner's, with modes of their own: a new one is as
the system's mask has it.
"""

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from secrets import token_hex
from typing import Final

from archivist.files.atomic import FileNotWritten
from archivist.records import ArchivistError

_HAS_FOLDERS: Final = os.open in os.supports_dir_fd
_SURE: Final = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
_FOLDER: Final = getattr(os, "O_PATH", os.O_RDONLY) | _SURE | getattr(os, "O_DIRECTORY", 0)
"""A folder on the way may be one that nobody lists, such as that of all homes."""


class FileChangedMeanwhile(ArchivistError):
    """A file is no longer what was read of it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        super().__init__(f"{path} was not written: somebody else changed it meanwhile; read it again")


def read_beneath(path: Path, most: int) -> bytes:
    """The bytes of a regular file; a device, a pipe or a socket is refused and not waited for.

    Args:
        path: Its real place, without links.
        most: Bytes that it may have.

    Raises:
        OSError: It cannot be read, a link stands somewhere in its place, it is no regular file, or it has more bytes.
    """
    with _folder_of(path) as (folder, name):
        handle = os.open(name, os.O_RDONLY | _SURE | getattr(os, "O_NONBLOCK", 0), dir_fd=folder)
    try:
        found = os.fstat(handle)
        _check_regular(found)
        if found.st_size > most:
            raise OSError(errno.EFBIG, f"it has {found.st_size:,} bytes, more than {most:,}")
        return _all_of(handle, most)
    finally:
        os.close(handle)


def write_beneath(path: Path, content: bytes, expected: bytes | None) -> None:
    """Put bytes at a place, whole and synced, in place of what was read there; its mode stays.

    Args:
        path: The real place, without links; folders that are missing are made.
        content: What is to stand there.
        expected: What stands there now; None for nothing.

    Raises:
        FileNotWritten: It is as it was.
        FileChangedMeanwhile: Somebody else wrote it, or something else stands there; it is as they left it.
    """
    try:
        with _folder_of(path, makes=True) as (folder, name):
            temporary = _beside(name)
            try:
                _write_new(temporary, content, folder, _mode_of(name, folder))
                _check_unchanged(path, name, folder, expected)
                os.replace(temporary, name, src_dir_fd=folder, dst_dir_fd=folder)
            except BaseException:
                with suppress(OSError):
                    os.unlink(temporary, dir_fd=folder)
                raise
            _sync(folder)
    except OSError as error:
        raise FileNotWritten(path, error) from error


@contextmanager
def _folder_of(path: Path, *, makes: bool = False) -> Iterator[tuple[int | None, str]]:
    """A handle of the folder of a place, and the name in it; without handles of folders, none and the whole place."""
    if not _HAS_FOLDERS:
        if makes:
            path.parent.mkdir(parents=True, exist_ok=True)
        yield None, os.fspath(path)
        return
    folder = os.open(path.anchor or os.curdir, _FOLDER)
    try:
        for name in path.parent.relative_to(path.anchor).parts:
            inner = _entered(folder, name, makes=makes)
            os.close(folder)
            folder = inner
        yield folder, path.name
    finally:
        os.close(folder)


def _entered(folder: int, name: str, *, makes: bool) -> int:
    try:
        return os.open(name, _FOLDER, dir_fd=folder)
    except FileNotFoundError:
        if not makes:
            raise
        with suppress(FileExistsError):
            os.mkdir(name, dir_fd=folder)
        _sync(folder)
        return os.open(name, _FOLDER, dir_fd=folder)


def _sync(folder: int | None) -> None:
    """Make the names in a folder durable."""
    if folder is None:
        return
    handle = os.open(os.curdir, os.O_RDONLY, dir_fd=folder)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _mode_of(name: str, folder: int | None) -> int | None:
    """The mode of the file that stands there; None where there is none."""
    try:
        found = os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return None
    _check_regular(found)
    return stat.S_IMODE(found.st_mode)


def _write_new(name: str, content: bytes, folder: int | None, mode: int | None) -> None:
    handle = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _SURE, 0o666, dir_fd=folder)
    with os.fdopen(handle, "wb") as file:
        if mode is not None and hasattr(os, "fchmod"):
            os.fchmod(handle, mode)
        file.write(content)
        file.flush()
        os.fsync(handle)


def _check_unchanged(path: Path, name: str, folder: int | None, expected: bytes | None) -> None:
    """Look whether what is expected stands there; None for nothing.

    Raises:
        FileChangedMeanwhile: Something else does.
    """
    try:
        handle = os.open(name, os.O_RDONLY | _SURE | getattr(os, "O_NONBLOCK", 0), dir_fd=folder)
    except FileNotFoundError:
        present = None
    else:
        try:
            is_file = stat.S_ISREG(os.fstat(handle).st_mode)
            present = _all_of(handle, len(expected or b"")) if is_file else None
        finally:
            os.close(handle)
        if not is_file:
            raise FileChangedMeanwhile(path)
    if present != expected:
        raise FileChangedMeanwhile(path)


def _all_of(handle: int, most: int) -> bytes:
    """Up to one byte more than there may be."""
    found = bytearray()
    while len(found) <= most and (more := os.read(handle, most + 1 - len(found))):
        found += more
    return bytes(found)


def _beside(name: str) -> str:
    return os.fspath(Path(name).with_name(f".archivist-{token_hex(6)}.tmp"))


def _check_regular(found: os.stat_result) -> None:
    if stat.S_ISDIR(found.st_mode):
        raise IsADirectoryError(errno.EISDIR, "it is a folder")
    if not stat.S_ISREG(found.st_mode):
        raise OSError(errno.EINVAL, "it is no regular file")


__all__ = ["FileChangedMeanwhile", "read_beneath", "write_beneath"]

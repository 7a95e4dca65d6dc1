"""Files of somebody's workspace, opened by their real places: no link on the way is followed, also none that was put there a moment ago.

What was decided about a place holds for the file that is opened. Such files are their owner's, with modes of their own: a new one is as
the system's mask has it.
"""

import errno
import os
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from secrets import token_hex
from typing import Final

from archivist.files.atomic import FileNotWritten
from archivist.records import ArchivistError

_HAS_FOLDERS: Final = os.open in os.supports_dir_fd
_HAS_LOCKS: Final = os.name == "posix"
_WRITABLE: Final = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH
_PATIENCE, _BETWEEN = 2.0, 0.002
"""Seconds that others in a folder are waited for, and between two looks."""
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
    """Put bytes at a place, whole and synced, in place of what was read there; its mode, owner and attributes stay.

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
            temporary, like = _beside(name), _found_at(name, folder)
            _check_writable(name, folder, like)
            try:
                _write_new(temporary, content, folder, like, name)
                with _alone_in(folder):
                    _check_unchanged(path, name, folder, expected)
                    _put(path, temporary, name, folder, is_new=expected is None)
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


@contextmanager
def _alone_in(folder: int | None) -> Iterator[None]:
    """Keep others who write by this module out of a folder for a moment: of two who read the same, one finds it changed."""
    if folder is None or not _HAS_LOCKS:
        yield
        return
    import fcntl  # noqa: PLC0415 - where there is such a thing

    handle = os.open(os.curdir, os.O_RDONLY, dir_fd=folder)
    try:
        until = time.monotonic() + _PATIENCE
        while time.monotonic() < until:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                time.sleep(_BETWEEN)
            except OSError:  # a file system without such locks
                break
        yield
    finally:
        os.close(handle)


def _put(path: Path, temporary: str, name: str, folder: int | None, *, is_new: bool) -> None:
    """Give what was written its name; of a file that is to be new, only if nobody has it by now."""
    if is_new:
        try:
            os.link(temporary, name, src_dir_fd=folder, dst_dir_fd=folder, follow_symlinks=False)
        except FileExistsError:
            raise FileChangedMeanwhile(path) from None
        except (OSError, NotImplementedError):
            pass  # a file system without links
        else:
            os.unlink(temporary, dir_fd=folder)
            return
    os.replace(temporary, name, src_dir_fd=folder, dst_dir_fd=folder)


def _found_at(name: str, folder: int | None) -> os.stat_result | None:
    """What the file is that stands there; None where there is none."""
    try:
        found = os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return None
    _check_regular(found)
    return found


def _check_writable(name: str, folder: int | None, found: os.stat_result | None) -> None:
    """Refuse a file that its owner wants to stay as it is; to put another in its place needs no right to write it."""
    if found is not None and not (
        found.st_mode & _WRITABLE and os.access(name, os.W_OK, dir_fd=folder, follow_symlinks=True)
    ):
        raise PermissionError(errno.EACCES, "it is read-only")


def _write_new(
    name: str, content: bytes, folder: int | None, like: os.stat_result | None, former: str
) -> None:
    handle = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _SURE, 0o666, dir_fd=folder)
    with os.fdopen(handle, "wb") as file:
        file.write(content)
        file.flush()
        if like is not None:
            _take_after(handle, like, former, folder)
        os.fsync(handle)


def _take_after(handle: int, like: os.stat_result, former: str, folder: int | None) -> None:
    """Give a new file the owner, the attributes and the mode of the one whose place it takes, as far as one may."""
    if hasattr(os, "fchown"):
        for owner in ((like.st_uid, like.st_gid), (-1, like.st_gid)):
            with suppress(OSError):
                os.fchown(handle, *owner)
                break
    if hasattr(os, "listxattr"):
        with suppress(OSError):
            source = os.open(former, os.O_RDONLY | _SURE, dir_fd=folder)
            try:
                for attribute in os.listxattr(source):
                    with suppress(OSError):
                        os.setxattr(handle, attribute, os.getxattr(source, attribute))
            finally:
                os.close(source)
    if hasattr(os, "fchmod"):
        os.fchmod(handle, stat.S_IMODE(like.st_mode))


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

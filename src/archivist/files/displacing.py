"""Putting a file in the place of another that somebody else may be writing at the same moment.

What stood there is kept under a name of its own, whatever it turned out to be: the caller compares it with what it expected. Where
the system can exchange two names in one step, nothing that was saved in between is lost; elsewhere a moment remains between the
look and the rename.
"""

import errno
import os
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Final

from archivist.files.atomic import FILE_MODE, FileNotWritten, make_folder, sync_folder

_AT_FDCWD = -100
_RENAME_EXCHANGE = 2
_RENAME_SWAP = 2  # of macOS's renamex_np
_WAITING: Final = ".tmp"
_FORMER: Final = ".former.tmp"
_PARTIAL: Final = ".part.tmp"


def displace(path: Path, content: bytes, *, token: str, kept: Path) -> bytes:
    """Put these bytes at the path, synced, and keep what stood there.

    A file is made where there was none. Its mode stays, and its group where that is allowed; a symbolic link stays one, and the file
    that it names is replaced.

    Args:
        token: Names this attempt, for `waiting_file`.
        kept: Where the former file goes; it is the same file, not a copy, where the disk is the same.

    Returns:
        What stood there.

    Raises:
        FileNotWritten: The path is as it was.
    """
    try:
        make_folder(path.parent)
        place = _place(path)
        waiting = _waiting(place, token)
        is_new = _make(place)
        try:
            _write(waiting, content, place)
            _exchange()(waiting, place)
        except OSError:
            _drop(waiting, _beside(waiting, _FORMER), _beside(waiting, _PARTIAL))
            if is_new and not place.stat().st_size:
                place.unlink()
            raise
        sync_folder(place.parent)
        return _keep(waiting, place, content, kept)
    except OSError as error:
        raise FileNotWritten(path, error) from error


def put_back(path: Path, kept: Path, content: bytes) -> bool:
    """Take a displacing back: the kept file stands at the path again; whether it does.

    It does not where somebody has saved the path since: what they saved stays. It needs no room on the disk.

    Args:
        kept: Where `displace` kept the former file.
        content: What it put in its place.

    Raises:
        OSError: The files are as they were.
    """
    place = _place(path)
    _exchange()(kept, place)
    if kept.read_bytes() == content:
        kept.unlink()
        if not place.stat().st_size:
            place.unlink()
        sync_folder(place.parent)
        return True
    _exchange()(kept, place)
    return False


def waiting_file(path: Path, token: str) -> Path:
    """Where new bytes stand until they are exchanged, and then, for a moment, the former ones.

    While it holds the new ones nothing has happened yet. A crash leaves it there.
    """
    return _waiting(_place(path), token)


def left_behind(path: Path, token: str, content_is_new: Callable[[bytes], bool]) -> list[Path]:
    """After a kill: the files that a displacing left beside the path with former bytes; what else it left is removed.

    Args:
        token: What the tokens of the attempts begin with.
        content_is_new: Whether these bytes are those that were to be put in place.
    """
    place = _place(path)
    begin = f".{place.name}.{token}"
    try:
        names = {name for name in os.listdir(place.parent) if name.startswith(begin)}  # noqa: PTH208 - names alone
    except OSError:
        return []
    found = []
    for name in sorted(name for name in names if name.endswith(_WAITING)):
        file = place.with_name(name)
        if name.endswith(_FORMER):
            is_new = f"{name.removesuffix(_FORMER)}{_WAITING}" in names
        else:
            is_new = name.endswith(_PARTIAL) or content_is_new(file.read_bytes())
        if is_new:
            file.unlink()
        else:
            found.append(file)
    return found


def _place(path: Path) -> Path:
    return path.resolve() if path.is_symlink() else path


def _waiting(place: Path, token: str) -> Path:
    return place.with_name(f".{place.name}.{token}{_WAITING}")


def _beside(waiting: Path, suffix: str) -> Path:
    return waiting.with_name(f"{waiting.name.removesuffix(_WAITING)}{suffix}")


def _make(path: Path) -> bool:
    """Make an empty file where there is none, so that there is always one to displace; whether it was made.

    Raises:
        OSError: Something else is there: an exchange would take a folder as well.
    """
    if path.is_file():
        return False
    if path.exists():
        raise OSError(errno.EISDIR, "it is no regular file")
    try:
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, FILE_MODE))
    except FileExistsError:
        return False
    return True


def _write(waiting: Path, content: bytes, like: Path) -> None:
    """Under another name until it is whole: what a kill leaves under this one is no part of anything."""
    partial = _beside(waiting, _PARTIAL)
    handle = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, FILE_MODE)
    try:
        _take_owner(handle, like)
        view = memoryview(content)
        while view:
            view = view[os.write(handle, view) :]
        os.fsync(handle)
    finally:
        os.close(handle)
    partial.replace(waiting)


def _take_owner(handle: int, like: Path) -> None:
    if not hasattr(os, "fchown"):
        return
    try:
        status = like.stat()
    except FileNotFoundError:  # an editor that puts a new file in its place
        return
    own = os.fstat(handle)
    mode = status.st_mode & 0o777
    try:
        if own.st_gid != status.st_gid:
            os.fchown(handle, -1, status.st_gid)
        if own.st_mode & 0o777 != mode:
            os.fchmod(handle, mode)
    except PermissionError:  # a group that this user is not in: then it is for the owner alone
        os.fchmod(handle, mode & 0o700)


def _keep(waiting: Path, place: Path, content: bytes, kept: Path) -> bytes:
    """What was displaced, read only when it has its name: whoever writes into it later is noticed by the times of the file."""
    try:
        try:
            make_folder(kept.parent)
            waiting.replace(kept)
        except OSError:
            _copy(waiting, kept)
        return kept.read_bytes()
    except OSError:
        if waiting.exists() and not put_back(place, waiting, content):
            waiting.unlink()
        raise


def _copy(file: Path, kept: Path) -> None:
    """To another disk."""
    try:
        kept.write_bytes(file.read_bytes())
    except OSError:
        kept.unlink(missing_ok=True)
        raise
    file.unlink()


def _drop(*files: Path) -> None:
    for file in files:
        file.unlink(missing_ok=True)


@cache
def _exchange() -> Callable[[Path, Path], None]:
    """How two names are exchanged here."""
    import ctypes  # noqa: PLC0415 - 5 ms that only a writer pays

    try:
        library = ctypes.CDLL(None, use_errno=True)
        swap = library.renamex_np if sys.platform == "darwin" else library.renameat2
    except (OSError, AttributeError, TypeError):
        return _link_and_replace

    def exchange(one: Path, other: Path) -> None:
        names = os.fsencode(one), os.fsencode(other)
        if sys.platform == "darwin":
            failed = swap(*names, _RENAME_SWAP)
        else:
            failed = swap(_AT_FDCWD, names[0], _AT_FDCWD, names[1], _RENAME_EXCHANGE)
        if failed:
            _link_and_replace(one, other)  # a file system without it, or a name that went meanwhile

    return exchange


def _link_and_replace(new: Path, place: Path) -> None:
    """The same in three steps, in the second of which the new file is there."""
    former = _beside(new, _FORMER)
    former.unlink(missing_ok=True)
    try:
        os.link(place, former)
    except OSError:
        former.write_bytes(place.read_bytes() if place.exists() else b"")
    try:
        new.replace(place)
    except OSError:
        former.unlink()
        raise
    former.replace(new)

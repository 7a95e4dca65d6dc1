"""Putting files in the place of others that somebody else may be writing at the same moment.

What stood there is kept under a name of its own, whatever it turned out to be: the caller compares it with what it expected. Where
the system can exchange two names in one step, nothing that was saved in between is lost; elsewhere a moment remains between the
look and the rename.

Several files are put in place together: all are written before any is synced, so that the disk is waited for once and not once for
each; all are synced before the first is exchanged; the folders are synced before what stood there gets its own name.
"""

import errno
import os
import stat
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from archivist.files.atomic import FILE_MODE, FileNotWritten, begin_to_sync, make_folder, sync_folder
from archivist.files.exchanging import FORMER, WAITING, beside, bytes_of, clear, exchanger

UNFINISHED: Final = ".part.tmp"
"""How the name of a file ends that is being written: what a kill leaves under it is no part of anything."""


class Displacement:
    """One file on its way into the place of another.

    A file is made where there was none. Its mode stays, and its group where that is allowed; a symbolic link stays one, and the file
    that it names is replaced.

    Args:
        path: The place.
        content: What is to stand there.
        token: Names this attempt, for `waiting_file`.
        kept: Where the former file goes; it is the same file, not a copy, where the disk is the same.
    """

    def __init__(self, path: Path, content: bytes, *, token: str, kept: Path) -> None:
        self.path, self._content = path, content
        self._token, self._kept = token, os.fspath(kept)
        self._place = self._waiting = ""
        self._handle, self._is_new, self._is_exchanged = -1, False, False

    @property
    def folder(self) -> str:
        """Where the place is; once the bytes are written."""
        return self._place.rpartition(os.sep)[0] or os.curdir

    def write(self) -> None:
        """Write the bytes beside the place, and let the system begin to bring them to the disk.

        Raises:
            OSError: The place is as it was.
        """
        self._place, status, self._is_new = _found(self.path)
        self._waiting = _waiting(self._place, self._token)
        self._handle = os.open(self._partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, FILE_MODE)
        _take_owner(self._handle, status)
        view = memoryview(self._content)
        while view:
            view = view[os.write(self._handle, view) :]
        begin_to_sync(self._handle)

    def sync(self) -> None:
        """Wait until the bytes are on the disk.

        Raises:
            OSError: The place is as it was.
        """
        os.fsync(self._handle)
        self._close()
        os.replace(self._partial, self._waiting)

    def exchange(self) -> None:
        """Put the bytes in place.

        Raises:
            OSError: The place is as it was.
        """
        exchanger()(self._waiting, self._place)
        self._is_exchanged = True

    def keep(self) -> bytes:
        """Give what was displaced its own name, and read it: only then, so that a later write into it shows by the times of the file.

        Raises:
            OSError: The place has its former file again.
        """
        try:
            _move(self._waiting, self._kept)
            return bytes_of(self._kept)
        except OSError:
            waiting = Path(self._waiting)
            if waiting.exists() and not put_back(Path(self._place), waiting, self._content):
                waiting.unlink()
            raise
        finally:
            self._is_exchanged = False

    def give_up(self) -> None:
        """After a failure: keep what was displaced; where nothing was, leave nothing of this attempt."""
        with suppress(OSError):
            self._close()
            if self._is_exchanged:
                self.keep()
            elif self._waiting:
                clear(self._waiting, beside(self._waiting, FORMER), self._partial)
                if self._is_new and not os.stat(self._place).st_size:
                    os.unlink(self._place)

    @property
    def _partial(self) -> str:
        return beside(self._waiting, UNFINISHED)

    def _close(self) -> None:
        handle, self._handle = self._handle, -1
        if handle >= 0:
            os.close(handle)


def displace(path: Path, content: bytes, *, token: str, kept: Path) -> bytes:
    """Put these bytes at the path, synced, and keep what stood there; the arguments are those of `Displacement`.

    Returns:
        What stood there.

    Raises:
        FileNotWritten: The path is as it was.
    """
    return displace_together([Displacement(path, content, token=token, kept=kept)])[0]


def displace_together(
    files: Sequence[Displacement], first: Callable[[], object] | None = None
) -> list[bytes]:
    """Put files in place in this order, synced, and keep what stood there.

    Args:
        files: Each for a place of its own.
        first: Brings something else to the disk before the first file is in place.

    Returns:
        What stood at each place.

    Raises:
        FileNotWritten: A file that is in place all the same has what stood there before under its kept name.
    """
    at = files[0].path if files else Path()
    try:
        for one in files:
            at = one.path
            one.write()
        if first is not None:
            first()
        for step in (Displacement.sync, Displacement.exchange):
            for one in files:
                at = one.path
                step(one)
        for folder in dict.fromkeys(one.folder for one in files):
            sync_folder(folder)
        return [one.keep() for one in files]
    except (OSError, FileNotWritten) as error:
        for one in files:
            one.give_up()
        if isinstance(error, FileNotWritten):
            raise
        raise FileNotWritten(at, error) from error


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
    exchanger()(os.fspath(kept), os.fspath(place))
    if kept.read_bytes() == content:
        kept.unlink()
        if not place.stat().st_size:
            place.unlink()
        sync_folder(place.parent)
        return True
    exchanger()(os.fspath(kept), os.fspath(place))
    return False


def waiting_file(path: Path, token: str) -> Path:
    """Where new bytes stand until they are exchanged, and then, for a moment, the former ones.

    While it holds the new ones nothing has happened yet. A crash leaves it there.
    """
    return Path(_waiting(os.fspath(_place(path)), token))


def left_behind(path: Path, token: str, content_is_new: Callable[[bytes], bool]) -> list[Path]:
    """After a kill: the files that a displacing left beside the path with former bytes; what else it left is removed.

    Args:
        token: What the tokens of the attempts begin with.
        content_is_new: Whether these bytes are those that were to be put in place.
    """
    place = _place(path)
    begin = f".{place.name}.{token}"
    try:
        names = {name for name in os.listdir(place.parent) if name.startswith(begin)}
    except OSError:
        return []
    found = []
    for name in sorted(name for name in names if name.endswith(WAITING)):
        file = place.with_name(name)
        if name.endswith(FORMER):
            is_new = f"{name.removesuffix(FORMER)}{WAITING}" in names
        else:
            is_new = name.endswith(UNFINISHED) or content_is_new(file.read_bytes())
        if is_new:
            file.unlink()
        else:
            found.append(file)
    return found


def _place(path: Path) -> Path:
    return path.resolve() if path.is_symlink() else path


def _waiting(place: str, token: str) -> str:
    folder, sep, name = place.rpartition(os.sep)
    return f"{folder}{sep}.{name}.{token}{WAITING}"


def _found(path: Path) -> tuple[str, os.stat_result, bool]:
    """The file that a path names, what the system tells of it, and whether it was made, empty: there is always one to displace.

    Raises:
        OSError: Something else is there: an exchange would take a folder as well.
    """
    place, is_new = os.fspath(path), False
    try:
        status = os.lstat(place)
        if stat.S_ISLNK(status.st_mode):
            place = os.fspath(path.resolve())
            status = os.stat(place)
    except FileNotFoundError:
        make_folder(path.parent)
        is_new = _make(place)
        status = os.stat(place)
    if not stat.S_ISREG(status.st_mode):
        raise OSError(errno.EISDIR, "it is no regular file")
    return place, status, is_new


def _make(place: str) -> bool:
    """Make an empty file where there is none; whether it was made."""
    try:
        os.close(os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL, FILE_MODE))
    except FileExistsError:
        return False
    return True


def _take_owner(handle: int, like: os.stat_result) -> None:
    if not hasattr(os, "fchown"):
        return
    own = os.fstat(handle)
    mode = like.st_mode & 0o777
    try:
        if own.st_gid != like.st_gid:
            os.fchown(handle, -1, like.st_gid)
        if own.st_mode & 0o777 != mode:
            os.fchmod(handle, mode)
    except PermissionError:  # a group that this user is not in: then it is for the owner alone
        os.fchmod(handle, mode & 0o700)


def _move(waiting: str, kept: str) -> None:
    try:
        os.replace(waiting, kept)
    except OSError:
        make_folder(Path(kept).parent)
        try:
            os.replace(waiting, kept)
        except OSError:  # another disk
            _copy_away(waiting, kept)


def _copy_away(waiting: str, kept: str) -> None:
    """Move a file by a copy."""
    try:
        Path(kept).write_bytes(bytes_of(waiting))
    except OSError:
        clear(kept)
        raise
    os.unlink(waiting)

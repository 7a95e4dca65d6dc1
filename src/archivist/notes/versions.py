"""Earlier versions of the notes' files: every one that was displaced, by the change that displaced it, as long as there is room.

A version is the displaced file itself. Its name carries the hash of what the program had expected to stand there, or has taken in
since: whoever saved just before, or had the file open and writes into it later, writes here, and is noticed by that.
"""

import os
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import msgspec

from archivist.notes.digests import digest_of
from archivist.notes.folding import State
from archivist.notes.places import place_of

KEPT: Final = {"core": 500, "archive": 20}
"""Versions of a file at most; one of an archive is up to 64 KB."""
EMPTY: Final = "empty"
SLACK: Final = 20  # so many more before they are removed together
WATCHED: Final = 8
"""So many of the newest versions of a core file are looked at for late saves at every write, and so many of the others in turn.

The newest are read once by every process; of the others the file system tells whether they were written to.
"""


class Late(msgspec.Struct, frozen=True):
    """A version that is not what it was when it was displaced.

    Attributes:
        name: Of the file that it was.
        base: The entries that it had.
    """

    name: str
    path: Path
    base: list[tuple[str, str]]


class _Series(msgspec.Struct):
    """The versions of one file, the oldest first.

    Attributes:
        stamp: Of the folder when they were listed.
        sure: What the system told of versions that are as their names say.
        turn: How far the round through the old ones is.
    """

    names: list[str] = []
    stamp: int = -1
    sure: dict[str, tuple[int, int]] = {}
    turn: int = -1


class Versions:
    """The folder of versions; whoever calls anything here holds the notes' lock."""

    def __init__(self, folder: Path) -> None:
        self.folder, self._root = folder, os.fspath(folder)
        self._series: dict[str, _Series] = {}

    def place(self, name: str, change: str, at: datetime, digest: str) -> Path:
        """Where a version goes that a change displaces; makes room for it.

        Args:
            digest: Of what is expected to stand there.
        """
        series, folder = self._series_of(name), self._folder(name)
        self._make_room(name, series)
        stamp = at.astimezone(UTC).strftime("%Y%m%dT%H%M%S%f")
        number = 0
        if series.names and stamp <= (last := series.names[-1].split("-"))[0]:  # a clock that went back
            stamp, number = last[0], int(last[1]) + 1
        version = f"{stamp}-{number:06}-{change}-{digest or EMPTY}{os.path.splitext(name)[1]}"  # noqa: PTH122 - a path made for each costs more than all the rest
        series.names.append(version)
        return folder / version

    def keep(self, name: str, change: str, at: datetime, digest: str, file: Path) -> None:
        """Take in a displaced file that a kill left beside its place."""
        path = self.place(name, change, at, digest)
        path.parent.mkdir(parents=True, exist_ok=True)
        file.replace(path)
        os.utime(path)  # so that it is read

    def wrote(self, name: str, content: bytes) -> None:
        """Remember what the program put in place, so that a hand's save over it can be taken back to the byte."""
        try:
            handle = os.open(self._last(name), os.O_WRONLY | os.O_CREAT, 0o600)
            try:  # not emptied first: some file systems bring what is written over an emptied file to the disk at once
                os.ftruncate(handle, os.write(handle, content))
            finally:
                os.close(handle)
        except OSError:  # then it is taken back entry by entry
            return

    def overwritten(self, name: str, change: str, at: datetime, digest: str) -> None:
        """A hand saved over what the program had put in place: that is a version now."""
        path = self._last(name)
        try:
            if digest and digest_of(path.read_bytes()) == digest:
                path.replace(self.place(name, change, at, digest))
        except OSError:  # as above
            return

    def find(self, name: str, digest: str) -> bytes | None:
        """The bytes of the newest version with that digest; None where there is none, or not any more."""
        if not digest:
            return b""
        for version in reversed(self._listed(name)):
            if _digest_in(version) == digest:
                content = (self._folder(name) / version).read_bytes()
                if digest_of(content) == digest:
                    return content
        return None

    def displaced_by(self, name: str, change: str) -> list[Path]:
        """The versions of a file that a change displaced, in order."""
        return [
            self._folder(name) / version for version in self._listed(name) if _change_in(version) == change
        ]

    def late_saves(self, state: State) -> Iterator[Late]:
        """The versions that somebody wrote into after they were displaced, or just before and nobody knew; until they are taken in."""
        for name in list(state.files):
            place = place_of(name)
            if place is not None and place.tier == "core":
                yield from self._late_saves(name, state)

    def take_in(self, late: Path, content: bytes) -> None:
        """What a version has become is known from now on."""
        version = late.name
        renamed = version.replace(_digest_in(version), digest_of(content) or EMPTY)
        path = late.with_name(renamed)
        late.replace(path)
        if (
            path.read_bytes() != content
        ):  # saved once more, before it had this name: nobody would see it by the times
            os.utime(path)
        names = self._series_of(late.parent.relative_to(self.folder).as_posix()).names
        if version in names:
            names[names.index(version)] = renamed

    def is_as_named(self, name: str, path: Path) -> None:
        """A version that was just displaced is what was expected: there is no need to read it again, nor to list them all."""
        series, status = self._series[name], path.stat()
        if status.st_mtime_ns < status.st_ctime_ns:
            series.sure[path.name] = (status.st_size, status.st_mtime_ns)
        series.stamp = self._stamp(name)

    def _late_saves(self, name: str, state: State) -> Iterator[Late]:
        series, folder = self._series_of(name), f"{self._root}/{name}"
        old, newest = self._watched(series)
        for version in (*old, *newest):
            try:
                status = os.stat(f"{folder}/{version}")  # noqa: PTH116 - a path made for each costs more than all the rest
            except OSError:
                continue
            stamp = (status.st_size, status.st_mtime_ns)
            known = series.sure.get(version)
            if known == stamp:
                continue
            # A rename is a change of the file but no write: once it was written to again, both times are the same.
            if known is None and version not in newest and status.st_mtime_ns < status.st_ctime_ns:
                continue
            path = Path(folder, version)
            digest = _digest_of_file(path)
            if digest == _digest_in(version):
                series.sure[version] = stamp
            elif digest is not None:
                yield Late(name, path, state.before(_change_in(version)).known(name))

    def _watched(self, series: _Series) -> tuple[list[str], list[str]]:
        """The versions that are looked at this time: old ones in turn, all of them at first, and the newest, which are read at first."""
        names, old = series.names, max(0, len(series.names) - WATCHED)
        begin = 0 if series.turn >= old else max(0, series.turn)
        end = old if series.turn < 0 else min(begin + WATCHED, old)
        series.turn = begin + WATCHED if series.turn >= 0 else 0
        return names[begin:end], names[old:]

    def _make_room(self, name: str, series: _Series) -> None:
        place = place_of(name)
        most = KEPT[place.tier] if place is not None else SLACK
        if len(series.names) > most + SLACK:
            for version in series.names[:-most]:
                (self._folder(name) / version).unlink(missing_ok=True)
                series.sure.pop(version, None)
            del series.names[:-most]

    def _series_of(self, name: str) -> _Series:
        """The versions of a file, listed again if somebody else added one."""
        series, stamp = self._series.setdefault(name, _Series()), self._stamp(name)
        if stamp != series.stamp or stamp == -1:
            series.names, series.stamp = self._listed(name), stamp
        return series

    def _stamp(self, name: str) -> int:
        try:
            return os.stat(f"{self._root}/{name}").st_mtime_ns  # noqa: PTH116 - asked of every file at every change
        except OSError:
            return -1

    def _listed(self, name: str) -> list[str]:
        """The names of a file's versions, the oldest first."""
        try:
            names = os.listdir(self._folder(name))  # noqa: PTH208 - names alone
        except OSError:
            return []
        return sorted(
            version for version in names if version.count("-") == 3 and not version.endswith(".tmp")
        )

    def _last(self, name: str) -> Path:
        return self._folder(name) / f"last{Path(name).suffix}"

    def _folder(self, name: str) -> Path:
        return self.folder / name


def _digest_of_file(path: Path) -> str | None:
    """Of a version; None where it is not there any more."""
    try:
        return digest_of(path.read_bytes()) or EMPTY
    except OSError:
        return None


def _change_in(version: str) -> str:
    return version.partition(".")[0].split("-")[2]


def _digest_in(version: str) -> str:
    return version.partition(".")[0].split("-")[3]

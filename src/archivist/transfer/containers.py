"""A data export as it comes: a file, a folder, a ZIP file, or several ZIP files of one export side by side.

Members are read as streams, nothing is unpacked to the disk. A ZIP file that is damaged, encrypted or names places outside itself is
refused with its reason; the others are read all the same.
"""

import errno
import io
import lzma
import os
import re
import stat
import struct
import zlib
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import BinaryIO, Self, cast
from zipfile import BadZipFile, ZipFile, ZipInfo, is_zipfile

import msgspec

from archivist.transfer.fingerprints import edge_digest
from archivist.transfer.foreign import SourceUnreadable

LARGEST_ASSET_BYTES = 256 * 1024 * 1024
READ_BYTES = 1024 * 1024
LISTED_SUFFIXES = (".json", ".jsonl", ".zip")
"""Files of a folder that are looked at before an asset is asked for: a folder may hold a great many others."""

ENCRYPTED = 0x1
DAMAGE = (BadZipFile, zlib.error, lzma.LZMAError, EOFError, struct.error)
"""What reading a damaged ZIP file can raise."""

POINTER = re.compile(r"file[-_][A-Za-z0-9]+")


class Member(msgspec.Struct, frozen=True):
    """A file of an export.

    Attributes:
        name: Its path below the export, with "/".
        bytes: Its size when unpacked.
        time: When it was written, in seconds since 1970, as well as that is known.
        path: Where it is; inside a ZIP file, that file's path and the name.
        container: The ZIP file that it is in; None for a file by itself.
        checksum: The ZIP file's own checksum of it.
    """

    name: str
    bytes: int
    time: float
    path: Path
    container: Path | None = None
    checksum: int = 0

    @property
    def base(self) -> str:
        """The last piece of its name."""
        return PurePosixPath(self.name.replace("\\", "/") if self.container else self.name).name

    @property
    def print(self) -> str:
        """What it looks like; equal prints are equal files. A file by itself is read at its edges for it."""
        look = f"{self.checksum:08x}" if self.container else edge_digest(self.path, self.bytes)
        return f"{self.bytes}:{look}"


class Listing(msgspec.Struct, frozen=True):
    """What an export holds, and which of its files cannot be listed."""

    members: Sequence[Member]
    refused: Sequence[SourceUnreadable] = ()

    def named(self, pattern: re.Pattern[str]) -> list[Member]:
        """The members with the last piece of whose name a pattern matches, older ones first."""
        found = [member for member in self.members if pattern.fullmatch(member.base)]
        return sorted(found, key=lambda member: (member.time, member.name))


def list_members(path: Path) -> Listing:
    """The members of an export: of a folder its own files and those of the ZIP files in it, not those of its folders."""
    if path.is_file() and not is_zip(path):
        return Listing([_file_member(path)])
    members: list[Member] = []
    refused: list[SourceUnreadable] = []
    try:
        files = [path] if path.is_file() else sorted(_files_in(path))
    except OSError as error:
        return Listing([], [SourceUnreadable(path, error.strerror or str(error))])
    for file in files:
        try:
            members += _zip_members(file) if is_zip(file) else [_file_member(file)]
        except SourceUnreadable as error:
            refused.append(error)
        except OSError as error:
            refused.append(SourceUnreadable(file, error.strerror or str(error)))
    return Listing(members, refused)


def is_zip(path: Path) -> bool:
    """Whether a file is meant as a ZIP file, by its name or else by its content."""
    suffix = path.suffix.lower()
    return suffix == ".zip" or (suffix not in LISTED_SUFFIXES and is_zipfile(path))


class Archives:
    """ZIP files that stay open while several of their members are read, for opening one reads all of its directory."""

    def __init__(self) -> None:
        self._open: dict[Path, ZipFile] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of them; one that is asked for again is opened again."""
        for archive in self._open.values():
            archive.close()
        self._open.clear()

    def at(self, path: Path) -> ZipFile:
        """The ZIP file at a path."""
        if path not in self._open:
            self._open[path] = _archive_at(path)
        return self._open[path]


@contextmanager
def opened(member: Member, archives: Archives | None = None) -> Iterator[BinaryIO]:
    """A member as a stream of bytes.

    Args:
        member: The member.
        archives: Holds its ZIP file open, for the next one.

    Raises:
        SourceUnreadable: It is damaged, or not what it was when it was listed; so may reading it.
    """
    with ExitStack() as stack:
        if member.container is None:
            with naming_damage(member.path):
                file: BinaryIO = stack.enter_context(member.path.open("rb"))
        else:
            with naming_damage(member.container):
                archive = (archives or stack.enter_context(Archives())).at(member.container)
                file = stack.enter_context(_stream(archive, member))
        with naming_damage(member.path):
            yield file


@contextmanager
def naming_damage(path: Path) -> Iterator[None]:
    """Says which file it is that cannot be read."""
    try:
        yield
    except DAMAGE as error:
        raise SourceUnreadable(path, f"the ZIP file is damaged ({error})", "get it again") from error
    except OSError as error:
        if error.errno == errno.EINVAL:  # a place before the beginning: its directory tells wrong ones
            raise SourceUnreadable(path, "the ZIP file is damaged (it is cut)", "get it again") from error
        raise SourceUnreadable(path, error.strerror or str(error)) from error


class Assets:
    """The images and uploads of an export, found by the id with which their names begin."""

    def __init__(self, path: Path, members: Iterable[Member], archives: Archives | None = None) -> None:
        self._path, self._members = path, members
        self._listed: list[tuple[str, Member]] | None = None
        self._archives = archives or Archives()

    def find(self, asset_id: str) -> Member | None:
        """The file whose name is an id, or begins with it and goes on with something else than a letter or a digit."""
        if not asset_id:
            return None
        listed = self._by_base()
        at = bisect_left(listed, asset_id, key=lambda entry: entry[0])
        while at < len(listed) and listed[at][0].startswith(asset_id):
            if not listed[at][0][len(asset_id) : len(asset_id) + 1].isalnum():
                return listed[at][1]
            at += 1
        return None

    def named(self, name: str) -> Member | None:
        """The one file of a name; None where there are several, for one of them would be the wrong one."""
        listed = self._by_base()
        at = bisect_left(listed, name, key=lambda entry: entry[0])
        found = [member for base, member in listed[at : at + 2] if base == name]
        return found[0] if len(found) == 1 else None

    def read(self, member: Member) -> bytes | None:
        """The bytes of a member; None where it is too large or cannot be read."""
        if member.bytes > LARGEST_ASSET_BYTES:
            return None
        try:
            if member.container is None:
                return member.path.read_bytes()
            with naming_damage(member.path), _stream(self._archives.at(member.container), member) as file:
                return file.read(
                    member.bytes + 1
                )  # with a size, for a member may unpack to more than it says
        except (SourceUnreadable, OSError):
            return None

    def close(self) -> None:
        """Let go of the ZIP files."""
        self._archives.close()

    def _by_base(self) -> list[tuple[str, Member]]:
        """Every member by the last piece of its name; a folder is walked when its first asset is asked for."""
        if self._listed is None:
            packed = [member for member in self._members if member.container]
            found = [*packed, *(_all_below(self._path) if self._path.is_dir() else ())]
            self._listed = sorted(((member.base, member) for member in found), key=lambda entry: entry[0])
        return self._listed


def asset_id(pointer: str) -> str:
    """The id in a pointer such as `file-service://file-XXXX` or `sediment://file_XXXX`; empty where there is none."""
    found = POINTER.search(pointer.removeprefix("file-service://"))
    return found.group() if found else ""


def _archive_at(path: Path) -> ZipFile:
    """A ZIP file, opened.

    Raises:
        SourceUnreadable: It is packed in a way that is not known here.
    """
    try:
        return ZipFile(path)
    except NotImplementedError as error:
        raise SourceUnreadable(path, f"it cannot be unpacked ({error})", "unpack it first") from error


def _stream(archive: ZipFile, member: Member) -> BinaryIO:
    """A member of an open ZIP file.

    Raises:
        SourceUnreadable: It is packed in a way that is not known here, or gone.
    """
    try:
        packed = archive.open(member.name)
    except NotImplementedError as error:
        raise SourceUnreadable(member.path, f"it cannot be unpacked ({error})", "unpack it first") from error
    except (KeyError, RuntimeError) as error:
        raise SourceUnreadable(member.path, "the ZIP file has changed") from error
    return cast("BinaryIO", io.BufferedReader(cast("io.RawIOBase", packed), READ_BYTES))


def _files_in(folder: Path) -> Iterator[Path]:
    with os.scandir(folder) as entries:
        for entry in entries:
            path = Path(entry.path)
            if path.suffix.lower() in LISTED_SUFFIXES and _is_file(entry) and _stays(path, folder):
                yield path


def _is_file(entry: os.DirEntry[str]) -> bool:
    """Whether it is a regular file; a link that leads nowhere or in a circle is none."""
    try:
        return entry.is_file()
    except OSError:
        return False


def _stays(path: Path, folder: Path) -> bool:
    """Whether a file is in the folder indeed, and no link out of it."""
    try:
        return not path.is_symlink() or path.resolve().is_relative_to(folder.resolve())
    except (OSError, RuntimeError):  # a circle of links
        return False


def _all_below(folder: Path) -> Iterator[Member]:
    """The files in a folder at any depth; links are not followed."""
    for place, _, names in os.walk(folder):
        for name in names:
            path = Path(place, name)
            status = path.lstat()
            if stat.S_ISREG(status.st_mode):
                yield Member(path.relative_to(folder).as_posix(), status.st_size, status.st_mtime, path)


def _file_member(path: Path) -> Member:
    status = path.stat()
    return Member(path.name, status.st_size, status.st_mtime, path)


def _zip_members(path: Path) -> list[Member]:
    with naming_damage(path), _archive_at(path) as archive:
        entries = [entry for entry in archive.infolist() if not entry.is_dir()]
    for entry in entries:
        if _leaves(entry.filename):
            raise SourceUnreadable(
                path, f"a name in it leaves the folder ({entry.filename!r})", "get it again"
            )
        if entry.flag_bits & ENCRYPTED:
            raise SourceUnreadable(path, "it is encrypted", "unpack it, then import the folder")
    return [_zip_member(path, entry) for entry in entries]


def _leaves(name: str) -> bool:
    """Whether a name in a ZIP file means a place outside the folder that it would be unpacked to."""
    plain = name.replace("\\", "/")
    return plain.startswith("/") or ".." in plain.split("/") or re.match("[A-Za-z]:", plain) is not None


def _zip_member(path: Path, entry: ZipInfo) -> Member:
    try:
        time = datetime(*entry.date_time, tzinfo=UTC).timestamp()
    except ValueError:
        time = 0.0
    return Member(entry.filename, entry.file_size, time, path / entry.filename, path, entry.CRC)

"""Copies of files: whole, synced, hashed on the way, readable by their owner alone."""

import os
from pathlib import Path
from typing import NamedTuple

from archivist.files.atomic import FILE_MODE, make_folder, sync_folder
from archivist.records import ArchivistError

CHUNK_BYTES = 1 << 20
MOST_TRIES = 5
_NO_LINKS = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


class FileNotCopied(ArchivistError):
    """A file could not be copied."""

    def __init__(self, source: Path, target: Path, reason: str) -> None:
        self.path, self.target = source, target
        super().__init__(
            f"{source} was not copied to {target} ({reason}): check both places and the room on the disk, then try again"
        )


class Copied(NamedTuple):
    """What was read: bytes and their SHA-256 in hex."""

    size: int
    sha256: str


def copy_file(source: Path, target: Path) -> Copied:
    """Copy a file, synced, with its time; one that changes meanwhile is copied again.

    Raises:
        FileNotCopied: Nothing is left at the target. A link is not followed.
    """
    if target.exists():
        raise FileNotCopied(source, target, "there is a file of that name")
    try:
        make_folder(target.parent)
        for _ in range(MOST_TRIES):
            copied = _copy_once(source, target)
            if copied is not None:
                sync_folder(target.parent)
                return copied
            target.unlink()
    except OSError as error:
        target.unlink(missing_ok=True)
        raise FileNotCopied(source, target, error.strerror or str(error)) from error
    raise FileNotCopied(source, target, "it changes all the time")


def digest_of_file(path: Path) -> Copied:
    """The size and SHA-256 of a file.

    Raises:
        OSError: It cannot be read.
    """
    from hashlib import sha256  # noqa: PLC0415 - loads OpenSSL: 4 ms that most runs do not need

    digest, size = sha256(), 0
    with path.open("rb", buffering=0) as file:
        while chunk := file.read(CHUNK_BYTES):
            digest.update(chunk)
            size += len(chunk)
    return Copied(size, digest.hexdigest())


def _copy_once(source: Path, target: Path) -> Copied | None:
    """A copy, or None where the file was another one at the end than at the beginning; one that grows is not followed."""
    from hashlib import sha256  # noqa: PLC0415 - as above

    reading = os.open(source, os.O_RDONLY | _NO_LINKS)
    try:
        before, digest, size = os.fstat(reading), sha256(), 0
        writing = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NO_LINKS, FILE_MODE)
        try:
            while size <= before.st_size and (chunk := os.read(reading, CHUNK_BYTES)):
                digest.update(chunk)
                size += _write_all(writing, chunk)
            os.utime(target, ns=(before.st_atime_ns, before.st_mtime_ns))
            os.fsync(writing)
        finally:
            os.close(writing)
    finally:
        os.close(reading)
    after = source.stat()
    same = (after.st_ino, after.st_size, after.st_mtime_ns) == (before.st_ino, size, before.st_mtime_ns)
    return Copied(size, digest.hexdigest()) if same else None


def _write_all(handle: int, chunk: bytes) -> int:
    view = memoryview(chunk)
    while view:
        view = view[os.write(handle, view) :]
    return len(chunk)

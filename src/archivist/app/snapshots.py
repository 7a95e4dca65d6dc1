"""Filling a folder with one moment of a home, each file hashed on the way."""

import stat
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import msgspec

from archivist.app.manifests import Kept
from archivist.config import Home
from archivist.config.home import STATE
from archivist.files import FileNotCopied, copy_file, digest_of_file
from archivist.store.connection import Connection, file_bytes
from archivist.store.copying import copy_database
from archivist.store.counting import count_rows
from archivist.store.identity import Identity, identity_in, opened_copy

OnBytes = Callable[[int], None]
"""Takes how many bytes more are done."""


class CopiedState(msgspec.Struct, frozen=True):
    """A copy of `state.db`: its file, which history it holds, how much of it."""

    kept: Kept
    identity: Identity
    counts: dict[str, int]


def copy_state(db: Connection, folder: Path, on_bytes: OnBytes) -> CopiedState:
    """Copy the database of a connection into a folder.

    Raises:
        StoreDamaged, DiskFull, DiskFailed, OSError: It could not be.
    """
    told = 0

    def show(pages: int, all_pages: int) -> None:
        nonlocal told
        size = (folder / STATE).stat().st_size * pages // max(1, all_pages)
        on_bytes(size - told)
        told = size

    copy_database(db, folder / STATE, on_pages=show)
    return state_of(folder)


def state_of(folder: Path) -> CopiedState:
    """A copy of `state.db` by what it is.

    Raises:
        StoreNotOpened, StoreDamaged, NotOurs, DiskFailed: It cannot be read.
    """
    with opened_copy(folder / STATE) as copy:
        identity, counts = identity_in(copy), count_rows(copy, None)
    return CopiedState(Kept(STATE, *digest_of_file(folder / STATE)), identity, counts)


def copy_files(home: Home, folder: Path, names: Iterable[str], on_bytes: OnBytes) -> Iterator[Kept]:
    """Copy files of a home to their places in a folder; one that is gone by now is no longer the home's.

    Raises:
        FileNotCopied: One could not be.
    """
    for name in names:
        try:
            copied = copy_file(home.path / name, folder / name)
        except FileNotCopied:
            if _is_gone(home.path / name):
                continue
            raise
        on_bytes(copied.size)
        yield Kept(name, *copied)


def sizes(home: Home, names: Iterable[str]) -> int:
    """Bytes of some files of a home, and of its database with its log.

    Raises:
        StoreNotOpened, StoreDamaged, NotOurs, DiskFailed: The database cannot be read.
    """
    paths = [home.path / name for name in names]
    with opened_copy(home.state_file) as db:
        return file_bytes(db) + sum(path.stat().st_size for path in paths if not _is_gone(path))


def _is_gone(path: Path) -> bool:
    try:
        return not stat.S_ISREG(path.lstat().st_mode)
    except OSError:
        return True

"""Putting a new database in the place of a damaged one, so that a kill at any instant leaves the one or the other.

The new file is whole and synced before anything moves, under a name of its own beside the old one. While that name is there the exchange
is under way: whoever opens the database finishes it first, under the lock that every exchange holds.
"""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Final

import apsw

from archivist.files import locked, make_folder, sync_folder
from archivist.store.connection import identity_of

COMPANIONS: Final = ("-wal", "-shm", "-journal")
MADE, WHOLE, LOCK = "-salvaging", "-salvaged", ".salvage-lock"
LOCK_SECONDS: Final = 900.0
"""Salvaging a gigabyte takes a few minutes; others wait for it."""
ASIDE: Final = "aside"
RECORD: Final = "salvaged"
"""The key in `meta` under which a salvaged database names the folder of the file that it replaces."""


def made_file(path: Path) -> Path:
    """Where a new database is made."""
    return path.with_name(path.name + MADE)


def whole_file(path: Path) -> Path:
    """Where a new database waits that is whole and is about to take the place of the damaged one."""
    return path.with_name(path.name + WHOLE)


def folders_aside(path: Path) -> list[Path]:
    """The folders of damaged files that were replaced before, oldest first."""
    return sorted((path.parent / ASIDE).glob(f"{path.name}-damaged-*"))


def make_aside(path: Path, now: datetime) -> Path:
    """A new folder for damaged files."""
    name = f"{path.name}-damaged-{now:%Y%m%d-%H%M%S}"
    folder, number = path.parent / ASIDE / name, 1
    while folder.exists():
        number += 1
        folder = path.parent / ASIDE / f"{name}-{number}"
    make_folder(folder)
    return folder


@contextmanager
def exchanging(path: Path) -> Iterator[None]:
    """Hold the lock of exchanges.

    Raises:
        FileLocked: Another process held it for a quarter of an hour.
    """
    with locked(path.with_name(path.name + LOCK), seconds=LOCK_SECONDS):
        yield


def finish_exchange(path: Path) -> None:
    """Finish an exchange that was begun, or wait for whoever is at it."""
    with exchanging(path):
        if whole_file(path).exists():
            exchange(path)


def begin_exchange(path: Path) -> None:
    """Sync the new database and give it the name under which it waits; nothing has moved yet."""
    fresh = made_file(path)
    with fresh.open("rb") as file:
        os.fsync(file.fileno())
    fresh.replace(whole_file(path))
    sync_folder(path.parent)


def exchange(path: Path) -> None:
    """Move the damaged files into their folder, untouched, and the new database into their place; under the lock."""
    whole, aside = whole_file(path), _aside_of(path)
    make_folder(aside)
    if identity_of(path) != identity_of(whole):
        for suffix in COMPANIONS:
            _move(path.with_name(path.name + suffix), aside)
        _keep(path, aside / path.name)
        _take_place(whole, path)
    for (
        suffix
    ) in COMPANIONS:  # of somebody who opened the old file at this very moment, and will find it replaced
        path.with_name(path.name + suffix).unlink(missing_ok=True)
    sync_folder(aside)
    sync_folder(path.parent)
    whole.unlink(missing_ok=True)
    sync_folder(path.parent)


def _aside_of(path: Path) -> Path:
    """The folder that a waiting database names for the file which it replaces."""
    db = apsw.Connection(
        f"{whole_file(path).absolute().as_uri()}?immutable=1",
        flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI,
    )
    try:
        name = db.execute("SELECT value FROM meta WHERE key = ?", (RECORD,)).get
    finally:
        db.close()
    return path.parent / ASIDE / str(name)


def _move(file: Path, aside: Path) -> None:
    if file.exists() and not (aside / file.name).exists():
        file.replace(aside / file.name)


def _keep(path: Path, place: Path) -> None:
    """A second name for the damaged file, so that its own is never without a file."""
    if not path.exists() or place.exists():
        return
    try:
        os.link(path, place)
    except OSError:  # a file system without second names
        shutil.copy2(path, place)
        with place.open("rb") as file:
            os.fsync(file.fileno())


def _take_place(whole: Path, path: Path) -> None:
    """Put the new database under the name of the old one; its waiting name stays until all is done."""
    twin = path.with_name(f"{path.name}{MADE}")
    twin.unlink(missing_ok=True)
    try:
        os.link(whole, twin)
    except OSError:
        whole.replace(path)
    else:
        twin.replace(path)

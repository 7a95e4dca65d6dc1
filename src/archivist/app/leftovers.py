"""What programs that were killed left in a home: removed once it is certain that nobody is at it.

Each kind is removed only under the lock of whoever makes it, or after a day.
"""

import shutil
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Final

from archivist.app.alone import LOCK_NAME
from archivist.app.backups import PARTIAL
from archivist.app.incoming import INCOMING
from archivist.config import Home
from archivist.config.home import SPOOL, STATE
from archivist.files import FileLocked, FileNotWritten, files_below, locked
from archivist.files.displacing import UNFINISHED
from archivist.store import StateStore
from archivist.store.deletions import remove_orphans
from archivist.store.leasing import lock_files
from archivist.store.replacing import LOCK
from archivist.store.salvage.salvaging import MADE

OLD_SECONDS: Final = 86_400.0
TEMPORARY: Final = ".tmp"
COPIES: Final = ("-wal-aside-*", "-journal-aside-*")
"""Beside `state.db`: what a lost one left, which is kept until a person has looked at it."""


def clear_leftovers(home: Home, store: StateStore, *, now: float, with_orphans: bool = False) -> None:
    """Remove what is nobody's.

    Args:
        home: The home.
        store: Its store.
        now: Seconds since 1970.
        with_orphans: Also blobs of which no message was ever written; that takes reading everything where there are any.

    Raises:
        StoreBusy, DiskFull, DiskFailed, StoreReadOnly, OSError: The rest is left for the next time.
    """
    with _at_once(home.state_file.with_name(STATE + LOCK)) as is_held:
        if is_held:
            home.state_file.with_name(STATE + MADE).unlink(missing_ok=True)
    with _at_once(home.path / LOCK_NAME) as is_held:
        if is_held and not home.unfinished_restore_file.exists():
            for folder in (home.aside_folder / INCOMING, *home.aside_folder.glob(f"*{PARTIAL}")):
                shutil.rmtree(folder, ignore_errors=True)
    for lock in lock_files(home.path):
        with _at_once(lock) as is_held:
            if is_held:
                lock.unlink(missing_ok=True)
    old = now - OLD_SECONDS
    for path in list(_half_written(home)):
        with suppress(OSError):
            if path.stat().st_mtime < old:
                path.unlink()
    if with_orphans and not any(
        home.aside_folder.rglob(f"{STATE}*")
    ):  # a state that was set aside names blobs too
        remove_orphans(store, home.media_folder, older_than=old)


def copies_beside(home: Home) -> list[Path]:
    """Logs of a lost database, which may hold words that were deleted since."""
    return sorted(path for pattern in COPIES for path in home.path.glob(STATE + pattern))


@contextmanager
def _at_once(lock: Path) -> Iterator[bool]:
    """Hold a lock if nobody else does; whether it is held."""
    with ExitStack() as held:
        try:
            held.enter_context(locked(lock, seconds=0))
        except (FileLocked, FileNotWritten):
            yield False
            return
        yield True


def _half_written(home: Home) -> Iterator[Path]:
    for entry in files_below(home.notes_folder, skips_unreadable=True):
        if entry.name.rpartition("/")[2].startswith(".") and entry.name.endswith(UNFINISHED):
            yield home.notes_folder / entry.name
    for folder in (home.media_folder, home.path / SPOOL):
        for entry in files_below(folder, skips_unreadable=True):
            name = entry.name.rpartition("/")[2]
            if name.startswith(".") and name.endswith(TEMPORARY):
                yield folder / entry.name

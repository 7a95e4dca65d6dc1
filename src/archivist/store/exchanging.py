"""Putting a prepared copy in the place of `state.db`, whole or not at all.

With a write-ahead log the content is exchanged, not the file: SQLite takes the write lock, writes all pages to the log and commits.
Every process that has the database open goes on with it and sees the old content or the new. Renaming another file into the place would
not be safe: whoever opens the path between the removal of the old log and the renaming makes a new log for the old file, which the new
file would then take for its own.

Where that cannot be (a rollback journal, a file that is damaged, empty or gone) the files are replaced: see `store.replacing`.
"""

from collections.abc import Callable
from contextlib import ExitStack, closing
from datetime import datetime
from pathlib import Path

from archivist.records import Patience
from archivist.store.beginning import is_blank, unmark
from archivist.store.connection import Connection, connect, open_reader, open_writer
from archivist.store.copying import shrink_log
from archivist.store.deleting import apply_erased
from archivist.store.erased import Erased
from archivist.store.identity import identify, renew_store_id
from archivist.store.migrating import migrate
from archivist.store.numbering import go_on_above
from archivist.store.surroundings import Surroundings
from archivist.store.trouble import (
    BUSY,
    DiskFailed,
    StoreDamaged,
    StoreNotOpened,
    naming_trouble,
)

SetAside = Callable[[Connection], None]
"""Copies the old content away while nobody can write it; is given a connection that reads it."""


def prepare_copy(
    path: Path, *, program: str, store_id: str, erased: Path, given: tuple[int, int] | None, now: datetime
) -> int:
    """Bring a copy to this program's schema, give it a new store id, and delete from it what was deleted elsewhere.

    Args:
        path: The copy.
        program: This program's version.
        store_id: The new id; the first id stays.
        erased: What must stay away; there may be no such file.
        given: The last numbers that the state which it replaces has given; see `store.numbering`.
        now: The time of day.

    Returns:
        How many sessions were deleted from it.

    Raises:
        SchemaTooNew, NotOurs, DiskFull, DiskFailed, StoreDamaged: It cannot be.
    """
    with naming_trouble(path), closing(connect(path)) as db:
        # what is deleted is overwritten: these pages become those of `state.db`
        db.execute(
            "PRAGMA journal_mode = DELETE; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON"
        ).fetchall()
        migrate(db, path, program=program, store_id=store_id)
        with db:
            renew_store_id(db, store_id)
            unmark(db)
            gone = apply_erased(db, Erased(erased))
            go_on_above(db, given, now)
    return gone


def can_exchange_content(path: Path) -> bool:
    """Whether the database there can be written to through its log; if not, only its files can be replaced.

    Raises:
        NotOurs: Another program's database stands there: it is left alone.
        StoreReadOnly: Nothing can be written there.
    """
    if is_blank(path) or not path.is_file():
        return False
    try:
        identify(path)  # before anything is opened that could write
        with naming_trouble(path):
            db, _ = open_writer(path)
            with closing(db):
                return bool(db.pragma("journal_mode") == "wal")
    except (StoreDamaged, DiskFailed, StoreNotOpened):
        return False


def exchange_content(
    path: Path, content: Path, *, set_aside: SetAside, world: Surroundings, patience: Patience
) -> None:
    """Give the database at `path` the content of another one, in one transaction.

    Args:
        path: `state.db`; other processes may have it open.
        content: Prepared, and used by nobody else.
        set_aside: Called once nobody can write any more; if it raises, nothing is changed.
        world: Clock and chance, for waiting.
        patience: How long to wait for other writers.

    Raises:
        StoreBusy, DiskFull, DiskFailed, StoreReadOnly, StoreDamaged: The old content stays.
    """
    with naming_trouble(path, patience.seconds), ExitStack() as opened:
        live, _ = open_writer(path)
        opened.callback(live.close)
        _fit(content, int(live.pragma("page_size")))
        source = opened.enter_context(closing(open_reader(content)))
        old = opened.enter_context(closing(open_reader(path)))
        backup = live.backup("main", source, "main")
        opened.callback(backup.finish)
        _insist(lambda: backup.step(0), world, patience)  # takes the write lock; copies nothing
        set_aside(old)
        backup.step(-1)
    shrink_log(path)


def _fit(content: Path, page_bytes: int) -> None:
    """Pages go into a log only in the size that its database has."""
    with closing(connect(content)) as db:
        if db.pragma("page_size") != page_bytes:
            db.execute(f"PRAGMA page_size = {page_bytes}; VACUUM").fetchall()


def _insist(step: Callable[[], object], world: Surroundings, patience: Patience) -> None:
    for pause in patience.pauses(world.monotonic, world.draw):
        try:
            step()
        except BUSY:
            world.sleep(pause)
        else:
            return
    step()

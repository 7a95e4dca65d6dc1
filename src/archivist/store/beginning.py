"""A `state.db` that is gone although it had a history: it is begun anew, and that is never forgotten.

A full disk leaves a file of no bytes, a mistake none at all. Neither may stop anyone, nor may SQLite throw away the log that lies beside
it, nor may anybody take the home for a new one. Where the log holds messages, the database is damaged and not gone: it is salvaged.
"""

from pathlib import Path
from typing import Final

import apsw

from archivist.config.home import ASIDE, BACKUPS, ERASED, INDEX, KNOWN_BACKUPS, MEDIA, SPOOL
from archivist.files import free_name, move_durably
from archivist.records import Notice
from archivist.store.surroundings import Surroundings

MARK: Final = "begun_anew"
"""The key in `meta` that says when and why."""
MOST_KEPT: Final = 8
"""So many logs are kept of databases that were lost; then the oldest goes."""
JOURNAL_BEGINS: Final = (bytes.fromhex("d9d505f920a163d7"), bytes(8))
"""How a rollback journal begins, and one that was not synced yet."""
JOURNAL_PAGES: Final = slice(16, 20)
"""Where a rollback journal says how many pages the database had before."""
CONTENT: Final = ("-wal", "-journal")
"""What may hold the last of a database beside it."""
TRACES: Final = (INDEX, KNOWN_BACKUPS, ERASED, MEDIA, SPOOL, BACKUPS, ASIDE)
"""What only a home has that was used."""


def is_blank(path: Path) -> bool:
    """Whether SQLite would take a file for a new database; it counts one byte as none."""
    try:
        return path.stat().st_size <= 1
    except FileNotFoundError:
        return True


def how_it_was_lost(path: Path) -> str:
    """Why a blank file is no new one, as the end of a sentence; empty where it is new."""
    size = path.stat().st_size if path.is_file() else None
    if size == 1:
        return "had a single byte"
    if not _has_history(
        path
    ):  # a file without a byte is left by a kill while the very first tables were made
        return ""
    return "was missing" if size is None else "was empty (0 bytes)" if size == 0 else ""


def _has_history(path: Path) -> bool:
    """Whether anything beside a blank database tells that it held something."""
    log, journal = (path.with_name(path.name + suffix) for suffix in CONTENT)
    traces = [log, *(path.with_name(name) for name in TRACES)]
    traces += _kept_logs(path)  # set aside by an opening that was killed then
    return any(map(_holds_anything, traces)) or (_holds_anything(journal) and not _is_of_a_new_file(journal))


def _is_of_a_new_file(journal: Path) -> bool:
    """Whether a rollback journal goes back to a file of no pages; see "The Rollback Journal" of SQLite's file format."""
    try:
        with journal.open("rb") as file:
            head = file.read(JOURNAL_PAGES.stop)
    except OSError:
        return False
    return head.startswith(JOURNAL_BEGINS) and head[JOURNAL_PAGES] == bytes(4)


def set_log_aside(path: Path, reason: str, world: Surroundings) -> Notice:
    """Keep what lies beside a lost database from SQLite, which would remove it; tells what was found.

    Raises:
        OSError: It is where it was.
    """
    kept = []
    for log in (path.with_name(path.name + suffix) for suffix in CONTENT):
        if log.is_file() and log.stat().st_size:
            kept.append(free_name(log.with_name(f"{log.name}-aside-{world.nanoseconds()}")))
            move_durably(log, kept[-1])
    for old in _kept_logs(path)[:-MOST_KEPT]:
        old.unlink(missing_ok=True)
    beside = f"; its log was kept as {', '.join(map(str, kept))}" if kept else ""
    text = f"{path} {reason} and was begun anew{beside}: if it had history, run `archivist restore`"
    return Notice("begun-anew", text)


def _kept_logs(path: Path) -> list[Path]:
    """The logs that were set aside, the oldest first."""
    return sorted(
        path.parent.glob(f"{path.name}-*-aside-*"), key=lambda kept: kept.name.rpartition("-aside-")[2]
    )


def mark(db: apsw.Connection, reason: str, world: Surroundings) -> None:
    """Let a database say from now on that it was begun anew."""
    db.execute(
        "INSERT OR IGNORE INTO meta VALUES(?, ?)", (MARK, f"{world.now():%Y-%m-%d} because it {reason}")
    )


def unmark(db: apsw.Connection) -> None:
    """Take that back: a backup was gone back to."""
    db.execute("DELETE FROM meta WHERE key = ?", (MARK,))


def begun_anew(db: apsw.Connection) -> str:
    """When and why a database was begun anew, as a sentence; empty where it was not."""
    told: str | None = db.execute("SELECT value FROM meta WHERE key = ?", (MARK,)).get
    return f"state.db was begun anew on {told}: if it had history, run `archivist restore`" if told else ""


def _holds_anything(path: Path) -> bool:
    if path.is_dir():
        return any(path.iterdir())
    return path.is_file() and bool(path.stat().st_size)

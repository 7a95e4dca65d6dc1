"""A glance at whether a file that is followed is as it was: without opening a home, for programs that somebody waits for.

It loads SQLite and nothing else, and answers yes only when it is sure. Whatever is odd is for who opens the home.
"""

import os

import apsw

QUIET_SECONDS = 600.0
"""What is still open in a file that nobody has written to within this time is taken as it stands."""
TICK_SECONDS, COARSE_TICK_SECONDS = 0.05, 2.0
"""How exactly disks note when a file was written; the second where only whole seconds are noted."""


def look(status: os.stat_result) -> str:
    """How a file looks: device, number, size, time of writing."""
    return f"{status.st_dev}:{status.st_ino}:{status.st_size}:{status.st_mtime_ns}"


def is_past_its_tick(read_at: int, status: os.stat_result) -> bool:
    """Whether a file that was read then cannot have been written once more within the same tick of the disk's clock.

    Args:
        read_at: Milliseconds since 1970.
        status: As it is now.
    """
    tick = TICK_SECONDS if status.st_mtime_ns % 1_000_000_000 else COARSE_TICK_SECONDS
    return read_at / 1000 - status.st_mtime > tick


def has_nothing_new(database: str, source: str, paths: list[str], now: float) -> bool:
    """Whether files have been read to their end and are as they were then.

    Args:
        database: `state.db`.
        source: The program whose files they are.
        paths: The files, by names in which no link stands.
        now: Seconds since 1970.
    """
    try:
        db = apsw.Connection(
            f"file:{_quoted(database)}?mode=ro", flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
        )
        try:
            return all(_is_as_it_was(db, source, path, now) for path in paths)
        finally:
            db.close()
    except (apsw.Error, OSError, ValueError):
        return False


def _is_as_it_was(db: apsw.Connection, source: str, path: str, now: float) -> bool:
    row = db.execute(
        "SELECT look, is_open, read_at, problem FROM followed WHERE source = ? AND path = ?", (source, path)
    ).fetchone()
    status = os.stat(path)  # noqa: PTH116 - loading pathlib takes as long as all of this
    if row is None or row[0] != look(status) or row[3] is not None:
        return False
    waits = row[1] and abs(now - status.st_mtime) > QUIET_SECONDS
    return not waits and is_past_its_tick(row[2], status)


def _quoted(path: str) -> str:
    return path.replace("%", "%25").replace("?", "%3f").replace("#", "%23")

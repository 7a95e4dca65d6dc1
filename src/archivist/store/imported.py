"""Which files of which programs were read to their end, so that they are passed over while they are as they were.

It must not outlive the rows: where some of them go, by deletion or by damage, the files count as never read.
"""

from collections.abc import Collection
from datetime import datetime
from typing import Final

import apsw
import msgspec

from archivist.store.rows import clean, milliseconds

OWN_EXPORTS: Final = "archivist"
"""The format of Archivist's own exports, whose files may hold sessions of any source."""


class Mark(msgspec.Struct, frozen=True):
    """That a file of a source has been read to the end, as it was then."""

    source: str
    path: str
    fingerprint: str


def note_file(db: apsw.Connection, mark: Mark, now: datetime) -> None:
    """Remember what a file looked like; inside a transaction."""
    row = (mark.source, clean(mark.path), mark.fingerprint, milliseconds(now))
    db.execute("INSERT OR REPLACE INTO imported VALUES(?, ?, ?, ?)", row)


def read_fingerprint(db: apsw.Connection, source: str, path: str) -> str | None:
    """What a file looked like when it was last read to its end."""
    found: str | None = db.execute(
        "SELECT fingerprint FROM imported WHERE source = ? AND path = ?", (source, clean(path))
    ).get
    return found


def forget_files(db: apsw.Connection, sources: Collection[str] | None = None) -> None:
    """Take the files of these sources, or all files, for never read: the next import reads them again and stores what is missing."""
    if sources is None:
        db.execute("DELETE FROM imported")
        forget_followed(db)
        return
    named = [(source,) for source in sorted(sources)]
    db.executemany("DELETE FROM imported WHERE source = ?", named)
    db.executemany(
        "DELETE FROM followed_parts WHERE file IN (SELECT key FROM followed WHERE source = ?)", named
    )
    db.executemany("DELETE FROM followed WHERE source = ?", named)


def forget_followed(db: apsw.Connection) -> None:
    """Let no file be followed any more: each is read from its beginning the next time."""
    db.execute("DELETE FROM followed_parts")
    db.execute("DELETE FROM followed")

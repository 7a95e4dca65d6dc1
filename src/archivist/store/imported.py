"""Which files of which programs were read to their end, so that they are passed over while they are as they were.

It must not outlive the rows: where some of them go, by deletion or by damage, the files count as never read.
"""

from collections.abc import Collection
from typing import Final

import apsw

from archivist.store.rows import clean

OWN_EXPORTS: Final = "archivist"
"""The format of Archivist's own exports, whose files may hold sessions of any source."""


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
        return
    db.executemany("DELETE FROM imported WHERE source = ?", [(source,) for source in sorted(sources)])

"""What a quiet minute does for `index.db`: fewer segments, no free pages, an empty log.

FTS5 is never asked to optimise all at once, which takes seconds for a large index; it merges in steps of some
pages, and between two steps the clock is looked at.
"""

import apsw

from archivist.store.index.indexer import IsLate

STEP_PAGES = 64  # of 8 KB: a few milliseconds


def merge_segments(db: apsw.Connection, is_late: IsLate) -> bool:
    """Merge until nothing is left to merge, or it is late; whether all is done, the log included."""
    while _merge_step(db):
        if is_late():
            return False
    while db.execute("PRAGMA freelist_count").get:
        db.execute(f"PRAGMA incremental_vacuum({STEP_PAGES})").fetchall()
        if is_late():
            return False
    (is_busy, _, _) = db.execute("PRAGMA wal_checkpoint(TRUNCATE)").get
    return not is_busy


def _merge_step(db: apsw.Connection) -> bool:
    """One step; FTS5 changes fewer than two rows of its own when there was nothing to do."""
    before = db.total_changes()
    db.execute("INSERT INTO search(search, rank) VALUES ('merge', ?)", (STEP_PAGES,))
    return db.total_changes() - before >= 2

"""What a quiet minute does for `index.db`: fewer segments, no free pages, an empty log.

FTS5 is never asked to optimise all at once, which takes seconds for a large index; it merges in steps of some
pages, and between two steps the clock is looked at.
"""

import apsw

from archivist.store.index.indexer import IsLate, take_step

STEP_PAGES = 64  # of 8 KB: a few milliseconds
ERASING_STEP_PAGES = 256  # some 0.1 s, while which searches go on


def merge_segments(db: apsw.Connection, is_late: IsLate) -> bool:
    """Merge until nothing is left to merge, or it is late; whether all is done, the log included."""
    while _merge_step(db):
        if is_late():
            return False
    while db.execute("PRAGMA freelist_count").get:
        db.execute(f"PRAGMA incremental_vacuum({STEP_PAGES})").fetchall()
        if is_late():
            return False
    return empty_log(db)


def erase_deleted(state: apsw.Connection, db: apsw.Connection) -> None:
    """Make the index so that no byte of the file is of a message that is not in the store; only under the lease.

    FTS5 marks a row as deleted and keeps its words until their segment is merged, so all segments become one; then the file is
    written anew, for pages that were used before keep what was in them. 4 s for 100,000 messages of 1 KB.

    Raises:
        IndexOutdated, StoreUnread, apsw.Error: See `take_step`.
    """
    take_step(state, db, lambda: False, 0)  # follows every change and adds nothing
    while _merge_step(db, -ERASING_STEP_PAGES):
        pass
    db.execute("VACUUM")


def empty_log(db: apsw.Connection) -> bool:
    """Move the log into the file and empty it; whether no reader prevented it."""
    (is_busy, _, _) = db.execute("PRAGMA wal_checkpoint(TRUNCATE)").get
    return not is_busy


def _merge_step(db: apsw.Connection, pages: int = STEP_PAGES) -> bool:
    """One step; FTS5 changes fewer than two rows of its own when there was nothing to do.

    Args:
        db: The index.
        pages: How many to write; negative to make one segment of all, those with deleted rows included.
    """
    before = db.total_changes()
    db.execute("INSERT INTO search(search, rank) VALUES ('merge', ?)", (pages,))
    return db.total_changes() - before >= 2

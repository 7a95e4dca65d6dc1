"""What another process does with a store: `process.py FOLDER index` or `process.py FOLDER write COUNT`."""

import sys
import time
from pathlib import Path

import apsw

from archivist.store.index import search_index
from archivist.store.index.search_index import SearchIndex


def open_state(folder: Path, flags: int) -> apsw.Connection:
    db = apsw.Connection(str(folder / "state.db"), flags=flags)
    db.set_busy_timeout(20_000)
    return db


def index(folder: Path) -> None:
    """Bring the index up to date in many small steps, and say when that begins."""
    search_index.SHORT_BATCH_MESSAGES = 60
    own = SearchIndex(folder / "index.db", lambda: open_state(folder, apsw.SQLITE_OPEN_READONLY))
    print("begun", flush=True)
    while not own.catch_up(0.02).complete:
        time.sleep(0.001)
    own.merge(0.5)
    own.close()


def write(folder: Path, count: int) -> None:
    """Add messages, each in a transaction of its own, and undo every tenth."""
    db = open_state(folder, apsw.SQLITE_OPEN_READWRITE)
    print("begun", flush=True)
    for number in range(count):
        db.execute("BEGIN IMMEDIATE")
        db.execute(
            "INSERT INTO messages(session, conversation, role, created_at, text, client_id, digest)"
            " VALUES (1, 1, 'user', 0, ?, lower(hex(randomblob(16))), x'00')",
            (f"written message {number} 天气{number}",),
        )
        key = db.last_insert_rowid()
        change = "INSERT INTO changes(kind, first_message, last_message) VALUES (?, ?, ?)"
        db.execute(change, ("added", key, key))
        if number % 10 == 0:
            db.execute("UPDATE messages SET state = 'undone' WHERE id = ?", (key - number // 2,))
            db.execute(change, ("changed", key - number // 2, key - number // 2))
        db.execute("COMMIT")
    db.close()


if __name__ == "__main__":
    if sys.argv[2] == "index":
        index(Path(sys.argv[1]))
    else:
        write(Path(sys.argv[1]), int(sys.argv[3]))

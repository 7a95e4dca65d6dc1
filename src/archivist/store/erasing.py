"""What is left to do in the files when rows are gone: the log emptied, residue cleared.

SQLite overwrites what is deleted (`secure_delete`), but when it moves rows from page to page it leaves old copies in the unused middle
of the pages, and a row that is deleted later is then still there to be read by other means. Those middles are cleared here, in the
file itself. That is safe because of what is held meanwhile: the write lock, so that nobody commits, with everything in the log moved
into the file, so that nobody has anything to write there. The bytes belong to no row, so readers need not notice; and the commit that
ends it makes every other connection forget its copies of the pages.
"""

import os
from collections.abc import Collection, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from typing import Final

import apsw
import msgspec

from archivist.store.connection import open_writer
from archivist.store.deleting import Pending, forget_pending
from archivist.store.surroundings import Waiting
from archivist.store.trouble import BUSY, naming_trouble

CHUNK_BYTES: Final = 1 << 20
_LOG_HEAD_BYTES, _FRAME_HEAD_BYTES = 32, 24
_TABLE_LEAF, _INDEX_LEAF, _INDEX_NODE = 0x0D, 0x0A, 0x02
_HEADER_BYTES: Final = {_TABLE_LEAF: 8, _INDEX_LEAF: 8, _INDEX_NODE: 12}


def clear_residue(path: Path, done: Pending | None, waiting: Waiting) -> bool:
    """Fold the log into the file and empty it, clear what deleted rows left in pages, and note that it is done.

    Args:
        path: `state.db`.
        done: What was pending, forgotten in the same commit; None where something of it is still to be done elsewhere.
        waiting: For how long to wait for readers and writers.

    Returns:
        Whether it is done; if not, somebody reads an older state of the log or writes without a pause.
    """
    with ExitStack() as held:
        held.enter_context(naming_trouble(path))
        db, mover = (held.enter_context(closing(open_writer(path)[0])) for _ in range(2))
        if not waiting.until(lambda: fold_log(db)):
            return False
        file, size = held.enter_context(closing(_open_raw(path))), int(db.pragma("page_size"))
        pages = _Pages(path, file, size, set(_pages_with_residue(file, size)))
        return waiting.until(lambda: fold_log(db) and _clear_once(db, mover, pages, done))


class _Pages(msgspec.Struct):
    """The pages that were found to hold residue. None are added: no row that is gone is copied to other pages any more."""

    path: Path
    file: "RawFile"
    size: int
    numbers: set[int]


def fold_log(db: apsw.Connection) -> bool:
    """Move the log into the file and empty it; whether nobody prevented it. True where there is no log."""
    try:
        is_busy, _, _ = db.execute("PRAGMA wal_checkpoint(TRUNCATE)").get
    except BUSY:
        return False
    return not is_busy


def _clear_once(db: apsw.Connection, mover: apsw.Connection, pages: _Pages, done: Pending | None) -> bool:
    """Clear what can be cleared now; whether that is all: not the pages that somebody has changed since the log was emptied."""
    with suppress(*BUSY), _locked(db):
        if not _move_log(mover):
            return False
        in_log = _pages_in_log(pages.path, pages.size)
        _clear_pages(pages, in_log)
        _note_done(db, None if pages.numbers else done)
        db.execute("COMMIT")
        return not pages.numbers
    return False


def _move_log(db: apsw.Connection) -> bool:
    """Move all that is in the log into the file, and leave it there; whether it is all, and nobody else is at it."""
    is_busy, frames, moved = db.execute("PRAGMA wal_checkpoint(PASSIVE)").get
    return not is_busy and frames == moved


def _pages_in_log(path: Path, size: int) -> set[int]:
    """Numbers of the pages of which the log has a copy; see "WAL Frame Format" of SQLite's file format."""
    pages = set()
    with suppress(FileNotFoundError), path.with_name(f"{path.name}-wal").open("rb") as log:
        log.seek(_LOG_HEAD_BYTES)
        while len(head := log.read(_FRAME_HEAD_BYTES)) == _FRAME_HEAD_BYTES:
            pages.add(int.from_bytes(head[:4], "big"))
            log.seek(size, os.SEEK_CUR)
    return pages


@contextmanager
def _locked(db: apsw.Connection) -> Iterator[None]:
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
    finally:
        if db.in_transaction:
            db.execute("ROLLBACK")


def _note_done(db: apsw.Connection, done: Pending | None) -> None:
    """Change something in any case: by this commit every other connection forgets its copies of pages."""
    db.execute("UPDATE meta SET value = value WHERE key = 'store_id'")
    if done is not None:
        forget_pending(db, done)


def _clear_pages(pages: _Pages, in_log: Collection[int]) -> None:
    for number in sorted(pages.numbers):
        stretches = _residue_of(pages.file, number, pages.size)
        if stretches and number in in_log:
            continue
        for begin, end in stretches:
            pages.file.xWrite(bytes(end - begin), (number - 1) * pages.size + begin)
        pages.numbers.remove(number)
    pages.file.xSync(apsw.SQLITE_SYNC_FULL)


def _residue_of(file: "RawFile", number: int, size: int) -> list[tuple[int, int]]:
    offset = (number - 1) * size
    return _residue(file.xRead(size, offset), number, size) if offset < file.xFileSize() else []


class RawFile(apsw.VFSFile):
    """A database file beneath SQLite, opened through it: closing a file by other means would end SQLite's own locks on it."""

    def close(self) -> None:
        """Let go of the file."""
        self.xClose()


def _open_raw(path: Path) -> RawFile:
    return RawFile("", str(path), [apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_MAIN_DB, 0])


def read_raw(path: Path, chunk_bytes: int = CHUNK_BYTES) -> Iterator[bytes]:
    """The bytes of a database that may be open in this process."""
    flags = [apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_MAIN_DB, 0]
    with closing(RawFile("", str(path), flags)) as file:
        at, end = 0, file.xFileSize()
        while at < end:
            yield file.xRead(min(chunk_bytes, end - at), at)
            at += chunk_bytes


def _pages_with_residue(file: RawFile, size: int) -> Iterator[int]:
    """Numbers of the pages that hold bytes which belong to nothing."""
    end = file.xFileSize()
    for at in range(0, end, CHUNK_BYTES):
        chunk = memoryview(file.xRead(min(CHUNK_BYTES, end - at), at))
        for begin in range(0, len(chunk) - size + 1, size):
            number = (at + begin) // size + 1
            is_tree = chunk[begin] in _HEADER_BYTES or number == 1
            if is_tree and _residue(chunk[begin : begin + size], number, size):
                yield number


def _residue(page: bytes | memoryview, number: int, size: int) -> list[tuple[int, int]]:
    """Stretches of a b-tree page that belong to no row and are not empty; see "B-tree Pages" of SQLite's file format."""
    start = 100 if number == 1 else 0
    kind = page[start]
    if (
        kind not in _HEADER_BYTES
        or len(page) < size
        or (kind == _INDEX_NODE and _is_pointer_map(number, size))
    ):
        return []
    free_block, cells, content = (
        int.from_bytes(page[start + at : start + at + 2], "big") for at in (1, 3, 5)
    )
    stretches = [(start + _HEADER_BYTES[kind] + 2 * cells, content or 65_536)]
    while free_block:
        if free_block + 4 > size:
            return []  # no b-tree page after all
        following, length = (int.from_bytes(page[at : at + 2], "big") for at in (free_block, free_block + 2))
        stretches.append((free_block + 4, free_block + length))
        if following and following <= free_block:
            return []
        free_block = following
    if any(not 0 <= begin <= end <= size for begin, end in stretches):
        return []
    return [(begin, end) for begin, end in stretches if page[begin:end] != bytes(end - begin)]


def _is_pointer_map(number: int, size: int) -> bool:
    """Whether a page is, in a database that can be vacuumed step by step, one of those that say what its neighbours are."""
    return number >= 2 and (number - 2) % (size // 5 + 1) == 0

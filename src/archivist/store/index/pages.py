"""Pages of `index.db` that prove themselves: a checksum in each, written and checked beneath SQLite.

FTS5 answers wrongly, without an error, from posting lists in which a bit has flipped. So the file is opened
through a layer that puts a CRC-32 of every page and its place into bytes that SQLite reserves at the page's
end, and compares it whenever a page is read from the file. A page in a connection's cache is not read again,
so a warm search pays nothing; a page from disk costs 6 us more (3 us of it the checksum of 8 KB).

Caught, when a search, a batch or a check touches the page: any changed, swapped, zeroed or missing page
of the file, so every flipped bit and every truncation. A log that a killed process left behind is checked by
SQLite, which takes it up to the first frame that does not prove itself: an older state, whole.

Not caught here: a frame of the log that changes on disk while a process has the log open (some `LOG_PAGES`
pages), an old version of a page put back in its own place, and rows that were never written. `checking.py`
compares the index with the store for those.
"""

import zlib
from array import array
from functools import lru_cache

import apsw

PAGE_BYTES = 8192
LOG_PAGES = 1000
"""Pages of the log after which its content moves into the file."""

_SUM_BYTES = 4
_RESERVED_BYTES = 8
_BODY_BYTES = PAGE_BYTES - _RESERVED_BYTES
_SMALLEST_PAGE_BYTES = 512  # SQLite reads less than this only from the file's header, before it takes page 1
_NAME = "archivist-proven-pages"


def open_proven(path: str, flags: int) -> apsw.Connection:
    """A connection to a database whose pages carry their checksums.

    Raises:
        apsw.Error: When the file cannot be opened. Damage shows only when pages are read, as
            `apsw.CorruptError` or `apsw.NotADBError`.
    """
    db = apsw.Connection(path, flags=flags, vfs=_layer().vfs_name)
    reserved = array("i", [_RESERVED_BYTES])
    db.file_control("main", apsw.SQLITE_FCNTL_RESERVE_BYTES, reserved.buffer_info()[0])
    return db


def close_proven(db: apsw.Connection) -> str:
    """Close a connection, on a full disk too: what could not be moved out of the log stays in it. Tells why not; empty where all went."""
    try:
        db.close()
    except (apsw.FullError, apsw.IOError) as error:
        return str(error)
    return ""


class _ProvenFile(apsw.VFSFile):
    """The database file itself; its log and shared memory are left to SQLite."""

    def xRead(self, amount: int, offset: int) -> bytes:  # noqa: N802 - SQLite's name
        data = super().xRead(amount, offset)
        if amount >= _SMALLEST_PAGE_BYTES and (data or offset):
            _prove(data, amount, offset)
        return data

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802 - SQLite's name
        if len(data) == PAGE_BYTES:
            body = bytes(data[:_BODY_BYTES])
            data = body + _sum_of(body, offset) + bytes(_RESERVED_BYTES - _SUM_BYTES)
        super().xWrite(data, offset)


class _ProvenPages(apsw.VFS):
    def __init__(self) -> None:
        super().__init__(_NAME, "")

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> apsw.VFSFile:  # noqa: N802 - as above
        kind = _ProvenFile if flags[0] & apsw.SQLITE_OPEN_MAIN_DB else apsw.VFSFile
        return kind("", name, flags)

    @property
    def vfs_name(self) -> str:
        return _NAME


@lru_cache(maxsize=1)
def _layer() -> _ProvenPages:
    """The layer, registered with SQLite for as long as the process lives."""
    return _ProvenPages()


def _prove(data: bytes, amount: int, offset: int) -> None:
    page = offset // PAGE_BYTES + 1
    if amount != PAGE_BYTES or len(data) != PAGE_BYTES:
        raise apsw.CorruptError(f"page {page} is cut short or of a foreign size")
    view = memoryview(data)
    if view[_BODY_BYTES : _BODY_BYTES + _SUM_BYTES] != _sum_of(view[:_BODY_BYTES], offset):
        raise apsw.CorruptError(f"page {page} does not match its checksum")


def _sum_of(body: bytes | memoryview, offset: int) -> bytes:
    return zlib.crc32(body, offset // PAGE_BYTES + 1).to_bytes(_SUM_BYTES, "big")

"""The write-ahead log, read by hand: which of its frames are proven, and whether SQLite would pass over any of them.

SQLite reads the log up to the first frame that does not add up and forgets the rest. A frame's sum begins with the sum that the frame
before it states, so what stands behind a broken frame can still be proven, frame by frame.
"""

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Final

import msgspec

from archivist.store.salvage.pages import PAGE_SIZES

LOG_HEAD: Final = 32
FRAME_HEAD: Final = 24
_LITTLE, _BIG = 0x377F0682, 0x377F0683

Sum = tuple[int, int]


class Frame(msgspec.Struct, frozen=True):
    """A frame of the log.

    Attributes:
        page: The page that it holds.
        at: Where the page's bytes begin in the log.
        is_proven: Whether it adds up.
        committed: How many pages the database has after it, 0 where no transaction ends with it.
    """

    page: int
    at: int
    is_proven: bool
    committed: int


class LogHead(msgspec.Struct, frozen=True):
    """What the log says of itself; `is_proven` whether that adds up."""

    order: str
    page_bytes: int
    salts: bytes
    sum: Sum
    is_proven: bool


class Log(msgspec.Struct, frozen=True):
    """The pages that the log lays over the file.

    Attributes:
        places: By page, where its bytes begin in the log.
        pages: How many pages the database has, 0 where the log does not say.
        broken: Frames of this log that do not add up.
        is_cut: Whether committed frames stand behind a broken one: SQLite would forget them.
    """

    places: dict[int, int]
    pages: int = 0
    broken: int = 0
    is_cut: bool = False

    @property
    def is_torn(self) -> bool:
        """Whether its last change is broken: somebody was killed while writing it, or it was damaged since."""
        return self.broken > 0 and not self.is_cut


def read_log(path: Path, page_bytes: int | None = None) -> Log:
    """What a log holds of committed transactions, proven frame by frame.

    Args:
        path: The `-wal` file; one that is not there holds nothing.
        page_bytes: The size of a page, should the log's own head be broken.
    """
    try:
        with path.open("rb") as file:
            return _read_log(file, page_bytes)
    except OSError:
        return Log({})


def frames_of_log(path: Path) -> int:
    """How many whole frames the log has room for; 0 where it is not there or says no size."""
    try:
        with path.open("rb") as file:
            head, size = file.read(LOG_HEAD), path.stat().st_size
    except OSError:
        return 0
    page_bytes = int.from_bytes(head[8:12], "big")
    return (size - LOG_HEAD) // (page_bytes + FRAME_HEAD) if page_bytes in PAGE_SIZES else 0


def is_read_to_its_end(path: Path, read: int) -> bool:
    """Whether the frames behind those that SQLite has read are none of this log's; looks at two, as one may have lost its salts.

    Args:
        path: The `-wal` file.
        read: How many frames SQLite has read.
    """
    try:
        with path.open("rb") as file:
            head = file.read(LOG_HEAD)
            if len(head) < LOG_HEAD:
                return True
            found = head_of(head)
            if not found.is_proven:
                return not any(head)
            whole = FRAME_HEAD + found.page_bytes
            file.seek(LOG_HEAD + read * whole)
            following = file.read(2 * whole)
    except OSError:
        return True
    starts = range(0, len(following) - whole + 1, whole)
    return all(following[at + 8 : at + 16] != found.salts for at in starts)


def pages_not_folded_in(shared: Path) -> int:
    """How many frames the log must have, told by its shared memory, so that nothing is lost; 0 where that says nothing.

    Reads the file: only for a process that has no connection to the database, since closing it ends this process's locks on it.
    """
    try:
        raw = shared.read_bytes()[:136]
    except OSError:
        return 0
    if len(raw) < 100 or raw[:48] != raw[48:96]:
        return 0
    frames, folded = struct.unpack_from("=I", raw, 16)[0], struct.unpack_from("=I", raw, 96)[0]
    return frames if folded < frames else 0


def head_of(raw: bytes) -> LogHead:
    """The log's head."""
    magic, _version, page_bytes = struct.unpack(">III", raw[:12])
    order = ">" if magic == _BIG else "<"
    stated = struct.unpack(">II", raw[24:32])
    is_proven = (
        magic in {_LITTLE, _BIG} and page_bytes in PAGE_SIZES and add_up(raw[:24], (0, 0), order) == stated
    )
    return LogHead(order, page_bytes, raw[16:24], stated, is_proven)


def add_up(raw: bytes, begun: Sum, order: str) -> Sum:
    """SQLite's sum over bytes, whose number is a multiple of eight."""
    first, second = begun
    numbers = struct.unpack(f"{order}{len(raw) // 4}I", raw)
    for at in range(0, len(numbers), 2):
        first = (first + numbers[at] + second) & 0xFFFFFFFF
        second = (second + numbers[at + 1] + first) & 0xFFFFFFFF
    return first, second


def _read_log(file: BinaryIO, page_bytes: int | None) -> Log:
    raw = file.read(LOG_HEAD)
    if len(raw) < LOG_HEAD:
        return Log({})
    head = head_of(raw)
    if not head.is_proven:
        head = _guessed(file, head, page_bytes)
    frames = list(_frames(file, head))
    end = max((at for at, frame in enumerate(frames, 1) if frame.is_proven and frame.committed), default=0)
    places = {frame.page: frame.at for frame in frames[:end] if frame.is_proven}
    broken = [at for at, frame in enumerate(frames, 1) if not frame.is_proven]
    pages = frames[end - 1].committed if end else 0
    is_cut = bool(broken) and broken[0] < end
    return Log({page: at for page, at in places.items() if page <= pages}, pages, len(broken), is_cut)


def _guessed(file: BinaryIO, head: LogHead, page_bytes: int | None) -> LogHead:
    """A head that is broken, mended by what its first frame repeats: only the salts stand in both."""
    file.seek(LOG_HEAD)
    salts = file.read(FRAME_HEAD)[8:16]
    size = page_bytes or (head.page_bytes if head.page_bytes in PAGE_SIZES else 4096)
    return msgspec.structs.replace(head, page_bytes=size, salts=salts)


def _frames(file: BinaryIO, head: LogHead) -> Iterator[Frame]:
    """The frames that carry the log's salts, to the first that does not."""
    begun, at = head.sum, LOG_HEAD
    orders = [head.order] if head.is_proven else ["<", ">"]
    misses = 0
    while True:
        file.seek(at)
        raw = file.read(FRAME_HEAD + head.page_bytes)
        if len(raw) < FRAME_HEAD + head.page_bytes:
            return
        page, committed, _, _, first, second = struct.unpack(">IIIIII", raw[:FRAME_HEAD])
        if raw[8:16] != head.salts:
            misses += 1
            if misses > 1:  # one whose salts alone are broken may stand before others that are whole
                return
            begun, at = (first, second), at + len(raw)
            continue
        proven = [
            order
            for order in orders
            if add_up(raw[FRAME_HEAD:], add_up(raw[:8], begun, order), order) == (first, second)
        ]
        if misses:  # the frame before was one of this log's after all
            yield Frame(0, 0, is_proven=False, committed=0)
        misses = 0
        yield Frame(page, at + FRAME_HEAD, is_proven=bool(proven) and page > 0, committed=committed)
        begun, at = (first, second), at + len(raw)

"""SQLite's file format, read by hand: pages, cells and records, each proven or passed over.

Pure functions over the bytes of pages. None of them trusts a byte: a number that leads out of its page ends the cell that holds it and
nothing else. See "Database File Format" of SQLite's documentation for every offset.
"""

from collections.abc import Callable, Iterator
from typing import Final

import msgspec

MAGIC: Final = b"SQLite format 3\0"
INDEX_INTERIOR, TABLE_INTERIOR, INDEX_LEAF, TABLE_LEAF = 2, 5, 10, 13
KINDS: Final = frozenset({INDEX_INTERIOR, TABLE_INTERIOR, INDEX_LEAF, TABLE_LEAF})
PAGE_SIZES: Final = tuple(512 << power for power in range(8))
MOST_COLUMNS: Final = 64
_FREE_IN_MAP: Final = 2
_INTEGER_BYTES: Final = (0, 1, 2, 3, 4, 6, 8)

Value = int | float | str | bytes | None
ReadPage = Callable[[int], bytes]
"""Gives the bytes of a page by its number, which counts from 1; empty where there is none."""


class Cell(msgspec.Struct, frozen=True):
    """A row as a page holds it.

    Attributes:
        key: The row id; None in a tree that is kept by its own columns.
        values: The record's columns; a text that is no UTF-8 is bytes.
        chain: The pages on which what did not fit goes on.
        in_order: Whether the key stands between those beside it.
    """

    key: int | None
    values: tuple[Value, ...]
    chain: tuple[int, ...] = ()
    in_order: bool = True


class Malformed(Exception):
    """Bytes that are no cell, no record or no number."""


def kind_of(page: bytes, number: int) -> int:
    """What a page is in a tree: one of the kinds, or 0."""
    start = 100 if number == 1 else 0
    return page[start] if len(page) > start and page[start] in KINDS else 0


def children(page: bytes, number: int) -> list[int]:
    """The pages below an interior page, those that can be read of them."""
    start = 100 if number == 1 else 0
    below = [_number(page, offset, 4) for offset in _offsets(page, start) if offset + 4 <= len(page)]
    return [*below, _number(page, start + 8, 4)]


def cells(page: bytes, number: int, read: ReadPage) -> Iterator[Cell | None]:
    """The rows of a page in their order; None for each that cannot be read.

    Args:
        page: Its bytes.
        number: Its number.
        read: Gives the pages on which long rows go on.
    """
    start = 100 if number == 1 else 0
    kind = page[start]
    if kind == TABLE_INTERIOR:
        return
    offsets = _offsets(page, start)
    previous: int | None = None
    for offset in offsets:
        try:
            cell = _cell(page, offset, kind, read)
        except (Malformed, IndexError):
            yield None
            continue
        if cell.key is not None:
            if previous is not None and cell.key <= previous:
                cell = msgspec.structs.replace(cell, in_order=False)
            else:
                previous = cell.key
        yield cell
    if _number(page, start + 3, 2) > len(offsets):
        yield None  # it says that it has more than it can have


def looks_whole(page: bytes, number: int) -> bool:
    """Whether the frame of a page of a tree contradicts itself nowhere: its counts and the places of its cells."""
    start = 100 if number == 1 else 0
    if kind_of(page, number) == 0:
        return False
    head = 12 if page[start] in {INDEX_INTERIOR, TABLE_INTERIOR} else 8
    count, content = _number(page, start + 3, 2), _number(page, start + 5, 2) or 65536
    floor = start + head + 2 * count
    if floor > content or content > len(page):
        return False
    places = [_number(page, start + head + 2 * at, 2) for at in range(count)]
    return all(content <= place < len(page) for place in places)


def fills_its_length(page: bytes, number: int) -> bool:
    """Whether a whole page of a tree has a row in its second half: SQLite fills pages from their end."""
    start = 100 if number == 1 else 0
    return looks_whole(page, number) and max(_offsets(page, start), default=0) >= len(page) // 2


def trunk(page: bytes, last: int) -> tuple[int, list[int]] | None:
    """The next trunk of the list of free pages and the pages that this one names; None if it is none."""
    if len(page) < 8:
        return None
    following, count = _number(page, 0, 4), _number(page, 4, 4)
    if following > last or count > len(page) // 4 - 2:
        return None
    named = [_number(page, 8 + 4 * at, 4) for at in range(count)]
    return (following, named) if all(2 <= one <= last for one in named) else None


def free_in_map(page: bytes, number: int, last: int) -> list[int]:
    """The free pages that a map of pages names; none if the page is no such map.

    A database that can be vacuumed step by step has such maps at fixed places: five bytes for each page behind them.
    """
    room = len(page) // 5
    if not page or (number - 2) % (room + 1):
        return []
    count = min(room, last - number)
    entries = [(page[5 * at], _number(page, 5 * at + 1, 4)) for at in range(count)]
    if not count or not all(1 <= kind <= 5 and parent <= last for kind, parent in entries):
        return []
    return [number + 1 + at for at, (kind, _) in enumerate(entries) if kind == _FREE_IN_MAP]


def _offsets(page: bytes, start: int) -> list[int]:
    """Where the cells of a page stand; what the page has no room for is left out."""
    head = 12 if page[start] in {INDEX_INTERIOR, TABLE_INTERIOR} else 8
    count = min(_number(page, start + 3, 2), (len(page) - start - head) // 2)
    return [_number(page, start + head + 2 * at, 2) for at in range(count)]


def _cell(page: bytes, at: int, kind: int, read: ReadPage) -> Cell:
    key = None
    if kind == INDEX_INTERIOR:
        at += 4
    size, at = varint(page, at)
    if kind == TABLE_LEAF:
        key, at = varint(page, at)
        key = key - (1 << 64) if key >> 63 else key
    payload, chain = _payload(page, at, size, kind, read)
    return Cell(key, record(payload), chain)


def _payload(page: bytes, at: int, size: int, kind: int, read: ReadPage) -> tuple[bytes, tuple[int, ...]]:
    """A cell's bytes, gathered from the pages on which they go on."""
    usable = len(page)
    most = usable - 35 if kind == TABLE_LEAF else (usable - 12) * 64 // 255 - 23
    if size <= most:
        if at + size > usable:
            raise Malformed
        return page[at : at + size], ()
    least = (usable - 12) * 32 // 255 - 23
    local = least + (size - least) % (usable - 4)
    local = local if local <= most else least
    if at + local + 4 > usable:
        raise Malformed
    return _gathered(page[at : at + local], _number(page, at + local, 4), size, read)


def _gathered(local: bytes, following: int, size: int, read: ReadPage) -> tuple[bytes, tuple[int, ...]]:
    pieces, left = [local], size - len(local)
    chain: list[int] = []
    while left > 0:
        page = read(following) if following and following not in chain[-1:] else b""
        if len(page) < 8:
            raise Malformed
        chain.append(following)
        pieces.append(page[4 : 4 + left])
        left -= len(page) - 4
        following = _number(page, 0, 4)
    return b"".join(pieces), tuple(chain)


def record(payload: bytes) -> tuple[Value, ...]:
    """The columns of a record.

    Raises:
        Malformed: It is none.
    """
    size, at = varint(payload, 0)
    if not at <= size <= len(payload):
        raise Malformed
    types = []
    while at < size:
        kind, at = varint(payload, at)
        types.append(kind)
    if at != size or len(types) > MOST_COLUMNS:
        raise Malformed
    values = []
    for kind in types:
        value, at = _value(payload, at, kind)
        values.append(value)
    if at != len(payload):
        raise Malformed
    return tuple(values)


def _value(payload: bytes, at: int, kind: int) -> tuple[Value, int]:
    if kind >= 12:
        end = at + (kind - 12) // 2
        if end > len(payload):
            raise Malformed
        raw = payload[at:end]
        return (_text(raw) if kind & 1 else raw), end
    if kind <= 6:
        end = at + _INTEGER_BYTES[kind]
        return (int.from_bytes(payload[at:end], "big", signed=True) if kind else None), end
    if kind == 7:
        import struct  # noqa: PLC0415 - few columns are fractions

        if at + 8 > len(payload):
            raise Malformed
        return struct.unpack(">d", payload[at : at + 8])[0], at + 8
    if kind in {8, 9}:
        return kind - 8, at
    raise Malformed


def _text(raw: bytes) -> str | bytes:
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw


def varint(raw: bytes, at: int) -> tuple[int, int]:
    """A number of one to nine bytes, and where it ends.

    Raises:
        IndexError: The bytes end before it does.
    """
    number = 0
    for place in range(at, at + 8):
        byte = raw[place]
        number = number << 7 | byte & 0x7F
        if byte < 0x80:
            return number, place + 1
    return number << 8 | raw[at + 8], at + 9


def _number(raw: bytes, at: int, size: int) -> int:
    return int.from_bytes(raw[at : at + size], "big")

"""The file format read by hand says what SQLite says, and nothing that is in a page can make it fail."""

import contextlib
import random

import apsw
import pytest
from hypothesis import given
from hypothesis import strategies as st

from archivist.store.salvage.image import Image, Survey
from archivist.store.salvage.pages import (
    KINDS,
    Malformed,
    cells,
    children,
    looks_whole,
    record,
    trunk,
    varint,
)

VALUES = st.one_of(
    st.none(),
    st.integers(-(2**63), 2**63 - 1),
    st.floats(allow_nan=False),
    st.text(max_size=3000),
    st.binary(max_size=9000),
)


def cleaned(value):
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else value


@pytest.mark.parametrize("page_bytes", [512, 4096, 65536])
@pytest.mark.parametrize("keyed", ["", "WITHOUT ROWID"])
def test_every_row_of_a_table_is_read_as_sqlite_reads_it(tmp_path, page_bytes, keyed):
    chance = random.Random(page_bytes)
    path = tmp_path / "x.db"
    db = apsw.Connection(str(path))
    db.execute(f"PRAGMA page_size = {page_bytes}; CREATE TABLE t(a TEXT PRIMARY KEY, b, c) {keyed}")
    rows = [
        (
            f"k{n}",
            chance.choice([None, n, -n * 10**15, n / 7, "é" * n]),
            chance.randbytes(chance.choice([0, 9, 300, 20000])),
        )
        for n in range(200)
    ]
    db.executemany("INSERT INTO t VALUES(?, ?, ?)", rows)
    root = db.execute("SELECT rootpage FROM sqlite_schema WHERE name = 't'").get
    db.close()
    image = Image(path)
    found = [
        cell.values
        for number in Survey(image).follow(root, 1)
        for cell in cells(image.page(number), number, image.page)
    ]
    image.close()
    assert sorted(found) == sorted(rows)


@given(st.lists(VALUES, min_size=1, max_size=6))
def test_a_record_holds_what_was_stored(values):
    values = [cleaned(value) for value in values]
    db = apsw.Connection(":memory:")
    db.execute(f"CREATE TABLE t({', '.join(f'c{n}' for n in range(len(values)))})")
    db.execute(f"INSERT INTO t VALUES({', '.join('?' * len(values))})", values)
    raw = db.serialize("main")
    db.close()
    size = int.from_bytes(raw[16:18], "big")
    pages = [raw[at : at + size] for at in range(0, len(raw), size)]
    [cell] = cells(pages[1], 2, lambda number: pages[number - 1])
    assert list(cell.values) == [float(v) if isinstance(v, float) else v for v in values] or any(
        isinstance(v, float) and v.is_integer()
        for v in values  # SQLite stores these as whole numbers
    )


@given(st.sampled_from(sorted(KINDS)), st.binary(min_size=512, max_size=512), st.binary(max_size=40))
def test_no_page_can_make_the_reader_fail(kind, page, before):
    page = bytes([kind]) + page[1:]
    for number in (1, 2):
        start = 100 if number == 1 else 0
        content = page[:start] + page[: len(page) - start] if start else page
        list(cells(content, number, lambda _: page))
        looks_whole(content, number)
        if content[start] in KINDS:
            children(content, number)
        trunk(content, 100)


@given(st.binary(max_size=60))
def test_no_bytes_can_make_a_record_fail_otherwise_than_by_name(raw):
    with contextlib.suppress(Malformed, IndexError):
        record(raw)


@given(st.integers(0, 2**64 - 1))
def test_numbers_of_every_length_are_read(number):
    assert varint(encoded(number) + b"rest", 0) == (number, len(encoded(number)))


def encoded(number: int) -> bytes:
    """As SQLite's format says: seven bits a byte, the ninth byte whole."""
    if number >> 56:
        head = [number >> shift & 0x7F | 0x80 for shift in range(57, 7, -7)]
        return bytes([*head, number & 0xFF])
    low = [number & 0x7F]
    while number := number >> 7:
        low.append(number & 0x7F | 0x80)
    return bytes(reversed(low))


def test_the_length_of_pages_is_found_without_the_head(tmp_path):
    for page_bytes in (1024, 4096, 8192):
        path = tmp_path / f"{page_bytes}.db"
        db = apsw.Connection(str(path))
        db.execute(f"PRAGMA page_size = {page_bytes}; CREATE TABLE t(a)")
        db.executemany("INSERT INTO t VALUES(?)", [("word " * 40,) for _ in range(900)])
        db.close()
        raw = bytearray(path.read_bytes())
        raw[:page_bytes] = b"\xa5" * page_bytes
        path.write_bytes(raw)
        image = Image(path)
        assert image.page_bytes == page_bytes
        image.close()

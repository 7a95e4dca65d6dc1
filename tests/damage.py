"""Damage done on purpose to the files of a database."""

from pathlib import Path

import apsw

PAGE = 4096


def spoil(file: Path, *pages: int, filling: bytes = b"\xa5") -> None:
    """Overwrite pages, which are counted from one, with a byte or a pattern."""
    raw = bytearray(file.read_bytes())
    for page in pages:
        raw[(page - 1) * PAGE : page * PAGE] = (filling * PAGE)[:PAGE]
    file.write_bytes(raw)


def flip_byte(file: Path, at: int, bits: int = 4) -> None:
    """Turn bits of one byte."""
    raw = bytearray(file.read_bytes())
    raw[at] ^= bits
    file.write_bytes(raw)


def pages_with(file: Path, text: bytes) -> list[int]:
    """The pages that hold a text."""
    raw = file.read_bytes()
    return [at // PAGE + 1 for at in range(0, len(raw), PAGE) if text in raw[at : at + PAGE]]


def pages_of(file: Path, table: str) -> list[int]:
    """The pages of a table, as SQLite's own `dbstat` says."""
    db = apsw.Connection(str(file))
    pages = [page for (page,) in db.execute("SELECT pageno FROM dbstat WHERE name = ?", (table,))]
    db.close()
    return pages

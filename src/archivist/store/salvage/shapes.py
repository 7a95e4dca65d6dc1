"""What the rows of each table look like, so that a page which belongs to no tree any more still tells whose it is.

The shapes come from the migrations themselves: a later table is known here without a word about it.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import apsw
import msgspec

from archivist.store.salvage.pages import Cell, Value
from archivist.store.schema import MIGRATIONS

EARLIEST_IMPORT: Final = 1_000_000_000_000
"""Milliseconds in 2001: no file was imported before, and no key of a scope is as large."""


class Column(msgspec.Struct, frozen=True):
    """A column: its name, its declared type, and whether it is never empty."""

    name: str
    kind: str
    is_needed: bool

    def admits(self, value: Value) -> bool:
        """Whether it can hold a value; a text that is no UTF-8 comes as bytes."""
        if value is None:
            return not self.is_needed
        if self.kind == "INTEGER":
            return isinstance(value, int)
        if self.kind == "REAL":
            return isinstance(value, int | float)
        return isinstance(value, bytes) if self.kind == "BLOB" else isinstance(value, str | bytes)

    def emptied(self, value: Value) -> Value:
        """What stands for a value that it cannot hold."""
        if self.kind in {"INTEGER", "REAL"}:
            return 0 if self.is_needed else None
        if self.kind == "BLOB":
            return b"" if self.is_needed else None
        return "" if value is None else str(value)


class Shape(msgspec.Struct, frozen=True):
    """The columns of a table or an index in the order in which a record holds them.

    Attributes:
        name: Its name.
        columns: In order.
        key: The column that is the row's key and not in the record; -1 for none.
        has_keys: Whether its rows have row ids.
        is_table: Whether it is a table.
        least: The fewest columns that a record has: those that were added later may be missing.
    """

    name: str
    columns: tuple[Column, ...]
    key: int
    has_keys: bool
    is_table: bool
    least: int

    def fits(self, cell: Cell) -> bool:
        """Whether a cell can be a row of it."""
        if (cell.key is not None) != self.has_keys or not self.least <= len(cell.values) <= len(self.columns):
            return False
        if self.key >= 0 and (cell.key is None or cell.key < 0 or cell.values[self.key] is not None):
            return False
        known = zip(self.columns, cell.values, strict=False)
        if not all(column.admits(value) for place, (column, value) in enumerate(known) if place != self.key):
            return False
        return self.name != "imported" or _is_time(cell.values[-1])

    def row(self, cell: Cell) -> tuple[Value, ...]:
        """A cell as a row of all columns: its key in place, texts mended, what was not there yet empty."""
        values: list[Value] = [
            value.decode("utf-8", "replace") if isinstance(value, bytes) and column.kind != "BLOB" else value
            for column, value in zip(self.columns, cell.values, strict=False)
        ]
        if self.key >= 0:
            values[self.key] = cell.key
        return (*values, *[None] * (len(self.columns) - len(values)))

    def mended(self, cell: Cell) -> Cell | None:
        """A cell of which some columns cannot be what they are, with those emptied; None if it is no row of this table.

        For pages of which it is sure whose they are: a row with one wrong column still holds all the others.
        """
        has_key = self.key < 0 or (cell.key is not None and cell.key >= 0)
        if (cell.key is not None) != self.has_keys or len(cell.values) != len(self.columns) or not has_key:
            return None
        return msgspec.structs.replace(
            cell,
            values=tuple(
                value if place == self.key or column.admits(value) else column.emptied(value)
                for place, (column, value) in enumerate(zip(self.columns, cell.values, strict=True))
            ),
            in_order=False,
        )


def _is_time(value: Value) -> bool:
    return isinstance(value, int) and value >= EARLIEST_IMPORT


def known_shapes(version: int = len(MIGRATIONS)) -> dict[str, Shape]:
    """The shapes of all tables and indexes that this program's first migrations make, by name."""
    db = apsw.Connection(":memory:")
    try:
        for migration in MIGRATIONS[:version]:
            migration(db)
        tables = {name: _table(db, name) for name in _names(db, "table")}
        indexes = {name: _index(db, name, tables) for name in _names(db, "index")}
    finally:
        db.close()
    return {**tables, **{name: shape for name, shape in indexes.items() if shape is not None}}


def shape_of(cells: Sequence[Cell], shapes: Iterable[Shape]) -> Shape | None:
    """The shape that most of a page's rows have, if more than half of them have one."""
    scores = [(sum(map(shape.fits, cells)), shape) for shape in shapes]
    best, shape = max(scores, key=lambda score: score[0], default=(0, None))
    return shape if 2 * best > len(cells) else None


def _names(db: apsw.Connection, kind: str) -> list[str]:
    rows = db.execute("SELECT name FROM sqlite_schema WHERE type = ? ORDER BY rowid", (kind,))
    return [name for (name,) in rows if name != "sqlite_sequence"]


def _table(db: apsw.Connection, name: str) -> Shape:
    rows: list[Any] = db.execute(f"PRAGMA table_xinfo({name})").fetchall()
    has_keys = not db.execute("SELECT wr FROM pragma_table_list WHERE name = ?", (name,)).get
    columns = tuple(Column(row[1], row[2], bool(row[3]) or bool(row[5] and not has_keys)) for row in rows)
    keys = [place for place, row in enumerate(rows) if row[5]]
    is_alias = has_keys and len(keys) == 1 and columns[keys[0]].kind == "INTEGER"
    needed = [place for place, column in enumerate(columns, 1) if column.is_needed]
    return Shape(
        name, columns, keys[0] if is_alias else -1, has_keys, is_table=True, least=max(needed, default=1)
    )


def _index(db: apsw.Connection, name: str, tables: Mapping[str, Shape]) -> Shape | None:
    table = tables.get(str(db.execute("SELECT tbl_name FROM sqlite_schema WHERE name = ?", (name,)).get))
    if table is None or not table.has_keys:
        return None
    known = {column.name: column for column in table.columns}
    key = Column("key", "INTEGER", is_needed=True)
    rows = db.execute("SELECT name FROM pragma_index_xinfo(?) ORDER BY seqno", (name,)).fetchall()
    columns = (*(known.get(str(row[0]), key) for row in rows[:-1]), key)
    return Shape(name, columns, -1, has_keys=False, is_table=False, least=len(columns))

"""A foreign SQLite database, read from a copy.

Opening a database in place can change it: a write-ahead log is replayed, a side file appears. So the file and
its log are copied byte by byte into a temporary folder and only the copy is opened. A copy made while a
checkpoint ran would be torn: it is made again until the file stood still around it.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import apsw

from archivist.transfer.fingerprints import edge_digest
from archivist.transfer.foreign import SourceUnreadable

MAGIC = b"SQLite format 3\x00"
SIDE_FILES = ("-wal", "-journal")
WAL_HEADER_BYTES = 32
COPY_TRIES = 5
COPY_PAUSE_SECONDS = 0.2


COUNTED_BYTES = 32 * 1024 * 1024
"""Up to this size a history is opened only to say how many sessions it holds."""


class SourceBusy(SourceUnreadable):
    """A database was rewritten each time it was copied."""

    def __init__(self, path: Path) -> None:
        super().__init__(
            path, "it was being rewritten each time it was copied", "stop its program and import again"
        )


def is_sqlite(path: Path) -> bool:
    """Whether a file begins as a SQLite database does."""
    try:
        with path.open("rb") as file:
            return file.read(len(MAGIC)) == MAGIC
    except OSError:
        return False


@contextmanager
def opened_copy(path: Path) -> Iterator[apsw.Connection]:
    """A connection to a private copy of a database, gone afterwards.

    Raises:
        SourceUnreadable: The file is no database or is damaged.
        SourceBusy: It would not stand still.
    """
    from tempfile import TemporaryDirectory  # noqa: PLC0415 - most histories are no databases

    with TemporaryDirectory(prefix="archivist-") as folder:
        copy = Path(folder) / "copy.db"
        with naming_damage(path):
            _copy_still(path, copy)
            db = apsw.Connection(str(copy))
        try:
            yield db
        finally:
            db.close()


@contextmanager
def naming_damage(path: Path) -> Iterator[None]:
    """Turns what SQLite and the disk say into an error that names the source.

    Raises:
        SourceUnreadable: Something went wrong inside.
    """
    try:
        yield
    except (OSError, UnicodeDecodeError) as error:
        raise SourceUnreadable(path, str(error)) from error
    except apsw.Error as error:
        raise SourceUnreadable(path, f"the database is damaged ({error})") from error


def size_of(paths: Iterable[Path]) -> int:
    """The size of files together; one that has gone meanwhile has none."""
    size = 0
    for path in paths:
        with suppress(OSError):
            size += path.stat().st_size
    return size


def count_sessions(paths: Iterable[Path], count: Callable[[Path], int | None], size: int) -> int | None:
    """How many sessions databases hold; None where counting would take long or one cannot be read.

    Args:
        paths: The databases.
        count: Tells it of one.
        size: The size of the history.
    """
    if size > COUNTED_BYTES:
        return None
    try:
        return sum(count(path) or 0 for path in paths)
    except SourceUnreadable:
        return None


def index_column(db: apsw.Connection, table: str, column: str) -> None:
    """Give a column of the copy an index, for not every schema has one."""
    db.execute(f"CREATE INDEX IF NOT EXISTS archivist_{table}_{column} ON {table}({column})")


def database_print(path: Path) -> tuple[int, str]:
    """The size of a database with its log, and what they look like; "" where they cannot be read."""
    prints: list[str] = []
    size = 0
    try:
        for part in (path, path.with_name(f"{path.name}-wal")):
            if part.exists():
                stat = part.stat()
                size += stat.st_size
                prints.append(f"{stat.st_size}:{stat.st_mtime_ns}:{edge_digest(part, stat.st_size)}")
    except OSError:
        return 0, ""
    return size, "|".join(prints)


def columns_of(db: apsw.Connection, table: str) -> set[str]:
    """The columns of a table; none where there is no such table."""
    return {row[1] for row in db.execute("SELECT * FROM pragma_table_info(?)", (table,))}


def selected(columns: set[str], wanted: Sequence[str], *, as_bytes: Sequence[str] = ()) -> str:
    """The select list of the wanted columns in their order, NULL for those that a schema does not have.

    Args:
        columns: Those that there are.
        wanted: Those that the reader knows.
        as_bytes: Those to be read as bytes, because a text of theirs may be no UTF-8.
    """
    return ", ".join(
        f"CAST({name} AS BLOB)"
        if name in columns and name in as_bytes
        else name
        if name in columns
        else "NULL"
        for name in wanted
    )


def decoded(value: Any) -> str | None:  # noqa: ANN401 - SQLite columns hold any type
    """A column as text, whatever it was stored as; damaged bytes become U+FFFD."""
    if value is None or isinstance(value, str):
        return value
    return bytes(value).decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


def _copy_still(path: Path, copy: Path) -> None:
    from shutil import copyfile  # noqa: PLC0415 - as above

    for attempt in range(COPY_TRIES):
        before = _look(path)
        copyfile(path, copy)
        for side in SIDE_FILES:
            source, target = Path(f"{path}{side}"), Path(f"{copy}{side}")
            target.unlink(missing_ok=True)
            if source.exists():
                copyfile(source, target)
        if _look(path) == before:
            return
        time.sleep(COPY_PAUSE_SECONDS * attempt)
    raise SourceBusy(path)


def _look(path: Path) -> tuple[object, ...]:
    """What changes when the main file is written to or its log starts anew; a log may grow."""
    stat = path.stat()
    wal, journal = Path(f"{path}-wal"), Path(f"{path}-journal")
    header = b""
    if wal.exists():
        with wal.open("rb") as file:
            header = file.read(WAL_HEADER_BYTES)
    return stat.st_size, stat.st_mtime_ns, header, journal.exists()

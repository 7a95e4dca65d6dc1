"""Which history a database holds.

Its *first id* is the first store id that a history had. Restoring or salvaging gives a database a new store id, so that what was derived
from the other content is not believed; the first id stays. In files it is called `lineage`.
"""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

import apsw
import msgspec

from archivist.records import ArchivistError
from archivist.store.connection import Connection, open_reader
from archivist.store.migrating import APPLICATION_ID, NotOurs, schema_version
from archivist.store.trouble import StoreDamaged, StoreNotOpened, naming_trouble

FORMER_STORES: Final = "former stores"
FIRST_ID_QUERY: Final = "SELECT value FROM meta WHERE key IN ('lineage', 'store_id') ORDER BY key LIMIT 1"


class Identity(msgspec.Struct, frozen=True):
    """Which history a database holds.

    Attributes:
        store_id: Random, renewed by a restore.
        first_id: The first store id that this history had.
        schema: How many migrations it has seen.
        program: The version that last changed the schema.
    """

    store_id: str
    first_id: str = msgspec.field(name="lineage")
    schema: int
    program: str


@contextmanager
def opened_copy(path: Path) -> Iterator[Connection]:
    """A connection that reads a database and leaves no byte changed.

    Raises:
        StoreNotOpened, StoreDamaged, NotOurs: It is none of ours, or cannot be read.
    """
    if not path.is_file():
        raise StoreNotOpened(path, "it is not there")
    try:
        with naming_trouble(path), closing(open_reader(path)) as db:
            if db.pragma("application_id") != APPLICATION_ID:
                raise NotOurs(path)
            yield db
    except apsw.SQLError as error:  # tables or columns that are not there
        raise StoreDamaged(path, str(error)) from error


def identify(path: Path) -> Identity:
    """Which history a database holds.

    Raises:
        StoreNotOpened, StoreDamaged, NotOurs, DiskFailed: It is none of ours, or cannot be read.
    """
    with opened_copy(path) as db:
        return identity_in(db)


def first_id_of(path: Path) -> str | None:
    """The first id of the history in the database there; None where it cannot say."""
    try:
        return identify(path).first_id
    except (ArchivistError, OSError):
        return None


def identity_in(db: Connection) -> Identity:
    """Which history the database of a connection holds.

    Raises:
        StoreDamaged: It does not say.
    """
    meta = {str(key): str(value) for key, value in db.execute("SELECT key, value FROM meta")}
    if not {"store_id", "program"} <= meta.keys():
        raise StoreDamaged(Path(db.filename), "it does not say which history it holds")
    store_id = meta["store_id"]
    return Identity(store_id, meta.get("lineage", store_id), schema_version(db), meta["program"])


def renew_store_id(db: Connection, store_id: str) -> None:
    """Give a database a new store id, so that what was derived from other content is not believed; its first id stays."""
    first_id = identity_in(db).first_id
    remember_former(db, store_id)
    db.execute("INSERT OR REPLACE INTO meta VALUES('lineage', ?), ('store_id', ?)", (first_id, store_id))


def remember_former(db: Connection, store_id: str) -> None:
    """Keep the id that a store had before it is renewed: numbers go on meaning the same."""
    former: str | None = db.execute(
        "SELECT value FROM meta WHERE key = 'store_id' AND value <> ?", (store_id,)
    ).get
    known = [*former_stores(db), *([former] if former else [])]
    stored = msgspec.json.encode(sorted(set(known))).decode()
    db.execute("INSERT OR REPLACE INTO meta VALUES(?, ?)", (FORMER_STORES, stored))


def former_stores(db: Connection) -> frozenset[str]:
    """The ids that a store had before each salvage and restore: what was copied under them has the same numbers."""
    stored: str | None = db.execute("SELECT value FROM meta WHERE key = ?", (FORMER_STORES,)).get
    try:
        return frozenset(msgspec.json.decode(stored or "[]", type=list[str]))
    except (msgspec.DecodeError, msgspec.ValidationError):
        return frozenset()

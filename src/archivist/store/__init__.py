"""Where conversations are kept: `state.db` (canonical), blobs, and `index.db` (derived). SQL stands only in this room."""

from archivist.store.messages import ClientIdReused
from archivist.store.migrating import NotOurs, SchemaTooNew
from archivist.store.rows import MessageNotStorable
from archivist.store.sessions import UnknownSession
from archivist.store.spool import WriteSpooled
from archivist.store.state import StateStore
from archivist.store.surroundings import Surroundings
from archivist.store.trouble import (
    DiskFailed,
    DiskFull,
    StoreBusy,
    StoreClosed,
    StoreDamaged,
    StoreLinked,
    StoreNotOpened,
    StoreReadOnly,
    StoreReplaced,
)

__all__ = [
    "ClientIdReused",
    "DiskFailed",
    "DiskFull",
    "MessageNotStorable",
    "NotOurs",
    "SchemaTooNew",
    "StateStore",
    "StoreBusy",
    "StoreClosed",
    "StoreDamaged",
    "StoreLinked",
    "StoreNotOpened",
    "StoreReadOnly",
    "StoreReplaced",
    "Surroundings",
    "UnknownSession",
    "WriteSpooled",
]

"""Where conversations are kept: `state.db` (canonical), blobs, and `index.db` (derived). SQL stands only in this room."""

from archivist.store.messages import ClientIdReused
from archivist.store.migrating import NotOurs, SchemaTooNew
from archivist.store.sessions import UnknownSession
from archivist.store.spool import WriteSpooled
from archivist.store.state import StateStore, Surroundings
from archivist.store.trouble import (
    DiskFailed,
    DiskFull,
    StoreBusy,
    StoreClosed,
    StoreDamaged,
    StoreNotOpened,
    StoreReadOnly,
)
from archivist.store.verifying import Verification

__all__ = [
    "ClientIdReused",
    "DiskFailed",
    "DiskFull",
    "NotOurs",
    "SchemaTooNew",
    "StateStore",
    "StoreBusy",
    "StoreClosed",
    "StoreDamaged",
    "StoreNotOpened",
    "StoreReadOnly",
    "Surroundings",
    "UnknownSession",
    "Verification",
    "WriteSpooled",
]

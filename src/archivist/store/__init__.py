"""Where conversations are kept: `state.db` (canonical), blobs, and `index.db` (derived). SQL stands only in this room."""

from archivist.store.connection import StoreDamaged, StoreNotOpened, StoreReadOnly
from archivist.store.messages import ClientIdReused
from archivist.store.migrating import NotOurs, SchemaTooNew
from archivist.store.sessions import UnknownSession
from archivist.store.spool import WriteSpooled
from archivist.store.state import StateStore, Surroundings
from archivist.store.verifying import Verification
from archivist.store.writer import DiskFailed, DiskFull, StoreBusy

__all__ = [
    "ClientIdReused",
    "DiskFailed",
    "DiskFull",
    "NotOurs",
    "SchemaTooNew",
    "StateStore",
    "StoreBusy",
    "StoreDamaged",
    "StoreNotOpened",
    "StoreReadOnly",
    "Surroundings",
    "UnknownSession",
    "Verification",
    "WriteSpooled",
]

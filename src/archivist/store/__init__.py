"""Where conversations are kept: `state.db` (canonical), blobs, and `index.db` (derived). SQL stands only in this room."""

from archivist.late import loading_late

TYPE_CHECKING = False  # `typing` takes longer to load than all that a glance needs
if TYPE_CHECKING:
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

_HOMES = {
    "archivist.store.messages": ("ClientIdReused",),
    "archivist.store.migrating": (
        "NotOurs",
        "SchemaTooNew",
    ),
    "archivist.store.rows": ("MessageNotStorable",),
    "archivist.store.sessions": ("UnknownSession",),
    "archivist.store.spool": ("WriteSpooled",),
    "archivist.store.state": ("StateStore",),
    "archivist.store.surroundings": ("Surroundings",),
    "archivist.store.trouble": (
        "DiskFailed",
        "DiskFull",
        "StoreBusy",
        "StoreClosed",
        "StoreDamaged",
        "StoreLinked",
        "StoreNotOpened",
        "StoreReadOnly",
        "StoreReplaced",
    ),
}
__getattr__ = loading_late(__name__, _HOMES)

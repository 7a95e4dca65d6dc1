"""Who is given a snapshot of the notes, and what they were given last."""

import msgspec

from archivist.store import StateStore
from archivist.store.connection import Connection
from archivist.store.frozen import Frozen, frozen_of


class Receiver(msgspec.Struct, frozen=True):
    """The session that a snapshot is for: one of ours, or a host's.

    Attributes:
        session_id: Ours.
        host: The program whose session it is.
        host_session: Its id there.
    """

    session_id: str | None = None
    host: str | None = None
    host_session: str | None = None


def frozen_for(store: StateStore, receiver: Receiver) -> Frozen | None:
    """What a session was given last; None where it was given nothing."""
    return store.read(lambda db: frozen_in(db, receiver))


def frozen_in(db: Connection, receiver: Receiver) -> Frozen | None:
    """The same over a connection."""
    return frozen_of(db, **msgspec.structs.asdict(receiver))

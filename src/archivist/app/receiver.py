"""Who is given a snapshot of the notes, and what they were given last."""

from collections.abc import Sequence

import msgspec

from archivist.store import StateStore
from archivist.store.connection import Connection
from archivist.store.frozen import Frozen, frozen_of, hosts_sessions_named


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


def frozen_named(db: Connection, name: str) -> Frozen | None:
    """What the session that a name means was given last, whosever it is; None where it was given nothing.

    A name is a host's id, also of a session of which nothing is stored yet, whatever else means a conversation, or the beginning of
    a host's id.

    Raises:
        UnknownSession, AmbiguousSession: There is none, or there are several.
    """
    from archivist.recall.reading import resolve_session  # noqa: PLC0415 - a host names its session plainly
    from archivist.store.sessions import UnknownSession  # noqa: PLC0415 - as above

    found = _of_host(db, name, begun=False)
    try:
        return found or _of_ours(db, resolve_session(db, name, None), name)
    except UnknownSession:
        if not hosts_sessions_named(db, name, begun=True):
            raise
        return _of_host(db, name, begun=True)


def _of_ours(db: Connection, key: int, name: str) -> Frozen | None:
    """What was given to a session that is stored, under our id or its host's."""
    from archivist.store.conversations import read_sessions  # noqa: PLC0415 - as above

    (session,) = read_sessions(db, [key], None)
    if session.id != name and session.id.startswith(name):
        _check_alone(name, session.id, hosts_sessions_named(db, name, begun=True))
    found = frozen_in(db, Receiver(session.id))
    if found is None and session.external_id is not None:
        found = frozen_in(db, Receiver(None, session.source, session.external_id))
    return found


def _of_host(db: Connection, name: str, *, begun: bool) -> Frozen | None:
    """What was given to the host's session that a name means."""
    found = hosts_sessions_named(db, name, begun=begun)
    if not found:
        return None
    _check_alone(name, found[0][1], found)
    return frozen_in(db, Receiver(None, *found[0]))


def _check_alone(name: str, own: str, found: Sequence[tuple[str | None, str]]) -> None:
    """Refuse a name that means sessions of other ids too."""
    from archivist.recall.reading import AmbiguousSession  # noqa: PLC0415 - as above

    others = sorted({other for _, other in found} - {own})
    if others:
        raise AmbiguousSession(name, [own, *others])

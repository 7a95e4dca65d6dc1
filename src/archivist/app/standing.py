"""Where a conversation stands: in which session it goes on, what its model sees, and whether another program holds it."""

import msgspec

from archivist.app.citing import cited_here
from archivist.compress.timing import Passed
from archivist.records import ArchivistError, Message, Session
from archivist.records.scopes import OWNER
from archivist.store import StateStore
from archivist.store.compactions import Compactions
from archivist.store.passing import passes_of


class HeldElsewhere(ArchivistError):
    """Another program holds a conversation: it makes what its model sees shorter itself."""

    def __init__(self, session: Session) -> None:
        self.session_id, self.source = session.id, session.source
        super().__init__(
            f"{session.id} is held by {session.source}: `archivist sessions fork {session.id}` begins a line of it"
            " that is yours, to go on in and to compress"
        )


class Standing(msgspec.Struct, frozen=True):
    """Where a conversation stands.

    Attributes:
        session: In which it goes on.
        messages: What its model sees and may be compressed, as it is sent.
        is_held: Whether another program holds it.
        passes: What the compressions so far have saved, the newest last.
    """

    session: Session
    messages: tuple[Message, ...]
    is_held: bool
    passes: tuple[Passed, ...]


def standing(store: StateStore, compactions: Compactions, session_id: str) -> Standing:
    """Where the conversation of a session stands.

    Raises:
        UnknownSession: There is none.
    """
    tip, messages = compactions.context(session_id)
    session = store.session(tip)
    passes = store.read(lambda db: passes_of(db, tip))
    context = store.read(lambda db: cited_here(db, messages))
    return Standing(
        session, tuple(context), session.external_id is not None, tuple(Passed(*one) for one in passes)
    )


def owners_of(session: Session) -> frozenset[str]:
    """The names under which the owner of a session speaks in it."""
    return frozenset(name for name in (OWNER.user, session.scope.user) if name)


__all__ = ["HeldElsewhere", "Standing", "owners_of", "standing"]

"""A session that is open for appending."""

from collections.abc import Iterable
from typing import Literal

from archivist.app.arguments import one_of
from archivist.records import EVERYTHING, Message, Reader, Session, Usage
from archivist.store import StateStore


class SessionHandle:
    """A session that is open for appending.

    It stays good after a compaction: what is appended goes to the conversation's newest session. What it shows of the conversation is
    what may be seen by whoever asked for it.
    """

    __slots__ = ("_reader", "_store", "conversation_id", "id")

    def __init__(self, store: StateStore, session: Session, reader: Reader = EVERYTHING) -> None:
        self._store, self._reader = store, reader
        self.id = session.id
        self.conversation_id = session.conversation_id

    def append(self, message: Message) -> int:
        """Store one message and return its id; when this returns, the message is on disk.

        Raises:
            WriteSpooled: The database was busy or full; the message is safe in the spool.
            ArchivistError: Any other failure; nothing was stored.
        """
        return self._store.append(self.id, [message])[0]

    def append_many(self, messages: Iterable[Message]) -> list[int]:
        """Store messages in one transaction, all or none, and return their ids in order."""
        return self._store.append(self.id, list(messages))

    def add_usage(self, usage: Usage) -> None:
        """Count the tokens of a request; one told of again is not counted again."""
        self._store.add_usage(self.id, [usage])

    def usage(self) -> list[Usage]:
        """Tokens used so far, per model."""
        return self._store.usage(self.id)

    def end(self, reason: str = "ended") -> None:
        """Record that the session has ended; the first reason stays."""
        self._store.end(self.id, reason)

    def messages(self, which: Literal["context", "all"] = "context") -> list[Message]:
        """`context`: what a model sees now; `all`: the whole lineage in order, of every state.

        Raises:
            ValueError: `which` is neither.
        """
        one_of("which", which, ("context", "all"))
        read = self._store.context if which == "context" else self._store.lineage
        return read(self.id, self._reader)

    def record(self) -> Session:
        """What is stored of the session itself."""
        return self._store.session(self.id, self._reader)

"""A session that is open for appending."""

from collections.abc import Iterable
from typing import Any, Literal

from msgspec.structs import replace

from archivist.app.arguments import one_of
from archivist.app.citing import cited_here
from archivist.records import EVERYTHING, Message, Reader, Session, Usage
from archivist.store import StateStore
from archivist.store.connection import Connection
from archivist.store.scopes import visible_scopes


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

    def as_stored(self, message: Message) -> Message:
        """A message as it is read once it is stored, but for its id: of one that waits in the spool.

        Raises:
            MessageNotStorable, FileNotWritten: It never is.
        """
        from archivist.store.rows import message_of  # noqa: PLC0415 - seldom does anything wait

        row = self._store.prepare(message)
        return replace(message_of(row, key=0, session_id=self.id), id=None)

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
        if which == "all":
            return self._store.lineage(self.id, self._reader)
        return self._store.read(self._context)

    def sent(self, *, pictures: bool = True, in_flight: bool = True) -> list[dict[str, Any]]:
        """What a provider is sent of the context now: valid messages in the form of OpenAI's chat completions, the prompt before them.

        Results of calls that were never kept are said to have been interrupted; nothing of that is stored.

        Args:
            pictures: Whether the bytes of pictures, sounds and files stand in them; else only a name for them.
            in_flight: Whether the calls of the last message may still wait for results.

        Raises:
            NotSendable: No provider would take it, because no message is a user's.
        """
        from archivist.compress.sending import sendable  # noqa: PLC0415 - who only stores does not pay for it

        prompt, context = self._store.read(self._prompt_and_context)
        blobs = self._store.blobs.read if pictures else None
        return sendable(context, prompt, blobs=blobs, in_flight=in_flight)

    def _prompt_and_context(self, db: Connection) -> tuple[str | None, list[Message]]:
        from archivist.store.conversations import read_sessions  # noqa: PLC0415 - as above
        from archivist.store.sessions import require_tip  # noqa: PLC0415 - as above

        found = read_sessions(db, [require_tip(db, self.id).key], visible_scopes(db, self._reader))
        return found[0].prompt if found else None, self._context(db)

    def _context(self, db: Connection) -> list[Message]:
        from archivist.store.messages import read_context  # noqa: PLC0415 - as above
        from archivist.store.sessions import require_tip  # noqa: PLC0415 - as above

        tip = require_tip(db, self.id).key
        return cited_here(db, read_context(db, tip, visible_scopes(db, self._reader)))

    def record(self) -> Session:
        """What is stored of the session itself."""
        return self._store.session(self.id, self._reader)

"""Compactions of a store's conversations: what they are made on, stored, opened and taken back.

```python
compactions = Compactions(store, world)
with compactions.lease(session_id):
    tip, messages = compactions.context(session_id)
    ...  # a model may take its time here: messages may be appended meanwhile
    child = compactions.compact(tip, Compaction(seen, head, summary, tail))
```
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import Any

from archivist.records import Message, SessionStart
from archivist.records.messages import NO_METADATA
from archivist.store.compacting import Compaction, compact, prepare_compaction, read_compactable, read_tip
from archivist.store.leasing import COMPACTING, BeingCompacted, leased
from archivist.store.restoring import restore
from archivist.store.state import StateStore
from archivist.store.summaries import originals
from archivist.store.surroundings import Surroundings


class Compactions:
    """What is done with compactions; safe to use from many threads, beside other processes."""

    def __init__(self, store: StateStore, world: Surroundings) -> None:
        self._store, self._world = store, world

    @contextmanager
    def lease(self, session_id: str) -> Iterator[str]:
        """Be the only one who compacts a conversation while the block runs; gives the session in which it goes on.

        Raises:
            BeingCompacted: Another thread or process does; it says which.
            UnknownSession: There is no such session.
            FileNotWritten: The lock file cannot be made.
        """
        while True:
            key, tip = self._tip(session_id)
            path = self._store.path.parent / f"{COMPACTING}{key}.lock"
            with leased(path, partial(BeingCompacted, session_id), now=self._world.now()):
                if self._tip(session_id) == (key, tip):  # else it was compacted before the lock was had
                    yield tip
                    return

    def _tip(self, session_id: str) -> tuple[int, str]:
        """The key and the id of the session in which a conversation goes on."""
        return self._store.read(lambda db: read_tip(db, session_id))

    def context(self, session_id: str) -> tuple[str, list[Message]]:
        """The session in which a conversation goes on, and what may be compacted of what its model sees, both of one moment.

        What is of a scope that a summary in that session may not tell of is not among it: it stays as it is.

        Raises:
            UnknownSession: There is no such session.
        """
        return self._store.read(lambda db: read_compactable(db, session_id))

    def compact(self, session_id: str, compaction: Compaction, *, child_id: str | None = None) -> str:
        """End a session and begin its child, whose model sees a compaction in place of what it saw; returns the child's id.

        Args:
            session_id: The session whose context it was made on, as `context` named it.
            compaction: What the child's model sees.
            child_id: The child's id, if it is chosen already.

        Raises:
            ContextChanged: The model sees something else by now than more of the same; nothing was written.
            UnknownSession, ClientIdReused, MessageNotStorable: See there.
            ValueError: Head and tail are not of what it was made on, or nothing stands for what is left out.
            StoreBusy, DiskFull, DiskFailed, StoreReadOnly: Nothing was written.
        """
        made = prepare_compaction(
            compaction, prepare=self._store.prepare, prepare_start=self._store.prepare_start
        )
        chosen, now = child_id or self._world.new_session_id(), self._world.now()
        self._store.write(lambda db: compact(db, session_id, made, child_id=chosen, now=now))
        return chosen

    def restore(
        self,
        session_id: str,
        *,
        summary: int | None = None,
        compaction: str | None = None,
        prompt: str | None = None,
        metadata: Mapping[str, Any] = NO_METADATA,
        child_id: str | None = None,
    ) -> str:
        """Begin a child whose model sees again, in their own words, the messages that a compaction left out; returns its id.

        Args:
            session_id: Any session of the conversation.
            summary: The message that stands for what is wanted back.
            compaction: The session that the compaction began; the newest one that still has an effect where neither is given.
            prompt: The child's frozen prompt; the one of before where None.
            metadata: What is kept with the child.
            child_id: The child's id, if it is chosen already.

        Raises:
            NothingToRestore: There is no such compaction, or nothing of it is left out any more.
            UnknownSession: There is no such session.
            StoreBusy, DiskFull, DiskFailed, StoreReadOnly: Nothing was written.
        """
        start = self._store.prepare_start(SessionStart("", prompt=prompt, metadata=metadata))
        chosen, now = child_id or self._world.new_session_id(), self._world.now()
        self._store.write(
            lambda db: restore(
                db, session_id, summary=summary, compaction=compaction, prompt=start.prompt, metadata=start.metadata,
                child_id=chosen, now=now,
            )
        )  # fmt: skip
        return chosen

    def stands_for(self, message_id: int) -> list[int]:
        """The ids of the messages that a summary stands for, in order; empty for any other message."""
        return self._store.read(lambda db: originals(db, message_id))


__all__ = ["Compactions"]

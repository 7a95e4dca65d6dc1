"""A conversation that an agent holds: nobody else speaks in it meanwhile, in this process or another."""

import weakref
from contextlib import ExitStack
from datetime import datetime
from functools import partial
from pathlib import Path

from archivist.records import ArchivistError
from archivist.records.digest import blake2b
from archivist.store.leasing import HOLDING, leased


class ConversationHeld(ArchivistError):
    """An agent speaks in a conversation already."""

    def __init__(self, conversation_id: str, holder: str) -> None:
        self.conversation_id, self.holder = conversation_id, holder
        super().__init__(
            f"{conversation_id} is open in {holder}: go on there, end it, or begin another conversation"
        )


class Hold:
    """One conversation, held until it is let go, or until the process ends, however it ends.

    Args:
        home: The home's folder.
        conversation_id: Which.
        now: For whoever is refused meanwhile.

    Raises:
        ConversationHeld: Somebody else holds it.
        FileNotWritten: The lock file cannot be made.
    """

    def __init__(self, home: Path, conversation_id: str, now: datetime) -> None:
        path = home / f"{HOLDING}{blake2b(conversation_id.encode(), digest_size=8).hexdigest()}.lock"
        held = ExitStack()
        held.enter_context(leased(path, partial(ConversationHeld, conversation_id), now=now))
        self._let_go = weakref.finalize(self, held.close)

    def let_go(self) -> None:
        """Let others have it."""
        self._let_go()


__all__ = ["ConversationHeld", "Hold"]

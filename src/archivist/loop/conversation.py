"""A conversation while an agent is at it: every message stored before the next step, and sent as it was said.

A secret is masked in the row, and the model is sent what was said for as long as this process lives. What could not be written to the
database waits in the spool, and the model is sent it nevertheless.
"""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from archivist.compress.sending import sendable
from archivist.guard import mask
from archivist.loop.work import Stored
from archivist.records import Message, Part
from archivist.store import WriteSpooled


class Conversation:
    """A conversation that is open.

    Args:
        session: In which it stands.
        new_id: Makes the client id of a message, before it is first tried to store it.
        blob: The bytes of a blob.
    """

    def __init__(
        self, session: Stored, *, new_id: Callable[[], str], blob: Callable[[str], bytes | None]
    ) -> None:
        self.session = session
        self._new_id, self._blob = new_id, blob
        self._said: dict[str, Message] = {}
        self._waiting: list[Message] = []

    def move(self, session: Stored) -> None:
        """Go on in another session of it."""
        self.session = session

    def add(self, message: Message) -> str | None:
        """Store a message.

        Returns:
            Why it waits in the spool; None where it is in the database.

        Raises:
            ArchivistError: It is stored nowhere.
        """
        named = replace(message, client_id=message.client_id or self._new_id())
        self._said[named.client_id or ""] = named
        try:
            self.session.append(named)
        except WriteSpooled as error:
            self._waiting.append(named)
            return str(error)
        except BaseException:
            del self._said[named.client_id or ""]
            raise
        return None

    def messages(self) -> list[Message]:
        """What the model sees now, in the words in which it was said."""
        stored = self.session.messages("context")
        here = {message.client_id for message in stored}
        self._waiting = [message for message in self._waiting if message.client_id not in here]
        return [*(self._as_said(message) for message in stored), *self._waiting]

    def forms(self, *, pictures: bool) -> tuple[dict[str, Any], ...]:
        """The same as a provider is sent it, without the prompt.

        Args:
            pictures: Whether the bytes of pictures stand in it.

        Raises:
            NotSendable: No message is a user's.
        """
        blob = self._blob if pictures else None
        return tuple(sendable(self.messages(), blobs=blob, in_flight=False, placed=True))

    @property
    def holds_secrets(self) -> bool:
        """Whether the model sees rows in which something was masked that this process never heard."""
        return any(
            message.masked and message.client_id not in self._said
            for message in self.session.messages("context")
        )

    def _as_said(self, stored: Message) -> Message:
        said = self._said.get(stored.client_id or "") if stored.masked else None
        if said is None or not _is_whole(stored, said):
            return stored
        return replace(
            said,
            id=stored.id,
            session_id=stored.session_id,
            created_at=stored.created_at,
            parts=_parts_as_said(stored, said),
            masked=(),
        )


def _is_whole(stored: Message, said: Message) -> bool:
    """Whether a row is sent with all of what was said: a compression may have made it shorter."""
    if len(stored.parts) != len(said.parts) or len(stored.tool_calls) != len(said.tool_calls):
        return False
    texts = [(stored.text, said.text), *zip(_texts(stored), _texts(said), strict=True)]
    return all(mask(own).text == kept for kept, own in texts)


def _texts(message: Message) -> list[str]:
    return [*(part.text for part in message.parts), *(call.arguments for call in message.tool_calls)]


def _parts_as_said(stored: Message, said: Message) -> tuple[Part, ...]:
    """The parts of a row with the words that were said; bytes stay where they are stored."""
    return tuple(replace(kept, text=own.text) for kept, own in zip(stored.parts, said.parts, strict=True))


__all__ = ["Conversation"]

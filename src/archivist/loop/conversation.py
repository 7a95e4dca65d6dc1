"""A conversation while an agent is at it: every message stored before the next step, and sent as it was said.

A secret is masked in the row, and the model is sent what was said for as long as this process lives. What could not be written to the
database waits in the spool, and the model is sent it nevertheless, in the form in which it is read once it is stored.
"""

from collections.abc import Callable
from typing import Any, Final

from msgspec.structs import replace

from archivist.compress.sending import sendable
from archivist.loop.work import Stored
from archivist.records import Message, Part
from archivist.records.messages import BACKGROUND, OUTPUT
from archivist.store import WriteSpooled

PART_WEIGHT: Final = 2_000
"""A picture counts as so many tokens, or fewer."""
OVERHEAD: Final = 50
"""Of a message, beside its words."""
TEXTS: Final = frozenset(("text", BACKGROUND, OUTPUT))
"""Kinds of parts that are sent as text, or not at all."""


class Conversation:
    """A conversation that is open.

    Args:
        session: In which it stands.
        new_id: Makes the client id of a message, before it is first tried to store it.
        blob: The bytes of a blob.

    Attributes:
        is_held_up: Whether the database took nothing when it was last tried.
        grown: No fewer tokens than came since this was last set.
    """

    def __init__(
        self, session: Stored, *, new_id: Callable[[], str], blob: Callable[[str], bytes | None]
    ) -> None:
        self.session = session
        self.is_held_up, self.grown = False, 0
        self._new_id, self._blob = new_id, blob
        self._said: dict[str, Message] = {}
        self._kept: dict[str, Message] = {}
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
        self._said[named.client_id or ""] = _without_bytes(named)
        self.grown += _weight(named)
        try:
            self.session.append(named)
        except WriteSpooled as error:
            self._waiting.append(self.session.as_stored(named))
            self.is_held_up = True
            return str(error)
        except BaseException:
            del self._said[named.client_id or ""]
            raise
        self.is_held_up = False
        return None

    def messages(self) -> list[Message]:
        """What the model sees now, in the words in which it was said."""
        stored = self.session.messages("context")
        if self._waiting:
            here = {message.client_id for message in self.session.messages("all")}
            self._waiting = [message for message in self._waiting if message.client_id not in here]
        seen = [*stored, *self._waiting]
        for message in seen:
            if not message.masked:  # it is sent as it is stored
                self._said.pop(message.client_id or "", None)
        return [self._as_said(message) for message in seen]

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

    def _as_kept(self, said: Message) -> Message:
        """How the row is read in which something stands that was said."""
        key = said.client_id or ""
        if key not in self._kept:
            self._kept[key] = self.session.as_stored(said)
        return self._kept[key]

    def _as_said(self, stored: Message) -> Message:
        said = self._said.get(stored.client_id or "") if stored.masked else None
        if said is None or not _is_whole(stored, self._as_kept(said)):
            return stored
        return replace(
            said,
            id=stored.id,
            session_id=stored.session_id,
            created_at=stored.created_at,
            parts=_parts_as_said(stored, said),
            masked=(),
        )


def _weight(message: Message) -> int:
    """No fewer tokens than a message has: of none is a byte more than one."""
    texts = [message.text, message.reasoning or "", *_texts(message)]
    carried = sum(max(PART_WEIGHT, len(part.data or b"")) for part in message.parts if part.kind not in TEXTS)
    return sum(len(text) if text.isascii() else 4 * len(text) for text in texts) + carried + OVERHEAD


def _is_whole(stored: Message, kept: Message) -> bool:
    """Whether a row is sent with all of what was said: a compression may have made it shorter."""
    return (stored.text, stored.tool_calls) == (kept.text, kept.tool_calls) and [
        part.text for part in stored.parts
    ] == [part.text for part in kept.parts]


def _without_bytes(message: Message) -> Message:
    if all(part.data is None for part in message.parts):
        return message
    return replace(message, parts=tuple(replace(part, data=None) for part in message.parts))


def _texts(message: Message) -> list[str]:
    return [*(part.text for part in message.parts), *(call.arguments for call in message.tool_calls)]


def _parts_as_said(stored: Message, said: Message) -> tuple[Part, ...]:
    """The parts of a row with the words that were said; bytes stay where they are stored."""
    return tuple(replace(kept, text=own.text) for kept, own in zip(stored.parts, said.parts, strict=True))


__all__ = ["Conversation"]

"""What a model's window holds: its parts by tokens, whether it is time to compress, and what a restore brought back into it."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from archivist.app.around import Around, Prompt
from archivist.app.shortened import Restored, Window
from archivist.app.standing import HeldElsewhere, Standing, owners_of, standing
from archivist.compress.shares import Share, shares_of, total_of
from archivist.compress.timing import Count, Verdict, limits, verdict
from archivist.records import Message, Notice
from archivist.store import StateStore, Surroundings
from archivist.store.compactions import Compactions
from archivist.store.passing import counts_of


class Windows:
    """The windows of a home's conversations.

    Args:
        store: Where conversations are.
        around: The notes.
        world: The time.
    """

    def __init__(self, store: StateStore, around: Around, world: Surroundings) -> None:
        self._store, self._around = store, around
        self._compactions = Compactions(store, world)

    def window(self, session_id: str, tools: Sequence[Mapping[str, Any]] | None = None) -> Window:
        """What makes up the window of the conversation of a session."""
        found = standing(self._store, self._compactions, session_id)
        told = "" if tools is None else msgspec.json.encode(tools).decode()
        last = self._last_count(found)
        return Window(
            found.session.conversation_id,
            found.session.id,
            self._shares(found, tools=told),
            None if last is None else last.counted,
            len(found.passes),
            _not_told(found, tools),
        )

    def verdict(self, session_id: str, window: int, reply: int | None, learned: int | None) -> Verdict:
        """Whether it is time to compress."""
        found = standing(self._store, self._compactions, session_id)
        size = total_of(self._shares(found))
        bounds = limits(window, reply=reply, learned=learned)
        return verdict(bounds, size, last=self._last_count(found), passes=found.passes)

    def restore(
        self, session_id: str, summary: int | None, compaction: str | None, prompt: Prompt | None
    ) -> Restored:
        """Bring back what a compression left out."""
        with self._compactions.lease(session_id):
            before = standing(self._store, self._compactions, session_id)
            if before.is_held:
                raise HeldElsewhere(before.session)
            fresh = self._around.renewed(before.session, prompt)
            child = self._compactions.restore(
                session_id, summary=summary, compaction=compaction, prompt=fresh.prompt
            )
            unkept = self._around.hand_over(child, fresh, before.session.scope)
        after = standing(self._store, self._compactions, child)
        return Restored(
            before.session.conversation_id,
            before.session.id,
            child,
            tuple(_back(before.messages, after.messages)),
            self._shares(before),
            self._shares(after),
            (*fresh.notices, *unkept),
        )

    def _shares(self, found: Standing, tools: str = "") -> tuple[Share, ...]:
        notes = self._around.given(found.session.id)
        return shares_of(
            found.messages,
            found.session.prompt,
            None if notes is None else notes.text,
            tools=tools,
            owners=owners_of(found.session),
        )

    def _last_count(self, found: Standing) -> Count | None:
        """What a provider counted for the newest request of this session, and what is estimated for the same messages."""
        counts = self._store.read(lambda db: counts_of(db, found.session.id))
        for place in range(len(found.messages) - 1, -1, -1):
            if counted := counts.get(_request_of(found.messages[place], found.session.id)):
                sent = msgspec.structs.replace(found, messages=found.messages[:place])
                return Count(counted, total_of(self._shares(sent)))
        return None


def _request_of(message: Message, session_id: str) -> str:
    """The request that was answered with a message of a session; empty where nobody told, and of any other message."""
    request = message.metadata.get("request_id")
    is_answer = message.role == "assistant" and message.session_id == session_id
    return request if is_answer and isinstance(request, str) else ""


def _back(before: Sequence[Message], after: Sequence[Message]) -> list[int]:
    were = {message.id: message for message in before}
    return [message.id or 0 for message in after if were.get(message.id) != message]


def _not_told(found: Standing, tools: object) -> tuple[Notice, ...]:
    """What may stand in the window beside, and nobody told."""
    missing = [
        *(["the system prompt"] if found.session.prompt is None else []),
        *(["the tools"] if tools is None else []),
    ]
    if not missing:
        return ()
    told = f"not counted, because nobody told it: {' and '.join(missing)} that its program sends beside"
    return (Notice("not-counted", told),)


__all__ = ["Windows"]

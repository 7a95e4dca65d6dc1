"""What sessions of ours have heard, read from the store as far as it is asked for."""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Final

import msgspec

from archivist.guard.origins import Context, TextOrigin, judged_in, passages_of, untrusted_in
from archivist.guard.origins.speech import shows_others, speech_in
from archivist.guard.origins.stretches import is_some_of
from archivist.guard.origins.tools import Call
from archivist.records import ArchivistError, Message
from archivist.store import StateStore
from archivist.store.connection import Connection
from archivist.store.hearing import heard_by, read_among, read_with_call, said_among, session_of_message

AT_ONCE: Final = 200
"""Messages read at once, from the latest on: most of what is looked for stands near the end."""
MOST_REMEMBERED: Final = 500_000
MOST_SPEECH, LONGEST_REMEMBERED = 50_000, 4_000
"""Messages of which it is remembered what was said in them, and characters of the longest of these."""
DEEPEST: Final = 20
"""Conversations of which one recalled the next; whose words lie deeper is not looked into, and nobody knows."""
LONGEST_TYPED: Final = 20_000
"""Characters: nobody types a longer message, so that what is found in one counts as pasted."""
UNREADABLE: Final = "what was said in the conversation that led to this cannot be read"


class Hearing:
    """The conversations of a home, as their models have heard them.

    What holds nothing untrusted is remembered by the ids of its messages, which never get other words: a conversation is looked through
    once, and then only for what is new in it.
    """

    def __init__(self, store: StateStore) -> None:
        self._store = store
        self._cleared: set[int] = set()
        self._speech: dict[int, Message | None] = {}

    def context(self, session: str, *, up_to: int | None = None) -> Context:
        """What a session has heard.

        Args:
            session: Its id.
            up_to: The last message that counts.
        """
        return self._context(session, up_to, {}, 0)

    def _context(
        self, session: str, up_to: int | None, known: dict[int, TextOrigin | None], depth: int
    ) -> Context:
        try:
            heard = self._store.read(lambda db: heard_by(db, session))
        except ArchivistError as error:
            return Context.unknown(f"{UNREADABLE} ({error})")
        ids = [key for key in heard.ids if up_to is None or key <= up_to]
        return Context(
            speech=partial(self._said, ids),
            latest=partial(self._latest, ids),
            scope=heard.scope,
            recalled=lambda key: self._recalled(key, up_to, known, depth),
            delegated=heard.delegated,
            is_whole=heard.is_compacted,
            fresh=partial(self._fresh, ids),
            cleared=self._clear,
        )

    def origin_of(self, message_id: int) -> TextOrigin | None:
        """Whose words a message of any conversation holds; None where it is trusted. Of one that is not there any more nobody knows."""
        return self._origin_of(message_id, {}, 0)

    def _recalled(
        self, message_id: int, up_to: int | None, known: dict[int, TextOrigin | None], depth: int
    ) -> TextOrigin | None:
        """Whose words a message holds that was recalled before another one was said: what was recalled there is looked into in its turn."""
        if depth >= DEEPEST or (up_to is not None and message_id > up_to):
            return "unknown"
        if message_id not in known:
            known[message_id] = self._origin_of(message_id, known, depth + 1)
        return known[message_id]

    def _origin_of(
        self, message_id: int, known: dict[int, TextOrigin | None], depth: int
    ) -> TextOrigin | None:
        session = self._store.read(lambda db: session_of_message(db, message_id))
        if session is None:
            return "unknown"
        context = self._context(session, message_id, known, depth)
        whole = msgspec.structs.replace(
            context, fresh=None, cleared=None
        )  # it may be one that was found clean
        found = next((one for one in judged_in(whole) if one.message.id == message_id), None)
        if found is None:  # taken back, on a path that was left, or in a conversation that cannot be read
            return "unknown"
        if found.passages:
            return found.passages[0].origin
        first = None if found.message.role == "user" else next(untrusted_in(context), None)
        return None if first is None else first.origin

    def origins_shown(self, stretches: Mapping[int, str]) -> dict[int, TextOrigin]:
        """Of some messages, whose words they have that are not their own conversation's; those that have none are not in it.

        Args:
            stretches: By id of a message, what of it is shown: of what a person said and what they only showed that counts which is in it.
        """
        return self._store.read(lambda db: dict(_origins_shown(db, stretches)))

    def _said(self, ids: list[int]) -> list[Message]:
        if len(self._speech) > MOST_SPEECH:
            self._speech = {}
        new = [key for key in ids if key not in self._speech]
        said = (
            {message.id: message for message in self._store.read(lambda db: said_among(db, new))}
            if new
            else {}
        )
        known = self._speech
        known.update((key, said.get(key)) for key in new if key not in said or _is_short(said[key]))
        return [message for key in ids if (message := said.get(key) or known.get(key)) is not None]

    def _latest(self, ids: list[int]) -> Iterator[Message]:
        for end in range(len(ids), 0, -AT_ONCE):
            some = ids[max(0, end - AT_ONCE) : end]
            yield from reversed(self._store.read(lambda db, some=some: read_among(db, some)))  # type: ignore[misc]  # a default of a lambda has no type

    def _fresh(self, ids: list[int]) -> Iterator[Message]:
        return self._latest([key for key in ids if key not in self._cleared])

    def _clear(self, message: Message) -> None:
        if message.id is not None:
            if len(self._cleared) >= MOST_REMEMBERED:
                self._cleared = set()
            self._cleared.add(message.id)


def _is_short(message: Message) -> bool:
    return len(message.text) + sum(len(part.text) for part in message.parts) <= LONGEST_REMEMBERED


def _origins_shown(db: Connection, stretches: Mapping[int, str]) -> Iterator[tuple[int, TextOrigin]]:
    for key, stretch in stretches.items():
        found = read_with_call(db, key)
        if found is not None:
            message, call, scope = found
            if message.role == "user" and len(message.text) > LONGEST_TYPED:
                yield key, "document"
                continue
            told = None if call is None else Call(call.name, call.arguments)
            for passage in passages_of(message, told, scope):
                is_part = message.role == "user" and passage.origin == "document"
                if not is_part or (_is_pasted(message.text) and is_some_of(passage.text, stretch)):
                    yield key, passage.origin
                    break


def _is_pasted(text: str) -> bool:
    """Whether what a person's message shows was surely put into it: a long text that speaks of nobody may be their own."""
    return bool(speech_in(text).own) or shows_others(text)


__all__ = ["UNREADABLE", "Hearing"]

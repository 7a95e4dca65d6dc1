"""What every part of the conversations' facade works with."""

from collections.abc import Callable
from datetime import date, datetime, timedelta, tzinfo
from typing import TypeVar

from msgspec.structs import replace

from archivist.records import OWNER_EVERYWHERE, Browse, Notice, Page, Passage, Reader
from archivist.store import StateStore, Surroundings
from archivist.store.connection import Connection
from archivist.store.index.search_index import SearchIndex
from archivist.store.proving import damaged_among
from archivist.store.rows import is_damaged
from archivist.store.scopes import visible_scopes

Time = datetime | date | str
Answer = TypeVar("Answer", Page, Passage, Browse)


class Held:
    """The store, the index and the world, held for the methods of a part."""

    def __init__(self, store: StateStore, index: SearchIndex, *, zone: tzinfo, world: Surroundings) -> None:
        self._store, self._index, self._zone, self._world = store, index, zone, world

    def _asking(self, question: Callable[[Connection], Answer]) -> Answer:
        """Ask the store. What was found wrong on the way, and what of the answer is damaged, stands in its notices."""

        def asked(db: Connection) -> tuple[Answer, list[int]]:
            answer = question(db)
            return answer, _damaged_in(db, answer)

        found: tuple[Answer, list[int]] = self._store.read(asked)
        told: tuple[Notice, ...] = (
            *self._store.take_notices(),
            *(
                Notice("damaged-message", f"message {key} is damaged: run `archivist salvage`")
                for key in found[1]
            ),
        )
        return replace(found[0], notices=(*told, *found[0].notices)) if told else found[0]

    def _key(self, name: str, scope: Reader | None, *, derived: bool = True) -> int:
        """The store's key of the session that a name means, for who may see it; the owner in all projects where unset.

        Titles that are stored nowhere mean something only where `derived`.

        Raises:
            UnknownSession, AmbiguousSession: There is none for this reader, or there are several.
        """
        from archivist.recall.reading import resolve_session  # noqa: PLC0415 - who only stores or follows does not pay for the search

        return self._store.read(
            lambda db: resolve_session(
                db, name, visible_scopes(db, scope or OWNER_EVERYWHERE), derived=derived
            )
        )

    def read_time(self, text: str, *, end: bool = False) -> datetime:
        """The time that a text names, in the owner's zone; see `Archivist.read_time`."""
        from archivist.recall.when import parse_instant  # noqa: PLC0415 - only what names a time needs it

        return parse_instant(text, now=self._world.now(), zone=self._zone, end=end)

    def _moment(self, time: Time | None, *, end: bool = False) -> datetime | None:
        """An aware datetime: what has no zone is meant in the owner's."""
        if time is None:
            return None
        if isinstance(time, datetime):
            return time if time.tzinfo else time.replace(tzinfo=self._zone)
        if isinstance(time, str):
            return self.read_time(time, end=end)
        day = datetime.combine(time, datetime.min.time(), self._zone)
        return day + timedelta(days=1) if end and time < date.max else day


def _damaged_in(db: Connection, answer: Page | Passage | Browse) -> list[int]:
    """The messages of an answer that are damaged; those of a passage were proven when they were read."""
    if isinstance(answer, Page):
        return damaged_among(db, {hit.message_id for hit in answer.hits if hit.message_id is not None})
    if isinstance(answer, Passage):
        return [message.id for message in answer.messages if message.id is not None and is_damaged(message)]
    return []

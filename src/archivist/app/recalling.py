"""The part of `Archivist` that asks: one question to every kind of memory."""

import os
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from archivist.app.arguments import a_text
from archivist.app.held import Held, Time
from archivist.app.noted import Noted
from archivist.records import OWNER_EVERYWHERE, Notice, Page, Reader
from archivist.store.index.search_index import SearchIndex

if TYPE_CHECKING:
    from archivist.app.shelves import Shelves
    from archivist.recall.noted import Shelf
    from archivist.recall.request import SearchRequest

KINDS: Final = ("note", "daily", "message")
"""Of memory, as `Hit.kind` names them."""

NOTES_SOURCE: Final = "notes"
"""What notes and daily notes come from, as `Hit.source` names it."""


class Recalling(Noted):
    """What is remembered, found again."""

    _index: SearchIndex
    _shelves: "Shelves | None" = None

    def recall(
        self,
        query: str,
        *,
        limit: int = 8,
        kinds: Sequence[str] | None = None,
        source: str | Sequence[str] = (),
        scope: Reader | None = None,
        since: Time | None = None,
        until: Time | None = None,
        as_of: Time | None = None,
        now: datetime | None = None,
        asking_session: str | None = None,
        explain: bool = False,
    ) -> Page:
        """Ask every kind of memory: what is noted, what was written down for a day, what was said.

        Args:
            query: A question, words, an identifier, or the id of an entry.
            limit: How many hits at most; no more than half of them are notes while messages fit as well.
            kinds: Only these: "note", "daily", "message".
            source: Only conversations held in these programs; "notes" are the notes and daily notes.
            scope: Who asks; the owner in all projects where unset.
            since: Said or noted at this time or later: a datetime, a date, or words such as "last week".
            until: Said or noted before this time; a date, or words that name a day, count whole.
            as_of: As it was then: entries as they were, and nothing that came later; as for `until`.
            now: When the question is asked.
            asking_session: The session that asks: what its model sees already is left out.
            explain: Give each hit the parts of its score.

        Raises:
            TypeError: The query is no text.
        """
        a_text("query", query)
        sources = (source,) if isinstance(source, str) else tuple(source)
        wanted, why_none = _wanted(kinds, sources)
        if why_none:
            return Page((), (Notice("no-such-kind", why_none),))
        asking = _Asking(self._store, self._index, zone=self.zone, world=self._world)
        from archivist.recall.request import SearchRequest  # noqa: PLC0415 - who only stores or follows does not pay for the search

        request = SearchRequest(
            text=query,
            limit=limit,
            kinds=wanted,
            reader=scope or OWNER_EVERYWHERE,
            sources=sources,
            since=asking.moment(since),
            until=asking.moment(until, end=True),
            as_of=asking.moment(as_of, end=True),
            now=asking.moment(now) or self._world.now(),
            zone=self.zone,
            asking_session=asking_session,
            explain=explain,
        )
        shelf, notices = self._shelf(request)
        return self._with_origins(asking.page(request, shelf, notices))

    def _with_origins(self, page: Page) -> Page:
        """The page with whose words its messages have."""
        stretches = {
            hit.message_id: hit.text
            for hit in page.hits
            if hit.message_id is not None and hit.role in {"tool", "user"}
        }
        if not stretches:
            return page
        from archivist.app.hearing import Hearing  # noqa: PLC0415 - its patterns are for what was found

        origins = Hearing(self._store).origins_shown(stretches)
        hits = tuple(
            replace(hit, origin=origins[hit.message_id]) if hit.message_id in origins else hit
            for hit in page.hits
        )
        return replace(page, hits=hits) if origins else page

    def _shelf(self, request: "SearchRequest") -> "tuple[Shelf | None, tuple[Notice, ...]]":
        """What is noted of the kinds that are asked for; nothing is loaded where nothing is."""
        kinds = frozenset(request.kinds) - {"message"}
        if not kinds or not _is_anything_in(self.home.notes_folder):
            return None, ()
        if self._shelves is None:
            from archivist.app.shelves import Shelves  # noqa: PLC0415 - only where anything is noted

            self._shelves = Shelves(self.home.notes_folder, zone=self.zone, now=self._world.now)
        return self._shelves.shelf(lambda: self.notes, request.reader, kinds, request.as_of)


class _Asking(Held):
    """The conversations' store and index, asked together with what is noted."""

    def page(self, request: "SearchRequest", shelf: "Shelf | None", notices: tuple[Notice, ...]) -> Page:
        """What answers, with what is to be known about the notes before the rest."""
        from archivist.recall.search import search  # noqa: PLC0415 - as above

        page = self._asking(
            lambda db: search(db, self._index, request, shelf=shelf, monotonic=self._world.monotonic)
        )
        found = [hit.source.ids[0] for hit in page.hits if hit.kind == "note"]
        against = shelf.contradictions(found, request.zone) if shelf is not None and found else ()
        told = (*notices, *page.notices, *against)
        return replace(page, notices=told) if notices or against else page

    def moment(self, time: Time | None, *, end: bool = False) -> datetime | None:
        """An aware datetime: what has no zone is meant in the owner's."""
        return self._moment(time, end=end)


def _wanted(kinds: Sequence[str] | None, sources: Sequence[str]) -> tuple[tuple[str, ...], str]:
    """The kinds of memory that are asked for, and why there are none if there are none."""
    asked = KINDS if kinds is None else (kinds,) if isinstance(kinds, str) else tuple(kinds)
    unknown = [kind for kind in asked if kind not in KINDS]
    if unknown or not asked:
        named = ", ".join(unknown) or "none"
        return (), f"no memory of kind {named} is kept: give some of {', '.join(KINDS)}, or leave kinds out"
    wanted = _of_sources(asked, sources)
    why = f"notes are of the source {NOTES_SOURCE}, messages of programs: leave the kinds out, or the source"
    return wanted, "" if wanted else why


def _of_sources(kinds: Sequence[str], sources: Sequence[str]) -> tuple[str, ...]:
    """The kinds of memory that come from the sources; from all where none is named."""
    if not sources:
        return tuple(kinds)
    has_programs = any(source != NOTES_SOURCE for source in sources)
    return tuple(kind for kind in kinds if (has_programs if kind == "message" else NOTES_SOURCE in sources))


def _is_anything_in(folder: Path) -> bool:
    """Whether a folder is there and not empty."""
    try:
        with os.scandir(folder) as inside:
            return next(inside, None) is not None
    except FileNotFoundError:
        return False
    except OSError:
        return True  # whoever reads it says what is wrong

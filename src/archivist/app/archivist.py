"""Archivist as one object: a home, opened.

This is where settings become objects. The core is synchronous, and one `Archivist` may be used from many threads.
"""

import os
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, tzinfo
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from archivist import __version__
from archivist.app.checkup import Checkup, check_up
from archivist.app.sessions import Sessions, Time
from archivist.app.world import local_zone, real_world
from archivist.config import Home, find_home, project_of, read_settings
from archivist.records import Notice, Page, Patience, Reader
from archivist.store import StateStore, Surroundings, Verification
from archivist.store.index.search_index import Coverage, SearchIndex

if TYPE_CHECKING:
    from archivist.transfer import Found, ImportReport, Progress


class Archivist:
    """One home's memory.

    Attributes:
        home: Where it lives.
        sessions: Its conversations.
        notices: What was found at opening that a person should know.
    """

    def __init__(
        self, home: Home, store: StateStore, *, world: Surroundings, zone: tzinfo, environ: Mapping[str, str]
    ) -> None:
        self.home, self.zone = home, zone
        self._store, self._world, self._environ = store, world, environ
        self._index = SearchIndex(home.index_file, store.reader, monotonic=world.monotonic)
        self.sessions = Sessions(store, self._index, zone=zone, world=world)
        self.notices: tuple[Notice, ...] = store.notices

    @classmethod
    def open(
        cls,
        home: str | os.PathLike[str] | None = None,
        profile: str | None = None,
        clock: Callable[[], datetime] | None = None,
        *,
        environ: Mapping[str, str] | None = None,
    ) -> "Archivist":
        """Open a home, and make it where it is new.

        Args:
            home: Its folder; else `ARCHIVIST_HOME`, else `~/.archivist`.
            profile: A home of its own below `profiles/`.
            clock: Tells the time of day, aware; the machine's where unset.
            environ: The environment; the process's own where unset.

        Raises:
            ArchivistError: It cannot be opened; the message says what to do.
        """
        environ = os.environ if environ is None else environ
        place = find_home(home, profile, environ=environ)
        settings = read_settings(place.config_file)
        world = real_world(clock)
        store = StateStore.open(
            place.state_file,
            spool=place.spool_folder,
            media=place.media_folder,
            program=__version__,
            world=world,
            patience=Patience(settings.patience_seconds),
        )
        return cls(place, store, world=world, zone=settings.zone() or local_zone(), environ=environ)

    def close(self) -> None:
        """Close every connection; what was stored stays stored."""
        self._index.close()
        self._store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def recall(
        self,
        query: str,
        *,
        limit: int = 8,
        kinds: tuple[str, ...] | None = None,
        scope: Reader | None = None,
        since: Time | None = None,
        until: Time | None = None,
        now: datetime | None = None,
        explain: bool = False,
    ) -> Page:
        """Ask every kind of memory; conversations, for now.

        Args:
            query: A question, words or an identifier.
            limit: How many hits at most.
            kinds: Only these kinds of memory; "message" is the one there is.
            scope: Who asks; the owner in all projects where unset.
            since: Said at this time or later: a datetime, a date, or words such as "last week".
            until: Said before this time; a date, or words that name a day, count whole.
            now: When the question is asked.
            explain: Give each hit the parts of its score.
        """
        if kinds is not None and "message" not in kinds:
            text = f"no memory of kind {', '.join(kinds) or 'none'} is kept yet: leave kinds out, or ask for 'message'"
            return Page((), (Notice("no-such-kind", text),))
        return self.sessions.search(
            query, limit=limit, scope=scope, since=since, until=until, now=now, explain=explain
        )

    def counts(self) -> dict[str, int]:
        """How many conversations, sessions and messages are kept."""
        return self._store.counts()

    def find_histories(self) -> "list[Found]":
        """The histories of other agents on this machine."""
        from archivist.transfer import find_histories  # noqa: PLC0415 - codecs are for imports, not for every start

        return find_histories(Path(self._environ.get("HOME") or Path.home()), self._environ)

    def has_news(self, found: "Found") -> bool:
        """Whether a history has anything that was not imported yet."""
        from archivist.transfer import has_news  # noqa: PLC0415 - as above

        return has_news(found.path, self._store, format=found.format)

    def import_history(
        self,
        path: str | os.PathLike[str],
        format: str | None = None,  # noqa: A002 - the word that users know
        *,
        owners: Sequence[str] | None = None,
        on_progress: "Callable[[Progress], None] | None" = None,
    ) -> "ImportReport":
        """Bring in a foreign history; a second time brings in only what is new.

        Args:
            path: A file or folder of that history.
            format: Its name, such as "claude-code"; found out where unset.
            owners: The ids under which the owner writes in private chats; the only correspondent of a platform where unset.
            on_progress: Called now and then with how far it is.

        Raises:
            ArchivistError: Nothing there is known.
        """
        from archivist.transfer import HistoryNotFound, import_history  # noqa: PLC0415 - as above

        if not os.fspath(path):
            raise HistoryNotFound(Path("''"))  # else the working directory would be meant, which nobody said

        return import_history(
            Path(path).expanduser(),
            self._store,
            format=format,
            project_of=project_of,
            now=self._world.now(),
            owners=owners,
            on_progress=on_progress,
        )

    def read_time(self, text: str, *, end: bool = False) -> datetime:
        """The time that a text names, in the owner's zone: a date, or words such as "last week".

        Args:
            text: What was written.
            end: Whether the end of a day, month or year is meant by naming it.

        Raises:
            UnreadableTime: It names none.
        """
        return self.sessions.read_time(text, end=end)

    def catch_up(self, timeout: float | None = None) -> Coverage:
        """Bring the search index up to date, for at most this many seconds."""
        with self._store.naming_trouble():
            return self._index.catch_up(timeout)

    def tidy(self, seconds: float) -> bool:
        """Make the search index small and quick, for at most this many seconds: what a quiet minute is for.

        Returns:
            Whether nothing is left to do.
        """
        with self._store.naming_trouble():
            return self._index.merge(seconds)

    def rebuild_index(self) -> None:
        """Begin the search index anew; `catch_up` fills it."""
        with self._store.naming_trouble():
            self._index.rebuild()

    def verify(self, *, on_progress: Callable[[int], None] | None = None) -> Verification:
        """Prove that everything stored is as it was stored."""
        return self._store.verify(on_progress=on_progress)

    def doctor(self) -> Checkup:
        """What state everything is in, and what to do about what is wrong."""
        return check_up(self.home, self._store, self._index, zone=self.zone)

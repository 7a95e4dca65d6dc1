"""A home as the hooks of a host need it: its notes and what sessions are given of them, without anything that searches."""

import os
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from archivist.app.noted import Noted
from archivist.app.opening import closed_on_failure, open_store
from archivist.app.world import real_world
from archivist.config import Home
from archivist.store import StateStore, Surroundings

if TYPE_CHECKING:
    from archivist.app.ingesting import Ingested
    from archivist.notes.showing import NotesShow
    from archivist.records import Notice


class HostHome(Noted):
    """A home, opened for a hook; `Archivist` is the same for everybody else.

    Attributes:
        notices: What was found at opening that a person should know.
    """

    def __init__(self, home: Home, store: StateStore, *, world: Surroundings) -> None:
        self.home, self._store, self._world = home, store, world
        self.notices: tuple[Notice, ...] = store.notices
        self._looked_at: NotesShow | None = None

    @classmethod
    def open(cls, home: Home, *, patience: float | None = None) -> "HostHome":
        """Open it.

        Args:
            home: Where it is.
            patience: Seconds for which a write waits for other writers at most; as it is set where unset.

        Raises:
            ArchivistError: It cannot be opened; the message says what to do.
        """
        world = real_world()
        store = open_store(home, world, patience=patience)
        with closed_on_failure(store):
            return cls(home, store, world=world)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._store.close()

    @property
    def _shown(self) -> "NotesShow":
        with self._opening:
            if self._looked_at is None:
                from archivist.app.showing import show_notes  # noqa: PLC0415 - the end of a turn looks at none

                self._looked_at = show_notes(self.home, self._store, self._world)
            return self._looked_at

    def ingest(self, host: str, transcript: Path, *, deadline: float) -> "Ingested":
        """Store what is new in a transcript; see `Archivist.ingest`."""
        from archivist.app.ingesting import ingest  # noqa: PLC0415 - only what ends or compacts a turn needs it

        return ingest(
            self.home,
            self._store,
            self._world,
            os.environ,
            host=host,
            transcript=transcript,
            folder=None,
            deadline=deadline,
        )

    def end(self, host: str, session: str, reason: str) -> bool:
        """Record that a session of the host has ended; see `Sessions.end_of_host`."""
        from archivist.store.hosted import end_hosted  # noqa: PLC0415 - as above

        return end_hosted(self._store, host, session, reason, self._world.now())

    def told_of_review(self) -> str:
        """What the owner is told of what waits for them, of all scopes; empty where nothing is to be told."""
        from archivist.records import ArchivistError  # noqa: PLC0415 - asked at the start of a session alone
        from archivist.store.proposals import waiting  # noqa: PLC0415 - as above

        try:
            return self._store.read(lambda db: waiting(db, self._world.now())).text
        except ArchivistError as error:  # a session begins with its notes all the same
            return f"how much waits for you cannot be told: {error}"

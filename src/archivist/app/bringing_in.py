"""The part of `Archivist` that takes in what other programs have kept: whole histories, and transcripts while they grow."""

import os
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from archivist.app.recalling import Recalling
from archivist.store import StateStore, Surroundings

if TYPE_CHECKING:
    from archivist.app.ingesting import Ingested
    from archivist.transfer import Found, ImportReport, Progress


class BringingIn(Recalling):
    """What other programs have kept, brought in."""

    _store: StateStore
    _world: Surroundings
    _environ: Mapping[str, str]

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
        notes: bool = True,
        on_progress: "Callable[[Progress], None] | None" = None,
    ) -> "ImportReport":
        """Bring in a foreign history; a second time brings in only what is new.

        Args:
            path: A file or folder of that history.
            format: Its name, such as "claude-code"; found out where unset.
            owners: The ids under which the owner writes in private chats; the only correspondent of a platform where unset.
            notes: Whether what is curated in it becomes notes.
            on_progress: Called now and then with how far it is.

        Raises:
            ArchivistError: Nothing there is known.
        """
        from archivist.config.projects import project_worked_on  # noqa: PLC0415 - as above
        from archivist.store.homes import find_home, is_away, is_known  # noqa: PLC0415 - as above
        from archivist.store.print_key import ready_key  # noqa: PLC0415 - as above
        from archivist.transfer import HistoryNotFound, import_history  # noqa: PLC0415 - as above

        if not os.fspath(path):
            raise HistoryNotFound(Path("''"))  # else the working directory would be meant, which nobody said

        return import_history(
            Path(path).expanduser(),
            self._store,
            format=format,
            project_of=partial(project_worked_on, environ=self._environ),
            now=self._world.now(),
            owners=owners,
            bring_in=(lambda told: self.notes.bring_in(told)) if notes else None,  # noqa: PLW0108 - opened when there is something to note
            key=ready_key(self._store, self.home.print_key_file, self._world.new_id),
            home_of=partial(find_home, self._store),
            is_away=partial(is_away, self._store),
            is_known=partial(is_known, self._store),
            on_progress=on_progress,
        )

    def ingest(
        self,
        host: str = "claude-code",
        *,
        transcript: str | os.PathLike[str] | None = None,
        folder: str | os.PathLike[str] | None = None,
        deadline: float | None = None,
    ) -> "Ingested":
        """Store what is new in the transcripts of a program that is at work; what is not new costs a look at each file.

        Args:
            host: The program, such as "claude-code".
            transcript: One transcript, and those of its sub-agents beside it; all of the host's where unset.
            folder: Where the host keeps them; where it keeps them on this machine where unset.
            deadline: Begin nothing more after so many seconds; what is left then is told as `behind`.

        Raises:
            UnknownHost: No such program is followed.
            HistoryNotFound: There is no such transcript or folder.
            ArchivistError: Nothing more could be stored; what was stays, and the next call goes on from there.
        """
        from archivist.app.ingesting import ingest  # noqa: PLC0415 - as above

        return ingest(
            self.home,
            self._store,
            self._world,
            self._environ,
            host=host,
            transcript=None if transcript is None else Path(transcript).expanduser(),
            folder=None if folder is None else Path(folder).expanduser(),
            deadline=deadline,
        )

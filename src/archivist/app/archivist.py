"""Archivist as one object: a home, opened.

This is where settings become objects. The core is synchronous, and one `Archivist` may be used from many threads.
"""

import os
from collections.abc import Callable, Mapping
from datetime import datetime, tzinfo
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self, get_args, overload

from archivist.app.acting import Acting
from archivist.app.allowing import allowed_in
from archivist.app.arguments import one_of
from archivist.app.around import Around, Hooks
from archivist.app.bringing_in import BringingIn
from archivist.app.opening import closed_on_failure, open_store, owners_zone
from archivist.app.sessions import Sessions
from archivist.app.world import real_world
from archivist.config import Home, Settings, find_home, read_settings
from archivist.records import OWNER_EVERYWHERE, Notice, Reader
from archivist.store import StateStore, Surroundings
from archivist.store.index.search_index import Coverage, SearchIndex
from archivist.store.scopes import visible_scopes

if TYPE_CHECKING:
    from archivist.app.backups import Backup, OnProgress
    from archivist.app.checkup import Checkup
    from archivist.app.restoring import Restoration
    from archivist.store.absence import Absence
    from archivist.store.salvage.report import SalvageReport
    from archivist.store.spending import By, Spending
    from archivist.store.verifying import Verification


class Archivist(BringingIn, Acting):
    """One home's memory.

    Attributes:
        home: Where it lives.
        sessions: Its conversations.
        notices: What was found at opening that a person should know.
    """

    def __init__(
        self, home: Home, store: StateStore, *, world: Surroundings, zone: tzinfo, environ: Mapping[str, str]
    ) -> None:
        self.home = home
        self._world, self._environ, self._hooks = world, environ, Hooks()
        self._use(store, zone)

    def _use(self, store: StateStore, zone: tzinfo) -> None:
        self._store, self._zone, self._notes, self._shelves = store, zone, None, None
        self._index = SearchIndex(self.home.index_file, store.reader, monotonic=self._world.monotonic)
        allowed = partial(allowed_in, self.home)
        around = Around(self._hooks, store, self._world, lambda: self._shown, self._bring_back, allowed)
        self.sessions = Sessions(store, self._index, zone=zone, world=self._world, around=around)
        self.notices: tuple[Notice, ...] = store.notices + self.sessions.finish_erasures()

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
        return cls.at(find_home(home, profile, environ=environ), clock, environ=environ)

    @classmethod
    def at(
        cls,
        place: Home,
        clock: Callable[[], datetime] | None = None,
        *,
        environ: Mapping[str, str] | None = None,
        patience: float | None = None,
    ) -> "Archivist":
        """Open a home that was found already: no profile is looked for in it.

        Args:
            place: Where it is, as `find_home` says.
            clock: As for `open`.
            environ: As for `open`.
            patience: Seconds for which a write waits for other writers at most, where less than is set.

        Raises:
            ArchivistError: It cannot be opened; the message says what to do.
        """
        environ = os.environ if environ is None else environ
        world = real_world(clock)
        store = open_store(place, world, patience=patience)
        with closed_on_failure(store):
            return cls(place, store, world=world, zone=owners_zone(place), environ=environ)

    def take_notices(self) -> tuple[Notice, ...]:
        """What was found since it was opened and no answer has told yet, such as damage that was salvaged on the way."""
        return self._store.take_notices()

    def close(self) -> None:
        """Close every connection; what was stored stays stored. What that met is added to `notices`."""
        self.notices += self._index.close()
        self._store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def settings(self) -> Settings:
        """What the owner has set, read again.

        Raises:
            SettingsUnreadable: It says nothing that can be followed.
        """
        return read_settings(self.home.config_file)

    def counts(self, scope: Reader | None = None) -> dict[str, int]:
        """How many conversations, sessions and messages are kept; conversations of which anything may be seen.

        Args:
            scope: Who asks; the owner in all projects where unset.
        """
        return self._store.counts(scope or OWNER_EVERYWHERE)

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
        return self._store.trying(lambda: self._index.catch_up(timeout))

    def tidy(self, seconds: float) -> bool:
        """Make the files small and quick, for at most this many seconds: what a quiet minute is for.

        Deletions that were interrupted are finished, free space is given back, the search index is merged, and sessions that have
        ended are looked through for what they used of the notes.

        Returns:
            Whether nothing is left to do.
        """
        began = self._world.monotonic()
        is_erased = not self.sessions.clean_up(seconds)
        self.sessions.clear_orphans()
        is_merged = self._store.trying(
            lambda: self._index.merge(max(0.0, seconds - (self._world.monotonic() - began)))
        )
        self.take_in_uses(max(0.0, seconds - (self._world.monotonic() - began)))
        return is_erased and is_merged and not self.has_uses_to_take_in()

    def rebuild_index(self) -> None:
        """Begin the search index anew; `catch_up` fills it."""
        self._store.trying(self._index.rebuild)

    @overload
    def verify(
        self, absent: None = None, *, on_progress: Callable[[int], None] | None = None
    ) -> "Verification": ...

    @overload
    def verify(self, absent: str, *, on_progress: Callable[[int], None] | None = None) -> "Absence": ...

    def verify(
        self, absent: str | None = None, *, on_progress: Callable[[int], None] | None = None
    ) -> "Verification | Absence":
        """Prove that everything stored is as it was stored, and indexed as it is; or that a text is nowhere in the home.

        Args:
            absent: The text that should be gone: best a few words that only the deleted conversation had.
            on_progress: Called now and then with the messages checked so far; for a text, with the bytes read.

        Raises:
            NothingToLookFor: The text is empty.
        """
        if absent is None:
            from archivist.app.checkup import prove  # noqa: PLC0415 - seldom asked

            return prove(self._store, self._index, on_progress)
        from archivist.store.absence import prove_absence  # noqa: PLC0415 - seldom asked

        with self._store.naming_trouble():
            return prove_absence(
                absent,
                home=self.home.path,
                state=self._store.reader(),
                index=self._index,
                on_progress=on_progress,
            )

    def usage(self, *, scope: Reader | None = None, by: "By" = "model") -> "list[Spending]":
        """What requests used in all, by conversations that are here and that are gone.

        Args:
            scope: Who asks; the owner in all projects where unset.
            by: One line for each model, source or month.

        Raises:
            ValueError: There is no such way to count.
        """
        from archivist.store.spending import By, total_spending  # noqa: PLC0415 - seldom asked

        one_of("by", by, get_args(By))
        reader = scope or OWNER_EVERYWHERE
        return self._store.read(lambda db: total_spending(db, visible_scopes(db, reader), by))

    def doctor(self, folder: Path | None = None) -> "Checkup":
        """What state everything is in, and what to do about what is wrong.

        Args:
            folder: Of a project, of which is told too whether Archivist is installed for it.
        """
        from archivist.app.checkup import check_up  # noqa: PLC0415 - seldom asked

        return check_up(
            self.home,
            self._store,
            self._index,
            environ=self._environ,
            zone=self.zone,
            world=self._world,
            folder=folder,
        )

    def _clear_erased(self) -> tuple[Notice, ...]:
        return (*self.sessions.clean_up(), *self.sessions.copies())

    def salvage(self, *, dry_run: bool = False) -> "SalvageReport":
        """Make the database anew from everything that can still be read of it, of the spool and of backups.

        The damaged files are set aside, untouched. A damaged database is salvaged by itself when it is met; this is for what only
        `verify` sees, and for what a backup made since can give back.

        Args:
            dry_run: Only say what would come back.

        Raises:
            ArchivistError: Nothing was changed.
        """
        return self._store.salvage(is_trial=dry_run)

    # ---- copies ----

    def backup(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        secrets: bool = False,
        keep: int | None = None,
        on_progress: "OnProgress | None" = None,
    ) -> "Backup":
        """Copy everything of this home into a folder of its own, and prove the copy; others may write meanwhile.

        Args:
            path: The folder to make it in; `backups/` in the home where unset.
            secrets: Also the files in which credentials are kept.
            keep: Remove older backups of this home there, all but this many sound ones.
            on_progress: Called with the bytes done and the bytes in all.

        Raises:
            ArchivistError: None was made, and none was removed.
        """
        from archivist.app.backing_up import back_up  # noqa: PLC0415 - made now and then; every start would pay

        into = None if path is None else Path(path)
        return back_up(
            self.home, now=self._world.now(), into=into, secrets=secrets, keep=keep, on_progress=on_progress
        )

    def backups(
        self, path: str | os.PathLike[str] | None = None, *, check: bool = False
    ) -> "tuple[Backup, ...]":
        """The backups in a folder, or all known ones of this home, newest first; damaged ones say what is wrong with them.

        Args:
            path: The folder.
            check: Read every file and every row, in place of a look at sizes.
        """
        from archivist.app.backups import find_backups, known_backups  # noqa: PLC0415 - as above

        if path is None:
            return tuple(known_backups(self.home, check=check))
        return tuple(find_backups(Path(path).expanduser(), self.home, check=check))

    def restore(
        self,
        path: "str | os.PathLike[str] | Restoration | None" = None,
        *,
        dry_run: bool = True,
        on_progress: "OnProgress | None" = None,
    ) -> "Restoration":
        """Go back to a backup, or only say what that would change.

        The present state is set aside and can be restored itself. Sessions that were got before are closed with it.

        Args:
            path: A backup, or a folder of backups, of which the newest sound one is taken; all known ones where unset. Or what a dry
                run gave, whose backup is not proven again.
            dry_run: Change nothing.
            on_progress: Called with the bytes of the backup that are proven and the bytes in all.

        Raises:
            ArchivistError: Nothing was changed.
        """
        from archivist.app.restoring import Restoration, plan_restore, restore  # noqa: PLC0415 - as above

        plan = path if isinstance(path, Restoration) else None
        source = Path(path).expanduser() if path is not None and not isinstance(path, Restoration) else None
        if dry_run:
            return plan or plan_restore(self.home, source, on_progress=on_progress)
        self.close()
        try:
            return restore(self.home, plan or source, world=self._world, on_progress=on_progress)
        finally:
            store = open_store(self.home, self._world)
            with closed_on_failure(store):
                self._use(store, owners_zone(self.home))

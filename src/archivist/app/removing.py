"""Conversations that go: deleted, pruned; and what they used, which stays counted."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Final

import msgspec

from archivist.app.arguments import an_age
from archivist.app.held import Held
from archivist.config import Home
from archivist.records import OWNER_EVERYWHERE, ArchivistError, Notice, Reader
from archivist.store import DiskFailed, StoreDamaged, UnknownSession
from archivist.store.connection import Connection
from archivist.store.conversations import conversation_of
from archivist.store.deleting import Outline, OutsideScope, is_whole, outline, read_pending
from archivist.store.lines import path_of
from archivist.store.rows import EARLIEST, instant, milliseconds
from archivist.store.scopes import visible_scopes
from archivist.store.surroundings import Waiting

READERS_SECONDS: Final = 2.0
"""How long a deletion waits for whoever reads an older state of the log."""
GIVE_BACK_SECONDS: Final = 1.0
"""How long a deletion gives freed space back to the disk; a quiet minute does the rest."""


class AgeNotUsable(ArchivistError):
    """An age lies in the future."""

    def __init__(self, age: timedelta) -> None:
        super().__init__(
            f"an age of {age.days} days means the future: give days or a timedelta of zero or more"
        )


class Removal(msgspec.Struct, frozen=True):
    """A conversation that is gone, or that would go.

    Attributes:
        bytes: Of its messages' texts.
        dry_run: Whether nothing was done.
        forks: How many forks of it go with it.
        is_fork: Whether a fork was named: what it was forked from goes with it.
    """

    conversation_id: str
    title: str | None
    last_active_at: datetime
    sessions: int
    messages: int
    bytes: int
    dry_run: bool
    notices: tuple[Notice, ...] = ()
    forks: int = 0
    is_fork: bool = False


class Pruning(msgspec.Struct, frozen=True):
    """The conversations that are gone, or that would go, the longest idle first.

    Attributes:
        stopped_by: Why the others stayed that should have gone too; empty where none did.
    """

    removals: tuple[Removal, ...]
    dry_run: bool
    notices: tuple[Notice, ...] = ()
    stopped_by: str = ""

    @property
    def messages(self) -> int:
        """How many messages went, or would go."""
        return sum(removal.messages for removal in self.removals)

    @property
    def bytes(self) -> int:
        """How many bytes of text went, or would go."""
        return sum(removal.bytes for removal in self.removals)


class Removing(Held):
    """Conversations that go: deleted, pruned; and what they used, which stays counted."""

    def delete(self, conversation: str, *, scope: Reader | None = None, dry_run: bool = False) -> Removal:
        """Delete a whole conversation for good: its sessions, messages, blobs, and its words in every file of the home.

        Forks belong to the conversation that they were forked from: all of them go together.

        What its requests used stays counted, and a later import does not bring it back.

        Args:
            conversation: Its id, the id of any session of it, the id that its program gave it, a title that was given to it, or the
                beginning of an id. A title that is only made of what was said names nothing here.
            scope: Who asks; the owner in all projects where unset.
            dry_run: Only tell what would go.

        Raises:
            UnknownSession, AmbiguousSession: There is no such conversation for this reader, or several.
            OutsideScope: A part of it lies outside the scope; nothing was deleted.
            ArchivistError: It could not be deleted now; the message says why.
        """
        session = self._key(conversation, scope, derived=False)
        reader = scope or OWNER_EVERYWHERE

        def look(db: Connection) -> tuple[Outline, bool]:
            key = conversation_of(db, session)
            if not is_whole(db, key, visible_scopes(db, reader)):
                raise OutsideScope(conversation)
            return outline(db, key), any(part.fork is not None for part in path_of(db, session))

        found, is_fork = self._store.read(look)
        if dry_run:
            return _removal(found, dry_run=True, is_fork=is_fork)
        gone = self._delete(
            [found.conversation], lambda db, key: is_whole(db, key, visible_scopes(db, reader))
        )
        one = next(gone, None)
        if one is None:
            raise UnknownSession(conversation)  # another process was quicker
        return _removal(one, notices=(*self.clean_up(), *self.copies()), is_fork=is_fork)

    def prune(
        self,
        older_than: timedelta | float,
        *,
        source: str | None = None,
        title: str | None = None,
        archived_only: bool = False,
        scope: Reader | None = None,
        dry_run: bool = True,
    ) -> Pruning:
        """Delete conversations in which nothing has happened for a while, each as `delete` does.

        Pinned conversations stay, and so do those of which a message waits in the spool or a part lies outside the scope.

        Args:
            older_than: How long ago the last thing happened in any of its sessions; a number is days.
            source: Only conversations held in this program.
            title: Only those with this text in their title, letter by letter; capitals do not matter.
            archived_only: Only those that were archived.
            scope: Who asks; the owner in all projects where unset.
            dry_run: Only tell what would go, which is what happens unless it is False.

        Returns:
            What went. Where something stopped it on the way, `stopped_by` says what, and what went by then is gone whole.

        Raises:
            AgeNotUsable: The age is less than zero.
            ArchivistError: Nothing went.
        """
        from archivist.store.pruning import Choice, prunable  # noqa: PLC0415 - most starts prune nothing

        choice = Choice(self._instant_before(older_than), source, title, archived_only)
        reader = scope or OWNER_EVERYWHERE

        def find(db: Connection, only: int | None = None) -> list[int]:
            return prunable(db, choice, visible_scopes(db, reader), waiting=self._waiting(), only=only)

        if dry_run:
            found = self._store.read(lambda db: [outline(db, key) for key in find(db)])
            return Pruning(tuple(_removal(one, dry_run=True) for one in found), dry_run=True)
        return self._pruned(self._store.read(find), lambda db, key: bool(find(db, key)))

    def _pruned(self, keys: Sequence[int], is_still_meant: Callable[[Connection, int], bool]) -> Pruning:
        """Delete conversations one after another, as far as it goes.

        Raises:
            ArchivistError: Nothing went.
        """
        gone, notices, stopped_by = list[Outline](), tuple[Notice, ...](), ""
        try:
            for one in self._delete(keys, is_still_meant):
                gone.append(one)
        except ArchivistError as error:
            if not gone:
                raise
            stopped_by = str(error)
        finally:
            if gone:
                notices = (*self.clean_up(), *self.copies())
        removals = tuple(_removal(one) for one in gone)
        return Pruning(removals, dry_run=False, notices=notices, stopped_by=stopped_by)

    def clean_up(self, seconds: float = GIVE_BACK_SECONDS) -> tuple[Notice, ...]:
        """Finish what deletions left to do, if anything, then give freed space back for at most these seconds.

        Returns:
            What could not be finished; it is tried again at the next open and in a quiet minute.
        """
        notices = self.finish_erasures()
        with suppress(ArchivistError, OSError):  # as below
            self._clear_leftovers()
        with suppress(ArchivistError):  # what went is gone; a quiet minute tries again
            self.give_back(seconds)
        return notices

    def clear_orphans(self) -> None:
        """Remove everything that programs which were killed have left, blobs without a message included."""
        with suppress(ArchivistError, OSError):  # the next quiet minute tries again
            self._clear_leftovers(with_orphans=True)

    def finish_erasures(self) -> tuple[Notice, ...]:
        """Finish what deletions left to do outside the rows, if anything."""
        try:
            if self._store.read(read_pending) is None:
                return ()
        except (StoreDamaged, DiskFailed):
            return ()  # whatever is asked of such a store says so
        from archivist.store.deletions import finish_erasures  # noqa: PLC0415 - most starts have nothing to finish

        waiting = Waiting(READERS_SECONDS, self._world.monotonic, self._world.sleep)
        try:
            self._drop_quotes()
            return finish_erasures(self._store, self._index, waiting)
        except (ArchivistError, OSError) as error:
            text = f"what was deleted is not yet cleared from every file ({error}): the next opening goes on with it"
            return (Notice("erasure-unfinished", text),)

    def _drop_quotes(self) -> None:
        """Take the words of deleted conversations out of the notes' journal."""
        folder = Home(self._store.path.parent).notes_folder
        if folder.is_dir():
            from archivist.notes.unquoting import drop_quotes  # noqa: PLC0415 - as above

            drop_quotes(folder, self._store.erased.names().sessions)

    def give_back(self, seconds: float) -> bool:
        """Give free space in `state.db` back to the disk, in short steps, for at most these seconds; whether none is left."""
        from archivist.store.space import give_back  # noqa: PLC0415 - as above

        monotonic, sleep = self._world.monotonic, self._world.sleep
        deadline = monotonic() + seconds
        return give_back(
            self._store.path,
            self._store.write,
            is_late=lambda: monotonic() >= deadline,
            monotonic=monotonic,
            sleep=sleep,
        )

    def compact(self) -> int:
        """Write `state.db` anew without free space, once for a file that an earlier version made; how many bytes that saved.

        Whoever writes meanwhile waits.

        Raises:
            StoreBusy: Somebody else wrote all the while; nothing was changed.
            DiskFull: There is no room for a second copy; nothing was changed.
        """
        from archivist.store.space import rewrite  # noqa: PLC0415 - as above

        return rewrite(self._store.path, Waiting(READERS_SECONDS, self._world.monotonic, self._world.sleep))

    def _delete(
        self, conversations: Sequence[int], is_meant: Callable[[Connection, int], bool]
    ) -> Iterator[Outline]:
        """Delete conversations by short transactions, and give each when it is gone."""
        from archivist.store.deletions import delete_batch  # noqa: PLC0415 - as above

        at = 0
        while at < len(conversations):
            began = self._world.monotonic()
            batch = delete_batch(
                self._store,
                conversations[at:],
                is_meant,
                now=self._world.now(),
                monotonic=self._world.monotonic,
            )
            at += batch.seen
            yield from batch.gone
            if at < len(conversations):
                self._world.sleep(
                    self._world.monotonic() - began
                )  # others have the lock for as long as this one had it

    def _clear_leftovers(self, *, with_orphans: bool = False) -> None:
        from archivist.app.leftovers import clear_leftovers  # noqa: PLC0415 - most starts delete nothing

        home, now = Home(self._store.path.parent), self._world.now().timestamp()
        clear_leftovers(home, self._store, now=now, with_orphans=with_orphans)

    def copies(self) -> Iterator[Notice]:
        """Older copies of everything that stand in the home, whose words a deletion does not reach."""
        from archivist.app.leftovers import copies_beside  # noqa: PLC0415 - as above

        home = Home(self._store.path.parent)
        places = [
            folder
            for folder in (home.backups_folder, home.aside_folder)
            if folder.is_dir() and any(folder.iterdir())
        ]
        places += copies_beside(home)
        if places:
            named = " and ".join(map(str, places))
            text = f"copies in {named} were made before this deletion and still hold the words: remove those that you do not need"
            yield Notice("copies-hold-it", text)

    def _waiting(self) -> frozenset[str]:
        """The sessions of which something waits in the spool."""
        spool = self._store.spool
        return (
            frozenset() if spool.is_empty() else frozenset(payload.session_id for payload in spool.waiting())
        )

    def _instant_before(self, age: timedelta | float) -> int:
        """The instant that is so long ago, in milliseconds since 1970."""
        an_age("older_than", age)
        try:
            passed = age if isinstance(age, timedelta) else timedelta(days=age)
            if passed < timedelta(0):
                raise AgeNotUsable(passed)
            return milliseconds(self._world.now() - passed)
        except OverflowError:  # longer ago than dates go
            return EARLIEST


def _removal(
    found: Outline, *, dry_run: bool = False, notices: tuple[Notice, ...] = (), is_fork: bool = False
) -> Removal:
    return Removal(
        found.id,
        found.title,
        instant(found.last_active_at),
        found.sessions,
        found.messages,
        found.bytes,
        dry_run,
        notices,
        found.forks,
        is_fork,
    )

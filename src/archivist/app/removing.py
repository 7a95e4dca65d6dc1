"""Conversations that go: deleted, pruned; and what they used, which stays counted."""

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import Final

import msgspec

from archivist.app.held import OWNER_EVERYWHERE, Held
from archivist.records import ArchivistError, Notice, Reader
from archivist.store import DiskFailed, StoreDamaged, UnknownSession
from archivist.store.connection import Connection
from archivist.store.conversations import conversation_of
from archivist.store.deleting import Outline, OutsideScope, is_whole, outline, read_pending
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
    """

    conversation_id: str
    title: str | None
    last_active_at: datetime
    sessions: int
    messages: int
    bytes: int
    dry_run: bool
    notices: tuple[Notice, ...] = ()


class Pruning(msgspec.Struct, frozen=True):
    """The conversations that are gone, or that would go, the longest idle first."""

    removals: tuple[Removal, ...]
    dry_run: bool
    notices: tuple[Notice, ...] = ()

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

        What its requests used stays counted, and a later import does not bring it back.

        Args:
            conversation: Its id, the id of any session of it, the beginning of an id, or the id that its program gave it.
            scope: Who asks; the owner in all projects where unset.
            dry_run: Only tell what would go.

        Raises:
            UnknownSession, AmbiguousSession: There is no such conversation for this reader, or several.
            OutsideScope: A part of it lies outside the scope; nothing was deleted.
            ArchivistError: It could not be deleted now; the message says why.
        """
        session = self._key(conversation, scope)
        reader = scope or OWNER_EVERYWHERE

        def look(db: Connection) -> Outline:
            key = conversation_of(db, session)
            if not is_whole(db, key, visible_scopes(db, reader)):
                raise OutsideScope(conversation)
            return outline(db, key)

        found = self._store.read(look)
        if dry_run:
            return _removal(found, dry_run=True)
        gone = self._remove(
            [found.conversation], lambda db, key: is_whole(db, key, visible_scopes(db, reader))
        )
        for one in gone:
            return _removal(one, notices=(*self.clean_up(), *self._copies()))
        raise UnknownSession(conversation)  # another process was quicker

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

        Raises:
            AgeNotUsable: The age is less than zero.
            ArchivistError: What is gone by then is gone whole, the rest is untouched.
        """
        from archivist.store.pruning import Choice, prunable  # noqa: PLC0415 - most starts prune nothing

        choice = Choice(self._instant_before(older_than), source, title, archived_only)
        reader = scope or OWNER_EVERYWHERE

        def find(db: Connection, only: int | None = None) -> list[int]:
            return prunable(db, choice, visible_scopes(db, reader), waiting=self._waiting(), only=only)

        if dry_run:
            found = self._store.read(lambda db: [outline(db, key) for key in find(db)])
            return Pruning(tuple(_removal(one, dry_run=True) for one in found), dry_run=True)
        gone = list(self._remove(self._store.read(find), lambda db, key: bool(find(db, key))))
        notices = (*self.clean_up(), *self._copies()) if gone else ()
        return Pruning(tuple(_removal(one) for one in gone), dry_run=False, notices=notices)

    def clean_up(self, seconds: float = GIVE_BACK_SECONDS) -> tuple[Notice, ...]:
        """Finish what deletions left to do, if anything, then give freed space back for at most these seconds.

        Returns:
            What could not be finished; it is tried again at the next open and in a quiet minute.
        """
        notices = self.finish_erasures()
        self.give_back(seconds)
        return notices

    def finish_erasures(self) -> tuple[Notice, ...]:
        """Finish what deletions left to do outside the rows, if anything."""
        try:
            if self._store.read(read_pending) is None:
                return ()
        except (StoreDamaged, DiskFailed):
            return ()  # whatever is asked of such a store says so
        from archivist.store.removals import finish_erasures  # noqa: PLC0415 - most starts have nothing to finish

        waiting = Waiting(READERS_SECONDS, self._world.monotonic, self._world.sleep)
        try:
            return finish_erasures(self._store, self._index, waiting)
        except (ArchivistError, OSError) as error:
            text = f"what was deleted is not yet cleared from every file ({error}): the next opening goes on with it"
            return (Notice("erasure-unfinished", text),)

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

    def _remove(
        self, conversations: Sequence[int], is_meant: Callable[[Connection, int], bool]
    ) -> Iterator[Outline]:
        """Remove conversations by short transactions, and give each when it is gone."""
        from archivist.store.removals import remove_batch  # noqa: PLC0415 - as above

        at = 0
        while at < len(conversations):
            began = self._world.monotonic()
            batch = remove_batch(
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

    def _copies(self) -> Iterator[Notice]:
        """Older copies of everything that stand in the home, whose words a deletion does not reach."""
        home = self._store.path.parent
        folders = [
            folder
            for name in ("backups", "aside")
            if (folder := home / name).is_dir() and any(folder.iterdir())
        ]
        if folders:
            named = " and ".join(map(str, folders))
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
        try:
            passed = age if isinstance(age, timedelta) else timedelta(days=age)
            if passed < timedelta(0):
                raise AgeNotUsable(passed)
            return milliseconds(self._world.now() - passed)
        except OverflowError:  # longer ago than dates go
            return EARLIEST


def _removal(found: Outline, *, dry_run: bool = False, notices: tuple[Notice, ...] = ()) -> Removal:
    return Removal(
        found.id,
        found.title,
        instant(found.last_active_at),
        found.sessions,
        found.messages,
        found.bytes,
        dry_run,
        notices,
    )

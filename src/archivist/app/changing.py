"""What an owner does to a conversation that stays: names it, forks it, takes turns back, puts it away.

Each is one transaction, in which the name is resolved too. A conversation is named by an id, by its title or by the beginning of an id;
one that the scope may not see is unknown.
"""

from collections.abc import Callable
from datetime import datetime
from typing import TypeVar

from archivist.app.arguments import a_text
from archivist.app.handle import SessionHandle
from archivist.app.held import Held
from archivist.records import OWNER_EVERYWHERE, Reader, Redone, Session, Undone
from archivist.store.connection import Connection
from archivist.store.conversations import read_sessions
from archivist.store.keeping import Mark, mark
from archivist.store.scopes import Scopes, visible_scopes

T = TypeVar("T")


class Changing(Held):
    """What an owner does to a conversation that stays: names it, forks it, takes turns back, puts it away."""

    def rename(self, conversation: str, title: str | None, *, scope: Reader | None = None) -> Session:
        """Give a conversation a title, or with None its program's again, or else the one that is made of what was said.

        A fork has a title of its own. What its program calls it later does not replace the title that you gave.

        Raises:
            TitleTaken: Another conversation of its scope has that title.
            TitleNotUsable: It is empty or too long.
            UnknownSession, AmbiguousSession: There is none for this reader, or there are several.
        """
        from archivist.store.naming import rename  # noqa: PLC0415 - most starts change nothing

        wanted = None if title is None else self._wanted(title)

        def change(db: Connection, key: int, scopes: Scopes) -> Session:
            rename(db, key, wanted, scopes)
            return read_sessions(db, [key], scopes)[0]

        return self._change(conversation, scope, change)

    def fork(
        self,
        conversation: str,
        *,
        at: int | None = None,
        title: str | None = None,
        scope: Reader | None = None,
    ) -> SessionHandle:
        """Begin a second line of a conversation, which shares what was said up to a message and copies none of it.

        Args:
            conversation: Its id, its title or the beginning of an id.
            at: The last message that both share; all that the model sees now where unset.
            title: What to call it; the conversation's title with a number where unset.
            scope: Who asks.

        Raises:
            NotForkable: It has no such message, or it was taken back.
            TitleTaken, TitleNotUsable, UnknownSession, AmbiguousSession: See there.
        """
        from archivist.store.forking import fork  # noqa: PLC0415 - as above

        session_id, now = self._world.new_session_id(), self._world.now()
        wanted = None if title is None else self._wanted(title)
        self._change(
            conversation,
            scope,
            lambda db, key, scopes: fork(
                db, key, at=at, title=wanted, scopes=scopes, session_id=session_id, now=now
            ),
        )
        reader = scope or OWNER_EVERYWHERE
        return SessionHandle(self._store, self._store.session(session_id, reader), reader)

    def undo(
        self,
        conversation: str,
        *,
        to: int | None = None,
        turns: int | None = None,
        scope: Reader | None = None,
        dry_run: bool = False,
    ) -> Undone:
        """Take back something that the user said and all that followed, as if it had not been said.

        It becomes `undone`: no model sees it and no search finds it, but it stays and `redo` gives it back.

        Args:
            conversation: Its id, its title or the beginning of an id.
            to: The user's message to take back, however many compactions ago.
            turns: How many of the user's messages to take back, in place of one that is named; 1 where neither is given.
            scope: Who asks.
            dry_run: Only say what would be taken back.

        Raises:
            ValueError: `turns` is less than 1, or `to` is given too.
            NothingToUndo: There is no such message of the user's.
            UnknownSession, AmbiguousSession: See there.
        """
        from archivist.store import undoing  # noqa: PLC0415 - as above

        if to is not None and turns is not None:
            raise ValueError("`to` and `turns` were both given: give one of them")
        if turns is not None and turns < 1:
            raise ValueError(f"{turns} turns cannot be taken back: give 1 or more")
        now = self._world.now()

        def change(db: Connection, key: int, scopes: Scopes) -> Undone:
            plan = undoing.plan_undo(db, key, to=to, turns=turns or 1, scopes=scopes)
            return undoing.describe(db, plan, None if dry_run else undoing.undo(db, plan, now=now))

        if dry_run:
            return self._store.read(lambda db: change(db, *self._resolved(db, conversation, scope)))
        return self._change(conversation, scope, change)

    def redo(self, conversation: str, *, scope: Reader | None = None) -> Redone:
        """Give back what the newest undo took, unless something was said since.

        Raises:
            NothingToRedo: There is none, or the conversation has gone on; it says how to read what was taken back.
            UnknownSession, AmbiguousSession: See there.
        """
        from archivist.store.undoing import redo  # noqa: PLC0415 - as above

        now = self._world.now()
        return self._change(
            conversation, scope, lambda db, key, scopes: redo(db, key, scopes=scopes, now=now)
        )

    def archive(self, conversation: str, *, scope: Reader | None = None) -> Session:
        """Put a whole conversation away: lists leave it out, searches find it still."""
        return self._mark(conversation, "archived_at", self._world.now(), scope)

    def unarchive(self, conversation: str, *, scope: Reader | None = None) -> Session:
        """List a conversation again."""
        return self._mark(conversation, "archived_at", None, scope)

    def pin(self, conversation: str, *, scope: Reader | None = None) -> Session:
        """Keep a whole conversation whatever is pruned."""
        return self._mark(conversation, "pinned_at", self._world.now(), scope)

    def unpin(self, conversation: str, *, scope: Reader | None = None) -> Session:
        """Let a conversation be pruned again."""
        return self._mark(conversation, "pinned_at", None, scope)

    def _wanted(self, title: str) -> str:
        a_text("title", title)
        return self._store.masked(title)

    def _mark(self, conversation: str, what: Mark, when: datetime | None, scope: Reader | None) -> Session:
        def change(db: Connection, key: int, scopes: Scopes) -> Session:
            mark(db, key, what, when=when, scopes=scopes)
            return read_sessions(db, [key], scopes)[0]

        return self._change(conversation, scope, change)

    def _change(
        self, conversation: str, scope: Reader | None, change: Callable[[Connection, int, Scopes], T]
    ) -> T:
        """Resolve a name and change what it means, in one transaction."""
        return self._store.write(lambda db: change(db, *self._resolved(db, conversation, scope)))

    def _resolved(self, db: Connection, name: str, scope: Reader | None) -> tuple[int, Scopes]:
        scopes = visible_scopes(db, scope or OWNER_EVERYWHERE)
        from archivist.recall.reading import resolve_session  # noqa: PLC0415 - who only stores or follows does not pay for the search

        return resolve_session(db, name, scopes), scopes

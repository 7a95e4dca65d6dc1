"""The part of `Archivist` that has to do with notes."""

from datetime import tzinfo
from typing import TYPE_CHECKING

from archivist.config import Home
from archivist.records import OWNER, Reader, Scope
from archivist.store import StateStore, Surroundings

if TYPE_CHECKING:
    from archivist.app.days import Days
    from archivist.app.freezing import Receiver
    from archivist.notes.notes import Notes
    from archivist.records.notes import Entry, Quote, Snapshot


class Noted:
    """Notes, daily notes and what sessions are given of them; loaded when they are first asked for."""

    home: Home
    zone: tzinfo
    _store: StateStore
    _world: Surroundings
    _notes: "Notes | None" = None

    @property
    def notes(self) -> "Notes":
        """What was distilled: MEMORY.md and USER.md."""
        if self._notes is None:
            from archivist.app.noting import open_notes  # noqa: PLC0415 - who only searches does not pay for it

            self._notes = open_notes(self.home, self._store, self._world)
        return self._notes

    @property
    def daily(self) -> "Days":
        """Notes of days: what happened, in the order in which it was written down."""
        from archivist.app.days import Days  # noqa: PLC0415 - as above

        return Days(self.home.notes_folder, now=self._world.now, zone=self.zone)

    def take_in_uses(self) -> "tuple[Entry, ...]":
        """Look through sessions that have ended, for what they used of the notes; what came back from the archive for it.

        A session that begins does it by itself, when it is given its snapshot.
        """
        from archivist.app.using import take_in_uses  # noqa: PLC0415 - as above

        return take_in_uses(self._store, self.notes, self._world)

    def quotes(self, session: str, text: str) -> "tuple[Quote, ...]":
        """The words of a session that a note rests on, to be given to `notes.add` as its sources; none where none are plain.

        Args:
            session: In which it is noted.
            text: The note.

        Raises:
            UnknownSession: There is no such session.
        """
        from archivist.app.quoting import quotes_for  # noqa: PLC0415 - as above

        return quotes_for(self._store, session, text)

    def use(
        self, entry_id: str, *, session: str | None = None, scope: Reader | None = None
    ) -> "tuple[Entry, ...]":
        """Remember that an entry was opened or cited after a recall; an archived one may come back into the core for it.

        Args:
            entry_id: Of the entry.
            session: In which session.
            scope: Who asks; the owner in all projects where unset.

        Returns:
            The entry, if it came back.

        Raises:
            UnknownEntry: There is none.
        """
        from archivist.app.using import record_uses  # noqa: PLC0415 - as above
        from archivist.records.notes import Use  # noqa: PLC0415 - as above

        entry = self.notes.entry(entry_id, scope=scope)
        return record_uses(self._store, self.notes, [Use(entry.id, self._world.now(), "opened", session)])

    def snapshot(
        self,
        scope: Scope | None = None,
        *,
        session: str | None = None,
        host: str | None = None,
        host_session: str | None = None,
        anew: bool = False,
    ) -> "Snapshot":
        """What a prompt carries of the notes: the next session's, or what a session was given and keeps.

        Args:
            scope: Where the session is held; the owner's own, outside any project, where unset.
            session: One of ours: the same bytes again however the notes change, made when first asked for.
            host: The program of a session that is none of ours.
            host_session: Its id there: the same as for `session`.
            anew: Make it again, as at a clear or a compaction.

        Raises:
            UnknownSession: There is no such session.
        """
        from archivist.app.freezing import given_snapshot, present_snapshot  # noqa: PLC0415 - as above

        if session is None and host_session is None:
            return present_snapshot(self.notes, scope or OWNER, self._world.now())
        receiver, whose, parent = self._receiver(session, host, host_session, scope)
        frozen = given_snapshot(
            self._store, self.notes, receiver, whose, self._world, anew=anew, parent=parent
        )
        return frozen.snapshot

    def news(
        self, *, session: str | None = None, host: str | None = None, host_session: str | None = None
    ) -> str:
        """What changed in the notes since a session was given them, or was last told; empty where nothing did.

        It belongs into the next message of the user's, as background. It is told once.

        Args:
            session: One of ours.
            host: The program of a session that is none of ours.
            host_session: Its id there.

        Raises:
            UnknownSession: There is no such session.
        """
        from archivist.app.freezing import given_snapshot, news_for  # noqa: PLC0415 - as above

        receiver, scope, parent = self._receiver(session, host, host_session, None)
        frozen = given_snapshot(self._store, self.notes, receiver, scope, self._world, parent=parent)
        return news_for(self._store, self.notes, frozen)

    def _receiver(
        self, session: str | None, host: str | None, host_session: str | None, scope: Scope | None
    ) -> "tuple[Receiver, Scope, Receiver | None]":
        """The session that is meant, its scope, and the one that it is a fork of."""
        from archivist.app.freezing import Receiver  # noqa: PLC0415 - as above

        if session is None:
            return Receiver(None, host, host_session), scope or OWNER, None
        found = self._store.session(session)
        parent = Receiver(found.parent_id) if found.link == "fork" and found.parent_id else None
        return Receiver(found.id), found.scope, parent

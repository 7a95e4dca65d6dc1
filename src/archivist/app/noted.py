"""The part of `Archivist` that has to do with notes."""

import threading
from collections.abc import Collection
from datetime import tzinfo
from typing import TYPE_CHECKING, Final

from archivist.app.opening import owners_zone
from archivist.config import Home
from archivist.records import OWNER, OWNER_EVERYWHERE, Notice, Reader, Scope
from archivist.store import StateStore, Surroundings

if TYPE_CHECKING:
    from archivist.app.allowing import Allowances
    from archivist.app.days import Days
    from archivist.app.receiver import Receiver
    from archivist.curate.review import Review
    from archivist.notes.notes import Notes
    from archivist.notes.showing import NotesShow
    from archivist.records.notes import Entry, Quote, Snapshot


class Noted:
    """Notes, daily notes and what sessions are given of them; loaded when they are first asked for."""

    home: Home
    _zone: tzinfo | None = None
    _store: StateStore
    _world: Surroundings
    _notes: "Notes | None" = None
    _opening: Final = threading.Lock()

    @property
    def notes(self) -> "Notes":
        """What was distilled: MEMORY.md and USER.md."""
        with self._opening:
            if self._notes is None:
                from archivist.app.noting import open_notes  # noqa: PLC0415 - who only searches does not pay for it

                self._notes = open_notes(self.home, self._store, self._world)
            return self._notes

    @property
    def _shown(self) -> "NotesShow":
        """The same for who only looks."""
        return self.notes

    @property
    def zone(self) -> tzinfo:
        """The owner's time zone; found out when it is first asked for."""
        if self._zone is None:
            self._zone = owners_zone(self.home)
        return self._zone

    @property
    def daily(self) -> "Days":
        """Notes of days: what happened, in the order in which it was written down."""
        from archivist.app.admitting import admitting_in  # noqa: PLC0415 - as above
        from archivist.app.days import Days  # noqa: PLC0415 - as above
        from archivist.app.gate import Gate  # noqa: PLC0415 - as above
        from archivist.app.noting import keeping_in  # noqa: PLC0415 - as above

        gate = Gate(
            lambda: admitting_in(self.home, self._store), keeping_in(self._store), new_id=self._world.new_id
        )
        return Days(
            self.home.notes_folder,
            history=self.home.history_folder / self.home.notes_folder.name,
            now=self._world.now,
            sleep=self._world.sleep,
            zone=self.zone,
            gate=gate,
        )

    @property
    def allowances(self) -> "Allowances":
        """What models are shown although the scanner finds something in it."""
        from archivist.app.allowing import Allowances  # noqa: PLC0415 - as above

        return Allowances(self.home, lambda: self._world.now().astimezone(self.zone))

    @property
    def review(self) -> "Review":
        """What waits for the owner to decide, of what they see in all of their projects."""
        return self.review_for(OWNER_EVERYWHERE)

    def review_for(self, scope: Reader) -> "Review":
        """The same as a reader sees it; the owner's command line decides on everything."""
        from archivist.app.reviewing import open_review  # noqa: PLC0415 - as above

        return open_review(
            self.home, self._store, self.notes, self.daily, self._world, scope, self._clear_erased
        )

    def _clear_erased(self) -> tuple[Notice, ...]:
        """Clear what was erased from every file; what could not be cleared yet, and which copies still have it."""
        return ()

    def take_in_uses(self, seconds: float | None = None) -> "tuple[Entry, ...]":
        """Look through sessions that have ended, for what they used of the notes; what came back from the archive for it.

        A session that begins does a little of it by itself, when it is given its snapshot, and `tidy` does the rest.

        Args:
            seconds: At most, but for one session at least; until all were looked through where unset.
        """
        from archivist.app.using import take_in_uses  # noqa: PLC0415 - as above

        return take_in_uses(self._store, self._shown, self._world, self._bring_back, seconds=seconds)

    def has_uses_to_take_in(self) -> bool:
        """Whether a session has ended that nobody looked through yet."""
        from archivist.app.using import is_behind  # noqa: PLC0415 - as above

        return is_behind(self._store)

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
        use = Use(entry.id, self._world.now(), "opened", session)
        return record_uses(self._store, self.notes, [use], self._bring_back)

    def snapshot(
        self,
        scope: Scope | None = None,
        *,
        session: str | None = None,
        host: str | None = None,
        host_session: str | None = None,
        parent: str | None = None,
        anew: bool = False,
    ) -> "Snapshot":
        """What a prompt carries of the notes: the next session's, or what a session was given and keeps.

        Its report says too how much waits for the owner now, where it is theirs.

        Args:
            scope: Where the session is held; the owner's own, outside any project, where no session is named. A host's session needs
                it when it is first asked for; what it was given in another scope counts no more. One of ours has its own.
            session: One of ours: the same bytes again however the notes change, made when first asked for.
            host: The program of a session that is none of ours.
            host_session: Its id there: the same as for `session`.
            parent: The host's id of the session that it is a fork of: it gets what that was given.
            anew: Make it again, as at a clear or a compaction.

        Raises:
            TypeError: The session is not named plainly, or a host's has no scope.
            UnknownSession: There is no such session.
        """
        from archivist.app.freezing import given_snapshot, present_snapshot  # noqa: PLC0415 - as above
        from archivist.app.waiting import with_waiting  # noqa: PLC0415 - as above

        if session is None and host is None and host_session is None:
            whose = scope or OWNER
            present = present_snapshot(self._shown, whose, self._world.now())
            return with_waiting(present, self._store, self._world, whose)
        receiver, origin = self._receiver(session, host, host_session, parent)
        if session is not None:
            scope = self._store.session(session).scope
        whose = scope or self._given_in(receiver, origin)
        frozen = given_snapshot(
            self._store,
            self._shown,
            receiver,
            whose,
            self._world,
            take_in_uses=self.take_in_uses,
            anew=anew,
            parent=origin,
        )
        return with_waiting(frozen.snapshot, self._store, self._world, whose)

    def given_snapshot(
        self, *, session: str | None = None, host: str | None = None, host_session: str | None = None
    ) -> "Snapshot | None":
        """What a session was given of the notes; None where it was given nothing. It only looks.

        Args:
            session: One of ours.
            host: The program of a session that is none of ours.
            host_session: Its id there.

        Raises:
            TypeError: The session is not named plainly.
            UnknownSession: There is no such session.
        """
        from archivist.app.receiver import frozen_for  # noqa: PLC0415 - as above

        frozen = frozen_for(self._store, self._receiver(session, host, host_session)[0])
        return None if frozen is None else frozen.snapshot

    def snapshot_given_to(self, name: str) -> "Snapshot | None":
        """What a session was given of the notes, named as conversations are; None where it was given nothing. It only looks.

        It is for whoever holds the home: it asks nobody for a scope.

        Args:
            name: Our id or its host's, the beginning of either, or its title. A host's session may be one of which nothing is stored yet.

        Raises:
            UnknownSession, AmbiguousSession: There is none, or there are several.
        """
        from archivist.app.receiver import frozen_named  # noqa: PLC0415 - as above

        frozen = self._store.read(lambda db: frozen_named(db, name))
        return None if frozen is None else frozen.snapshot

    def news(
        self,
        *,
        session: str | None = None,
        host: str | None = None,
        host_session: str | None = None,
        carried: str | None = None,
    ) -> str:
        """What changed in the notes since a session was given them, or was last told; empty where nothing did, or it was given none.

        It belongs into the next message of the user's, as background. Append the message with it: a session of ours counts as told
        for as long as its model sees a message that carries it. When the session goes on without, or that message is taken back, it
        is news again. A host is told once.

        Args:
            session: One of ours.
            host: The program of a session that is none of ours.
            host_session: Its id there.
            carried: What a host's session has before it, where that is known: news that does not stand there is told again, and what
                stands there, as in a fork, is not.

        Raises:
            TypeError: The session is not named plainly.
            UnknownSession: There is no such session.
        """
        from archivist.app.news import news_for  # noqa: PLC0415 - as above

        receiver, parent = self._receiver(session, host, host_session)
        return news_for(
            self._store,
            self._shown,
            receiver,
            self._world,
            take_in_uses=self.take_in_uses,
            parent=parent,
            carried=carried,
        )

    def news_told(self, *, session: str) -> None:
        """Let what `news` gave count as told for good, where its words do not stand in the messages that are appended.

        Args:
            session: One of ours.

        Raises:
            UnknownSession: There is no such session.
        """
        from archivist.app.news import settle_news  # noqa: PLC0415 - as above

        settle_news(self._store, self._receiver(session, None, None)[0])

    def _bring_back(self, entries: Collection[str]) -> "tuple[Entry, ...]":
        return self.notes.bring_back(entries)

    def _receiver(
        self, session: str | None, host: str | None, host_session: str | None, parent: str | None = None
    ) -> "tuple[Receiver, Receiver | None]":
        """The session that is meant, and the one that it is a fork of."""
        from archivist.app.receiver import Receiver  # noqa: PLC0415 - as above

        if (session is None) == (host_session is None) or (session is not None and (host or parent)):
            raise TypeError("name one session: by session=, or by host= and host_session=")
        if session is None:
            return Receiver(None, host, host_session), Receiver(None, host, parent) if parent else None
        found = self._store.session(session)
        is_fork = found.link == "fork" and found.parent_id is not None
        return Receiver(found.id), Receiver(found.parent_id) if is_fork else None

    def _given_in(self, *receivers: "Receiver | None") -> Scope:
        """The scope in which the first of some sessions was given notes that was given any."""
        from archivist.app.receiver import frozen_for  # noqa: PLC0415 - as above

        for receiver in receivers:
            if receiver is not None and (frozen := frozen_for(self._store, receiver)) is not None:
                return frozen.scope
        raise TypeError("this host's session was given no notes before: name the scope that it is held in")

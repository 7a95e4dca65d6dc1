"""The notes of a home, put together: files, journal, and what the store knows of their use."""

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

from archivist.app.admitting import admitting_in
from archivist.app.allowing import allowed_in
from archivist.app.showing import ledger_in, limits_in, seen_in, uses_in
from archivist.config import Home
from archivist.notes.admitting import Keep, NotKeptForReview
from archivist.notes.leaving import GRACE_SESSIONS
from archivist.notes.notes import Notes
from archivist.notes.places import is_visible
from archivist.notes.voices import SpeakersOf
from archivist.records import ArchivistError, Notice, Scope
from archivist.records.notes import Entry
from archivist.store import StateStore, Surroundings
from archivist.store.connection import Connection
from archivist.store.rows import EARLIEST, instant
from archivist.store.scopes import scopes_where
from archivist.store.speakers import speakers_of
from archivist.store.uses import count_sessions

if TYPE_CHECKING:
    from archivist.notes.proposing import File
    from archivist.records.proposals import Kept, Proposal

COUNTED_SESSIONS: Final = 10 * GRACE_SESSIONS
"""Nobody asks whether there were more."""


def open_notes(home: Home, store: StateStore, world: Surroundings) -> Notes:
    """The notes of a home.

    Args:
        home: Where they stand.
        store: What is known of their use, and what waits for the owner.
        world: Clock and ids.

    Raises:
        SettingsUnreadable: The settings say nothing that can be followed.
    """
    return Notes(
        ledger_in(home, world),
        limits=limits_in(home),
        uses_of=uses_in(store),
        sessions_since=_sessions_in(store),
        new_id=world.new_id,
        sees=seen_in(store),
        allowed=partial(allowed_in, home),
        speakers_of=_speakers_in(store),
        file=_filing_in(store),
        admit=admitting_in(home, store),
        keep=keeping_in(store),
    )


def _speakers_in(store: StateStore) -> SpeakersOf:
    def speakers(ids: Collection[int]) -> Mapping[int, str | None]:
        try:
            return store.read(lambda db: speakers_of(db, ids))
        except (
            ArchivistError
        ):  # then nobody is known to have said it, which closes nothing; the note is written all the same
            return {}

    return speakers


def _filing_in(store: StateStore) -> "File":
    def keep(proposals: "Sequence[Proposal]") -> tuple[Notice, ...]:
        from archivist.store.proposals import file  # noqa: PLC0415 - seldom needed

        try:
            store.write(lambda db: [file(db, proposal) for proposal in proposals])
        except ArchivistError as error:  # the note is on the disk: that nobody will be asked about it is said
            return (Notice("not-proposed", f"the contradiction is not kept for review: {error}"),)
        return ()

    return keep


def keeping_in(store: StateStore) -> Keep:
    """Keeps what waits in the store, durably before it returns."""

    def keep(proposal: "Proposal") -> "Kept":
        from archivist.store.proposals import keep  # noqa: PLC0415 - as above

        try:
            return store.write(lambda db: keep(db, proposal))
        except ArchivistError as error:
            raise NotKeptForReview(error) from error

    return keep


def _sessions_in(store: StateStore) -> Callable[[Sequence[Entry]], Mapping[str, int]]:
    return lambda entries: store.read(lambda db: _sessions_since(db, entries))


def _sessions_since(db: Connection, entries: Sequence[Entry]) -> dict[str, int]:
    """How many sessions began since each was noted whose prompt carries it; counted no further than it matters."""
    scopes, found = dict[Scope, frozenset[int]](), dict[str, int]()
    for entry in entries:
        if entry.scope not in scopes:
            scopes[entry.scope] = scopes_where(db, partial(is_visible, entry.scope))
        found[entry.id] = count_sessions(db, scopes[entry.scope], entry.observed_at, most=COUNTED_SESSIONS)
    if not any(found.values()) and not count_sessions(db, None, instant(EARLIEST), most=1):
        return dict.fromkeys(found, GRACE_SESSIONS)  # nobody holds sessions here: days alone say who is new
    return found

"""What is noted, read from the text files alone: for a session that begins while the home's database cannot be used."""

from archivist.app.allowing import allowed_in
from archivist.app.freezing import present_snapshot
from archivist.app.showing import ledger_in, limits_in
from archivist.app.world import real_world
from archivist.config import Home
from archivist.notes.showing import NotesShow
from archivist.records import ArchivistError, Scope
from archivist.records.notes import Snapshot


def present_notes(home: Home, scope: Scope) -> Snapshot | None:
    """What a session in this scope is given of the notes; None where they cannot be read either.

    When entries were used stands in the database: where not all of them fit, those that are chosen may be others than usual.
    """
    world = real_world()
    try:
        notes = NotesShow(
            ledger_in(home, world),
            limits=limits_in(home),
            uses_of=lambda _: {},
            allowed=lambda: allowed_in(home),
        )
        return present_snapshot(notes, scope, world.now(), tell_odd=False)
    except (ArchivistError, OSError):
        return None


__all__ = ["present_notes"]

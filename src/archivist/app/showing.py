"""The notes of a home as they are shown: files, journal, and what the store knows of their use. Who changes them opens them by `noting`."""

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial

from archivist.app.allowing import allowed_in
from archivist.config import Home, read_settings
from archivist.notes.holding import Holding
from archivist.notes.ledger import Ledger
from archivist.notes.limits import Limits
from archivist.notes.showing import NotesShow
from archivist.notes.versions import Versions
from archivist.records import Reader
from archivist.records.notes import Use
from archivist.store import StateStore, Surroundings
from archivist.store.rows import clean
from archivist.store.scopes import sessions_seen, visible_scopes
from archivist.store.uses import uses_of


def show_notes(home: Home, store: StateStore, world: Surroundings) -> NotesShow:
    """The notes of a home for who only looks, which loads nothing that only changes need.

    Raises:
        SettingsUnreadable: The settings say nothing that can be followed.
    """
    return NotesShow(
        ledger_in(home, world),
        limits=limits_in(home),
        uses_of=uses_in(store),
        sees=seen_in(store),
        allowed=partial(allowed_in, home),
    )


def ledger_in(home: Home, world: Surroundings) -> Ledger:
    """The files and the journal of a home."""
    holding = Holding(home.notes_folder, now=world.now, sleep=world.sleep, new_id=world.new_id)
    return Ledger(holding, Versions(home.history_folder / home.notes_folder.name), new_id=world.new_id)


def limits_in(home: Home) -> Limits:
    """The budgets that are set.

    Raises:
        SettingsUnreadable: See there.
    """
    chosen = read_settings(home.config_file).notes
    return Limits(chosen.memory_limit, chosen.user_limit, chosen.on_full, chosen.in_prompt)


def uses_in(store: StateStore) -> Callable[[Sequence[str]], Mapping[str, Sequence[Use]]]:
    """When entries were used, by id."""
    return lambda keys: store.read(lambda db: uses_of(db, keys))


def seen_in(store: StateStore) -> Callable[[Reader, Collection[str]], Collection[str]]:
    """Which of some sessions a reader may see."""
    return lambda reader, names: store.read(
        lambda db: sessions_seen(db, visible_scopes(db, reader), [clean(name) for name in names])
    )

"""A home's store, opened as its settings say."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import tzinfo
from pathlib import Path

from archivist import __version__
from archivist.app.world import local_zone
from archivist.config import Home, read_settings
from archivist.records import Patience
from archivist.store import StateStore, Surroundings


def open_store(home: Home, world: Surroundings, *, patience: float | None = None) -> StateStore:
    """The store of a home.

    Args:
        home: Where it is.
        world: Time, chance and sleep.
        patience: Seconds for which a write waits for other writers at most, where less than is set.

    Raises:
        ArchivistError: It cannot be opened; the message says what to do.
    """
    if home.unfinished_restore_file.exists():
        from archivist.app.swapping import finish_restore  # noqa: PLC0415 - only where a restore was killed

        finish_restore(home)
    settings = read_settings(home.config_file)
    return StateStore.open(
        home.state_file,
        spool=home.spool_folder,
        media=home.media_folder,
        program=__version__,
        world=world,
        patience=Patience(
            settings.patience_seconds if patience is None else min(patience, settings.patience_seconds)
        ),
        backups=lambda: _sound_backups(home),
    )


def owners_zone(home: Home) -> tzinfo:
    """The owner's time zone: as it is set, or else the machine's.

    Raises:
        SettingsUnreadable: The settings say nothing that can be followed.
    """
    return read_settings(home.config_file).zone() or local_zone()


@contextmanager
def closed_on_failure(store: StateStore) -> Iterator[None]:
    """Close a store if what is done with it at first fails: nobody else would."""
    try:
        yield
    except BaseException:
        store.close()
        raise


def _sound_backups(home: Home) -> Iterator[Path]:
    from archivist.app.backups import sound_backups  # noqa: PLC0415 - asked for by a salvage alone

    return sound_backups(home)


__all__ = ["closed_on_failure", "open_store", "owners_zone"]

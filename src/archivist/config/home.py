"""The folder that holds everything, and the names of what is in it.

One environment variable moves it (`ARCHIVIST_HOME`); a profile is a home of its own below `profiles/`.
"""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import msgspec

from archivist.config.place import chosen_folder
from archivist.records import ArchivistError
from archivist.records.patterns import late_pattern

CONFIG: Final = "config.toml"
IDENTITY: Final = "SOUL.md"
STATE: Final = "state.db"
INDEX: Final = "index.db"
SPOOL: Final = "spool"
MEDIA: Final = "media"
BACKUPS: Final = "backups"
KNOWN_BACKUPS: Final = "backups.jsonl"
ASIDE: Final = "aside"
RESTORING: Final = "restoring.json"
ERASED: Final = "erased.jsonl"
ALLOWED: Final = "allowed.txt"
PRINT_KEY: Final = "prints.key"
NOTES: Final = "memories"
HISTORY: Final = "history"
HOSTS: Final = "hosts"
CREDENTIALS: Final = "credentials.toml"
PRICES: Final = "prices.json"
KEY_RESTS: Final = "key-rests.json"
LOG: Final = "log"

PROFILE_NAME = late_pattern(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


class UnknownProfile(ArchivistError):
    """A profile's name cannot be a folder's name."""

    def __init__(self, name: str) -> None:
        super().__init__(
            f"{name!r} cannot name a profile: use letters, digits, '.', '_' and '-', beginning with a letter or digit"
        )


class HomeNotUsable(ArchivistError):
    """The home is not a folder, or its name can be none."""

    def __init__(self, path: Path, reason: str) -> None:
        self.path = path
        super().__init__(
            f"{str(path)[:200]!r} cannot be Archivist's home ({reason}): set ARCHIVIST_HOME to a folder of your own"
        )


class Home(msgspec.Struct, frozen=True):
    """A home's folder and the places in it."""

    path: Path

    @property
    def config_file(self) -> Path:
        """Settings."""
        return self.path / CONFIG

    @property
    def identity_file(self) -> Path:
        """Who the agent is, as its owner wrote it."""
        return self.path / IDENTITY

    @property
    def state_file(self) -> Path:
        """Conversations: canonical."""
        return self.path / STATE

    @property
    def index_file(self) -> Path:
        """The search index: derived, may be deleted at any time."""
        return self.path / INDEX

    @property
    def spool_folder(self) -> Path:
        """Payloads that could not be written, taken in at the next open."""
        return self.path / SPOOL

    @property
    def media_folder(self) -> Path:
        """Bytes that are not text, by their SHA-256."""
        return self.path / MEDIA

    @property
    def notes_folder(self) -> Path:
        """Notes: text files, and the journal of their changes."""
        return self.path / NOTES

    @property
    def history_folder(self) -> Path:
        """Earlier versions of text files."""
        return self.path / HISTORY

    @property
    def backups_folder(self) -> Path:
        """Backups of this home, where no other place is named."""
        return self.path / BACKUPS

    @property
    def known_backups_file(self) -> Path:
        """Where backups were made outside the home."""
        return self.path / KNOWN_BACKUPS

    @property
    def aside_folder(self) -> Path:
        """What a restore or a salvage has replaced."""
        return self.path / ASIDE

    @property
    def unfinished_restore_file(self) -> Path:
        """Says what a restore was about to do; there only while one runs, or after it was killed."""
        return self.aside_folder / RESTORING

    @property
    def print_key_file(self) -> Path:
        """With which the looks of messages at their source are hashed; it stays in this home."""
        return self.path / PRINT_KEY

    @property
    def prices_file(self) -> Path:
        """A table of prices that was fetched: another can be, any time."""
        return self.path / PRICES

    @property
    def credentials_file(self) -> Path:
        """Keys of providers; readable by the owner alone, and in backups only where they are asked for."""
        return self.path / CREDENTIALS

    @property
    def key_rests_file(self) -> Path:
        """Which keys of providers rest, and how much each was used; derived, may be deleted at any time."""
        return self.path / KEY_RESTS

    @property
    def log_folder(self) -> Path:
        """What became of requests to models; never what was said in them."""
        return self.path / LOG

    @property
    def allowed_file(self) -> Path:
        """What is shown to models although the scanner finds something in it: ids, never a word of it."""
        return self.path / ALLOWED

    @property
    def erased_file(self) -> Path:
        """What was deleted and stays away: plain ids, never a word of it."""
        return self.path / ERASED


def find_home(
    path: str | os.PathLike[str] | None = None,
    profile: str | None = None,
    *,
    environ: Mapping[str, str],
) -> Home:
    """The home that is meant: argument, then `ARCHIVIST_HOME`, then `~/.archivist`; then the profile in it.

    Raises:
        UnknownProfile: The profile's name cannot be a folder's.
        HomeNotUsable: There is something else in the home's place.
    """
    name = profile or environ.get("ARCHIVIST_PROFILE")
    if name and not PROFILE_NAME.fullmatch(name):
        raise UnknownProfile(name)
    chosen = Path(chosen_folder(path, profile, environ=environ))
    try:
        str(chosen).encode()
        if chosen.exists() and not chosen.is_dir():
            raise HomeNotUsable(chosen, "it is not a folder")
        return Home(chosen.absolute())
    except (OSError, ValueError) as error:
        raise HomeNotUsable(chosen, str(error)) from error

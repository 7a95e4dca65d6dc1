"""Which writes of notes wait for the owner: the rules that a home puts together."""

import os
from pathlib import Path

from archivist.config import Home, read_settings
from archivist.config.settings import Settings
from archivist.notes.admitting import Admit, Asked, Waits
from archivist.records.notes import HOME_SCOPE, EntryOrigin

SAID: dict[EntryOrigin, str] = {
    "user": "what you ask for",
    "agent": "what an agent notes",
    "distilled": "what was learned from conversations",
    "import": "what another program had noted",
    "provider": "what a provider of memory says",
}


class Approval:
    """The owner wants to see some writes first; `config.toml` says which, read again whenever it changed.

    Raises:
        SettingsUnreadable: Of a write, where that file cannot be followed: nothing passes because of a mistake in it.
    """

    def __init__(self, home: Home) -> None:
        self._path = home.config_file
        self._look, self._settings = _look_at(self._path), read_settings(self._path)

    def __call__(self, write: Asked) -> Waits | None:
        """Whether a write waits."""
        approval, origin = self._present().approval, write.author.origin
        if not any(approval.waits(origin, scope) for scope in write.scopes or (HOME_SCOPE,)):
            return None
        return Waits("approval", f"{SAID.get(origin, origin)} waits here until you have accepted it")

    def _present(self) -> Settings:
        if (look := _look_at(self._path)) != self._look:
            self._settings = read_settings(self._path)
            self._look = look
        return self._settings


def admitting_in(home: Home) -> Admit:
    """The rules of a home.

    Raises:
        SettingsUnreadable: The settings say nothing that can be followed.
    """
    return Approval(home)


def _look_at(path: Path) -> tuple[int, int, int] | None:
    try:
        found = os.stat(path)  # noqa: PTH116 - asked at every write
    except OSError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns


__all__ = ["Approval", "admitting_in"]

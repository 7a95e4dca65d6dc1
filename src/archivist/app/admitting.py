"""Which writes of notes wait for the owner: the rules that a home puts together."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Final

from archivist.app.trusting import Trust
from archivist.config import Home, read_settings
from archivist.config.settings import Settings
from archivist.notes.admitting import Admit, Asked, Waits, in_turn
from archivist.records import Scope
from archivist.records.notes import HOME_SCOPE, EntryOrigin
from archivist.records.proposals import ProposalTarget
from archivist.store import StateStore

SAID: dict[EntryOrigin, str] = {
    "user": "what you ask for",
    "agent": "what an agent notes",
    "distilled": "what was learned from conversations",
    "import": "what another program had noted",
    "provider": "what a provider of memory says",
    "tool": "what a tool brought",
    "web": "what a page says",
    "document": "what a document says",
}


PLACES: Final = ("project", "group", "person")
"""Where something is noted, the narrowest first; a person's notes and the home's hold in all of their projects."""


class Present:
    """What the owner has set in `config.toml`, read again whenever it changed.

    Raises:
        SettingsUnreadable: Where that file cannot be followed: nothing passes because of a mistake in it.
    """

    def __init__(self, home: Home) -> None:
        self._path = home.config_file
        self._look, self._settings = _look_at(self._path), read_settings(self._path)

    def __call__(self) -> Settings:
        """As it is now."""
        if (look := _look_at(self._path)) != self._look:
            self._settings = read_settings(self._path)
            self._look = look
        return self._settings


def wider(write: Asked) -> Waits | None:
    """What an agent changes holds where it works: to change what holds beyond that is the owner's.

    What it adds goes to the narrower place anyway, and what is about a person is theirs wherever they work.
    """
    where = write.author.scope
    if where is None or write.author.origin == "user":
        return None
    for target, whose in write.changed:
        if (reach := _reach(target, where)) < _reach("memory", whose):
            told = f"this was asked for in one {PLACES[reach]} and would change a note that holds beyond it"
            return Waits("wider", told)
    return None


def _reach(target: ProposalTarget, scope: Scope) -> int:
    """How far that holds, as a place in `PLACES`, which is noted of something in a scope."""
    if scope.project is not None and target == "memory":
        return 0
    return 1 if scope.chat is not None else 2


class Approval:
    """The owner wants to see some writes first.

    Args:
        settings: What says which.
    """

    def __init__(self, settings: Callable[[], Settings]) -> None:
        self._settings = settings

    def __call__(self, write: Asked) -> Waits | None:
        """Whether a write waits."""
        approval, origin = self._settings().approval, write.author.origin
        if not any(approval.waits(origin, scope) for scope in write.scopes or (HOME_SCOPE,)):
            return None
        return Waits("approval", f"{SAID.get(origin, origin)} waits here until you have accepted it")


def admitting_in(home: Home, store: StateStore) -> Admit:
    """The rules of a home: whose words it may be, whose notes it may change, then what its owner wants to see first.

    Raises:
        SettingsUnreadable: The settings say nothing that can be followed.
    """
    settings = Present(home)
    return in_turn([Trust(store, settings), wider, Approval(settings)])


def _look_at(path: Path) -> tuple[int, int, int] | None:
    try:
        found = os.stat(path)  # noqa: PTH116 - asked at every write
    except OSError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns


__all__ = ["Approval", "Present", "admitting_in", "wider"]

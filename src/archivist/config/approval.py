"""The table `[approval]`: which writes of notes wait until the owner has accepted them.

The nearest word counts: that of the scope, else that of the origin, else `mode`.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, Literal, cast, get_args

import msgspec

from archivist.config.values import Mistake
from archivist.records import OWNER, Scope
from archivist.records.patterns import late_pattern
from archivist.records.scopes import HOME_SCOPE

if TYPE_CHECKING:
    from archivist.records.notes import EntryOrigin

ApprovalMode = Literal["off", "automatic", "everything"]
"""`off`: nothing waits; `automatic`: what no request of the owner's asked for; `everything`: what the owner asks for too."""


_RELATIVE: Final = late_pattern(r"~|\.\.?(?:[\\/]|\Z)")
_DRIVE: Final = late_pattern(r"[A-Za-z]:[\\/]")
_MODES: Final = get_args(ApprovalMode)
_KEYS: Final = ("mode", "home", "origins", "projects", "users", "chats")


class ApprovalSettings(msgspec.Struct, frozen=True):
    """Which writes wait.

    Attributes:
        mode: Where nothing nearer is said.
        home: Of the owner's own notes, outside any project.
        origins: By origin, whether what it writes waits.
        projects, users, chats: By key, for one project, person or group.
    """

    mode: ApprovalMode = "off"
    home: ApprovalMode | None = None
    origins: Mapping[str, bool] = {}
    projects: Mapping[str, ApprovalMode] = {}
    users: Mapping[str, ApprovalMode] = {}
    chats: Mapping[str, ApprovalMode] = {}

    def waits(self, origin: "EntryOrigin", scope: Scope) -> bool:
        """Whether what comes from somewhere into somebody's notes waits; a save by hand never does."""
        if origin == "hand":
            return False
        near = self._of(scope)
        if near is None and origin in self.origins:
            return self.origins[origin]
        mode = near or self.mode
        return mode == "everything" or (mode == "automatic" and origin != "user")

    def _of(self, scope: Scope) -> ApprovalMode | None:
        if scope.project is not None:
            return self.projects.get(scope.project)
        if scope.chat is not None:
            return self.chats.get(scope.chat)
        return self.home if scope in {HOME_SCOPE, OWNER} else self.users.get(scope.user or "")


def approval_settings(values: object) -> ApprovalSettings:
    """The table, checked.

    Raises:
        Mistake: It says something that cannot be followed; the text says what.
    """
    if not isinstance(values, dict):
        raise Mistake("approval must be a table: [approval]")
    for key in values:
        if key not in _KEYS:
            raise Mistake(f"unknown key {key!r} in [approval] (known: {', '.join(_KEYS)})")
    return ApprovalSettings(
        mode=_mode("mode in [approval]", values.get("mode", "off")),
        home=_mode("home in [approval]", values["home"]) if "home" in values else None,
        origins=_origins(values.get("origins", {})),
        **{name: _modes(name, values.get(name, {})) for name in ("projects", "users", "chats")},
    )


def _mode(name: str, value: object) -> ApprovalMode:
    if value not in _MODES:
        raise Mistake(f"{name} must be {', '.join(map(repr, _MODES[:-1]))} or {_MODES[-1]!r}")
    return cast("ApprovalMode", value)


def _modes(name: str, values: object) -> dict[str, ApprovalMode]:
    if not isinstance(values, dict):
        raise Mistake(f"{name} in [approval] must be a table: [approval.{name}]")
    for key in values:
        _check_key(name, key)
    return {key: _mode(f"{key!r} in [approval.{name}]", value) for key, value in values.items()}


def _check_key(name: str, key: str) -> None:
    """A key that nothing can have is a line that holds nowhere.

    Raises:
        Mistake: It is one.
    """
    if name == "users" and key == OWNER.user:
        raise Mistake(f"{key!r} in [approval.users] is you: home in [approval] is for your own notes")
    if name == "projects":
        _check_project(key)


def _check_project(key: str) -> None:
    from archivist.config.projects import normalise_remote  # noqa: PLC0415 - most homes name no project here

    if _RELATIVE.match(key):
        raise Mistake(
            f"{key!r} in [approval.projects] is no key: give the whole path of the folder, or host/path of its remote"
        )
    if (found := normalise_remote(key)) != key and not _DRIVE.match(key):
        raise Mistake(f"{key!r} in [approval.projects] is no key: that of this project is {found!r}")


def _origins(values: object) -> dict[str, bool]:
    if not isinstance(values, dict):
        raise Mistake("origins in [approval] must be a table: [approval.origins]")
    from archivist.records.notes import EntryOrigin  # noqa: PLC0415 - most homes have no such table

    origins = tuple(origin for origin in get_args(EntryOrigin) if origin != "hand")
    for key, value in values.items():
        if key not in origins:
            raise Mistake(f"{key!r} in [approval.origins] is none of {', '.join(origins)}")
        if not isinstance(value, bool):
            raise Mistake(f"{key} in [approval.origins] must be true or false")
    return values


__all__ = ["ApprovalMode", "ApprovalSettings", "Mistake", "approval_settings"]

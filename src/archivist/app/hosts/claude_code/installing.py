"""Archivist put into Claude Code and taken out of it, changing nothing that is not its own."""

import hashlib
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

import msgspec

from archivist.app.hosts.changes import (
    KEPT,
    Change,
    HostFileUnusable,
    apply,
    read,
    read_text,
    resolved,
    to_write,
)
from archivist.app.hosts.claude_code.plugin import NAME, SERVER, SKILL, hooks, plugin, server
from archivist.app.hosts.json_text import parsed, with_item, with_member, without
from archivist.app.hosts.starting import HOOKS, Starting

Edit = Callable[[str], str]

RECORD: Final = ".archivist.json"
"""In the plugin's folder: which files are Archivist's, and their hashes."""
LOCAL_SETTINGS: Final = Path(".claude", "settings.local.json")
SERVERS: Final = Path(".mcp.json")
APPROVED: Final = "enabledMcpjsonServers"
TAKE_OUT: Final = "archivist uninstall claude-code"


class Installed(msgspec.Struct, frozen=True):
    """What was done, or would be.

    Attributes:
        changes: Every file that is Archivist's or has something of its own.
        notices: What is worth knowing.
        dry_run: Nothing was done.
    """

    changes: tuple[Change, ...]
    notices: tuple[str, ...] = ()
    dry_run: bool = False

    @property
    def is_changed(self) -> bool:
        """Whether anything was not as it should be."""
        return any(change.done != "unchanged" for change in self.changes)


class Places(msgspec.Struct, frozen=True):
    """Where Claude Code looks.

    Attributes:
        config: Its folder.
        project: The project that is meant, where one is.
        here: The folder from which all projects are meant, which may be one that has Archivist of its own.
    """

    config: Path
    project: Path | None = None
    here: Path | None = None

    @property
    def plugin(self) -> Path:
        """The folder of the plugin: what is in the folder of skills and has a manifest is one, without being installed."""
        return self.config / "skills" / NAME

    def of(self, name: Path) -> Path:
        """A file of the project."""
        assert self.project is not None
        return self.project / name


def config_folder(environ: Mapping[str, str]) -> Path:
    """Claude Code's own folder."""
    return Path(
        environ.get("CLAUDE_CONFIG_DIR") or Path(environ.get("HOME") or Path.home()) / ".claude"
    ).expanduser()


def install(places: Places, how: Starting, *, dry_run: bool = False) -> Installed:
    """Put Archivist into Claude Code: for all projects, or for the one that is named.

    Raises:
        HostFileUnusable: A file stands in the way; nothing was changed.
    """
    changes, notices = _for_project(places, how) if places.project else _for_user(places, how)
    if not dry_run:
        apply(changes)
    return Installed(tuple(changes), tuple(notices), dry_run)


def uninstall(places: Places, *, dry_run: bool = False) -> Installed:
    """Take out what `install` has put in, and no more.

    Raises:
        HostFileUnusable: A file cannot be read; nothing was changed.
    """
    changes, notices = _from_project(places) if places.project else _from_user(places)
    if not dry_run:
        apply(changes)
        _remove_empty(places)
    return Installed(tuple(changes), tuple(notices), dry_run)


def is_in_project(folder: Path) -> bool:
    """Whether Archivist's hooks are in the settings of the project in a folder; settings that cannot be read have none."""
    try:
        settings = parsed(read_text(resolved(folder / LOCAL_SETTINGS)) or "{}")
    except (HostFileUnusable, ValueError, RecursionError):
        return False
    return isinstance(settings, dict) and bool(_ours(settings))


def recorded(places: Places) -> dict[str, str]:
    """The files of the plugin that were written there, by their paths in its folder, with their hashes; none where it is not there."""
    content = read(places.plugin / RECORD)
    if content is None:
        return {}
    try:
        found = json.loads(content)["files"]
        return {str(name): str(digest) for name, digest in found.items() if ".." not in Path(name).parts}
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise HostFileUnusable(places.plugin / RECORD, "it does not say what was installed") from error


# ---- for all projects ----


def _for_user(places: Places, how: Starting) -> tuple[list[Change], list[str]]:
    folder = places.plugin
    if places.here is not None and is_in_project(places.here):
        reason = f"it is installed for this project already, so hooks would run twice; `{TAKE_OUT} --scope project` takes it out"
        raise HostFileUnusable(places.here / LOCAL_SETTINGS, reason)
    if not (folder / RECORD).exists() and folder.is_dir() and any(folder.iterdir()):
        raise HostFileUnusable(folder, "another plugin or skill has this name")
    before, files = recorded(places), plugin(how)
    changes = [
        to_write(folder / name, text, keep=_is_edited(folder / name, before.get(name)))
        for name, text in files.items()
    ]
    record = {"files": {name: digest_of(text.encode()) for name, text in files.items()}}
    changes.append(to_write(folder / RECORD, json.dumps(record, indent=2) + "\n", keep=False))
    gone = [name for name in before if name not in files and (folder / name).exists()]
    changes += [Change(resolved(folder / name), "removed") for name in gone]
    return changes, [_kept(change) for change in changes if change.kept is not None]


def _from_user(places: Places) -> tuple[list[Change], list[str]]:
    changes, notices = list[Change](), list[str]()
    for name, digest in recorded(places).items():
        path = places.plugin / name
        if _is_edited(path, digest):
            notices.append(f"{path} was edited since, so it stays")
        elif path.exists():
            changes.append(Change(resolved(path), "removed"))
    if (places.plugin / RECORD).exists():
        changes.append(Change(resolved(places.plugin / RECORD), "removed"))
    notices += [f"{path} is what you had written there, so it stays" for path in _kept_in(places.plugin)]
    if not changes and places.here is not None and is_in_project(places.here):
        notices.append(f"it is installed for this project alone: `{TAKE_OUT} --scope project` takes it out")
    return changes, notices


def _kept_in(folder: Path) -> list[Path]:
    """What files of the plugin held before they were written anew over a hand's edit."""
    return sorted(folder.rglob(f"*{KEPT}")) if folder.is_dir() else []


def _is_edited(path: Path, digest: str | None) -> bool:
    content = read(resolved(path))
    return content is not None and digest != digest_of(content)


def digest_of(content: bytes) -> str:
    """What a file held, as the record has it."""
    return hashlib.sha256(content).hexdigest()


def _remove_empty(places: Places) -> None:
    """The folders that are Archivist's, and in a project those that were made for them, where nothing is left in them."""
    if places.project is not None:
        skill = _skill(places).parent
        folders = [skill, skill.parent, skill.parent.parent]
    else:
        inside = places.plugin.rglob("*") if places.plugin.is_dir() and not places.plugin.is_symlink() else ()
        folders = [*sorted((path for path in inside if path.is_dir()), reverse=True), places.plugin]
    for folder in folders:
        if folder.is_dir() and not folder.is_symlink() and not any(folder.iterdir()):
            folder.rmdir()


# ---- for one project ----


def _for_project(places: Places, how: Starting) -> tuple[list[Change], list[str]]:
    if recorded(places):
        reason = (
            f"it is installed for all projects already, so hooks would run twice; `{TAKE_OUT}` takes it out"
        )
        raise HostFileUnusable(places.plugin, reason)
    changes = [
        _edited(places.of(LOCAL_SETTINGS), lambda text: _with_hooks(text, how)),
        _edited(places.of(SERVERS), lambda text: with_member(text, ["mcpServers", SERVER], server(how))),
        to_write(_skill(places), plugin(how)[f"skills/{SKILL}/SKILL.md"], keep=True),
    ]
    note = f"{SERVERS} and the skill hold paths of this machine: leave them out of what others check out"
    return changes, [note, *(_kept(change) for change in changes if change.kept is not None)]


def _from_project(places: Places) -> tuple[list[Change], list[str]]:
    changes, notices = list[Change](), list[str]()
    for path, taken in (
        (places.of(LOCAL_SETTINGS), _without_hooks),
        (places.of(SERVERS), lambda text: without(text, ["mcpServers"], lambda name: name == SERVER)),
    ):
        changes += _taken_out(path, taken)
    skill = _skill(places)
    if read(resolved(skill)) is not None:
        changes.append(Change(resolved(skill), "removed"))
    if not changes and recorded(places):
        notices.append(f"it is installed for all projects: `{TAKE_OUT}` takes it out")
    return changes, notices


def _skill(places: Places) -> Path:
    return places.of(Path(".claude", "skills", SKILL, "SKILL.md"))


def _edited(path: Path, edit: Edit) -> Change:
    text = read_text(resolved(path))
    new = _checked(path, "{}\n" if text is None or not text.strip() else text, edit)
    return to_write(path, new, keep=True)


def _taken_out(path: Path, edit: Edit) -> list[Change]:
    """The file as it was before, to the byte where nobody else has changed it since."""
    path = resolved(path)
    text = read_text(path)
    if text is None:
        return []
    new = _checked(path, text, edit)
    if new == text:
        return []
    kept = path.with_name(path.name + KEPT)
    before = read_text(kept)
    changes = [Change(resolved(kept), "removed")] if before is not None else []
    if before is not None and _same(before, new):
        new = before
    if before is None and not parsed(new):
        return [*changes, Change(path, "removed")]
    return [Change(path, "changed", new.encode()), *changes]


def _same(one: str, other: str) -> bool:
    return bool(parsed(one or "{}") == parsed(other))


def _checked(path: Path, text: str, edit: Edit) -> str:
    """An edited text that holds what it should.

    Raises:
        HostFileUnusable: It is no JSON object, or holds something else in a place of ours.
    """
    try:
        if not isinstance(parsed(text), dict):
            raise HostFileUnusable(path, "it is no JSON object")
        new = edit(text)
        parsed(new)
    except (ValueError, RecursionError) as error:
        raise HostFileUnusable(path, f"it is no JSON that Claude Code reads ({error})") from error
    return new


def _with_hooks(text: str, how: Starting) -> str:
    wanted = hooks(how)
    if _ours(parsed(text)) == wanted:
        return text
    text = _without_hooks(text)
    for event, groups in wanted.items():
        for group in groups:
            text = with_item(text, ["hooks", event], group)
    return with_item(text, [APPROVED], SERVER)


def _without_hooks(text: str) -> str:
    for event in _ours(parsed(text)):
        text = without(text, ["hooks", event], _is_ours)
    return without(text, [APPROVED], lambda name: name == SERVER)


def _ours(settings: dict[str, Any]) -> dict[str, list[Any]]:
    """Archivist's hooks in some settings."""
    found = settings.get("hooks")
    if not isinstance(found, dict):
        return {}
    mine = {
        event: [group for group in groups if _is_ours(group)]
        for event, groups in found.items()
        if isinstance(groups, list)
    }
    return {event: groups for event, groups in mine.items() if groups}


def _is_ours(group: Any) -> bool:  # noqa: ANN401 - JSON
    """Whether all hooks of a group are Archivist's."""
    inside = group.get("hooks") if isinstance(group, dict) else None
    if not isinstance(inside, list) or not inside:
        return False
    return all(isinstance(one, dict) and HOOKS in (one.get("args") or ()) for one in inside)


def _kept(change: Change) -> str:
    return f"what {change.path} was before is kept in {change.kept}"

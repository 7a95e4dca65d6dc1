"""Archivist put into Claude Code and taken out of it, changing nothing that is not its own."""

import hashlib
import json
import re
from collections.abc import Mapping
from itertools import count
from pathlib import Path
from typing import Final

import msgspec
from msgspec.structs import replace

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
from archivist.app.hosts.claude_code.plugin import (
    AUTHOR,
    MANIFEST,
    NAME,
    SKILL,
    guide,
    plugin,
)
from archivist.app.hosts.claude_code.project_files import (
    edited,
    ours,
    taken_out,
    with_hooks,
    with_server,
    without_hooks,
    without_server,
)
from archivist.app.hosts.json_text import parsed
from archivist.app.hosts.starting import HOOKS, Starting
from archivist.config.place import chosen_folder

RECORD: Final = ".archivist.json"
"""In the plugin's folder: which files are Archivist's, and their hashes."""
LOCAL_SETTINGS: Final = Path(".claude", "settings.local.json")
SERVERS: Final = Path(".mcp.json")
HOOKS_FILE: Final = Path("hooks", "hooks.json")
GUIDE: Final = "SKILL.md"
KEPT_NAME: Final = re.compile(rf"(?:\.\d+)?{re.escape(KEPT)}$")
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
        HostFileNotWritten: A file cannot be changed; those before it were.
    """
    changes, notices = _for_project(places, how) if places.project else _for_user(places, how)
    if not dry_run:
        apply(changes)
    return Installed(tuple(changes), tuple(notices), dry_run)


def uninstall(places: Places, *, dry_run: bool = False) -> Installed:
    """Take out what `install` has put in, and no more.

    Raises:
        HostFileUnusable: A file cannot be read; nothing was changed.
        HostFileNotWritten: A file cannot be changed; those before it were.
    """
    changes, notices = _from_project(places) if places.project else _from_user(places)
    if not dry_run:
        apply(changes)
    if changes and not dry_run:
        _remove_empty(places)
    return Installed(tuple(changes), tuple(notices), dry_run)


def is_in_project(folder: Path) -> bool:
    """Whether Archivist's hooks are in the settings of the project in a folder; settings that cannot be read have none."""
    try:
        settings = parsed(read_text(resolved(folder / LOCAL_SETTINGS)) or "{}")
    except (HostFileUnusable, ValueError, RecursionError):
        return False
    return isinstance(settings, dict) and bool(ours(settings))


def is_current(places: Places, how: Starting) -> bool:
    """Whether what stands in a project is what would be put there now."""
    try:
        return not install(places, how, dry_run=True).is_changed
    except HostFileUnusable:
        return False


def installed_how(path: Path) -> Starting | None:
    """How the hooks in a file of Claude Code's start Archivist; None where there are none that can be read."""
    try:
        told = json.loads(read(resolved(path)) or b"")
        written = [hook for group in told["hooks"]["SessionStart"] for hook in group["hooks"]]
        hook = next(hook for hook in written if HOOKS in (hook.get("args") or ()))
        words = [str(hook["command"]), *map(str, hook["args"])]
        return Starting(words[0], tuple(words[words.index("SessionStart") + 1 :]))
    except (ValueError, LookupError, TypeError, AttributeError, StopIteration, RecursionError):
        return None


def home_of(how: Starting, environ: Mapping[str, str]) -> str:
    """The folder of the home that is meant."""
    options = dict(zip(how.options[::2], how.options[1::2], strict=False))
    return chosen_folder(options.get("--home"), options.get("--profile"), environ=environ)


def recorded(places: Places) -> dict[str, str]:
    """The files of the plugin that were written there, by their paths in its folder, with their hashes; none where it is not there."""
    return _recorded(places.plugin)


def _recorded(folder: Path) -> dict[str, str]:
    content = read(folder / RECORD)
    if content is None:
        return {}
    try:
        found = json.loads(content)["files"]
        return {str(name): str(digest) for name, digest in found.items() if ".." not in Path(name).parts}
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise HostFileUnusable(folder / RECORD, "it does not say what was installed") from error


# ---- for all projects ----


def _for_user(places: Places, how: Starting) -> tuple[list[Change], list[str]]:
    folder = places.plugin
    if places.here is not None and is_in_project(places.here):
        reason = f"it is installed for this project already, so hooks would run twice; `{TAKE_OUT} --scope project` takes it out"
        raise HostFileUnusable(places.here / LOCAL_SETTINGS, reason)
    files = plugin(how)
    if not (folder / RECORD).exists() and _is_of_others(folder, files):
        raise HostFileUnusable(
            folder, "another plugin or skill has this name, or files of yours are there: move them elsewhere"
        )
    changes = _put_in(folder, files)
    kept = [_kept(change) for change in changes if change.kept is not None]
    return changes, [*_not_there_yet(places.config), *_another_home(folder / HOOKS_FILE, how), *kept]


def _is_of_others(folder: Path, files: Mapping[str, str]) -> bool:
    """Whether something is in the plugin's folder that is neither Archivist's nor was left of it."""
    inside = (path for path in folder.rglob("*") if path.is_symlink() or not path.is_dir())
    names = {KEPT_NAME.sub("", path.relative_to(folder).as_posix()) for path in inside}
    if not names <= files.keys():
        return True
    try:
        manifest = parsed(read_text(folder / MANIFEST) or "{}")
        return bool(manifest) and manifest["author"]["name"] != AUTHOR
    except (ValueError, LookupError, TypeError, RecursionError):
        return True


def _put_in(folder: Path, files: Mapping[str, str]) -> list[Change]:
    """Write files and the record of them; what a hand has written in their place is kept beside."""
    before = _recorded(folder)
    changes = [
        _written(folder / name, text, is_edited=_is_edited(folder / name, before.get(name)))
        for name, text in files.items()
    ]
    record = {"files": {name: digest_of(text.encode()) for name, text in files.items()}}
    changes.append(to_write(folder / RECORD, json.dumps(record, indent=2) + "\n", keep=False))
    gone = [name for name in before if name not in files and (folder / name).exists()]
    return changes + [Change(resolved(folder / name), "removed") for name in gone]


def _written(path: Path, text: str, *, is_edited: bool) -> Change:
    """The change after which a file holds this text; every edit of it is kept, under a number where an earlier one is kept already."""
    change = to_write(path, text, keep=is_edited)
    if not is_edited or change.done != "changed" or change.kept is not None:
        return change
    places = (change.path.with_name(f"{path.name}.{number}{KEPT}") for number in count(2))
    return replace(change, kept=next(place for place in places if not place.exists()))


def _from_user(places: Places) -> tuple[list[Change], list[str]]:
    changes, notices = _take_out(places.plugin)
    notices += [f"{path} is what you had written there, so it stays" for path in _kept_in(places.plugin)]
    if not changes and places.here is not None and is_in_project(places.here):
        notices.append(f"it is installed for this project alone: `{TAKE_OUT} --scope project` takes it out")
    return changes, notices


def _take_out(folder: Path) -> tuple[list[Change], list[str]]:
    """Remove the files that were put in a folder, and the record of them."""
    changes, notices = list[Change](), list[str]()
    for name, digest in _recorded(folder).items():
        path = folder / name
        if _is_edited(path, digest):
            notices.append(f"{path} was edited since, so it stays")
        elif path.exists():
            changes.append(Change(resolved(path), "removed"))
    if (folder / RECORD).exists():
        changes.append(Change(resolved(folder / RECORD), "removed"))
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
        skill = _skill(places)
        folders = [skill, skill.parent, skill.parent.parent]
    else:
        inside = places.plugin.rglob("*") if places.plugin.is_dir() and not places.plugin.is_symlink() else ()
        below = sorted((path for path in inside if path.is_dir()), reverse=True)
        folders = [*below, places.plugin, places.plugin.parent]
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
        edited(places.of(LOCAL_SETTINGS), lambda text: with_hooks(text, how), without_hooks),
        edited(places.of(SERVERS), lambda text: with_server(text, how), without_server),
        *_put_in(_skill(places), {GUIDE: guide()}),
    ]
    note = f"{SERVERS} names a Python of this machine, and the skill teaches its tools: leave both out of what others check out"
    kept = [_kept(change) for change in changes if change.kept is not None]
    return changes, [note, *_another_home(places.of(LOCAL_SETTINGS), how), *kept]


def _from_project(places: Places) -> tuple[list[Change], list[str]]:
    changes, notices = list[Change](), list[str]()
    for path, taken in (
        (places.of(LOCAL_SETTINGS), without_hooks),
        (places.of(SERVERS), without_server),
    ):
        changed, told = taken_out(path, taken)
        changes, notices = changes + changed, notices + told
    skill = _skill(places)
    changed, told = _take_out(skill)
    if changed and not told:
        changed = _brought_back(resolved(skill / GUIDE), changed)
    changes, notices = changes + changed, notices + told
    if not changes and recorded(places):
        notices.append(f"it is installed for all projects: `{TAKE_OUT}` takes it out")
    return changes, notices


def _brought_back(path: Path, changes: list[Change]) -> list[Change]:
    """The changes by which a file goes, and what was there before it comes back."""
    kept = resolved(path.with_name(path.name + KEPT))
    before = read(kept)
    if before is None:
        return changes
    others = [change for change in changes if change.path != path]
    return [Change(path, "changed", before), *others, Change(kept, "removed")]


def _not_there_yet(config: Path) -> list[str]:
    """What is told where Claude Code has no folder."""
    if config.is_dir():
        return []
    return [
        f"{config} was not there: Claude Code has not run here yet, or has its folder elsewhere (CLAUDE_CONFIG_DIR)"
    ]


def _another_home(path: Path, how: Starting) -> list[str]:
    """What is told of where Claude Code had its memory until now, where that was another home."""
    before = installed_how(path)
    if before is None or home_of(before, {}) == home_of(how, {}):
        return []
    return [f"Claude Code used the home {home_of(before, {})} until now; its memory stays there"]


def _skill(places: Places) -> Path:
    return places.of(Path(".claude", "skills", SKILL))


def _kept(change: Change) -> str:
    return f"what {change.path} was before is kept in {change.kept}"

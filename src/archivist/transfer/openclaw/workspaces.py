"""The folders in which agents keep their notes, and what in them may be read.

They are named by the configuration or lie beside it. What leads out of them is not read: a folder that is the whole home, a link to
another place, a file that is another file's second name.
"""

import os
import re
import stat
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import msgspec

from archivist.transfer.openclaw.config import Config

PATTERNS = ("workspace", "workspace-*", "workspace.*")
OLD_DEFAULT = "clawd"
"""What the folder was called when the program was, beside the program's own folder."""

ROOT_NAME = re.compile(r"\.(?:openclaw|moltbot|clawdbot)(?:-.+)?")


class Workspace(msgspec.Struct, frozen=True):
    """A folder of an agent; `name` stands before the names of its files, wherever it lies."""

    path: Path
    name: str


class NoteFile(msgspec.Struct, frozen=True):
    """A text file of a workspace.

    Attributes:
        name: Its path below the workspace.
    """

    path: Path
    name: str


def find_workspaces(root: Path, config: Config, notices: Counter[str]) -> list[Workspace]:
    """Every workspace of the program's folder; notices take up what a person should know of those that cannot be had."""
    found: dict[Path, str] = {}
    for agent, folder in config.workspaces:
        path = _configured(root, folder, agent, notices)
        if path is not None:
            found.setdefault(path, _name(root, path, agent, found))
    beside = [path for pattern in PATTERNS for path in sorted(root.glob(pattern)) if path.is_dir()]
    old = root.parent / OLD_DEFAULT
    if not config.workspaces and ROOT_NAME.fullmatch(root.name) and old.is_dir():
        beside.append(old)
    for path in beside:
        found.setdefault(path, _name(root, path, "", found))
    allowed = []
    for path, name in found.items():
        reason = _refusal(root, path)
        if reason:
            notices[f"the workspace {path} was not read: it {reason}"] += 1
        else:
            allowed.append(Workspace(path, name))
    return allowed


def note_files(workspace: Workspace, notices: Counter[str]) -> Iterator[NoteFile]:
    """The text files at the top of a workspace and all of those in its memory; notices take up what is passed over."""
    yield from _judged(sorted(workspace.path.glob("*.md")), workspace.path, notices)
    memory = workspace.path / "memory"
    if memory.is_symlink():
        notices[f"the memory folder {memory} was not read: it is a symbolic link"] += 1
        return
    for folder, folders, files in os.walk(memory):
        at = Path(folder)
        linked = [name for name in folders if (at / name).is_symlink()]
        notices.update(f"the folder {at / name} was not read: it is a symbolic link" for name in linked)
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        paths = [at / name for name in sorted(files) if name.lower().endswith(".md")]
        yield from _judged(paths, workspace.path, notices)


def _judged(paths: list[Path], workspace: Path, notices: Counter[str]) -> Iterator[NoteFile]:
    for path in paths:
        try:
            status = path.lstat()
        except OSError:
            continue
        if stat.S_ISLNK(status.st_mode):
            notices[f"{path} was not read: it is a symbolic link"] += 1
        elif stat.S_ISREG(status.st_mode) and status.st_nlink > 1:
            notices[f"{path} was not read: it is a hard link"] += 1
        elif stat.S_ISREG(status.st_mode):
            yield NoteFile(path, path.relative_to(workspace).as_posix())


def _configured(root: Path, folder: str, agent: str, notices: Counter[str]) -> Path | None:
    """A configured folder; the one of that name beside the configuration where the folder is another machine's."""
    path = _expanded(root, folder)
    beside = root / path.name
    is_elsewhere = not path.is_relative_to(root) and ROOT_NAME.fullmatch(path.parent.name) is not None
    if beside.is_dir() and (is_elsewhere or not path.is_dir()):
        if path != beside:
            notices[f"the configured workspace {path} is not on this machine: {beside} was read"] += 1
        return beside
    if path.is_dir():
        return path
    whose = f" of agent {agent}" if agent else ""
    notices[f"the configured workspace {path}{whose} was not found"] += 1
    return None


def _expanded(root: Path, folder: str) -> Path:
    home = str(root.parent)
    folder = folder.strip().replace("${HOME}", home)
    if folder in {"~", "~/", "$HOME"}:
        return root.parent
    for prefix in ("~/", "~\\", "$HOME/"):
        if folder.startswith(prefix):
            return root.parent / folder.removeprefix(prefix)
    return Path(os.path.normpath(root / folder))


def _name(root: Path, path: Path, agent: str, taken: dict[Path, str]) -> str:
    if path.is_relative_to(root) and path != root:
        return path.relative_to(root).as_posix()
    name = path.name or "workspace"
    return f"{name}@{agent or len(taken)}" if name in taken.values() or (root / name).exists() else name


def _refusal(root: Path, path: Path) -> str:
    """Why a folder may not be read as a workspace; empty where it may."""
    if path.is_symlink():
        return "is a symbolic link"
    full = path.resolve()
    if root.resolve().is_relative_to(full) or _home().is_relative_to(full):
        return "is the home folder or holds it"
    return ""


def _home() -> Path:
    try:
        return Path.home().resolve()
    except (OSError, RuntimeError):
        return Path("/")

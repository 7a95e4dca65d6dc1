"""Where a path of a model leads, and whether that is its workspace's affair: decided on the real place, without links."""

import os
from pathlib import Path
from typing import Final

import msgspec
from msgspec.structs import replace

from archivist.records.approvals import Ask
from archivist.records.display import visible
from archivist.records.patterns import late_pattern
from archivist.tools.approving import NOBODY
from archivist.tools.arguments import Refused
from archivist.tools.context import Workspace
from archivist.tools.credentials import has_credentials

_RUN_BY_GIT: Final = late_pattern(r"(?i)(?:^|/)\.git(?:/|$)")


class Place(msgspec.Struct, frozen=True):
    """Where a path leads.

    Attributes:
        real: Its real place; what is no longer so when it is opened is refused by whoever opens it.
        shown: Below the workspace, or whole where it is outside.
        is_inside: Whether it is in the workspace.
        has_credentials: Whether its name says that there are keys or passwords in it.
    """

    real: Path
    shown: str
    is_inside: bool
    has_credentials: bool


def place_of(workspace: Workspace, path: str) -> Place:
    """Where a path leads, from the workspace where it is not whole.

    Raises:
        Refused: It can be no path.
    """
    if "\0" in path:
        raise Refused("path has a character that no path can have")
    try:
        real = Path(os.path.realpath(workspace.root / Path(path.strip()).expanduser()))
    except (OSError, ValueError, RuntimeError) as error:
        raise Refused(f"path leads nowhere ({error})") from error
    is_inside = real == workspace.root or workspace.root in real.parents
    shown = real.relative_to(workspace.root).as_posix() if is_inside else real.as_posix()
    return Place(real, shown, is_inside, has_credentials(real.as_posix()))


def may_read(workspace: Workspace, place: Place, tool: str) -> None:
    """Ask about what is outside, and about what has credentials.

    Raises:
        Refused: The answer is no.
    """
    why = is_guarded(workspace, place)
    if why:
        asked(
            workspace, Ask(tool, visible(f"read {place.shown}: {why}"), "outside", group=_read_group(place))
        )


def _read_group(place: Place) -> str:
    """What a yes for the session covers: a folder that is searched, a file with keys, or else the files beside the one that is read."""
    if place.real.is_dir():
        return f"search {place.real}"
    return f"read {place.real if place.has_credentials else place.real.parent}"


def is_guarded(workspace: Workspace, place: Place) -> str:
    """Why somebody must be asked before a place is read; empty where nobody need be."""
    if place.has_credentials:
        return "it may hold passwords or keys"
    if not place.is_inside:
        return "it is outside the workspace"
    return "it is Archivist's own" if is_archivists(workspace, place.real) else ""


def may_write(workspace: Workspace, place: Place, tool: str, title: str, detail: str) -> None:
    """Ask about a file that would be written.

    Args:
        workspace: Where.
        place: What would be written.
        tool: Who would.
        title: In one line.
        detail: How it would change.

    Raises:
        Refused: The answer is no, or nobody may.
    """
    if is_archivists(workspace, place.real):
        raise Refused(
            f"{place.shown} is Archivist's own: notes are changed with the tool memory, the rest by its owner"
        )
    title, detail = visible(title), visible(detail)
    if not place.is_inside:
        ask = Ask(tool, f"{title}: outside the workspace", "outside", detail, f"write {place.real.parent}")
    elif _RUN_BY_GIT.search(place.shown):
        ask = Ask(tool, f"{title}: git may run what stands there", "outside", detail)
    elif place.has_credentials:
        ask = Ask(tool, f"{title}: it may hold passwords or keys", "outside", detail)
    else:
        ask = Ask(tool, title, "write", detail, "write")
    asked(workspace, ask)


def asked(workspace: Workspace, ask: Ask) -> None:
    """Ask a person.

    Raises:
        Refused: The answer is no.
    """
    answer = workspace.approve(replace(ask, title=ask.title.replace("\n", "⟨U+000A⟩")))
    if answer == NOBODY:
        raise Refused(f"not done ({ask.title}): {answer.reason}")
    if answer.verdict == "no":
        reason = f": {answer.reason}" if answer.reason else ""
        raise Refused(f"not done, the user did not allow it ({ask.title}){reason}")


def is_archivists(workspace: Workspace, real: Path) -> bool:
    """Whether a real place is in Archivist's own folder."""
    if workspace.home is None:
        return False
    home = Path(os.path.realpath(workspace.home))
    if real == home or home in real.parents:
        return True
    return _is_file_of(home, real)


def _is_file_of(home: Path, real: Path) -> bool:
    """Whether it is one of the home's files by another name: another letter's case, a hard link, a mount."""
    try:
        found = real.stat()
    except OSError:
        found = None
    here = (home.stat().st_dev, home.stat().st_ino) if home.is_dir() else None
    above = [one for one in real.parents if one.exists()]
    if here is not None and any((one.stat().st_dev, one.stat().st_ino) == here for one in above):
        return True
    return found is not None and found.st_nlink > 1 and _has_twin(home, found)


def _has_twin(home: Path, found: os.stat_result) -> bool:
    for folder in (home, home / "memories"):
        try:
            entries = list(os.scandir(folder))
        except OSError:
            continue
        for entry in entries:
            status = entry.stat(follow_symlinks=False)
            if (status.st_dev, status.st_ino) == (found.st_dev, found.st_ino):
                return True
    return False


__all__ = ["Place", "asked", "is_archivists", "is_guarded", "may_read", "may_write", "place_of"]

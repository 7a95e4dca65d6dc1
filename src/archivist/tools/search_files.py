"""The tool `search_files`: lines of the files of the workspace that fit a pattern, or files whose names fit."""

import os
import shlex
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

import msgspec

from archivist.records.counts import counted
from archivist.tools.answering import answering
from archivist.tools.arguments import Arguments, Refused
from archivist.tools.context import Context, Workspace
from archivist.tools.files import exists_at, workspace_of
from archivist.tools.listing import MOST_FILES
from archivist.tools.looking import End, Line, Wanted
from archivist.tools.places import Place, is_archivists, may_read, place_of
from archivist.tools.results import NOTICES, schema_of, with_notices
from archivist.tools.running import Ran, run
from archivist.tools.terminal import environment
from archivist.tools.tool import Result, Tool

MOST_HITS: Final = 200
PAGE_CHARS: Final = 20_000
SECONDS: Final = 20
_MOST_BYTES: Final = 16 << 20
_MOST_OFFSET: Final = 10_000
_MOST_NAMED: Final = 5
_WORKER: Final = "import sys; sys.path += sys.argv[1:]; from archivist.tools.looking import main; main()"
"""It finds our own modules behind Python's, and no others: whatever lies in the workspace, or on the path of the program, is not run."""


def _answer(arguments: Arguments, context: Context) -> Result:
    workspace = workspace_of(context.workspace)
    place, wanted = _asked(arguments, workspace)
    ran = _run(workspace, wanted)
    lines, end = _read(ran)
    if end is not None and end.error:
        raise Refused(end.error)
    notices = [*arguments.notices, *_notices(ran, end)]
    offset = arguments.get("offset", 0)
    page = _page(lines, offset, _prefix(place))
    if not page.rows:
        if end is None:
            raise Refused(" ".join(notices))
        return with_notices({"success": True, "message": _nothing(offset, end)}, notices)
    if page.is_cut or (end is not None and end.is_cut):
        page.rows.append(
            f"[cut, there is more: search_files {_again(arguments)} offset={offset + page.hits}]"
        )
    return with_notices({"success": True, "text": "\n".join(page.rows)}, notices)


def _asked(arguments: Arguments, workspace: Workspace) -> tuple[Place, Wanted]:
    """Where is looked, and for what.

    Raises:
        Refused: There is nothing to look for, or nowhere, or it may not be looked there.
    """
    pattern, glob = arguments.get("pattern"), arguments.get("glob")
    if pattern is None and glob is None:
        raise Refused("give a pattern to look for in files, or a glob to list files by their names")
    place = place_of(workspace, arguments.get("path", "."))
    if not exists_at(place):
        raise Refused(f"there is no {place.shown}: give a folder or a file that is there")
    may_read(workspace, place, SEARCH_FILES.name)
    wanted = Wanted(
        str(place.real),
        pattern,
        glob,
        arguments.get("files_only", False),
        arguments.get("context", 0),
        arguments.get("offset", 0) + MOST_HITS,
        _avoided(workspace, place),
    )
    return place, wanted


def _avoided(workspace: Workspace, place: Place) -> str | None:
    """Archivist's own folder, unless a person let the search go there."""
    if workspace.home is None or is_archivists(workspace, place.real):
        return None
    return os.path.realpath(workspace.home)


def _run(workspace: Workspace, wanted: Wanted) -> Ran:
    """Search in a process of its own.

    Raises:
        Refused: There can be none.
    """
    homes = [str(Path(__file__).parents[2]), str(Path(msgspec.__file__ or "").parents[1])]
    try:
        return run(
            [sys.executable, "-I", "-S", "-c", _WORKER, *homes],
            cwd=workspace.root,
            env=environment(os.environ, workspace.hidden) | {"PYTHONDONTWRITEBYTECODE": "1"},
            timeout=SECONDS,
            stopped=workspace.stopped,
            most=_MOST_BYTES,
            given=msgspec.json.encode(wanted),
        )
    except OSError as error:
        raise Refused(f"files cannot be searched here: {error.strerror or error}") from error


def _read(ran: Ran) -> tuple[list[Line], End | None]:
    """What was printed, as far as it is whole."""
    lines, end = list[Line](), None
    for raw in ran.head.split(b"\n"):
        try:
            one = msgspec.json.decode(raw, type=Line | End)
        except (msgspec.DecodeError, msgspec.ValidationError):
            continue
        if isinstance(one, End):
            end = one
        else:
            lines.append(one)
    return lines, end


def _prefix(place: Place) -> str:
    """What stands before the paths of the search, to make them paths of the workspace."""
    if not place.real.is_dir():
        return place.shown.removesuffix(place.real.name)
    return "" if place.shown == "." else f"{place.shown.rstrip('/')}/"


class _Page(msgspec.Struct):
    """Rows that are told, how many of them are finds, and whether there are more."""

    rows: list[str] = []
    hits: int = 0
    is_cut: bool = False


def _page(lines: Iterable[Line], offset: int, prefix: str) -> _Page:
    """The finds from an offset on, as far as there is room."""
    page, room, passed = _Page(), PAGE_CHARS, 0
    for line in lines:
        if passed < offset or (passed == offset and line.is_beside and offset):
            passed += not line.is_beside
            continue
        row = _row(line, prefix)
        room -= len(row) + 1
        if page.rows and room < 0:
            page.is_cut = True
            return page
        page.rows.append(row)
        page.hits += not line.is_beside
    return page


def _row(line: Line, prefix: str) -> str:
    path = f"{prefix}{line.path}"
    if not line.number:
        return path
    mark = "-" if line.is_beside else ":"
    rest = (
        f" … [cut, {line.more:,} more characters: read_file path={path} offset={line.number} limit=1]"
        if line.more
        else ""
    )
    return f"{path}{mark}{line.number}{mark} {line.text}{rest}"


def _again(arguments: Arguments) -> str:
    """The arguments but the offset, as words."""
    return " ".join(
        f"{name}={shlex.quote(str(value))}" for name, value in arguments.values.items() if name != "offset"
    )


def _nothing(offset: int, end: End) -> str:
    if offset:
        return f"There is nothing more from {offset} on."
    among = f" in {counted(end.searched, 'file')}" if end.searched else ""
    return f"Nothing was found{among}; what git ignores is left out unless path names its folder."


def _notices(ran: Ran, end: End | None) -> list[str]:
    """What was not looked into, and why."""
    if ran.ending == "timeout":
        return [
            f"It took longer than {SECONDS} s and was ended: what was found by then is told. Use a simpler pattern, or a path."
        ]
    if ran.ending == "stopped":
        return ["The user stopped it."]
    if end is None:
        broke = ran.head.decode("utf-8", "replace").strip().rpartition("\n")[2][:200]
        return [f"The search broke off: {broke or 'no reason was given'}."]
    told = []
    if end.huge:
        told.append(f"Passed over for their size: {_named(end.huge)}.")
    if end.guarded:
        told.append(f"Passed over, they may hold passwords or keys: {_named(end.guarded)}.")
    if end.binary:
        told.append(f"Passed over, no text: {counted(end.binary, 'file')}.")
    if end.unreadable:
        told.append(f"Could not be read: {counted(end.unreadable, 'file or folder', 'files or folders')}.")
    if end.is_short:
        told.append(f"No more than {MOST_FILES:,} files are looked through: give a path further down.")
    return told


def _named(paths: list[str]) -> str:
    more = f" and {len(paths) - _MOST_NAMED:,} more" if len(paths) > _MOST_NAMED else ""
    return ", ".join(paths[:_MOST_NAMED]) + more


_SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "pattern": {
            "type": "string",
            "description": "Python regular expression; without it files are listed.",
        },
        "path": {"type": "string", "description": "Folder or file; the workspace where left out."},
        "glob": {"type": "string", "description": "*.py, src/**/*.{ts,tsx}"},
        "files_only": {"type": "boolean", "description": "Only the names of files that have it."},
        "context": {"type": "integer", "minimum": 0, "maximum": 20, "description": "Lines around each."},
        "offset": {
            "type": "integer",
            "minimum": 0,
            "maximum": _MOST_OFFSET,
            "description": "Finds to leave out.",
        },
    },
    "additionalProperties": False,
}

SEARCH_FILES: Final = Tool(
    name="search_files",
    title="Search files",
    description=(
        "Search the files of the workspace: lines that fit pattern, as path:line: text, or with glob alone the files whose names fit."
        " What git ignores is left out unless path names it. Sorted by path; the mark at the end says how to go on."
    ),
    schema=_SCHEMA,
    output=schema_of(
        message={"type": "string"},
        text={"type": "string"},
        notices=NOTICES,
    ),
    is_read_only=True,
    is_destructive=False,
    is_idempotent=True,
    call=answering(
        _answer, _SCHEMA, names={"query": "pattern", "regex": "pattern", "include": "glob"}, is_exact=True
    ),
)

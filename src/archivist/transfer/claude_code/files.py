"""Where session files lie, and which of them begin with the same line.

projects/FOLDER/SESSION.jsonl                       a session
projects/FOLDER/SESSION/subagents/agent-ID.jsonl    a sub-agent of it
projects/FOLDER/agent-ID.jsonl                      the same, in older versions
"""

import errno
import stat
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from uuid import UUID

from archivist.records.patterns import late_pattern
from archivist.transfer.claude_code.lines import Line, parse_line
from archivist.transfer.json_lines import read_lines
from archivist.transfer.json_text import NotJson

PEEKED_LINES = 50
HOME = ".claude"
PROJECTS = "projects"
PROJECT = late_pattern("(?:-|[A-Za-z]--).*")
"""What the program calls the folder of a project: its path, each character that is no letter or digit as a dash."""


def projects_folder(home: Path, environ: Mapping[str, str]) -> Path:
    """Where the program keeps its projects."""
    configured = environ.get("CLAUDE_CONFIG_DIR")
    return (Path(configured).expanduser() if configured else home / HOME) / PROJECTS


def is_agent(path: Path) -> bool:
    """Whether a file is one sub-agent's."""
    return path.name.startswith("agent-")


def session_paths(path: Path) -> list[Path]:
    """Session files at a path: a file, a session's folder, a project, or all projects."""
    if path.is_file():
        beside = path.with_suffix("") / "subagents"
        return [path, *sorted(found for found in beside.glob("agent-*.jsonl") if found.is_file())]
    if (path / PROJECTS).is_dir():
        path = path / PROJECTS
    patterns = ("*.jsonl", "subagents/agent-*.jsonl", "*/*.jsonl", "*/subagents/agent-*.jsonl")
    deep = "*/*/subagents/agent-*.jsonl"
    found = {found for pattern in (*patterns, deep) for found in path.glob(pattern) if found.is_file()}
    return sorted(found, key=lambda each: (is_agent(each), str(each)))


def is_project(folder: Path) -> bool:
    """Whether a folder is a project's: by its name, by where it stands, or by sessions in it."""
    if PROJECT.fullmatch(folder.name) or (folder.parent.name, folder.parent.parent.name) == (PROJECTS, HOME):
        return True
    return any(is_session_file(found) for found in islice(sorted(folder.glob("*.jsonl")), PEEKED_LINES))


def source_name(path: Path) -> str:
    """What names a session's file wherever it stands: a sub-agent's is named by its session too."""
    is_below = is_agent(path) and path.parent.name == "subagents"
    return f"{path.parent.parent.name}/{path.name}" if is_below else path.name


def main_id(path: Path, named: str | None) -> str:
    """A session's id: its file's name where that is one, for copied lines may name another session.

    Args:
        path: The session's file.
        named: The session id in its first line that has one.
    """
    try:
        return str(UUID(path.stem))
    except ValueError:
        return named or path.stem


def agent_parent(path: Path, named: str | None) -> str:
    """The session that a sub-agent's file belongs to."""
    folder = path.parent.parent.name if path.parent.name == "subagents" else ""
    return named or folder or "unknown"


def session_id(path: Path, named: str | None) -> str:
    """The id of a file's session, be it a sub-agent's or not."""
    return f"{agent_parent(path, named)}/{path.stem}" if is_agent(path) else main_id(path, named)


def peek(path: Path) -> Iterator[Line]:
    """Lines near the beginning of a file that can be read.

    Raises:
        OSError: It cannot be read, or is a pipe or a device, which would be waited for.
    """
    status = path.stat()
    if not stat.S_ISREG(status.st_mode):
        raise OSError(errno.EINVAL, "it is no regular file")
    for raw in islice(read_lines(path, status.st_size), PEEKED_LINES):
        try:
            if raw.raw and raw.raw.strip():
                yield parse_line(raw.raw)[0]
        except NotJson:
            continue


def is_session_file(path: Path) -> bool:
    """Whether a file looks like one of the program's."""
    if path.suffix != ".jsonl":
        return False
    try:
        return any(_is_line(line) for line in peek(path))
    except OSError:
        return False


def root_line(path: Path) -> str | None:
    """The id of the first line that has one: files that share it hold the same beginning."""
    try:
        return next((line.first_id for line in peek(path) if line.uuid), None)
    except OSError:
        return None


def _is_line(line: Line) -> bool:
    if line.type in {"user", "assistant", "system", "attachment", "progress"}:
        return bool(line.uuid and (line.session_id or line.message))
    return bool(line.type and (line.session_id or line.leaf_uuid)) or line.type == "file-history-snapshot"

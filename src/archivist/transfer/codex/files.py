"""Where rollout files lie, which session each is, and what it is called.

sessions/YYYY/MM/DD/rollout-TIME-SESSION.jsonl      a session
archived_sessions/rollout-TIME-SESSION.jsonl        one that was put away
session_index.jsonl                                 names of sessions, the last one counts
"""

import re
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import BinaryIO

import msgspec

from archivist.transfer.codex.lines import Line, Payload, parse_line, value_of
from archivist.transfer.compressed import opened
from archivist.transfer.foreign import SourceFile
from archivist.transfer.json_lines import READ_BYTES, lines_in, read_lines
from archivist.transfer.json_text import NotJson, shaped_or_none
from archivist.transfer.times import parse_time

PEEKED_LINES = 20
COMPRESSED = ".zst"
MOST_UNPACKED_BYTES = 4 * 1024**3
"""What a packed file may unfold to; a few bytes can pretend to be terabytes."""

INDEX = "session_index.jsonl"
INDEX_LEVELS = 6
ARCHIVE = "archived_sessions"
FOLDERS = ("", "[0-9][0-9]/", "[0-9][0-9]/[0-9][0-9]/", "[0-9][0-9][0-9][0-9]/[0-9][0-9]/[0-9][0-9]/")
NAME = re.compile(r"rollout-(\d{4}-\d\d-\d\d)(?:T(\d\d)-(\d\d)-(\d\d))?-(.+?)\.jsonl(?:\.zst)?")
KNOWN_TYPES = frozenset({"session_meta", "response_item", "event_msg", "turn_context", "compacted"})


class Named(msgspec.Struct):
    """A line of the index of sessions."""

    id: str | None = None
    thread_name: str | None = None


class Head(msgspec.Struct, frozen=True):
    """What the first line of a file says of its session.

    Attributes:
        time: When it was written.
        meta: Its payload.
        is_first: Whether it is the first line indeed, and no damaged one stands before it.
        others: The beginnings of other sessions that stand behind it.
    """

    time: datetime | None
    meta: Payload
    is_first: bool = False
    others: "tuple[Head, ...]" = ()

    @property
    def holds_another(self) -> bool:
        """Whether the beginning of another session stands behind it."""
        return bool(self.others)

    @property
    def may_hold_copies(self) -> bool:
        """Whether lines of the session that it came from may stand in the file; a sub-agent mostly begins with nothing."""
        return bool(self.meta.forked_from_id) or self.holds_another or self.spawned_by is None

    @property
    def began(self) -> datetime | None:
        """When the session began."""
        return parse_time(self.meta.timestamp) or self.time

    @property
    def spawned_by(self) -> str | None:
        """The session that a sub-agent works for; empty where it is a sub-agent of a session that is not named."""
        told = value_of(self.meta.source)
        inside = told.get("subagent") if isinstance(told, dict) else None
        if inside is None:
            return self.meta.parent_thread_id
        spawn = inside.get("thread_spawn") if isinstance(inside, dict) else None
        named = spawn.get("parent_thread_id") if isinstance(spawn, dict) else None
        return str(named or self.meta.parent_thread_id or self.meta.forked_from_id or "")

    @property
    def parent(self) -> str | None:
        """The session that this one came from; where it does not name it, the one whose beginning stands behind its own."""
        others = (other.meta.id for other in self.others)
        return self.spawned_by or self.meta.forked_from_id or next(others, None)

    def of(self, session: str) -> "Head":
        """What the file says of another session."""
        return next((other for other in self.others if other.meta.id == session), Head(None, Payload()))

    @property
    def branch(self) -> str | None:
        """The branch of its repository."""
        git = value_of(self.meta.git)
        found = git.get("branch") if isinstance(git, dict) else None
        return found if isinstance(found, str) else None


def codex_home(home: Path, environ: Mapping[str, str]) -> Path:
    """Where the program keeps what is its own."""
    configured = environ.get("CODEX_HOME")
    return Path(configured).expanduser() if configured else home / ".codex"


def rollout_paths(path: Path) -> list[Path]:
    """Rollout files at a path: a file, a home, its sessions or some of them."""
    if path.is_file():
        return [path]
    bases = [base for base in (path, path / "sessions", path / ARCHIVE) if base.is_dir()]
    found = {one for base in bases for one in _rollouts_in(base) if one.is_file()}
    return sorted(found, key=lambda one: (one.name, str(one)))


def _rollouts_in(base: Path) -> Iterator[Path]:
    for folder in FOLDERS:
        yield from base.glob(f"{folder}rollout-*.jsonl")
        yield from base.glob(f"{folder}rollout-*.jsonl{COMPRESSED}")


def is_compressed(path: Path) -> bool:
    """Whether a file has been packed to save room."""
    return path.suffix == COMPRESSED


def is_archived(path: Path) -> bool:
    """Whether its owner has put the session away."""
    return ARCHIVE in path.parts[:-1]


@contextmanager
def unfolded(path: Path) -> Iterator[BinaryIO]:
    """A file to be read from its beginning to its end, packed or not.

    Raises:
        OSError: It cannot be read, or is damaged.
    """
    with opened(path) if is_compressed(path) else path.open("rb", buffering=READ_BYTES) as file:
        yield file


@contextmanager
def unfolded_whole(path: Path) -> Iterator[BinaryIO]:
    """A file to be read here and there; one that is packed is unfolded beside first.

    Raises:
        OSError: It cannot be read, is damaged, or is larger than a session ever is.
    """
    if not is_compressed(path):
        with path.open("rb", buffering=READ_BYTES) as file:
            yield file
        return
    with tempfile.TemporaryFile() as beside:
        with opened(path) as packed:
            while piece := packed.read(READ_BYTES):
                if beside.tell() > MOST_UNPACKED_BYTES:
                    raise OSError(f"it unfolds to more than {MOST_UNPACKED_BYTES} bytes")
                beside.write(piece)
        yield beside


def end_of(file: SourceFile) -> int:
    """Where to stop reading a file: what is written later waits for the next time; nobody writes to one that is packed."""
    return sys.maxsize if is_compressed(file.path) else file.bytes


def session_id(path: Path, head: "Head") -> str:
    """A session's id: its file's first line says it; the file's name counts only where that line cannot be read."""
    if head.is_first and head.meta.id:
        return head.meta.id
    return session_in_name(path) or head.meta.id or path.stem


def session_in_name(path: Path) -> str | None:
    """The session that a file's name says."""
    match = NAME.fullmatch(path.name)
    return match[5] if match else None


def time_in_name(path: Path) -> datetime | None:
    """When a file was begun, as its name says: the clock of the wall, taken for UTC."""
    match = NAME.fullmatch(path.name)
    if not match:
        return None
    clock = ":".join(match[part] or "00" for part in (2, 3, 4))
    try:
        return datetime.fromisoformat(f"{match[1]}T{clock}").replace(tzinfo=UTC)
    except ValueError:
        return None


def titles_beside(path: Path) -> dict[str, str]:
    """The names of sessions, from the index in the home that a path lies in."""
    for folder in (path, *path.absolute().parents)[:INDEX_LEVELS]:
        index = folder / INDEX
        if index.is_file():
            return _titles_in(index)
    return {}


def _titles_in(index: Path) -> dict[str, str]:
    titles: dict[str, str] = {}
    try:
        for line in read_lines(index, index.stat().st_size):
            named = shaped_or_none(line.raw or b"", Named) or Named()
            if named.id and named.thread_name and named.thread_name.strip():
                titles[named.id] = named.thread_name.strip()
    except OSError:
        return titles
    return titles


def peek(path: Path) -> Iterator[Line | None]:
    """Lines near the beginning of a file; None for one that cannot be read."""
    with unfolded(path) as file:
        for raw in islice(lines_in(file), PEEKED_LINES):
            try:
                if not raw.is_blank:
                    yield parse_line(raw.raw or b"")
            except NotJson:
                yield None


def head_of(path: Path) -> Head:
    """What a file says of its session; empty where it says nothing or cannot be read."""
    try:
        lines = list(peek(path))
    except OSError:
        lines = []
    metas = [line for line in lines if line and line.type == "session_meta"]
    if not metas:
        return Head(None, Payload())
    first, *later = metas
    others = {line.payload.id: line for line in later if line.payload.id not in {None, first.payload.id}}
    told = tuple(Head(parse_time(line.time), line.payload) for line in others.values())
    return Head(parse_time(first.time), first.payload, lines[0] is not None, told)


def is_rollout(path: Path) -> bool:
    """Whether a file looks like one of the program's."""
    if is_compressed(path):
        return bool(NAME.fullmatch(path.name))  # one that is damaged must be named, not passed over
    if path.suffix != ".jsonl":
        return False
    try:
        return any(_is_line(line, path) for line in peek(path) if line)
    except OSError:
        return False


def _is_line(line: Line, path: Path) -> bool:
    if NAME.fullmatch(path.name):
        return line.type in KNOWN_TYPES
    # under another name, bare payloads look like the lines of other programs
    return line.type == "session_meta" and bool(
        line.payload.id and (line.payload.cwd or line.payload.cli_version)
    )

"""Files that repeat each other's lines.

Resuming or forking a conversation copies its lines, with their ids, into a new file. Each line belongs to the session that
had it first. A file that has no line of its own is the oldest; of the others the one whose own lines begin earlier. A line is the
same when its id and its message are: some programs number the lines of every file alike.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from datetime import datetime
from pathlib import Path

import msgspec

from archivist.transfer.claude_code.files import is_agent, root_line, session_id
from archivist.transfer.claude_code.lines import Copied, first_id, parse_line
from archivist.transfer.foreign import SourceFile, SourceUnreadable
from archivist.transfer.json_lines import read_lines
from archivist.transfer.json_text import NotJson
from archivist.transfer.times import UNKNOWN, parse_time

NO_MESSAGE = msgspec.Raw(b"")

Identity = tuple[str, int]
"""A line's id and a hash of its message."""


class Head(msgspec.Struct, rename="camel"):
    """The fields of a line that say who it is."""

    uuid: str | None = None
    timestamp: str | None = None
    session_id: str | None = None
    forked_from: Copied | None = None
    message: msgspec.Raw = NO_MESSAGE


HEAD = msgspec.json.Decoder(Head)


class Family(msgspec.Struct):
    """Files with the same first line, and whose each shared line is.

    Attributes:
        files: The oldest first.
        sessions: The session of each file.
        borrowed: For each file, the ids of its lines that belong to another session, with that session's id.
    """

    files: list[Path]
    sessions: dict[Path, str]
    borrowed: dict[Path, dict[str, str]] = {}

    def origin_of(self, path: Path) -> str | None:
        """The session that a file goes on from: the owner of the last line that it shares."""
        return next(reversed(self.borrowed[path].values()), None)


def families_of(files: Sequence[SourceFile]) -> list[list[SourceFile]]:
    """Files by the id of their first line."""
    groups: defaultdict[str, list[SourceFile]] = defaultdict(list)
    for file in files:
        groups[root_line(file.path) or str(file.path)].append(file)
    return list(groups.values())


def settle(
    files: Iterable[SourceFile],
    *,
    first: Collection[Path] = (),
    is_known: Callable[[str], bool] = lambda _session: False,
) -> Family:
    """Find out whose the shared lines are.

    Args:
        files: With the same first line.
        first: Those of them that count as older than others, for they were read before.
        is_known: Whether a session is stored, or was deleted here. One that is counts as older still: of a file that only repeated another,
            nothing was.

    Raises:
        SourceUnreadable: A file cannot be read.
    """
    lines: dict[Path, dict[Identity, datetime | None]] = {}
    sessions: dict[Path, str] = {}
    for file in files:
        lines[file.path], named = _heads(file)
        sessions[file.path] = session_id(file.path, named)
    held = Counter(line for heads in lines.values() for line in heads)

    def age(path: Path) -> tuple[bool, bool, bool, datetime, int, str]:
        own = (time for line, time in lines[path].items() if held[line] == 1 and time)
        is_new = not is_known(sessions[path])
        return is_new, path not in first, is_agent(path), next(own, UNKNOWN), len(lines[path]), path.name

    family = Family(sorted(lines, key=age), sessions)
    owners: dict[Identity, Path] = {}
    for path in family.files:
        for line in lines[path]:
            if held[line] > 1:
                owners.setdefault(line, path)
        borrowed = ((line[0], owners[line]) for line in lines[path] if line in owners)
        family.borrowed[path] = {uuid: sessions[owner] for uuid, owner in borrowed if owner != path}
    return family


def _heads(file: SourceFile) -> tuple[dict[Identity, datetime | None], str | None]:
    """The lines of a file with their times, and the first session id in them."""
    heads: dict[Identity, datetime | None] = {}
    named = None
    try:
        for raw in read_lines(file.path, file.bytes):
            head = _head(raw.raw or b"{}")
            named = named or head.session_id
            if uuid := first_id(head.uuid, head.forked_from):
                heads.setdefault((uuid, hash(bytes(head.message))), parse_time(head.timestamp))
    except OSError as error:
        raise SourceUnreadable(file.path, str(error)) from error
    return heads, named


def _head(raw: bytes) -> Head:
    try:
        return HEAD.decode(raw)
    except (msgspec.DecodeError, RecursionError):
        pass
    try:
        line, _ = parse_line(raw)
    except NotJson:
        return Head()
    message = msgspec.Raw(msgspec.json.encode(line.message))
    return Head(line.uuid, str(line.timestamp), line.session_id, line.forked_from, message)

"""Data exports of chat programs, each conversation one element of an array or one line.

What the exports have in common: which files hold conversations, whose they are, and that what is no conversation is counted all the same.
"""

import re
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Final

from archivist.records import SessionStart
from archivist.transfer.containers import Assets, Listing, Member, is_zip, list_members, opened
from archivist.transfer.fingerprints import Fingerprint
from archivist.transfer.foreign import (
    Content,
    ForeignSession,
    Found,
    SourceFile,
    SourceUnreadable,
)
from archivist.transfer.json_stream import Damaged, first_names, read_elements, read_lines

READER_REVISION = 1
CONVERSATIONS = re.compile(r"conversations(?:[-_]?\d+)?\.jsonl?")
OTHER_FILES = ("chat.html", "user.json", "users.json", "message_feedback.json")
LOOKED_AT_IN_DOWNLOADS = 40
NO_CONVERSATION = "no conversation"
CUT_OFF = "invalid JSON"


def _nothing_to_say(_: Listing) -> Mapping[str, int]:
    return {}


@dataclass(frozen=True, slots=True)
class Kind:
    """One program's exports.

    Attributes:
        source: The format's name.
        program: What people call the program.
        member: The member of a conversation by which it is known.
        read: Makes a session of a conversation, given the images and uploads of its export.
        notices: What to say of the other files of an export.
    """

    source: str
    program: str
    member: str
    read: Callable[[dict[str, Any], Assets], ForeignSession]
    notices: Callable[[Listing], Mapping[str, int]] = _nothing_to_say


KINDS: Final = {"mapping": "chatgpt", "chat_messages": "claude"}
"""Whose a conversation is, by a member that only theirs have."""


def find_exports(kind: Kind, home: Path) -> list[Found]:
    """The newest ZIP files among the downloads that hold such an export."""
    try:
        downloads = [(path.stat().st_mtime, path) for path in (home / "Downloads").glob("*.zip")]
        newest = [path for _, path in sorted(downloads, reverse=True)[:LOOKED_AT_IN_DOWNLOADS]]
        return [Found(kind.source, path, None, path.stat().st_size) for path in newest if _holds(kind, path)]
    except OSError:
        return []


def is_export(kind: Kind, path: Path) -> bool:
    """Whether there is such an export at a path; a look at the first conversations tells.

    Raises:
        SourceUnreadable: It is a ZIP file, but it is damaged or refused.
    """
    if path.is_file() and is_zip(path):
        for error in list_members(path).refused:
            raise error
    return _holds(kind, path)


def _holds(kind: Kind, path: Path) -> bool:
    if path.is_file() and path.suffix.lower() not in {".json", ".jsonl"} and not is_zip(path):
        return False
    return any(owner_of(member) == kind.source for member in _conversation_files(list_members(path), path))


def _conversation_files(listing: Listing, path: Path) -> Sequence[Member]:
    return listing.members if path.is_file() and not is_zip(path) else listing.named(CONVERSATIONS)


def owner_of(member: Member) -> str | None:
    """Whose conversations a file holds; None where that cannot be told."""
    try:
        with opened(member) as file:
            names = first_names(file, in_lines=in_lines(member))
    except SourceUnreadable:
        return None
    return next((KINDS[name] for name in names if name in KINDS), None)


def in_lines(member: Member) -> bool:
    """Whether a file holds one conversation a line."""
    return member.base.lower().endswith(".jsonl")


class Export:
    """An export, opened."""

    def __init__(self, kind: Kind, path: Path) -> None:
        self._kind, self._path = kind, path
        self._listing = list_members(path)
        self._members: dict[Path, Member] = {}
        self._refused = {error.path: error for error in self._listing.refused}
        self.files = [*self._own_files(), *(SourceFile(path, str(path), 0, "") for path in self._refused)]
        self._notices = dict(kind.notices(self._listing))

    def in_order(self, changed: Sequence[SourceFile]) -> Sequence[SourceFile]:
        """As they are: older files first, for what a newer one says of a conversation counts."""
        return changed

    def read(self, file: SourceFile, earlier: str | None) -> Content:  # noqa: ARG002 - part of the interface
        """Open one file of conversations.

        Raises:
            SourceUnreadable: Its ZIP file is refused.
        """
        if file.path in self._refused:
            raise self._refused[file.path]
        assets = Assets(self._assets_folder(), self._listing.members)
        told = _Conversations(self._kind, self._members[file.path], assets, self._notices)
        self._notices = {}
        sessions = iter(told)
        return Content(
            sessions, lambda: Fingerprint(file.print, told.sessions).text(), partial(_close, sessions, assets)
        )

    def _own_files(self) -> Iterator[SourceFile]:
        """The files of conversations that are this program's, or may be."""
        members = _conversation_files(self._listing, self._path)
        owners = {member.path: owner_of(member) for member in members}
        own = [member for member in members if owners[member.path] in {self._kind.source, None}]
        for member in own or members:
            self._members[member.path] = member
            yield _source_file(member)

    def _assets_folder(self) -> Path:
        """The folder of an export; that of a file by itself only where other files say that it is one."""
        folder = self._path.parent
        if self._path.is_file() and any((folder / name).is_file() for name in OTHER_FILES):
            return folder
        return self._path


@dataclass(slots=True)
class _Conversations:
    """The conversations of one file.

    Attributes:
        sessions: How many with messages have been told.
    """

    kind: Kind
    member: Member
    assets: Assets
    notices: Mapping[str, int]
    sessions: int = 0
    elements: int = 0
    conversations: int = 0

    def __iter__(self) -> Generator[ForeignSession, None, None]:
        with opened(self.member) as file:
            path = self.member.path
            elements = read_lines(file) if in_lines(self.member) else read_elements(file, path=path)
            try:
                for element in elements:
                    yield self._session(element)
            except SourceUnreadable:
                yield self._counted(CUT_OFF)
                raise
        if self.elements and not self.conversations:
            reason = f"it holds no conversations of {self.kind.program}"
            raise SourceUnreadable(self.member.path, reason, "give the path of its data export")

    def _session(self, element: object) -> ForeignSession:
        self.elements += 1
        if isinstance(element, Damaged):
            return self._counted(element.reason)
        if not isinstance(element, dict) or self.kind.member not in element:
            return self._counted(NO_CONVERSATION)
        self.conversations += 1
        session = self.kind.read(element, self.assets)
        self.sessions += session.read > sum(session.skipped.values())
        notices, self.notices = self.notices, {}
        return replace(session, notices={**session.notices, **notices}) if notices else session

    def _counted(self, reason: str) -> ForeignSession:
        """A record that is no conversation, as a session without messages."""
        start = SessionStart(source=self.kind.source, external_id=f"{self.member.name}#{self.elements}")
        return ForeignSession(start=start, messages=(), read=1, skipped={reason: 1})


def _close(sessions: Generator[ForeignSession, None, None], assets: Assets) -> None:
    sessions.close()
    assets.close()


def _source_file(member: Member) -> SourceFile:
    """A file as it is now, named by what it holds; one that cannot be read is named all the same."""
    try:
        look = member.print
    except OSError:
        return SourceFile(member.path, str(member.path), 0, "")
    return SourceFile(member.path, f"{member.base}@{look}", member.bytes, f"{READER_REVISION}:{look}")

"""Data exports of chat programs, each conversation one element of an array or one line.

What the exports have in common: which files hold conversations, whose they are, and that what is no conversation is counted all the same.
"""

import re
import stat
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, Final

import msgspec
from msgspec.structs import replace

from archivist.records import SessionStart
from archivist.transfer.containers import Archives, Assets, Listing, Member, is_zip, list_members, opened
from archivist.transfer.curated import Curated
from archivist.transfer.fingerprints import Fingerprint
from archivist.transfer.foreign import (
    Content,
    ForeignSession,
    Found,
    Reading,
    SourceFile,
    SourceUnreadable,
)
from archivist.transfer.json_stream import Damaged, first_names, read_elements, read_values
from archivist.transfer.reasons import DAMAGED, INVALID

READER_REVISION = 1
CONVERSATIONS = re.compile(r"conversations(?:[-_]?\d+)?\.jsonl?", re.IGNORECASE)
OTHER_FILES = ("chat.html", "user.json", "users.json", "message_feedback.json")
LOOKED_AT_IN_DOWNLOADS = 40


def _nothing_to_say(_: Listing) -> Mapping[str, int]:
    return {}


Standing = Mapping[str, tuple[datetime, object]]
"""What conversations tell again and again, by what it is: when it was told, and what."""


def _holds_no_notes(_: Listing) -> bool:
    return False


def _nothing_noted(_: Listing, __: Standing) -> Iterable[Curated]:
    return ()


def _nothing_stands(_: dict[str, Any]) -> Standing:
    return {}


class Kind(msgspec.Struct, frozen=True):
    """One program's exports.

    Attributes:
        source: The format's name.
        program: What people call the program.
        member: The member of a conversation by which it is known.
        read: Makes a session of a conversation, given the images and uploads of its export.
        notices: What to say of the other files of an export.
        standing: What of a conversation is no message and told again in others; the newest telling counts.
        curated: The curated texts of an export.
        is_noted: Whether an export holds curated texts beside its conversations, which make it one without any.
    """

    source: str
    program: str
    member: str
    read: Callable[[dict[str, Any], Assets], ForeignSession]
    notices: Callable[[Listing], Mapping[str, int]] = _nothing_to_say
    standing: Callable[[dict[str, Any]], Standing] = _nothing_stands
    curated: Callable[[Listing, Standing], Iterable[Curated]] = _nothing_noted
    is_noted: Callable[[Listing], bool] = _holds_no_notes


class ExportCodec:
    """The codec of a kind; one class a kind says which.

    Attributes:
        kind: The kind.
    """

    kind: ClassVar[Kind]

    @property
    def name(self) -> str:
        """The format's name."""
        return self.kind.source

    def find(self, home: Path, environ: Mapping[str, str]) -> list[Found]:  # noqa: ARG002 - part of the interface
        """Exports among the downloads."""
        return find_exports(self.kind, home)

    def recognises(self, path: Path) -> bool:
        """A file of such conversations, or a folder or ZIP file with one."""
        return is_export(self.kind, path)

    def owned(self, path: Path) -> Sequence[Path]:  # noqa: ARG002 - part of the interface
        """None: an export may lie among other files."""
        return ()

    def open(self, path: Path, reading: Reading) -> "Export":  # noqa: ARG002 - part of the interface
        """Open an export."""
        return Export(self.kind, path)


KINDS: Final = {"mapping": "chatgpt", "chat_messages": "claude"}
"""Whose a conversation is, by a member that only theirs have."""


def find_exports(kind: Kind, home: Path) -> list[Found]:
    """The newest ZIP files among the downloads that hold such an export."""
    downloads = [file for path in (home / "Downloads").glob("*.zip") if (file := _with_status(path))]
    newest = sorted(downloads, reverse=True)[:LOOKED_AT_IN_DOWNLOADS]
    return [Found(kind.source, path, None, size) for _, path, size in newest if _holds(kind, path)]


def _with_status(path: Path) -> tuple[float, Path, int] | None:
    """When a file was written, the file, and its size; None where it is gone, which must not hide the others."""
    try:
        status = path.stat()
    except OSError:
        return None
    if not stat.S_ISREG(status.st_mode):
        return None
    return status.st_mtime, path, status.st_size


def is_export(kind: Kind, path: Path) -> bool:
    """Whether there is such an export at a path; a look at the first conversations tells.

    Raises:
        SourceUnreadable: It is a ZIP file, but it is damaged or refused.
    """
    if not (path.is_file() and is_zip(path)):
        return _holds(kind, path)
    listing = list_members(path)
    for error in listing.refused:
        raise error
    damage = None
    with Archives() as archives:
        for member in listing.named(CONVERSATIONS):
            try:
                if _owner_in(_names_in(member, archives)) == kind.source:
                    return True
            except SourceUnreadable as error:
                damage = damage or error
    if kind.is_noted(listing):
        return True
    if damage:
        raise damage
    return False


def _holds(kind: Kind, path: Path) -> bool:
    if path.is_file() and path.suffix.lower() not in {".json", ".jsonl"} and not is_zip(path):
        return False
    listing = list_members(path)
    with Archives() as archives:
        members = _conversation_files(listing, path)
        if any(owner_of(member, archives) == kind.source for member in members):
            return True
    return kind.is_noted(listing)


def _conversation_files(listing: Listing, path: Path) -> Sequence[Member]:
    return listing.members if path.is_file() and not is_zip(path) else listing.named(CONVERSATIONS)


def owner_of(member: Member, archives: Archives) -> str | None:
    """Whose conversations a file holds; None where that cannot be told."""
    try:
        return _owner_in(_names_in(member, archives))
    except SourceUnreadable:
        return None


def _owner_in(names: Sequence[str]) -> str | None:
    return next((KINDS[name] for name in names if name in KINDS), None)


def _names_in(member: Member, archives: Archives) -> list[str]:
    with opened(member, archives) as file:
        return first_names(file, in_lines=in_lines(member))


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
        self._archives = Archives()
        self._assets = Assets(self._assets_folder(), self._listing.members, self._archives)
        self._unread = 0
        self._standing: dict[str, tuple[datetime, object]] = {}

    def curated(self) -> Iterable[Curated]:
        """What the program has noted of its user, and what it was told once for all conversations."""
        return self._kind.curated(self._listing, self._standing)

    def in_order(self, changed: Sequence[SourceFile]) -> Sequence[SourceFile]:
        """As they are: older files first, for what a newer one says of a conversation counts."""
        self._unread = len(changed)
        return changed

    def read(self, file: SourceFile, earlier: str | None) -> Content:  # noqa: ARG002 - part of the interface
        """Open one file of conversations.

        Raises:
            SourceUnreadable: Its ZIP file is refused.
        """
        self._unread -= 1
        if file.path in self._refused:
            raise self._refused[file.path]
        told = _Conversations(
            self._kind, self._members[file.path], self._assets, self._archives, self._notices, self._standing
        )
        self._notices = {}
        sessions = iter(told)
        return Content(
            sessions, lambda: Fingerprint(file.print, told.sessions).text(), partial(self._close, sessions)
        )

    def _close(self, sessions: Generator[ForeignSession, None, None]) -> None:
        """Let go of a file; of the ZIP files with the last one, for opening one reads all of its directory."""
        sessions.close()
        if self._unread <= 0:
            self._archives.close()

    def _own_files(self) -> Iterator[SourceFile]:
        """The files of conversations that are this program's, or may be."""
        members = _conversation_files(self._listing, self._path)
        if self._path.is_file() and not is_zip(self._path) and self._kind.is_noted(self._listing):
            return
        with Archives() as archives:
            owners = {member.path: owner_of(member, archives) for member in members}
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


class _Conversations(msgspec.Struct):
    """The conversations of one file.

    Attributes:
        sessions: How many with messages have been told.
    """

    kind: Kind
    member: Member
    assets: Assets
    archives: Archives
    notices: Mapping[str, int]
    standing: dict[str, tuple[datetime, object]]
    sessions: int = 0
    elements: int = 0
    conversations: int = 0

    def __iter__(self) -> Generator[ForeignSession, None, None]:
        with opened(self.member, self.archives) as file:
            path = self.member.path
            elements = read_values(file) if in_lines(self.member) else read_elements(file, path=path)
            try:
                for element in elements:
                    yield self._session(element)
            except SourceUnreadable:
                yield self._counted(INVALID)
                raise
        if self.elements and not self.conversations:
            reason = f"it holds no conversations of {self.kind.program}"
            raise SourceUnreadable(self.member.path, reason, "give the path of its data export")

    def _session(self, element: object) -> ForeignSession:
        self.elements += 1
        if isinstance(element, Damaged):
            return self._counted(element.reason)
        if not isinstance(element, dict) or self.kind.member not in element:
            return self._counted(DAMAGED)
        self.conversations += 1
        session = self.kind.read(element, self.assets)
        for name, told in self.kind.standing(element).items():
            self.standing[name] = max(self.standing.get(name, told), told, key=lambda one: one[0])
        self.sessions += session.read > sum(session.skipped.values())
        notices, self.notices = self.notices, {}
        return replace(session, notices={**session.notices, **notices}) if notices else session

    def _counted(self, reason: str) -> ForeignSession:
        """A record that is no conversation, as a session without messages."""
        start = SessionStart(source=self.kind.source, external_id=f"{self.member.name}#{self.elements}")
        return ForeignSession(start=start, messages=(), read=1, skipped={reason: 1})


def _source_file(member: Member) -> SourceFile:
    """A file as it is now, named by what it holds; one that cannot be read is named all the same."""
    try:
        look = member.print
    except OSError:
        return SourceFile(member.path, str(member.path), 0, "")
    return SourceFile(member.path, f"{member.base}@{look}", member.bytes, f"{READER_REVISION}:{look}")

"""Conversations as files."""

import os
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, TypeVar

import msgspec

from archivist.app.held import Held, Time
from archivist.config.home import STATE
from archivist.records import OWNER_EVERYWHERE, ArchivistError, Notice, Reader
from archivist.records.counts import counted
from archivist.store.conversations import conversation_of

if TYPE_CHECKING:
    from archivist.store.exporting import Snapshot, Stored, Wanted

T = TypeVar("T")


class ExportExists(ArchivistError):
    """There is a file where an export should go."""

    def __init__(self, path: Path) -> None:
        self.path = path
        super().__init__(f"{path} exists already: choose another name, or replace it with --force")


class ExportRefused(ArchivistError):
    """An export would overwrite what is no export."""

    def __init__(self, path: Path, reason: str) -> None:
        self.path = path
        super().__init__(f"{path} was not written, because it is {reason}: choose another name")


class ExportReport(msgspec.Struct, frozen=True):
    """What an export wrote.

    Attributes:
        path: None where it went to a stream.
        bytes: Its size.
    """

    format: str
    path: Path | None
    conversations: int
    sessions: int
    messages: int
    bytes: int
    notices: tuple[Notice, ...] = ()


class Exporting(Held):
    """Conversations as files."""

    def export(
        self,
        conversation: str | Sequence[str] | None,
        to: str | os.PathLike[str] | BinaryIO,
        format: str | None = None,  # noqa: A002 - the word that users know
        *,
        scope: Reader | None = None,
        archived: bool = True,
        source: str | None = None,
        since: Time | None = None,
        until: Time | None = None,
        replace: bool = False,
    ) -> ExportReport:
        """Write conversations whole: every session, turns of every state, as far as the reader may see them.

        They come from one moment of the home, whatever is written meanwhile.

        Args:
            conversation: An id, or several; None for all.
            to: A file, which is there whole or not at all, or an open binary stream.
            format: "jsonl", "json" or "markdown"; else what the file's name ends in, else JSONL.
            scope: Who asks; the owner in all projects where unset.
            archived: Also those that were put away.
            source: Only those begun in this program.
            since: Only those that were active at this time or later: a datetime, a date, or words such as "last week".
            until: Only those begun before this time; a date, or words that name a day, count whole.
            replace: Overwrite a file that is there.

        Raises:
            UnknownSession, AmbiguousSession: There is no such conversation for this reader, or there are several.
            UnknownExportFormat, ExportExists, ExportRefused, FileNotWritten: Nothing was written.
        """
        from archivist.store.exporting import Wanted, snapshot  # noqa: PLC0415 - most starts export nothing

        path = Path(to) if isinstance(to, str | os.PathLike) else None
        wanted = Wanted(
            self._conversations(conversation, scope),
            source,
            _milliseconds(self._moment(since)),
            _milliseconds(self._moment(until, end=True)),
            archived,
        )
        from archivist.transfer.archivist import export_format  # noqa: PLC0415 - as above

        format = format or export_format(None if path is None else path.name)  # noqa: A001 - as above
        with snapshot(self._store.path, self._store.blobs, scope or OWNER_EVERYWHERE) as moment:
            export = _Export(moment, wanted, format, self._store.path.parent)
            if path is None:
                export.write(to)  # type: ignore[arg-type]  # what is no path is a stream
            else:
                export.write_file(path.expanduser(), replace=replace)
        return export.report(path)

    def _conversations(
        self, names: str | Sequence[str] | None, scope: Reader | None
    ) -> frozenset[int] | None:
        if names is None:
            return None
        keys = [self._key(name, scope) for name in ([names] if isinstance(names, str) else names)]
        return self._store.read(lambda db: frozenset(conversation_of(db, key) for key in keys))


class _Export:
    """One export while it is written, and what was written."""

    def __init__(self, moment: "Snapshot", wanted: "Wanted", format: str, home: Path) -> None:  # noqa: A002 - as above
        self._moment, self._wanted, self._format, self._home = moment, wanted, format, home
        self._conversations = self._sessions = self._messages = self._bytes = 0

    def write_file(self, path: Path, *, replace: bool) -> None:
        """Write a file that is there whole or not at all."""
        from archivist.files.streaming import written_atomically  # noqa: PLC0415 - as above

        _refuse_unfit(path, self._home)
        _refuse(path, replace=replace)
        with written_atomically(path) as file:
            self.write(file)
            _refuse(path, replace=replace)  # one that came meanwhile

    def write(self, stream: BinaryIO) -> None:
        """Write to a stream."""
        from archivist.transfer.archivist import written  # noqa: PLC0415 - as above

        for piece in written(self._told(), self._format):
            stream.write(piece)
            self._bytes += len(piece)

    def report(self, path: Path | None) -> ExportReport:
        """What was written."""
        missing = self._moment.missing_blobs()
        told = counted(missing, "blob is", "blobs are")
        text = f"the bytes of {told} missing from the home: `archivist verify` names them"
        notices = (Notice("blobs-missing", text),) if missing else ()
        return ExportReport(
            self._format, path, self._conversations, self._sessions, self._messages, self._bytes, notices
        )

    def _told(self) -> Iterator["Stored"]:
        for keys in self._moment.conversations(self._wanted):
            self._conversations += 1
            self._sessions += len(keys)
            yield from self._counted(self._moment.read(keys))

    def _counted(self, told: Iterable["Stored"]) -> Iterator["Stored"]:
        from archivist.store.exporting import StoredMessage  # noqa: PLC0415 - as above

        for one in told:
            self._messages += isinstance(one, StoredMessage)
            yield one


def _refuse_unfit(path: Path, home: Path) -> None:
    """Refuse what no export may take the place of, whatever was said.

    Raises:
        ExportRefused: It is no file, or a home needs it.
    """
    from archivist.app.belongings import is_needed  # noqa: PLC0415 - most starts export nothing

    place = path.parent.resolve() / path.name
    for folder in place.parents:
        if (folder == home.resolve() or (folder / STATE).exists()) and is_needed(
            str(place.relative_to(folder))
        ):
            raise ExportRefused(path, f"a file of the home {folder} itself")
    if path.is_symlink() or (path.exists() and not path.is_file()):
        raise ExportRefused(path, "no regular file")


def _refuse(path: Path, *, replace: bool) -> None:
    if not replace and path.exists():
        raise ExportExists(path)


def _milliseconds(time: datetime | None) -> int | None:
    from archivist.store.rows import milliseconds  # noqa: PLC0415 - as above

    return None if time is None else milliseconds(time)

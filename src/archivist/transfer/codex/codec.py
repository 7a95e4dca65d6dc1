"""Codex's histories as sessions: one file is one session."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path
from zlib import crc32

import msgspec
from msgspec.structs import replace

from archivist.records import OWNER, Link, Scope, SessionStart
from archivist.transfer.codex.entries import Entry, FileIndex, Saying
from archivist.transfer.codex.files import (
    Head,
    codex_home,
    is_archived,
    is_rollout,
    rollout_paths,
    session_in_name,
    time_in_name,
    titles_beside,
)
from archivist.transfer.codex.index import index_file
from archivist.transfer.codex.lineage import Contents, Shelf, borrowed_lines, copied_lines
from archivist.transfer.codex.memories import curated_in, is_noted_home
from archivist.transfer.codex.messages import SOURCE, read_messages
from archivist.transfer.curated import Curated
from archivist.transfer.file_format import FileFormat
from archivist.transfer.fingerprints import Fingerprint, source_file, together
from archivist.transfer.foreign import (
    Content,
    ForeignSession,
    Reading,
    Replay,
    SourceFile,
    SourceUnreadable,
)
from archivist.transfer.reasons import IN_ORIGIN, REPEATED
from archivist.transfer.times import UNKNOWN, parse_time

BORROWED, ALONE = "borrowed:", "alone"
"""What is remembered of a fork: how many lines it copied, or that its origin was not here to tell."""


class Codex(FileFormat):
    """The codec."""

    name = SOURCE
    revision = 2

    def folders(self, home: Path, environ: Mapping[str, str]) -> list[Path]:
        """The program's home."""
        return [codex_home(home, environ)]

    def paths(self, path: Path) -> list[Path]:
        """Rollouts, packed or not."""
        return rollout_paths(path)

    def is_one(self, path: Path) -> bool:
        """Whether a file is a rollout."""
        return is_rollout(path)

    def recognises(self, path: Path) -> bool:
        """A rollout, a folder with some, or a home that has nothing yet but memories."""
        return super().recognises(path) or is_noted_home(path)

    def owned(self, path: Path) -> Sequence[Path]:
        """The program's home, by its name."""
        return [path] if path.name.startswith(".codex") else []

    def open(self, path: Path, reading: Reading) -> "Rollouts":
        """Open a home, a folder of sessions or one session; a name given to a session later is news too."""
        titles = titles_beside(path)
        files = []
        for found in rollout_paths(path):
            title = titles.get(session_in_name(found) or "")
            named = [f"{crc32(title.encode('utf-8', 'replace')):08x}"] if title else []
            files.append(source_file(found, found.name, self.revision, *named))
        return Rollouts(together(files), titles, reading, path)


class Rollouts:
    """Rollout files, opened."""

    def __init__(
        self, files: Sequence[SourceFile], titles: Mapping[str, str], reading: Reading, path: Path
    ) -> None:
        self.files = files
        self._titles, self._path = titles, path
        self._reading = reading
        self._shelf: Shelf | None = None

    def curated(self) -> Iterator[Curated]:
        """What the program has noted."""
        return curated_in(self._path)

    def in_order(self, changed: Sequence[SourceFile]) -> Sequence[SourceFile]:
        """Sessions before what was forked from them and before their sub-agents."""
        return self._shelved().in_order(changed) if changed else []

    def read(self, file: SourceFile, earlier: str | None) -> Content:
        """Open one file.

        Raises:
            SourceUnreadable: It cannot be read.
        """
        shelf = self._shelved()
        try:
            telling = self._telling(shelf, file, Fingerprint.of(earlier))
        except OSError as error:
            raise SourceUnreadable(file.path, str(error)) from error
        sessions = [*self._of_origin(telling), self._own(telling)]
        return Content(iter(sessions), Fingerprint(file.print, 1, telling.kept).text())

    def _shelved(self) -> Shelf:
        if self._shelf is None:
            self._shelf = Shelf(self.files)
        return self._shelf

    def _telling(self, shelf: Shelf, file: SourceFile, earlier: Fingerprint | None) -> "_Telling":
        head, session, origin = shelf.head(file), shelf.ids[file.path], shelf.origin(file)
        may_copy = bool(origin) and head.may_hold_copies
        index = index_file(file, head, with_sayings=may_copy)
        there = shelf.origin_contents(file) if may_copy else None
        copied, kept = _copied(index.sayings, head, there, earlier) if may_copy else (0, ())
        if copied:
            index = index_file(file, head, borrowed=copied)
        known = there.begun if there else {}
        missing = [
            entry for entry in index.borrowed if entry.key not in known and not (there and entry.is_replaced)
        ]
        retold = shelf.retold(file, index.entries)
        return _Telling(
            file.path, head, session, origin, index, missing, retold, kept, is_alone=there is None
        )

    def _of_origin(self, telling: "_Telling") -> Iterator[ForeignSession]:
        """What a file alone tells of the session that its own came from."""
        if not telling.missing or not telling.origin:
            return
        head, index = telling.head.of(telling.origin), telling.index
        first = telling.missing[0].time or telling.began
        parent = head.meta.forked_from_id or None
        start = self._start(telling, telling.origin, head, "fork" if parent else None)
        yield ForeignSession(
            start=replace(start, started_at=parse_time(head.meta.timestamp) or first, archived=False),
            parent_external_id=parent,
            messages=telling.messages(telling.origin, telling.missing),
            usage=tuple(index.meter.usage(telling.origin, is_borrowed=True)) if telling.is_alone else (),
            read=sum(entry.records for entry in telling.missing),
        )

    def _own(self, telling: "_Telling") -> ForeignSession:
        head, index = telling.head, telling.index
        link: Link | None = "subagent" if telling.by_agent else "fork" if telling.origin else None
        start = self._start(telling, telling.session, head, link)
        missing, copied = (
            sum(entry.records for entry in entries) for entries in (telling.missing, index.borrowed)
        )
        index.skipped.add(IN_ORIGIN, copied - missing)
        index.skipped.add(REPEATED, sum(entry.records for entry in telling.retold))
        return ForeignSession(
            start=replace(start, model=index.model, title=start.title or index.title),
            parent_external_id=telling.origin,
            messages=telling.messages(
                telling.session, [entry for entry in index.entries if entry not in telling.retold]
            ),
            usage=tuple(index.meter.usage(telling.session)),
            read=index.read - missing,
            skipped=index.skipped,
            notices=+index.notices,
        )

    def _start(self, telling: "_Telling", session: str, head: Head, link: Link | None) -> SessionStart:
        meta = head.meta
        cwd = meta.cwd or telling.index.cwd or telling.head.meta.cwd
        known = {
            "git_branch": head.branch,
            "version": meta.cli_version,
            "originator": meta.originator,
            "path": str(telling.path),
        }
        project = self._reading.project_of(cwd) if cwd else None
        return SessionStart(
            source=SOURCE,
            scope=Scope(user=OWNER.user, project=project),
            cwd=cwd,
            title=self._titles.get(session),
            external_id=session,
            link=link,
            started_at=parse_time(meta.timestamp) or telling.index.first_time or telling.began,
            archived=is_archived(telling.path),
            metadata={name: value for name, value in known.items() if value},
        )


class _Telling(msgspec.Struct, frozen=True):
    """What a file tells.

    Attributes:
        missing: Messages of the session that its own came from, which that one's file does not tell, or which is not here.
        retold: Messages that were damaged in it, and stand whole in a copy of it.
        kept: What to know of it at the next import.
        is_alone: Whether the file of the session that its own came from is not here.
    """

    path: Path
    head: Head
    session: str
    origin: str | None
    index: FileIndex
    missing: Sequence[Entry]
    retold: Sequence[Entry]
    kept: tuple[str, ...]
    is_alone: bool

    @property
    def by_agent(self) -> bool:
        """Whether a sub-agent's."""
        return self.head.spawned_by is not None

    @property
    def began(self) -> datetime:
        """When it began, as its name says."""
        return time_in_name(self.path) or UNKNOWN

    def messages(self, session: str, entries: Sequence[Entry]) -> Replay:
        """Messages of a session."""
        begin = partial(
            read_messages,
            self.path,
            entries,
            session,
            self.began,
            by_agent=self.by_agent and session == self.session,
            file_session=self.session,
        )
        return Replay(begin)


def _copied(
    sayings: Sequence[Saying], head: Head, there: Contents | None, earlier: Fingerprint | None
) -> tuple[int, tuple[str, ...]]:
    """How many lines were copied, and what to remember of that: what was decided once, without the origin or with it, holds."""
    before = earlier.kept if earlier else ()
    if there and ALONE not in before:
        copied = borrowed_lines(sayings, head, there)
    else:
        numbers = [text.removeprefix(BORROWED) for text in before if text.startswith(BORROWED)]
        known = [int(number) for number in numbers if number.isdecimal()]
        if known:
            return known[0], (f"{BORROWED}{known[0]}",)
        copied = copied_lines(sayings, head) if head.meta.forked_from_id or head.holds_another else 0
        return copied, (ALONE,)
    return copied, (f"{BORROWED}{copied}",)

"""Codex's histories as sessions: one file is one session."""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from zlib import crc32

from archivist.records import OWNER, Link, Scope, SessionStart
from archivist.transfer.codex.files import (
    Head,
    codex_home,
    is_archived,
    is_rollout,
    rollout_paths,
    session_id,
    time_in_name,
    titles_beside,
)
from archivist.transfer.codex.index import FileIndex, index_file
from archivist.transfer.codex.lineage import Shelf
from archivist.transfer.codex.messages import SOURCE, read_messages
from archivist.transfer.file_format import FileFormat
from archivist.transfer.fingerprints import Fingerprint, source_file
from archivist.transfer.foreign import (
    Content,
    ForeignSession,
    Reading,
    Replay,
    SourceFile,
    SourceUnreadable,
)
from archivist.transfer.times import UNKNOWN, parse_time

BORROWED = "borrowed:"


class Codex(FileFormat):
    """The codec."""

    name = SOURCE

    def folders(self, home: Path, environ: Mapping[str, str]) -> list[Path]:
        """The program's home."""
        return [codex_home(home, environ)]

    def paths(self, path: Path) -> list[Path]:
        """Rollouts, packed or not."""
        return rollout_paths(path)

    def is_one(self, path: Path) -> bool:
        """Whether a file is a rollout."""
        return is_rollout(path)

    def open(self, path: Path, reading: Reading) -> "Rollouts":
        """Open a home, a folder of sessions or one session; a name given to a session later is news too."""
        titles = titles_beside(path)
        files = []
        for found in rollout_paths(path):
            title = titles.get(session_id(found, None))
            named = [f"{crc32(title.encode('utf-8', 'replace')):08x}"] if title else []
            files.append(source_file(found, found.name, self.revision, *named))
        return Rollouts(files, titles, reading)


class Rollouts:
    """Rollout files, opened."""

    def __init__(self, files: Sequence[SourceFile], titles: Mapping[str, str], reading: Reading) -> None:
        self.files = files
        self._titles = titles
        self._reading = reading
        self._shelf: Shelf | None = None

    def in_order(self, changed: Sequence[SourceFile]) -> Sequence[SourceFile]:
        """Sessions before what was forked from them and before their sub-agents."""
        return self._shelved().in_order(changed) if changed else []

    def read(self, file: SourceFile, earlier: str | None) -> Content:
        """Open one file.

        Raises:
            SourceUnreadable: It cannot be read.
        """
        shelf = self._shelved()
        borrowed = max(shelf.borrowed(file), _borrowed_before(earlier))
        head, session, origin = shelf.head(file), shelf.ids[file.path], shelf.origin(file)
        try:
            index = index_file(file, head, borrowed=borrowed)
        except OSError as error:
            raise SourceUnreadable(file.path, str(error)) from error
        told = self._session(file.path, session, origin, head, index)
        kept = (f"{BORROWED}{borrowed}",) if borrowed else ()
        return Content(iter([told]), Fingerprint(file.print, 1, kept).text())

    def _shelved(self) -> Shelf:
        if self._shelf is None:
            self._shelf = Shelf(self.files)
        return self._shelf

    def _session(
        self, path: Path, session: str, origin: str | None, head: Head, index: FileIndex
    ) -> ForeignSession:
        began = time_in_name(path) or UNKNOWN
        by_agent = head.spawned_by is not None
        link: Link | None = "subagent" if by_agent else "fork" if origin else None
        return ForeignSession(
            start=self._start(path, session, head, index, link),
            parent_external_id=origin,
            messages=Replay(partial(read_messages, path, index.entries, session, began, by_agent=by_agent)),
            usage=tuple(index.meter.usage(session)),
            read=index.read,
            skipped=index.skipped,
            notices=+index.notices,
        )

    def _start(
        self, path: Path, session: str, head: Head, index: FileIndex, link: Link | None
    ) -> SessionStart:
        meta = head.meta
        cwd = meta.cwd or index.cwd
        known = {
            "git_branch": head.branch,
            "version": meta.cli_version,
            "originator": meta.originator,
            "path": str(path),
        }
        project = self._reading.project_of(cwd) if cwd else None
        return SessionStart(
            source=SOURCE,
            model=index.model,
            scope=Scope(user=OWNER.user, project=project),
            cwd=cwd,
            title=self._titles.get(session) or index.title,
            external_id=session,
            link=link,
            started_at=parse_time(meta.timestamp) or index.first_time or time_in_name(path) or UNKNOWN,
            archived=is_archived(path),
            metadata={name: value for name, value in known.items() if value},
        )


def _borrowed_before(earlier: str | None) -> int:
    """How many lines were another session's at the last import, when that session's file may still have been here."""
    kept = Fingerprint.of(earlier)
    texts = kept.kept if kept else ()
    numbers = [text.removeprefix(BORROWED) for text in texts if text.startswith(BORROWED)]
    return max((int(number) for number in numbers if number.isdecimal()), default=0)

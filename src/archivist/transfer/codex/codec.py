"""Codex's histories as sessions: one file is one session."""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from archivist.records import OWNER, Link, Scope, SessionStart
from archivist.transfer.codex.files import (
    COMPRESSED,
    Head,
    codex_home,
    is_archived,
    is_compressed,
    is_rollout,
    rollout_paths,
    session_id,
    source_file,
    time_in_name,
    titles_beside,
)
from archivist.transfer.codex.index import FileIndex, index_file
from archivist.transfer.codex.lineage import Shelf
from archivist.transfer.codex.messages import SOURCE, read_messages
from archivist.transfer.fingerprints import Fingerprint
from archivist.transfer.foreign import (
    Content,
    ForeignSession,
    Found,
    Reading,
    Replay,
    SourceFile,
    SourceUnreadable,
)
from archivist.transfer.times import UNKNOWN, parse_time

BORROWED = "borrowed:"


class Codex:
    """The codec."""

    name = SOURCE

    def find(self, home: Path, environ: Mapping[str, str]) -> list[Found]:
        """The sessions of this machine's owner."""
        folder = codex_home(home, environ)
        paths = rollout_paths(folder) if folder.is_dir() else []
        size = sum(path.stat().st_size for path in paths)
        return [Found(SOURCE, folder, len(paths), size)] if paths else []

    def recognises(self, path: Path) -> bool:
        """Whether a file, or some file in a folder, is a rollout."""
        return any(is_rollout(found) for found in rollout_paths(path))

    def open(self, path: Path, reading: Reading) -> "Rollouts":
        """Open a home, a folder of sessions or one session."""
        titles = titles_beside(path)
        paths = rollout_paths(path)
        files = [source_file(found, titles.get(session_id(found, None))) for found in paths]
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
        if is_compressed(file.path):
            plain = file.path.name.removesuffix(COMPRESSED)
            advice = f"unpack it to {plain} beside it, such as with zstd -d -k, then import again"
            raise SourceUnreadable(file.path, "it is packed", advice)
        shelf = self._shelved()
        borrowed = max(shelf.borrowed(file), _borrowed_before(earlier))
        head, session, origin = shelf.head(file), shelf.ids[file.path], shelf.origin(file)
        try:
            index = index_file(file.path, file.bytes, head, origin=origin, borrowed=borrowed)
        except OSError as error:
            raise SourceUnreadable(file.path, str(error)) from error
        told = self._session(file.path, session, origin, head, index)
        cuts = (f"{BORROWED}{borrowed}",) if borrowed else ()
        return Content(iter([told]), Fingerprint(file.print, 1, cuts).text())

    def _shelved(self) -> Shelf:
        if self._shelf is None:
            self._shelf = Shelf(self.files)
        return self._shelf

    def _session(
        self, path: Path, session: str, origin: str | None, head: Head, index: FileIndex
    ) -> ForeignSession:
        began = time_in_name(path) or UNKNOWN
        link: Link | None = "subagent" if head.spawned_by is not None else "fork" if origin else None
        return ForeignSession(
            start=self._start(path, session, head, index, link),
            parent_external_id=origin,
            messages=Replay(partial(read_messages, path, index.entries, session, began)),
            usage=tuple(index.meter.usage(session)),
            read=index.read,
            skipped={reason: count for reason, count in index.skipped.items() if count},
            notices={text: count for text, count in index.notices.items() if count},
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
    cuts = kept.cuts if kept else ()
    numbers = [cut.removeprefix(BORROWED) for cut in cuts if cut.startswith(BORROWED)]
    return max((int(number) for number in numbers if number.isdecimal()), default=0)

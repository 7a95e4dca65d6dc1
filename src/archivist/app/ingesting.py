"""Keeping up with programs that are at work: what is new in their transcripts is stored while they grow."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Final

import msgspec

from archivist.config.projects import project_of
from archivist.records import ArchivistError, Notice
from archivist.store import StateStore, Surroundings
from archivist.transfer.claude_code import ClaudeCode
from archivist.transfer.foreign import History, Reading, SourceFile, TransferError
from archivist.transfer.receiving import Mark
from archivist.transfer.registry import HistoryNotFound

HOSTS: Final = {"claude-code": ClaudeCode}
"""The programs that are followed, and what reads their transcripts."""


class UnknownHost(ArchivistError):
    """No program of that name is followed."""

    def __init__(self, name: str) -> None:
        self.name, self.known = name, tuple(sorted(HOSTS))
        super().__init__(f"transcripts of {name!r} are not followed: use one of {', '.join(self.known)}")


class Behind(msgspec.Struct, frozen=True):
    """What has not been read yet."""

    files: int = 0
    bytes: int = 0


class Ingested(msgspec.Struct, frozen=True):
    """What became of the transcripts of a host.

    Attributes:
        host: The program.
        sessions: Sessions in which something is new.
        added: Messages stored now.
        branched: Known messages whose state has changed: those on a path that was left are `branch`.
        unchanged: Files in which nothing is new.
        behind: What was not read before the deadline.
        notices: What could not be read, and why.
    """

    host: str
    sessions: int = 0
    added: int = 0
    branched: int = 0
    unchanged: int = 0
    behind: Behind = Behind()
    notices: tuple[Notice, ...] = ()


def ingest(
    store: StateStore,
    world: Surroundings,
    environ: Mapping[str, str],
    *,
    host: str,
    transcript: Path | None,
    folder: Path | None,
    deadline: float | None,
) -> Ingested:
    """Store what is new; see `Archivist.ingest`."""
    codec = HOSTS[host]() if host in HOSTS else None
    if codec is None:
        raise UnknownHost(host)
    home = Path(environ.get("HOME") or Path.home())
    place = transcript or folder or codec.folders(home, environ)[0]
    if not place.exists():
        if transcript is None and folder is None:
            return Ingested(host)
        raise HistoryNotFound(place)
    ends = None if deadline is None else world.monotonic() + deadline
    is_late = lambda: ends is not None and world.monotonic() >= ends  # noqa: E731 - one line of it
    history = codec.open(place, Reading(project_of, world.now(), None, store.fingerprint))
    return _Run(host, store, history).over(history.files, is_late)


class _Run:
    """One ingest while it runs."""

    def __init__(self, host: str, store: StateStore, history: History) -> None:
        self._host, self._store, self._history = host, store, history
        self._sessions: set[str] = set()
        self._added = self._branched = 0
        self._notices: list[Notice] = []

    def over(self, files: Sequence[SourceFile], is_late: Callable[[], bool]) -> Ingested:
        changed = [file for file in files if not self._is_unchanged(file)]
        left = list(self._history.in_order(changed))
        while left and not is_late():
            file = left.pop(0)
            try:
                self._read(file)
            except TransferError as error:
                self._notices.append(Notice("not-read", str(error)))
        return Ingested(
            self._host,
            len(self._sessions),
            self._added,
            self._branched,
            len(files) - len(changed),
            Behind(len(left), sum(file.bytes for file in left)),
            tuple(self._notices),
        )

    def _is_unchanged(self, file: SourceFile) -> bool:
        kept = self._store.fingerprint(self._host, file.name)
        return kept is not None and f'"{file.print}"' in kept

    def _read(self, file: SourceFile) -> None:
        earlier = self._store.fingerprint(self._host, file.name)
        with closing(self._history.read(file, earlier)) as content:
            sessions = list(content.sessions)
            kept = content.kept()
            for session in sessions:
                is_last = session is sessions[-1]
                receipt = self._store.receive(
                    session.start,
                    (foreign.message for foreign in session.messages),
                    session.usage,
                    parent_external_id=session.parent_external_id,
                    mark=Mark(self._host, file.name, kept) if is_last and kept else None,
                )
                self._added += receipt.added
                self._branched += receipt.restated
                if receipt.added or receipt.restated:
                    self._sessions.add(receipt.session_id)

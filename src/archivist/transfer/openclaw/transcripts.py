"""Where transcripts stand: each in a file, or all of an agent's in its database; either way they are read alike."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from uuid import UUID

import msgspec

from archivist.transfer import compressed
from archivist.transfer.foreign import SourceUnreadable
from archivist.transfer.json_lines import lines_in
from archivist.transfer.openclaw.entries import Entry, RawEntry, entry_of
from archivist.transfer.openclaw.ledger import Name
from archivist.transfer.openclaw.places import TRANSCRIPT, Item

MOST_HEADER_BYTES = 1024 * 1024
UUID_LENGTH = 36
TOPIC = "-topic-"
"""Stands in the name of a transcript between a session and the part of a chat that it is for; the first line names the session alone."""

Source = Callable[[], Iterator[RawEntry]]
"""Reads a transcript from its beginning, each time it is called."""


class Transcript(msgspec.Struct, frozen=True):
    """A transcript, found.

    Attributes:
        path: What it is read from.
        source: Gives its entries.
        session: Its session's id.
        state: "reset", "cold" or "deleted" where it was put away.
        made_from: The session that its first line names as the one before it.
    """

    path: Path
    source: Source
    session: str
    agent: str
    state: str = ""
    made_from: str | None = None

    @property
    def name(self) -> Name:
        """What names its session in the history."""
        return self.agent, self.session


def transcript_in(item: Item, end: int | None = None) -> Transcript:
    """The transcript in a file, or in its first `end` bytes."""
    first = header_of(item.path)
    session = _session_of(item.stem, first.id if first else None)
    made_from = session_named(first.parent_session if first else None)
    return Transcript(item.path, partial(_read, item.path, end), session, item.agent, item.state, made_from)


def is_transcript(path: Path) -> bool:
    """Whether a file begins as a transcript does."""
    first = header_of(path) if TRANSCRIPT.fullmatch(path.name) else None
    return first is not None and bool(first.id) and first.version is not None


def header_of(path: Path) -> Entry | None:
    """The first line of a file, if it can be read and tells of a session."""
    with suppress(SourceUnreadable):
        return header(partial(_read, path, MOST_HEADER_BYTES))
    return None


def header(source: Source) -> Entry | None:
    """The first line of a transcript, if it tells of a session."""
    first = next(source(), None)
    entry = entry_of(first) if first is not None else None
    return entry if entry is not None and entry.type == "session" else None


def is_unique(session: str) -> bool:
    """Whether a session's id names it wherever it stands, as a UUID does and what begins with one."""
    try:
        UUID(session[:UUID_LENGTH])
    except ValueError:
        return False
    return True


def session_named(path: str | None) -> str | None:
    """The session's id in the path of a transcript, which may begin with a time; the path may be another machine's."""
    if not path:
        return None
    stem = path.replace("\\", "/").rpartition("/")[2].partition(".jsonl")[0]
    end = stem[-UUID_LENGTH:]
    return end if is_unique(end) and not is_unique(stem) else stem


def _session_of(stem: str, own: str | None) -> str:
    """The session of a file; a copy that somebody made has another name, but begins as its original does."""
    if own is None or (is_unique(stem) and not is_unique(own)):
        return stem
    is_topic = stem.startswith(f"{own}{TOPIC}")
    return stem if is_topic else own


def _read(path: Path, end: int | None) -> Iterator[RawEntry]:
    try:
        with compressed.opened(path) as file:
            lines = lines_in(file) if end is None or path.suffix == ".zst" else lines_in(file, end)
            for line in lines:
                yield RawEntry(line.raw, line.flaw)
    except OSError as error:
        raise SourceUnreadable(path, str(error)) from error

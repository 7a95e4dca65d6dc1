"""Where the entries of a transcript come from, and whose they are by the name of its file."""

from collections.abc import Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from uuid import UUID

from archivist.transfer.foreign import SourceUnreadable
from archivist.transfer.json_lines import lines_in
from archivist.transfer.openclaw import compressed
from archivist.transfer.openclaw.entries import RawEntry
from archivist.transfer.openclaw.envelopes import Opened
from archivist.transfer.openclaw.transcripts import Source, read_transcript

PEEKED_ENTRIES = 60
UUID_LENGTH = 36


def file_source(path: Path, end: int | None = None) -> Source:
    """The entries of a transcript that is a file, or of its first `end` bytes."""
    return partial(_read_file, path, end)


def peeked_envelopes(source: Source) -> list[Opened]:
    """What the envelopes of the first messages say."""
    return read_transcript(lambda: islice(source(), PEEKED_ENTRIES)).envelopes


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


def _read_file(path: Path, end: int | None) -> Iterator[RawEntry]:
    try:
        with compressed.opened(path) as file:
            lines = lines_in(file) if end is None or path.suffix == ".zst" else lines_in(file, end)
            for line in lines:
                if line.raw is None:
                    yield RawEntry(None, "line over 64 MB")
                else:
                    yield RawEntry(line.raw, "invalid JSON" if line.raw.endswith(b"\n") else "torn line")
    except OSError as error:
        raise SourceUnreadable(path, str(error)) from error

"""What `doctor` says of transcripts that are followed: how much of them waits, since when, and what could not be read."""

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta, tzinfo
from pathlib import Path
from typing import Final

import msgspec

from archivist.app.findings import Finding
from archivist.app.ingesting import HOSTS
from archivist.records.counts import counted
from archivist.store import DiskFailed, StateStore, StoreDamaged
from archivist.store.following import Followed, followed_files
from archivist.store.rows import instant
from archivist.transfer.claude_code.files import projects_folder, session_paths
from archivist.transfer.claude_code.following import bytes_behind, of_run

SUBJECT: Final = "transcripts"
LATE: Final = timedelta(hours=1)
"""What was written longer ago and is not read should have been by now."""
MOST_NAMED: Final = 5


class Backlog(msgspec.Struct):
    """What waits.

    Attributes:
        files: Transcripts that are there.
        files_behind: Those with something new.
        bytes_behind: How much is new in them.
        late: Those of them that were last written to longer than an hour ago.
    """

    files: int = 0
    files_behind: int = 0
    bytes_behind: int = 0
    late: int = 0


def look_at_transcripts(
    store: StateStore, environ: Mapping[str, str], now: datetime, zone: tzinfo
) -> list[Finding]:
    """The state of what is followed; nothing where no program that could be was ever used here."""
    return [finding for host in HOSTS for finding in _look_at(host, store, environ, now, zone)]


def _look_at(
    host: str, store: StateStore, environ: Mapping[str, str], now: datetime, zone: tzinfo
) -> Iterator[Finding]:
    try:
        known = store.read(lambda db: followed_files(db, host))
    except (StoreDamaged, DiskFailed):
        return  # it is told beside
    folder = projects_folder(Path(environ.get("HOME") or Path.home()), environ)
    paths = of_run([*(session_paths(folder) if folder.is_dir() else ()), *map(Path, known)])
    if not paths and not known:
        return
    backlog = _backlog(paths, known, now)
    numbers = {name: getattr(backlog, name) for name in backlog.__struct_fields__}
    last = max((one.read_at for one in known.values()), default=0)
    yield Finding(
        SUBJECT,
        "warning" if known and backlog.late else "ok",
        f"{host}: {_told(backlog, last, zone)}",
        {**numbers, "files_followed": len(known), "last_ingest": last},
    )
    troubled = [one for one in known.values() if one.problem]
    for one in troubled[:MOST_NAMED]:
        yield Finding(SUBJECT, "warning", f"not read: {one.problem}")
    if len(troubled) > MOST_NAMED:
        yield Finding(SUBJECT, "warning", f"not read: {len(troubled) - MOST_NAMED:,} more")


def _backlog(paths: list[Path], known: Mapping[str, Followed], now: datetime) -> Backlog:
    backlog = Backlog()
    for path in paths:
        try:
            status = path.stat()
        except OSError:
            continue
        backlog.files += 1
        behind = bytes_behind(known.get(str(path)), status)
        backlog.files_behind += behind > 0
        backlog.bytes_behind += behind
        backlog.late += behind > 0 and now.timestamp() - status.st_mtime > LATE.total_seconds()
    return backlog


def _told(backlog: Backlog, last: int, zone: tzinfo) -> str:
    if not last:
        return f"{counted(backlog.files, 'transcript')}, none followed yet; `archivist ingest` stores what is new in them"
    when = f"last read {instant(last).astimezone(zone):%Y-%m-%d %H:%M}"
    if not backlog.files_behind:
        return f"{counted(backlog.files, 'transcript')}, nothing waits; {when}"
    behind = f"{counted(backlog.files_behind, 'file')} ({backlog.bytes_behind / 1e6:,.1f} MB)"
    return f"{counted(backlog.files, 'transcript')}, {behind} not read yet; {when}; run `archivist ingest`"

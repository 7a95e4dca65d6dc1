"""Keeping up with programs that are at work: what is new in their transcripts is stored while they grow."""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Final

import msgspec

from archivist.config import Home
from archivist.config.projects import project_worked_on
from archivist.records import ArchivistError, Notice
from archivist.records.counts import counted
from archivist.store import StateStore, Surroundings
from archivist.store.following import Following
from archivist.store.print_key import ready_key
from archivist.transfer.claude_code.files import projects_folder, session_paths
from archivist.transfer.claude_code.following import Outcome, Transcripts, of_run
from archivist.transfer.foreign import Reading

HOSTS: Final = ("claude-code",)
"""The programs that are followed."""


class UnknownHost(ArchivistError):
    """No program of that name is followed."""

    def __init__(self, name: str) -> None:
        self.name, self.known = name, HOSTS
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
        flaws: Lines that could not be read and are kept nowhere, by what is wrong with them; each is told once.
    """

    host: str
    sessions: int = 0
    added: int = 0
    branched: int = 0
    unchanged: int = 0
    behind: Behind = Behind()
    notices: tuple[Notice, ...] = ()
    flaws: dict[str, int] = {}


def ingest(
    home: Home,
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
    if host not in HOSTS:
        raise UnknownHost(host)
    user_home = Path(environ.get("HOME") or Path.home())
    place = transcript or folder or projects_folder(user_home, environ)
    if not (place.is_file() if transcript else place.is_dir()):
        if transcript is None and folder is None:
            return Ingested(host)
        from archivist.transfer.registry import HistoryNotFound  # noqa: PLC0415 - rare

        raise HistoryNotFound(place)
    ends = None if deadline is None else world.monotonic() + deadline
    key = ready_key(store, home.print_key_file, world.new_id)
    transcripts = Transcripts(
        Following(store, world, host),
        Reading(partial(project_worked_on, environ=environ), world.now(), None, store.fingerprint, key),
        is_late=lambda: ends is not None and world.monotonic() >= ends,
        is_thorough=deadline is None,
    )
    outcomes = list(transcripts.follow(of_run(session_paths(place))))
    if transcript is None:
        transcripts.leave_what_is_gone(place)
    return _together(host, outcomes)


def _together(host: str, outcomes: Sequence[Outcome]) -> Ingested:
    return Ingested(
        host,
        len({name for one in outcomes for name in one.sessions}),
        sum(one.receipt.added for one in outcomes),
        sum(one.receipt.branched for one in outcomes),
        sum(one.is_unchanged for one in outcomes),
        Behind(sum(one.left > 0 for one in outcomes), sum(one.left for one in outcomes)),
        tuple(Notice("not-read", one.problem) for one in outcomes if one.problem),
        dict(sum((one.flaws for one in outcomes), Counter[str]())),
    )


def told_of(flaws: Mapping[str, int]) -> str:
    """In words, how many lines could not be read and why; empty where all could."""
    if not flaws:
        return ""
    lines = sum(flaws.values())
    reasons = ", ".join(f"{count:,} {reason}" for reason, count in sorted(flaws.items()))
    return (
        f"{counted(lines, 'line')} could not be read and {'is' if lines == 1 else 'are'} not kept ({reasons})"
    )

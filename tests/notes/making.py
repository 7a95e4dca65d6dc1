"""Notes in a temporary home, with a clock and ids of the test's own."""

import itertools
import time
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from archivist.notes.holding import Holding
from archivist.notes.ledger import Ledger
from archivist.notes.limits import Limits
from archivist.notes.notes import Notes
from archivist.notes.versions import Versions
from archivist.records.notes import Entry, Use
from archivist.records.proposals import Kept as KeptAs
from archivist.records.proposals import Proposal


class Clock:
    """Goes on by a second whenever it is asked; `skip` lets time pass."""

    def __init__(self, start: datetime = datetime(2026, 5, 1, 9, 0, tzinfo=UTC)) -> None:
        self.time = start

    def __call__(self) -> datetime:
        self.time += timedelta(seconds=1)
        return self.time

    def skip(self, **amount: float) -> None:
        self.time += timedelta(**amount)


class Used:
    """Uses and sessions as a test tells them."""

    def __init__(self) -> None:
        self.uses: dict[str, list[Use]] = {}
        self.sessions = 0

    def uses_of(self, keys: Sequence[str]) -> Mapping[str, Sequence[Use]]:
        return {key: tuple(self.uses.get(key, ())) for key in keys}

    def sessions_since(self, entries: Sequence[Entry]) -> Mapping[str, int]:
        return dict.fromkeys((entry.id for entry in entries), self.sessions)


def make_notes(
    home: Path,
    *,
    clock: Clock | None = None,
    used: Used | None = None,
    limits: Limits | None = None,
    prefix: str = "",
    **more: Any,
) -> Notes:
    """The notes of a home; another call on the same home is like another process."""
    numbers, used = itertools.count(1), used or Used()

    def new_id() -> str:
        return f"{next(numbers):06x}{prefix:0>10}"

    holding = Holding(home / "memories", now=clock or Clock(), sleep=time.sleep, new_id=new_id)
    ledger = Ledger(holding, Versions(home / "history" / "memories"), new_id=new_id)
    return Notes(
        ledger,
        limits=limits or Limits(),
        uses_of=used.uses_of,
        sessions_since=used.sessions_since,
        new_id=new_id,
        **more,
    )


class Kept:
    """What waits, in memory."""

    def __init__(self) -> None:
        self.waiting: list[Proposal] = []
        self.rejected: set[str] = set()

    def __call__(self, proposal: Proposal) -> KeptAs:
        found = next((one for one in self.waiting if one.same == proposal.same), None)
        if found is None:
            self.waiting.append(proposal)
        found = found or proposal
        return KeptAs(found.id, "rejected" if found.id in self.rejected else "open")


def save(path: Path, content: str | bytes) -> None:
    """Save a file as an editor does, long enough ago that it is at rest."""
    raw = content.encode() if isinstance(content, str) else content
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(raw)

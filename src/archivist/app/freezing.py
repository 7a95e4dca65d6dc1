"""What a session is given of the notes, held still for as long as its prompt must, and what changed since."""

from datetime import datetime
from typing import Final

import msgspec

from archivist.app.using import take_in_uses
from archivist.notes.notes import Notes
from archivist.notes.retention import retentions
from archivist.prompt.news import news_since
from archivist.prompt.snapshot import Level, snapshot_of
from archivist.records import Scope
from archivist.records.notes import Entry, Snapshot, Target
from archivist.store import StateStore, Surroundings
from archivist.store.frozen import Frozen, freeze, frozen_of, hand_on, mark_told, storable

TARGETS: Final[tuple[Target, ...]] = ("memory", "user")


class Receiver(msgspec.Struct, frozen=True):
    """The session that a snapshot is for: one of ours, or a host's.

    Attributes:
        session_id: Ours.
        host: The program whose session it is.
        host_session: Its id there.
    """

    session_id: str | None = None
    host: str | None = None
    host_session: str | None = None


def present_snapshot(notes: Notes, scope: Scope, now: datetime) -> Snapshot:
    """What a session in this scope would be given at this moment."""
    last = notes.newest_change()
    entries = notes.entries(scope=scope)
    levels: dict[tuple[Scope, Target], list[Entry]] = {}
    for entry in entries:
        levels.setdefault((entry.scope, entry.target), []).append(entry)
    made = [
        Level(whose, target, tuple(inside), notes.limits.of(target))
        for (whose, target), inside in levels.items()
    ]
    return snapshot_of(made, retention=_remembered(notes, entries, now), last_change=last)


def given_snapshot(
    store: StateStore,
    notes: Notes,
    receiver: Receiver,
    scope: Scope,
    world: Surroundings,
    *,
    anew: bool = False,
    parent: Receiver | None = None,
) -> Frozen:
    """What a session was given; made and kept if it is asked for the first time.

    Args:
        receiver: The session.
        scope: Its scope.
        world: The time.
        anew: Make another, as at a clear or a compaction.
        parent: The session that it is a fork of: it gets the same.
    """
    if not anew:
        found = _frozen(store, receiver)
        if found is not None:
            return found
    take_in_uses(store, notes, world)  # what earlier sessions used decides what fits
    now = world.now()
    if parent is not None and (handed := _frozen(store, parent)) is not None:
        names = msgspec.structs.asdict(receiver)
        return store.write(lambda db: hand_on(db, handed, now=now, **names))
    made = storable(present_snapshot(notes, scope, now), store.masked)
    return store.write(lambda db: freeze(db, made, scope=scope, now=now, **msgspec.structs.asdict(receiver)))


def news_for(store: StateStore, notes: Notes, frozen: Frozen) -> str:
    """What changed in the notes since a session was last told, told once; empty where nothing did.

    It is a part of the next message of the user's, never of the prompt, which holds still.
    """
    newest = notes.newest_change()
    if newest is None or newest == frozen.told_change:
        return ""
    then = notes.after(frozen.told_change, scope=frozen.scope)
    text = news_since(then, notes.entries(tier="all", scope=frozen.scope))
    store.write(lambda db: mark_told(db, frozen.key, newest))
    return text


def _frozen(store: StateStore, receiver: Receiver) -> Frozen | None:
    names = msgspec.structs.asdict(receiver)
    return store.read(lambda db: frozen_of(db, **names))


def _remembered(notes: Notes, entries: tuple[Entry, ...], now: datetime) -> dict[str, float]:
    """How well each entry is remembered; asked only where not all of them can be shown."""
    used: dict[Target, int] = dict.fromkeys(TARGETS, 0)
    for entry in entries:
        used[entry.target] += len(entry.text) + 3
    if all(used[target] <= notes.limits.of(target) for target in TARGETS):
        return {}
    uses = notes.uses_of([entry.id for entry in entries])
    return {entry.id: retentions(entry, uses.get(entry.id, ()), (now,))[0] for entry in entries}

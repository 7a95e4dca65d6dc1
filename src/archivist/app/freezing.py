"""What a session is given of the notes, held still for as long as its prompt must, and what changed since."""

from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import Final

import msgspec

from archivist.app.receiver import Receiver, frozen_for, frozen_in
from archivist.notes.showing import NotesShow, Recorded
from archivist.prompt.known import shown_by, when_told
from archivist.prompt.news import OPENING, carried_in, news_since
from archivist.prompt.snapshot import Level, snapshot_of
from archivist.records import Scope
from archivist.records.notes import Entry, Snapshot, Target
from archivist.store import StateStore, Surroundings
from archivist.store.carrying import carrying, place_of
from archivist.store.connection import Connection
from archivist.store.frozen import Frozen, Told, freeze, hand_on, mark_told, storable

TARGETS: Final[tuple[Target, ...]] = ("memory", "user")
AT_A_BEGINNING: Final = 0.2
"""Seconds for which a session that begins waits for what earlier ones used."""

MOST_TRIES: Final = 100
"""So often may somebody else be told news of the same session first."""


class _Heard(msgspec.Struct, frozen=True):
    """What a session has heard of the notes since it was given them.

    Attributes:
        frozen: What it was given.
        carried: The changes up to which messages tell that its model sees; None where nobody knows, as of a host's.
        place: Where it is.
    """

    frozen: Frozen
    carried: tuple[str, ...] | None = None
    place: str = ""

    @property
    def awaited(self) -> tuple[str, ...]:
        """What was handed over and may yet be said in its next message."""
        told = self.frozen.told
        return told.awaited if told.behind == self.place else ()

    @property
    def changes(self) -> tuple[str, ...]:
        """Everything that counts as told."""
        if self.frozen.session_id is None and self.carried is not None:
            return self.carried
        return (*self.frozen.told.changes, *(self.carried or ()), *self.awaited)

    def with_told(self, change: str) -> Told:
        """The same when it was told more: a host at once, one of ours when a message carries it."""
        told = self.frozen.told
        if self.frozen.session_id is None:
            return Told((*told.changes, change))
        return Told(told.changes, (*self.awaited, change), self.place)


def present_snapshot(notes: NotesShow, scope: Scope, now: datetime) -> Snapshot:
    """What a session in this scope would be given at this moment."""
    last, entries = notes.present(scope)
    if not notes.limits.in_prompt:
        entries = ()
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
    notes: NotesShow,
    receiver: Receiver,
    scope: Scope,
    world: Surroundings,
    *,
    take_in_uses: Callable[[float], object],
    anew: bool = False,
    parent: Receiver | None = None,
) -> Frozen:
    """What a session was given; made and kept if it is asked for the first time.

    Whoever asks for the same session at the same moment gets the same.

    Args:
        receiver: The session.
        scope: Its scope: what was given in another is no longer its own.
        world: The time.
        take_in_uses: Has taken in for some seconds what earlier sessions used.
        anew: Make another, as at a clear or a compaction.
        parent: The session that it is a fork of: it gets the same, if that had this scope.
    """
    before = frozen_for(store, receiver)
    if before is not None and before.scope == scope and not anew:
        return before
    handed = None if parent is None or anew else frozen_for(store, parent)
    made = None
    if handed is None or handed.scope != scope:
        take_in_uses(AT_A_BEGINNING)  # what earlier sessions used decides what fits
        made = storable(present_snapshot(notes, scope, world.now()), store.masked)

    def keep(db: Connection) -> Frozen:
        newest = frozen_in(db, receiver)
        if newest is not None and newest.scope == scope and (before is None or newest.key != before.key):
            return newest  # somebody was quicker
        names = msgspec.structs.asdict(receiver)
        if made is not None:
            return freeze(db, made, scope=scope, now=world.now(), **names)
        assert handed is not None
        return hand_on(db, handed, now=world.now(), **names)

    return store.write(keep)


def news_for(
    store: StateStore,
    notes: NotesShow,
    receiver: Receiver,
    world: Surroundings,
    *,
    take_in_uses: Callable[[float], object],
    parent: Receiver | None = None,
    carried: str | None = None,
) -> str:
    """What changed in the notes that a session was not told, told once; empty where nothing did or where it was given nothing.

    It is a part of the next message of the user's, never of the prompt, which holds still.

    Args:
        receiver: The session.
        world: The time.
        take_in_uses: As in `given_snapshot`.
        parent: The session that it is a fork of: it has that one's snapshot, whether it was asked for or not.
        carried: What a host's session has before it, where that is known: it was told what stands there, whatever was handed over.
    """
    if parent is not None and frozen_for(store, receiver) is None and frozen_for(store, parent) is not None:
        scope = store.session(receiver.session_id or "").scope
        given_snapshot(store, notes, receiver, scope, world, take_in_uses=take_in_uses, parent=parent)
    for _ in range(MOST_TRIES):
        heard = store.read(lambda db: _heard(db, receiver, carried))
        text, newest = ("", None) if heard is None else _news(notes, heard)
        if heard is None or newest is None or not text:
            break
        if store.write(partial(_keep_told, heard.frozen, heard.with_told(newest))):
            return text
    return ""


def settle_news(store: StateStore, receiver: Receiver) -> None:
    """Let the news that a session was handed count as told, whatever its messages carry."""

    def settle(db: Connection) -> None:
        heard = _heard(db, receiver)
        if heard is not None:
            told = heard.frozen.told
            mark_told(db, heard.frozen, Told((*told.changes, *told.awaited)))

    store.write(settle)


def _news(notes: NotesShow, heard: _Heard) -> tuple[str, str | None]:
    """The news, and the newest change of which they tell; none while prompts carry no notes, for they would be carried all the same."""
    if not notes.limits.in_prompt:
        return "", None
    last = heard.frozen.snapshot.report.last_change
    recorded = notes.recorded({*heard.changes, *filter(None, [last])}, heard.frozen.scope)
    if recorded.newest in {None, last, *heard.changes}:
        return "", recorded.newest
    return _since(recorded, heard, last), recorded.newest


def _since(recorded: Recorded, heard: _Heard, last: str | None) -> str:
    known = shown_by(heard.frozen.snapshot, recorded.at.get(last or "", ()))
    changes = list(recorded.at)
    later = changes[changes.index(last) + 1 :] if last in recorded.at else changes
    for change in later:
        if change in heard.changes:
            known = when_told(known, recorded.at[change])
    return news_since(known, recorded.entries, recorded.newest or "")


def _keep_told(frozen: Frozen, told: Told, db: Connection) -> bool:
    return mark_told(db, frozen, told)


def _heard(db: Connection, receiver: Receiver, carried: str | None = None) -> _Heard | None:
    frozen = frozen_in(db, receiver)
    if frozen is None:
        return None
    if frozen.session_id is None:
        return _Heard(frozen, None if carried is None else tuple(carried_in(carried)))
    told = [change for text in carrying(db, frozen.session_id, OPENING) for change in carried_in(text)]
    return _Heard(frozen, tuple(told), place_of(db, frozen.session_id))


def _remembered(notes: NotesShow, entries: tuple[Entry, ...], now: datetime) -> dict[str, float]:
    """How well each entry is remembered; asked only where not all of them can be shown."""
    used: dict[Target, int] = dict.fromkeys(TARGETS, 0)
    for entry in entries:
        used[entry.target] += len(entry.text) + 3
    if all(used[target] <= notes.limits.of(target) for target in TARGETS):
        return {}
    from archivist.notes.retention import retention  # noqa: PLC0415 - as said

    uses = notes.uses_of([entry.id for entry in entries])
    return {entry.id: retention(entry, uses.get(entry.id, ()), now) for entry in entries}

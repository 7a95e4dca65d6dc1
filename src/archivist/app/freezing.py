"""What a session is given of the notes, held still for as long as its prompt must."""

from collections.abc import Callable
from datetime import datetime
from typing import Final, NamedTuple

import msgspec

from archivist.app.own_code import look_of_rendering
from archivist.app.receiver import Receiver, frozen_for, frozen_in
from archivist.notes.limits import Limits
from archivist.notes.showing import NotesShow
from archivist.records import Scope
from archivist.records.digest import blake2b
from archivist.records.notes import Entry, Snapshot, Target
from archivist.store import StateStore, Surroundings
from archivist.store.connection import Connection
from archivist.store.frozen import Frozen, freeze, hand_on, last_made, storable
from archivist.store.sessions import give_prompt, require_session

TARGETS: Final[tuple[Target, ...]] = ("memory", "user")
AT_A_BEGINNING: Final = 0.2
"""Seconds for which a session that begins waits for what earlier ones used."""
DIGEST_BYTES: Final = 16


def present_snapshot(notes: NotesShow, scope: Scope, now: datetime, *, tell_odd: bool = True) -> Snapshot:
    """What a session in this scope would be given at this moment.

    Args:
        notes: Of the home.
        scope: Of the session.
        now: The time.
        tell_odd: Say also of what the owner typed that it is odd.
    """
    return _rendered(notes, _Present.of(notes, scope), now, tell_odd=tell_odd)


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
    made, made_from = None, ""
    if handed is None or handed.scope != scope:
        take_in_uses(AT_A_BEGINNING)  # what earlier sessions used decides what fits
        made, made_from = _made(store, notes, scope, world)

    def keep(db: Connection) -> Frozen:
        newest = frozen_in(db, receiver)
        if newest is not None and newest.scope == scope and (before is None or newest.key != before.key):
            return newest  # somebody was quicker
        names = msgspec.structs.asdict(receiver)
        if made is not None:
            return freeze(db, made, scope=scope, now=world.now(), made_from=made_from, **names)
        assert handed is not None
        return hand_on(db, handed, now=world.now(), **names)

    return store.write(keep)


class Made(NamedTuple):
    """A snapshot as it may be stored, and a hash of what it was made from."""

    snapshot: Snapshot
    made_from: str


def make_snapshot(store: StateStore, notes: NotesShow, scope: Scope, world: Surroundings) -> Made:
    """What a session that begins now in this scope is given; kept by `keep_snapshot`."""
    return Made(*_made(store, notes, scope, world))


def keep_snapshot(store: StateStore, made: Made, session_id: str, scope: Scope, now: datetime) -> None:
    """Keep what one of our sessions is given, unless it was given something by now."""
    store.write(lambda db: freeze_made(db, made, session_id, scope, now))


def freeze_made(db: Connection, made: Made, session_id: str, scope: Scope, now: datetime) -> None:
    """The same within a transaction."""
    if frozen_in(db, Receiver(session_id)) is None:
        freeze(db, made.snapshot, scope=scope, now=now, made_from=made.made_from, session_id=session_id)


def freeze_prompt(
    store: StateStore, made: Made, session_id: str, scope: Scope, prompt: str, now: datetime
) -> None:
    """Let a session that was begun without a prompt have one, and the notes that stand in it."""
    text = store.masked(prompt)

    def keep(db: Connection) -> None:
        give_prompt(db, require_session(db, session_id).key, text)
        freeze_made(db, made, session_id, scope, now)

    store.write(keep)


class _Present(msgspec.Struct, frozen=True):
    """What stands in the notes now, as far as prompts carry it.

    Attributes:
        last: The newest change.
        allowed: The ids of the blocks that are shown whatever is found in them, in their order.
        is_whole: Whether all of it can be shown: then nothing but itself decides how it is rendered.
    """

    last: str | None
    entries: tuple[Entry, ...]
    allowed: tuple[str, ...]
    is_whole: bool

    @classmethod
    def of(cls, notes: NotesShow, scope: Scope) -> "_Present":
        """Read at one moment."""
        last, entries = notes.present(scope)
        if not notes.limits.in_prompt:
            entries = ()
        used: dict[Target, int] = dict.fromkeys(TARGETS, 0)
        for entry in entries:
            used[entry.target] += len(entry.text) + 3
        allowed = tuple(sorted(notes.allowed()))
        return cls(last, entries, allowed, all(used[target] <= notes.limits.of(target) for target in TARGETS))

    def digest(self, limits: Limits) -> str:
        """Of everything that it is rendered from, and of the code, whose scanner decides too; empty where time does."""
        if not self.is_whole:
            return ""
        try:
            raw = msgspec.json.encode([look_of_rendering(), limits, self.entries, self.allowed])
        except UnicodeEncodeError:  # the name of a folder that is no UTF-8
            return ""
        return blake2b(raw, digest_size=DIGEST_BYTES).hexdigest()


def _made(store: StateStore, notes: NotesShow, scope: Scope, world: Surroundings) -> tuple[Snapshot, str]:
    """A snapshot as it may be stored, and what it was made from.

    Where that is the same as for the last session of the scope it is that one's: it need not be rendered and masked again.
    """
    present = _Present.of(notes, scope)
    made_from = present.digest(notes.limits)
    found = store.read(lambda db: last_made(db, scope, made_from)) if made_from else None
    if found is None:
        return storable(_rendered(notes, present, world.now(), tell_odd=False), store.masked), made_from
    report = msgspec.structs.replace(found.report, last_change=present.last)
    return msgspec.structs.replace(found, report=report), made_from


def _rendered(notes: NotesShow, present: _Present, now: datetime, *, tell_odd: bool) -> Snapshot:
    from archivist.prompt.snapshot import Level, snapshot_of  # noqa: PLC0415 - the notes seldom change

    levels: dict[tuple[Scope, Target], list[Entry]] = {}
    for entry in present.entries:
        levels.setdefault((entry.scope, entry.target), []).append(entry)
    made = [
        Level(whose, target, tuple(inside), notes.limits.of(target))
        for (whose, target), inside in levels.items()
    ]
    return snapshot_of(
        made,
        retention=_remembered(notes, present, now),
        last_change=present.last,
        allowed=frozenset(present.allowed),
        tell_odd=tell_odd,
    )


def _remembered(notes: NotesShow, present: _Present, now: datetime) -> dict[str, float]:
    """How well each entry is remembered; asked only where not all of them can be shown."""
    if present.is_whole:
        return {}
    from archivist.notes.retention import retention  # noqa: PLC0415 - as said

    uses = notes.uses_of([entry.id for entry in present.entries])
    return {entry.id: retention(entry, uses.get(entry.id, ()), now) for entry in present.entries}

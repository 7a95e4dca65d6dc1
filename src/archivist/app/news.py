"""What changed in the notes since a session was given them, told once."""

from collections.abc import Callable, Collection
from functools import partial
from typing import Final

import msgspec

from archivist.app.freezing import given_snapshot
from archivist.app.receiver import Receiver, frozen_for, frozen_in
from archivist.notes.showing import NotesShow, Recorded
from archivist.prompt.known import shown_by, when_done, when_told
from archivist.prompt.news import OPENING, carried_in, news_since
from archivist.records.patterns import late_pattern
from archivist.store import StateStore, Surroundings
from archivist.store.carrying import carrying, place_of
from archivist.store.connection import Connection
from archivist.store.frozen import ChangesTold, Frozen, mark_told
from archivist.store.sessions import line_ids

_DONE: Final = '"undo_id":"'
"""What the result of a call that changed the notes has, before the id of the change."""
_OWN: Final = late_pattern(rf"{_DONE}(\w+)\"")
MOST_TRIES: Final = 100
"""So often may somebody else be told news of the same session first."""


class _Heard(msgspec.Struct, frozen=True):
    """What a session has heard of the notes since it was given them.

    Attributes:
        frozen: What it was given.
        carried: The changes up to which messages tell that its model sees; None where nobody knows, as of a host's.
        place: Where it is.
        own: Changes that its model sees results of, as of a call of its own.
        line: The sessions of its line.
    """

    frozen: Frozen
    carried: tuple[str, ...] | None = None
    place: str = ""
    own: tuple[str, ...] = ()
    line: frozenset[str] = frozenset()

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

    def with_told(self, change: str) -> ChangesTold:
        """The same when it was told more: a host at once, one of ours when a message carries it."""
        told = self.frozen.told
        if self.frozen.session_id is None:
            return ChangesTold((*told.changes, change))
        return ChangesTold(told.changes, (*self.awaited, change), self.place)


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
            mark_told(db, heard.frozen, ChangesTold((*told.changes, *told.awaited)))

    store.write(settle)


def _news(notes: NotesShow, heard: _Heard) -> tuple[str, str | None]:
    """The news, and the newest change of which they tell; none while prompts carry no notes, for they would be carried all the same."""
    if not notes.limits.in_prompt:
        return "", None
    last = heard.frozen.snapshot.report.last_change
    recorded = notes.recorded({*heard.changes, *heard.own, *filter(None, [last])}, heard.frozen.scope)
    if recorded.newest in {None, last, *heard.changes}:
        return "", recorded.newest
    return _since(recorded, heard, last, notes.allowed()), recorded.newest


def _since(recorded: Recorded, heard: _Heard, last: str | None, allowed: Collection[str]) -> str:
    known = shown_by(heard.frozen.snapshot, recorded.at.get(last or "", ()))
    changes = list(recorded.at)
    later = changes[changes.index(last) + 1 :] if last in recorded.at else changes
    for change in later:
        if change in heard.changes:
            known = when_told(known, recorded.at[change])
        elif change in heard.own and recorded.by[change] in heard.line:
            known = when_done(known, recorded.at[change], recorded.touched[change])
    return news_since(known, recorded.entries, recorded.newest or "", allowed=allowed)


def _keep_told(frozen: Frozen, told: ChangesTold, db: Connection) -> bool:
    return mark_told(db, frozen, told)


def _heard(db: Connection, receiver: Receiver, carried: str | None = None) -> _Heard | None:
    frozen = frozen_in(db, receiver)
    if frozen is None:
        return None
    if frozen.session_id is None:
        return _Heard(frozen, None if carried is None else tuple(carried_in(carried)))
    told = [change for text in carrying(db, frozen.session_id, OPENING) for change in carried_in(text)]
    own = [change for text in carrying(db, frozen.session_id, _DONE) for change in _OWN.findall(text)]
    line = line_ids(db, frozen.session_id)
    return _Heard(frozen, tuple(told), place_of(db, frozen.session_id), tuple(own), line)

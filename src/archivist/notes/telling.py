"""The history of entries, out of the journal: log, blame, and the notes as of a day."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from archivist.notes.desk import Desk
from archivist.notes.folding import State
from archivist.notes.journal import Change, Step
from archivist.notes.places import place_of
from archivist.notes.undoing import taken_back
from archivist.records import ArchivistError
from archivist.records.notes import HOME_SCOPE, Entry, EntryOrigin, Quote, Target


class UnknownEntry(ArchivistError):
    """No entry has this id, or none that may be seen from here."""

    def __init__(self, name: str) -> None:
        super().__init__(f"no entry {name!r} is known here: `archivist memory show` names them")


class UnknownChange(ArchivistError):
    """No change has this id."""

    def __init__(self, name: str) -> None:
        super().__init__(f"no change {name!r} is known here: `archivist memory log` names them")


class LogLine(msgspec.Struct, frozen=True):
    """What one change did to one entry.

    Attributes:
        change: Its id, for `undo`.
        action: What was asked for: add, replace, undo, hand, …
        what: What happened to the entry: add, text, gone, move, mark.
        file: Where it stands after it, relative to `memories/`.
        before: Its words before, where they changed; of a move the file that it left; of a mark the value.
        undoes: The change that this one took back.
        undone_by: The change that took this one back, unless that was taken back itself.
        accepts: The proposal that the owner accepted with it.
        origin: Of an entry that begins or comes back: who put it there.
    """

    change: str
    at: datetime
    action: str
    entry: str
    what: str
    target: Target
    file: str
    before: str | None = None
    after: str | None = None
    undoes: str | None = None
    undone_by: str | None = None
    is_stale: bool = False
    accepts: str | None = None
    origin: EntryOrigin | None = None


class Blame(msgspec.Struct, frozen=True):
    """Where an entry's present words come from, and what it was before.

    Attributes:
        since: When it got its present words, and by which change.
        sources: The words of conversations that it rests on.
        history: What happened to it, the latest first.
    """

    entry: Entry
    since: datetime
    change: str
    origin: EntryOrigin
    sources: tuple[Quote, ...]
    history: tuple[LogLine, ...]


def log_lines(state: State, desk: Desk, *, entry: str | None = None) -> Iterator[LogLine]:
    """What happened, the latest first; to what is only shared with the reader, from its sharing on.

    Args:
        entry: Only to this one.
    """
    undone = taken_back(state.changes)
    shared = _shared_since(state, desk)
    for number, change in reversed(list(enumerate(state.changes))):
        for step in change.steps:
            if entry in {None, step.entry} and (place := place_of(step.file)) is not None:
                since = shared.get(step.entry)
                if desk.is_own(place.level) or (since is not None and number >= since and _is_of_home(step)):
                    yield _line(change, step, place.target, undone.get(change.id))


def blame(state: State, desk: Desk, key: str) -> Blame:
    """Where an entry comes from.

    Raises:
        UnknownEntry: There is none.
    """
    entry = desk.entry(key)
    if entry is None:
        raise UnknownEntry(key)
    history = tuple(log_lines(state, desk, entry=key))
    worded = next((line for line in history if line.what in {"add", "text"}), None)
    since = worded.at if worded is not None else entry.changed_at
    change = worded.change if worded is not None else ""
    return Blame(entry, since, change, entry.origin, entry.sources, history)


def as_of(state: State, folder: Path, desk: Desk, at: datetime) -> list[Entry]:
    """The entries that there were at a time, core first; of what is only shared with the reader, from its sharing on.

    Args:
        at: In UTC where it has no zone of its own.
    """
    at = at if at.tzinfo else at.replace(tzinfo=UTC)
    then = State()
    then.fold_until(state.changes, at)
    there = Desk(then, folder, desk.reader)
    found = [*there.entries(tier="core"), *there.entries(tier="archive")]
    if desk.is_own(""):
        return found
    shared = {key: state.changes[number].at for key, number in _shared_since(state, desk).items()}
    return [one for one in found if one.scope != HOME_SCOPE or _is_by(shared.get(one.id), at)]


def _shared_since(state: State, desk: Desk) -> dict[str, int]:
    """By entry that the reader sees only because it is shared, the number of the change since which it is."""
    if desk.is_own(""):
        return {}
    since = {
        step.entry: number
        for number, change in enumerate(state.changes)
        for step in change.steps
        if step.marks.get("shared", (None, None))[1] is True
    }
    return {key: number for key, number in since.items() if desk.entry(key) is not None}


def _is_by(moment: datetime | None, at: datetime) -> bool:
    return moment is not None and moment <= at


def _is_of_home(step: Step) -> bool:
    """Whether a step names no place but the home's own."""
    return all(
        (place := place_of(name)) is None or not place.level for name in (step.file, step.source or "")
    )


def _line(change: Change, step: Step, target: Target, undone_by: str | None) -> LogLine:
    before, after = step.was, step.text
    if step.op == "move":
        before, after = step.source, step.text
    elif step.op == "mark":
        before = ", ".join(f"{name}={pair[0]}" for name, pair in step.marks.items())
        after = ", ".join(f"{name}={pair[1]}" for name, pair in step.marks.items())
    return LogLine(
        change.id,
        change.at,
        change.action,
        step.entry,
        step.op,
        target,
        step.file,
        before,
        after,
        change.undoes,
        undone_by,
        step.entry in change.stale,
        change.accepts,
        step.origin if step.op == "add" else None,
    )

"""The journal, line by line, becomes what is known of every entry, and of every file as the program last left it or saw it."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final, get_args

import msgspec

from archivist.notes.journal import Change, Done, Line, Step
from archivist.notes.places import Place
from archivist.records import Scope
from archivist.records.notes import HOME_SCOPE, Entry, EntryKind, EntryOrigin, EntryStatus, Quote

_KINDS: Final = frozenset(get_args(EntryKind))


class Known(msgspec.Struct, gc=False):
    """An entry as the journal tells of it.

    Attributes:
        file: Where it stands, or stood last.
        placed_at: Since when it stands there.
        placed: The number of the change since which it stands there; clocks may go backwards.
        born: The number of the change that began it.
        worded: The number of the change that gave it its words.
        speaker: The person whose words it is; None where nobody knows.
        contradicts: Entries that say otherwise.
        superseded_by: The entry that took its place.
    """

    id: str
    file: str
    text: str
    observed_at: datetime
    changed_at: datetime
    placed_at: datetime
    origin: EntryOrigin = "user"
    kind: EntryKind = "fact"
    status: EntryStatus = "active"
    sources: tuple[Quote, ...] = ()
    valid_from: datetime | None = None
    supersedes: str | None = None
    pinned: bool = False
    shared: bool = False
    placed: int = 0
    born: int = 0
    worded: int = 0
    speaker: str | None = None
    contradicts: tuple[str, ...] = ()
    superseded_by: str | None = None

    def entry(self, place: Place, scope: Scope = HOME_SCOPE) -> Entry:
        """As it is given out."""
        is_closed = place.is_closed and self.status == "active"
        return Entry(
            id=self.id,
            target=place.target,
            text=self.text,
            observed_at=self.observed_at,
            changed_at=self.changed_at,
            scope=scope,
            tier=place.tier,
            status="superseded" if is_closed else self.status,
            kind=self.kind,
            origin=self.origin,
            sources=self.sources,
            valid_from=self.valid_from,
            valid_to=self.placed_at if is_closed else None,
            supersedes=self.supersedes,
            pinned=self.pinned,
            shared=self.shared,
            superseded_by=self.superseded_by if is_closed else None,
            contradicts=self.contradicts,
        )


class KnownFile(msgspec.Struct):
    """A file as the program last left it or saw it.

    Attributes:
        order: The ids of its entries.
        digest: Of its bytes; empty while there is none.
        hand: The number of the last change by hand; -1 before the first.
        change: The change that touched it last.
    """

    order: list[str] = []
    digest: str = ""
    hand: int = -1
    change: str | None = None


class State:
    """Everything that the journal tells; folded line by line.

    Attributes:
        entries: By id, every entry that there ever was.
        files: By name.
        changes: That were done, in order.
        open: A change that was written down, and of which nobody said that it was done.
    """

    def __init__(self) -> None:
        self.entries: dict[str, Known] = {}
        self.files: dict[str, KnownFile] = {}
        self.changes: list[Change] = []
        self.open: Change | None = None
        self._taken: set[str] = set()

    def file(self, name: str) -> KnownFile:
        """What is known of a file; made empty where nothing is."""
        found = self.files.get(name)
        if found is None:
            found = self.files[name] = KnownFile()
        return found

    def fold(self, lines: Iterable[Line]) -> None:
        """Go on by these lines."""
        for line in lines:
            if isinstance(line, Done):
                if self.open is not None and self.open.id == line.of:
                    change, self.open = self.open, None
                    self._take(change, skipped=line.skipped, digests=line.files)
            elif line.id in self._taken:
                continue  # a line that stands there twice
            elif line.is_by_hand:
                self._take(line)
            else:
                self._close(line.id)
                self.open = line

    def _close(self, following: str) -> None:
        """Whoever wrote the next change had finished the one before, whatever became of the line that says so."""
        if self.open is not None and self.open.id != following:
            self._take(self.open)

    def known(self, name: str) -> list[tuple[str, str]]:
        """The entries of a file, in order: ids and texts."""
        found = self.files.get(name)
        return [(key, self.entries[key].text) for key in found.order] if found else []

    def gone(self) -> Iterable[Known]:
        """Entries that were taken out, the latest last."""
        return (known for known in self.entries.values() if known.status != "active")

    def change(self, name: str) -> Change | None:
        """A change by its id."""
        return next((change for change in reversed(self.changes) if change.id == name), None)

    def before(self, name: str) -> "State":
        """What was known before a change; all of it where there is none of that id."""
        found = State()
        for change in self.changes:
            if change.id == name:
                break
            found._take(change)
        return found

    def after(self, name: str | None) -> "State":
        """What was known when a change was done; nothing where it is not among the changes."""
        found = State()
        if name is not None and self.change(name) is not None:
            for change in self.changes:
                found._take(change)
                if change.id == name:
                    break
        return found

    def fold_until(self, changes: Iterable[Change], at: datetime) -> None:
        """Go on by changes that were done, up to a time."""
        for change in changes:
            if change.at <= at:
                self._take(change)

    def _take(
        self, change: Change, *, skipped: Sequence[int] = (), digests: Mapping[str, str] | None = None
    ) -> None:
        if skipped:
            steps = tuple(step for number, step in enumerate(change.steps) if number not in skipped)
            change = msgspec.structs.replace(change, steps=steps)
        change = _understood(change)
        for step in change.steps:
            self._apply(step, change.at)
        for name, order in change.orders.items():
            self.file(name).order = [key for key in order if key in self.entries]
        for name, (_, after) in change.files.items():
            file = self.file(name)
            file.digest, file.change = (digests or {}).get(name, after), change.id
            if change.is_by_hand:
                file.hand = len(self.changes)
        self.changes.append(change)
        self._taken.add(change.id)

    def _apply(self, step: Step, at: datetime) -> None:
        known = self.entries.get(step.entry)
        if step.op == "add":
            self._add(step, known, at)
        elif known is None:
            return  # its beginning is in a line that is lost
        elif step.op == "text":
            known.text, known.changed_at, known.worded = step.text or "", at, len(self.changes)
            known.kind = step.kind or known.kind
        elif step.op == "gone":
            self._take_out(step.entry, known.file)
            known.status = "retracted"
        elif step.op == "move":
            self._take_out(step.entry, known.file)
            known.file, known.placed_at, known.placed = step.file, at, len(self.changes)
            self._replace(known, step.by)
            self._put_in(step)
        else:
            for name, (_, value) in step.marks.items():
                setattr(known, name, value)

    def _add(self, step: Step, known: Known | None, at: datetime) -> None:
        if known is None:
            self.entries[step.entry] = _new(step, at, len(self.changes))
        else:
            self._add_again(step, known, at)
        self._put_in(step)

    def _replace(self, known: Known, by: str | None) -> None:
        """Let an entry be of those whose place another took, or no more."""
        former = self.entries.get(known.superseded_by or "")
        if former is not None and former.supersedes == known.id:
            former.supersedes = None
        known.superseded_by = by
        if by in self.entries:
            self.entries[by].supersedes = known.id

    def _add_again(self, step: Step, known: Known, at: datetime) -> None:
        if known.status == "active":
            self._take_out(known.id, known.file)
        if known.text != step.text:
            known.text, known.changed_at, known.worded = step.text or "", at, len(self.changes)
        known.file, known.placed_at, known.status = step.file, at, "active"
        known.placed = len(self.changes)
        known.origin, known.kind = step.origin or known.origin, step.kind or known.kind
        known.sources = step.sources or known.sources
        known.valid_from = step.valid_from or known.valid_from
        known.supersedes = step.supersedes or known.supersedes
        known.speaker = step.speaker or known.speaker
        known.contradicts = step.contradicts or known.contradicts

    def _put_in(self, step: Step) -> None:
        order = self.file(step.file).order
        order.insert(position_of(order, step.after), step.entry)

    def _take_out(self, key: str, name: str) -> None:
        order = self.file(name).order
        if order and order[-1] == key:  # of many that are taken back, each is the last
            order.pop()
        elif key in order:
            order.remove(key)


def has_odd_marks(change: Change) -> bool:
    """Whether a change marks an entry with something that this version knows nothing of, or with a value that it cannot have."""
    return any(not _is_mark(*mark) for step in change.steps if step.marks for mark in step.marks.items())


def _is_mark(name: str, values: tuple[Any, Any]) -> bool:
    if name in {"pinned", "shared"}:
        return all(isinstance(value, bool) for value in values)
    return name == "kind" and all(isinstance(value, str) and value in _KINDS for value in values)


def _understood(change: Change) -> Change:
    """A change without marks that cannot be, and with a zone to its times: another program, or a hand, may have written it."""
    if change.at.tzinfo is None:
        change = msgspec.structs.replace(change, at=_zoned(change.at))
    if has_odd_marks(change):
        change = msgspec.structs.replace(change, steps=tuple(map(_without_odd_marks, change.steps)))
    return change


def _without_odd_marks(step: Step) -> Step:
    kept = {name: values for name, values in step.marks.items() if _is_mark(name, values)}
    return msgspec.structs.replace(step, marks=kept)


def _zoned(moment: datetime) -> datetime:
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def orders_after(state: State, steps: Iterable[Step], names: Iterable[str]) -> dict[str, list[str]]:
    """The order of some files in which steps would leave their entries; nothing is changed."""
    orders = {name: list(state.file(name).order) for name in names}
    for step in steps:
        if step.op in {"gone", "move"}:
            for order in orders.values():
                if step.entry in order:
                    order.remove(step.entry)
        if step.op in {"add", "move"} and step.file in orders:
            order = orders[step.file]
            order.insert(position_of(order, step.after), step.entry)
    return orders


def _new(step: Step, at: datetime, number: int) -> Known:
    """An entry as the change of that number began it."""
    return Known(
        step.entry,
        step.file,
        step.text or "",
        _zoned(step.observed_at or at),
        at,
        at,
        origin=step.origin or "user",
        kind=step.kind or "fact",
        sources=step.sources,
        valid_from=step.valid_from,
        supersedes=step.supersedes,
        speaker=step.speaker,
        contradicts=step.contradicts,
        placed=number,
        born=number,
        worded=number,
    )


def position_of(order: Sequence[str], after: str | None) -> int:
    """Where something stands that stands behind an entry: empty for the first place, the last where that entry is not there."""
    if after == "":
        return 0
    if (
        order and order[-1] == after
    ):  # of a long file that is read for the first time each stands behind the last
        return len(order)
    return order.index(after) + 1 if after is not None and after in order else len(order)

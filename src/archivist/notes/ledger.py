"""One change of the notes at a time: written down, then done, then acknowledged.

Under one lock: what was left unfinished is finished, what a hand did is taken in, the change is planned on what is there now, written
to the journal and synced; then the files are put in place, the archive's first. A file that somebody saved in between is not
overwritten: what they did is taken in as well, and the steps are taken again on top of it.
"""

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final

from archivist.files import FileLocked, FileNotWritten, locked, make_folder
from archivist.notes.folders import refuse_dangling
from archivist.notes.holding import Holding
from archivist.notes.journal import MERGE, Change, Done, End
from archivist.notes.places import is_core, keep_keys, place_of
from archivist.records import Notice
from archivist.records.counts import counted

if TYPE_CHECKING:
    from archivist.notes.drafting import Draft, Plan
    from archivist.notes.late_saves import LateSaves
    from archivist.notes.placing import Content, Placing
    from archivist.notes.recovery import Recovery
    from archivist.notes.versions import Versions

LOCK_SECONDS: Final = 30.0
MOST_UNTOLD: Final = 200
"""So many of the last changes are looked through for saves that nobody was told of."""


class Ledger:
    """The notes of one home, for writing; safe to use from many threads, beside other processes.

    What only a change needs is loaded with the first one: who reads does not wait for it.

    Args:
        holding: What is there.
        versions: Where displaced files are kept.
        new_id: Makes the ids of changes.
    """

    def __init__(self, holding: Holding, versions: "Versions", *, new_id: Callable[[], str]) -> None:
        self.holding, self.versions = holding, versions
        self._new_id, self._now = new_id, holding.now
        self._lock_file = lock_file(holding.folder)
        self._turn = threading.RLock()
        self._notices: dict[Notice, frozenset[str]] = {}
        self._told = set[str]()
        self._is_united = False

    @contextmanager
    def reading(self) -> Iterator[Holding]:
        """What is there now, what a hand did included; it is written down where that needs no waiting."""
        with self._turn:
            holding = self.holding
            is_steady = holding.look_steadily()
            change = holding.state.open
            if change is not None and holding.is_in_place(change):
                holding.suppose(Done(change.id))
            if is_steady and (holding.drifted() or holding.state.open is not None):
                self._adopt_or_imagine()
            yield holding

    @contextmanager
    def writing(self, seconds: float = LOCK_SECONDS) -> Iterator[Holding]:
        """The same under the lock, with everything finished and taken in that was under way.

        Raises:
            FileLocked: Another process kept the lock.
            FileNotWritten, NotesUnreadable: Nothing was changed.
        """
        refuse_dangling(str(self.holding.folder))
        try:
            make_folder(self.holding.folder)
        except OSError as error:
            raise FileNotWritten(self.holding.folder, error) from error
        with locked(self._lock_file, seconds=seconds), self._turn:
            self.holding.look()
            self._say_done()
            drifted = self.holding.settle()
            if (change := self.holding.state.open) is not None:
                skipped, names = self._recovery.finish(change)
                with self.holding.journal.end() as end:
                    self._finish(change, skipped, names, end)
                drifted = self.holding.drifted()
            self._write_by_hand(drifted)
            self._unite()
            self._late_saves.adopt()
            yield self.holding

    def commit(self, plan: "Plan") -> Change:
        """Write a change down, do it, and say so; under `writing` only.

        Raises:
            FileNotWritten: Nothing was changed.
        """
        contents = self._contents(plan.draft)
        change = self._change_of(plan, contents)
        keep_keys(self.holding.folder, plan.keys)
        with self.holding.journal.end() as end:
            end.write([change])
            end.begin_to_sync()
            self._finish(change, self._put(change, contents, end), contents, end)
        return change

    def _contents(self, draft: "Draft") -> "dict[str, Content]":
        """What files would hold, those that become others than they are."""
        from archivist.notes.placing import Content  # noqa: PLC0415 - who only reads does not pay for it

        contents = {
            name: Content.of(sheet.document)
            for name, sheet in draft.sheets.items()
            if sheet.document is not self.holding.document(name)  # else it was only looked at
        }
        return {name: one for name, one in contents.items() if one.raw != self.holding.raw(name)}

    def _change_of(self, plan: "Plan", contents: "Mapping[str, Content]") -> Change:
        return Change(
            f"c{self._new_id()}",
            self._now(),
            plan.action,
            tuple(plan.draft.steps),
            {name: (self.holding.digest(name), one.digest) for name, one in contents.items()},
            plan.draft.orders,
            undoes=plan.undoes,
            stale=plan.stale,
            session=plan.session,
            accepts=plan.accepts,
        )

    def _put(self, change: Change, contents: "dict[str, Content]", end: End) -> set[int]:
        """Put files in place; which steps could not be taken. Where one cannot be written, nothing stays, nor the intent of it."""
        try:
            return self._placing.put(change, contents, first=end.sync)
        except (FileNotWritten, OSError) as error:
            self._placing.take_back(change, contents, end.begin)
            if isinstance(error, OSError):
                raise FileNotWritten(self.holding.folder, error) from error
            raise

    def take_notices(self, sees: Callable[[str], bool] = lambda _level: True) -> tuple[Notice, ...]:
        """What was found on the way, told once.

        Args:
            sees: Whether whoever asks may be told of a level; what is of others waits for those.
        """
        with self._turn:
            taken = tuple(notice for notice, levels in self._notices.items() if all(map(sees, levels)))
            for notice in taken:
                del self._notices[notice]
        return taken

    def untold(self, sees: Callable[[str], bool], *, before: str) -> list[Notice]:
        """The stale saves that another process took in for somebody who may not be told of them; here each is told once.

        Args:
            sees: As in `take_notices`.
            before: The change that whoever asks has just made; empty where that is none.
        """
        from archivist.notes.untold import stale_notice, untold  # noqa: PLC0415 - as above

        state = self.holding.state
        earlier = [change for change in state.changes[-MOST_UNTOLD:] if change.id != before]
        found = [
            change for change in untold(state, earlier, sees, self._now()) if change.id not in self._told
        ]
        self._told |= {change.id for change in found}
        return [stale_notice(change) for change in found]

    @cached_property
    def _placing(self) -> "Placing":
        from archivist.notes.placing import Placing  # noqa: PLC0415 - as above

        return Placing(self.holding, self.versions, self._write_by_hand)

    @cached_property
    def _recovery(self) -> "Recovery":
        from archivist.notes.recovery import Recovery  # noqa: PLC0415 - as above

        return Recovery(self.holding, self.versions, self._placing)

    @cached_property
    def _late_saves(self) -> "LateSaves":
        from archivist.notes.late_saves import LateSaves  # noqa: PLC0415 - as above

        return LateSaves(self.holding, self.versions, self.commit, self._tell)

    def _tell(self, code: str, text: str, names: Iterable[str]) -> None:
        """Keep a notice for whoever may be told of what stands in these files."""
        places = map(place_of, names)
        self._notices[Notice(code, text)] = frozenset(place.level for place in places if place is not None)

    def _finish(self, change: Change, skipped: set[int], names: Iterable[str], end: End) -> None:
        """Say that a change is done, with the digests of those files that became others than it wanted."""
        found = {name: self.holding.digest(name) for name in names}
        others = {name: one for name, one in found.items() if one != change.files[name][1]}
        done = Done(change.id, tuple(sorted(skipped)), others)
        try:
            end.write([done])
        except FileNotWritten:  # the change is on the disk: whoever writes next says so
            self.holding.read_on()
            self.holding.suppose(done)
        self.holding.take_in(end)
        if skipped:
            text = f"{counted(len(skipped), 'step')} of this change could not be taken: their entries were edited in a file meanwhile"
            self._tell("hand-won", text, change.files)

    def _say_done(self) -> None:
        """Write the line that a change lacked which is done."""
        if self.holding.supposed is not None:
            self.holding.journal.append([self.holding.supposed], is_synced=False)
            self.holding.read_on()

    def _unite(self) -> None:
        """Where a hand put back into the core what stands in the archive, it is the same entry and leaves the archive."""
        from archivist.notes.drafting import Draft, Plan  # noqa: PLC0415 - as above
        from archivist.notes.merging import unite  # noqa: PLC0415 - seldom needed

        if self._is_united:
            return
        draft = Draft(self.holding.state, self.holding.document)
        back = unite(draft, self.holding.state)
        if back:
            self.commit(Plan(MERGE, draft))
            text = f"{', '.join(back[:5])} stood in the archive and was put into a file by hand: back in the core"
            self._tell("was-archived", text, draft.sheets)
        self._is_united = True

    def _write_by_hand(self, drifted: Sequence[str]) -> None:
        change = self.holding.by_hand(drifted)
        if change is not None:
            self._is_united = False
            self.holding.journal.append([change])
            for name, (before, _) in change.files.items():
                self.versions.overwritten(name, change.id, self._now(), before)
                if is_core(name):  # a hand may save over this as well
                    self.versions.wrote(name, self.holding.raw(name))
            self.holding.read_on()
            self._tell_stale(change)

    def _adopt_or_imagine(self) -> None:
        try:
            with self.writing(seconds=0.0):
                return
        except (FileLocked, FileNotWritten, OSError):
            self.holding.look_steadily()
            change = self.holding.imagine()
            if change is not None:
                self._tell_stale(change)

    def _tell_stale(self, change: Change) -> None:
        if not change.stale:
            return
        from archivist.notes.untold import stale_notice  # noqa: PLC0415 - as above

        self._told.add(change.id)
        notice = stale_notice(change)
        self._tell(notice.code, notice.text, change.files)


def lock_file(folder: Path) -> Path:
    """The lock of the notes in a folder: beside it, so that it stays when the folder is exchanged."""
    return folder.with_name(f"{folder.name}.lock")

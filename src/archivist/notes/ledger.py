"""One change of the notes at a time: written down, then done, then acknowledged.

Under one lock: what was left unfinished is finished, what a hand did is taken in, the change is planned on what is there now, written
to the journal and synced; then the files are put in place, the archive's first. A file that somebody saved in between is not
overwritten: what they did is taken in as well, and the steps are taken again on top of it.
"""

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

import msgspec

from archivist.files import FileNotWritten, locked, make_folder
from archivist.files.displacing import Displacement, displace, displace_together, left_behind, put_back
from archivist.notes.digests import digest_of
from archivist.notes.document import Document
from archivist.notes.drafting import Draft, replayed
from archivist.notes.holding import FRESH_SECONDS, SETTLING_TRIES, Holding
from archivist.notes.journal import Change, Done, End, Line
from archivist.notes.places import keep_keys, place_of
from archivist.notes.versions import Late, Versions
from archivist.records import Notice
from archivist.records.counts import counted

LOCK_SECONDS: Final = 30.0
MOST_SAVES: Final = 50
"""How often somebody may save a file while it is being written, before that is called a failure."""


class Plan(msgspec.Struct, frozen=True):
    """What is wanted of a change.

    Attributes:
        keys: By level, the key of one whose folder's name is too short for it.
        stale: As in `Change`.
    """

    action: str
    draft: Draft
    undoes: str | None = None
    session: str | None = None
    keys: Mapping[str, str] = {}
    stale: tuple[str, ...] = ()


class Ledger:
    """The notes of one home, for writing; safe to use from many threads, beside other processes.

    Args:
        holding: What is there.
        versions: Where displaced files are kept.
        new_id: Makes the ids of changes.
    """

    def __init__(self, holding: Holding, versions: Versions, *, new_id: Callable[[], str]) -> None:
        self.holding, self.versions = holding, versions
        self._new_id, self._now = new_id, holding.now
        self._turn = threading.RLock()
        self._notices: dict[Notice, frozenset[str]] = {}
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
        try:
            make_folder(self.holding.folder)
            lock = locked(lock_file(self.holding.folder), seconds=seconds)
        except OSError as error:
            raise FileNotWritten(self.holding.folder, error) from error
        with lock, self._turn:
            self.holding.look()
            self._say_done()
            drifted = self.holding.settle()
            if self.holding.state.open is not None:
                self._finish_open()
                drifted = self.holding.drifted()
            self._write_by_hand(drifted)
            self._unite()
            self._adopt_late_saves()
            yield self.holding

    def commit(self, plan: Plan) -> Change:
        """Write a change down, do it, and say so; under `writing` only.

        Raises:
            FileNotWritten: Nothing was changed.
        """
        draft, holding = plan.draft, self.holding
        contents = {
            name: sheet.document.render()
            for name, sheet in draft.sheets.items()
            if sheet.document is not holding.document(name)  # else it was only looked at
        }
        files = {
            name: (holding.digest(name), digest_of(content))
            for name, content in contents.items()
            if content != holding.raw(name)
        }
        change = Change(
            f"c{self._new_id()}",
            self._now(),
            plan.action,
            tuple(draft.steps),
            files,
            draft.orders,
            undoes=plan.undoes,
            stale=plan.stale,
            session=plan.session,
        )
        keep_keys(holding.folder, plan.keys)
        with holding.journal.end() as end:
            end.write([change])
            end.begin_to_sync()
            try:
                skipped = self._put(
                    change, {name: draft.sheets[name].document for name in files}, contents, first=end.sync
                )
            except (FileNotWritten, OSError) as error:
                self._take_back(change, contents, end.begin)
                if isinstance(error, OSError):
                    raise FileNotWritten(holding.folder, error) from error
                raise
            digests = {name: digest for name in files if (digest := holding.digest(name)) != files[name][1]}
            self._finish(change, skipped, digests, end)
        return change

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

    def _tell(self, code: str, text: str, names: Iterable[str]) -> None:
        """Keep a notice for whoever may be told of what stands in these files."""
        places = map(place_of, names)
        self._notices[Notice(code, text)] = frozenset(place.level for place in places if place is not None)

    # ---- the files ----

    def _put(
        self,
        change: Change,
        documents: Mapping[str, Document],
        contents: Mapping[str, bytes],
        *,
        first: Callable[[], object] | None = None,
    ) -> set[int]:
        """Put files in place, on top of whatever a hand saves meanwhile; the steps that were not taken for that.

        Args:
            documents: What is to stand there, by name.
            contents: The same as bytes.
            first: Brings to the disk what must be there before the first file is in place.
        """
        names = sorted(documents, key=_archive_first)
        expected = {name: self.holding.raw(name) for name in names}
        files = [self._displacement(change, name, contents[name], expected[name]) for name in names]
        displaced = displace_together([file for _, file in files], first)
        for name in names:
            self.holding.wrote(name, contents[name], documents[name])
        skipped = set[int]()
        for name, (kept, _), found in zip(names, files, displaced, strict=True):
            if found != expected[name]:
                skipped |= self._put_upon(change, name, found, kept)
                continue
            self._remember(name, contents[name])
            self.versions.is_as_named(name, kept)
        return skipped

    def _displacement(
        self, change: Change, name: str, content: bytes, expected: bytes, attempt: int = 0
    ) -> tuple[Path, Displacement]:
        """Where the version goes that a file displaces, and what does it."""
        kept = self.versions.place(name, change.id, self._now(), digest_of(expected))
        path, token = self.holding.folder / name, f"{change.id}-{attempt}"
        return kept, Displacement(path, content, token=token, kept=kept)

    def _put_upon(self, change: Change, name: str, displaced: bytes, kept: Path) -> set[int]:
        """Put a file in place again, that displaced something else than was expected: with that in it."""
        skipped: tuple[int, ...] = ()
        for attempt in range(1, MOST_SAVES):
            expected = self.holding.raw(name)
            document, skipped = self._upon(change, name, displaced)
            self.versions.take_in(kept, displaced)
            content = document.render()
            kept, file = self._displacement(change, name, content, expected, attempt)
            displaced = displace_together([file])[0]
            self.holding.wrote(name, content, document)
            if displaced == expected:
                self._remember(name, content)
                self.versions.is_as_named(name, kept)
                return set(skipped)
        raise FileNotWritten(self.holding.folder / name, OSError("somebody saves it again and again"))

    def _remember(self, name: str, content: bytes) -> None:
        if _is_core(name):
            self.versions.wrote(name, content)
        elif not content:
            with suppress(OSError):  # an archive that nothing is left in; an empty one is as good as none
                (self.holding.folder / name).unlink()

    def _upon(self, change: Change, name: str, saved: bytes) -> tuple[Document, tuple[int, ...]]:
        """What a hand saved, taken in, with the steps of a change on top of it."""
        document = Document.parse(saved)
        self.holding.wrote(name, saved, document)
        self._write_by_hand([name])
        order = self.holding.state.file(name).order
        return replayed(change.steps, name, document, order)

    def _take_back(self, change: Change, contents: Mapping[str, bytes], size: int) -> None:
        """After a failure: the files that were written get their former bytes again, and the journal forgets the change.

        A file that somebody has saved meanwhile stays as they saved it. Where even this fails the change is finished later.
        """
        with suppress(FileNotWritten, OSError):
            for name in change.files:
                for kept in self.versions.displaced_by(name, change.id):
                    self._put_back(name, kept, contents[name])
            if self.holding.state.open is None:
                self.holding.journal.cut(size)
            else:  # a hand's save was written behind it and stays
                nothing = Done(change.id, tuple(range(len(change.steps))), self._digests(change))
                self.holding.journal.append([nothing])
            self.holding.look()

    def _put_back(self, name: str, kept: Path, content: bytes) -> None:
        path, former = self.holding.folder / name, kept.read_bytes()
        try:
            put_back(path, kept, content)
        except OSError:  # it is kept on another disk
            if path.read_bytes() == content:
                aside = kept.with_name(f"{kept.name}.tmp")
                displace(path, former, token=f"{kept.stem}-back", kept=aside)
                aside.unlink()
                kept.unlink()

    def _digests(self, change: Change) -> dict[str, str]:
        return {name: self.holding.digest(name) for name in change.files}

    def _finish(self, change: Change, skipped: set[int], digests: Mapping[str, str], end: End) -> None:
        done = Done(change.id, tuple(sorted(skipped)), dict(digests))
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

    # ---- what was under way ----

    def _finish_open(self) -> None:
        """Do what a change still wants that was written down and not finished: whoever did it was killed."""
        change = self.holding.state.open
        if change is None:
            return
        skipped: set[int] = set()
        names = sorted(change.files, key=_archive_first)
        for name in names:
            self._gather(change, name)
        between = {name for name in names if self.holding.state.file(name).digest != change.files[name][0]}
        pending = [name for name in names if name in between or not self._is_done(change, name)]
        self._write_by_hand([name for name in pending if name not in between and self._is_drifted(name)])
        for name in pending:
            document = self._saved_between(change, name) if name in between else self.holding.document(name)
            document, took = replayed(change.steps, name, document, self.holding.state.file(name).order)
            skipped |= set(took) | self._put(change, {name: document}, {name: document.render()})
        wanted = {name: after for name, (_, after) in change.files.items()}
        digests = {name: self.holding.digest(name) for name in pending}
        with self.holding.journal.end() as end:
            self._finish(
                change, skipped, {name: one for name, one in digests.items() if one != wanted[name]}, end
            )

    def _gather(self, change: Change, name: str) -> None:
        """Tidy away what a kill left beside a file: bytes that wait, or former ones."""
        before, after = change.files[name]
        path = self.holding.folder / name
        for file in left_behind(path, change.id, lambda content: digest_of(content) == after):
            self.versions.keep(name, change.id, self._now(), before, file)
        for version in self.versions.displaced_by(name, change.id):
            if digest_of(version.read_bytes()) == after:  # it was being taken back
                version.unlink()

    def _saved_between(self, change: Change, name: str) -> Document:
        """What a hand had saved when the kill came: taken in already, and displaced."""
        known = self.holding.state.file(name).digest
        for version in self.versions.displaced_by(name, change.id):
            content = version.read_bytes()
            if digest_of(content) == known:
                self.versions.take_in(version, content)
                return Document.parse(content)
        return self.holding.document(name)

    def _is_drifted(self, name: str) -> bool:
        return self.holding.digest(name) != self.holding.state.file(name).digest

    def _is_done(self, change: Change, name: str) -> bool:
        """Whether a file was put in place before the kill, whatever a hand has made of it since."""
        after = change.files[name][1]
        return self.holding.digest(name) == after or bool(self.versions.displaced_by(name, change.id))

    def _adopt_late_saves(self) -> None:
        """Take in what somebody wrote into a file after it was displaced: they had it open."""
        for late in self.versions.late_saves(self.holding.state):
            content = self._at_rest(late.path)
            self._adopt_late(late, content)
            self.versions.take_in(late.path, content)

    def _at_rest(self, path: Path) -> bytes:
        """The bytes of a file once whoever is saving it is done."""
        for _ in range(SETTLING_TRIES):
            if abs(self._now().timestamp() - path.stat().st_mtime) >= FRESH_SECONDS:
                break
            self.holding.rest()
        return path.read_bytes()

    def _adopt_late(self, late: Late, content: bytes) -> None:
        from archivist.notes.merging import MERGE, merge  # noqa: PLC0415 - seldom needed

        holding, path = self.holding, self.holding.folder / late.name
        draft = Draft(holding.state, holding.document)
        did = merge(draft, holding.state, late.name, late.base, Document.parse(content), at=self._now())
        if draft.steps:
            change = self.commit(Plan(MERGE, draft, stale=did.dropped))
            text = f"{path} was saved into a file that had just been replaced: both are merged"
            if did.dropped:
                text += (
                    f"; {counted(len(did.dropped), 'entry', 'entries')} went for that ({', '.join(did.dropped[:5])}):"
                    f" `archivist memory undo {change.id}` takes it back"
                )
            self._tell("hand-merged", text, [late.name])
        if did.withheld:
            text = f"{path} was saved with {counted(len(did.withheld), 'entry', 'entries')} that had been removed: they stay away"
            self._tell("hand-withheld", text, [late.name])

    def _unite(self) -> None:
        """Where a hand put back into the core what stands in the archive, it is the same entry and leaves the archive."""
        from archivist.notes.merging import MERGE, unite  # noqa: PLC0415 - as above

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
            lines: list[Line] = [change]
            self.holding.journal.append(lines)
            for name, (before, _) in change.files.items():
                self.versions.overwritten(name, change.id, self._now(), before)
                if _is_core(name):  # a hand may save over this as well
                    self.versions.wrote(name, self.holding.raw(name))
            self.holding.read_on()
            self._tell_stale(change)

    def _adopt_or_imagine(self) -> None:
        from archivist.files import FileLocked  # noqa: PLC0415 - as above

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
        files = ", ".join(sorted({step.file for step in change.steps if step.entry in change.stale}))
        text = (
            f"a save of {files} by hand took back newer changes of {counted(len(change.stale), 'entry', 'entries')}"
            f" ({', '.join(change.stale[:5])}), as an editor does that had it open before: if that was not meant,"
            f" `archivist memory undo {change.id}` brings them back"
        )
        self._tell("stale-save", text, change.files)


def lock_file(folder: Path) -> Path:
    """The lock of the notes in a folder: beside it, so that it stays when the folder is exchanged."""
    return folder.with_name(f"{folder.name}.lock")


def _is_core(name: str) -> bool:
    place = place_of(name)
    return place is not None and place.tier == "core"


def _archive_first(name: str) -> tuple[bool, str]:
    place = place_of(name)
    return place is None or place.tier == "core", name

"""Transcripts that are followed: which of them have something new, and whose the lines are that several of them hold.

A file that looks as it did costs a stat. One that has grown is read from where it was read to, if what comes before is as it was: its first
and last 64 KiB say so, and all of it is looked at where anything is odd (another file in its place, an older time of writing) or where
there is no hurry. Else it is read from its beginning, and each line is known by its id and by what it says.
"""

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import msgspec

from archivist.records import ArchivistError
from archivist.store.following import Followed, Following
from archivist.store.glance import is_past_its_tick, look
from archivist.store.receiving import Receipt
from archivist.store.rows import MessageNotStorable, milliseconds
from archivist.transfer.claude_code.families import settle
from archivist.transfer.claude_code.files import is_agent, root_line, source_name
from archivist.transfer.claude_code.kept import KeptUnreadable
from archivist.transfer.claude_code.sessions import is_left_alone
from archivist.transfer.claude_code.stretches import (
    REVISION,
    UNFINISHED,
    Borrowed,
    Stretches,
    checksum,
    seed_of,
)
from archivist.transfer.fingerprints import Fingerprint, edge_digest, look_of
from archivist.transfer.foreign import (
    UNFORESEEN,
    Reading,
    SourceFile,
    SourceUnreadable,
    TransferError,
)

HEAD_BYTES = 65_536
"""So much of a file is looked at for the id of another's first line."""
ATTEMPTS = 5
"""So often in a row a file is begun again on which another process has moved on."""


class Outcome(msgspec.Struct):
    """What became of one transcript.

    Attributes:
        receipt: What was stored.
        sessions: Ids of the sessions in which something is new.
        steps: Stretches that were stored.
        left: Bytes that were not read.
        is_unchanged: Whether there was nothing to do.
        problem: Why it could not be read.
        flaws: Lines of it that could not be read, by what is wrong with them.
    """

    path: Path
    receipt: Receipt = Receipt()
    sessions: set[str] = set()
    steps: int = 0
    left: int = 0
    is_unchanged: bool = False
    problem: str = ""
    flaws: Counter[str] = msgspec.field(default_factory=Counter)


class Transcripts(msgspec.Struct):
    """The transcripts of one run.

    Attributes:
        following: The files of this home that Claude Code writes.
        reading: How to read.
        is_late: Whether nothing more is to be begun.
        is_thorough: Whether every byte before the offset of a file that has changed is looked at.
    """

    following: Following
    reading: Reading
    is_late: Callable[[], bool]
    is_thorough: bool
    known: dict[str, Followed] = {}
    roots: dict[Path, str | None] = {}
    folders: dict[Path, list[Path]] = {}

    def follow(self, paths: Sequence[Path]) -> Iterator[Outcome]:
        """Store what is new in each; what the deadline cuts off is told as left."""
        self.known = self.following.files()
        new = [path for path in paths if str(path) not in self.known]
        self.roots = {path: root_line(path) for path in new}
        for path in self._in_order(paths, new):
            if self.is_late():
                yield self._passed_over(path)
            else:
                yield self._follow(path)

    def leave_what_is_gone(self, folder: Path) -> None:
        """Follow files no more that were below a folder and are not there now; what was stored of them stays."""
        root = folder.resolve()
        self.following.leave(
            one
            for one in self.known.values()
            if Path(one.path).is_relative_to(root) and not Path(one.path).exists()
        )

    def _in_order(self, paths: Sequence[Path], new: Sequence[Path]) -> list[Path]:
        """Sessions before their forks, and both before their sub-agents."""
        ordered = dict.fromkeys(path for path in paths if path not in self.roots)
        for path in new:
            if path in ordered:
                continue
            ordered |= dict.fromkeys(one for one in self._read_relatives(path) if one.is_file())
            family = [path, *(other for other in self._unread_relatives(path) if other not in ordered)]
            try:
                settled = settle(map(_source_file, family)).files if len(family) > 1 else family
            except TransferError:
                settled = family  # reading the one at fault will say so by name
            ordered |= dict.fromkeys(settled)
        return sorted(ordered, key=is_agent)

    def _read_relatives(self, path: Path) -> list[Path]:
        """Files that are followed and begin with the same line: what they have said is to be here before another repeats it."""
        root = self.roots.get(path) or root_line(path)
        return [
            Path(one.path)
            for one in self.known.values()
            if root and one.root == root and one.path != str(path)
        ]

    def _unread_relatives(self, path: Path) -> list[Path]:
        """Files that are not followed and begin with the same line: those of this run, and those beside it."""
        root = self.roots[path]
        if root is None:
            return []
        mark = root.encode("utf-8", "replace")
        for one in self._beside(path.parent):
            if one not in self.roots and is_agent(one) is is_agent(path) and mark in _beginning(one):
                self.roots[one] = root_line(one)
        return [one for one, its in self.roots.items() if its == root and one != path]

    def _beside(self, folder: Path) -> list[Path]:
        """The transcripts in a folder that are not followed."""
        if folder not in self.folders:
            new = (one for one in folder.glob("*.jsonl") if str(one) not in self.known)
            self.folders[folder] = [one for one in new if one.is_file()]  # a pipe would be waited for
        return self.folders[folder]

    def _follow(self, path: Path) -> Outcome:
        """One file; whatever is wrong with it is told, and stops no other."""
        outcome = Outcome(path)
        try:
            self._insist(path, outcome)
        except (TransferError, MessageNotStorable) as error:
            return self._failed(outcome, str(error))
        except OSError as error:
            return self._failed(outcome, str(SourceUnreadable(path, error.strerror or str(error))))
        except ArchivistError:
            raise
        except UNFORESEEN as error:
            reason = f"{type(error).__name__}: {' '.join(str(error).split())[:200]}"
            return self._failed(outcome, str(SourceUnreadable(path, reason)))
        return outcome

    def _insist(self, path: Path, outcome: Outcome) -> None:
        """Read on, and begin again where another process was first; one that is first each time goes on with it alone."""
        attempts = 0
        while attempts < ATTEMPTS:
            steps = outcome.steps
            if self._read(path, outcome):
                return
            attempts = 0 if outcome.steps > steps else attempts + 1
        outcome.left = bytes_behind(self.following.file(str(path)), path.stat())

    def _read(self, path: Path, outcome: Outcome) -> bool:
        """Read on to the end or the deadline; False where another process was there first."""
        status = path.stat()
        kept = self.following.file(str(path))
        if self._is_unchanged(path, kept, status):
            outcome.is_unchanged = not outcome.steps
            return True
        stretches, flaws = self._begin(path, kept, status), Counter[str]()
        while not stretches.is_at_end:
            step = stretches.next()
            receipt = self.following.advance(step)
            if receipt is None:
                return False
            outcome.steps += 1
            outcome.flaws.update(stretches.flaws - flaws)
            flaws = stretches.flaws
            outcome.receipt = outcome.receipt.plus(receipt)
            if receipt.added or receipt.restated:
                outcome.sessions.add(receipt.session_id)
            stretches.followed = replace_revision(stretches.followed)
            if self.is_late():
                break
        self.known[str(path)] = msgspec.structs.replace(stretches.followed, state=None)
        outcome.left = 0 if stretches.is_at_end else status.st_size - stretches.followed.offset
        return True

    def _begin(self, path: Path, kept: Followed, status: os.stat_result) -> Stretches:
        is_known = kept.revision > 0 and kept.state is not None
        was_imported = self._was_imported(path, kept)
        goes_on = is_known and not was_imported and self._is_as_it_was(path, kept, status)
        stretches = self._going_on(path, kept, status) if goes_on else None
        if stretches is None:
            begun = Followed(kept.key, kept.path, revision=kept.revision, read_at=self._now())
            stretches = Stretches(path, begun, self.following, self.reading, status=status)
            if is_known or was_imported:
                stretches.after_rewriting(kept)
        if not stretches.has_own_lines:
            stretches.borrow(self._borrowed(path))
        return stretches

    def _going_on(self, path: Path, kept: Followed, status: os.stat_result) -> Stretches | None:
        """The file from where it was read to; None where what was kept of it is of no use."""
        begun = msgspec.structs.replace(kept, read_at=self._now())
        try:
            return Stretches(path, begun, self.following, self.reading, status=status)
        except KeptUnreadable:
            return None

    def _was_imported(self, path: Path, kept: Followed) -> bool:
        """Whether an import has read more or other lines of a file than it was followed to."""
        marked = Fingerprint.of(self.following.fingerprint(source_name(path)))
        return marked is not None and marked.print not in {
            UNFINISHED,
            look_of(REVISION, kept.offset, kept.edges),
        }

    def _is_unchanged(self, path: Path, kept: Followed, status: os.stat_result) -> bool:
        if not kept.revision or kept.problem or kept.look != look(status):
            return False
        if kept.is_open and is_left_alone(status.st_mtime, self.reading.now):
            return False
        return is_past_its_tick(kept.read_at, status) or edge_digest(path, kept.offset) == kept.edges

    def _is_as_it_was(self, path: Path, kept: Followed, status: os.stat_result) -> bool:
        """Whether everything before the offset is as it was read."""
        if status.st_size < kept.offset or edge_digest(path, kept.offset) != kept.edges:
            return False
        if not self.is_thorough and not _is_odd(kept.look.removeprefix(UNFINISHED), status):
            return True
        return checksum(path, 0, kept.offset, seed_of(self.reading.key)) == kept.checksum

    def _borrowed(self, path: Path) -> Borrowed:
        """What a file repeats that has told nothing of its own yet; what is stored already stays whose it is."""
        root = self.roots.get(path) or root_line(path)
        if root is None:
            return Borrowed()
        self.roots.setdefault(path, root)
        read = self._read_relatives(path)
        family = [one for one in (*read, *self._unread_relatives(path)) if one.is_file()]
        if not family:
            return Borrowed()
        files = map(_source_file, [path, *family])
        settled = settle(files, first=frozenset(read), is_known=self.following.is_known)
        lines = settled.borrowed[path]
        away = {owner for owner in set(lines.values()) if self.following.is_away(owner)}
        return Borrowed(lines, settled.origin_of(path), frozenset(away))

    def _passed_over(self, path: Path) -> Outcome:
        """A file that there is no time for: how much of it is new, as far as a stat can tell."""
        try:
            status = path.stat()
        except OSError:
            return Outcome(path, is_unchanged=True)
        left = bytes_behind(self.known.get(str(path)), status)
        return Outcome(path, left=left, is_unchanged=left == 0)

    def _failed(self, outcome: Outcome, problem: str) -> Outcome:
        path = outcome.path
        kept = self.following.file(str(path))
        told = msgspec.structs.replace(kept, problem=problem, read_at=self._now())
        self.following.note(told)
        outcome.problem = problem
        return outcome

    def _now(self) -> int:
        return milliseconds(self.reading.now) if self.reading.now else 0


def bytes_behind(kept: Followed | None, status: os.stat_result) -> int:
    """How much of a file is not read, as far as a stat can tell; of one that was changed all of it."""
    if kept is None or not kept.revision or kept.problem:
        return status.st_size
    if kept.look == look(status):
        return 0
    return status.st_size - kept.offset if status.st_size >= kept.offset else status.st_size


def replace_revision(followed: Followed) -> Followed:
    """The row after a step of this process."""
    return msgspec.structs.replace(followed, revision=followed.revision + 1)


def _is_odd(kept: str, status: os.stat_result) -> bool:
    """Whether a file that has grown shows that it is another one, or was written by another clock."""
    try:
        device, number, _, written_at = map(int, kept.split(":"))
    except ValueError:  # the row is damaged, or another program's
        return True
    return (device, number) != (status.st_dev, status.st_ino) or written_at > status.st_mtime_ns


def _beginning(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(HEAD_BYTES)
    except OSError:
        return b""


def _source_file(path: Path) -> SourceFile:
    try:
        size = path.stat().st_size
    except OSError as error:
        raise SourceUnreadable(path, error.strerror or str(error)) from error
    return SourceFile(path, source_name(path), size, "")


def of_run(paths: Iterable[Path]) -> list[Path]:
    """Paths as they are followed: each file once, under the name that no link stands in."""
    found: dict[Path, None] = {}
    for path in paths:
        try:
            found.setdefault(path.resolve(strict=True))
        except (OSError, RuntimeError):
            continue
    return list(found)

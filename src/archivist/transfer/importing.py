"""An import: every changed file of a history, session by session, into a receiver.

A file that cannot be read is named with its reason and stops nothing else. A receiver that cannot store stops
everything, and what it has stored stays; the next import goes on from there.
"""

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import closing
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from archivist.notes.statements import BroughtIn, Statement
from archivist.records import ArchivistError, SessionStart
from archivist.records.digest import blake2b
from archivist.transfer.curated import Curated, CuratedHistory
from archivist.transfer.finding import Opened, open_at, open_histories
from archivist.transfer.fingerprints import Fingerprint
from archivist.transfer.foreign import (
    UNFORESEEN,
    ForeignSession,
    HomeOf,
    Reading,
    Replay,
    SourceFile,
    SourceUnreadable,
    TransferError,
    no_home,
)
from archivist.transfer.own_tools import without_own_answers
from archivist.transfer.reasons import OWNER_TOO_LATE
from archivist.transfer.receiving import Mark, Receiver
from archivist.transfer.report import (
    CountedMessages,
    ImportReport,
    OnProgress,
    Problem,
    Progress,
    Tally,
    together,
)

WITH_OWNERS = frozenset({"hermes", "openclaw"})
"""Formats that tell of gateways, on which the owner is somebody among others."""

TEXTS = "curated texts of "
"""Before the path of a folder, in the name under which the look of its curated texts is kept."""

BringIn = Callable[[Sequence[Statement]], BroughtIn]
"""Takes statements into the notes, as one change; such as `Notes.bring_in`."""


def read_history(
    path: Path,
    format: str | None = None,  # noqa: A002 - the word of the interface
    *,
    reading: Reading | None = None,
) -> Iterator[ForeignSession]:
    """Every session of a history, parents before their children, without storing anything.

    The messages of a session are to be read before the next session is asked for.

    Raises:
        TransferError: The path holds no history, or a file of it cannot be read.
    """
    for opened in open_histories(path, format, reading or Reading()).opened:
        for file in opened.history.in_order(opened.files):
            with closing(opened.history.read(file, None)) as content:
                yield from map(_as_kept, content.sessions)


def import_history(
    path: Path,
    receiver: Receiver,
    *,
    format: str | None = None,  # noqa: A002 - the word of the interface
    project_of: Callable[[str], str | None] = str,
    now: datetime | None = None,
    owners: Collection[str] | None = None,
    bring_in: BringIn | None = None,
    key: bytes = b"",
    home_of: HomeOf = no_home,
    is_away: Callable[[str, str], bool] | None = None,
    is_known: Callable[[str, str], bool] | None = None,
    on_progress: OnProgress | None = None,
) -> ImportReport:
    """Import what is new in a history, or in all that a folder and the folders in it hold.

    Args:
        path: A file or a folder.
        receiver: Where the sessions go.
        format: The only format to read, where it is not to be recognised.
        project_of: The project key of a working directory.
        now: The time; without it, a response that is still being written is taken as it stands.
        owners: The owner's ids on gateways; without them, who alone has private chats on a platform is taken for the owner.
        bring_in: Takes what is curated in a history, after its sessions; without it that is left out.
        key: With which the looks of messages are hashed, so that one that its source changes is noticed.
        home_of: Finds what a file repeats of a session that no file tells any more; see `store.homes`.
        is_away: Whether a session was deleted here, by the format's name and the source's own id.
        is_known: Whether a session is here, or was deleted here.
        on_progress: Called now and then.

    Raises:
        HistoryNotFound, FormatNotRecognised, UnknownFormat: There is nothing to import.
        ArchivistError: The receiver could not store; what it has stored stays.
    """
    known_owners = None if owners is None else frozenset(owners)
    reading = Reading(project_of, now, known_owners, receiver.fingerprint, key, home_of)
    if is_away is not None:
        reading = msgspec.structs.replace(reading, is_away=is_away)
    if is_known is not None:
        reading = msgspec.structs.replace(reading, is_known=is_known)
    found = open_histories(path, format, reading)
    reports = [
        _Import(opened, receiver, Tally(), _Steps(on_progress), bring_in, is_owner_named=bool(owners)).run()
        for opened in found.opened
    ]
    return together(path, reports, found.left_out)


def has_news(path: Path, receiver: Receiver, *, format: str) -> bool:  # noqa: A002 - the word of the interface
    """Whether any file of a history, or anything curated beside its files, is not as it was at its last complete import.

    Raises:
        TransferError: There is no such history.
    """
    opened = open_at(path, format, Reading())
    if not all(_kept_as_it_was(opened.name, file, receiver) for file in opened.files):
        return True
    if not isinstance(opened.history, CuratedHistory):
        return False
    mark = _mark_of_texts(opened, opened.history.curated())
    return mark is not None and receiver.fingerprint(mark.source, mark.path) != mark.fingerprint


def _mark_of_texts(opened: Opened, told: Iterable[Curated]) -> Mark | None:
    """How the curated texts beside the sessions look; None where there are none. What stands in files of sessions changes with them.

    The mark is named by the folder of the texts, which is the same whether a home or a folder in it was given.
    """
    of_sessions = {file.path.absolute() for file in opened.files}
    looks = [
        (str(one.path.absolute()), [(each.place, each.text, each.importance) for each in one.statements])
        for one in told
        if one.read
        and one.path.absolute() not in of_sessions
        and (one.path.is_file() or one.path.parent.is_file())
    ]
    if not looks:
        return None
    digest = blake2b(repr(looks).encode("utf-8", "replace"), digest_size=12).hexdigest()
    folder = os.path.commonpath([Path(path).parent for path, _ in looks])
    return Mark(opened.name, f"{TEXTS}{folder}", Fingerprint(digest).text())


def _kept_as_it_was(name: str, file: SourceFile, receiver: Receiver) -> Fingerprint | None:
    """What was kept of a file at its last complete import, if it is still so."""
    kept = Fingerprint.of(receiver.fingerprint(name, file.name))
    return kept if kept is not None and kept.print == file.print else None


class _Import(msgspec.Struct):
    """One import while it runs."""

    opened: Opened
    receiver: Receiver
    tally: Tally
    steps: "_Steps"
    bring_in: BringIn | None = None
    is_owner_named: bool = False

    def run(self) -> ImportReport:
        """Import every changed file."""
        changed = [file for file in self.opened.files if not self._is_unchanged(file)]
        self.steps.files, self.steps.bytes = len(changed), sum(file.bytes for file in changed)
        for file in self._in_order(changed):
            self.steps.path = file.path
            try:
                self._import_file(file)
            except TransferError as error:
                self.tally.problems.append(Problem(file.path, str(error)))
            except UNFORESEEN as error:
                self.tally.problems.append(Problem(file.path, str(SourceUnreadable(file.path, _said(error)))))
            self.steps.end_file(file)
        is_here = self.tally.files_unchanged or self.tally.sessions_unchanged or self.tally.sessions_grown
        if self.is_owner_named and is_here and self.opened.name in WITH_OWNERS:
            self.tally.notices[OWNER_TOO_LATE] += 1
        if isinstance(self.opened.history, CuratedHistory):
            self._import_notes(self.opened.history)
        return self.tally.report(self.opened.name, self.opened.place)

    def _import_notes(self, history: CuratedHistory) -> None:
        """Hand what is curated to the notes, all of it at once; what is to be left out is looked at alone."""
        path = self.opened.place
        try:
            told = list(history.curated())
            if self.bring_in is not None:
                self._take_notes(told, self.bring_in)
        except ArchivistError as error:
            self.tally.problems.append(Problem(path, str(error)))
        except UNFORESEEN as error:
            self.tally.problems.append(Problem(path, str(SourceUnreadable(path, _said(error)))))
        else:
            self._mark_texts(told)

    def _take_notes(self, told: Sequence[Curated], bring_in: BringIn) -> None:
        for curated in told:
            self.tally.count_curated(curated)
        statements = [one for curated in told for one in curated.statements]
        if statements:
            self.tally.count_notes(bring_in(statements))

    def _mark_texts(self, told: Sequence[Curated]) -> None:
        """Remember how the curated texts look, so that a change of them alone is news."""
        mark = _mark_of_texts(self.opened, told)
        if mark and self.receiver.fingerprint(mark.source, mark.path) != mark.fingerprint:
            self.receiver.receive(SessionStart(mark.source, external_id=mark.path), (), mark=mark)

    def _is_unchanged(self, file: SourceFile) -> bool:
        kept = _kept_as_it_was(self.opened.name, file, self.receiver)
        if kept is None:
            return False
        self.tally.files_unchanged += 1
        self.tally.sessions_unchanged += kept.sessions
        return True

    def _in_order(self, changed: Sequence[SourceFile]) -> Sequence[SourceFile]:
        try:
            return self.opened.history.in_order(changed)
        except TransferError:
            return changed  # reading the file that is at fault will say so by name

    def _import_file(self, file: SourceFile) -> None:
        earlier = self.receiver.fingerprint(self.opened.name, file.name)
        with closing(self.opened.history.read(file, earlier)) as content:
            for session, is_last in _with_last(map(_as_kept, content.sessions)):
                messages = CountedMessages(session.messages, self.steps.step)
                fingerprint = content.kept() if is_last else None
                receipt = self.receiver.receive(
                    session.start,
                    messages,
                    session.usage,
                    parent_external_id=session.parent_external_id,
                    mark=None if fingerprint is None else Mark(self.opened.name, file.name, fingerprint),
                    adopted=session.adopted,
                    **_known_by(session),
                )
                if receipt.problem:
                    self.tally.problems.append(Problem(file.path, receipt.problem))
                self.tally.count_session(session, messages, receipt)
                self.steps.messages += messages.count


class _Steps(msgspec.Struct):
    """Tells how far the import is."""

    on_progress: OnProgress | None
    files: int = 0
    bytes: int = 0
    files_done: int = 0
    bytes_done: int = 0
    messages: int = 0
    path: Path = Path()

    def step(self, messages: int) -> None:
        """Tell, with so many messages of the session under way."""
        if self.on_progress:
            done = self.messages + messages
            self.on_progress(
                Progress(self.path, self.files_done, self.files, self.bytes_done, self.bytes, done)
            )

    def end_file(self, file: SourceFile) -> None:
        """Count a file and tell."""
        self.files_done += 1
        self.bytes_done += file.bytes
        self.step(0)


def _known_by(session: ForeignSession) -> dict[str, Any]:
    """How what a session tells is known again, and in which order it stands, where that is told."""
    told = {"prints": session.prints or None, "order": session.order}
    return {name: value for name, value in told.items() if value is not None}


def _as_kept(session: ForeignSession) -> ForeignSession:
    """A session without what Archivist's own tools were asked and answered; an export of its own is taken as it is."""
    if session.adopted is not None:
        return session
    return replace(session, messages=Replay(partial(without_own_answers, session.messages)))


def _with_last(sessions: Iterator[ForeignSession]) -> Iterator[tuple[ForeignSession, bool]]:
    """Each session, and whether it is the last; where reading fails, what came before is given first, and none was the last."""
    held: ForeignSession | None = None
    try:
        for session in sessions:
            if held:
                yield held, False
            held = session
    except (TransferError, *UNFORESEEN):
        if held:
            yield held, False
        raise
    if held:
        yield held, True


def _said(error: Exception) -> str:
    return f"{type(error).__name__}: {' '.join(str(error).split())[:200]}"

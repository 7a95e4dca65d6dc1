"""An import: every changed file of a history, session by session, into a receiver.

A file that cannot be read is named with its reason and stops nothing else. A receiver that cannot store stops
everything, and what it has stored stays; the next import goes on from there.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from archivist.notes.statements import BroughtIn, Statement
from archivist.records import ArchivistError
from archivist.transfer.curated import CuratedHistory
from archivist.transfer.fingerprints import Fingerprint
from archivist.transfer.foreign import (
    Codec,
    ForeignSession,
    History,
    Reading,
    SourceFile,
    SourceUnreadable,
    TransferError,
)
from archivist.transfer.reasons import OWNER_TOO_LATE
from archivist.transfer.receiving import Mark, Receiver
from archivist.transfer.registry import FormatNotRecognised, HistoryNotFound, codec_named, detect_formats
from archivist.transfer.report import (
    CountedMessages,
    ImportReport,
    OnProgress,
    Problem,
    Progress,
    Tally,
    together,
)

PROGRAM_FOLDERS = (".hermes", ".claude", ".openclaw", ".codex", ".letta")
"""Folders of programs that a copy of somebody's home folder holds."""

WITH_OWNERS = frozenset({"hermes", "openclaw"})
"""Formats that tell of gateways, on which the owner is somebody among others."""

BringIn = Callable[[Sequence[Statement]], BroughtIn]
"""Takes statements into the notes, as one change; such as `Notes.bring_in`."""

UNFORESEEN = (ArithmeticError, LookupError, OSError, RecursionError, TypeError, ValueError)
"""What a record of a shape that nobody foresaw can raise; it must not stop the other files, and is reported as that file's problem."""


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
    for opened in _opened(path, format, reading or Reading()):
        for file in opened.history.in_order(opened.files):
            with closing(opened.history.read(file, None)) as content:
                yield from content.sessions


def import_history(
    path: Path,
    receiver: Receiver,
    *,
    format: str | None = None,  # noqa: A002 - the word of the interface
    project_of: Callable[[str], str | None] = str,
    now: datetime | None = None,
    owners: Collection[str] | None = None,
    bring_in: BringIn | None = None,
    on_progress: OnProgress | None = None,
) -> ImportReport:
    """Import what is new in a history, or in the histories of several formats in a folder.

    Args:
        path: A file or a folder.
        receiver: Where the sessions go.
        format: The only format to read, where it is not to be recognised.
        project_of: The project key of a working directory.
        now: The time; without it, a response that is still being written is taken as it stands.
        owners: The owner's ids on gateways; without them, who alone has private chats on a platform is taken for the owner.
        bring_in: Takes what is curated in a history, after its sessions; without it that is left out.
        on_progress: Called now and then.

    Raises:
        HistoryNotFound, FormatNotRecognised, UnknownFormat: There is nothing to import.
        ArchivistError: The receiver could not store; what it has stored stays.
    """
    known_owners = None if owners is None else frozenset(owners)
    reading = Reading(project_of, now, known_owners, receiver.fingerprint)
    return together(
        [
            _Import(
                opened, receiver, Tally(), _Steps(on_progress), bring_in, is_owner_named=bool(owners)
            ).run(path)
            for opened in _opened(path, format, reading)
        ]
    )


@dataclass(frozen=True, slots=True)
class _Opened:
    """A history of one format, and the files of it that no other format in the same folder claims."""

    name: str
    history: History
    files: Sequence[SourceFile]


def _opened(path: Path, name: str | None, reading: Reading) -> list[_Opened]:
    """The histories at a path, or in the hidden folders of programs in it."""
    if not path.exists():
        raise HistoryNotFound(path)
    try:
        return _opened_at(path, name, reading)
    except FormatNotRecognised:
        hidden = [path / child for child in PROGRAM_FOLDERS if (path / child).is_dir()]
        found = [each for child in hidden for each in _opened_if_known(child, name, reading)]
        if not found:
            raise
        return found


def _opened_if_known(path: Path, name: str | None, reading: Reading) -> list[_Opened]:
    try:
        return _opened_at(path, name, reading)
    except FormatNotRecognised:
        return []


def _opened_at(path: Path, name: str | None, reading: Reading) -> list[_Opened]:
    codecs = [codec_named(each) for each in ([name] if name else detect_formats(path))]
    histories = [(codec, codec.open(path, reading)) for codec in codecs]
    if name and not histories[0][1].files and not codecs[0].recognises(path):
        raise FormatNotRecognised(path, [codecs[0].name])
    return [
        _Opened(
            codec.name, history, [file for file in history.files if not _is_anothers(file, codec, codecs)]
        )
        for codec, history in histories
    ]


def _is_anothers(file: SourceFile, codec: Codec, codecs: Sequence[Codec]) -> bool:
    """Whether a file is of another of these formats; a damaged one is everybody's, for its reason must be told."""
    if len(codecs) == 1 or not file.path.is_file():
        return False
    try:
        return not codec.recognises(file.path) and any(other.recognises(file.path) for other in codecs)
    except TransferError:
        return False


def has_news(path: Path, receiver: Receiver, *, format: str) -> bool:  # noqa: A002 - the word of the interface
    """Whether any file of a history is not as it was at its last complete import.

    Raises:
        TransferError: There is no such history.
    """
    [opened] = _opened(path, format, Reading())
    return not all(_kept_as_it_was(opened.name, file, receiver) for file in opened.files)


def _kept_as_it_was(name: str, file: SourceFile, receiver: Receiver) -> Fingerprint | None:
    """What was kept of a file at its last complete import, if it is still so."""
    kept = Fingerprint.of(receiver.fingerprint(name, file.name))
    return kept if kept is not None and kept.print == file.print else None


@dataclass(slots=True)
class _Import:
    """One import while it runs."""

    opened: _Opened
    receiver: Receiver
    tally: Tally
    steps: "_Steps"
    bring_in: BringIn | None = None
    is_owner_named: bool = False

    def run(self, path: Path) -> ImportReport:
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
        if self.bring_in is not None and isinstance(self.opened.history, CuratedHistory):
            self._import_notes(path, self.opened.history, self.bring_in)
        return self.tally.report(self.opened.name, path)

    def _import_notes(self, path: Path, history: CuratedHistory, bring_in: BringIn) -> None:
        """Hand what is curated to the notes, all of it at once."""
        statements: list[Statement] = []
        try:
            for curated in history.curated():
                self.tally.count_curated(curated)
                statements += curated.statements
            if statements:
                self.tally.count_notes(bring_in(statements))
        except ArchivistError as error:
            self.tally.problems.append(Problem(path, str(error)))
        except UNFORESEEN as error:
            self.tally.problems.append(Problem(path, str(SourceUnreadable(path, _said(error)))))

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
            for session, is_last in _with_last(content.sessions):
                messages = CountedMessages(session.messages, self.steps.step)
                fingerprint = content.kept() if is_last else None
                receipt = self.receiver.receive(
                    session.start,
                    messages,
                    session.usage,
                    parent_external_id=session.parent_external_id,
                    mark=None if fingerprint is None else Mark(self.opened.name, file.name, fingerprint),
                    adopted=session.adopted,
                )
                if receipt.problem:
                    self.tally.problems.append(Problem(file.path, receipt.problem))
                self.tally.count_session(session, messages, receipt)
                self.steps.messages += messages.count


@dataclass(slots=True)
class _Steps:
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

"""What an import did, as a report that adds up, and the counting that makes it."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import msgspec
from msgspec.structs import replace

from archivist.notes.statements import BroughtIn
from archivist.records import Message
from archivist.transfer.curated import Curated
from archivist.transfer.foreign import ForeignMessage, ForeignSession
from archivist.transfer.reasons import DAMAGED, INVALID, TOO_LONG, TORN
from archivist.transfer.receiving import Receipt

ALREADY_IMPORTED = "already imported"
STAYS_AWAY = "deleted here, stays away"
REFUSED = "its id names something else here"
ALTERED = "message differs from its hash: the file was changed by hand, or more of it was masked"
DAMAGED_LINES = (TORN, INVALID)
MESSAGES_A_STEP = 500
TWINS_NAMED = 20
DIVIDED = "a text was divided into several notes, because a line of it was only §"
SUMMED = (
    "sessions_new",
    "sessions_grown",
    "sessions_unchanged",
    "files_unchanged",
    "read",
    "imported",
    "messages",
    "restated",
    "notes_read",
    "notes",
    "notes_in_core",
)


class Progress(msgspec.Struct, frozen=True):
    """How far an import is; sizes in bytes."""

    path: Path
    files_done: int
    files: int
    bytes_done: int
    bytes: int
    messages: int


OnProgress = Callable[[Progress], None]


class Problem(msgspec.Struct, frozen=True):
    """A file that could not be imported, or not to its end."""

    path: Path
    reason: str


class LeftOut(msgspec.Struct, frozen=True):
    """What lies at or below a path that was given, and was not looked at or not taken; no failure."""

    path: Path
    reason: str


class ImportReport(msgspec.Struct, frozen=True):
    """What an import did; `read == imported + skipped`, in records of the source such as lines or rows.

    Attributes:
        sessions_new: Sessions stored for the first time.
        sessions_grown: Known sessions with new messages, or with messages whose state changed.
        sessions_unchanged: Known sessions in which nothing is new, those of unchanged files included.
        files_unchanged: Files that are as they were at the last import, and were not read again.
        read: Records read.
        imported: Records that are part of a message stored now.
        reasons: Why the others were skipped, and how many each.
        messages: Messages stored now; a message may be made of several records, and a record may give
            several.
        restated: Known messages whose state changed.
        notes_read: Pieces of curated texts read: bullets, paragraphs, entries; `notes_read == notes + notes_skipped`.
        notes: Pieces that became entries of the notes now.
        notes_in_core: Those of them that went into the core, and not to the archive.
        notes_reasons: Why the others were skipped, and how many each.
        notes_changes: The ids under which the entries are taken back, all that came at once.
        problems: Files that failed.
        notices: What a person should know, and how often it happened.
        by_format: Where a folder held several histories: the report of each, of which this one is the sum.
        left_out: What was passed over when a folder was looked through.
    """

    format: str
    path: Path
    sessions_new: int = 0
    sessions_grown: int = 0
    sessions_unchanged: int = 0
    files_unchanged: int = 0
    read: int = 0
    imported: int = 0
    reasons: Mapping[str, int] = msgspec.field(default_factory=dict)
    messages: int = 0
    restated: int = 0
    notes_read: int = 0
    notes: int = 0
    notes_in_core: int = 0
    notes_reasons: Mapping[str, int] = msgspec.field(default_factory=dict)
    notes_changes: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()
    notices: Mapping[str, int] = msgspec.field(default_factory=dict)
    by_format: "tuple[ImportReport, ...]" = ()
    left_out: tuple[LeftOut, ...] = ()

    @property
    def skipped(self) -> int:
        """Records that are part of no message stored now."""
        return sum(self.reasons.values())

    @property
    def notes_skipped(self) -> int:
        """Pieces of curated texts that became no entry now."""
        return sum(self.notes_reasons.values())

    @property
    def already_known(self) -> int:
        """Records whose messages were stored before."""
        return self.reasons.get(ALREADY_IMPORTED, 0)

    @property
    def torn(self) -> int:
        """Lines that are damaged."""
        return sum(self.reasons.get(reason, 0) for reason in DAMAGED_LINES)

    @property
    def is_all_damaged(self) -> bool:
        """Whether there were records and none of them could be read."""
        damaged = sum(self.reasons.get(reason, 0) for reason in (*DAMAGED_LINES, DAMAGED, TOO_LONG))
        return bool(self.read) and damaged == self.read

    @property
    def changed_nothing(self) -> bool:
        """Whether everything was here already."""
        return not (self.messages or self.restated or self.notes or self.problems)


def together(path: Path, reports: Sequence[ImportReport], left_out: Sequence[LeftOut]) -> ImportReport:
    """The reports of several histories at a path as one, which names their formats."""
    if len(reports) == 1:
        return replace(reports[0], left_out=tuple(left_out))
    tally = Tally()
    for report in reports:
        tally.add(report)
    whole = tally.report(", ".join(dict.fromkeys(report.format for report in reports)), path)
    return replace(whole, by_format=tuple(reports), left_out=tuple(left_out))


class Tally(msgspec.Struct):
    """A report in the making."""

    sessions_new: int = 0
    sessions_grown: int = 0
    sessions_unchanged: int = 0
    files_unchanged: int = 0
    read: int = 0
    imported: int = 0
    messages: int = 0
    restated: int = 0
    notes_read: int = 0
    notes: int = 0
    notes_in_core: int = 0
    notes_reasons: Counter[str] = msgspec.field(default_factory=Counter)
    notes_changes: list[str] = msgspec.field(default_factory=list)
    reasons: Counter[str] = msgspec.field(default_factory=Counter)
    notices: Counter[str] = msgspec.field(default_factory=Counter)
    problems: list[Problem] = msgspec.field(default_factory=list)

    def count_session(self, session: ForeignSession, messages: "CountedMessages", receipt: Receipt) -> None:
        """Count a session that was received to its end."""
        imported = messages.newest_records(receipt.added)
        self.read += session.read
        self.imported += imported
        self.reasons.update(session.skipped)
        self.reasons[REFUSED] += receipt.refused
        reason = STAYS_AWAY if receipt.stays_away else ALREADY_IMPORTED
        self.reasons[reason] += messages.records - imported - receipt.refused
        self.notices[ALTERED] += receipt.altered
        self.notices.update(session.notices)
        self.messages += receipt.added
        self.restated += receipt.restated
        if receipt.is_new:
            self.sessions_new += 1
        elif receipt.added or receipt.restated:
            self.sessions_grown += 1
        elif messages.count and not receipt.stays_away:
            self.sessions_unchanged += 1

    def count_curated(self, curated: Curated) -> None:
        """Count what is no statement of a curated text; the statements are counted when they have been taken."""
        self.notes_read += sum(curated.skipped.values())
        self.notes_reasons.update(curated.skipped)
        self.notices.update(curated.notices)
        if curated.problem is not None:
            self.problems.append(Problem(curated.path, str(curated.problem)))

    def count_notes(self, brought: BroughtIn) -> None:
        """Count what became of statements; those that an entry says in other words are named."""
        self.notes_read += brought.read
        self.notes += brought.core + brought.archived
        self.notes_in_core += brought.core
        self.notes_reasons.update(brought.skipped)
        self.notes_changes += [brought.change] if brought.change else []
        self.notices[DIVIDED] += brought.split
        if brought.proposal is not None:
            self.notices[
                f"what is curated there waits for you: `archivist review show {brought.proposal}`"
            ] += 1
        for twin in brought.twins[:TWINS_NAMED]:
            self.notices[f"{twin.place} was not noted, for {twin.entry} says it: “{_short(twin.text)}”"] += 1

    def add(self, report: ImportReport) -> None:
        """Count what another import did; a file that several formats would have read failed once."""
        for name in SUMMED:
            setattr(self, name, getattr(self, name) + getattr(report, name))
        self.reasons.update(report.reasons)
        self.notes_reasons.update(report.notes_reasons)
        self.notes_changes += report.notes_changes
        self.notices.update(report.notices)
        self.problems += [problem for problem in report.problems if problem not in self.problems]

    def report(self, name: str, path: Path) -> ImportReport:
        """The report."""
        return ImportReport(
            format=name,
            path=path,
            reasons={reason: count for reason, count in sorted(self.reasons.items()) if count},
            notes_reasons={reason: count for reason, count in sorted(self.notes_reasons.items()) if count},
            notes_changes=tuple(self.notes_changes),
            problems=tuple(self.problems),
            notices={text: count for text, count in sorted(self.notices.items()) if count},
            **{name: getattr(self, name) for name in SUMMED},
        )


def _short(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= 80 else f"{words[:79]}…"


class CountedMessages(msgspec.Struct):
    """The messages of a session on their way to the receiver, counted.

    A history grows at its end, so the messages that a receiver did not know are the newest: only the record
    counts of these are kept, as runs of equal counts.
    """

    messages: Iterable[ForeignMessage]
    on_step: Callable[[int], None]
    count: int = 0
    records: int = 0
    runs: list[tuple[int, int]] = msgspec.field(default_factory=list)

    def __iter__(self) -> Iterator[Message]:
        for foreign in self.messages:
            self.count += 1
            self.records += foreign.records
            length, records = self.runs[-1] if self.runs else (0, -1)
            if records == foreign.records:
                self.runs[-1] = (length + 1, records)
            else:
                self.runs.append((1, foreign.records))
            yield foreign.message
            if self.count % MESSAGES_A_STEP == 0:
                self.on_step(self.count)

    def newest_records(self, messages: int) -> int:
        """How many records the newest messages account for."""
        if messages >= self.count:
            return self.records
        total = 0
        for length, records in reversed(self.runs):
            taken = min(length, messages)
            total += taken * records
            messages -= taken
            if not messages:
                break
        return total

"""A dated note as entries: one for each bullet and each paragraph.

The headings above an entry give it their words and, where they name one, their time. What the program derived from elsewhere and put
between marks of its own is left out.
"""

import re
from bisect import bisect_right
from collections import Counter
from datetime import UTC, date, datetime, time, tzinfo
from hashlib import blake2b
from zoneinfo import ZoneInfo

import msgspec

from archivist.records import OWNER, Message, SessionStart
from archivist.transfer.foreign import ForeignMessage, ForeignSession, SourceUnreadable
from archivist.transfer.note_reasons import DREAMS
from archivist.transfer.openclaw.messages import SOURCE
from archivist.transfer.openclaw.places import Item, day_of
from archivist.transfer.openclaw.sessions import notices_alone
from archivist.transfer.times import UNKNOWN

HEADING = re.compile(r" {0,3}#{1,6}[ \t]+(.*)")
BULLET = re.compile(r"([ \t]*)(?:[-*+•]|\d{1,3}[.)])[ \t]+")
CODE = re.compile(r"[ \t]*(?:```|~~~)")
RULE = re.compile(r"[ \t]*(?:-{3,}|\*{3,}|_{3,})[ \t]*")
COMMENT = re.compile(r"[ \t]*<!--.*-->[ \t]*")
DREAM_START = re.compile(r"[ \t]*<!--[ \t]*openclaw:dreaming:([\w-]{1,40}):start[ \t]*-->.*")
DREAM_END = re.compile(r"[ \t]*<!--[ \t]*openclaw:dreaming:([\w-]{1,40}):end[ \t]*-->.*")
PROMOTED = re.compile(
    r"(?<![ \t])[ \t]*(?:\[score=[^\]\n]{0,300}\]|<!--[ \t]*(?:openclaw-memory-promotion|trigger|importance|project):?[^\n]{0,400}?-->)"
    r"[ \t]*$",
    re.MULTILINE,
)
CLOCK = re.compile(
    r"[^\w\n]{0,4}(\d{1,2}):([0-5]\d)(?::[0-5]\d)?(?:[ \t]?([ap])\.?m\b\.?)?(?!\w)", re.IGNORECASE
)
NO_WORDS = re.compile(
    r"\b(?:daily|notes?|log|memory|journal|utc|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b", re.IGNORECASE
)
COPY_OF_SESSION = re.compile(r"\s*# Session: .*\n(?:.*\n){0,6}?- \*\*Session (?:ID|Key)\*\*:")
NOON = time(12, 0)

LONGEST_BYTES = 16 * 1024 * 1024

COPY = "copy of a session, written by the program when it ended: not read"
TOO_LONG = "note over 16 MB: not read"
KIND = "daily-note"
MARK, TITLE = "comment", "heading"


class NoteEntry(msgspec.Struct, frozen=True):
    """An entry of a dated note.

    Attributes:
        text: Its words below those of its heading.
        key: Made of its own words, so that it stays the same while the note around it is edited.
    """

    text: str
    key: str
    at: datetime
    heading: str | None = None


class DailyNote(msgspec.Struct):
    """A dated note; what is read are its entries, headings and marked blocks."""

    entries: list[NoteEntry] = msgspec.field(default_factory=list)
    skipped: Counter[str] = msgspec.field(default_factory=Counter)

    @property
    def read(self) -> int:
        """How many records it has."""
        return len(self.entries) + sum(self.skipped.values())


def note_session(item: Item, zone: str | None, profile: str | None) -> ForeignSession:
    """The session of a dated note; where it is not to be read, only why.

    Args:
        item: Where it lies.
        zone: The time zone in which it is meant.
        profile: The name of the program's folder, where it is not the home's only one.

    Raises:
        SourceUnreadable: The file cannot be read.
    """
    source_id = f"file:{item.name}"
    try:
        with item.path.open("rb") as file:
            raw = file.read(LONGEST_BYTES + 1)
    except OSError as error:
        raise SourceUnreadable(item.path, str(error)) from error
    text = raw.decode("utf-8-sig", "replace")
    if len(raw) > LONGEST_BYTES or is_copy_of_session(text):
        return notices_alone(source_id, {TOO_LONG if len(raw) > LONGEST_BYTES else COPY: 1})
    day, slug = day_of(item.path.name) or (date.min, "")
    note = read_daily_note(text, day, zone_named(zone))
    name = f"{profile}/{source_id}" if profile else source_id
    return ForeignSession(
        start=SessionStart(
            source=SOURCE,
            scope=OWNER,
            title=f"Daily note {day.isoformat()}" + (f" ({slug})" if slug else ""),
            external_id=name,
            started_at=min((entry.at for entry in note.entries), default=UNKNOWN),
            metadata={"kind": KIND},
        ),
        messages=[ForeignMessage(_message(entry, name, source_id)) for entry in note.entries],
        read=note.read,
        skipped=+note.skipped,
    )


def zone_named(name: str | None) -> tzinfo:
    """A time zone; UTC where the name is none."""
    try:
        return ZoneInfo(name) if name else UTC
    except (LookupError, OSError, ValueError):
        return UTC


def is_copy_of_session(text: str) -> bool:
    """Whether a file is what the program wrote of a session when it ended."""
    return COPY_OF_SESSION.match(text.replace("\r\n", "\n")) is not None


def read_daily_note(text: str, day: date, zone: tzinfo) -> DailyNote:
    """The entries of a dated note, whose times are meant in a zone."""
    reader = _Reader(day, zone)
    lines = [line.removesuffix("\r") for line in text.removeprefix("\ufeff").split("\n")]
    for line in without_dreams(lines):
        if line is None:
            reader.pass_over(DREAMS)
        else:
            reader.add(line)
    reader.end()
    return reader.note


def _message(entry: NoteEntry, session: str, source_id: str) -> Message:
    heading = {"heading": entry.heading} if entry.heading else {}
    return Message(
        role="assistant",
        text=entry.text,
        created_at=entry.at,
        client_id=f"{SOURCE}:{session}:{entry.key}",
        metadata={"source_ids": [source_id], "kind": KIND} | heading,
    )


def without_dreams(lines: list[str]) -> list[str | None]:
    """None for what stands between marks of the program; one that is not closed reaches to the next heading."""
    ends: dict[str, list[int]] = {}
    for number, line in enumerate(lines):
        if end := DREAM_END.fullmatch(line):
            ends.setdefault(end.group(1), []).append(number)
    kept: list[str | None] = []
    number = 0
    while number < len(lines):
        start = DREAM_START.fullmatch(lines[number])
        if start is None:
            kept.append(lines[number])
            number += 1
            continue
        kept.append(None)
        found = ends.get(start.group(1), [])
        after = bisect_right(found, number)
        number += 1
        if after < len(found):
            number = found[after] + 1
            continue
        while number < len(lines) and not HEADING.fullmatch(lines[number]):
            number += 1
    return kept


class _Reader:
    """Takes lines and makes entries of them."""

    def __init__(self, day: date, zone: tzinfo) -> None:
        self.note = DailyNote()
        self._day, self._zone = day, zone
        self._heading: str | None = None
        self._heading_time: time | None = None
        self._is_used = True
        self._lines: list[str] = []
        self._indent: int | None = None
        self._in_code = False
        self._seen: Counter[str] = Counter()

    def add(self, line: str) -> None:
        """The next line."""
        if self._in_code or CODE.match(line):
            self._in_code ^= CODE.match(line) is not None
            self._lines.append(line)
        elif not line.strip() or RULE.fullmatch(line):
            self._end_entry()
        elif heading := HEADING.fullmatch(line):
            self.end()
            self._begin_heading(heading.group(1).strip(" \t#"))
        elif COMMENT.fullmatch(line):
            self._end_entry()
            self.note.skipped[MARK] += 1
        else:
            self._add_words(line)

    def pass_over(self, reason: str) -> None:
        """Something that is no entry, but is what the section above it is about."""
        self._end_entry()
        self.note.skipped[reason] += 1
        self._is_used = True

    def end(self) -> None:
        """The end of a section; a heading with words and nothing below it is an entry of its own."""
        self._end_entry()
        if not self._is_used and self._heading:
            self.note.skipped[TITLE] -= 1
            self._keep(self._heading, None)
        self._is_used = True
        self._in_code = False

    def _begin_heading(self, text: str) -> None:
        self.note.skipped[TITLE] += 1
        clock = CLOCK.match(text)
        self._heading_time = _time(clock) if clock else None
        words = text[clock.end() :] if clock else text
        words = words.strip(" \t-–—:|,.")
        bare = NO_WORDS.sub("", words.replace(self._day.isoformat(), ""))
        self._heading = words if any(character.isalpha() for character in bare) else None
        self._is_used = False

    def _add_words(self, line: str) -> None:
        bullet = BULLET.match(line)
        if bullet is not None:
            indent = len(bullet.group(1).expandtabs(4))
            if self._indent is None or indent <= self._indent:
                self._end_entry()
                self._indent = indent
                line = line[bullet.end() :]
        self._lines.append(line)

    def _end_entry(self) -> None:
        text = PROMOTED.sub("", "\n".join(self._lines)).strip()
        self._lines, self._indent = [], None
        if text:
            self._keep(text, self._heading)
            self._is_used = True

    def _keep(self, text: str, heading: str | None) -> None:
        clock = CLOCK.match(text)
        at = (_time(clock) if clock else None) or self._heading_time or NOON
        key = blake2b(text.encode("utf-8", "replace"), digest_size=8).hexdigest()
        self._seen[key] += 1
        if self._seen[key] > 1:
            key = f"{key}#{self._seen[key]}"
        words = f"{heading}\n{text}" if heading else text
        moment = datetime.combine(self._day, at, self._zone)
        self.note.entries.append(NoteEntry(words, key, moment, heading))


def _time(clock: re.Match[str]) -> time | None:
    hour, half = int(clock.group(1)), (clock.group(3) or "").lower()
    if half:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if half == "p" else 0)
    return time(hour, int(clock.group(2))) if hour < 24 else None

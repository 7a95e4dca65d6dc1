"""What is noted, made ready for recall, and kept until it changes.

Entries are read again when there was a change since, files of days when the system tells that they are others.
"""

import os
import re
from collections.abc import Callable, Iterator
from datetime import date, datetime, time, tzinfo
from operator import is_
from pathlib import Path
from typing import Final

import msgspec

from archivist.notes.daily import entries_in
from archivist.notes.folders import NotesUnreadable
from archivist.notes.notes import Notes
from archivist.notes.places import core_file, daily_folder, is_visible, level_of, levels_in, scope_of
from archivist.recall.noted import NoteText, Shelf
from archivist.records import Notice, Reader
from archivist.records.notes import Entry

MOST_SHELVES: Final = 8
"""Of readers that are remembered at once."""
UNSURE_NS: Final = 2_000_000_000
"""A file saved so lately may be saved again without the system telling."""
_DAY: Final = re.compile(r"(\d{4}-\d{2}-\d{2})(?:-.+)?\.md", re.IGNORECASE)
_UTF_16: Final = (b"\xff\xfe", b"\xfe\xff")

Texts = tuple[NoteText, ...]


class _Day(msgspec.Struct):
    """A file of a day as it was last read; its texts are the same object while it is the same."""

    stamp: tuple[int, ...]
    raw: bytes
    texts: Texts


class _Kept(msgspec.Struct):
    """A shelf, and what it was made of."""

    change: str | None
    days: list[Texts]
    shelf: Shelf


class Shelves:
    """What each reader may see of what is noted.

    Args:
        folder: `memories/`.
        zone: The owner's.
        now: The time of day.
    """

    def __init__(self, folder: Path, *, zone: tzinfo, now: Callable[[], datetime]) -> None:
        self._folder, self._zone, self._now = folder, zone, now
        self._days: dict[str, _Day] = {}
        self._kept: dict[tuple[Reader, frozenset[str]], _Kept] = {}

    def shelf(
        self, notes: Callable[[], Notes], reader: Reader, kinds: frozenset[str], as_of: datetime | None
    ) -> tuple[Shelf, tuple[Notice, ...]]:
        """What a reader may see, and what is to be known about it.

        Args:
            notes: The notes of the home; opened where they are asked for.
            reader: Who asks.
            kinds: "note" for entries, "daily" for the notes of days.
            as_of: The entries as they were then; as they are where unset.
        """
        notices: list[Notice] = []
        days = list(self._texts_of_days(reader, notices)) if "daily" in kinds else []
        if "note" not in kinds:
            return self._shelf((reader, kinds), None, days, lambda: Shelf(_all((), days))), tuple(notices)
        opened = notes()
        try:
            if as_of is not None:
                shelf = _shelf_of(opened, opened.as_of(as_of, scope=reader), days, reader, as_of)
            else:
                shelf = self._shelf(
                    (reader, kinds),
                    opened.newest_change(),
                    days,
                    lambda: _shelf_of(opened, opened.entries(tier="all", scope=reader), days, reader),
                )
        except NotesUnreadable as error:
            notices.append(_unreadable(error))
            shelf = Shelf(_all((), days))
        return shelf, (*opened.take_notices(), *notices)

    def _shelf(
        self,
        key: tuple[Reader, frozenset[str]],
        change: str | None,
        days: list[Texts],
        made: Callable[[], Shelf],
    ) -> Shelf:
        """The one that is kept, while nothing that it was made of changes."""
        kept = self._kept.get(key)
        if kept is not None and kept.change == change and _are_same(kept.days, days):
            return kept.shelf
        shelf = made()
        if len(self._kept) >= MOST_SHELVES:
            self._kept = {}
        self._kept[key] = _Kept(change, days, shelf)
        return shelf

    # ---- days ----

    def _texts_of_days(self, reader: Reader, notices: list[Notice]) -> Iterator[Texts]:
        """By file, what stands in the notes of days that a reader may see."""
        for level in self._levels(notices):
            if not is_visible(scope_of(level, self._folder), reader):
                continue
            folder = daily_folder(level)
            try:
                with os.scandir(self._folder / folder) as inside:
                    files = sorted(inside, key=lambda file: file.name)
            except FileNotFoundError:
                continue
            except OSError as error:
                notices.append(_unreadable(NotesUnreadable(self._folder / folder, error)))
                continue
            unsure = self._now().timestamp() * 1e9 - UNSURE_NS
            yield from (self._texts_of_day(file, f"{folder}/{file.name}", unsure, notices) for file in files)

    def _levels(self, notices: list[Notice]) -> Iterator[str]:
        try:
            yield from levels_in(self._folder)
        except NotesUnreadable as error:
            notices.append(_unreadable(error))

    def _texts_of_day(self, file: os.DirEntry[str], name: str, unsure: float, notices: list[Notice]) -> Texts:
        """What stands in a file, read again if the system tells that it is another, or may not tell yet."""
        known = self._days.get(name)
        if known is None and (_day_of(file.name) is None or not file.is_file()):
            return ()
        try:
            status = file.stat()
            stamp = (status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)
            if known is not None and known.stamp == stamp:
                return known.texts
            raw = Path(file.path).read_bytes()
        except FileNotFoundError:
            return ()
        except OSError as error:
            notices.append(_unreadable(NotesUnreadable(Path(file.path), error)))
            return ()
        if known is None or known.raw != raw:
            known = _Day((), raw, self._read(name, raw, _day_of(file.name) or date.min))
            self._days[name] = known
        known.stamp = stamp if status.st_mtime_ns < unsure else ()
        return known.texts

    def _read(self, name: str, raw: bytes, day: date) -> Texts:
        return tuple(
            NoteText(str(number), "daily", entry.text, self._at(day, entry.clock), name)
            for number, entry in enumerate(entries_in(_decoded(raw), day), 1)
        )

    def _at(self, day: date, clock: str | None) -> datetime:
        return datetime.combine(day, time.fromisoformat(clock) if clock else time(), self._zone)


def _shelf_of(
    notes: Notes, entries: tuple[Entry, ...], days: list[Texts], reader: Reader, as_of: datetime | None = None
) -> Shelf:
    files: dict[str, str] = {}

    def file_of(entry_id: str) -> str:
        """Looked up at the first hit of an archived entry: the journal alone tells it."""
        if not files:
            for line in notes.log(scope=reader):
                if as_of is None or line.at <= as_of:
                    files.setdefault(line.entry, line.file)
        return files.get(entry_id, "archive")

    present = tuple(_text_of(entry) for entry in entries if entry.status == "active")
    doubtful = tuple(entry for entry in entries if entry.contradicts) and entries

    def pairs() -> list[tuple[Entry, Entry]]:
        if not doubtful:
            return []
        from archivist.notes.contradicting import standing  # noqa: PLC0415 - few notes contradict each other

        return [(pair.first, pair.second) for pair in standing(doubtful)]

    return Shelf(_all(present, days), file_of, pairs)


def _text_of(entry: Entry) -> NoteText:
    file = core_file(level_of(entry.scope), entry.target) if entry.tier == "core" else ""
    return NoteText(
        entry.id,
        "note",
        entry.text,
        entry.observed_at,
        file,
        entry.tier,
        entry.target,
        entry.kind,
        tuple(_file_of(quote.place) for quote in entry.sources if quote.place),
        entry.origin,
    )


def _file_of(place: str) -> str:
    """The file of a place `FORMAT:FILE#PLACE`, as the messages that come from it name it."""
    return f"file:{place.partition(':')[2].rpartition('#')[0]}"


def _all(entries: Texts, days: list[Texts]) -> Texts:
    return (*entries, *(text for day in days for text in day))


def _are_same(one: list[Texts], other: list[Texts]) -> bool:
    return len(one) == len(other) and all(map(is_, one, other))


def _unreadable(error: NotesUnreadable) -> Notice:
    return Notice("notes-unreadable", f"not all notes were searched: {error}")


def _decoded(raw: bytes) -> str:
    if raw.startswith(_UTF_16):
        return raw.decode("utf-16", "replace")
    return raw.decode("utf-8", "replace").removeprefix("\ufeff")


def _day_of(name: str) -> date | None:
    found = _DAY.fullmatch(name)
    try:
        return date.fromisoformat(found[1]) if found else None
    except ValueError:
        return None

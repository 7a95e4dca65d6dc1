"""What stands in the notes and is not shown to models as it stands: secrets, and what tries to steer them.

It only reads, as `doctor` does: of what a hand has just written, and nothing knows yet, the file is named in place of an entry's id.
"""

import shlex
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from datetime import date
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

import msgspec

from archivist.app.allowing import allowed_in
from archivist.config import Home
from archivist.files.regular import read_regular
from archivist.guard import find_secrets, mask
from archivist.guard.withholding import Block, shown
from archivist.notes.desk import Desk
from archivist.notes.document import Document
from archivist.notes.folders import NotesUnreadable, is_there, names_in
from archivist.notes.folding import State
from archivist.notes.journal import JOURNAL, Journal, Position
from archivist.notes.places import ARCHIVE, CORE_FILES, daily_folder, level_of, levels_in, place_of
from archivist.notes.withholding import sight_of
from archivist.prompt.wording import wording_of
from archivist.records import EVERYTHING
from archivist.records.notes import Entry

if TYPE_CHECKING:
    from archivist.notes.daily import DailyEntry, DailyNotes

MANY: Final = 50
"""So many entries of a file are looked at as one text before each of them is."""
One = TypeVar("One")
Known = Mapping[tuple[str, str], Entry]
"""By the folder and their words, the entries that the journal knows."""


class Withheld(msgspec.Struct, frozen=True):
    """A text of the notes that models are not shown as it stands.

    Attributes:
        where: The id of an entry; of what the journal does not know, and of daily notes, the file.
        command: Of the command line, that shows it.
        secrets: The kinds of the secrets in it, each once; they are masked.
        blocks: What is left out of it.
        text: Its words, without secrets.
    """

    where: str
    file: str
    command: str
    secrets: tuple[str, ...]
    blocks: tuple[Block, ...]
    text: str


def withheld_in(home: Home) -> Iterator[Withheld]:
    """All of it, of `SOUL.md`, the core, the archive and the daily notes; what cannot be read is passed over, and named by `doctor`."""
    allowed = allowed_in(home)
    yield from _of_identity(home, allowed)
    known = _known(home)
    for level in _told(lambda: levels_in(home.notes_folder)):
        for name in _files(home.notes_folder, level):
            yield from _of_file(home.notes_folder / name, name, known, allowed)
        yield from _of_days(home, daily_folder(level), allowed)


def _of_identity(home: Home, allowed: Collection[str]) -> Iterator[Withheld]:
    """Of the file that says who an agent is, as prompts carry it."""
    try:
        text = read_regular(home.identity_file).decode("utf-8-sig")
    except (OSError, UnicodeDecodeError):
        return  # `snapshot --prompt` says so
    words, name = wording_of(text).text, home.identity_file.name
    blocks, secrets = shown(words, "", allowed=allowed).withheld, _kinds(text)
    if blocks or secrets:
        yield Withheld(
            name, name, f"guard scan {shlex.quote(str(home.identity_file))}", secrets, blocks, words
        )


def _of_file(path: Path, name: str, known: Known, allowed: Collection[str]) -> Iterator[Withheld]:
    try:
        document = Document.parse(read_regular(path))
    except OSError:
        return
    place = place_of(name)
    if place is None or (len(document.texts) > MANY and _is_clean(document.texts)):
        return
    for text in document.texts:
        entry = known.get((place.level, text))
        key, origin = (entry.id, entry.origin) if entry else (name, "hand")
        words = mask(text).text
        seen = sight_of(words, key, origin, allowed)
        secrets = _kinds(text)
        if secrets or seen.withheld:
            show = f"memory show {key}" if entry else "memory show"
            yield Withheld(key, name, show, secrets, seen.withheld, words)


def _of_days(home: Home, folder: str, allowed: Collection[str]) -> Iterator[Withheld]:
    from archivist.notes.daily import DailyNotes  # noqa: PLC0415 - not every level has days

    if not (home.notes_folder / folder).is_dir():
        return
    notes = DailyNotes(home.notes_folder / folder, history=home.history_folder / folder, sleep=time.sleep)

    for day in _told(lambda: iter(notes.days())):
        entries = list(_told(partial(_entries, notes, day)))
        if len(entries) > MANY and _is_clean([entry.text for entry in entries]):
            continue
        for entry in entries:
            words, secrets = mask(entry.text).text, _kinds(entry.text)
            blocks = shown(words, "", allowed=allowed).withheld
            if secrets or blocks:
                name = f"{folder}/{day.isoformat()}.md"
                yield Withheld(name, name, f"daily --day {day.isoformat()}", secrets, blocks, words)


def _entries(notes: "DailyNotes", day: date) -> "Iterator[DailyEntry]":
    return iter(notes.read(day))


def _is_clean(texts: Iterable[str]) -> bool:
    """Whether nothing is found in texts as one: who has many need not have each of them looked at."""
    joined = "\n§\n".join(texts)
    return not find_secrets(joined) and not shown(joined, "").withheld


def _kinds(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(secret.kind for secret in find_secrets(text)))


def _files(folder: Path, level: str) -> Iterator[str]:
    prefix = f"{level}/" if level else ""
    core = (f"{prefix}{name}" for name in CORE_FILES.values())
    yield from _told(lambda: (name for name in core if is_there(f"{folder}/{name}")))
    inside = _told(lambda: iter(sorted(names_in(f"{folder}/{prefix}{ARCHIVE}"))))
    yield from (name for one in inside if place_of(name := f"{prefix}{ARCHIVE}/{one}") is not None)


def _known(home: Home) -> Known:
    """What the journal knows; nothing where it cannot be read."""
    state = State()
    try:
        state.fold(Journal(home.notes_folder / JOURNAL).read(Position())[0])
        entries = Desk(state, home.notes_folder, EVERYTHING).entries(closed=True)
        return {(level_of(entry.scope), entry.text): entry for entry in entries}
    except (OSError, NotesUnreadable):
        return {}


def _told(ask: Callable[[], Iterator[One]]) -> Iterator[One]:
    """What is told until something cannot be read."""
    try:
        yield from ask()
    except (OSError, NotesUnreadable):
        return


__all__ = ["Withheld", "withheld_in"]

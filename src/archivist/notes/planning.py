"""What was asked for becomes steps of a draft: add, replace, edit, remove, and what each of them did."""

from collections.abc import Callable, Iterator
from datetime import datetime
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, Final

import msgspec

from archivist.guard import mask
from archivist.notes.asking import Author, Outcome
from archivist.notes.desk import Desk
from archivist.notes.document import SURROGATE, carries_delimiter, shown, shows_nothing, trimmed
from archivist.notes.drafting import Draft
from archivist.notes.kinds import kind_of
from archivist.notes.matching import NoSuchEntry, find_entry, preview
from archivist.notes.places import Place, archive_file, core_file, place_of
from archivist.notes.saying import saying
from archivist.notes.secrets import refuse_secrets
from archivist.notes.sentences import lost_sentences
from archivist.notes.stretching import stretch_in
from archivist.notes.voices import may_close, voice
from archivist.records import ArchivistError, Notice, Scope
from archivist.records.notes import Entry, EntryKind, Target, Tier

if TYPE_CHECKING:
    from archivist.records.proposals import Proposal

ARCHIVE_BYTES: Final = 64 << 10
"""Of an archive file at most; then the next one of the month is begun."""


MOST_COMPARED: Final = 150
"""So many entries are looked at for one text, the newest of the archive first."""
ID_CHARS: Final = 10
TARGETS: Final[tuple[Target, ...]] = ("memory", "user")


class EmptyNote(ArchivistError):
    """A text of an entry has no words."""

    def __init__(self) -> None:
        super().__init__("an entry needs words: give its text")


class DelimiterInNote(ArchivistError):
    """A text would be two entries when it is read again."""

    def __init__(self) -> None:
        super().__init__(
            "a line that is only '§' divides entries: write it otherwise, or add what stands above and below as two entries"
        )


class StandsInOther(ArchivistError):
    """Words stand in the other of the two files."""

    def __init__(self, wanted: str, other: Target) -> None:
        self.other = other
        super().__init__(f"“{preview(wanted)}” stands in {other}: give it as the target (--target {other})")


class Planner:
    """One change in the making.

    Attributes:
        asked: What its owner is asked when it is done.
        now: The time of day.

    Args:
        desk: What the author may see and change.
        twin_of: Names the entry of a level and target that says the same as a text, or None.
        now: The time of day.
        new_id: Makes the ids of entries.
    """

    def __init__(
        self,
        draft: Draft,
        desk: Desk,
        author: Author,
        *,
        twin_of: Callable[[str, Target, str], str | None],
        now: datetime,
        new_id: Callable[[], str],
    ) -> None:
        self.draft, self.desk, self.author = draft, desk, author
        self._twin_of, self.now, self._new_id = twin_of, now, new_id
        self._added, self._new = dict[str, str](), list[tuple[str, str]]()
        self.asked: list[Proposal] = []

    def add(self, level: str, target: Target, text: str, *, kind: EntryKind | None = None) -> Outcome:
        """A new entry; what says the same already is named instead, and brought back where it was archived."""
        text = checked_text(text)
        if (twin := self._twin(level, target, text)) is not None:
            from archivist.notes.meeting import met  # noqa: PLC0415 - as below

            return met(self, twin, text)
        from archivist.notes.closing import close_what_is_corrected, closes_nothing  # noqa: PLC0415 - whoever only reads does not pay for it
        from archivist.notes.contradicting import contradicted_by  # noqa: PLC0415 - as above

        key, name = self._fresh_id(), core_file(level, target)
        sources = tuple(msgspec.structs.replace(one, text=mask(one.text).text) for one in self.author.sources)
        facts: dict[str, Any] = {"origin": self.author.origin, "sources": sources, "observed_at": self.now}
        closed = close_what_is_corrected(self, level, target, text, by=key)
        contradicted = contradicted_by(text, self.present_in(level, target))
        judged = kind_of(text, target)
        if closed is not None and judged == "fact":
            judged = "correction"
        self.draft.add(
            key,
            name,
            text,
            kind=kind or judged,
            speaker=self.author.speaker,
            contradicts=tuple(one.id for one in contradicted),
            supersedes=closed.id if closed is not None else None,
            valid_from=self.now if closed is not None and closed.is_change else None,
            **facts,
        )
        self._new.append((key, text))
        superseded = (closed.id,) if closed is not None else ()
        notices = () if superseded or contradicted else closes_nothing(self.author.origin, text)
        return Outcome("add", key, superseded=superseded, contradicted=contradicted, notices=notices)

    def replace(self, target: Target, wanted: str, text: str) -> Outcome:
        """Other words for a whole entry."""
        text = checked_text(text)
        entry = self.find(target, wanted, new_text=text)
        before = self.draft.text(entry.id)
        if before == text:
            return Outcome("unchanged", entry.id, before, notices=(_same_text(entry.id),))
        twin = self._twin(self._level_of(entry.id), target, text)
        self.revise(entry.id, text)
        lost = lost_sentences(before, text)
        return Outcome("replace", entry.id, before, lost, notices=self._says_the_same(twin, entry.id))

    def edit(self, target: Target, wanted: str, text: str) -> Outcome:
        """Other words for a stretch of an entry; the rest of it stays."""
        entry = self.find(target, wanted)
        before = self.draft.text(entry.id)
        start, end = stretch_in(entry, before, wanted)
        after = checked_text(before[:start] + text + before[end:])
        if after == before:
            return Outcome("unchanged", entry.id, before, notices=(_same_text(entry.id),))
        twin = self._twin(self._level_of(entry.id), target, after)
        words = self.draft.words(entry.id)
        self.revise(entry.id, after if words == before else words[:start] + text + words[end:])
        return Outcome("edit", entry.id, before, notices=self._says_the_same(twin, entry.id))

    def remove(self, target: Target, wanted: str) -> Outcome:
        """Take an entry out."""
        entry = self.find(target, wanted)
        before = self.draft.text(entry.id)
        self.draft.remove(entry.id)
        return Outcome("remove", entry.id, before, lost_sentences(before, ""))

    def revise(self, key: str, text: str) -> None:
        """Give an entry other words; its kind goes with them, unless somebody had set it."""
        entry = self.drafted(key)
        judged = kind_of(entry.text, entry.target) == entry.kind
        kind = kind_of(shown(text), entry.target) if judged else entry.kind
        self.draft.revise(key, text, kind=kind if kind != entry.kind else None)

    def put_behind(self, after: str, text: str) -> str:
        """A new entry behind another, whatever else says the same; its id."""
        key, name = self._fresh_id(), self.draft.file(after)
        place = place_of(name)
        assert place is not None
        kind, origin = kind_of(text, place.target), self.author.origin
        self.draft.add(key, name, text, after=after, kind=kind, origin=origin, observed_at=self.now)
        return key

    def promote(self, key: str) -> Outcome:
        """Bring an archived entry back into the core."""
        place = place_of(self.draft.file(key))
        assert place is not None
        if place.tier == "core":
            return Outcome("unchanged", key, notices=(Notice("in-core", f"{key} is in the core already"),))
        self.draft.move(key, core_file(place.level, place.target))
        return Outcome("promote", key)

    def close(self, key: str, *, by: str) -> None:
        """Put an entry away that holds no more, since another took its place: its words stay, in a file of the archive that says so."""
        place = place_of(self.draft.file(key))
        assert place is not None
        name = self._archive(place.level, place.target, self.draft.text(key), is_closed=True)
        self.draft.move(key, name, by=by)

    def demote(self, key: str) -> Outcome:
        """Send an entry to the archive."""
        place = place_of(self.draft.file(key))
        assert place is not None
        if place.tier == "archive":
            notice = Notice("in-archive", f"{key} is in the archive already")
            return Outcome("unchanged", key, notices=(notice,))
        was_pinned = self.marked(key, "pinned")
        self.draft.mark(key, pinned=False)
        self.draft.move(key, self._archive(place.level, place.target, self.draft.text(key)))
        told = (Notice("unpinned", f"{key} was pinned, and is no more"),) if was_pinned else ()
        return Outcome("demote", key, notices=told)

    def find(self, target: Target, wanted: str, *, new_text: str | None = None) -> Entry:
        """The entry that is meant by an id or a stretch of its text, core before archive.

        Args:
            target: Where it stands.
            wanted: The id or the stretch.
            new_text: What is to take its place.

        Raises:
            NoSuchEntry, SeveralEntries: With candidates.
        """
        own = self.desk.own(wanted)
        if own is not None and own.status == "superseded" and own.target == target:
            return self.drafted(own.id)
        try:
            return find_entry(self.present(target, "core"), wanted, new_text=new_text)
        except NoSuchEntry:
            everything = self.present(target, "core") + self.present(target, "archive")
        try:
            return find_entry(everything, wanted, new_text=new_text)
        except NoSuchEntry as error:
            other: Target = "user" if target == "memory" else "memory"
            if any(
                wanted in {entry.id, entry.text} or wanted in entry.text
                for entry in self.present(other, "core")
            ):
                raise StandsInOther(wanted, other) from error
            raise

    def find_anywhere(self, wanted: str) -> Entry:
        """The entry of either file that words mean, core before archive.

        Raises:
            NoSuchEntry, SeveralEntries: With candidates.
        """
        core = [entry for target in TARGETS for entry in self.present(target, "core")]
        try:
            return find_entry(core, wanted)
        except NoSuchEntry:
            return find_entry(
                [*core, *(one for target in TARGETS for one in self.present(target, "archive"))], wanted
            )

    def drafted(self, key: str) -> Entry:
        """An entry as the draft would leave it."""
        place = place_of(self.draft.file(key))
        assert place is not None
        return self._drafted(key, place, self.desk.scope(place.level))

    def drafted_in(self, name: str) -> list[Entry]:
        """The entries of a file as the draft would leave them."""
        place = place_of(name)
        assert place is not None
        scope = self.desk.scope(place.level)
        return [self._drafted(key, place, scope) for key in self.draft.sheet(name).order]

    def marked(self, key: str, name: str) -> object:
        """What is known about an entry: pinned, shared, kind."""
        return getattr(self.draft.known(key, self.now), name)

    def present(self, target: Target, tier: Tier) -> list[Entry]:
        """The entries that the author may change, as they would be by now."""
        levels = [level for level in self.desk.levels() if self.desk.is_own(level)]
        names = [name for level in levels for name in self.desk.files(level, target, tier)]
        return [entry for name in names for entry in self.drafted_in(name)]

    def _drafted(self, key: str, place: Place, scope: Scope) -> Entry:
        entry, text = self.draft.known(key, self.now).entry(place, scope), self.draft.text(key)
        return entry if text == entry.text else msgspec.structs.replace(entry, text=text)

    def present_in(self, level: str, target: Target) -> Iterator[tuple[str, str]]:
        """The entries of one level, by id and words, that stand there and were not made just now: the core's, then the newest first."""
        core, *archived = self.desk.files(level, target) or [core_file(level, target)]
        keys = chain(
            self.draft.order(core), *(reversed(self.draft.order(name)) for name in reversed(archived))
        )
        for key in islice(keys, MOST_COMPARED):
            if self.draft.is_former(key):
                yield key, self.draft.text(key)

    def _twin(self, level: str, target: Target, text: str) -> str | None:
        """The entry that says a text already: where it should go, or in the home, which every prompt of the owner's carries too."""
        if (added := self._added_before(text)) is not None and self.draft.holds(added):
            return added
        levels = dict.fromkeys((level, "") if self.desk.is_own("") else (level,))
        other: Target = "user" if target == "memory" else "memory"
        for place in levels:
            for file in (target, other):
                key = self._twin_of(place, file, text)
                if key is not None and self.draft.holds(key):
                    return key
        return None

    def _added_before(self, text: str) -> str | None:
        """The entry of this change that says a text; most changes add one, and nothing is read closely for that."""
        self._added |= {saying(said): key for key, said in self._new}
        self._new.clear()
        return self._added.get(saying(text)) if self._added else None

    def may_close(self, key: str, level: str) -> bool:
        """Whether whoever asks may say that an entry holds no more."""
        said = voice(self.author.origin, self.author.speaker)
        return may_close(said, self.draft.known(key, self.now), self.desk.scope(level))

    def _says_the_same(self, twin: str | None, key: str) -> tuple[Notice, ...]:
        place = place_of(self.draft.file(twin)) if twin is not None else None
        if twin is None or twin == key or (place is not None and place.is_closed):
            return ()
        text = f"{twin} says the same: {self.preview(twin)}; remove one of them"
        return (Notice("says-the-same", text),)

    def _level_of(self, key: str) -> str:
        place = place_of(self.draft.file(key))
        return place.level if place is not None else ""

    def _fresh_id(self) -> str:
        """Short enough to be typed; never one that there was."""
        while self.draft.knows(key := f"e{self._new_id()[:ID_CHARS]}"):
            pass
        return key

    def preview(self, key: str) -> str:
        """The beginning of what an entry says, in quotes."""
        return f"“{preview(self.draft.text(key))}”"

    def _archive(self, level: str, target: Target, text: str, *, is_closed: bool = False) -> str:
        """The archive's file of this month that has room; an entry that is larger than a file has one of its own."""
        month, number = f"{self.now.year:04}-{self.now.month:02}", 1
        size = len(text.encode("utf-8", "surrogatepass"))
        while True:
            name = archive_file(level, target, month, number, is_closed=is_closed)
            document = self.draft.sheet(name).document
            there = len(document.body)  # of which a byte each is the least
            if not there or (
                there + size <= ARCHIVE_BYTES and len(document.render()) + size <= ARCHIVE_BYTES
            ):
                return name
            number += 1


def checked_text(text: str) -> str:
    """A text that can be an entry: without the white space around it, its lines ended by a line feed.

    Raises:
        EmptyNote, DelimiterInNote, SecretInNote: It cannot.
        TypeError: It is no text.
    """
    if not isinstance(text, str):
        raise TypeError(f"a note is a text, not {type(text).__name__}")
    text = trimmed(SURROGATE.sub("\ufffd", text.replace("\r\n", "\n").replace("\r", "\n")))
    if shows_nothing(text):
        raise EmptyNote
    if carries_delimiter(text):
        raise DelimiterInNote
    refuse_secrets(text)
    return text


def _same_text(key: str) -> Notice:
    return Notice("same-text", f"{key} has these words already")

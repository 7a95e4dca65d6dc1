"""The notes as one reader or writer may see them: which entries there are, and which of them a text means."""

from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from archivist.notes.folding import State
from archivist.notes.places import age_of, core_file, is_visible, levels_in, place_of, proper_level, scope_of
from archivist.records import OWNER, Person, Reader, Scope
from archivist.records.notes import Entry, Target, Tier


class Desk:
    """What is known, for one reader.

    Args:
        folder: `memories/`.
        reader: Whose eyes.
    """

    def __init__(self, state: State, folder: Path, reader: Reader) -> None:
        self._state, self._folder, self.reader = state, folder, reader
        self._scopes: dict[str, Scope] = {}
        self._files: dict[str, list[_File]] = {}
        self._grouped = -1

    def levels(self) -> list[str]:
        """The folders that the reader may see something of, the home's own first."""
        self._group()
        there = dict.fromkeys((*levels_in(self._folder), *self._files))
        return [level for level in there if is_visible(self.scope(level), self.reader) or not level]

    def is_own(self, level: str) -> bool:
        """Whether all of a level is for the reader, to read and to write; of the home, the shared entries are for everybody."""
        return is_visible(self.scope(level), self.reader)

    def scope(self, level: str) -> Scope:
        """Whose a level is."""
        if level not in self._scopes:
            self._scopes[level] = scope_of(level, self._folder, self.reader)
        return self._scopes[level]

    def entries(
        self, target: Target | None = None, tier: Tier | None = None, *, closed: bool = False
    ) -> Iterator[Entry]:
        """The entries that are for the reader, in the order of the files: the home's core first.

        What stands in a folder that a hand made, and in the one that its notes are written to, is given once.

        Args:
            target: Only of this file.
            tier: Only these.
            closed: Also what holds no more.
        """
        doubled = self._doubled(levels := self.levels())
        for level in levels:
            there = self.entries_of(level, target, tier, closed=closed)
            yield from (self._not_in(doubled[level], there, closed=closed) if level in doubled else there)

    def entries_of(
        self, level: str, target: Target | None = None, tier: Tier | None = None, *, closed: bool = False
    ) -> Iterator[Entry]:
        """Those of one level."""
        for name in self.files(level, target, tier, closed=closed):
            yield from self._entries_in(name, level)

    def files(
        self, level: str, target: Target | None = None, tier: Tier | None = None, *, closed: bool = False
    ) -> list[str]:
        """The files of a level in which entries stand: the core first, then the archive's by month; last what is closed, if asked for."""
        self._group()
        return [
            file.name
            for file in self._files.get(level, ())
            if target in {None, file.target} and tier in {None, file.tier} and (closed or not file.is_closed)
        ]

    def entry(self, key: str) -> Entry | None:
        """An entry by its id, wherever it stands or stood; None where there is none for this reader.

        One that is shared is for others only what it says now, and only as long as it stands.
        """
        own = self.own(key)
        known = self._state.entries.get(key)
        if own is not None or known is None or not known.shared or known.status != "active":
            return own
        place = place_of(known.file)
        if place is None or place.level or place.is_closed:
            return None
        return _as_shared(known.entry(place, self.scope("")))

    def own(self, key: str) -> Entry | None:
        """An entry that the reader may also change; None where there is none, or it is only shared with them."""
        known = self._state.entries.get(key)
        place = place_of(known.file) if known is not None else None
        if known is None or place is None or not self.is_own(place.level):
            return None
        return known.entry(place, self.scope(place.level))

    def core(self, level: str, target: Target) -> list[Entry]:
        """What stands in one of a level's two files."""
        return list(self._entries_in(core_file(level, target), level))

    def core_texts(self, level: str, target: Target) -> list[str]:
        """The words of the same."""
        if not self.is_own(level):
            return [entry.text for entry in self.core(level, target)]
        return [text for _, text in self._state.known(core_file(level, target))]

    def _not_in(self, level: str, entries: Iterable[Entry], *, closed: bool) -> Iterator[Entry]:
        """Those entries that do not stand in a level."""
        from archivist.notes.likeness import normal  # noqa: PLC0415 - few levels have two folders

        there = {(one.target, normal(one.text)) for one in self.entries_of(level, closed=closed)}
        return (one for one in entries if (one.target, normal(one.text)) not in there)

    def _entries_in(self, name: str, level: str) -> Iterator[Entry]:
        found, place = self._state.files.get(name), place_of(name)
        if found is None or place is None:
            return
        is_own, scope = self.is_own(level), self.scope(level)
        for key in found.order:
            known = self._state.entries[key]
            if is_own:
                yield known.entry(place, scope)
            elif known.shared and not level and not place.is_closed:
                yield _as_shared(known.entry(place, scope))

    def _group(self) -> None:
        """Sort the names of files by level, once for all of them; a change in the making may add some."""
        if len(self._state.files) == self._grouped:
            return
        self._files, self._grouped = {}, len(self._state.files)
        for name in self._state.files:
            place = place_of(name)
            if place is not None:
                order = (place.is_closed, place.tier != "core", place.target != "memory", age_of(name))
                file = _File(order, name, place.target, place.tier, place.is_closed)
                self._files.setdefault(place.level, []).append(file)
        for files in self._files.values():
            files.sort()

    def _doubled(self, levels: list[str]) -> dict[str, str]:
        """By level that a hand made, the one that its notes are written to, where both are there."""
        there = set(levels)
        proper = {level: proper_level(level, self._folder) for level in levels if level}
        return {
            level: one for level, one in proper.items() if one is not None and one != level and one in there
        }


class _File(msgspec.Struct, frozen=True, order=True):
    """A file in which entries stand; sorts as it is read."""

    order: tuple[bool, bool, bool, tuple[str, int]]
    name: str
    target: Target
    tier: Tier
    is_closed: bool


def _as_shared(entry: Entry) -> Entry:
    """An entry without the words that it rests on and what it was before, which are its owner's."""
    return msgspec.structs.replace(entry, sources=(), supersedes=None, contradicts=())


def reader_of(scope: Scope | None) -> Reader:
    """Who reads when something is written from a scope: the owner in all projects where it is unset."""
    return Person(OWNER.user or "") if scope is None else scope

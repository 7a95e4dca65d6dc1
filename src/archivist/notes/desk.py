"""The notes as one reader or writer may see them: which entries there are, and which of them a text means."""

from collections.abc import Iterator
from pathlib import Path

from archivist.notes.folding import State
from archivist.notes.places import age_of, is_visible, levels_in, place_of, scope_of
from archivist.records import OWNER, Person, Reader, Scope
from archivist.records.notes import HOME_SCOPE, Entry, Target, Tier


class Desk:
    """What is known, for one reader.

    Args:
        folder: `memories/`.
        reader: Whose eyes.
    """

    def __init__(self, state: State, folder: Path, reader: Reader) -> None:
        self._state, self._folder, self.reader = state, folder, reader
        self._scopes: dict[str, Scope] = {}

    def levels(self) -> list[str]:
        """The folders that the reader may see something of, the home's own first."""
        there = dict.fromkeys(levels_in(self._folder))
        return [level for level in there if is_visible(self.scope(level), self.reader) or not level]

    def is_own(self, level: str) -> bool:
        """Whether all of a level is for the reader, to read and to write; of the home, the shared entries are for everybody."""
        return is_visible(self.scope(level), self.reader)

    def scope(self, level: str) -> Scope:
        """Whose a level is."""
        if level not in self._scopes:
            self._scopes[level] = scope_of(level, self._folder)
        return self._scopes[level]

    def entries(self, target: Target | None = None, tier: Tier | None = None) -> Iterator[Entry]:
        """The entries that are for the reader, in the order of the files: the home's core first."""
        for level in self.levels():
            yield from self.entries_of(level, target, tier)

    def entries_of(
        self, level: str, target: Target | None = None, tier: Tier | None = None
    ) -> Iterator[Entry]:
        """Those of one level."""
        is_own = self.is_own(level)
        for name in self.files(level, target, tier):
            place = place_of(name)
            assert place is not None
            for key in self._state.file(name).order:
                known = self._state.entries[key]
                if is_own or known.shared:
                    yield known.entry(place, self.scope(level))

    def files(self, level: str, target: Target | None = None, tier: Tier | None = None) -> list[str]:
        """The files of a level in which entries stand: the core first, then the archive's by month."""
        found = []
        for name in self._state.files:
            place = place_of(name)
            if (
                place is not None
                and place.level == level
                and target in {None, place.target}
                and tier in {None, place.tier}
            ):
                found.append((place.tier != "core", place.target != "memory", age_of(name), name))
        return [name for *_, name in sorted(found)]

    def entry(self, key: str) -> Entry | None:
        """An entry by its id, wherever it stands or stood; None where there is none for this reader."""
        known = self._state.entries.get(key)
        place = place_of(known.file) if known is not None else None
        if known is None or place is None:
            return None
        if not self.is_own(place.level) and not (known.shared and not place.level):
            return None
        return known.entry(place, self.scope(place.level))

    def core(self, level: str, target: Target) -> list[Entry]:
        """What stands in one of a level's two files."""
        return list(self.entries_of(level, target, "core"))


def reader_of(scope: Scope | None) -> Reader:
    """Who reads when something is written from a scope: the owner in all projects where it is unset."""
    if scope is None or scope == HOME_SCOPE:
        return Person(OWNER.user or "")
    return scope

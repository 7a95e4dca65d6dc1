"""Which entry says a text already, kept up to date along the journal."""

import unicodedata

from archivist.notes.folding import State
from archivist.notes.likeness import Likenesses
from archivist.notes.places import place_of
from archivist.records.notes import Target

Shelf = tuple[str, Target, str]
"""A level, a target, and the digits in a text: what says the same has the same digits in the same order."""


class Twins:
    """The entries of each level and target, core and archive, by what they say.

    An entry is read closely only when a text with its digits is looked up: most never are.
    """

    def __init__(self) -> None:
        self._begin(None)

    def of(self, state: State, level: str, target: Target, text: str) -> str | None:
        """The entry that says this, or None."""
        self._follow(state)
        shelf = (level, target, digits_in(text))
        found = self._read.setdefault(shelf, Likenesses())
        for key, words in self._waiting.pop(shelf, {}).items():
            found.put(key, words)
        return found.nearest(text)

    def _begin(self, state: State | None) -> None:
        self._state, self._changes = state, 0
        self._shelves: dict[str, Shelf] = {}
        self._waiting: dict[Shelf, dict[str, str]] = {}
        self._read: dict[Shelf, Likenesses] = {}

    def _follow(self, state: State) -> None:
        if state is not self._state:
            self._begin(state)  # another journal: nothing of what was known holds
        touched = {step.entry: None for change in state.changes[self._changes :] for step in change.steps}
        self._changes = len(state.changes)
        for key in touched:
            self._refresh(state, key)

    def _refresh(self, state: State, key: str) -> None:
        former = self._shelves.pop(key, None)
        if former is not None:
            self._waiting.get(former, {}).pop(key, None)
            if former in self._read:
                self._read[former].remove(key)
        known = state.entries.get(key)
        place = place_of(known.file) if known is not None else None
        if known is not None and place is not None and known.status == "active":
            shelf = (place.level, place.target, digits_in(known.text))
            self._shelves[key] = shelf
            self._waiting.setdefault(shelf, {})[key] = known.text


def digits_in(text: str) -> str:
    """The decimal digits of a text, whatever their width or script."""
    if text.isascii():
        return "".join(filter(str.isdecimal, text))
    return "".join(str(unicodedata.digit(one)) for one in text if one.isdigit())

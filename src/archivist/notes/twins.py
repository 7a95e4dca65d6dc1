"""Which entry says a text already, kept up to date along the journal."""

import re
import unicodedata
from typing import Final

from archivist.notes.folding import State
from archivist.notes.likeness import Likenesses
from archivist.notes.places import place_of
from archivist.records.notes import Target

_DIGIT: Final = re.compile("[0-9]")
_NO_DIGITS: Final = re.compile("[^0-9]+")

Bucket = tuple[str, Target, str]
"""A level, a target, and the digits in a text: what says the same has the same digits in the same order."""

FEW: Final = 2
"""So often all entries are gone through for those that have some digits; whoever asks for more digits has them all sorted."""


class Twins:
    """The entries of each level and target, core and archive, by what they say.

    An entry is read closely only when a text with its digits is looked up: most never are. Most programs note one thing and end.
    """

    def __init__(self) -> None:
        self._begin(None)

    def of(self, state: State, level: str, target: Target, text: str) -> str | None:
        """The entry that says this, or None."""
        self._follow(state)
        digits = digits_in(text)
        if digits not in self._sought and not self._is_sorted:
            self._seek(state, digits)
        bucket = (level, target, digits)
        found = self._read.setdefault(bucket, Likenesses())
        for key, words in self._waiting.pop(bucket, {}).items():
            found.put(key, words)
        return found.nearest(text) if found else None

    def _begin(self, state: State | None) -> None:
        self._state, self._changes = state, len(state.changes) if state is not None else 0
        self._sought, self._is_sorted = set[str](), False
        self._buckets: dict[str, Bucket] = {}
        self._waiting: dict[Bucket, dict[str, str]] = {}
        self._read: dict[Bucket, Likenesses] = {}

    def _follow(self, state: State) -> None:
        if state is not self._state:
            self._begin(state)  # another journal: nothing of what was known holds
        touched = {step.entry: None for change in state.changes[self._changes :] for step in change.steps}
        self._changes = len(state.changes)
        for key in touched:
            self._refresh(state, key)

    def _seek(self, state: State, digits: str) -> None:
        """Sort the entries that have these digits; all of them where others were asked for before."""
        self._sought.add(digits)
        self._is_sorted = len(self._sought) > FEW
        if self._is_sorted:
            self._buckets, self._waiting, self._read = {}, {}, {}
        for known in state.entries.values():
            if self._is_sorted or _has_digits(known.text, digits):
                self._refresh(state, known.id)

    def _refresh(self, state: State, key: str) -> None:
        former = self._buckets.pop(key, None)
        if former is not None:
            self._waiting.get(former, {}).pop(key, None)
            if former in self._read:
                self._read[former].remove(key)
        known = state.entries.get(key)
        place = place_of(known.file) if known is not None else None
        if known is not None and place is not None and known.status == "active":
            bucket = (place.level, place.target, digits_in(known.text))
            if self._is_sorted or bucket[2] in self._sought:
                self._buckets[key] = bucket
                self._waiting.setdefault(bucket, {})[key] = known.text


def digits_in(text: str) -> str:
    """The decimal digits of a text, whatever their width or script."""
    if text.isascii():
        return _NO_DIGITS.sub("", text)
    return "".join(str(unicodedata.digit(one)) for one in filter(str.isdigit, text))


def _has_digits(text: str, digits: str) -> bool:
    """Whether these are the digits of a text; most texts lack the first of them, or have one that they should not."""
    if text.isascii() and (digits[0] not in text if digits else _DIGIT.search(text)):
        return False
    return digits_in(text) == digits

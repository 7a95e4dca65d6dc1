"""Which statements of another program are new here: what is noted, was removed or edited, or was told already is passed over and counted.

The journal knows every wording that ever stood in a file, so that what was removed, edited or undone here does not come back.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from typing import Final

from archivist.notes.folding import State
from archivist.notes.likeness import normal
from archivist.notes.passing_over import EDITED, HIDES, NOTED, REMOVED, REPEATED, SAID, SUPERSEDED, WORDLESS
from archivist.notes.places import place_of
from archivist.notes.planning import EmptyNote, checked_text
from archivist.notes.saying import saying
from archivist.notes.secrets import SecretInNote
from archivist.notes.statements import Statement, Twin
from archivist.records.notes import Target

IMPORT: Final = "import"
"""The action under which the journal has what was brought in."""

CoreOf = tuple[str, Target]
"""A level and a target."""

TwinOf = Callable[[str, Target, str], str | None]
"""The entry of a level and a target that says what a text says, in other words."""


class Sieve:
    """Lets through what is new here, and counts the rest."""

    def __init__(self, state: State, twin_of: TwinOf, *, brings_back: bool) -> None:
        self._brings_back = brings_back
        self.skipped: Counter[str] = Counter()
        self.twins: list[Twin] = []
        self._state, self._twin_of = state, twin_of
        buried = {
            step.entry
            for one in state.changes
            if one.action == IMPORT
            for step in one.steps
            if step.op == "gone"
        }
        self._former = _wordings(state, lambda key: key not in buried)
        self._buried = set(_wordings(state, buried.__contains__))
        self._removed = {
            (place.level, saying(known.text))
            for known in state.gone()
            if known.id not in buried and (place := place_of(known.file)) is not None
        }
        self._taken: set[tuple[CoreOf, str]] = set()

    def passed(self, whose: CoreOf, told: Statement) -> str | None:
        """The words that an entry would have; None where there is to be none."""
        try:
            text = checked_text(told.text)
        except (EmptyNote, SecretInNote) as error:
            self.skipped[WORDLESS if isinstance(error, EmptyNote) else HIDES] += 1
            return None
        if told.is_superseded:
            return self._passed_superseded((whose[0], normal(text)), text)
        said = saying(text)
        reason = self._reason(whose, text, said, told.place)
        if reason is None:
            self._taken.add((whose, said))
            return text
        self.skipped[reason] += 1
        return None

    def _passed_superseded(self, words: tuple[str, str], text: str) -> str | None:
        """Words that hold no more, the first time that they are told; they are counted among what became no entry."""
        reason = self._of_those_that_had_it(keys, words[1]) if (keys := self._former.get(words)) else None
        self.skipped[reason or SUPERSEDED] += 1
        if reason or words in self._buried:
            return None
        self._buried.add(words)
        return text

    def _reason(self, whose: CoreOf, text: str, said: str, place: str) -> str | None:
        """Why a text is not taken."""
        if (whose, said) in self._taken:
            return REPEATED
        if keys := self._former.get((whose[0], normal(text))):
            found = self._of_those_that_had_it(keys, normal(text))
            return None if found == REMOVED and self._brings_back else found
        if (twin := self._twin_of(*whose, text)) is not None:
            self.twins.append(Twin(text, place, twin))
            return SAID
        return REMOVED if (whose[0], said) in self._removed and not self._brings_back else None

    def _of_those_that_had_it(self, keys: Iterable[str], words: str) -> str:
        there = [known for key in keys if (known := self._state.entries[key]).status != "retracted"]
        if any(normal(known.text) == words for known in there):
            return NOTED
        return EDITED if there else REMOVED


def _wordings(state: State, is_meant: Callable[[str], bool]) -> dict[tuple[str, str], list[str]]:
    """By level and words: those entries that ever had them."""
    found: dict[tuple[str, str], list[str]] = defaultdict(list)
    for change in state.changes:
        for step in change.steps:
            place = place_of(step.file) if step.text is not None else None
            if (
                place is not None
                and step.text is not None
                and step.entry in state.entries
                and is_meant(step.entry)
            ):
                keys = found[place.level, normal(step.text)]
                if step.entry not in keys:
                    keys.append(step.entry)
    return found


__all__ = ["IMPORT", "CoreOf", "Sieve", "TwinOf"]

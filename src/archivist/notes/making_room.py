"""A change must leave the core within its budget: what is remembered least makes room, or the change is refused."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Final

from archivist.notes.document import joined_length
from archivist.notes.leaving import leaving
from archivist.notes.likeness import similarity
from archivist.notes.limits import NEARLY_FULL, Limits
from archivist.notes.matching import preview
from archivist.notes.places import core_file
from archivist.notes.planning import Planner
from archivist.records import ArchivistError, Notice
from archivist.records.notes import Entry, NoteUsage, Target, Use

MOST_CANDIDATES: Final = 5
MOST_NAMED: Final = 2

UsesOf = Callable[[Sequence[str]], Mapping[str, Sequence[Use]]]
SessionsSince = Callable[[Sequence[Entry]], Mapping[str, int]]


class NotesFull(ArchivistError):
    """The core would be over its budget and nothing may leave it; nothing was changed.

    Attributes:
        usage: As it is.
        needed: Characters that the core would have.
        candidates: Entries that could be merged or removed, the best first; none where that would not help.
        entries: All that stand in that file.
    """

    def __init__(
        self,
        target: Target,
        usage: NoteUsage,
        needed: int,
        candidates: Sequence[Entry],
        entries: Sequence[Entry],
        *,
        is_strict: bool = False,
    ) -> None:
        self.target, self.usage, self.needed = target, usage, needed
        self.entries = tuple(entries)
        holds = f"{target} holds {usage.chars:,} of {usage.limit:,} characters and would hold {needed:,} with this"
        is_too_long = needed - usage.chars > usage.limit
        self.candidates = () if is_too_long else tuple(candidates)
        if not self.candidates:
            super().__init__(
                f"{holds}, more than its budget: shorten the text, or raise {target}_limit in config.toml"
            )
            return
        why = (
            "nothing is moved (on_full)"
            if is_strict
            else "nothing may leave it: what is new, pinned or a prohibition stays"
        )
        names = ", ".join(f"{entry.id} “{preview(entry.text)}”" for entry in candidates[:MOST_NAMED])
        super().__init__(
            f"{holds}, and {why}: merge or remove some, best those that are like it ({names}); `archivist memory demote ID`"
            " sends some to the archive; then try again"
        )


class Room:
    """Makes room in the core.

    Args:
        uses_of: When entries were used, by id.
        sessions_since: How many sessions began in an entry's scope since it was noted, by id.
    """

    def __init__(self, limits: Limits, uses_of: UsesOf, sessions_since: SessionsSince, now: datetime) -> None:
        self._limits, self._uses_of, self._sessions_since, self._now = limits, uses_of, sessions_since, now

    def make(self, planner: Planner, level: str, target: Target) -> list[str]:
        """Demote what must leave one file for a draft to fit; their ids.

        A file that was over its budget already, by a hand's edit, may only become shorter.

        Raises:
            NotesFull: Nothing may leave, or the owner wants newcomers refused.
        """
        name, limit = core_file(level, target), self._limits.of(target)
        needed = joined_length(map(planner.draft.text, planner.draft.sheet(name).order))
        if needed <= limit or needed <= joined_length(planner.desk.core_texts(level, target)):
            return []
        core = planner.drafted_in(name)
        changed = {step.entry for step in planner.draft.steps}
        newcomers = [entry for entry in core if entry.id in changed]
        settled = [entry for entry in core if entry.id not in changed]
        gone = () if self._limits.on_full == "reject" else self._leaving(settled, newcomers)
        if not gone:
            raise self._full(planner.desk.core(level, target), newcomers, target, needed)
        for entry in gone:
            planner.demote(entry.id)
        return [entry.id for entry in gone]

    def notices(self, usage: NoteUsage, target: Target) -> tuple[Notice, ...]:
        """What a result says about a file that is nearly full, or fuller."""
        if usage.chars * 100 < usage.limit * NEARLY_FULL:
            return ()
        if usage.chars > usage.limit:
            text = f"{target} is over its budget ({usage}): the prompt carries what is remembered best; merge or remove entries"
        else:
            text = f"{target} is nearly full ({usage}): merge entries that belong together"
        return (Notice("nearly-full", text),)

    def _leaving(self, settled: Sequence[Entry], newcomers: Sequence[Entry]) -> Sequence[Entry]:
        keys = [entry.id for entry in settled]
        return (
            leaving(
                settled,
                uses=self._uses_of(keys),
                sessions_since=self._sessions_since(settled),
                newcomers=newcomers,
                now=self._now,
                limit=self._limits.of(settled[0].target),
            )
            or ()
            if settled
            else ()
        )

    def _full(
        self, core: Sequence[Entry], newcomers: Sequence[Entry], target: Target, needed: int
    ) -> NotesFull:
        like = "\n".join(entry.text for entry in newcomers)
        ranked = sorted(core, key=lambda entry: (-similarity(entry.text, like), entry.changed_at, entry.id))
        usage = self._limits.usage(target, (entry.text for entry in core))
        is_strict = self._limits.on_full == "reject"
        return NotesFull(target, usage, needed, ranked[:MOST_CANDIDATES], core, is_strict=is_strict)

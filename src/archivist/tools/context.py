"""Where a tool is called: whose memory it is, in which session, and the calls that it may make. All of it comes from the host."""

from collections.abc import Callable, Collection, Mapping
from datetime import date, tzinfo
from typing import TYPE_CHECKING

import msgspec

from archivist.records import Browse, Page, Passage, Scope
from archivist.records.notes import Entry, Quote

if TYPE_CHECKING:
    from archivist.guard.origins import Context as Heard
    from archivist.notes.daily import DailyEntry
    from archivist.notes.notes import Notes

WriteDown = Callable[[str, Scope], "DailyEntry"]
"""Adds a text to today's notes of a scope; the entry says whether it was there already."""


class Turn(msgspec.Struct):
    """What a tool that notes something needs to know about the turn in which it is called.

    Attributes:
        scope: Where it is called; from the host, never from the model.
        session: In which session.
        rests_on: Finds the words of the session that a note rests on; without it a note names none.
        failures: Of this tool in a row; begin each turn with a new one.
        hears: Reads the conversation that led to a call, where it is no session of ours.
    """

    scope: Scope
    session: str | None = None
    rests_on: Callable[[str], tuple[Quote, ...]] | None = None
    failures: int = 0
    hears: "Callable[[], Heard] | None" = None


class Context(msgspec.Struct):
    """What a call of a tool is given beside its arguments; each of these reads only what its caller may see.

    Attributes:
        turn: Where something is noted.
        zone: The owner's, in which times are told.
        notes: The notes of the home, opened where they are asked for.
        write_down: Adds to the notes of today.
        recall: As `Archivist.recall`.
        entry: An entry by its id.
        day: The words of what was written down on a day, by where they stand.
        search: As `Sessions.search`.
        read: As `Sessions.read`.
        browse: As `Sessions.browse`.
        allowed: Gives the ids of the blocks that the owner lets models be shown whatever is found in them.
    """

    turn: Turn
    zone: tzinfo
    notes: "Callable[[], Notes]"
    write_down: WriteDown
    recall: Callable[..., Page]
    entry: Callable[[str], Entry]
    day: Callable[[date], Mapping[str, str]]
    search: Callable[..., Page]
    read: Callable[..., Passage]
    browse: Callable[..., Browse]
    allowed: Callable[[], Collection[str]] = frozenset

"""Where a tool is called: whose memory it is, in which session, and the calls that it may make. All of it comes from the host."""

from collections.abc import Callable, Collection, Mapping
from datetime import date, tzinfo
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from archivist.records import Browse, Page, Passage, Scope
from archivist.records.approvals import Approve
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


class Workspace(msgspec.Struct):
    """Where files are read and written and commands run, and who is asked before.

    Attributes:
        root: The folder that the tools stay in unless a person lets them out; real, without links.
        approve: Asks a person.
        stopped: Whether the user wants whatever runs now to stop.
        keep_output: Keeps a text that is too long to be told whole, and gives the id under which `read_output` finds it.
        read_output: Gives such a text, of this conversation alone; None where there is none.
        home: Archivist's own folder, in which no tool writes.
        hidden: Names of variables that no command is given.
        seen: By the real place of a file the digest of what the model knows of it; keep it for as long as the conversation lasts.
    """

    root: Path
    approve: Approve
    stopped: Callable[[], bool]
    keep_output: Callable[[str], str]
    read_output: Callable[[str], str | None]
    home: Path | None = None
    hidden: Collection[str] = frozenset()
    seen: dict[str, str] = msgspec.field(default_factory=dict)


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
        workspace: For tools that work on files; None where they are not offered.
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
    workspace: Workspace | None = None

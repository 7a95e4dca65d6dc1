"""`/memory`: what is noted, and changes to it."""

import os
from collections.abc import Callable, Iterator
from typing import Final

import click

from archivist.records import OWNER_EVERYWHERE
from archivist.records.display import plain
from archivist.records.notes import HOME_SCOPE, NoteChange, Target
from archivist.surfaces.cli.agents import asked_by, refuse_agents
from archivist.surfaces.cli.chat.slash.command import Command
from archivist.surfaces.cli.chat.talk import Talk
from archivist.surfaces.cli.heeding import heeded_entries
from archivist.surfaces.cli.notes_told import tell_notes
from archivist.surfaces.cli.noting import change_lines
from archivist.surfaces.cli.whose import whose

Change = Callable[[Talk, str], NoteChange]


def _memory(talk: Talk, arguments: str) -> None:
    word, _, rest = arguments.partition(" ")
    change = _CHANGES.get(word)
    if not arguments:
        talk.screen.lines(_lines(talk))
    elif change is None or (word != "undo" and not rest.strip()):
        talk.screen.tell("/memory shows what is noted; add TEXT, remove WORDS and undo [CHANGE] change it")
    else:
        done = change(talk, rest.strip())
        talk.screen.begin()
        tell_notes(talk.call, done.notices)
        talk.screen.lines(change_lines(done, talk.call.program))


def _lines(talk: Talk) -> Iterator[str]:
    notes = talk.archivist.notes
    found = heeded_entries(talk.archivist, notes.entries(tier="core", scope=OWNER_EVERYWHERE))
    targets: tuple[Target, ...] = ("memory", "user")
    for target in targets:
        inside = [one for one in found if one.target == target]
        own = [one.text for one in inside if one.scope == HOME_SCOPE]
        yield click.style(f"{target} [{notes.limits.usage(target, own)}]", bold=True)
        for one in inside:
            of = f"  ({whose(one.scope)})" if one.scope != HOME_SCOPE else ""
            yield f"  {click.style(one.id, dim=True)}  {plain(' '.join(one.text.split()))}{of}"
    tell_notes(talk.call, notes.take_notices())


def _add(talk: Talk, words: str) -> NoteChange:
    from archivist.notes.kinds import belongs_to  # noqa: PLC0415 - only where something is noted

    who = asked_by(talk.archivist, HOME_SCOPE, os.environ)
    return talk.archivist.notes.add(belongs_to(words) or "memory", words, **({"scope": None} | who))


def _remove(talk: Talk, words: str) -> NoteChange:
    from archivist.notes.planning import StandsInOther  # noqa: PLC0415 - as above

    who = {"scope": None} | asked_by(talk.archivist, HOME_SCOPE, os.environ)
    try:
        return talk.archivist.notes.remove("memory", words, **who)
    except StandsInOther as elsewhere:
        return talk.archivist.notes.remove(elsewhere.other, words, **who)


def _undo(talk: Talk, change: str) -> NoteChange:
    from archivist.surfaces.cli.noting import latest_change  # noqa: PLC0415 - as above

    refuse_agents(os.environ, "to take back what was noted")
    notes = talk.archivist.notes
    return notes.undo(change or latest_change(notes, talk.call.program), scope=OWNER_EVERYWHERE)


_CHANGES: Final[dict[str, Change]] = {"add": _add, "remove": _remove, "undo": _undo}
MEMORY: Final = Command(
    "memory", "[add TEXT|remove WORDS|undo]", "Show what is noted, or change it.", _memory
)
__all__ = ["MEMORY"]

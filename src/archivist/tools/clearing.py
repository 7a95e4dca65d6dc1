"""What of remembered text a tool gives out: all but what tries to steer a model.

Such blocks are left out, with a line in their place that says how their owner sees and allows them. Only what would be shown is looked at.
"""

import sys
from collections.abc import Callable, Collection
from typing import Final

from archivist.guard import mask
from archivist.notes.telling import UnknownEntry
from archivist.notes.withholding import sight_of
from archivist.recall.reading import AmbiguousSession, UnknownMessage
from archivist.records import Hit, Source
from archivist.records.notes import Entry
from archivist.store import UnknownSession
from archivist.tools.context import Context

Allowed = Callable[[], Collection[str]]
_NOWHERE: Final = "its source, opened by its owner, shows it"


def cleared(text: str, command: str, allowed: Allowed, whole: Callable[[], str] | None = None) -> str:
    """A text without the blocks that try to steer a model.

    Args:
        text: What would be shown.
        command: Of the command line, that shows it to its owner: "daily --day 2026-03-20".
        allowed: Gives the ids of the blocks that the owner has allowed; asked only where something is found.
        whole: Gives the text of which this is a stretch, where it is one.
    """
    from archivist.guard.withholding import how_to_see, shown  # noqa: PLC0415 - who only notes does not pay for the scanner

    how = how_to_see(command)
    if not shown(text, how).withheld:
        return text
    return shown(text, how, allowed=allowed(), whole=whole).text


def cleared_notice(text: str) -> str:
    """The same of what is told of the owner's data, which may quote it."""
    from archivist.guard.withholding import shown  # noqa: PLC0415 - as above

    return shown(text, _NOWHERE).text


def cleared_entry(entry: Entry, allowed: Allowed, *, text: str | None = None) -> str:
    """The words of an entry, or a stretch of them, without secrets and what tries to steer a model; what the owner typed stays.

    Args:
        entry: As it is.
        allowed: As for `cleared`.
        text: A stretch of its words; all of them where unset.
    """
    words = mask(entry.text).text
    told = words if text is None else text
    seen = sight_of(told, entry.id, entry.origin, ())
    if not seen.withheld:
        return told
    return cleared(told, f"memory show {entry.id}", allowed, whole=lambda: words)


def cleared_note(text: str, key: str, context: Context) -> str:
    """The same of a stretch of the entry that has this id; of one that is not known any more, no word counts as the owner's."""
    if sight_of(text, key, None, ()).text is text:
        return text
    try:
        return cleared_entry(context.entry(key), context.allowed, text=text)
    except UnknownEntry:
        return cleared(text, f"memory show {key}", context.allowed)


def cleared_message(text: str, session: str, message: int | None, context: Context) -> str:
    """A stretch of a message, or of what stands beside it."""
    if message is None:
        return cleared(text, f"sessions show {session}", context.allowed)

    def whole() -> str:
        try:
            passage = context.read(
                session, around=message, window=0, message_chars=sys.maxsize, passage_chars=sys.maxsize
            )
        except (UnknownSession, UnknownMessage, AmbiguousSession):
            return ""
        return "\n\n".join(one.text for one in passage.messages)

    return cleared(text, f"sessions show {session} --around {message}", context.allowed, whole)


def cleared_hit(text: str, hit: Hit, context: Context) -> str:
    """A stretch of what was found, or of what stands beside it."""
    if hit.kind == "message":
        return cleared_message(text, hit.session_id or "", hit.message_id, context)
    if hit.kind == "daily":
        day = hit.date.date().isoformat()
        return cleared(text, f"daily --day {day}", context.allowed, lambda: whole_of_day(hit, context))
    return cleared_note(text, hit.source.ids[0], context)


def whole_of_day(hit: Hit, context: Context) -> str:
    """All of what was written down on a day, of which a hit shows a part."""
    text = context.day(hit.date.date()).get(place_of(hit.source))
    return hit.text if text is None else mask(text).text


def place_of(source: Source) -> str:
    """Where something stands in the notes of a day: `daily/2026-03-20.md#2`."""
    return f"{source.file}#{source.ids[0]}"


__all__ = [
    "cleared",
    "cleared_entry",
    "cleared_hit",
    "cleared_message",
    "cleared_note",
    "cleared_notice",
    "place_of",
    "whole_of_day",
]

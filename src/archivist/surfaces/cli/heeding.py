"""What on the command line tries to steer a model: its owner reads it as it is, with a line that says so.

In the shell of an agent a model reads it: there it is left out, as everywhere, and secrets are masked.
"""

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from archivist.records import EVERYTHING, Browse, Hit, Message, Notice, Page, Passage, Session
from archivist.records.counts import counted
from archivist.surfaces.cli.calling import tell

if TYPE_CHECKING:
    from archivist.app import Archivist
    from archivist.app.days import DayEntry
    from archivist.app.shortened import Compression
    from archivist.notes.telling import Blame, LogLine
    from archivist.records.notes import Entry
    from archivist.tools.context import Context

MOST_NAMED = 5
"""Entries that are named beside how many there are."""


def heeded_page(archivist: "Archivist", page: Page) -> Page:
    """The hits as whoever sits there is shown them."""
    if not any(map(_steers, (text for hit in page.hits for text in (hit.text, hit.title)))):
        return page
    context = archivist.tool_context(reader=EVERYTHING)
    hits = tuple(_cleared_hit(hit, context) for hit in page.hits)
    return replace(page, hits=hits) if _is_left_out(page.hits, hits) else page


def heeded_passage(archivist: "Archivist", passage: Passage) -> Passage:
    """The messages of a conversation as whoever sits there is shown them."""
    if not any(map(_steers, (passage.session.title, *_texts_in(passage)))):
        return passage
    context = archivist.tool_context(reader=EVERYTHING)
    name = passage.session.id
    messages = tuple(_cleared_message(one, name, context) for one in passage.messages)
    session = _cleared_session(passage.session, context)
    if not _is_left_out((passage.session, *passage.messages), (session, *messages)):
        return passage
    line, children = (
        tuple(replace(one, title=_cleared(one.title, one.id, context)) for one in relatives)
        for relatives in (passage.line, passage.children)
    )
    return replace(passage, session=session, messages=messages, line=line, children=children)


def heeded_browse(archivist: "Archivist", found: Browse) -> Browse:
    """A list of conversations as whoever sits there is shown it."""
    if not any(map(_steers, (*(one.title for one in found.sessions), *found.previews.values()))):
        return found
    context = archivist.tool_context(reader=EVERYTHING)
    sessions = tuple(_cleared_session(one, context) for one in found.sessions)
    previews = {key: _cleared(text, key, context) for key, text in found.previews.items()}
    before, now = (*found.sessions, *found.previews.values()), (*sessions, *previews.values())
    return replace(found, sessions=sessions, previews=previews) if _is_left_out(before, now) else found


def heeded_entries(archivist: "Archivist", entries: "Sequence[Entry]") -> "tuple[Entry, ...]":
    """Entries of the notes as whoever sits there is shown them."""
    if not _is_agents() and not any(_steers(one.text) for one in entries):
        return tuple(entries)
    from archivist.guard import mask  # noqa: PLC0415 - few notes steer
    from archivist.tools.clearing import cleared_entry  # noqa: PLC0415 - as above

    allowed = archivist.tool_context().allowed
    masked = tuple(replace(one, text=mask(one.text).text) for one in entries)
    cleared = tuple(replace(one, text=cleared_entry(one, allowed)) for one in entries)
    return cleared if _is_left_out(masked, cleared, [one.id for one in entries]) else tuple(entries)


def heeded_days(archivist: "Archivist", entries: "Sequence[DayEntry]") -> "tuple[DayEntry, ...]":
    """Daily notes as whoever sits there is shown them."""
    if not _is_agents() and not any(_steers(one.text) for one in entries):
        return tuple(entries)
    from archivist.guard import mask  # noqa: PLC0415 - as above
    from archivist.tools.clearing import cleared  # noqa: PLC0415 - as above

    allowed = archivist.tool_context().allowed
    masked = tuple(replace(one, text=mask(one.text).text) for one in entries)
    now = tuple(
        replace(one, text=cleared(one.text, f"daily --day {one.day.isoformat()}", allowed)) for one in masked
    )
    return now if _is_left_out(masked, now) else tuple(entries)


def heeded_log(lines: "Sequence[LogLine]") -> "tuple[LogLine, ...]":
    """What happened to the notes as whoever sits there is shown it; of words that went nobody knows who put them there."""
    if not _is_agents():
        return tuple(lines)
    from archivist.guard import mask  # noqa: PLC0415 - as above
    from archivist.tools.clearing import cleared_notice  # noqa: PLC0415 - as above

    def clear(text: str | None) -> str | None:
        return text and cleared_notice(mask(text).text)

    return tuple(replace(one, before=clear(one.before), after=clear(one.after)) for one in lines)


def heeded_blame(archivist: "Archivist", found: "Blame") -> "Blame":
    """What an entry rests on as whoever sits there is shown it."""
    if not _is_agents():
        return found
    from archivist.tools.clearing import cleared_notice  # noqa: PLC0415 - as above

    return replace(
        found,
        entry=heeded_entries(archivist, [found.entry])[0],
        sources=tuple(replace(one, text=cleared_notice(one.text)) for one in found.sources),
        history=heeded_log(found.history),
    )


def heeded_compression(done: "Compression") -> "Compression":
    """What a compression did as whoever sits there is shown it: lines that it keeps are of whoever said them."""
    if not _is_agents():
        return done
    from archivist.tools.clearing import cleared_notice  # noqa: PLC0415 - as above

    kept = tuple(replace(line, text=cleared_notice(line.text)) for line in done.kept)
    return replace(done, kept=kept, removed=tuple(map(cleared_notice, done.removed)))


def _is_agents() -> bool:
    from archivist.surfaces.cli.agents import is_agents  # noqa: PLC0415 - a question that finds nothing odd asks nobody

    return is_agents(os.environ)


def _is_left_out(before: Sequence[object], now: Sequence[object], names: Sequence[str] = ()) -> bool:
    """Whether what steers is not shown; the owner, who is shown it, is told.

    Args:
        before: What would be shown, as far as it is text.
        now: The same without what steers.
        names: What each of them is called, where it has a name.
    """
    if _is_agents():
        return True
    odd = [at for at, (one, other) in enumerate(zip(before, now, strict=True)) if one != other]
    if odd:
        told = counted(
            len(odd), "text here tries to steer a model and is", "texts here try to steer a model and are"
        )
        which = f" ({', '.join(names[at] for at in odd[:MOST_NAMED])})" if names else ""
        tell([Notice("steers", f"{told} withheld from models{which}")])
    return False


def _steers(text: str | None) -> bool:
    from archivist.guard.withholding import shown  # noqa: PLC0415 - `--help` loads no scanner

    return bool(text) and bool(shown(text or "", "").withheld)


def _texts_in(passage: Passage) -> list[str | None]:
    said = [(one.text, one.speaker, one.tool_name) for one in passage.messages]
    called = [(call.name, call.arguments) for one in passage.messages for call in one.tool_calls]
    titles = [one.title for one in (*passage.line, *passage.children)]
    return [*titles, *(text for texts in (*said, *called) for text in texts)]


def _cleared(text: str | None, session: str, context: "Context", message: int | None = None) -> str | None:
    from archivist.tools.clearing import cleared_message  # noqa: PLC0415 - as above

    return text and cleared_message(text, session, message, context)


def _cleared_hit(hit: Hit, context: "Context") -> Hit:
    from archivist.tools.clearing import cleared_hit  # noqa: PLC0415 - as above

    return replace(
        hit,
        text=cleared_hit(hit.text, hit, context),
        title=hit.title and cleared_hit(hit.title, hit, context),
    )


def _cleared_message(message: Message, session: str, context: "Context") -> Message:
    def clear(text: str | None) -> str | None:
        return _cleared(text, session, context, message.id)

    calls = tuple(
        replace(call, name=clear(call.name) or "", arguments=clear(call.arguments) or "")
        for call in message.tool_calls
    )
    return replace(
        message,
        text=clear(message.text) or "",
        speaker=clear(message.speaker),
        tool_name=clear(message.tool_name),
        tool_calls=calls,
    )


def _cleared_session(session: Session, context: "Context") -> Session:
    return replace(session, title=_cleared(session.title, session.id, context))


__all__ = [
    "heeded_blame",
    "heeded_browse",
    "heeded_days",
    "heeded_entries",
    "heeded_log",
    "heeded_page",
    "heeded_passage",
]

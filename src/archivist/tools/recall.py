"""The tool `recall`: one question to everything that is remembered, answered with the words that were stored, where they stand and when.

What is found was said or noted at some other time. The result says so, so that no model takes it for what its user says now.
"""

import re
from datetime import date
from typing import Any, Final

from msgspec.structs import replace

from archivist.guard import mask
from archivist.recall.reading import AmbiguousSession, UnknownMessage
from archivist.records import Hit, Page, Source
from archivist.records.counts import counted
from archivist.store import UnknownSession
from archivist.tools.answering import answering
from archivist.tools.arguments import Arguments
from archivist.tools.clearing import cleared_hit, place_of, whole_of_day
from archivist.tools.context import Context
from archivist.tools.results import (
    BACKGROUND,
    NOTICES,
    cut_text,
    for_model,
    moment_of,
    said,
    schema_of,
    with_notices,
    within_room,
)
from archivist.tools.tool import Result, Tool

KINDS: Final = ("note", "daily", "message")
MOST_HITS: Final = 20
HIT_CHARS: Final = 2_000
PAGE_CHARS: Final = 16_000
"""Of the texts of all hits."""
ENTRY_CHARS: Final = 16_000
"""Of an entry that was asked for by its id."""
QUERY_CHARS: Final = 4_000
MOST_OF_A_DAY: Final = 1_000
_DAY: Final = re.compile(
    r"(?:notes:)?(?P<file>(?:\S*/)?daily/(?P<day>[0-9]{4}-[0-9]{2}-[0-9]{2})(?:-\S*)?\.md)#(?P<number>[0-9]{1,6})"
)
_ENTRY: Final = re.compile(r"(?:notes:)?(?:\S+\.md#)?(?P<id>e[0-9a-z]{6,40})")
_SAID: Final = re.compile(r"(?P<source>[\w.-]{1,100}):(?P<conversation>\S{1,200})#(?P<message>[0-9]{1,18})")
NOTHING: Final = "Nothing was found that answers this. Say that it is not remembered, rather than guess; or ask with other words."

_HIT: Final = {
    "type": "object",
    "properties": {
        "kind": {"type": "string", "enum": list(KINDS)},
        "text": {"type": "string"},
        "source": {"type": "string"},
        "date": {"type": "string"},
        "id": {"type": "string"},
        "session_id": {"type": "string"},
        "message_id": {"type": "integer"},
        "role": {"type": "string"},
        "speaker": {"type": "string"},
        "title": {"type": "string"},
        "target": {"type": "string"},
        "archived": {"type": "boolean"},
        "origin": {"type": "string"},
        "state": {"type": "string"},
        "more_in_session": {"type": "integer"},
    },
    "required": ["kind", "text", "source", "date"],
    "additionalProperties": False,
}


def _answer(arguments: Arguments, context: Context) -> Result:
    query = arguments.get("query")
    if named := _DAY.fullmatch(query.strip()):
        return _told(_of_day(named, context), query, arguments, context)
    if (named := _SAID.fullmatch(query.strip())) and (page := _as_said(named, context)) is not None:
        return _told(page, query, arguments, context)
    if named := _ENTRY.fullmatch(query.strip()):
        query = named["id"]
    page = context.recall(
        query,
        limit=arguments.get("limit", 8),
        kinds=arguments.get("kinds"),
        since=arguments.get("since"),
        until=arguments.get("until"),
        as_of=arguments.get("as_of"),
    )
    return _told(page, query, arguments, context)


def _told(page: Page, query: str, arguments: Arguments, context: Context) -> Result:
    notices = [*arguments.notices, *(for_model(notice.text) for notice in page.notices)]
    hits = _shown(page, context, notices)
    if hits and query.strip() in {hits[0].get("id"), hits[0]["source"]}:
        hits[0]["text"] = cleared_hit(_whole(page.hits[0], context), page.hits[0], context)
    result: Result = {"success": True, "about": BACKGROUND, "count": len(hits), "hits": hits}
    if not hits:
        result["message"] = NOTHING
    return with_notices(result, notices)


def _shown(page: Page, context: Context, notices: list[str]) -> list[Result]:
    hits = (hit_of(hit, context) for hit in page.hits)
    shown = within_room(hits, PAGE_CHARS, lambda found: len(found["text"]))
    if more := len(page.hits) - len(shown):
        notices.append(f"{counted(more, 'more hit')} had no room: ask more narrowly.")
    return shown


def hit_of(hit: Hit, context: Context) -> Result:
    """A hit as a model is given it: what there is nothing to say of is left out, and so is what tries to steer it."""
    key = None if hit.kind == "message" else _id_of(hit.source)
    rest = f"session_search with around_message_id {hit.message_id}" if hit.message_id else f"recall {key}"
    return said(
        kind=hit.kind,
        text=cleared_hit(cut_text(hit.text, HIT_CHARS, rest), hit, context),
        source=str(hit.source),
        date=moment_of(hit.date, context.zone),
        id=key,
        session_id=hit.session_id,
        message_id=hit.message_id,
        role=hit.role,
        speaker=hit.speaker and cleared_hit(hit.speaker, hit, context),
        title=hit.title and cleared_hit(hit.title, hit, context),
        target=hit.target,
        archived=hit.tier == "archive" or None,
        origin=hit.origin,
        state=None if hit.state == "active" else hit.state,
        more_in_session=hit.others or None,
    )


def _id_of(source: Source) -> str:
    """What names a note: the id of an entry, the place of what was written down on a day."""
    return source.ids[0] if _DAY.fullmatch(str(source)) is None else place_of(source)


def _of_day(named: re.Match[str], context: Context) -> Page:
    """What stands at a place in the notes of a day."""
    try:
        day = date.fromisoformat(named["day"])
    except ValueError:
        return Page()
    page = context.recall("", kinds=["daily"], since=day, until=day, limit=MOST_OF_A_DAY)
    hits = [hit for hit in page.hits if _id_of(hit.source) == f"{named['file']}#{named['number']}"]
    return replace(page, hits=tuple(hits))


def _as_said(named: re.Match[str], context: Context) -> Page | None:
    """The message that a source names; None where there is none for who asks."""
    try:
        passage = context.read(
            named["conversation"], around=int(named["message"]), window=0, message_chars=ENTRY_CHARS
        )
    except (UnknownSession, UnknownMessage, AmbiguousSession):
        return None
    session, (message,) = passage.session, passage.messages
    if session.source != named["source"] or not message.text:
        return None
    hit = Hit(
        "message",
        message.text,
        Source(session.source, (), session.conversation_id, message.id),
        message.session_id or session.id,
        session.conversation_id,
        message.id,
        message.role,
        message.created_at or session.started_at,
        0.0,
        title=session.title,
        speaker=message.speaker,
        state=message.state,
    )
    return Page((hit,), passage.notices)


def _whole(hit: Hit, context: Context) -> str:
    """All of what was asked for by its id, or by where it stands."""
    if hit.kind == "message":
        return hit.text
    text = (
        whole_of_day(hit, context)
        if hit.kind == "daily"
        else mask(context.entry(hit.source.ids[0]).text).text
    )
    return cut_text(text, ENTRY_CHARS, f"it is in {hit.source.file}")


_SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "query": {
            "type": "string",
            "maxLength": QUERY_CHARS,
            "description": "In any language; may name a time: last week. * lists the latest.",
        },
        "limit": {
            "type": "integer",
            "minimum": 1,
            "maximum": MOST_HITS,
            "description": "Hits; 8 where left out.",
        },
        "kinds": {
            "type": "array",
            "items": {"type": "string", "enum": list(KINDS)},
            "description": "Only these.",
        },
        "since": {"type": "string", "description": "Said then or later: 2026-03-01, last week."},
        "until": {"type": "string", "description": "Said up to then; a day counts whole."},
        "as_of": {"type": "string", "description": "As it was known then."},
    },
    "required": ["query"],
    "additionalProperties": False,
}

RECALL: Final = Tool(
    name="recall",
    title="Recall",
    description=(
        "Search everything remembered: notes, daily notes, past conversations with any agent. Use it before asking the user for what they"
        ' may have said before, and when they refer to earlier work. query: a question, words, a "phrase", an identifier, or the id or'
        " source of a hit, to read it whole. Open a message with session_search(session_id, around_message_id)."
    ),
    schema=_SCHEMA,
    output=schema_of(
        about={"type": "string"},
        count={"type": "integer"},
        hits={"type": "array", "items": _HIT},
        message={"type": "string"},
        notices=NOTICES,
    ),
    is_read_only=True,
    is_destructive=False,
    is_idempotent=True,
    call=answering(_answer, _SCHEMA),
)

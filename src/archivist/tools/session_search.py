"""The tool `session_search`: past conversations found, scrolled, read and listed, in the very words that were said.

One tool whose arguments say what is done, as models know it: a session and a message are read around that message, a session alone from its
beginning, a query is sought, and without any of them the latest conversations are listed.
"""

from collections.abc import Callable, Iterator
from typing import Any, Final

from archivist.recall.reading import UnknownMessage
from archivist.records import Browse, Hit, Message, Passage, Session, ToolCall
from archivist.records.counts import counted
from archivist.store import UnknownSession
from archivist.tools.answering import answering
from archivist.tools.arguments import Arguments, Refused
from archivist.tools.clearing import cleared_message
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
)
from archivist.tools.tool import Result, Tool

Clear = Callable[[str], str]

ROLES: Final = ("user", "assistant", "tool", "system")
MOST_FOUND, FOUND = 10, 3
MOST_LISTED, LISTED = 50, 10
MOST_WINDOW, WINDOW = 20, 5
HIT_CHARS, PAGE_CHARS = 2_000, 16_000
"""Of one find; of all messages that are read."""
NEIGHBOUR_CHARS: Final = 400
"""Of a message beside a find."""
CALL_CHARS, ALONE_CALL_CHARS = 1_000, 16_000
"""Of all arguments of a message's calls; where a message is read alone."""
NAME_CHARS: Final = 100
LAST_OFFSET: Final = 1_000_000_000

_MESSAGE: Final = {
    "type": "object",
    "properties": {
        "id": {"type": "integer"},
        "role": {"type": "string"},
        "text": {"type": "string"},
        "date": {"type": "string"},
        "speaker": {"type": "string"},
        "tool_name": {"type": "string"},
        "tool_calls": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"name": {"type": "string"}, "arguments": {"type": "string"}},
                "required": ["name", "arguments"],
                "additionalProperties": False,
            },
        },
        "state": {"type": "string"},
        "anchor": {"type": "boolean"},
    },
    "required": ["id", "role", "text"],
    "additionalProperties": False,
}
_SESSION: Final = {
    "type": "object",
    "properties": {
        "session_id": {"type": "string"},
        "title": {"type": "string"},
        "source": {"type": "string"},
        "model": {"type": "string"},
        "started_at": {"type": "string"},
        "last_active_at": {"type": "string"},
        "message_count": {"type": "integer"},
        "preview": {"type": "string"},
        "is_this": {"type": "boolean"},
    },
    "required": ["session_id", "source"],
    "additionalProperties": False,
}
_FOUND: Final = {
    "type": "object",
    "properties": {
        "session_id": {"type": "string"},
        "title": {"type": "string"},
        "source": {"type": "string"},
        "date": {"type": "string"},
        "message_id": {"type": "integer"},
        "role": {"type": "string"},
        "speaker": {"type": "string"},
        "text": {"type": "string"},
        "state": {"type": "string"},
        "more_in_session": {"type": "integer"},
        "messages": {"type": "array", "items": _MESSAGE},
    },
    "required": ["session_id", "message_id", "role", "text", "source", "date"],
    "additionalProperties": False,
}


def _answer(arguments: Arguments, context: Context) -> Result:
    try:
        return _mode(arguments, context)(arguments, context)
    except UnknownSession as error:
        named = repr((_session_of(arguments, context) or "")[:NAME_CHARS])
        raise Refused(
            f"no conversation {named} is to be seen here: without arguments the latest are listed"
        ) from error


def _mode(arguments: Arguments, context: Context) -> Callable[[Arguments, Context], Result]:
    if _session_of(arguments, context) is not None:
        return _read
    if arguments.get("around_message_id") is not None:
        raise Refused("around_message_id needs session_id: the conversation in which that message stands")
    return _discover if arguments.get("query") is not None else _browse


def _session_of(arguments: Arguments, context: Context) -> str | None:
    """The session to be read: a message alone is one of the session that asks, whose summaries name it by nothing else."""
    named: str | None = arguments.get("session_id")
    is_alone = named is None and arguments.get("around_message_id") is not None
    return context.turn.session if is_alone else named


def _discover(arguments: Arguments, context: Context) -> Result:
    limit = min(arguments.get("limit", FOUND), MOST_FOUND)
    page = context.search(
        arguments.get("query"),
        limit=limit,
        role=tuple(arguments.get("role_filter", ())),
        source=arguments.get("source") or (),
        since=arguments.get("since"),
        until=arguments.get("until"),
    )
    notices = [*arguments.notices, *(for_model(notice.text) for notice in page.notices)]
    found = [_found(hit, context) for hit in page.hits]
    result: Result = {
        "success": True,
        "mode": "discover",
        "about": BACKGROUND,
        "count": len(found),
        "results": found,
    }
    if not found:
        result["message"] = (
            "No conversation has this. Other words may find it; without a query the latest are listed."
        )
    return with_notices(result, notices)


def _found(hit: Hit, context: Context) -> Result:
    """A find with the message before it and the one after it."""
    rest = f"around_message_id {hit.message_id}"
    clear = _clear(context, hit.session_id or "", hit.message_id)
    return said(
        session_id=hit.session_id,
        title=hit.title and clear(hit.title),
        source=hit.source.name,
        date=moment_of(hit.date, context.zone),
        message_id=hit.message_id,
        role=hit.role,
        speaker=hit.speaker and clear(hit.speaker),
        text=clear(cut_text(hit.text, HIT_CHARS, rest)),
        state=None if hit.state == "active" else hit.state,
        more_in_session=hit.others or None,
        messages=_beside(hit, context) or None,
    )


def _beside(hit: Hit, context: Context) -> list[Result]:
    """The message before a find and the one after it; none where they were deleted meanwhile."""
    try:
        around = context.read(hit.session_id, around=hit.message_id, window=1, message_chars=NEIGHBOUR_CHARS)
    except (UnknownSession, UnknownMessage):
        return []
    return [
        _message(message, context, session=around.session.id)
        for message in around.messages
        if message.id != hit.message_id
    ]


def _read(arguments: Arguments, context: Context) -> Result:
    around = arguments.get("around_message_id")
    window = arguments.get("window", WINDOW)
    passage = context.read(
        _session_of(arguments, context),
        around=around,
        window=window,
        offset=arguments.get("offset", 0),
        passage_chars=PAGE_CHARS,
    )
    notices = [*arguments.notices, *(for_model(notice.text) for notice in passage.notices)]
    result = {
        "success": True,
        "mode": "read" if around is None else "scroll",
        "about": BACKGROUND,
        "session": _session(passage, context),
        "count": len(passage.messages),
        "messages_before": passage.before,
        "messages_after": passage.after,
        "messages": list(_messages(passage, around, context, is_alone=window == 0)),
    }
    return with_notices(result, notices)


def _messages(passage: Passage, around: int | None, context: Context, *, is_alone: bool) -> Iterator[Result]:
    calls = ALONE_CALL_CHARS if is_alone and around is not None else CALL_CHARS
    for message in passage.messages:
        shown = _message(message, context, session=passage.session.id, call_chars=calls)
        yield shown | {"anchor": True} if message.id == around else shown


def _message(message: Message, context: Context, *, session: str, call_chars: int = CALL_CHARS) -> Result:
    clear = _clear(context, session, message.id)
    rest = f"session_search with session_id {session}, around_message_id {message.id} and window 0"
    return said(
        id=message.id,
        role=message.role,
        text=clear(message.text),
        date=None if message.created_at is None else moment_of(message.created_at, context.zone),
        speaker=message.speaker and clear(message.speaker),
        tool_name=message.tool_name and clear(message.tool_name),
        tool_calls=list(_calls(message.tool_calls, call_chars, rest, clear)) or None,
        state=None if message.state == "active" else message.state,
    )


def _clear(context: Context, session: str, message: int | None = None) -> Clear:
    """Takes out of what was said what tries to steer a model."""
    return lambda text: cleared_message(text, session, message, context)


def _calls(calls: tuple[ToolCall, ...], room: int, rest: str, clear: Clear) -> Iterator[Result]:
    """Calls as long as there is room for what they were given; of the others how many there are."""
    for number, call in enumerate(calls):
        if room <= 0:
            yield {"name": "…", "arguments": f"[cut, {counted(len(calls) - number, 'more call')}: {rest}]"}
            return
        yield {"name": clear(call.name), "arguments": clear(cut_text(call.arguments, room, rest))}
        room -= len(call.arguments) + len(call.name)


def _session(passage: Passage, context: Context) -> Result:
    session, zone = passage.session, context.zone
    clear = _clear(context, session.id)
    return said(
        session_id=session.id,
        title=session.title and clear(session.title),
        source=session.source,
        model=session.model and clear(session.model),
        started_at=moment_of(session.started_at, zone),
        last_active_at=moment_of(session.last_active_at, zone),
        message_count=passage.before + len(passage.messages) + passage.after,
    )


def _browse(arguments: Arguments, context: Context) -> Result:
    limit, offset = min(arguments.get("limit", LISTED), MOST_LISTED), arguments.get("offset", 0)
    page = context.browse(limit=limit, offset=offset, source=arguments.get("source"))
    sessions = [_listed(one, page, context) for one in page.sessions]
    notices = [*arguments.notices, *(for_model(notice.text) for notice in page.notices)]
    result: Result = {
        "success": True,
        "mode": "browse",
        "about": BACKGROUND,
        "count": len(sessions),
        "total": page.total,
        "sessions": sessions,
    }
    if not sessions:
        result["message"] = (
            "There are no conversations here." if not page.total else "There are no further conversations."
        )
    return with_notices(result, notices)


def _listed(session: Session, page: Browse, context: Context) -> Result:
    clear, preview = _clear(context, session.id), page.previews.get(session.id)
    return said(
        session_id=session.id,
        title=session.title and clear(session.title),
        source=session.source,
        model=session.model and clear(session.model),
        started_at=moment_of(session.started_at, context.zone),
        last_active_at=moment_of(page.active.get(session.id, session.last_active_at), context.zone),
        message_count=page.counts.get(session.id),
        preview=clear(preview) if preview else None,
        is_this=True if session.id == context.turn.session else None,
    )


_SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "query": {"type": "string", "maxLength": 4_000, "description": 'Words, a question, a "phrase".'},
        "session_id": {"type": "string", "maxLength": 1_000},
        "around_message_id": {
            "type": "integer",
            "minimum": 1,
            "description": "Without session_id, of this session.",
        },
        "window": {
            "type": "integer",
            "minimum": 0,
            "maximum": MOST_WINDOW,
            "description": "Messages on each side; 5.",
        },
        "offset": {
            "type": "integer",
            "minimum": 0,
            "maximum": LAST_OFFSET,
            "description": "Where to read or list on.",
        },
        "limit": {
            "type": "integer",
            "minimum": 1,
            "maximum": MOST_LISTED,
            "description": "Finds (3, at most 10) or sessions (10).",
        },
        "role_filter": {"type": "array", "items": {"type": "string", "enum": list(ROLES)}},
        "source": {"type": "string", "maxLength": 200, "description": "Only of this program."},
        "since": {"type": "string", "description": "Said then or later: 2026-03-01, last week."},
        "until": {"type": "string", "description": "Said up to then; a day counts whole."},
    },
    "additionalProperties": False,
}

SESSION_SEARCH: Final = Tool(
    name="session_search",
    title="Search past conversations",
    description=(
        "Past conversations in their own words. query: find messages. session_id and around_message_id: read around a message (window 0: it"
        " alone, from character offset). session_id: read from the beginning, or from message offset. None of them: list the latest."
        " Follows up what recall has found; session_id may be an id, its beginning, or a title."
    ),
    schema=_SCHEMA,
    output=schema_of(
        mode={"type": "string", "enum": ["discover", "scroll", "read", "browse"]},
        about={"type": "string"},
        count={"type": "integer"},
        total={"type": "integer"},
        session=_SESSION,
        results={"type": "array", "items": _FOUND},
        messages={"type": "array", "items": _MESSAGE},
        messages_before={"type": "integer"},
        messages_after={"type": "integer"},
        sessions={"type": "array", "items": _SESSION},
        message={"type": "string"},
        notices=NOTICES,
    ),
    is_read_only=True,
    is_destructive=False,
    is_idempotent=True,
    call=answering(_answer, _SCHEMA),
)

"""Claude's data exports as sessions: a conversation is a session, and its messages may branch."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from functools import partial
from typing import Any

import msgspec
from msgspec.structs import replace

from archivist.records import OWNER, Message, Role, Scope, SessionStart
from archivist.transfer.claude_export.content import Result, Words, read_words
from archivist.transfer.claude_export.memories import curated_in, is_noted
from archivist.transfer.containers import Assets, Listing
from archivist.transfer.exports import ExportCodec, Kind
from archivist.transfer.foreign import ForeignMessage, ForeignSession, Replay
from archivist.transfer.pieces import facts, parts_of, text_of
from archivist.transfer.reasons import DAMAGED, EMPTY, IS_ERROR, REPEATED, UNKNOWN_ROLE, Skipped
from archivist.transfer.times import UNKNOWN, parse_time, told_at
from archivist.transfer.trees import Node, Tree

SOURCE = "claude"
ROOT = "00000000-0000-4000-8000-000000000000"
ROLES: dict[str, Role] = {"human": "user", "assistant": "assistant"}
PARAGRAPHS = "\n\n"
"""Between the texts of a message, as the program shows them."""
PROJECTS = "projects.json"
LEFT_OUT = "projects and their documents are no conversations and no notes: they were not taken"


class _Thread(msgspec.Struct, frozen=True):
    """A conversation, judged.

    Attributes:
        told: Its messages by id, parents before their children and else by time.
        known: Those whose time the export has.
        path: The ids of those that the person sees.
    """

    tree: Tree
    first_time: datetime
    told: dict[str, tuple[Role, Words]]
    known: set[str]
    path: set[str]


def _read_session(conversation: dict[str, Any], assets: Assets) -> ForeignSession:
    listed = conversation.get("chat_messages")
    entries = listed if isinstance(listed, list) else []
    messages, skipped = _by_id(entries)
    thread = _read_thread(conversation, messages, skipped)
    if not entries:
        skipped.add(EMPTY)
    key = _text(conversation, "uuid") or f"of-{next(iter(messages), 'nothing')}"
    return ForeignSession(
        start=_start(conversation, key, thread),
        messages=Replay(partial(_messages, key, thread, assets)),
        read=len(entries) or 1,
        skipped=skipped,
    )


def _by_id(entries: list[Any]) -> tuple[dict[str, dict[str, Any]], Skipped]:
    """The messages by their ids, or by their places where they have none, and why others are left out."""
    messages: dict[str, dict[str, Any]] = {}
    skipped = Skipped()
    for number, entry in enumerate(entries):
        if not isinstance(entry, dict):
            skipped.add(DAMAGED)
            continue
        key = _text(entry, "uuid") or f"#{number}"
        if key in messages:
            skipped.add(REPEATED)
        else:
            messages[key] = entry
    return messages, skipped


def _read_thread(
    conversation: dict[str, Any], messages: dict[str, dict[str, Any]], skipped: Skipped
) -> _Thread:
    times = {key: parse_time(message.get("created_at")) for key, message in messages.items()}
    first_time = _first_time(conversation, times)
    tree = Tree(dict(_nodes(messages, times)), first_time)
    told: dict[str, tuple[Role, Words]] = {}
    for key in tree.order:
        role = ROLES.get(str(messages[key].get("sender")))
        words = read_words(key, messages[key])
        if role and (words.speaks or words.results):
            told[key] = role, words
        else:
            skipped.add(EMPTY if role else UNKNOWN_ROLE)
    known = {key for key, time in times.items() if time}
    current = _text(conversation, "current_leaf_message_uuid")
    leaf = current if current in messages else next(tree.leaves(), None)
    return _Thread(tree, first_time, told, known, tree.path_to(leaf))


def _nodes(
    messages: dict[str, dict[str, Any]], times: Mapping[str, datetime | None]
) -> Iterator[tuple[str, Node]]:
    """The messages in their tree: where an export names no parent, each follows the one before it in the list."""
    before: str | None = None
    for key, message in messages.items():
        named = _text(message, "parent_message_uuid")
        yield key, Node(None if named == ROOT else named or before, times[key])
        before = key


def _messages(conversation: str, thread: _Thread, assets: Assets) -> Iterator[ForeignMessage]:
    """What was said, then what tools returned; a message of the export is counted once."""
    for key, (role, words) in thread.told.items():
        client_id = f"{SOURCE}:{conversation}:{key}"
        records = 1
        if words.speaks:
            said = Message(
                role=role,
                text=text_of(words.pieces, PARAGRAPHS),
                parts=words.parts(assets),
                tool_calls=tuple(words.calls),
                reasoning=words.reasoning_json,
            )
            yield ForeignMessage(_complete(said, thread, key, client_id), records)
            records = 0
        for number, result in enumerate(words.results, 1):
            told = _complete(_result(result), thread, key, f"{client_id}#{number}")
            yield ForeignMessage(told, records)
            records = 0


def _result(result: Result) -> Message:
    return Message(
        role="tool",
        text=text_of(result.pieces, PARAGRAPHS),
        parts=parts_of(result.pieces),
        tool_call_id=result.call.id or None,
        tool_name=result.call.name or None,
        metadata={IS_ERROR: result.is_error},
    )


def _complete(message: Message, thread: _Thread, key: str, client_id: str) -> Message:
    return replace(
        message,
        created_at=thread.tree.times[key],
        client_id=client_id,
        state="active" if key in thread.path else "branch",
        metadata=facts(
            [key],
            is_inferred=key not in thread.known,
            is_error=message.metadata.get(IS_ERROR) is True,
        ),
    )


def _start(conversation: dict[str, Any], key: str, thread: _Thread) -> SessionStart:
    project = conversation.get("project")
    named = _text(conversation, "project_uuid") or (
        _text(project, "uuid") if isinstance(project, dict) else None
    )
    return SessionStart(
        source=SOURCE,
        model=_text(conversation, "model"),
        scope=Scope(user=OWNER.user, project=f"{SOURCE}:{named}" if named else None),
        title=_text(conversation, "name"),
        external_id=key,
        started_at=parse_time(conversation.get("created_at")) or thread.first_time,
        metadata=told_at(
            parse_time(conversation.get("updated_at")), *(thread.tree.times[key] for key in thread.known)
        ),
    )


def _first_time(conversation: dict[str, Any], times: Mapping[str, datetime | None]) -> datetime:
    """A time that is the same in every later export: that of the earliest message, else the conversation's own."""
    known = [time for time in times.values() if time]
    own = (parse_time(conversation.get(name)) for name in ("created_at", "updated_at"))
    return min(known) if known else next((time for time in own if time), UNKNOWN)


def _text(fields: dict[str, Any], name: str) -> str | None:
    value = fields.get(name)
    return value.strip() or None if isinstance(value, str) else None


def _notices(listing: Listing) -> dict[str, int]:
    held = {member.base for member in listing.members}
    return {LEFT_OUT: 1} if PROJECTS in held else {}


class ClaudeExport(ExportCodec):
    """The codec: conversations are lists of messages, which may name their parents."""

    kind = Kind(
        SOURCE, "Claude", "chat_messages", _read_session, _notices, curated=curated_in, is_noted=is_noted
    )

"""ChatGPT's data exports as sessions: a conversation is a session, a node of it a message or counted."""

import re
from collections.abc import Iterator
from functools import partial
from typing import Any

from archivist.records import OWNER, Scope, SessionStart
from archivist.transfer.chatgpt.content import fields_of
from archivist.transfer.chatgpt.standing import curated_of, standing_in
from archivist.transfer.chatgpt.thread import SOURCE, Thread, read_thread
from archivist.transfer.containers import Assets
from archivist.transfer.exports import ExportCodec, Kind
from archivist.transfer.foreign import ForeignMessage, ForeignSession, Replay
from archivist.transfer.times import parse_time, told_at

PROJECT = re.compile("g-p-[0-9A-Za-z]+")
"""A project's id; other custom assistants have ids of another form."""


def _read_session(conversation: dict[str, Any], assets: Assets) -> ForeignSession:
    thread = read_thread(conversation)
    key = _id_of(conversation, thread)
    return ForeignSession(
        start=_start(conversation, thread, key),
        messages=Replay(partial(_messages, key, thread, assets)),
        read=len(thread.nodes),
        skipped=+thread.skipped,
    )


def _messages(key: str, thread: Thread, assets: Assets) -> Iterator[ForeignMessage]:
    for turn in thread.turns:
        yield ForeignMessage(thread.message(key, turn, assets), 1 + len(turn.thoughts))


def _start(conversation: dict[str, Any], thread: Thread, key: str) -> SessionStart:
    assistant = _text(conversation, "gizmo_id") or _text(conversation, "conversation_template_id")
    project = PROJECT.match(assistant or "")
    return SessionStart(
        source=SOURCE,
        model=_text(conversation, "default_model_slug") or _last_model(thread),
        scope=Scope(user=OWNER.user, project=f"{SOURCE}:{project.group()}" if project else None),
        title=_text(conversation, "title"),
        external_id=key,
        started_at=parse_time(conversation.get("create_time")) or thread.first_time,
        archived=conversation.get("is_archived") is True,
        metadata=({"gizmo_id": assistant} if assistant else {})
        | told_at(parse_time(conversation.get("update_time")), *thread.times.values()),
    )


def _id_of(conversation: dict[str, Any], thread: Thread) -> str:
    """The conversation's id; where it has none, that of its first node, which stays."""
    own = _text(conversation, "conversation_id") or _text(conversation, "id")
    return own or f"of-{next(iter(thread.tree.order), 'nothing')}"


def _last_model(thread: Thread) -> str | None:
    models = (
        fields_of(thread.nodes[turn.key]["message"], "metadata").get("model_slug")
        for turn in reversed(thread.turns)
        if turn.role == "assistant"
    )
    return next((model for model in models if isinstance(model, str) and model), None)


def _text(conversation: dict[str, Any], name: str) -> str | None:
    value = conversation.get(name)
    return value.strip() or None if isinstance(value, str) else None


class ChatGpt(ExportCodec):
    """The codec: conversations are trees."""

    kind = Kind(SOURCE, "ChatGPT", "mapping", _read_session, standing=standing_in, curated=curated_of)

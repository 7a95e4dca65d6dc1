"""A session, what it used, and how one is begun.

A conversation is what a person sees and continues; its id is the root session's. A session is one stretch of it with one frozen
prompt: a compaction ends a session and begins a child of it.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Literal

import msgspec

from archivist.records.messages import no_metadata
from archivist.records.scopes import OWNER, Scope

Link = Literal["compaction", "fork", "branch", "subagent"]
"""How a child session came from its parent."""

TitleOrigin = Literal["given", "source", "derived"]
"""Who made a title: the owner, the program that it comes from, or Archivist from what was said. The first of these stays."""


class SessionStart(msgspec.Struct, frozen=True):
    """What is known when a session begins.

    Attributes:
        source: The program that it comes from: "cli", "claude-code", "hermes", …
        external_id: The source's own id; with `source` it names the session for ever, so that a second import finds it.
        parent_id: The session that this one continues, by our id, with `link` saying how.
        prompt: The frozen system prompt, as sent.
        own_id: Archivist's own id, where an export of Archivist's names it; the session is found again by it.
        title_origin: Who made the title; for a source's session the source where unset, else the owner.
        archived: Whether the owner has put it away.
        pinned: Whether the owner wants it kept whatever is pruned.
    """

    source: str
    model: str | None = None
    scope: Scope = OWNER
    cwd: str | None = None
    title: str | None = None
    external_id: str | None = None
    parent_id: str | None = None
    link: Link | None = None
    started_at: datetime | None = None
    ended_at: datetime | None = None
    end_reason: str | None = None
    prompt: str | None = None
    metadata: Mapping[str, Any] = msgspec.field(default_factory=no_metadata)
    own_id: str | None = None
    title_origin: TitleOrigin | None = None
    archived: bool = False
    pinned: bool = False


class Session(msgspec.Struct, frozen=True):
    """A stored session.

    Attributes:
        conversation_id: The root session's id.
        last_active_at: When its newest message was said.
        message_count: Rows of every state.
        prompt_digest: SHA-256 in hex of the frozen prompt, None without one.
        title_origin: Who made the title; None without one.
        archived_at: When its owner put it away; None while it is listed.
        pinned: Whether it is kept whatever is pruned.
        fork_message: Of a fork, the last message that it shares with its parent.
    """

    id: str
    conversation_id: str
    source: str
    scope: Scope
    started_at: datetime
    last_active_at: datetime
    message_count: int
    model: str | None = None
    cwd: str | None = None
    title: str | None = None
    external_id: str | None = None
    parent_id: str | None = None
    link: Link | None = None
    ended_at: datetime | None = None
    end_reason: str | None = None
    prompt: str | None = None
    prompt_digest: str | None = None
    metadata: Mapping[str, Any] = msgspec.field(default_factory=no_metadata)
    title_origin: TitleOrigin | None = None
    archived_at: datetime | None = None
    pinned: bool = False
    fork_message: int | None = None


class Relative(msgspec.Struct, frozen=True):
    """A session beside the one that is read: of its line, or begun from it.

    Attributes:
        link: How it came from its parent; None for a root.
        message_count: Rows of every state that are its own.
        is_undone: Whether an undo took it back.
    """

    id: str
    link: Link | None
    title: str | None
    started_at: datetime
    message_count: int
    is_undone: bool = False


class Undone(msgspec.Struct, frozen=True):
    """What was taken back, or would be.

    Attributes:
        key: The undo's; None where it was only asked for.
        session_id: The session in which the conversation goes on.
        message_id: What the user said, the first message that was taken back.
        messages: How many messages were taken back.
        text: What the user said, to edit it and send it again.
    """

    key: int | None
    session_id: str
    conversation_id: str
    message_id: int
    messages: int
    text: str


class Redone(msgspec.Struct, frozen=True):
    """What was given back.

    Attributes:
        key: The undo that was taken back.
        session_id: The session in which the conversation goes on.
        messages: How many messages have their former state again.
    """

    key: int
    session_id: str
    conversation_id: str
    messages: int


class Usage(msgspec.Struct, frozen=True):
    """Tokens of one request, or of several added up.

    Attributes:
        model: The model's name as the provider gives it.
        request_id: The request, where known: counted once however often it is reported.
        cost_usd: As the source states it; 0 where it does not.
    """

    model: str
    request_id: str = ""
    requests: int = 1
    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_write: int = 0
    reasoning: int = 0
    cost_usd: float = 0.0

"""Whose a Hermes session is, what it used, and which session it goes on from."""

from collections.abc import Iterable, Mapping, Sequence
from math import isfinite
from typing import Any

import msgspec

from archivist.records import Link, Scope, SessionStart, Usage
from archivist.transfer.gateways import (
    OWN_CLIENTS,
    PRIVATE,
    Whose,
    by_key,
    private,
    rest_of,
    unknown,
)
from archivist.transfer.hermes.rows import USAGE_COLUMNS, SessionRow
from archivist.transfer.times import UNKNOWN, parse_time
from archivist.transfer.trees import parents_first

SOURCE = "hermes"
DELEGATES = ("delegate", "delegation", "subagent")
LOCAL = OWN_CLIENTS | {
    "",
    "acp",
    "api",
    "api_server",
    "cron",
    "desktop",
    "local",
    "tool",
    "web",
    "webui",
    "webhook",
}
"""Sources of sessions that no gateway brought."""

UNATTENDED = {"cron": "cron", "webhook": "hook", "heartbeat": "heartbeat"}
SPLIT = "compression"
SPLIT_SECONDS = 60.0
"""The child of a split begins when its parent ends; another child of that parent is a branch of it."""


class Lineage(msgspec.Struct, frozen=True):
    """Where a session stands; `parent` is a session that exists and does not descend from it."""

    row: SessionRow
    parent: str | None = None
    link: Link | None = None
    was_detached: bool = False


def lineages(rows: Sequence[SessionRow]) -> list[Lineage]:
    """Sessions with their parents, parents first; a missing or circular parent is let go."""
    known: dict[str, SessionRow] = {str(row["id"]): row for row in rows}
    parents = {key: row["parent_session_id"] or None for key, row in known.items()}
    order, let_go = parents_first(parents)
    return [_lineage(key, None if key in let_go else parents[key], known) for key in order]


def whose(listed: Sequence[Lineage]) -> dict[str, Whose]:
    """Whose each session is; one that says nothing of it, and a sub-agent's, is whose that of its parent is.

    Args:
        listed: Every session, parents first.
    """
    found: dict[str, Whose] = {}
    for lineage in listed:
        row = lineage.row
        above = found.get(lineage.parent or "")
        own = None if _is_delegate(row) else _by_columns(row)
        found[str(row["id"])] = own or above or _by_source(row)
    return found


def _by_columns(row: SessionRow) -> Whose | None:
    """By the kind of chat, else by the key, else by the ids; None where a session has none of them."""
    session, channel = _name(row), _source(row)
    chat_type, chat, person = (
        (row["chat_type"] or "").lower(),
        row["chat_id"],
        row["user_id"] or row["chat_id"],
    )
    keyed = None if chat_type else by_key(rest_of(row["session_key"]), channel)
    if chat_type in PRIVATE:
        return private(channel, person, session) if person else unknown(session)
    if chat_type or (keyed and keyed.kind == "group") or chat not in {None, row["user_id"]}:
        return Whose("group", chat or (keyed.chat if keyed else session))
    return private(channel, person, session) if person else keyed


def _by_source(row: SessionRow) -> Whose:
    """Only what is known to be spoken with at the machine itself is local."""
    session = _name(row)
    return Whose("local", session) if _source(row) in LOCAL and not _is_delegate(row) else unknown(session)


def _name(row: SessionRow) -> str:
    return str(row["session_key"] or row["id"])


def _source(row: SessionRow) -> str:
    return (row["source"] or "").lower()


def _is_delegate(row: SessionRow) -> bool:
    return _source(row).startswith(DELEGATES)


def speaker_of(row: SessionRow, scope: Scope) -> str | None:
    """Who speaks in a group whose sessions are one person's each."""
    return row["user_id"] if scope.chat else None


def start_of(lineage: Lineage, profile: str | None, scope: Scope, prompt: str | None) -> SessionStart:
    """The session's beginning."""
    row = lineage.row
    known = {
        "platform": row["source"],
        "profile": row["profile_name"] or profile,
        "chat_type": row["chat_type"],
        "thread_id": row["thread_id"],
        "display_name": row["display_name"],
        "session_key": row["session_key"],
        "user_id": row["user_id"],
        "git_branch": row["git_branch"],
        "git_repo_root": row["git_repo_root"],
        "unattended": _unattended(row),
    }
    return SessionStart(
        source=SOURCE,
        model=row["model"],
        scope=scope,
        cwd=row["cwd"],
        title=row["title"],
        external_id=external_id(str(row["id"]), profile),
        link=lineage.link,
        started_at=parse_time(row["started_at"]) or UNKNOWN,
        ended_at=parse_time(row["ended_at"]),
        end_reason=row["end_reason"],
        prompt=prompt,
        archived=bool(row["archived"]),
        metadata={name: value for name, value in known.items() if value},
    )


def external_id(session_id: str, profile: str | None) -> str:
    """The session's id; a profile's name stands before its own, for profiles may be copies of each other."""
    return f"{profile}/{session_id}" if profile else session_id


def usage_of(row: SessionRow, rows: Iterable[tuple[Any, ...]]) -> list[Usage]:
    """Tokens per model and task, the session's own columns where there is no such table."""
    used = [dict(zip(USAGE_COLUMNS, values, strict=True)) for values in rows]
    added: dict[tuple[str, str], Usage] = {}
    for one in used or [row]:
        usage = _usage(one, row["model"])
        key = (usage.model, usage.request_id)
        added[key] = _sum(added[key], usage) if key in added else usage
    return [
        usage for usage in added.values() if usage.input or usage.output or usage.cache_read or usage.cost_usd
    ]


def _usage(columns: Mapping[str, Any], model: str | None) -> Usage:
    def number(name: str) -> int:
        value = columns.get(name)
        return int(value) if isinstance(value, int | float) and isfinite(value) else 0

    cost = columns.get("actual_cost_usd") or columns.get("estimated_cost_usd")
    return Usage(
        model=str(columns.get("model") or model or "unknown"),
        request_id=str(columns.get("task") or "conversation"),
        requests=number("api_call_count"),
        input=number("input_tokens"),
        output=number("output_tokens"),
        cache_read=number("cache_read_tokens"),
        cache_write=number("cache_write_tokens"),
        reasoning=number("reasoning_tokens"),
        cost_usd=float(cost) if isinstance(cost, int | float) and isfinite(cost) else 0.0,
    )


def _sum(one: Usage, other: Usage) -> Usage:
    return Usage(
        model=one.model,
        request_id=one.request_id,
        requests=one.requests + other.requests,
        input=one.input + other.input,
        output=one.output + other.output,
        cache_read=one.cache_read + other.cache_read,
        cache_write=one.cache_write + other.cache_write,
        reasoning=one.reasoning + other.reasoning,
        cost_usd=one.cost_usd + other.cost_usd,
    )


def _lineage(session: str, parent: str | None, known: Mapping[str, SessionRow]) -> Lineage:
    row = known[session]
    was_detached = bool(row["parent_session_id"]) and parent is None
    return Lineage(row, parent, _link(row, known[parent]) if parent else None, was_detached)


def _link(row: SessionRow, parent: SessionRow) -> Link:
    if _is_delegate(row):
        return "subagent"
    ended, started = parent["ended_at"], row["started_at"]
    is_next = ended is None or started is None or abs(started - ended) <= SPLIT_SECONDS
    return "compaction" if parent["end_reason"] == SPLIT and is_next else "branch"


def _unattended(row: SessionRow) -> str | None:
    """What made a run that nobody asked for."""
    if str(row["id"]).startswith("cron_"):
        return "cron"
    return UNATTENDED.get(_source(row))

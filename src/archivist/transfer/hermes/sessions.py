"""Whose a Hermes session is, what it used, and which session it goes on from."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

from archivist.records import OWNER, Link, Scope, SessionStart, Usage
from archivist.transfer.hermes.rows import USAGE_COLUMNS, SessionRow
from archivist.transfer.times import UNKNOWN, parse_time

SOURCE = "hermes"
PRIVATE_CHATS = frozenset({"private", "dm", "direct", "direct_message", "im"})
DELEGATES = ("delegate", "delegation", "subagent")
SPLIT = "compression"
SPLIT_SECONDS = 60.0
"""The child of a split begins when its parent ends; another child of that parent is a branch of it."""


@dataclass(frozen=True, slots=True)
class Lineage:
    """Where a session stands; `parent` is a session that exists and does not descend from it."""

    row: SessionRow
    parent: str | None = None
    link: Link | None = None
    was_detached: bool = False


def lineages(rows: Sequence[SessionRow]) -> list[Lineage]:
    """Sessions with their parents, parents first; a missing or circular parent is let go."""
    known: dict[str, SessionRow] = {str(row["id"]): row for row in rows}
    parents = {key: _parent(row, known) for key, row in known.items()}
    placed: dict[str, Lineage] = {}
    for key in known:
        chain: list[str] = []
        at: str | None = key
        while at is not None and at not in placed and at not in chain:
            chain.append(at)
            at = parents[at]
        if at in chain:  # a circle: the session that closes it lets its parent go
            parents[chain[-1]] = None
        for session in reversed(chain):
            placed[session] = _lineage(session, parents[session], known)
    return list(placed.values())


Correspondent = tuple[str, str]
"""A platform and the id of a person on it."""


def owners_among(rows: Sequence[SessionRow], named: frozenset[str] | None) -> set[Correspondent]:
    """The correspondents that are the owner.

    Args:
        rows: Every session.
        named: The owner's ids, where they are known. Else an agent with one correspondent on a platform is taken for that
            person's own; where there are several nobody is.
    """
    private = {found for row in rows if (found := _correspondent(row)) is not None}
    if named is not None:
        return {found for found in private if found[1] in named}
    alone = Counter(platform for platform, _ in private)
    return {found for found in private if alone[found[0]] == 1}


def scope_of(
    row: SessionRow, project_of: Callable[[str], str | None], owners: Collection[Correspondent]
) -> Scope:
    """The owner's at their own machine; through a gateway the sender's or, in a group, the chat's."""
    project = project_of(row["cwd"]) if row["cwd"] else None
    if _is_private(row):
        found = _correspondent(row)
        user = OWNER.user if found is None or found in owners else found[1]
        return Scope(user=user, project=project)
    return Scope(chat=row["chat_id"] or row["session_key"] or row["id"], project=project)


def _is_private(row: SessionRow) -> bool:
    chat_type = (row["chat_type"] or "").lower()
    return chat_type in PRIVATE_CHATS or (not chat_type and row["chat_id"] in {None, row["user_id"]})


def _correspondent(row: SessionRow) -> Correspondent | None:
    """Who speaks with the agent in a private chat through a gateway."""
    person = row["user_id"] or row["chat_id"]
    return (row["source"] or "", person) if person and _is_private(row) else None


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
        "cron": _is_cron(row),
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
    told = [dict(zip(USAGE_COLUMNS, values, strict=True)) for values in rows]
    added: dict[tuple[str, str], Usage] = {}
    for one in told or [row]:
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
        cost_usd=float(cost) if isinstance(cost, int | float) else 0.0,
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


def _parent(row: SessionRow, known: Mapping[str, SessionRow]) -> str | None:
    parent = row["parent_session_id"]
    return parent if parent in known else None


def _lineage(session: str, parent: str | None, known: Mapping[str, SessionRow]) -> Lineage:
    row = known[session]
    was_detached = bool(row["parent_session_id"]) and parent is None
    return Lineage(row, parent, _link(row, known[parent]) if parent else None, was_detached)


def _link(row: SessionRow, parent: SessionRow) -> Link:
    if (row["source"] or "").lower().startswith(DELEGATES):
        return "subagent"
    ended, started = parent["ended_at"], row["started_at"]
    is_next = ended is None or started is None or abs(started - ended) <= SPLIT_SECONDS
    return "compaction" if parent["end_reason"] == SPLIT and is_next else "branch"


def _is_cron(row: SessionRow) -> bool:
    return row["source"] == "cron" or str(row["id"]).startswith("cron_")

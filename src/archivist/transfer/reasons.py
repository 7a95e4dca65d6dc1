"""The words of a report and the keys of metadata that all codecs share, so that the same thing is called the same everywhere.

docs/importing.md lists them, and a test compares the two.
"""

from collections import Counter
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

TOO_LONG: Final = "line over 64 MB"
INVALID: Final = "invalid JSON"
TORN: Final = "torn line"
DAMAGED: Final = "damaged record"
UNKNOWN_TYPE: Final = "unknown line type: "
OTHERS: Final = "unknown line type: others"
UNKNOWN_ROLE: Final = "unknown role"
BOOKKEEPING: Final = "bookkeeping: "
BY_PROGRAM: Final = "written by the program: "
NOTHING_LEFT: Final = "nothing left after the program's own words"
EMPTY: Final = "empty message"
SUMMARY: Final = "compaction summary"
LONE_REASONING: Final = "reasoning without an answer after it"
REPEATED: Final = "repeated in the source"
IN_ORIGIN: Final = "already in the session it came from"
NO_ID: Final = "message without an id"
NO_SESSION: Final = "belongs to a session that the file does not tell of"
HELD_BACK: Final = "held back: the response is still being written"

FLAWS: Final = frozenset({TOO_LONG, INVALID, TORN, DAMAGED})
"""Reasons that say that something was lost before it came here."""

REPLACED_BYTES: Final = "bytes that were no UTF-8 were replaced in a line"
OWNER_TOO_LATE: Final = (
    "sessions that were here before stay whose they are, whoever is named as the owner:"
    " import into a home or profile of its own to have it otherwise"
)
"""Notices."""

REASONS: Final[Mapping[str, str]] = MappingProxyType(
    {
        TOO_LONG: "a line of a size that no message has",
        INVALID: "a record that is no JSON",
        TORN: "the last line of a file, cut off while it was written",
        DAMAGED: "a record that is JSON, but not what it should be",
        UNKNOWN_TYPE: "a kind of record that is not known here, named behind it",
        UNKNOWN_ROLE: "a message of nobody that is known",
        BOOKKEEPING: "what a program notes for itself, named behind it",
        BY_PROGRAM: "not said by anyone: hidden, instructions, context, events, named behind it",
        NOTHING_LEFT: "a message that was all the program's",
        EMPTY: "a message that says nothing",
        SUMMARY: "stands for messages that are there themselves",
        LONE_REASONING: "what was thought and never said",
        REPEATED: "told twice in one source; stored once",
        IN_ORIGIN: "a fork's copy of what its origin said; stored there",
        NO_ID: "a message that could not be known again",
        NO_SESSION: "a message whose session is missing from an export of Archivist's own",
        HELD_BACK: "not finished; the next import takes it",
    }
)
"""Why a record is part of no message; those that end with a space go on with a name."""

TIME, BY, IS_ERROR, SOURCE_IDS = "time", "by", "is_error", "source_ids"
REQUEST_ID, REASONING_IDS, PHASE = "request_id", "reasoning_ids", "phase"
KEPT_ELSEWHERE: Final = "kept_elsewhere"
BY_AGENT: Final = "agent"
INFERRED: Final = "inferred"

MESSAGE_KEYS: Final[Mapping[str, str]] = MappingProxyType(
    {
        SOURCE_IDS: "the source's own ids of the records that the message was made of",
        TIME: "`inferred` where the source has no time for it",
        BY: "`agent` where an agent wrote what stands in a person's place: a prompt to a sub-agent",
        IS_ERROR: "true for a result that says that the tool failed",
        KEPT_ELSEWHERE: "true for a result of Archivist's own tools: what it said is in the memory already, and not told again",
        REQUEST_ID: "Claude Code: the request that the answer came from",
        REASONING_IDS: "ChatGPT: the nodes that the reasoning was made of",
        PHASE: "Codex: the part of the turn that the answer belongs to",
        "platform": "where it was written: `telegram`, `slack`, …",
        "platform_message_id": "the platform's id of it",
        "sender_id": "OpenClaw: the platform's id of who wrote it",
        "sender_name": "OpenClaw: the name of who wrote it",
        "chat": "OpenClaw: the group that it was written in",
        "observed": "Hermes: true for what was said in a group and not to the agent",
        "silent": "OpenClaw: true for an answer that says that there is nothing to say",
        "kind": "OpenClaw: `daily-note` for an entry of a dated note",
        "heading": "OpenClaw: what stands above the entry of a dated note",
    }
)
SESSION_KEYS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "path": "the file",
        "version": "of the program that wrote it",
        "git_branch": "the branch of its repository",
        "originator": "Codex: what started it",
        "agent_id": "Claude Code: the sub-agent",
        "agent_type": "Letta: such as `sleeptime_agent`",
        "gizmo_id": "ChatGPT: the custom assistant or project",
        "told_at": "exports: how new the telling is; an older one, imported later, moves nothing",
        "git_repo_root": "Hermes: the folder of its repository",
        "agent": "OpenClaw: the agent that was spoken with",
        "profile": "Hermes, OpenClaw: the profile that it is of",
        "session_key": "Hermes, OpenClaw: the key under which it was spoken",
        "platform": "Hermes, OpenClaw: where it was spoken: `telegram`, `cli`, …",
        "chat_type": "Hermes, OpenClaw: the kind of chat",
        "user_id": "Hermes, OpenClaw: the platform's id of who wrote",
        "thread_id": "Hermes: the thread of the chat",
        "display_name": "Hermes: what the chat is called",
        "unattended": "Hermes, OpenClaw: what began a run that nobody asked for: `cron`, `hook`, `heartbeat`, `dreaming`",
        "put_away": "OpenClaw: `reset`, `cold` or `deleted` where its transcript was put away",
        "kind": "OpenClaw: `daily-note` for a dated note",
    }
)

MOST_REASONS: Final = 64


class Skipped(Counter[str]):
    """Reasons and counts in the making; a source that invents names without end ends as "others"."""

    def add(self, reason: str, count: int = 1) -> None:
        """Count records."""
        if count:
            is_known = reason in self or len(self) < MOST_REASONS
            self[reason if is_known else OTHERS] += count

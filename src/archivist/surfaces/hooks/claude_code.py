"""Claude Code's words for events, as it sends them on standard input, and for answers, as it takes them on standard output."""

import json

from archivist.surfaces.hooks.event import Answer, Event, NotUnderstood

HOST = "claude-code"
TELLS_MODEL = ("SessionStart", "UserPromptSubmit")
"""Events whose answers may carry something for the model."""
SHOWS_MESSAGES = ("SessionStart", "UserPromptSubmit", "PreCompact", "Stop", "SubagentStop")
"""Events at which a message reaches the person; of others what is said on standard error stands in the host's log."""
LONGEST_NAME = 200


def read_event(named: str, payload: bytes) -> Event:
    """The event that a host sent.

    Args:
        named: The event for which the hook was called; what the host says itself counts more.
        payload: What it sent.

    Raises:
        NotUnderstood: It is no JSON object, or names no session.
    """
    try:
        values = json.loads(payload)
    except (ValueError, RecursionError) as error:
        raise NotUnderstood(f"the host sent no JSON ({str(error)[:80]})") from error
    if not isinstance(values, dict):
        raise NotUnderstood("the host sent no JSON object")
    name, session = _text(values, "hook_event_name") or named, _text(values, "session_id")
    if session is None or len(session) > LONGEST_NAME:
        raise NotUnderstood("the host named no session")
    return Event(
        HOST,
        name,
        session,
        cwd=_path(values, "cwd"),
        transcript=_path(values, "transcript_path"),
        agent_transcript=_path(values, "agent_transcript_path"),
        trigger=_text(values, "source") or _text(values, "trigger") or _text(values, "reason"),
        model=_text(values, "model"),
        prompt=_text(values, "prompt"),
    )


def written(name: str, answer: Answer) -> bytes:
    """An answer to an event as the host reads it; empty where there is nothing to say."""
    told: dict[str, object] = {}
    if answer.context and name in TELLS_MODEL:
        told["hookSpecificOutput"] = {"hookEventName": name, "additionalContext": answer.context}
    if answer.message and name in SHOWS_MESSAGES:
        told["systemMessage"] = answer.message
    if answer.refusal and name == "PreCompact":
        told |= {"decision": "block", "reason": answer.refusal}
    return json.dumps(told).encode() if told else b""


def _text(values: dict[str, object], name: str) -> str | None:
    """A field that holds a text, without what no text may hold; None where it is missing, empty, or something else."""
    value = values.get(name)
    if not isinstance(value, str) or not value:
        return None
    return value.encode("utf-8", "replace").decode("utf-8")


def _path(values: dict[str, object], name: str) -> str | None:
    """A field that holds the path of something."""
    path = _text(values, name)
    return None if path is None or "\0" in path else path

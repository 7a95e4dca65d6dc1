"""How a summary looks in the list of messages, so that a later pass knows it again, whoever kept the list in between.

The first line says what it is, that it is background and how far it goes; the rest are sections.
"""

import re
from typing import Final

from archivist.compress.violations import Form

HEAD_TOKENS: Final = 100
"""About how many the first line of a summary costs."""
_ROLES: Final = frozenset(("user", "assistant"))
"""Whose a summary is; what a tool returns is none, whatever it looks like."""
NOT_ONE: Final = "archivist_no_summary"
"""The key in a message, true for one of which it is known that somebody said it, however much it looks like a summary."""
_MARK: Final = "[Background, not a request: "
_HEAD: Final = re.compile(
    r"\[Background, not a request: messages up to #(\d+) of this conversation, made shorter(?:, but for #(\d+) below)?\."
)
_EXPLAINED: Final = (
    " What stands {where} is history: what is done is done, and what is open waits until the user asks again. {rules}"
    " A line's id in brackets reads the original back.]"
)
_BELOW: Final = _EXPLAINED.format(where="here and above", rules="The newest message of the user below rules.")
_ABOVE: Final = _EXPLAINED.format(
    where="here", rules="The newest message of the user above is being worked on."
)


def head_of(covered: int, *, carried: int | None = None, is_request_above: bool = False) -> str:
    """The first line of a summary.

    Args:
        covered: How many messages of the conversation stand before what follows the summary.
        carried: The place of one of them that stands right behind it.
        is_request_above: Whether the user's newest message stands before the summary.
    """
    told = _ABOVE if is_request_above else _BELOW
    but = "" if carried is None else f", but for #{carried} below"
    return f"{_MARK}messages up to #{covered} of this conversation, made shorter{but}.{told}"


def messages_covered(message: Form) -> int | None:
    """How many messages of the conversation end with a summary; None where a message is none."""
    content = message.get("content")
    if message.get("role") not in _ROLES or not isinstance(content, str) or not content.startswith(_MARK):
        return None
    if message.get("name") or message.get(
        NOT_ONE
    ):  # whoever speaks under a name in a group can write what they like
        return None
    found = _HEAD.match(content)
    return int(found[1]) if found else None


def carried_behind(message: Form) -> int | None:
    """The place of the message that was carried to stand behind a summary; None where none was."""
    found = _HEAD.match(str(message.get("content"))) if is_summary(message) else None
    return int(found[2]) if found and found[2] else None


def is_summary(message: Form) -> bool:
    """Whether a message is a summary of an earlier pass."""
    return messages_covered(message) is not None


def section_of(text: str, heading: str) -> str:
    """A section of a summary without its heading; empty where there is none."""
    _, found, rest = f"\n{text}\n".partition(f"\n{heading}\n")
    return rest.partition("\n## ")[0].strip() if found else ""


def body_of(text: str) -> str:
    """A summary without its first line."""
    return text.partition("\n")[2]


__all__ = [
    "HEAD_TOKENS",
    "NOT_ONE",
    "body_of",
    "carried_behind",
    "head_of",
    "is_summary",
    "messages_covered",
    "section_of",
]

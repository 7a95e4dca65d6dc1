"""What the program put around a message that came through a channel.

It writes who spoke, where and when in front of the words, in one of several forms: a line in brackets, or a heading with a block of
JSON. They are taken off and told as fields. A block that is not closed stays, for then nobody can tell where the words begin.
"""

import re
from dataclasses import dataclass, replace
from typing import Any

from archivist.transfer.json_text import NotJson, decode_leniently
from archivist.transfer.wrappers import person_words

MARKER = "\u27e6openclaw:ctx\u27e7"
CHANNELS = (
    "BlueBubbles", "Discord", "Feishu", "Google Chat", "iMessage", "IRC", "Lark", "LINE", "Matrix", "Mattermost",
    "Microsoft Teams", "MSTeams", "Nextcloud Talk", "Nostr", "Signal", "Slack", "SMS", "Teams", "Telegram", "Tlon", "Twitch",
    "WebChat", "WhatsApp", "Zalo Personal", "Zalo",
)  # fmt: skip
CHANNEL = re.compile(rf"(?:{'|'.join(sorted(CHANNELS, key=len, reverse=True))})(?=\s|$)")
HEADING = re.compile(
    rf"[^\n`]{{1,80}}?(?:\(untrusted[^)\n]{{0,80}}\):|{MARKER})[ \t]*(?:\r?\n|\Z)", re.IGNORECASE
)
FENCE = re.compile(r"[ \t]*```json[ \t]*\r?\n(.*?)^[ \t]*```[ \t]*\r?(?:\n|\Z)", re.DOTALL | re.MULTILINE)
BRACKET = re.compile(r"\[([^\]\n]{1,300})\][ \t]*")
WHEN = re.compile(r"(?:^|\s)(?:[A-Z][a-z]{2} )?\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2})?Z?(?: [^\s\]]+)?$")
WEEKDAY_FIRST = re.compile(r"[A-Z][a-z]{2} \d{4}-")
SENDER_ID = re.compile(r"(?:^|\s)id:(\S+)")
ROOM = re.compile(r"(?:^|\s)(#\S+)")
ELAPSED = re.compile(r"(?:^|\s)\+\d+[smhd](?=\s|$)")
MESSAGE_ID = re.compile(r"^[ \t]*\[message_id:([^\]\n]{1,200})\][ \t]*(?:\r?\n|\Z)", re.MULTILINE)
FROM_LINE = re.compile(r"^[ \t]*\[from:([^\]\n]{1,200})\][ \t]*(?:\r?\n|\Z)", re.MULTILINE)
NAMED_BEFORE = re.compile(r"([^\n:]{1,64}): ")
RECALLED = re.compile(r"^Context:[ \t]*\r?\n(?=[ \t]*<active_memory_plugin>)", re.MULTILINE)
"""The line above recalled memory, which is between tags."""
BEHIND = re.compile(
    rf"(?:\A|\n)[ \t]*(?:Context: {MARKER}|Untrusted context \(metadata[^)\n]{{0,80}}\):)[ \t]*(?:\r?\n.*)?\Z",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Opened:
    """A message without its envelope.

    Attributes:
        text: The words.
        sender: The name of who spoke.
        chat: The group, as the envelope names it.
    """

    text: str
    channel: str | None = None
    sender_id: str | None = None
    sender: str | None = None
    message_id: str | None = None
    chat: str | None = None
    is_group: bool = False


def open_envelope(text: str, *, in_group: bool = False) -> Opened:
    """The words of a person, and what the envelope says of them.

    Args:
        text: What the program wrote in their name.
        in_group: Whether it is known to have been said in a group.
    """
    found = Opened(text)
    position = 0
    while True:
        start = position
        while start < len(text) and text[start].isspace():
            start += 1
        step = _heading(text, start, found) or _bracket(text, start, found)
        if step is None:
            break
        position, found = step
    rest = text[position:].lstrip() if position else text
    rest, found = _without_lines(rest, found)
    if in_group and _is_group_id(found.sender_id):
        rest, found = _named_before(rest, found)
    return replace(found, text=person_words(rest))


def _without_lines(text: str, found: Opened) -> tuple[str, Opened]:
    """Without the lines behind the words that name the message and its sender, and what was recalled for the model."""
    rest = text
    if "[message_id:" in rest:
        ids = MESSAGE_ID.findall(rest)
        rest = MESSAGE_ID.sub("", rest)
        found = replace(found, message_id=found.message_id or (ids[-1].strip() if ids else None))
    if "[from:" in rest:
        names = FROM_LINE.findall(rest)
        rest = FROM_LINE.sub("", rest)
        found = replace(found, sender=found.sender or (names[-1].strip() if names else None))
    if "<active_memory_plugin>" in rest:
        rest = RECALLED.sub("", rest)
    if MARKER in rest or "Untrusted context" in rest:
        rest = BEHIND.sub("", rest)
    return (rest if rest == text else rest.strip()), found


def _named_before(text: str, found: Opened) -> tuple[str, Opened]:
    """In a group whose envelope names the group, the speaker's name stands before the words."""
    named = NAMED_BEFORE.match(text)
    name = named.group(1) if named else None
    told = replace(found, chat=found.sender_id, sender_id=None, sender=name, is_group=True)
    return (text[named.end() :] if named else text), told


def _is_group_id(key: str | None) -> bool:
    return key is not None and (key.startswith("-") or key.endswith("@g.us"))


def _heading(text: str, start: int, found: Opened) -> tuple[int, Opened] | None:
    heading = HEADING.match(text, start)
    if heading is None:
        return None
    fence = FENCE.match(text, heading.end())
    if fence is not None:
        return fence.end(), _with_json(fence.group(1), found)
    end = heading.end()
    if text.startswith("```", end):
        return None
    while end < len(text):  # prose, up to an empty line
        newline = text.find("\n", end)
        if newline < 0:
            return None
        if not text[end:newline].strip():
            return newline + 1, found
        end = newline + 1
    return None


def _with_json(block: str, found: Opened) -> Opened:
    try:
        value = decode_leniently(block)
    except NotJson:
        return found
    if not isinstance(value, dict):
        return found
    sender = value.get("sender")
    who: dict[str, Any] = sender if isinstance(sender, dict) else {"name": sender}
    chat = _text(value.get("chat_id"))
    channel, _, _ = (chat or "").rpartition(":")
    return Opened(
        found.text,
        channel=found.channel or channel.partition(":")[0] or None,
        sender_id=found.sender_id or _first(value.get("sender_id"), who.get("id"), value.get("id")),
        sender=found.sender or _first(who.get("name"), who.get("username"), value.get("name")),
        message_id=found.message_id or _text(value.get("message_id")),
        chat=found.chat or chat,
        is_group=found.is_group or bool(value.get("is_group_chat") or value.get("group_subject")),
    )


def _bracket(text: str, start: int, found: Opened) -> tuple[int, Opened] | None:
    bracket = BRACKET.match(text, start)
    if bracket is None:
        return None
    header = bracket.group(1).strip()
    when = WHEN.search(header)
    said = header[: when.start()].strip() if when else header
    if when and not said:
        return (bracket.end(), found) if WEEKDAY_FIRST.match(header) else None
    named = CHANNEL.match(said)
    channel = named.group() if named else None
    who = SENDER_ID.search(said)
    if channel is None and when and who and said[:1].isalpha():
        channel = said.split()[0]
    if channel is None or not (when or who):
        return None
    return bracket.end(), _with_header(said[len(channel) :], channel, found)


def _with_header(said: str, channel: str, found: Opened) -> Opened:
    who, room = SENDER_ID.search(said), ROOM.search(said)
    name = said
    for pattern in (SENDER_ID, ROOM, ELAPSED):
        name = pattern.sub(" ", name)
    return Opened(
        found.text,
        channel=found.channel or channel.lower().replace(" ", ""),
        sender_id=found.sender_id or (who.group(1) if who else None),
        sender=found.sender or " ".join(name.split()) or None,
        message_id=found.message_id,
        chat=found.chat or (room.group(1) if room else None),
        is_group=found.is_group or room is not None,
    )


def _first(*values: object) -> str | None:
    return next((text for value in values if (text := _text(value))), None)


def _text(value: object) -> str | None:
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return value.strip() or None if isinstance(value, str) else None

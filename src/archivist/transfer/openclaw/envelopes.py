"""What the program put around a message that came through a channel.

It writes who spoke, where and when in front of the words, in one of several forms: a line in brackets, or a heading with a block of
JSON. They are taken off and told as fields; so are what else was said in a group before and what the program noted of itself. Only
forms that are known are taken off. A block that is not closed stays, for then nobody can tell where the words begin.
"""

import re
from typing import Any

import msgspec
from msgspec.structs import replace

from archivist.transfer.gateways import Sender, is_group_id
from archivist.transfer.json_text import NotJson, decode_leniently
from archivist.transfer.recalled import RECALLED, words_outside

MARKER = "\u27e6openclaw:ctx\u27e7"
CHANNELS = (
    "BlueBubbles", "Discord", "Feishu", "Google Chat", "iMessage", "IRC", "Lark", "LINE", "Matrix", "Mattermost",
    "Microsoft Teams", "MSTeams", "Nextcloud Talk", "Nostr", "Signal", "Slack", "SMS", "Teams", "Telegram", "Tlon", "Twitch",
    "WebChat", "WhatsApp", "Zalo Personal", "Zalo",
)  # fmt: skip
CHANNEL = re.compile(rf"(?:{'|'.join(sorted(CHANNELS, key=len, reverse=True))})(?=\s|$)")
LABELS = (
    "Conversation info", "Conversation context", "Sender", "Thread starter", "Thread history", "Replied message",
    "Reply target of current user message", "Reply chain of current user message", "Forwarded message context",
    "Chat history since last reply", "Location", "Contact",
)  # fmt: skip
HEADING = re.compile(
    rf"(?:(?:{'|'.join(LABELS)}) \(untrusted[^)\n]{{0,80}}\):|[^\n`]{{1,80}}?{MARKER})[ \t]*(?:\r?\n|\Z)",
    re.IGNORECASE,
)
SYSTEM = re.compile(
    r"System(?: \(untrusted\))?: \[[^\]\n]{0,20}\d{4}-\d{2}-\d{2}[^\]\n]{0,40}\][^\n]*(?:\n|\Z)"
)
BEFORE = re.compile(r"\[Chat messages since your last reply - for context\][ \t]*\r?\n")
CURRENT = re.compile(r"^\[Current message - respond to this\][ \t]*\r?\n", re.MULTILINE)
PROGRAM = {
    "heartbeat": re.compile(
        r"Read HEARTBEAT\.md if it exists(?: \([^)\n]{0,80}\))?\. Follow it strictly\."
        r"(?: Do not infer or repeat old tasks from prior chats\.)?(?: If nothing needs attention, reply HEARTBEAT_OK\.?)?"
        r"(?:\s*^(?:When reading HEARTBEAT\.md|Current time:|Reference UTC:)[^\n]*$)*\s*",
        re.MULTILINE,
    ),
    "new session": re.compile(
        r"A new session was started via /new or /reset\.\s.*?\b(?:greet|say hi)\b.*",
        re.DOTALL | re.IGNORECASE,
    ),
    "memory flush": re.compile(r"Pre-compaction memory flush\.\s.*?\bNO_REPLY\b.*", re.DOTALL),
}
"""Whole messages that the program writes in a person's name."""

FENCE = re.compile(r"[ \t]*```json[ \t]*\r?\n(.*?)^[ \t]*```[ \t]*\r?(?:\n|\Z)", re.DOTALL | re.MULTILINE)
BRACKET = re.compile(r"\[([^\]\n]{1,300})\][ \t]*")
WHEN = re.compile(r"(?:^|\s)(?:[A-Z][a-z]{2} )?\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2})?Z?(?: [^\s\]]+)?$")
WEEKDAY_FIRST = re.compile(r"[A-Z][a-z]{2} \d{4}-")
SENDER_ID = re.compile(r"(?:^|\s)id:(\S+)")
ROOM = re.compile(r"(?:^|\s)(#\S+)")
NAMED_ROOM = re.compile(r"\b(?:channel|group|room|thread) id:\S", re.IGNORECASE)
ELAPSED = re.compile(r"(?:^|\s)\+\d+[smhd](?=\s|$)")
MESSAGE_ID = re.compile(r"^[ \t]*\[message_id:([^\]\n]{1,200})\][ \t]*(?:\r?\n|\Z)", re.MULTILINE)
FROM_LINE = re.compile(r"^[ \t]*\[from:([^\]\n]{1,200})\][ \t]*(?:\r?\n|\Z)", re.MULTILINE)
NAMED_BEFORE = re.compile(r"([^\n:]{1,64}): ")
TAGS = (RECALLED, "active_memory_plugin", "relevant-memories")
"""The program's own, around recalled memory."""

ABOVE = re.compile(r"^Context:[ \t]*\r?\n(?=[ \t]*<active_memory_plugin>)", re.MULTILINE)
"""The line above some of it."""

BEHIND = re.compile(
    rf"(?:\A|\n)[ \t]*(?:Context: {MARKER}|Untrusted context \(metadata, do not treat as instructions or commands\):)[ \t]*(?:\r?\n.*)?\Z",
    re.DOTALL,
)


class Opened(msgspec.Struct, frozen=True):
    """A message without its envelope.

    Attributes:
        text: The words.
        sender: The name of who spoke.
        chat: The group, as the envelope names it.
        program: What wrote the message where no person did; then there are no words.
    """

    text: str
    channel: str | None = None
    sender_id: str | None = None
    sender: str | None = None
    message_id: str | None = None
    chat: str | None = None
    is_group: bool = False
    program: str | None = None

    @property
    def who(self) -> Sender:
        """Who wrote it."""
        chat = self.chat.removeprefix(f"{self.channel}:") if self.chat else None
        return Sender(self.channel, self.sender_id, self.sender, chat, self.is_group)


def open_envelope(text: str) -> Opened:
    """The words of a person, and what the envelope says of them; what the program wrote in their name is taken off."""
    text = without_memory(ABOVE.sub("", text) if "<active_memory_plugin>" in text else text)
    found = Opened(text)
    position = 0
    while True:
        start = position
        while start < len(text) and text[start].isspace():
            start += 1
        step = _beside(text, start, found) or _heading(text, start, found) or _bracket(text, start, found)
        if step is None:
            break
        position, found = step
    rest = text[position:].lstrip() if position else text
    if program := _program(rest.strip()):
        return replace(found, text="", program=program)
    rest, found = _without_lines(rest, found)
    return replace(found, text=rest)


def without_memory(text: str) -> str:
    """The text without what the program recalled for the model; a block in another program's tags is a person's."""
    return words_outside(text, TAGS)


def _program(text: str) -> str | None:
    return next((program for program, prompt in PROGRAM.items() if prompt.fullmatch(text)), None)


def _beside(text: str, start: int, found: Opened) -> tuple[int, Opened] | None:
    """What the program noted of itself, and what was said in a group before."""
    if system := SYSTEM.match(text, start):
        return system.end(), found
    if before := BEFORE.match(text, start):
        current = CURRENT.search(text, before.end())
        return (current.end(), replace(found, is_group=True)) if current else None
    return None


def _without_lines(text: str, found: Opened) -> tuple[str, Opened]:
    """Without the lines behind the words that name the message and its sender, and what was fetched for the model."""
    rest = text
    for pattern, mark, name in ((MESSAGE_ID, "[message_id:", "message_id"), (FROM_LINE, "[from:", "sender")):
        if mark in rest:
            values = pattern.findall(rest)
            rest = pattern.sub("", rest)
            found = _with(found, **{name: values[-1].strip() if values else None})
    if MARKER in rest or "Untrusted context" in rest:
        rest = BEHIND.sub("", rest)
    return (rest if rest == text else rest.strip()), found


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
    channel, _, place = (chat or "").rpartition(":")
    return _with(
        found,
        channel=channel.partition(":")[0] or None,
        sender_id=_first(value.get("sender_id"), who.get("id"), value.get("id")),
        sender=_first(who.get("name"), who.get("username"), value.get("name")),
        message_id=_text(value.get("message_id")),
        chat=chat,
        is_group=bool(value.get("is_group_chat") or value.get("group_subject"))
        or value.get("chat_type") in ("group", "channel")
        or is_group_id(place),
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
    opened, is_chat = _with_header(said[len(channel) :], channel, found)
    named = NAMED_BEFORE.match(text, bracket.end()) if is_chat else None
    if named is None:
        return bracket.end(), opened
    return named.end(), replace(opened, sender=named.group(1))


def _with_header(said: str, channel: str, found: Opened) -> tuple[Opened, bool]:
    """What a header says, and whether it names a chat in place of who spoke; the speaker's name then stands before the words."""
    who, room = SENDER_ID.search(said), ROOM.search(said)
    name = said
    for pattern in (SENDER_ID, ROOM, ELAPSED):
        name = pattern.sub(" ", name)
    name = " ".join(name.split())
    key = who.group(1) if who else None
    is_chat = is_group_id(key) or NAMED_ROOM.search(said) is not None
    chat = key if is_chat else room.group(1) if room else None
    if key is None and is_group_id(name):
        is_chat, chat = True, name
    opened = _with(
        found,
        channel=channel.lower().replace(" ", ""),
        sender_id=None if is_chat else key,
        sender=None if is_chat else name or None,
        chat=chat,
        is_group=chat is not None,
    )
    return opened, is_chat


def _with(found: Opened, **facts: str | bool | None) -> Opened:
    """With facts that were not told before; the first that is said holds."""
    known: dict[str, Any] = {name: getattr(found, name) or value for name, value in facts.items()}
    return replace(found, **known)


def _first(*values: object) -> str | None:
    return next((text for value in values if (text := _text(value))), None)


def _text(value: object) -> str | None:
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return value.strip() or None if isinstance(value, str) else None

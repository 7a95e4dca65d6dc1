"""A Claude export in the making."""

import json
import zipfile
from datetime import UTC, datetime, timedelta

import pytest

BEGIN = datetime(2026, 2, 14, 10, 0, tzinfo=UTC)


class Chat:
    """A conversation in the making."""

    def __init__(self, key="chat-1", **fields):
        self.key, self.messages, self.time = key, [], BEGIN
        self.fields = {
            "name": "A chat",
            "created_at": BEGIN.isoformat(),
            "account": {"uuid": "account-1"},
        } | fields

    def say(self, key, sender, text="", *blocks, time=..., **fields):
        self.time += timedelta(seconds=10)
        message = {
            "uuid": key, "sender": sender, "text": text, "content": list(blocks), "attachments": [], "files": [],
            "created_at": self.time.isoformat() if time is ... else time,
        } | fields  # fmt: skip
        self.messages.append(message)
        return key

    def conversation(self, **changes):
        return {"uuid": self.key, "chat_messages": self.messages} | self.fields | changes


def text(words):
    return {"type": "text", "text": words, "citations": []}


def told(chats):
    return [chat.conversation() if isinstance(chat, Chat) else chat for chat in chats]


def export(folder, *chats):
    """Write an export's folder."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "conversations.json").write_text(json.dumps(told(chats)))
    (folder / "users.json").write_text("[]")
    return folder


def packed(path, *chats, **files):
    """Write an export's ZIP file."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("conversations.json", json.dumps(told(chats)))
        for file, data in files.items():
            archive.writestr(file, data)
    return path


class Kit:
    """What the tests here use."""

    Chat = Chat
    text, export, packed = staticmethod(text), staticmethod(export), staticmethod(packed)


@pytest.fixture(scope="session")
def web():
    return Kit


@pytest.fixture
def chat():
    return Chat()

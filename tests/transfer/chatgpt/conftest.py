"""A ChatGPT export in the making."""

import json
import zipfile

import pytest


class Talk:
    """A conversation in the making; each node stands below the one before it unless said otherwise."""

    def __init__(self, key="talk-1", **fields):
        self.key, self.last, self.time = key, None, 1_767_000_000.0
        self.fields = {"title": "A talk", "create_time": self.time, "default_model_slug": "gpt-x"} | fields
        self.mapping = {}
        self.node("root", None)

    def node(self, key, message, parent=...):
        parent = self.last if parent is ... else parent
        self.mapping[key] = {"id": key, "message": message, "parent": parent, "children": []}
        if parent in self.mapping:
            self.mapping[parent]["children"].append(key)
        self.last = key
        return key

    def say(self, key, role, content, parent=..., time=..., name=None, **fields):
        self.time += 10
        if isinstance(content, str):
            content = {"content_type": "text", "parts": [content]}
        message = {
            "id": key, "author": {"role": role, "name": name}, "create_time": self.time if time is ... else time,
            "content": content, "weight": 1.0, "recipient": "all", "metadata": {},
        } | fields  # fmt: skip
        return self.node(key, message, parent)

    def conversation(self, **changes):
        told = {
            "id": self.key,
            "conversation_id": self.key,
            "current_node": self.last,
            "mapping": self.mapping,
        }
        return self.fields | told | changes


def export(folder, *talks, name="conversations.json"):
    """Write an export's folder."""
    folder.mkdir(parents=True, exist_ok=True)
    told = [talk.conversation() if isinstance(talk, Talk) else talk for talk in talks]
    (folder / name).write_text(json.dumps(told))
    (folder / "user.json").write_text('{"id": "user-x"}')
    return folder


def packed(path, *talks, name="conversations.json", **files):
    """Write an export's ZIP file."""
    told = [talk.conversation() if isinstance(talk, Talk) else talk for talk in talks]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, json.dumps(told))
        for file, data in files.items():
            archive.writestr(file, data)
    return path


class Kit:
    """What the tests here use."""

    Talk = Talk
    export, packed = staticmethod(export), staticmethod(packed)


@pytest.fixture(scope="session")
def gpt():
    return Kit


@pytest.fixture
def talk():
    return Talk()

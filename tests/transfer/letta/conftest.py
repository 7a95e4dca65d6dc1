"""Small agent files in the making."""

import json
from datetime import UTC, datetime, timedelta

import pytest

from archivist.transfer import import_history

BEGIN = datetime(2026, 5, 2, 9, 14, tzinfo=UTC)


class AgentText:
    """One agent of a file; every message is a minute later than the one before it."""

    def __init__(self, key="agent-0", name="Seed keeper", *, begin=BEGIN, **fields):
        self.key, self.name, self.begin, self.fields, self.messages = key, name, begin, fields, []

    def say(self, role, text=None, *, time=..., **fields):
        """Any message; gives its id."""
        at = (self.begin + timedelta(minutes=len(self.messages))).isoformat()
        told = {"type": "message", "id": f"message-{len(self.messages)}", "role": role}
        told["content"] = [{"type": "text", "text": text}] if isinstance(text, str) else text
        told |= {"tool_calls": None, "tool_returns": [], "created_at": at if time is ... else time}
        self.messages.append(told | fields)
        return told["id"]

    def call(self, key, name, text=None, **arguments):
        function = {"name": name, "arguments": json.dumps(arguments)}
        return self.say("assistant", text, tool_calls=[{"id": key, "type": "function", "function": function}])

    def result(self, key, text="ok", status="success"):
        returns = [{"status": status, "func_response": text}]
        return self.say("tool", text, tool_call_id=key, tool_returns=returns)

    def told(self, first=0):
        """As an export tells it: ids are given anew, from `first` on."""
        renamed = [
            message | {"id": f"message-{first + place}"} for place, message in enumerate(self.messages)
        ]
        seen = self.fields.get("in_context_message_ids", [message["id"] for message in renamed])
        known = {"id": self.key, "name": self.name, "system": "be a keeper", "messages": renamed}
        return (
            known | self.fields | {"in_context_message_ids": seen, "secrets": {"KEY": "sk-never-read-this-1"}}
        )


def write(path, *agents, **top):
    """An agent file of the present shape; ids run through all agents."""
    told, first = [], 0
    for agent in agents:
        told.append(agent.told(first))
        first += len(agent.messages)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"agents": told, "blocks": [], **top}, ensure_ascii=False))
    return path


def write_flat(path, *messages, **fields):
    """An agent file of the older shape."""
    flat = {
        "agent_type": "memgpt_agent",
        "name": "gardener",
        "core_memory": [{"label": "human", "value": "x"}],
    }
    flat |= {
        "messages": list(messages),
        "tool_exec_environment_variables": [{"value": "sk-never-read-this-2"}],
    }
    path.write_text(json.dumps(flat | fields))
    return path


def imported(path, memory, **more):
    """Import and check that the counts add up."""
    report = import_history(path, memory, format="letta", **more)
    assert report.read == report.imported + report.skipped
    assert not report.problems
    return report


class LettaKit:
    """What the tests of this codec use; a class, so that property tests can have it too."""

    Agent, BEGIN = AgentText, BEGIN
    write, write_flat, imported = staticmethod(write), staticmethod(write_flat), staticmethod(imported)


@pytest.fixture(scope="session")
def letta():
    return LettaKit


@pytest.fixture
def agent():
    return AgentText()

"""Small rollouts in the making."""

import json
from datetime import UTC, datetime, timedelta

import pytest

from archivist.transfer import import_history

FIRST = "019e0000-0000-7000-8000-000000000001"
BEGIN = datetime(2026, 3, 1, 9, 0, tzinfo=UTC)


class Rollout:
    """A rollout file in the making; every line is a second later than the one before it."""

    def __init__(self, session=FIRST, *, begin=BEGIN, meta=True, **facts):
        self.session, self.begin, self.lines, self.seconds = session, begin, [], 0
        if meta:
            known = {
                "id": session,
                "timestamp": self.stamp(),
                "cwd": "/home/someone/tide",
                "cli_version": "0.150.0",
            }
            self.line("session_meta", **known | {"git": {"branch": "main"}} | facts)

    def stamp(self):
        return (self.begin + timedelta(seconds=self.seconds)).isoformat().replace("+00:00", "Z")

    def line(self, kind, /, *, time=..., **payload):
        """Any line; gives its number."""
        self.seconds += 1
        told = {"timestamp": self.stamp() if time is ... else time, "type": kind, "payload": payload}
        if told["timestamp"] is None:
            del told["timestamp"]
        self.lines.append(json.dumps(told, ensure_ascii=False).encode())
        return len(self.lines)

    def item(self, kind, /, **payload):
        return self.line("response_item", **{"type": kind} | payload)

    def event(self, kind, /, **payload):
        return self.line("event_msg", **{"type": kind} | payload)

    def heard(self, *texts, role="user", **more):
        """What the model gets."""
        blocks = [{"type": "input_text", "text": text} if isinstance(text, str) else text for text in texts]
        return self.item("message", role=role, content=blocks, **more)

    def typed(self, text, **more):
        """What was shown of a person's words."""
        return self.event("user_message", message=text, **more)

    def gave(self, text, **more):
        """What the model gives."""
        return self.item("message", role="assistant", content=[{"type": "output_text", "text": text}], **more)

    def shown(self, text, **more):
        """What was shown of it."""
        return self.event("agent_message", message=text, **more)

    def person(self, text):
        self.heard(text)
        return self.typed(text)

    def answer(self, text):
        self.shown(text)
        return self.gave(text)

    def call(self, key, name="shell", arguments="{}"):
        return self.item("function_call", name=name, arguments=arguments, call_id=key)

    def result(self, key, output="ok"):
        return self.item("function_call_output", call_id=key, output=output)

    def think(self, text, **more):
        return self.item("reasoning", summary=[{"type": "summary_text", "text": text}], **more)

    def tokens(self, total, last=None):
        usage = {"total_token_usage": total} if total else {}
        return self.event("token_count", info=usage | ({"last_token_usage": last} if last else {}))

    def bytes(self):
        return b"".join(line + b"\n" for line in self.lines)

    @property
    def name(self):
        return f"rollout-{self.begin:%Y-%m-%dT%H-%M-%S}-{self.session}.jsonl"

    def write(self, home, folder="sessions/2026/03/01"):
        path = home / folder / self.name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(self.bytes())
        return path


def imported(path, memory, **more):
    """Import and check that the counts add up."""
    report = import_history(path, memory, format="codex", **more)
    assert report.read == report.imported + report.skipped
    assert not report.problems
    return report


class CodexKit:
    """What the tests of this codec use; a class, so that property tests can have it too."""

    Rollout, FIRST, BEGIN = Rollout, FIRST, BEGIN
    imported = staticmethod(imported)


@pytest.fixture(scope="session")
def codex():
    return CodexKit


@pytest.fixture
def rollout():
    return Rollout()


@pytest.fixture
def home(tmp_path):
    return tmp_path / ".codex"

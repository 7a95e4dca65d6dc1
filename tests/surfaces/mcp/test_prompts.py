"""What a prompt puts into a conversation, and what is kept of it there."""

import json
from pathlib import Path

import pytest
from tests.surfaces.mcp.wire import served

from archivist import Archivist

QUOTED = "The staging port is 8080"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    with Archivist.open(tmp_path / "home", environ={}):
        return tmp_path / "home"


def asked(home: Path) -> list[str]:
    """The texts of the prompts that quote memory."""
    with served(home) as wire:
        filled = (
            wire.ask("prompts/get", name="recall", arguments={"question": "which port has staging"}),
            wire.ask("prompts/get", name="review_proposals"),
        )
    return [one["messages"][0]["content"]["text"] for one in filled]


def test_what_a_prompt_quotes_is_never_kept_as_something_that_was_said(home, tmp_path):
    with Archivist.open(home, environ={}) as archivist:
        archivist.notes.add("memory", QUOTED)
        archivist.notes.add("memory", "The staging port is 9090")
    texts = asked(home)
    assert all(QUOTED in text for text in texts)
    path = tmp_path / "s-1.jsonl"
    with path.open("w") as file:
        for number, text in enumerate([*texts, "and what is the weather?"]):
            line = {
                "type": "user",
                "uuid": f"u-{number}",
                "parentUuid": f"u-{number - 1}" if number else None,
            }
            message = {"role": "user", "content": text}
            told = line | {
                "sessionId": "s-1",
                "timestamp": f"2026-03-01T10:00:0{number}Z",
                "message": message,
            }
            file.write(json.dumps(told) + "\n")
    with Archivist.open(home, environ={}) as archivist:
        assert archivist.ingest(transcript=path).added == 3
        said = archivist.sessions.read("s-1").messages
        assert said[-1].text == "and what is the weather?"
        assert not any("staging port is" in message.text for message in said)


def test_nothing_that_is_quoted_ends_the_fence_around_it(home):
    with Archivist.open(home, environ={}) as archivist:
        archivist.notes.add("memory", "The staging port </memory-context> is 8080")
    text = asked(home)[0]
    assert text.count("</memory-context>") == 1
    assert "‹/memory-context> is 8080" in text


def test_a_question_beyond_all_measure_is_refused(home):
    with served(home) as wire:
        told = wire.refused("prompts/get", name="recall", arguments={"question": "staging " * 1_000})
    assert told["message"] == "question has 7,999 characters; give at most 4,000"

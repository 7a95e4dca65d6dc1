"""What was said to an agent in one session changes what the next one is sent, in a process of its own."""

import json

import pytest
from tests.model_server import calls, says
from tests.promises.agents import responder, serving

from archivist import Archivist

SAID = "I prefer tabs to spaces, everywhere. Remember that."
NOTED = "Prefers tabs to spaces, everywhere"


def remembers(body):
    """A model that notes a preference when it is told one, and is done."""
    if json.dumps(body["messages"]).count("tabs to spaces") == 1:
        return calls("memory", {"action": "add", "target": "user", "content": NOTED})
    return says("ok")


@pytest.mark.parametrize("wire", ["openai", "anthropic"])
def test_a_preference_said_in_one_session_stands_in_the_prompt_of_the_next(tmp_path, wire):
    with serving(remembers) as server:
        with Archivist.open(tmp_path / "home") as arc:
            first = arc.agent(responder(server, wire), cwd=tmp_path)
            assert first.turn(SAID).stop == "end"
            assert NOTED not in json.dumps(server.requests[0].body)
            first.close()
        with Archivist.open(tmp_path / "home") as arc:
            second = arc.agent(responder(server, wire), cwd=tmp_path)
            second.turn("Write me a Makefile.")
            second.close()
    body = server.requests[-1].body
    system = body["system"] if wire == "anthropic" else body["messages"][0]
    assert NOTED in json.dumps(system)
    assert SAID not in json.dumps(body)


def test_what_was_said_in_one_session_is_recalled_beside_the_words_of_the_next(tmp_path):
    with serving([says("Noted: the harbour master is Ines Okafor.")]) as server:
        with Archivist.open(tmp_path / "home") as arc:
            first = arc.agent(responder(server, "openai"), cwd=tmp_path)
            first.turn("The harbour master of Marstal is Ines Okafor.")
            first.close()
        with Archivist.open(tmp_path / "home") as arc:
            second = arc.agent(responder(server, "openai"), cwd=tmp_path, recall="cue")
            second.turn("Who did I say is the harbour master of Marstal?")
            second.close()
    last = server.requests[-1].body["messages"]
    assert [message["role"] for message in last] == ["system", "user"]
    assert "Ines Okafor" in json.dumps(last[-1], ensure_ascii=False)
    assert "Ines Okafor" not in json.dumps(last[0], ensure_ascii=False)

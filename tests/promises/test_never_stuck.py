"""An agent goes on: what people reported of agents that stopped, over sockets, in a home, with the clock of the test."""

import contextlib
import json

import pytest
from tests.conftest import Clock
from tests.model_server import Call, ModelServer, Reply, says

from archivist import Archivist, check_messages
from archivist.loop.events import Called, Returned, Told
from archivist.models.steady import Steady

pytest.importorskip("openai")
pytest.importorskip("anthropic")


class Scene:
    """A home whose model is a server of this machine, and an agent in it; waits move the clock."""

    def __init__(self, path, clock, server, wire="openai", more=""):
        self.path, self.server, self.events, self.clock = path, server, [], clock
        self.home = path / "home"
        self.home.mkdir(exist_ok=True)
        url = f"{server.url}/v1" if wire == "openai" else server.url
        named = (
            f'name = "m"\nprovider = "acme"\nwire = "{wire}"\nbase_url = "{url}"\nkey_env = "ACME_API_KEY"\n'
        )
        (self.home / "config.toml").write_text(f"[model]\n{named}{more}")

    @contextlib.contextmanager
    def agent(self, *keys):
        environ = {"ACME_API_KEY": ",".join(keys or ("k-very-much-a-secret-1",))}
        with Archivist.open(self.home, clock=self.clock, environ=environ) as self.arc:
            agent = self.arc.agent(cwd=self.path, on_event=self.events.append)
            yield agent
            agent.close()

    def of(self, kind):
        return [event for event in self.events if isinstance(event, kind)]

    @property
    def lines(self):
        return [str(event.notice) for event in self.of(Told)]


@pytest.fixture
def clock(monkeypatch):
    made = Clock()
    monkeypatch.setitem(
        Steady.__init__.__kwdefaults__, "wait", lambda seconds, _: made.advance(seconds=seconds)
    )
    return made


@pytest.fixture
def scene(tmp_path, clock):
    """Opens a home at a server that answers by a script."""
    with contextlib.ExitStack() as stack:
        yield lambda script, **more: Scene(tmp_path, clock, stack.enter_context(ModelServer(script)), **more)


@pytest.fixture(params=["openai", "anthropic"])
def wire(request):
    return request.param


class TestCalls:
    ADD = "{'action': 'add', 'content': 'the port is 8443',}"

    def test_one_in_another_dress_is_made_and_sent_again_as_what_it_was_meant_to_be(self, scene, wire):
        made = scene([Reply(calls=(Call("functions.Memory", raw=self.ADD),)), says("Noted.")], wire=wire)
        with made.agent() as agent:
            assert agent.turn("the port is 8443").text == "Noted."
            assert [entry.text for entry in made.arc.notes.entries("memory")] == ["the port is 8443"]
            assert [event.call.name for event in made.of(Called)] == ["memory"]
        second = made.server.requests[1]
        assert not second.problem
        assert called(second.body, wire) == ("memory", {"action": "add", "content": "the port is 8443"})

    def test_one_that_could_be_meant_otherwise_goes_back_to_the_model(self, scene, wire):
        torn = Call("memory", raw='{"action": "add", "content": "the port is 84')
        whole = Call("memory", {"action": "add", "content": "the port is 8443"})
        made = scene([Reply(calls=(torn,)), Reply(calls=(whole,)), says("Noted.")], wire=wire)
        with made.agent() as agent:
            assert agent.turn("the port is 8443").text == "Noted."
            assert [entry.text for entry in made.arc.notes.entries("memory")] == ["the port is 8443"]
            assert not check_messages(agent.session.sent())
        first, second = made.of(Returned)
        assert (first.is_failure, second.is_failure) == (True, False)
        assert "the arguments are no JSON" in first.text
        assert "the arguments are no JSON" in made.server.requests[1].words
        assert not [request.problem for request in made.server.requests if request.problem]

    def test_one_of_a_tool_that_there_is_not_goes_back_to_the_model(self, scene, wire):
        made = scene([Reply(calls=(Call("remember", {"text": "x"}),)), says("I cannot.")], wire=wire)
        with made.agent() as agent:
            assert agent.turn("remember x").text == "I cannot."
        assert "there is no tool 'remember': use one of memory" in made.of(Returned)[0].text


def called(body, wire):
    """The call that a request repeats."""
    (said,) = (one for one in body["messages"] if one["role"] == "assistant")
    if wire == "anthropic":
        (block,) = said["content"]
        return block["name"], block["input"]
    (call,) = said["tool_calls"]
    return call["function"]["name"], json.loads(call["function"]["arguments"])

"""A model at work, by a script that knows nothing of who asks: it calls tools, several at once, and then says that it is done."""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from tests.model_server import Call, ModelServer, Reply, anthropic_form, openai_form
from tests.model_server.serving import Script

from archivist.models.anthropic_client import AnthropicResponder
from archivist.models.endpoints import Endpoint
from archivist.models.openai_client import OpenAIResponder
from archivist.models.responder import Responder

_TURN = re.compile(r"turn (\d+):")
FORMS = {"openai": openai_form, "anthropic": anthropic_form}


MODELS = {"anthropic": "claude-sonnet-5", "openai": "gpt-5", "deepseek": "deepseek-reasoner"}


def responder(server: ModelServer, provider: str, **more: Any) -> Responder:
    """The official client of a provider, which asks the server."""
    return responder_at(server.url, provider, **more)


def responder_at(url: str, provider: str, **more: Any) -> Responder:
    """The same by where the server is."""
    if provider == "anthropic":
        return AnthropicResponder(Endpoint(provider, "anthropic", MODELS[provider], url, "key", **more))
    return OpenAIResponder(Endpoint(provider, "openai", MODELS[provider], f"{url}/v1", "key", **more))


class Worker:
    """A script for `ModelServer`, the same for the same requests.

    It reads the number of the turn in the user's words ("turn 7: …"), and makes so many steps of calls as that number says.
    """

    def __init__(self, *, pauses: Mapping[int, float] | None = None, thinks: bool = False) -> None:
        self._pauses, self._thinks = pauses or {}, thinks

    def __call__(self, body: Mapping[str, Any]) -> Reply:
        turn, done = self._where(body["messages"])
        steps = turn % 3
        thought = f"Step {done} of turn {turn}." if self._thinks else ""
        if done < steps:
            return Reply("", thought, tuple(self._calls(turn, done)))
        text = f"Turn {turn} is done. " + "It went as it should. " * (turn % 5)
        return Reply(text, thought, pause=self._pauses.get(turn, 0.0))

    def _calls(self, turn: int, step: int) -> Iterator[Call]:
        key = f"call_{turn}_{step}_"
        yield Call("recall", {"query": f"what was said of harbour {turn}?"}, f"{key}a")
        if turn % 4 == 1:
            fact = f"harbour {turn} opens at {turn % 24}:15"
            yield Call("memory", {"action": "add", "target": "memory", "content": fact}, f"{key}b")
        if turn % 5 == 2:
            yield Call(
                "write_file", {"path": f"out/{turn}-{step}.txt", "content": "line\n" * turn}, f"{key}c"
            )
            yield Call("terminal", {"command": f"echo turn {turn}; ls out | tail -3"}, f"{key}d")

    def _where(self, messages: list[dict[str, Any]]) -> tuple[int, int]:
        """The turn, and how many steps of it are done: by the messages behind the user's words."""
        done = 0
        for message in reversed(messages):
            turns = [found for text in _texts(message) if (found := _TURN.match(text))]
            if message["role"] == "user" and turns:
                return int(turns[-1][1]), done
            done += message["role"] == "assistant"
        return 0, done


def _texts(message: Mapping[str, Any]) -> list[str]:
    content = message.get("content")
    if isinstance(content, str):
        return [content]
    return [part["text"] for part in content or () if part["type"] == "text"]


@contextmanager
def serving(script: Script, *, clock: Any = None) -> Iterator[ModelServer]:
    """A server that refuses nothing it should not: every request must have been taken."""
    options = {} if clock is None else {"clock": clock}
    with ModelServer(script, **options) as server:
        yield server
    refused = [request.problem for request in server.requests if request.problem]
    assert refused == [], refused[:3]


def lists(server: ModelServer, wire: str) -> list[list[str]]:
    """Each request as the list that a cache sees, in order."""
    return [FORMS[wire].blocks(request.body) for request in server.requests]

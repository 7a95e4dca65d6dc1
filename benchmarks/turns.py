"""A turn of an agent beside the bare request of its provider's client, with the same messages, to the same server."""

import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.model_server import ModelServer, Reply, says

from archivist import Archivist, Message
from archivist.models.endpoints import Endpoint
from archivist.models.openai_client import OpenAIResponder
from benchmarks.corpus import Corpus
from benchmarks.figures import Figure, best

if TYPE_CHECKING:
    import openai

ROUNDS = 15


def figures() -> Iterator[Figure]:
    """What the loop adds to a request: to store, to look at the window, to put together, to hear, to keep what was shared."""
    import openai

    with ModelServer(says_ok) as server, tempfile.TemporaryDirectory() as name:
        client = openai.OpenAI(api_key="key", base_url=f"{server.url}/v1")
        for messages in (20, 500):
            with Archivist.open(Path(name) / f"home-{messages}", environ={}) as archivist:
                turn = _turns(archivist, server.url, Path(name), messages)
                ours = best(partial(wall_milliseconds, turn), ROUNDS)
                body: dict[str, Any] = server.requests[-1].body
                bare = best(partial(wall_milliseconds, partial(asked, client, body)), ROUNDS)
                most = 20 if messages == 20 else 60
                yield Figure(
                    f"a turn, {messages} messages", "ms", ours, bare, f"≤ {most} ms more", ours - bare <= most
                )


def says_ok(_body: dict[str, Any]) -> Reply:
    """The same each time, at once."""
    return says("It is done.")


def asked(client: "openai.OpenAI", body: dict[str, Any]) -> None:
    """The bare request, heard to its end."""
    for _ in client.chat.completions.create(**body):
        pass


def wall_milliseconds(work: Callable[[], object]) -> float:
    """How long something takes, waiting for the disk and the server with it."""
    began = time.perf_counter()
    work()
    return (time.perf_counter() - began) * 1e3


def _turns(archivist: Archivist, url: str, folder: Path, messages: int) -> Callable[[], object]:
    endpoint = Endpoint("openai", "openai", "gpt-5", f"{url}/v1", "key", window=10_000_000)
    agent = archivist.agent(OpenAIResponder(endpoint), cwd=folder)
    agent.turn("begin")
    corpus = Corpus(13)
    for number in range(messages // 2):
        said = [Message.user(corpus.text(number)), Message.assistant(corpus.text(-number))]
        agent.session.append_many(said)
    agent.turn("warm up")
    return lambda: agent.turn("go on")

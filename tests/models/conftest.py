import pytest
from tests.model_server import ModelServer

from archivist.models.endpoints import Endpoint


@pytest.fixture
def served():
    """Opens servers by their scripts."""
    opened = []

    def serve(script, **options):
        opened.append(ModelServer(script, **options))
        return opened[-1].__enter__()

    yield serve
    for one in opened:
        one.__exit__()


@pytest.fixture
def endpoint():
    """Where a server is asked, by the name of its wire."""

    def at(server, wire="openai", **more):
        url = f"{server.url}/v1" if wire == "openai" else server.url
        return Endpoint(more.pop("provider", "here"), wire, more.pop("model", "m"), url, **more)

    return at

"""What is known of a model before it is asked: from its owner, a table, or its server, each in its own words."""

import json
import socket
import threading
import time
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from tests.model_server import ModelServer, says

from archivist import ModelFailed
from archivist.config.model import ModelSettings
from archivist.models.choosing import choose
from archivist.models.offered import Offered, offered, said_of
from archivist.models.prices import Prices
from archivist.models.settling import settle

pytest.importorskip("httpx2")
pytest.importorskip("genai_prices")


@contextmanager
def serving(answers):
    """A server that answers by path, and what it was sent."""
    seen = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            body = self.rfile.read(int(self.headers.get("content-length") or 0))
            seen.append((self.path, dict(self.headers), body))
            found = answers.get(self.path.partition("?")[0])
            content = found if isinstance(found, bytes) else json.dumps(found).encode()
            self.send_response(404 if found is None else 200)
            self.send_header("content-length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        do_POST = do_GET  # noqa: N815 - the server's own name for it

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", seen
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def choice(model, url, **more):
    return choose(ModelSettings(model, base_url=url, **more), {}, needs_key=False)


def settled(chosen, tmp_path):
    return settle(chosen, Prices(chosen, tmp_path / "prices.json", lambda: datetime(2026, 11, 1, tzinfo=UTC)))


@pytest.mark.parametrize(
    ("model", "answers", "window", "sees"),
    [
        ("vllm/qwen", {"/v1/models": {"data": [{"id": "qwen", "max_model_len": 32_768}]}}, 32_768, None),
        (
            "llama.cpp/gpt-oss",
            {"/props": {"default_generation_settings": {"n_ctx": 16_384}, "modalities": {"vision": True}}},
            16_384,
            True,
        ),
        (
            "llama.cpp/x",
            {"/v1/models": {"data": [{"id": "x", "meta": {"n_ctx_train": 131_072}}]}},
            None,
            None,
        ),
        (
            "lmstudio/gemma",
            {
                "/api/v0/models": {
                    "data": [
                        {
                            "id": "gemma",
                            "type": "vlm",
                            "max_context_length": 131_072,
                            "loaded_context_length": 8_192,
                        }
                    ]
                }
            },
            8_192,
            True,
        ),
        (
            "ollama/qwen3:8b",
            {
                "/api/ps": {
                    "models": [
                        {"name": "x", "context_length": 1},
                        {"name": "qwen3:8b", "context_length": 65_536},
                    ]
                },
                "/api/show": {
                    "model_info": {"qwen3.context_length": 131_072},
                    "capabilities": ["completion", "tools"],
                },
            },
            65_536,
            False,
        ),
        (
            "ollama/qwen3",
            {"/api/ps": {"models": [{"name": "qwen3:latest", "context_length": 65_536}]}, "/api/show": {}},
            65_536,
            None,
        ),
        (
            "ollama/mine",
            {
                "/api/ps": {"models": []},
                "/api/show": {
                    "parameters": "temperature 0.6\nnum_ctx      16384",
                    "capabilities": ["vision"],
                },
            },
            16_384,
            True,
        ),
        (
            "ollama/cold",
            {
                "/api/ps": {"models": []},
                "/api/show": {"model_info": {"general.x": "y", "llama.context_length": 131_072}},
            },
            32_768,
            None,
        ),
        (
            "custom/a",
            {
                "/v1/models": {
                    "data": [
                        {
                            "id": "a",
                            "context_length": 262_144,
                            "architecture": {"input_modalities": ["text", "image"]},
                        }
                    ]
                }
            },
            262_144,
            True,
        ),
    ],
)
def test_each_server_is_understood_in_its_own_words(model, answers, window, sees):
    with serving(answers) as (url, _):
        said = said_of(choice(model, f"{url}/v1"))
    assert said == Offered(model.partition("/")[2], window, sees)


def test_the_models_of_both_forms_are_listed_with_the_key_where_it_belongs():
    listed = {
        "data": [
            {
                "id": "claude-b",
                "max_input_tokens": 1_000_000,
                "capabilities": {"image_input": {"supported": True}},
            },
            {"id": "claude-a"},
        ]
    }
    with serving({"/v1/models": listed}) as (url, seen):
        chosen = choose(ModelSettings("anthropic/x", base_url=url), {"ARCHIVIST_API_KEY": "k"})
        assert offered(chosen.endpoint) == (Offered("claude-a"), Offered("claude-b", 1_000_000, True))
        assert seen[0][1]["x-api-key"] == "k"
    with ModelServer([says("hi")]) as server:
        chosen = choose(ModelSettings("openai/x", base_url=f"{server.url}/v1"), {"ARCHIVIST_API_KEY": "k"})
        assert [one.name for one in offered(chosen.endpoint)] == ["test-model"]


@pytest.mark.parametrize(
    "answer",
    [
        None,
        b"<html>",
        b"\xff",
        3,
        {"data": 3},
        {"data": [3, {"id": 5}, {"id": "a", "max_model_len": "many"}]},
    ],
)
def test_what_is_no_list_of_models_is_a_failure_or_an_empty_list_never_a_fault(answer):
    with serving({"/v1/models": answer}) as (url, _):
        chosen = choice("vllm/a", f"{url}/v1")
        assert said_of(chosen) == Offered("a")
        try:
            found = offered(chosen.endpoint)
        except ModelFailed as error:
            told = str(error)
        else:
            assert found in {(), (Offered("a"),)}
            return
    assert told.endswith("is its base_url right?")


def test_a_list_that_does_not_come_to_its_end_is_given_up():
    def serve():
        connection, _ = listener.accept()
        connection.recv(65_536)
        with suppress(OSError), connection:
            connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n[")
            while True:
                connection.sendall(b" ")
                time.sleep(0.01)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        url = f"http://127.0.0.1:{listener.getsockname()[1]}/v1"
        with pytest.raises(ModelFailed, match="nobody answers"):
            offered(choice("vllm/a", url).endpoint, seconds=0.2)
        thread.join(10)
        assert not thread.is_alive()


def test_the_window_is_the_owners_else_the_tables_else_the_servers_else_the_usual(tmp_path):
    with serving({"/v1/models": {"data": [{"id": "a", "max_model_len": 40_000}]}}) as (url, seen):
        own = settled(choice("vllm/a", f"{url}/v1", window=9_000), tmp_path)
        assert (own.choice.endpoint.window, own.choice.origins["window"], own.notices) == (
            9_000,
            "config.toml",
            (),
        )
        table = settled(choice("openai/gpt-4o", f"{url}/v1"), tmp_path)
        assert (table.choice.endpoint.window, table.choice.origins["window"]) == (128_000, "prices")
        assert not seen, "nobody was asked"
        server = settled(choice("vllm/a", f"{url}/v1"), tmp_path)
        assert (server.choice.endpoint.window, server.choice.origins["window"]) == (40_000, "its server")
        usual = settled(choice("vllm/b", f"{url}/v1"), tmp_path)
    assert (usual.choice.endpoint.window, usual.choice.origins["window"]) == (128_000, "usual")
    assert "set window in [model]" in usual.notices[0].text


def test_what_the_owner_says_of_pictures_holds_whatever_the_server_says(tmp_path):
    answers = {"/props": {"default_generation_settings": {"n_ctx": 16_384}, "modalities": {"vision": True}}}
    with serving(answers) as (url, _):
        assert settled(choice("llama.cpp/x", f"{url}/v1"), tmp_path).choice.endpoint.takes_pictures
        blind = settled(choice("llama.cpp/x", f"{url}/v1", pictures=False), tmp_path).choice.endpoint
    assert (blind.takes_pictures, blind.window) == (False, 16_384)


def test_a_server_that_is_not_there_is_taken_as_usual(tmp_path):
    found = settled(choice("vllm/a", "http://127.0.0.1:1/v1"), tmp_path)
    assert found.choice.endpoint.window == 128_000
    with pytest.raises(ModelFailed, match="nobody answers at vllm"):
        offered(found.choice.endpoint)

"""What a model costs, and where that is known from."""

import json
import threading
from contextlib import contextmanager
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from archivist.config.model import ModelSettings, PriceSettings
from archivist.models.choosing import choose
from archivist.models.prices import Prices, PricesNotUpdated, Rates, fetched_at, update_table
from archivist.records import Usage

genai_prices = pytest.importorskip("genai_prices")
NOW = datetime(2026, 11, 1, 12, tzinfo=UTC)
TABLE = [
    {
        "id": "openai",
        "name": "OpenAI",
        "api_pattern": r"https://api\.openai\.com",
        "model_match": {"contains": "gpt"},
        "models": [
            {
                "id": "gpt-new",
                "match": {"or": [{"starts_with": "gpt-new"}]},
                "context_window": 640_000,
                "prices": {"input_mtok": 4, "cache_read_mtok": 0.4, "output_mtok": 20, "dreams_mtok": 1},
            },
            {
                "id": "gpt-steps",
                "match": {"equals": "gpt-steps"},
                "prices": {
                    "input_mtok": {"base": 1, "tiers": [{"start": 200_000, "price": 2}]},
                    "output_mtok": 10,
                },
            },
        ],
    }
]


def prices(model, file, **settings):
    choice = choose(ModelSettings(model, **settings), {}, needs_key=False)
    return Prices(choice, file, lambda: NOW)


@contextmanager
def serving(content, status=200):
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(status)
            self.send_header("content-length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_):
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/data.json"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def test_tokens_from_a_cache_cost_what_they_cost_there(tmp_path):
    own = prices("anthropic/claude-sonnet-4-5", tmp_path / "prices.json")
    assert own.origin == "table"
    assert own.rates == Rates(3.0, 15.0, 0.3, 3.75)
    used = Usage("claude-sonnet-4-5", input=10_000, cache_read=100_000, cache_write=20_000, output=1_000)
    expected = (10_000 * 3 + 100_000 * 0.3 + 20_000 * 3.75 + 1_000 * 15) / 1e6
    assert own.cost("claude-sonnet-4-5-20250929", used) == pytest.approx(expected)
    assert own.cost("a name that the provider gave", used) == pytest.approx(expected)
    assert own.cost("claude-sonnet-4-5", Usage("claude-sonnet-4-5")) == 0


def test_what_is_in_no_table_costs_nothing_and_says_that_it_is_not_known(tmp_path):
    for model in ("openai/test-model", "qwen/qwen3-max", "groq/none-such"):
        found = prices(model, tmp_path / "prices.json")
        assert (found.origin, found.are_known, found.rates, found.window) == ("none", False, None, None)
        assert found.cost("x", Usage("x", input=1_000_000)) == 0
    custom = prices("gpt-4o", tmp_path / "prices.json", base_url="http://box/v1")
    assert not custom.are_known, "of a server of somebody's own a name says nothing"


def test_a_server_of_ones_own_costs_nothing(tmp_path):
    found = prices("ollama/qwen3:32b", tmp_path / "prices.json")
    assert (found.origin, found.are_known, found.window) == ("local", True, None)
    assert found.cost("qwen3:32b", Usage("qwen3:32b", input=1_000_000, output=1_000_000)) == 0


def test_the_owners_prices_hold_before_all_others(tmp_path):
    own = PriceSettings(2.0, 8.0, cache_read=0.5)
    found = prices("openai/gpt-4o", tmp_path / "prices.json", prices=own)
    assert (found.origin, found.rates) == ("config.toml", Rates(2.0, 8.0, 0.5, None))
    used = Usage("gpt-4o", input=1_000_000, cache_read=2_000_000, cache_write=1_000_000, output=1_000_000)
    assert found.cost("gpt-4o", used) == pytest.approx(2 + 2 * 0.5 + 2 + 8)


def test_a_table_that_was_fetched_holds_from_then_on(tmp_path):
    file = tmp_path / "home" / "prices.json"
    assert not prices("openai/gpt-new", file).are_known
    with serving(json.dumps(TABLE).encode()) as url:
        assert update_table(file, NOW, url=url) == 2
    found = prices("openai/gpt-new-2026", file)
    assert (found.origin, found.window, found.rates) == ("table", 640_000, Rates(4.0, 20.0, 0.4, None))
    used = Usage("gpt-new", input=1_000_000, cache_read=1_000_000)
    assert found.cost("gpt-new", used) == pytest.approx(4.4)
    assert fetched_at(file) == NOW
    assert prices("openai/gpt-steps", file).rates == Rates(1.0, 10.0)
    assert prices("openai/gpt-steps", file).cost("gpt-steps", Usage("x", input=300_000)) == pytest.approx(0.6)


@pytest.mark.parametrize(
    ("content", "status"),
    [
        (b"<html>", 200),
        (b"{}", 200),
        (b"[]", 200),
        (b'[{"id": "x"}]', 200),
        (b'[{"id": "x", "name": "x", "api_pattern": "x", "models": [{"id": "y", "match": {}}]}]', 200),
        (json.dumps(TABLE).encode(), 503),
    ],
)
def test_what_is_no_table_leaves_the_one_that_is_here(tmp_path, content, status):
    file = tmp_path / "prices.json"
    with serving(json.dumps(TABLE).encode()) as url:
        update_table(file, NOW, url=url)
    before = file.read_bytes()
    with (
        serving(content, status) as url,
        pytest.raises(PricesNotUpdated, match="the prices are as they were"),
    ):
        update_table(file, NOW, url=url)
    with pytest.raises(PricesNotUpdated):
        update_table(file, NOW, url="http://127.0.0.1:1/data.json")
    assert file.read_bytes() == before
    assert [entry.name for entry in tmp_path.iterdir()] == ["prices.json"]


@pytest.mark.parametrize(
    "kept",
    [
        b"",
        b"\xff",
        b"[]",
        b"null",
        json.dumps({"made_for": "0.0.1", "providers": TABLE}).encode(),
        json.dumps({"made_for": genai_prices.__version__, "providers": [1]}).encode(),
        json.dumps({"made_for": genai_prices.__version__}).encode(),
    ],
)
def test_a_kept_table_that_cannot_be_read_counts_no_more_than_none(tmp_path, kept):
    file = tmp_path / "prices.json"
    file.write_bytes(kept)
    assert prices("openai/gpt-4o", file).rates == Rates(2.5, 10.0, 1.25, None)

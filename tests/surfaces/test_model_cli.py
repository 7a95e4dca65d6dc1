"""The model that is asked: seen, chosen, tried and priced from the command line, its key never shown."""

import os
import select
import stat
import subprocess
import sys
import time

import pytest
from tests.model_server import ModelServer, fails, says

from archivist.config.credentials import read_key, write_key
from archivist.models.known import PROVIDERS

pytest.importorskip("openai")
KEY = "k-very-much-a-secret-2"


@pytest.fixture(autouse=True)
def nothing_set(monkeypatch):
    for name in (
        "ARCHIVIST_MODEL",
        "ARCHIVIST_BASE_URL",
        "ARCHIVIST_API_KEY",
        *(one.key_env for one in PROVIDERS.values()),
    ):
        if name:
            monkeypatch.delenv(name, raising=False)


@pytest.fixture
def server():
    with ModelServer([says("ready")], keys=[KEY]) as opened:
        yield opened


def test_nothing_is_set_and_what_could_be_is_told_with_its_command(call, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    shown = call("model", "list")
    assert "no model is named" in shown.out
    assert "archivist model set openai/" in shown.out
    assert "ollama" in shown.out
    assert KEY not in shown.out + shown.err
    assert call("model", "list", "--json").json["within_reach"][0]["key"] == "OPENAI_API_KEY"
    assert "no model is named" in call("model", "test", status=1).err


@pytest.mark.skipif(os.name != "posix", reason="modes")
def test_keys_that_others_may_read_are_told_once_whoever_else_has_one(call, home, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    write_key(home / "credentials.toml", "groq", PROVIDERS["groq"].base_url, KEY)
    (home / "credentials.toml").chmod(0o644)
    shown = call("model", "list")
    assert shown.err.count("others may read it") == 1
    assert "archivist model set openai/" in shown.out


def test_a_model_is_set_and_shown_with_where_each_value_comes_from(call, home, monkeypatch):
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    home.mkdir()
    (home / "config.toml").write_text('# mine\ntimezone = "UTC"\n')
    call("model", "set", "anthropic/claude-sonnet-5", "--max-tokens", "9000")
    assert (home / "config.toml").read_text().startswith('# mine\ntimezone = "UTC"\n\n[model]\n')
    found = call("model", "list", "--json").json["model"]
    assert (found["name"], found["window"], found["max_tokens"], found["has_key"]) == (
        "anthropic/claude-sonnet-5",
        1_000_000,
        9_000,
        True,
    )
    assert found["origins"] == {
        "model": "config.toml",
        "base_url": "usual",
        "key": "ANTHROPIC_API_KEY",
        "window": "prices",
        "pictures": "usual",
        "prices": "table",
    }
    assert KEY not in call("model", "list").out
    monkeypatch.setenv("ARCHIVIST_MODEL", "ollama/x")
    assert "ollama/x  (ARCHIVIST_MODEL)" in call("model", "list").out


def test_a_key_in_a_variables_place_is_refused_before_anything_is_kept(call, home):
    refused = call(
        "model", "set", "openai/gpt-5.6", "--key-env", "sk-abc", "--key-stdin", stdin=KEY.encode(), status=2
    )
    assert "never a key" in refused.err
    assert "sk-abc" not in refused.err
    assert not list(home.glob("*.toml"))


def test_another_model_keeps_nothing_that_was_said_of_the_one_before(call, home):
    call("model", "set", "vllm/a", "--base-url", "http://box:8000/v1", "--window", "9000", "--no-pictures")
    call("model", "set", "vllm/b")
    assert (home / "config.toml").read_text() == '[model]\nname = "vllm/b"\nbase_url = "http://box:8000/v1"\n'
    call("model", "set", "openai/gpt-5.6")
    assert (home / "config.toml").read_text() == '[model]\nname = "openai/gpt-5.6"\n'
    call(
        "model",
        "set",
        "big/one",
        "--base-url",
        "http://box/v1",
        "--wire",
        "anthropic",
        "--key-env",
        "BOX_KEY",
    )
    call("model", "set", "big/one", "--window", "9000")
    assert call("model", "list", "--json").json["model"]["origins"]["model"] == "config.toml"
    text = (home / "config.toml").read_text()
    assert 'base_url = "http://box/v1"' in text
    assert 'key_env = "BOX_KEY"' in text


def test_a_provider_with_a_name_of_its_own_keeps_it(call, home):
    home.mkdir()
    (home / "config.toml").write_text('[model]\nname = "a"\nprovider = "acme"\nbase_url = "http://box/v1"\n')
    call("model", "set", "acme/b")
    assert (
        home / "config.toml"
    ).read_text() == '[model]\nname = "b"\nprovider = "acme"\nbase_url = "http://box/v1"\n'
    call("model", "set", "ollama/c")
    assert (home / "config.toml").read_text() == '[model]\nname = "ollama/c"\n'


def test_a_key_from_standard_input_is_kept_and_the_model_answers(call, home, server):
    base = f"{server.url}/v1"
    done = call("model", "set", "openai/gpt-4o", "--base-url", base, "--key-stdin", stdin=f"{KEY}\n".encode())
    file = home / "credentials.toml"
    assert read_key(file, "openai", base) == KEY
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    shown = call("model", "test")
    assert f"openai/gpt-4o at {base} answers: ready" in shown.out
    assert "tokens in" in shown.out
    assert "$0.0" in shown.out
    told = call("model", "test", "--json").json
    assert (told["text"], told["stop"], told["prices_known"]) == ("ready", "end", True)
    assert told["usage"]["output"] > 0
    assert told["first_piece_seconds"] <= told["seconds"]
    assert all(KEY not in text for text in (done.out, done.err, shown.out, shown.err))
    assert KEY not in (home / "config.toml").read_text()
    assert call("model", "unset", "--key", "--json").json == {"changed": True, "key_removed": True}
    assert KEY not in file.read_text()
    assert call("model", "unset", "--json").json == {"changed": False, "key_removed": False}


def test_who_wants_a_key_and_has_none_is_told_which_variable_would_have_it(call, monkeypatch):
    assert "set GROQ_API_KEY" in call("model", "set", "groq/llama").out
    assert (
        "set BOX_KEY"
        in call("model", "set", "openai/x", "--base-url", "http://box/v1", "--key-env", "BOX_KEY").out
    )
    assert "set BOX_KEY" in call("model", "list").out
    assert "it wants a key" not in call("model", "set", "vllm/x").out
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    assert "it wants a key" not in call("model", "set", "openai/gpt-5.6").out
    monkeypatch.setenv("ARCHIVIST_API_KEY", KEY)
    done = call("model", "set", "groq/llama")
    assert "it wants a key" not in done.out
    assert not done.err
    monkeypatch.setenv("ARCHIVIST_MODEL", "ollama/x")
    assert "ARCHIVIST_MODEL is set in the environment" in call("model", "set", "groq/llama").err


@pytest.mark.parametrize(
    ("address", "is_told"),
    [
        ("http://box.example.org/v1", True),
        ("http://8.8.8.8/v1", True),
        ("http://192.168.1.7/v1", False),
        ("http://box:8000", False),
        ("http://[::1]:8000/v1", False),
        ("https://box.example.org", False),
    ],
)
def test_a_key_that_would_go_over_the_open_net_is_told_of(call, address, is_told):
    told = call("model", "set", "x", "--base-url", address, "--key-stdin", stdin=KEY.encode()).err
    assert ("anybody on the way" in told) is is_told


def test_a_test_that_fails_says_in_one_line_what_to_do(call, home, monkeypatch):
    monkeypatch.setenv("ARCHIVIST_API_KEY", "wrong-key")
    with ModelServer([fails(401, "bad key wrong-key")]) as server:
        monkeypatch.setenv("ARCHIVIST_BASE_URL", f"{server.url}/v1")
        failed = call("model", "test", "openai/gpt-4o", status=1)
    assert failed.err.count("\n") == 1
    assert "refuses the key" in failed.err
    assert "wrong-key" not in failed.err
    gone = call("model", "test", "openai/gpt-4o", status=1)
    assert "nobody answers at openai" in gone.err
    monkeypatch.delenv("ARCHIVIST_BASE_URL")
    monkeypatch.delenv("ARCHIVIST_API_KEY")
    assert "OPENROUTER_API_KEY" in call("model", "test", "openrouter/x", status=1).err


def test_the_models_that_a_provider_offers_are_listed(call, server, monkeypatch):
    monkeypatch.setenv("ARCHIVIST_BASE_URL", f"{server.url}/v1")
    assert "test-model" in call("model", "list", "--remote", "vllm").out
    monkeypatch.setenv("ARCHIVIST_MODEL", "vllm/test-model")
    offered = call("model", "list", "--remote", "--json").json["offered"]
    assert [one["name"] for one in offered] == ["test-model"]
    assert "write it as provider/name" in call("model", "set", "nobody/x", status=1).err


def test_what_is_written_badly_is_refused_with_the_line_and_stays(call, home):
    home.mkdir()
    (home / "config.toml").write_text("[model\n")
    assert "line 1" in call("model", "set", "openai/x", "--key-stdin", stdin=KEY.encode(), status=1).err
    assert (home / "config.toml").read_text() == "[model\n"
    assert not (home / "credentials.toml").exists()
    (home / "config.toml").write_text("")
    for bad in (b"", b"two words", b"\n"):
        assert (
            "standard input has is no key"
            in call("model", "set", "openai/x", "--key-stdin", stdin=bad, status=1).err
        )
    assert "must be an address" in call("model", "set", "openai/x", "--base-url", "box", status=2).err
    call("model", "set", "openai/x", "--window", "5", status=2)
    assert (home / "config.toml").read_text() == ""


@pytest.mark.skipif(os.name != "posix", reason="no such rights")
def test_keys_that_others_may_read_are_refused_with_what_to_do_and_told_in_the_list(call, home, monkeypatch):
    write_key(home / "credentials.toml", "openai", "https://api.openai.com/v1", KEY)
    (home / "credentials.toml").chmod(0o644)
    assert "chmod 600" in call("model", "test", "openai/x", status=1).err
    assert "chmod 600" in call("model", "list").err
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    assert call("model", "list", "openai").status == 0


def test_an_agents_shell_chooses_no_model(call, home, monkeypatch):
    monkeypatch.setenv("CLAUDECODE", "1")
    for command in (("set", "ollama/x"), ("unset",)):
        assert "the owner's alone" in call("model", *command, status=1).err
    assert not (home / "config.toml").exists()


def test_prices_are_shown_and_what_is_not_known_is_said(call):
    assert "$3 in, $15 out" in call("model", "prices", "anthropic/claude-sonnet-4-5").out
    assert call("model", "prices", "ollama/x", "--json").json["origin"] == "local"
    unknown = call("model", "prices", "qwen/qwen3-max").out
    assert "price unknown" in unknown
    assert "[model.prices]" in unknown
    assert "no model is named" in call("model", "prices", status=1).err
    call("model", "set", "vllm/x")
    assert "128,000 tokens  (usual, unless its server says" in call("model", "list").out


@pytest.mark.skipif(os.name != "posix", reason="no terminals of that kind")
def test_a_key_that_is_typed_is_not_shown_on_the_terminal(home):
    import pty

    near, far = pty.openpty()
    environ = {**os.environ, "ARCHIVIST_HOME": str(home), "TERM": "xterm"}
    command = [sys.executable, "-m", "archivist.surfaces.cli", "model", "set", "groq/llama"]
    with subprocess.Popen(
        command, stdin=far, stdout=far, stderr=far, env=environ, start_new_session=True
    ) as process:
        os.close(far)
        seen, deadline, typed = b"", time.monotonic() + 30, False
        while time.monotonic() < deadline:
            if not select.select([near], [], [], 0.1)[0]:
                continue
            try:
                more = os.read(near, 4096)
            except OSError:  # the other side is closed
                break
            seen += more
            if not more:
                break
            if b"key for groq" in seen and not typed:
                typed = os.write(near, f"{KEY}\n".encode()) > 0
    os.close(near)
    assert process.returncode == 0, seen
    assert typed
    assert KEY.encode() not in seen
    assert read_key(home / "credentials.toml", "groq", "https://api.groq.com/openai/v1") == KEY

"""Which model is asked, and that nothing of one goes to another."""

import re
from pathlib import Path

import pytest

from archivist.config.model import ModelSettings, PriceSettings
from archivist.models.choosing import (
    ModelAddressNotUsable,
    ModelKeyNotUsable,
    NoModelKey,
    UnknownModelProvider,
    choose,
    within_reach,
)
from archivist.models.known import PROVIDERS, provider_named

OPENAI = {"OPENAI_API_KEY": "sk-openai"}
BOX = "http://box:8000/v1"


def chosen(settings=None, environ=None, asked=None, **more):
    found = choose(settings or ModelSettings(), environ or {}, asked, **more)
    assert found is not None
    return found


def test_nothing_is_chosen_because_a_key_lies_about():
    assert choose(ModelSettings(), {**OPENAI, "ANTHROPIC_API_KEY": "x", "ARCHIVIST_API_KEY": "y"}) is None
    assert choose(ModelSettings(base_url=BOX), {"ARCHIVIST_BASE_URL": BOX}) is None


def test_a_known_provider_needs_only_its_name_and_its_key():
    found = chosen(environ=OPENAI, asked="openai/gpt-5.6")
    assert (found.endpoint.provider, found.endpoint.model) == ("openai", "gpt-5.6")
    assert (found.endpoint.base_url, found.endpoint.wire) == ("https://api.openai.com/v1", "openai")
    assert found.endpoint.api_key == "sk-openai"
    assert found.origins["key"] == "OPENAI_API_KEY"
    claude = chosen(environ={"ANTHROPIC_API_KEY": "k"}, asked="anthropic/claude-sonnet-5").endpoint
    assert (claude.wire, claude.base_url) == ("anthropic", "https://api.anthropic.com")


def test_the_command_is_heard_before_the_environment_and_that_before_the_settings():
    settings = ModelSettings("ollama/from-file")
    environ = {"ARCHIVIST_MODEL": "ollama/from-environment"}
    assert chosen(settings).endpoint.model == "from-file"
    assert chosen(settings, environ).endpoint.model == "from-environment"
    assert chosen(settings, environ, "ollama/from-command").endpoint.model == "from-command"
    origins = [chosen(settings, environ, name).origins["model"] for name in (None, "ollama/x")]
    assert origins == ["ARCHIVIST_MODEL", "--model"]


def test_a_name_alone_is_one_of_the_provider_that_is_set():
    settings = ModelSettings("openrouter/anthropic/claude-sonnet-5")
    environ = {"OPENROUTER_API_KEY": "k"}
    assert chosen(settings, environ).endpoint.model == "anthropic/claude-sonnet-5"
    asked = chosen(settings, environ, "qwen3-max").endpoint
    assert (asked.provider, asked.model) == ("openrouter", "qwen3-max")
    named = chosen(ModelSettings("openrouter/auto", provider="openrouter"), environ).endpoint
    assert named.model == "openrouter/auto", "beside a provider the name is whole"


def test_a_name_that_begins_like_a_folder_of_models_is_whole():
    found = chosen(ModelSettings("Qwen/Qwen3-32B", base_url=BOX)).endpoint
    assert (found.provider, found.model, found.base_url) == ("custom", "Qwen/Qwen3-32B", BOX)
    assert chosen(asked="vllm/Qwen/Qwen3-32B").endpoint.model == "Qwen/Qwen3-32B"


def test_a_name_without_a_provider_says_how_it_is_written():
    for name in ("gpt-5.6", "acme/gpt", "OpenAI/gpt-5.6", "openai/"):
        with pytest.raises(UnknownModelProvider, match="write it as provider/name, with one of openai"):
            choose(ModelSettings(), OPENAI, name)
    with pytest.raises(UnknownModelProvider, match="acme/x"):
        choose(ModelSettings("x", provider="acme"), {})


def test_a_provider_of_ones_own_has_a_name_of_its_own():
    settings = ModelSettings("big", provider="acme", base_url=BOX, key_env="ACME_KEY")
    found = chosen(settings, {"ACME_KEY": "k"})
    assert (found.name, found.endpoint.api_key, found.origins["key"]) == ("acme/big", "k", "ACME_KEY")
    assert chosen(settings, {"ACME_KEY": "k"}, "acme/small").name == "acme/small"
    with pytest.raises(NoModelKey, match="set ACME_KEY"):
        choose(settings, {})


def test_no_key_says_which_variable_and_which_command_give_one():
    with pytest.raises(
        NoModelKey, match=r"set DEEPSEEK_API_KEY, or .*archivist model set deepseek/deepseek-chat"
    ):
        choose(ModelSettings(), {"DEEPSEEK_API_KEY": "  "}, "deepseek/deepseek-chat")
    assert chosen(asked="deepseek/deepseek-chat", needs_key=False).endpoint.api_key == ""


def test_a_server_of_ones_own_needs_no_key():
    found = chosen(asked="ollama/qwen3:32b")
    assert (found.endpoint.api_key, found.origins["key"], found.is_local) == ("", "none", True)
    assert found.endpoint.base_url == "http://localhost:11434/v1"


@pytest.mark.parametrize(
    ("model", "address", "asked_at"),
    [
        ("ollama/x", "http://box:11434", "http://box:11434/v1"),
        ("ollama/x", "http://box:11434/", "http://box:11434/v1"),
        ("x", "http://box", "http://box/v1"),
        ("x", "http://box/api/", "http://box/api"),
        ("anthropic/x", "http://box/v1", "http://box"),
        ("anthropic/x", "http://box/proxy", "http://box/proxy"),
        ("x", "http://box/v1/chat/completions", "http://box/v1"),
        ("x", "http://box/api/chat/completions/", "http://box/api"),
        ("anthropic/x", "http://box/v1/messages", "http://box"),
    ],
)
def test_an_address_is_completed_as_its_client_wants_it(model, address, asked_at):
    assert chosen(environ={"ARCHIVIST_BASE_URL": address}, asked=model).endpoint.base_url == asked_at


def test_the_key_of_a_provider_goes_to_no_other_address():
    for settings, environ in (
        (ModelSettings("openai/gpt-5.6", base_url=BOX), OPENAI),
        (ModelSettings("openai/gpt-5.6"), {**OPENAI, "ARCHIVIST_BASE_URL": BOX}),
        (ModelSettings("openai/gpt-5.6", base_url="http://api.openai.com/v1"), OPENAI),
        (ModelSettings("openai/gpt-5.6", base_url="https://api.openai.com.evil.example/v1"), OPENAI),
    ):
        assert chosen(settings, environ).endpoint.api_key == ""
    named = ModelSettings("openai/gpt-5.6", base_url=BOX, key_env="OPENAI_API_KEY")
    assert chosen(named, OPENAI).endpoint.api_key == "sk-openai", "its owner says so"


def test_a_key_and_an_address_stay_with_the_provider_that_they_stand_beside():
    settings = ModelSettings("acme-1", provider="acme", base_url=BOX, key_env="ACME_KEY", window=32_000)
    environ = {"ACME_KEY": "k-acme", "ANTHROPIC_API_KEY": "k-anthropic"}
    other = chosen(settings, environ, "anthropic/claude-sonnet-5").endpoint
    assert (other.base_url, other.api_key, other.wire) == (
        "https://api.anthropic.com",
        "k-anthropic",
        "anthropic",
    )
    environ |= {
        "ARCHIVIST_MODEL": "openai/x",
        "ARCHIVIST_BASE_URL": "http://other/v1",
        "ARCHIVIST_API_KEY": "k-env",
    }
    assert chosen(settings, environ).endpoint.api_key == "k-env"
    other = chosen(settings, environ, "anthropic/claude-sonnet-5").endpoint
    assert (other.base_url, other.api_key) == ("https://api.anthropic.com", "k-anthropic")
    own = {"ARCHIVIST_API_KEY": "k-env", "ANTHROPIC_API_KEY": "k-anthropic"}
    assert chosen(ModelSettings("openai/x"), own).endpoint.api_key == "k-env"
    assert chosen(ModelSettings("openai/x"), own, "anthropic/y").endpoint.api_key == "k-anthropic"


def test_a_window_and_prices_stay_with_the_model_that_they_stand_beside():
    prices = PriceSettings(1.0, 2.0)
    settings = ModelSettings("ollama/a", window=8_000, max_tokens=500, pictures=True, prices=prices)
    found = chosen(settings)
    assert (found.endpoint.window, found.endpoint.max_tokens, found.prices) == (8_000, 500, prices)
    assert found.endpoint.takes_pictures
    other = chosen(settings, asked="ollama/b")
    assert (other.endpoint.window, other.endpoint.max_tokens, other.prices) == (128_000, None, None)
    assert not other.endpoint.takes_pictures
    assert (found.origins["window"], other.origins["window"]) == ("config.toml", "usual")


def test_what_is_kept_is_asked_for_by_provider_and_address():
    kept = {("openai", "https://api.openai.com/v1"): [("k-kept", "credentials.toml")]}
    stored = [lambda *where: kept.get(where, [])]
    found = chosen(asked="openai/x", stored=stored)
    assert (found.endpoint.api_key, found.origins["key"]) == ("k-kept", "credentials.toml")
    assert chosen(environ=OPENAI, asked="openai/x", stored=stored).endpoint.api_key == "sk-openai"


def test_all_keys_of_a_provider_are_found_the_environments_first_and_none_twice():
    environ = {
        "OPENAI_API_KEY_10": "k-10",
        "OPENAI_API_KEY_2": "k-2, k-3,, ",
        "OPENAI_API_KEY": "k-1",
        "OPENAI_API_KEY_OLD": "k-old",
        "OPENAI_API_KEY_0": "k-0",
        "XOPENAI_API_KEY_4": "k-x",
    }
    stored = [
        lambda *_: [("k-2", "credentials.toml"), ("k-kept", "credentials.toml")],
        lambda *_: [("k-ring", "keyring")],
    ]
    found = chosen(environ=environ, asked="openai/x", stored=stored)
    assert [(key.secret, key.origin) for key in found.keys] == [
        ("k-1", "OPENAI_API_KEY"),
        ("k-2", "OPENAI_API_KEY_2"),
        ("k-3", "OPENAI_API_KEY_2"),
        ("k-10", "OPENAI_API_KEY_10"),
        ("k-kept", "credentials.toml"),
        ("k-ring", "keyring"),
    ]
    assert (found.endpoint.api_key, found.left_out) == ("k-1", ())
    assert "k-1" not in repr(found)
    assert chosen(environ={"OPENAI_API_KEY_2": "k-2"}, asked="openai/x").endpoint.api_key == "k-2"


def test_the_key_of_whatever_is_asked_stands_alone():
    environ = {**OPENAI, "ARCHIVIST_API_KEY": "k-a,k-b", "ARCHIVIST_MODEL": "openai/x"}
    found = chosen(environ=environ, stored=[lambda *_: [("k-kept", "credentials.toml")]])
    assert [key.secret for key in found.keys] == ["k-a", "k-b"]


def test_a_server_without_a_key_has_one_without_a_text():
    found = chosen(asked="ollama/x")
    assert [(key.secret, key.name) for key in found.keys] == [("", "no key")]


def test_what_is_no_key_among_others_is_left_out_and_said():
    environ = {"OPENAI_API_KEY": "k-1", "OPENAI_API_KEY_2": "no key, k-3"}
    found = chosen(environ=environ, asked="openai/x")
    assert [key.secret for key in found.keys] == ["k-1", "k-3"]
    assert len(found.left_out) == 1
    assert "OPENAI_API_KEY_2" in found.left_out[0]
    assert "no key," not in found.left_out[0]


def test_a_place_that_cannot_be_read_costs_no_key_of_another():
    def broken(*_):
        raise NoModelKey("a", "b", "c")

    found = chosen(environ=OPENAI, asked="openai/x", stored=[broken])
    assert found.endpoint.api_key == "sk-openai"
    assert "wants a key" in found.left_out[0]
    found = chosen(asked="openai/x", stored=[broken, lambda *_: [("k-ring", "keyring")]])
    assert found.origins["key"] == "keyring"
    with pytest.raises(NoModelKey):
        chosen(asked="openai/x", stored=[broken])


@pytest.mark.parametrize("key", ["two words", "ключ", "a\nb", "a\x00b"])
def test_what_is_no_key_is_named_by_its_place_and_not_shown(key):
    with pytest.raises(ModelKeyNotUsable, match="OPENAI_API_KEY") as raised:
        choose(ModelSettings(), {"OPENAI_API_KEY": key}, "openai/x")
    assert key not in str(raised.value)
    assert chosen(environ={"OPENAI_API_KEY": " sk-a\n"}, asked="openai/x").endpoint.api_key == "sk-a"


def test_what_is_no_address_is_named_by_its_place():
    with pytest.raises(ModelAddressNotUsable, match="ARCHIVIST_BASE_URL must be an address"):
        choose(ModelSettings(), {"ARCHIVIST_BASE_URL": "box:8000"}, "openai/x")
    with pytest.raises(ModelAddressNotUsable, match="--base-url must have no user"):
        choose(ModelSettings(), {}, "openai/x", base_url="http://me:pass@box/v1")


def test_what_could_be_asked_with_what_is_here_is_told_with_the_place_of_its_key():
    found = {
        known.name: place
        for known, place in within_reach(
            OPENAI, lambda name, _url: [("k", "credentials.toml")] if name == "groq" else []
        )
    }
    assert found == {"openai": "OPENAI_API_KEY", "groq": "credentials.toml"}


def test_the_providers_that_are_named_are_known_and_have_a_place_and_a_key():
    for name in (
        "openai",
        "anthropic",
        "openrouter",
        "deepseek",
        "qwen",
        "qwen-cn",
        "moonshot",
        "zai",
        "groq",
        "mistral",
    ):
        known = PROVIDERS[name]
        assert known.base_url.startswith("https://")
        assert known.key_env.endswith("_API_KEY")
    for name in ("ollama", "vllm", "llama.cpp", "lmstudio"):
        assert PROVIDERS[name].is_local
        assert not PROVIDERS[name].key_env
    assert provider_named("kimi") is PROVIDERS["moonshot"]


@pytest.mark.parametrize(
    ("model", "sees"),
    [
        ("openai/gpt-5.6", True),
        ("openai/gpt-3.5-turbo", False),
        ("anthropic/claude-sonnet-5", True),
        ("deepseek/deepseek-chat", False),
        ("qwen/qwen3-vl-plus", True),
        ("qwen/qwen3-max", False),
        ("ollama/gemma3:27b", True),
        ("ollama/qwen3:32b", False),
        ("zai/glm-4.6v", True),
        ("zai/glm-4.6", False),
    ],
)
def test_who_reads_pictures_is_told_by_the_name(model, sees):
    assert chosen(asked=model, needs_key=False).endpoint.takes_pictures is sees


def test_every_provider_that_is_known_is_in_the_manual_as_it_is():
    manual = (Path(__file__).parents[2] / "docs" / "models.md").read_text("utf-8")
    rows = dict(re.findall(r"^\| (`.*?) \| (http.*) \|$", manual, re.MULTILINE))
    told = {}
    for names, rest in rows.items():
        places, _, key = rest.rpartition(" | ")
        for name, place in zip(re.findall(r"`(.*?)`", names), places.split(", "), strict=True):
            told[name] = (place, "" if key == "none" else key.strip("`"))
    assert told == {name: (known.base_url, known.key_env) for name, known in PROVIDERS.items()}

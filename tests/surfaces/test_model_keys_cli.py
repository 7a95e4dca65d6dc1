"""The keys of a provider from the command line: seen by their ends, added unseen, taken out, woken."""

from datetime import UTC, datetime, timedelta

import pytest
from tests.config.test_ring import keyring_here  # noqa: F401 - a fixture

from archivist.app.choosing import chosen_model
from archivist.app.key_pools import open_pool
from archivist.app.world import real_world
from archivist.config import Home
from archivist.config.credentials import read_keys, write_key
from archivist.models.known import PROVIDERS

URL = "https://api.openai.com/v1"
SECRETS = [f"sk-very-much-a-secret-{number}" for number in (1111, 2222, 3333)]


@pytest.fixture(autouse=True)
def nothing_set(monkeypatch):
    names = ("ARCHIVIST_MODEL", "ARCHIVIST_BASE_URL", "ARCHIVIST_API_KEY")
    for name in (*names, *(one.key_env for one in PROVIDERS.values() if one.key_env)):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def file(home):
    return home / "credentials.toml"


@pytest.fixture
def three(call, file):
    """A model that has three keys in the home."""
    call("model", "set", "openai/gpt-5.6")
    call("model", "keys", "add", "--key-stdin", stdin="\n".join(SECRETS).encode())


def pool_of(home, model=None):
    choice = chosen_model(Home(home), {}, model)
    return open_pool(Home(home), choice, real_world(), tell=print)


def test_keys_are_added_behind_those_that_are_there_and_none_is_shown(call, file):
    call("model", "set", "openai/gpt-5.6")
    write_key(file, "openai", URL, SECRETS[0])
    done = call(
        "model", "keys", "add", "--key-stdin", stdin=f"{SECRETS[1]}\n\n{SECRETS[0]}, {SECRETS[2]}\n".encode()
    )
    assert "2 keys for openai kept in credentials.toml: …2222, …3333" in done.out
    assert read_keys(file, "openai", URL) == tuple(SECRETS)
    again = call("model", "keys", "add", "openai", "--key-stdin", "--json", stdin=SECRETS[0].encode())
    assert again.json == {"added": 0, "provider": "openai", "place": "credentials.toml"}
    assert not [one for one in SECRETS if one in done.out + done.err + again.out + again.err]


@pytest.mark.parametrize("given", [b"", b" \n", b"two words", b"\xff\xfe"])
def test_what_is_no_key_is_not_kept(call, file, given):
    call("model", "keys", "add", "openai", "--key-stdin", stdin=given, status=1)
    assert read_keys(file, "openai", URL) == ()


@pytest.mark.usefixtures("three")
def test_keys_are_listed_with_where_they_are_and_whether_they_rest(call, home, monkeypatch):
    pool = pool_of(home)
    pool.failed(pool.take(datetime.now(UTC)), "empty")
    pool.failed(pool.take(datetime.now(UTC)), "limited", datetime.now(UTC) + timedelta(hours=2))
    monkeypatch.setenv("OPENAI_API_KEY_2", "sk-one-of-the-environment")
    shown = call("model", "keys", "list").out.splitlines()
    assert shown[0] == "key 1 (…ment)  ready  (OPENAI_API_KEY_2; used 0 times)"
    assert "key 2 (…1111)  rests until" in shown[1]
    assert "its account has no credit" in shown[1]
    assert "used 1 time)" in shown[1]
    assert "too much was asked with it, for gpt-5.6" in shown[2]
    assert "ready" in shown[3]
    found = call("model", "keys", "list", "openai", "--json").json
    assert (found["provider"], found["base_url"]) == ("openai", URL)
    assert [one["state"] for one in found["keys"]] == ["ready", "resting", "resting", "ready"]
    assert [one["model"] for one in found["keys"][2]["rests"]] == ["gpt-5.6"]
    assert not [one for one in SECRETS if one in str(found) + str(shown)]


@pytest.mark.usefixtures("three")
def test_a_key_is_removed_by_its_number_or_its_end(call, file):
    assert (
        "key 2 (…2222) of openai is removed from credentials.toml" in call("model", "keys", "remove", "2").out
    )
    assert call("model", "keys", "remove", "…3333", "openai", "--json").json["removed"] == "key 2 (…3333)"
    assert read_keys(file, "openai", URL) == (SECRETS[0],)
    for which in ("2", "0", "3333", "", "…", SECRETS[0]):
        told = call("model", "keys", "remove", which, status=2)
        assert SECRETS[0] not in told.err
    call("model", "keys", "remove", "1111")
    assert "has no key here" in call("model", "keys", "list").out


def test_a_key_of_the_environment_is_taken_out_there(call, monkeypatch):
    monkeypatch.setenv("GROQ_API_KEY", SECRETS[0])
    told = call("model", "keys", "remove", "1", "groq", status=1).err
    assert "GROQ_API_KEY: take it out of the environment" in told


@pytest.mark.usefixtures("three")
def test_keys_that_rest_are_woken(call, home):
    pool = pool_of(home)
    for key in pool.keys:
        pool.take(datetime.now(UTC))
        pool.failed(key, "empty")
    assert pool.take(datetime.now(UTC)) is None
    call("model", "keys", "wake", "3333")
    assert pool.take(datetime.now(UTC)) == pool.keys[2]
    pool.failed(pool.keys[2], "empty")
    assert call("model", "keys", "wake", "--json").json["woken"] == [key.name for key in pool.keys]
    assert pool.free_at() is None


def test_an_agents_shell_changes_no_keys(call, monkeypatch, file):
    monkeypatch.setenv("CLAUDECODE", "1")
    call("model", "keys", "add", "openai", "--key-stdin", stdin=SECRETS[0].encode(), status=1)
    call("model", "keys", "remove", "1", "openai", status=1)
    assert not file.exists()


def test_what_is_no_provider_or_not_named_is_told(call):
    assert "no model is named" in call("model", "keys", "list", status=1).err
    assert "not known who offers 'acme" in call("model", "keys", "list", "acme", status=1).err
    call("model", "set", "openai/gpt-5.6")
    assert "no provider 'acme'" in call("model", "keys", "list", "acme", status=2).err


def test_a_key_for_another_address_stays_there(call, file):
    box = "http://box:8000/v1"
    call("model", "keys", "add", "openai", "--base-url", box, "--key-stdin", stdin=SECRETS[0].encode())
    assert read_keys(file, "openai", box) == (SECRETS[0],)
    assert "has no key here" in call("model", "keys", "list", "openai").out


def test_a_key_that_is_used_alone_is_told_when_another_is_added(call, monkeypatch):
    monkeypatch.setenv("ARCHIVIST_API_KEY", SECRETS[0])
    call("model", "set", "openai/gpt-5.6")
    monkeypatch.setenv("ARCHIVIST_MODEL", "openai/gpt-5.6")
    told = call("model", "keys", "add", "--key-stdin", stdin=SECRETS[1].encode())
    assert "ARCHIVIST_API_KEY is set in the environment and is used alone" in told.err


def test_a_key_of_the_environment_that_is_used_before_a_new_one_is_told(call, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", SECRETS[0])
    done = call("model", "set", "openai/gpt-5.6", "--key-stdin", stdin=SECRETS[1].encode())
    assert "the key in OPENAI_API_KEY is used first" in done.err
    monkeypatch.delenv("OPENAI_API_KEY")
    assert not call("model", "set", "openai/gpt-5.6", "--key-stdin", stdin=SECRETS[2].encode()).err


@pytest.mark.usefixtures("three")
def test_doctor_says_how_many_keys_there_are_and_which_rest(call, home):
    def model():
        return next(one for one in call("doctor", "--json").json["findings"] if one["subject"] == "model")

    assert "3 keys in credentials.toml" in model()["text"]
    pool = pool_of(home)
    pool.failed(pool.take(datetime.now(UTC)), "refused")
    assert model()["verdict"] == "ok"
    assert "key 1 (…1111) rests until" in model()["text"]
    for key in pool.keys:
        pool.failed(key, "empty")
    assert model()["verdict"] == "warning"
    assert not [one for one in SECRETS if one in model()["text"]]


@pytest.mark.usefixtures("keyring_here")
def test_keys_are_kept_in_the_keyring_where_that_is_asked_for(call, home, file):
    pytest.importorskip("keyring")
    call("model", "set", "openai/gpt-5.6")
    done = call("model", "keys", "add", "--keyring", "--key-stdin", stdin="\n".join(SECRETS[:2]).encode())
    assert "kept in keyring" in done.out
    assert "keyring = true" in (home / "config.toml").read_text()
    assert not file.exists()
    assert [one["origin"] for one in call("model", "keys", "list", "--json").json["keys"]] == ["keyring"] * 2
    call("model", "keys", "remove", "1")
    assert "key 1 (…2222)" in call("model", "keys", "list").out


def test_a_keyring_that_cannot_be_used_is_told(call, home, monkeypatch, file):
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.fail.Keyring")
    from archivist.config.ring import ring_keys

    ring_keys.cache_clear()
    home.mkdir()
    (home / "config.toml").write_text('[model]\nname = "openai/gpt-5.6"\nkeyring = true\n')
    assert "keyring cannot be used" in call("model", "keys", "list", status=1).err
    write_key(file, "openai", URL, SECRETS[0])
    shown = call("model", "keys", "list")
    assert "key 1 (…1111)" in shown.out
    assert "keyring cannot be used" in shown.err
    ring_keys.cache_clear()

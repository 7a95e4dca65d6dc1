"""Keys in the system's keyring, asked by a process that can hang and fail without harm."""

import os
import time

import pytest

from archivist.config import ring
from archivist.config.ring import KeyringNotUsable, ring_keys, write_ring

pytest.importorskip("keyring")

BACKEND = """
import json, os, time
from pathlib import Path
from keyring.backend import KeyringBackend

FILE = Path(os.environ["RING_FILE"])


class Ring(KeyringBackend):
    priority = 1

    def get_password(self, service, username):
        print("a word of a backend on standard output")
        if os.environ.get("RING_ACT") == "hang":
            os.system("sleep 60")
        if os.environ.get("RING_ACT") == "fail":
            raise RuntimeError("locked: hunter2")
        if os.environ.get("RING_ACT") == "ask":
            import getpass
            return getpass.getpass("password: ")
        return self._all().get(f"{service}/{username}")

    def set_password(self, service, username, password):
        FILE.write_text(json.dumps({**self._all(), f"{service}/{username}": password}))

    def delete_password(self, service, username):
        FILE.write_text(json.dumps({k: v for k, v in self._all().items() if k != f"{service}/{username}"}))

    def _all(self):
        return json.loads(FILE.read_text()) if FILE.exists() else {}
"""


@pytest.fixture
def keyring_here(tmp_path, monkeypatch):
    """A keyring of this test alone; what it should do stands in RING_ACT."""
    modules = tmp_path / "modules"
    modules.mkdir()
    (modules / "ring_of_tests.py").write_text(BACKEND)
    monkeypatch.setenv("PYTHONPATH", str(modules))
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "ring_of_tests.Ring")
    monkeypatch.setenv("RING_FILE", str(tmp_path / "ring.json"))
    monkeypatch.delenv("RING_ACT", raising=False)
    ring_keys.cache_clear()
    yield
    ring_keys.cache_clear()


@pytest.mark.usefixtures("keyring_here")
def test_several_keys_are_kept_in_the_keyring_and_found_again():
    assert ring_keys("openai") == ()
    write_ring("openai", ("sk-a", "sk-b"))
    write_ring("openai http://box/v1", ("sk-c",))
    assert ring_keys("openai") == ("sk-a", "sk-b")
    assert ring_keys("openai http://box/v1") == ("sk-c",)
    write_ring("openai", ())
    write_ring("openai", ())
    assert ring_keys("openai") == ()


@pytest.mark.usefixtures("keyring_here")
def test_it_is_asked_once(monkeypatch):
    write_ring("openai", ("sk-a",))
    assert ring_keys("openai") == ("sk-a",)
    monkeypatch.setenv("RING_ACT", "fail")
    assert ring_keys("openai") == ("sk-a",)


@pytest.mark.usefixtures("keyring_here")
def test_one_that_hangs_is_given_up_with_all_that_it_began(monkeypatch):
    monkeypatch.setenv("RING_ACT", "hang")
    monkeypatch.setattr(ring, "SECONDS", 1.0)
    began = time.monotonic()
    with pytest.raises(KeyringNotUsable, match="did not answer within 1 s"):
        ring_keys("openai")
    assert time.monotonic() - began < 5


@pytest.mark.usefixtures("keyring_here")
def test_one_that_fails_or_asks_for_a_password_is_told_without_a_word_of_it(monkeypatch):
    for act, told in (("fail", "RuntimeError"), ("ask", "EOFError")):
        monkeypatch.setenv("RING_ACT", act)
        with pytest.raises(KeyringNotUsable, match=f"{told}.*unlock it") as raised:
            ring_keys("openai")
        assert "hunter2" not in str(raised.value)


@pytest.mark.usefixtures("keyring_here")
def test_no_module_of_the_folder_in_which_one_works_is_run(tmp_path, monkeypatch):
    (tmp_path / "keyring.py").write_text("open('ran', 'w')")
    monkeypatch.chdir(tmp_path)
    assert ring_keys("openai") == ()
    assert not (tmp_path / "ran").exists()


def test_without_a_keyring_it_is_said_what_to_do(monkeypatch):
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.fail.Keyring")
    monkeypatch.setitem(os.environ, "DBUS_SESSION_BUS_ADDRESS", "")
    ring_keys.cache_clear()
    with pytest.raises(KeyringNotUsable, match="keep keys elsewhere"):
        ring_keys("openai")

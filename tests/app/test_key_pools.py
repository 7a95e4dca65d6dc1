"""Several keys of one provider, from the environment to the wire: which is sent, what other processes learn; none is written down."""

import subprocess
import sys

import pytest
from tests.conftest import Clock
from tests.model_server import ModelServer, fails, says

from archivist import Archivist
from archivist.config.credentials import add_key
from archivist.loop.events import Told
from archivist.models.steady import Steady

pytest.importorskip("openai")
KEYS = [f"k-very-much-a-secret-{number}" for number in (1111, 2222, 3333)]


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def home(tmp_path):
    return tmp_path / "home"


def opened(home, clock, server, **environ):
    home.mkdir(exist_ok=True)
    (home / "config.toml").write_text(
        f'[model]\nname = "m"\nprovider = "acme"\nbase_url = "{server.url}/v1"\nkey_env = "ACME_API_KEY"\n'
    )
    return Archivist.open(home, clock=clock, environ=environ)


def sent(server):
    return [request.key for request in server.requests]


def test_an_empty_account_moves_to_the_next_key_and_who_asks_next_begins_there(home, clock, tmp_path):
    environ = {"ACME_API_KEY": KEYS[0], "ACME_API_KEY_2": KEYS[1]}
    with ModelServer([fails(402, "no credit left"), says("One.")]) as server:
        told = []
        with opened(home, clock, server, **environ) as arc:
            agent = arc.agent(cwd=tmp_path, on_event=told.append)
            assert agent.turn("hi").text == "One."
            agent.close()
        assert sent(server) == KEYS[:2]
        lines = [str(one.notice) for one in told if isinstance(one, Told)]
        assert any("no credit: going on with key 2 (…2222)" in line for line in lines), lines
        with opened(home, clock, server, **environ) as arc:
            agent = arc.agent(cwd=tmp_path)
            assert agent.turn("and now?").text == "One."
            found = next(one for one in arc.doctor().findings if one.subject == "model")
            assert "key 1 (…1111) rests until" in found.text
            agent.close()
        assert sent(server)[2:] == [KEYS[1]]
        clock.advance(seconds=3_700)
        with opened(home, clock, server, **environ) as arc:
            agent = arc.agent(cwd=tmp_path)
            agent.turn("an hour later")
            agent.close()
        assert sent(server)[3:] == [KEYS[0]]


def test_where_every_account_is_empty_that_is_what_is_told_also_when_it_is_asked_again(
    home, clock, tmp_path, monkeypatch
):
    monkeypatch.setitem(
        Steady.__init__.__kwdefaults__, "wait", lambda seconds, _: clock.advance(seconds=seconds)
    )
    with (
        ModelServer([*[fails(402, "nothing left")] * 4, says("Back.")]) as server,
        opened(home, clock, server, ACME_API_KEY=",".join(KEYS[:2])) as arc,
    ):
        agent = arc.agent(cwd=tmp_path)
        assert "the account has no credit: nothing left" in agent.turn("hi").error
        assert "the account has no credit: nothing left" in agent.turn("and now?").error
        assert sent(server) == [*KEYS[:2], *KEYS[:2]]
        clock.advance(seconds=120)
        assert agent.turn("two minutes later").text == "Back."
        agent.close()


def test_a_key_that_is_kept_stands_behind_those_of_the_environment(home, clock, tmp_path):
    with ModelServer([says("Two.")], keys=KEYS[2:]) as server:
        with opened(home, clock, server, ACME_API_KEY=",".join(KEYS[:2])) as arc:
            add_key(arc.home.credentials_file, "acme", f"{server.url}/v1", KEYS[2])
            agent = arc.agent(cwd=tmp_path)
            assert agent.turn("hi").text == "Two."
            agent.close()
        assert sent(server) == KEYS


def test_keys_are_used_in_turn_where_that_is_set(home, clock, tmp_path):
    with ModelServer([says("ok")]) as server:
        with opened(home, clock, server, ACME_API_KEY=",".join(KEYS)) as arc:
            with (home / "config.toml").open("a") as file:
                file.write('key_strategy = "round-robin"\n')
            agent = arc.agent(cwd=tmp_path)
            for _ in range(4):
                agent.turn("hi")
            agent.close()
        assert sent(server) == [*KEYS, KEYS[0]]


def test_no_file_of_the_home_has_a_key_or_a_word_of_what_was_said_in_the_log(home, clock, tmp_path):
    words = "my diary of that evening"
    with (
        ModelServer(
            [fails(402, f"no credit, {KEYS[0]}: {words}"), fails(401, f"{KEYS[1]}? {words}"), says("ok")]
        ) as server,
        opened(home, clock, server, ACME_API_KEY=",".join(KEYS)) as arc,
    ):
        told = []
        agent = arc.agent(cwd=tmp_path, on_event=told.append)
        agent.turn(words)
        arc.doctor()
        agent.close()
    for file in home.rglob("*"):
        content = file.read_bytes() if file.is_file() else b""
        assert not [key for key in KEYS if key.encode() in content], file
    log = (home / "log" / "archivist.log").read_text()
    assert words not in log
    assert 'key-rests key="key 1 (…1111)" why=empty' in log
    assert not [key for key in KEYS if key in repr(told)]


def test_a_key_that_is_none_is_left_out_and_said(home, clock, tmp_path):
    with ModelServer([says("ok")]) as server:
        with opened(home, clock, server, ACME_API_KEY=KEYS[0], ACME_API_KEY_2="two words") as arc:
            told = []
            agent = arc.agent(cwd=tmp_path, on_event=told.append)
            assert agent.turn("hi").text == "ok"
            agent.close()
        assert any("ACME_API_KEY_2 has is no key and is left out" in str(one) for one in told)


PROGRAM = """
import sys
from pathlib import Path
from archivist import Archivist
with Archivist.open(Path(sys.argv[1]), environ={"ACME_API_KEY": sys.argv[2]}) as arc:
    agent = arc.agent(cwd=Path(sys.argv[1]).parent)
    print(agent.turn("hi").text)
    agent.close()
"""


def test_what_one_process_learned_of_a_key_another_heeds(home, tmp_path):
    with ModelServer([fails(402, "no credit left"), says("ok")]) as server:
        opened(home, None, server).close()
        for _ in range(2):
            done = subprocess.run(
                [sys.executable, "-c", PROGRAM, home, ",".join(KEYS)],
                capture_output=True,
                text=True,
                check=True,
            )
            assert done.stdout == "ok\n"
        assert sent(server) == [KEYS[0], KEYS[1], KEYS[1]]

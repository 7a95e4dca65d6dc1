"""The model that a home's agents ask, from what is set to what is stored of it."""

import pytest
from tests.conftest import Clock
from tests.model_server import Failure, ModelServer, fails, says

from archivist import Archivist, NoModelKey, UnknownModelProvider
from archivist.config.credentials import write_key
from archivist.loop.events import Told

pytest.importorskip("openai")
KEY = "k-very-much-a-secret-1"


def opened(path, **environ):
    return Archivist.open(path / "home", clock=Clock(), environ=environ)


def test_the_model_of_the_environment_answers(tmp_path):
    with ModelServer([says("Hello from the model.")], keys=[KEY]) as server:
        environ = {
            "ARCHIVIST_MODEL": "openai/gpt-4o",
            "ARCHIVIST_BASE_URL": f"{server.url}/v1",
            "ARCHIVIST_API_KEY": KEY,
        }
        with opened(tmp_path, **environ) as arc:
            agent = arc.agent(cwd=tmp_path)
            turn = agent.turn("hi")
            assert (turn.text, agent.responder.name, turn.error) == (
                "Hello from the model.",
                "openai/gpt-4o",
                "",
            )
            assert turn.usage.cost_usd > 0, "its price is in the table"
            agent.close()
        assert server.requests[0].key == KEY
    for file in (tmp_path / "home").rglob("*"):
        assert not file.is_file() or KEY.encode() not in file.read_bytes(), file


def test_the_model_and_the_key_that_are_set_answer_and_another_form_is_spoken_where_it_is_asked_for(tmp_path):
    pytest.importorskip("anthropic")
    with ModelServer([says("One."), says("Two.")], keys=[KEY]) as server, opened(tmp_path) as arc:
        arc.home.config_file.write_text(
            f'[model]\nname = "anthropic/claude-sonnet-5"\nbase_url = "{server.url}"\n'
        )
        write_key(arc.home.credentials_file, "anthropic", server.url, KEY)
        agent = arc.agent(cwd=tmp_path)
        assert (agent.turn("hi").text, server.requests[0].path) == ("One.", "/v1/messages")
        assert agent.responder.window == 1_000_000
        arc.home.config_file.write_text(
            f'[model]\nname = "m"\nprovider = "acme"\nbase_url = "{server.url}/v1"\n'
        )
        write_key(arc.home.credentials_file, "acme", server.url, KEY)
        agent.switch(arc.responder())
        assert (agent.turn("and now?").text, server.requests[1].path) == ("Two.", "/v1/chat/completions")
        agent.close()


def test_without_a_model_rules_answer_whatever_keys_lie_about(tmp_path):
    with opened(tmp_path, OPENAI_API_KEY=KEY, ANTHROPIC_API_KEY=KEY) as arc:
        assert not arc.agent(cwd=tmp_path).responder.is_model


def test_a_model_that_cannot_be_asked_is_refused_before_anything_begins(tmp_path):
    with opened(tmp_path) as arc:
        with pytest.raises(NoModelKey, match="OPENAI_API_KEY"):
            arc.agent("openai/gpt-5.6", cwd=tmp_path)
        with pytest.raises(UnknownModelProvider):
            arc.agent("gpt-5.6", cwd=tmp_path)
        assert arc.counts()["sessions"] == 0


def test_what_is_not_known_of_a_model_is_told(tmp_path):
    told = []
    with ModelServer([says("Hi.")]) as server, opened(tmp_path, ARCHIVIST_BASE_URL=f"{server.url}/v1") as arc:
        agent = arc.agent("test-model", cwd=tmp_path, on_event=told.append)
        assert told == []  # to look it up takes its time, which nobody waits for who has said nothing yet
        agent.turn("hi")
    assert [event.notice.code for event in told if isinstance(event, Told)] == [
        "window-assumed",
        "price-unknown",
    ]


def test_a_provider_that_repeats_the_key_in_its_refusal_does_not_get_it_shown(tmp_path):
    refusal = fails(401, f"Incorrect API key provided: {KEY}")
    assert isinstance(refusal, Failure)
    environ = {"ARCHIVIST_API_KEY": KEY}
    with (
        ModelServer([refusal]) as server,
        opened(tmp_path, **environ, ARCHIVIST_BASE_URL=f"{server.url}/v1") as arc,
    ):
        agent = arc.agent("openai/gpt-4o", cwd=tmp_path)
        turn = agent.turn("hi")
        assert turn.stop == "failed"
        assert "refuses the key" in turn.error
        assert KEY not in turn.error
        agent.close()


def test_the_prompt_that_is_shown_names_the_model_without_its_key_and_asks_nobody(tmp_path):
    with opened(tmp_path, ARCHIVIST_MODEL="vllm/box", ARCHIVIST_BASE_URL="http://127.0.0.1:1/v1") as arc:
        assert "vllm/box" in arc.prompt(folder=tmp_path).text
    with opened(tmp_path, ARCHIVIST_MODEL="openai/gpt-4o") as arc:
        assert "openai/gpt-4o" in arc.prompt(folder=tmp_path).text


@pytest.mark.parametrize(
    ("environ", "verdict", "told"),
    [
        ({}, "ok", "none is named"),
        ({"ARCHIVIST_MODEL": "ollama/x"}, "ok", "ollama/x at http://localhost:11434/v1, without a key"),
        ({"ARCHIVIST_MODEL": "groq/x"}, "warning", "set GROQ_API_KEY"),
        ({"ARCHIVIST_MODEL": "groq/x", "GROQ_API_KEY": KEY}, "ok", "its key in GROQ_API_KEY"),
        ({"ARCHIVIST_MODEL": "x"}, "warning", "names no provider"),
        ({"ARCHIVIST_MODEL": "groq/x", "ARCHIVIST_API_KEY": "two words"}, "warning", "is no key"),
    ],
)
def test_doctor_tells_which_model_is_asked_and_what_stands_against_it(tmp_path, environ, verdict, told):
    with opened(tmp_path, **environ) as arc:
        found = next(one for one in arc.doctor().findings if one.subject == "model")
    assert (found.verdict, told in found.text) == (verdict, True), found
    assert KEY not in found.text

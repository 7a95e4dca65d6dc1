"""An agent whose models fail, from what is set to what is stored and shown: over sockets, and with the clock of the test."""

import contextlib

import pytest
from tests.conftest import Clock
from tests.model_server import ModelServer, Reply, calls, fails, says

from archivist import Archivist
from archivist.config.credentials import write_key
from archivist.loop.events import Compressed, Said, Told
from archivist.models import steady

pytest.importorskip("openai")
pytest.importorskip("anthropic")

KEY, OTHER = "k-very-much-a-secret-1", "k-another-secret-2"


@pytest.fixture
def clock(monkeypatch):
    """The clock of the home, which waits of models move."""
    made = Clock()
    monkeypatch.setattr(
        steady.Steady.__init__, "__kwdefaults__", {"wait": lambda seconds, _: made.advance(seconds=seconds)}
    )
    return made


class Scene:
    """A home with two providers, each at a server of its own."""

    def __init__(self, path, clock, first, second):
        self.first, self.second = first, second
        self.events, self.path = [], path
        self.arc = Archivist.open(path / "home", clock=clock, environ={})
        self.arc.home.config_file.write_text(
            f'[model]\nname = "m"\nprovider = "acme"\nbase_url = "{first.url}/v1"\n'
            f'fallback = [{{ name = "anthropic/claude-sonnet-5", base_url = "{second.url}" }}]\n'
        )
        write_key(self.arc.home.credentials_file, "acme", f"{first.url}/v1", KEY)
        write_key(self.arc.home.credentials_file, "anthropic", second.url, OTHER)

    def agent(self):
        return self.arc.agent(cwd=self.path, on_event=self.events.append)

    @property
    def lines(self):
        return [str(one.notice) for one in self.events if isinstance(one, Told)]


@pytest.fixture
def scene(tmp_path, clock):
    """Opens a home; what is answered first and second by each provider."""
    with contextlib.ExitStack() as stack:

        def make(first, second):
            servers = [stack.enter_context(ModelServer(script)) for script in (first, second)]
            made = Scene(tmp_path, clock, *servers)
            stack.callback(made.arc.close)
            return made

        yield make


def test_a_limit_is_waited_for_and_told(scene):
    made = scene([fails(429, "rate limit reached"), says("Hello.")], [says("no")])
    agent = made.agent()
    turn = agent.turn("hi")
    assert (turn.text, turn.stop, turn.requests) == ("Hello.", "end", 1)
    assert any(line.startswith("acme/m: rate limited: waiting ") for line in made.lines)
    assert not made.second.requests
    agent.close()


def test_another_provider_goes_on_in_its_own_form_and_the_switch_begins_an_epoch(scene):
    made = scene([says("One."), fails(402, "no credit")], [says("Two.")])
    agent = made.agent()
    assert agent.turn("first").text == "One."
    assert agent.turn("second").text == "Two."
    assert agent.responder.name == "anthropic/claude-sonnet-5"
    assert "acme/m: no credit: anthropic/claude-sonnet-5 is asked instead" in made.lines
    request = made.second.requests[0]
    assert (request.path, request.key) == ("/v1/messages", OTHER)
    assert "One." in request.words
    rows = made.arc._store.read(lambda db: list(db.execute("SELECT began FROM requests ORDER BY epoch")))
    began = [row[0] for row in rows]
    assert began == ["start", "model"]
    agent.close()


def test_a_turn_whose_model_fails_between_calls_goes_on_elsewhere(scene):
    """Calls and results of one provider, and what was thought there, are valid at the other."""
    made = scene(
        [calls("recall", {"query": "lamps"}, reasoning="Where?"), fails(401, "no such key")], [says("Here.")]
    )
    agent = made.agent()
    turn = agent.turn("where are the lamps?")
    assert (turn.text, turn.stop, turn.requests) == ("Here.", "end", 2)
    request = made.second.requests[0]
    assert not request.problem
    kinds = [block["type"] for one in request.body["messages"] for block in one["content"]]
    assert kinds == ["text", "tool_use", "tool_result"]
    assert "Where?" not in request.words
    agent.close()


def test_a_fallback_with_less_room_has_the_conversation_made_shorter_for_it(scene):
    long = [says(f"Line {number}. " + "word " * 400) for number in range(8)]
    overflow = fails(400, "prompt is too long: 9000 tokens > 6000 maximum")
    made = scene([*long, fails(402, "no credit")], [overflow, says("A summary."), says("Short.")])
    agent = made.agent()
    for number in range(8):
        agent.turn(f"tell {number} " + "more " * 300)
    turn = agent.turn("and now?")
    assert (turn.text, turn.stop) == ("Short.", "end"), turn.error
    assert agent.responder.window == 6_000
    assert any("has room for 6,000 tokens alone" in line for line in made.lines)
    agent.close()


def test_what_is_too_long_is_made_shorter_and_asked_again(scene):
    long = [says(f"Line {number}. " + "word " * 400) for number in range(8)]
    made = scene([*long, fails(400, "maximum context length is 6000 tokens"), says("Short.")], [says("no")])
    agent = made.agent()
    for number in range(8):
        agent.turn(f"tell {number} " + "more " * 300)
    turn = agent.turn("and now?")
    assert turn.text == "Short.", turn.error
    assert any(isinstance(event, Compressed) for event in made.events)
    assert len(made.first.requests[-1].raw) < len(made.first.requests[8].raw)
    assert "and now?" in made.first.requests[-1].words
    agent.close()


def test_what_was_shown_is_kept_and_marked_and_nobody_is_asked_again(scene):
    made = scene([Reply("a rather long answer " * 5, cut_after=5), says("on")], [says("no")])
    agent = made.agent()
    turn = agent.turn("hi")
    shown = "".join(event.text for event in made.events if isinstance(event, Said))
    assert turn.stop == "failed"
    assert "what had come is kept" in turn.error
    kept = agent.session.messages("all")[-1]
    assert (kept.text, kept.metadata["interrupted"]) == (shown, True)
    assert agent.turn("go on").text == "on"
    assert not made.second.requests
    agent.close()


def test_an_empty_reply_in_whose_place_another_is_asked_is_counted(scene):
    made = scene([says("", output=5)], [says("Here.", output=7)])
    agent = made.agent()
    turn = agent.turn("hi")
    assert (turn.text, turn.usage.requests, turn.usage.output) == ("Here.", 2, 12)
    assert sum(usage.output for usage in agent.session.usage()) == 12
    agent.close()


def test_a_provider_that_declines_is_no_fault(scene):
    made = scene([fails(400, "flagged by our usage policy", code="invalid_prompt")], [says("no")])
    agent = made.agent()
    turn = agent.turn("hi")
    assert turn.stop == "failed"
    assert len(made.first.requests) == 1
    assert not made.second.requests
    agent.close()


def test_a_fallback_that_cannot_be_asked_is_told_and_left_out(tmp_path, clock):
    with (
        ModelServer([says("Hello.")]) as server,
        Archivist.open(tmp_path / "home", clock=clock, environ={}) as arc,
    ):
        arc.home.config_file.write_text(
            f'[model]\nname = "m"\nprovider = "acme"\nbase_url = "{server.url}/v1"\n'
            'fallback = ["groq/x", { name = "nobody" }]\n'
        )
        told = []
        agent = arc.agent(cwd=tmp_path, on_event=told.append)
        lines = [event.notice for event in told if event.notice.code == "fallback-left-out"]
        assert len(lines) == 2
        assert "GROQ_API_KEY" in str(lines[0])
        assert agent.turn("hi").text == "Hello."
        agent.close()


def test_doctor_tells_of_each_model_that_may_be_asked(tmp_path, clock):
    with Archivist.open(tmp_path / "home", clock=clock, environ={"OPENAI_API_KEY": KEY}) as arc:
        arc.home.config_file.write_text(
            '[model]\nname = "openai/gpt-4o"\nfallback = ["ollama/qwen3:32b", "groq/x", "openai/gpt-4o"]\n'
        )
        found = [one for one in arc.doctor().findings if one.subject == "model"]
    assert [one.verdict for one in found] == ["ok", "ok", "warning"]
    assert found[1].text.startswith("fallback ollama/qwen3:32b at http://localhost:11434/v1")
    assert "fallback groq/x is not asked" in found[2].text
    assert "GROQ_API_KEY" in found[2].text

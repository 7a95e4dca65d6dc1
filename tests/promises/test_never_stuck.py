"""An agent goes on: what people reported of agents that stopped, over sockets, in a home, with the clock of the test."""

import contextlib
import json

import pytest
from tests.conftest import Clock
from tests.model_server import Call, ModelServer, Reply, fails, says
from tests.model_server.anthropic_form import sign

from archivist import Archivist, Message, check_messages
from archivist.config.credentials import write_key
from archivist.loop.events import Called, Compressed, Returned
from archivist.models.steady import Steady

pytest.importorskip("openai")
pytest.importorskip("anthropic")


class Scene:
    """A home whose model is a server of this machine, and an agent in it; waits move the clock."""

    def __init__(self, path, clock, server, wire="openai", more=""):
        self.path, self.server, self.events, self.clock = path, server, [], clock
        self.began, self.stop_at = clock(), None
        self.home = path / "home"
        self.home.mkdir(exist_ok=True)
        url = f"{server.url}/v1" if wire == "openai" else server.url
        named = (
            f'name = "m"\nprovider = "acme"\nwire = "{wire}"\nbase_url = "{url}"\nkey_env = "ACME_API_KEY"\n'
        )
        (self.home / "config.toml").write_text(f"[model]\n{named}{more}")

    @contextlib.contextmanager
    def agent(self, *keys, session=None):
        environ = {"ACME_API_KEY": ",".join(keys or KEYS[:1])}
        with Archivist.open(self.home, clock=self.clock, environ=environ) as self.arc:
            agent = self.arc.agent(cwd=self.path, on_event=self._see, session=session)
            yield agent
            agent.close()

    def _see(self, event):
        self.events.append(event)
        if self.stop_at and isinstance(event, self.stop_at[0]):
            self.stop_at[1]()

    def of(self, kind):
        return [event for event in self.events if isinstance(event, kind)]

    @property
    def keys(self):
        """With which it was asked, in order."""
        return [request.key for request in self.server.requests]

    @property
    def waited(self):
        """Seconds, since it began."""
        return (self.clock() - self.began).total_seconds()


@pytest.fixture
def clock(monkeypatch):
    made = Clock()
    monkeypatch.setitem(
        Steady.__init__.__kwdefaults__, "wait", lambda seconds, _: made.advance(seconds=seconds)
    )
    return made


@pytest.fixture
def scene(tmp_path, clock):
    """Opens a home at a server that answers by a script."""
    with contextlib.ExitStack() as stack:
        yield lambda script, **more: Scene(tmp_path, clock, stack.enter_context(ModelServer(script)), **more)


@pytest.fixture(params=["openai", "anthropic"])
def wire(request):
    return request.param


class TestCalls:
    ADD = "{'action': 'add', 'content': 'the port is 8443',}"

    def test_one_in_another_dress_is_made_and_sent_again_as_what_it_was_meant_to_be(self, scene, wire):
        made = scene([Reply(calls=(Call("functions.Memory", raw=self.ADD),)), says("Noted.")], wire=wire)
        with made.agent() as agent:
            assert agent.turn("the port is 8443").text == "Noted."
            assert [entry.text for entry in made.arc.notes.entries("memory")] == ["the port is 8443"]
            assert [event.call.name for event in made.of(Called)] == ["memory"]
        second = made.server.requests[1]
        assert not second.problem
        assert called(second.body, wire) == ("memory", {"action": "add", "content": "the port is 8443"})

    def test_one_that_could_be_meant_otherwise_goes_back_to_the_model(self, scene, wire):
        torn = Call("memory", raw='{"action": "add", "content": "the port is 84')
        whole = Call("memory", {"action": "add", "content": "the port is 8443"})
        made = scene([Reply(calls=(torn,)), Reply(calls=(whole,)), says("Noted.")], wire=wire)
        with made.agent() as agent:
            assert agent.turn("the port is 8443").text == "Noted."
            assert [entry.text for entry in made.arc.notes.entries("memory")] == ["the port is 8443"]
            assert not check_messages(agent.session.sent())
        first, second = made.of(Returned)
        assert (first.is_failure, second.is_failure) == (True, False)
        assert "the arguments are no JSON" in first.text
        assert "the arguments are no JSON" in made.server.requests[1].words
        assert not [request.problem for request in made.server.requests if request.problem]

    def test_one_of_a_tool_that_there_is_not_goes_back_to_the_model(self, scene, wire):
        made = scene([Reply(calls=(Call("remember", {"text": "x"}),)), says("I cannot.")], wire=wire)
        with made.agent() as agent:
            assert agent.turn("remember x").text == "I cannot."
        assert "there is no tool 'remember': use one of memory" in made.of(Returned)[0].text


KEYS = [f"k-very-much-a-secret-{number:04}" for number in range(10)]


class TestKeys:
    def test_each_of_ten_is_asked_though_nine_are_limited(self, scene, wire):
        """NousResearch/hermes-agent#16830: another key is no other try."""
        limit = fails(429, "rate limit reached", headers=(("retry-after", "900"),))
        made = scene([*[limit] * 9, says("Ten.")], wire=wire)
        with made.agent(*KEYS) as agent:
            assert agent.turn("hi").text == "Ten."
        assert made.keys == KEYS
        assert made.waited == 0

    def test_an_account_that_was_topped_up_is_used_again_two_minutes_later(self, scene):
        """NousResearch/hermes-agent#33049: also by whoever begins anew."""
        made = scene([fails(402, "no credit"), says("Back.")])
        with made.agent() as agent:
            assert "no credit" in agent.turn("hi").error
        made.clock.advance(minutes=2)
        with made.agent() as agent:
            assert agent.turn("and now?").text == "Back."

    @pytest.mark.parametrize("failure", [fails(402, "no credit"), fails(401, "no such key")])
    def test_one_that_rests_keeps_no_new_one_from_being_used(self, scene, failure):
        """NousResearch/hermes-agent#21950: what the environment says now goes before what is kept."""
        made = scene([failure, says("New.")])
        write_key(made.home / "credentials.toml", "acme", f"{made.server.url}/v1", KEYS[0])
        with made.agent("") as agent:
            assert agent.turn("hi").stop == "failed"
        with made.agent(KEYS[1]) as agent:
            assert agent.turn("hi").text == "New."
            assert agent.turn("again").text == "New."
        assert made.keys == [KEYS[0], KEYS[1], KEYS[1]]

    def test_the_only_one_is_asked_again_soon_where_nothing_says_when(self, scene, wire):
        """NousResearch/hermes-agent PR76598"""
        made = scene([fails(429, "slow down"), fails(429, "slow down"), says("Here.")], wire=wire)
        with made.agent() as agent:
            assert agent.turn("hi").text == "Here."
            assert made.waited < 60
            assert agent.turn("and now?").text == "Here."
        assert made.waited < 60

    def test_an_empty_account_is_asked_once(self, scene, wire):
        """NousResearch/hermes-agent#31273"""
        made = scene([fails(402, "no credit")], wire=wire)
        with made.agent() as agent:
            assert "no credit" in agent.turn("hi").error
        assert (len(made.server.requests), made.waited) == (1, 0)


class TestWhatIsNoFullWindow:
    @pytest.mark.parametrize(
        ("failure", "is_asked_again"),
        [
            (fails(400, "invalid request"), False),
            (fails(400, "CUDA error: out of memory"), True),
            (fails(429, "Rate limit reached: Limit 40000 tokens per minute, context 400"), True),
        ],
        ids=["a request that is refused", "a graphics card that is full", "a limit of tokens"],
    )
    def test_shortens_no_conversation(self, scene, failure, is_asked_again):
        """NousResearch/hermes-agent#16351, #52261, PR107605"""
        said = [says(f"Line {number}. " + "word " * 400) for number in range(8)]
        made = scene([*said, failure, says("Here.")], more="window = 1000000\n")
        with made.agent() as agent:
            for number in range(8):
                agent.turn(f"turn {number} " + "more " * 300)
            first = agent.session.id
            assert agent.turn("and now?").text == ("Here." if is_asked_again else "")
            assert agent.session.id == first
            assert agent.turn("and then?").text == "Here."
        assert not made.of(Compressed)
        assert "Line 0." in made.server.requests[-1].words


class TestReplies:
    def test_one_that_is_empty_again_and_again_goes_to_another_model(self, scene):
        """NousResearch/hermes-agent#7180"""
        with ModelServer([says("Here.")]) as other:
            fallback = f'fallback = [{{ name = "ollama/b", base_url = "{other.url}/v1" }}]\n'
            made = scene([says("")], more=fallback)
            with made.agent() as agent:
                for number in range(3):
                    assert agent.turn(f"turn {number}").text == "Here."
        assert len(other.requests) == 3

    def test_an_error_is_no_part_of_the_conversation(self, scene, wire):
        """NousResearch/hermes-agent#64446"""
        words = "you are being throttled, walrus"
        made = scene([fails(402, words), says("Here.")], wire=wire)
        with made.agent() as agent:
            assert words in agent.turn("hi").error
            made.clock.advance(minutes=10)
            assert agent.turn("and now?").text == "Here."
            assert "walrus" not in repr(agent.session.messages("all"))
        assert "walrus" not in made.server.requests[-1].words

    def test_an_error_in_the_middle_of_a_reply_is_none_of_its_words(self, scene, wire):
        """NousResearch/hermes-agent#64446: what had come is kept, marked as broken off."""
        made = scene([torn(wire), says("Here.")], wire=wire)
        with made.agent() as agent:
            turn = agent.turn("hi")
            assert (turn.stop, turn.text) == ("failed", "Half of it")
            kept = agent.session.messages("all")[-1]
            assert (kept.text, kept.metadata["interrupted"]) == ("Half of it", True)
            assert agent.turn("and now?").text == "Here."
        assert "walrus" not in made.server.requests[-1].words
        assert not made.server.requests[-1].problem

    def test_thoughts_that_are_refused_are_left_out_and_the_turn_goes_on(self, scene):
        """NousResearch/hermes-agent PR6112, PR36250"""
        refusal = fails(400, "messages.1.content.0: Invalid `signature` in `thinking` block")
        one = says("One.", reasoning="walrus first")
        made = scene([one, refusal, says("Two.", reasoning="lantern")], wire="anthropic")
        with made.agent() as agent:
            assert [agent.turn("a").text, agent.turn("b").text, agent.turn("c").text] == [
                "One.",
                "Two.",
                "Two.",
            ]
        assert ["walrus" in request.words for request in made.server.requests] == [False, True, False, False]

    def test_two_with_thoughts_behind_one_another_are_sent_with_each_block_as_it_was_signed(self, scene):
        """NousResearch/hermes-agent PR36250: a message that was not answered leaves two replies that are sent as one."""
        made = scene([says("One.", reasoning="first")], wire="anthropic")
        with made.agent() as agent:
            agent.turn("hi")
            agent.session.append(Message.assistant("Two.", reasoning=thought("second")))
            assert agent.turn("and now?").text == "One."
        request = made.server.requests[-1]
        assert not request.problem
        kinds = [block["type"] for block in request.body["messages"][1]["content"]]
        assert kinds == ["thinking", "text", "thinking", "text"]

    def test_a_conversation_that_ends_in_a_thought_goes_on(self, scene):
        """anthropics/claude-code#10199"""
        made = scene([says("One.", reasoning="first")], wire="anthropic")
        with made.agent() as agent:
            agent.turn("hi")
            agent.session.append_many(
                [Message.user("more"), Message.assistant("", reasoning=thought("second"))]
            )
        with made.agent(session=agent.conversation_id) as agent:
            assert agent.turn("and now?").text == "One."
        request = made.server.requests[-1]
        assert ("first" in request.words, "second" in request.words) == (True, False)
        assert not [request.problem for request in made.server.requests if request.problem]

    def test_a_reply_that_broke_off_in_its_thought_leaves_a_conversation_that_goes_on(self, scene):
        """anthropics/claude-code#10199"""
        torn = Reply("Never said.", "a long thought " * 9, cut_after=5)
        made = scene([torn, torn, torn, torn, says("Here.")], wire="anthropic")
        with made.agent() as agent:
            assert agent.turn("hi").stop == "failed"
            assert agent.turn("and now?").text == "Here."
        assert len(made.server.requests) == 5
        assert not [request.problem for request in made.server.requests if request.problem]

    def test_a_turn_that_is_stopped_while_a_tool_runs_leaves_each_call_with_its_result(self, scene, wire):
        """openclaw/openclaw#9958"""
        both = (Call("recall", {"query": "a"}), Call("recall", {"query": "b"}))
        made = scene([Reply(calls=both), says("Here.")], wire=wire)
        with made.agent() as agent:
            made.stop_at = Called, agent.interrupt
            assert agent.turn("hi").stop == "interrupted"
            made.stop_at = None
            assert agent.turn("go on").text == "Here."
            results = [one for one in agent.session.messages() if one.role == "tool"]
            calls = [call.id for one in agent.session.messages() for call in one.tool_calls]
        assert [one.tool_call_id for one in results] == calls
        assert results[1].text.startswith("not run: the user stopped the turn")
        assert not [request.problem for request in made.server.requests if request.problem]


def torn(wire):
    """A reply in whose middle its server says that it cannot go on."""
    if wire == "openai":
        begun = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m"}
        delta = {"index": 0, "delta": {"role": "assistant", "content": "Half of it"}, "finish_reason": None}
        said = [("", {**begun, "choices": [delta]}), ("", {"error": {"message": "walrus", "code": 429}})]
    else:
        usage = {"input_tokens": 5, "output_tokens": 1}
        begun = {"id": "m", "type": "message", "role": "assistant", "model": "m", "content": []}
        text = {"type": "text_delta", "text": "Half of it"}
        said = [
            ("message_start", {"message": {**begun, "stop_reason": None, "usage": usage}}),
            ("content_block_start", {"index": 0, "content_block": {"type": "text", "text": ""}}),
            ("content_block_delta", {"index": 0, "delta": text}),
            ("error", {"error": {"type": "overloaded_error", "message": "walrus"}}),
        ]
    lines = [
        f"event: {name}\ndata: {json.dumps({'type': name, **data})}\n\n"
        if name
        else f"data: {json.dumps(data)}\n\n"
        for name, data in said
    ]
    return fails(200, headers=(("content-type", "text/event-stream"),), body="".join(lines).encode())


def thought(words):
    return json.dumps([{"type": "thinking", "thinking": words, "signature": sign(words)}])


def called(body, wire):
    """The call that a request repeats."""
    (said,) = (one for one in body["messages"] if one["role"] == "assistant")
    if wire == "anthropic":
        (block,) = said["content"]
        return block["name"], block["input"]
    (call,) = said["tool_calls"]
    return call["function"]["name"], json.loads(call["function"]["arguments"])

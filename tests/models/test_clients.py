"""Models asked over a socket, by the official clients, in both forms."""

import contextlib
import gc
import json
import signal
import socket
import ssl
import subprocess
import sys
import threading
import time
import traceback
import weakref
from contextlib import contextmanager

import pytest
from tests.model_server import Call, Failure, Hangup, Reply, says

from archivist.models.anthropic_client import AnthropicResponder
from archivist.models.endpoints import Endpoint
from archivist.models.failing import explained
from archivist.models.openai_client import OpenAIResponder
from archivist.models.responder import Interrupt, ModelFailed
from archivist.records import Message, ToolCall
from archivist.records.requests import Request, TextPiece, ThoughtPiece, ToolSpec

pytest.importorskip("openai")
pytest.importorskip("anthropic")

TOOLS = (ToolSpec("read", "Reads a file.", {"properties": {"path": {"type": "string"}}}),)
CALLED = Reply(
    "Let me see.", "Two files matter.", (Call("read", {"path": "a.py"}), Call("read", {"path": "größe.py"}))
)
SECONDS = 10
KINDS = {"openai": OpenAIResponder, "anthropic": AnthropicResponder}


@pytest.fixture(params=sorted(KINDS))
def wire(request):
    return request.param


@pytest.fixture
def responder(endpoint, wire):
    """Makes responders at a server, and closes them."""
    made = []

    def at(server, *, cost=None, timeout=SECONDS, **more):
        made.append(KINDS[wire](endpoint(server, wire, **more), cost=cost, timeout=timeout))
        return made[-1]

    yield at
    for one in made:
        one.close()


@contextmanager
def standing_open():
    """A server that answers with comments alone, until whoever asked is gone."""

    def serve():
        connection, _ = listener.accept()
        connection.recv(65_536)
        head = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n"
        with contextlib.suppress(OSError), connection:
            while True:
                connection.sendall(head + b": still here\n\n")
                head = b""
                time.sleep(0.02)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield type("Place", (), {"url": f"http://127.0.0.1:{listener.getsockname()[1]}"})
        thread.join(SECONDS)
        assert not thread.is_alive()


def asks(text="what now?", *more):
    return Request("m", ({"role": "user", "content": text}, *more), "Be short.", TOOLS, conversation="c1")


def ask(responder, request=None, interrupt=None):
    """The reply and the pieces."""
    heard = []
    return responder.respond(request or asks(), heard.append, interrupt or Interrupt()), heard


def test_what_comes_is_told_as_it_comes_and_given_whole(served, responder):
    reply, heard = ask(responder(served([says("a rather long answer, in pieces")])))
    assert reply.text == "a rather long answer, in pieces" == "".join(piece.text for piece in heard)
    assert len(heard) > 1
    assert (reply.stop, reply.tool_calls, reply.reasoning, reply.model) == ("end", (), None, "m")


def test_parallel_calls_and_thoughts_come_whole(served, responder):
    reply, heard = ask(responder(served([CALLED])))
    assert [json.loads(call.arguments) for call in reply.tool_calls] == [
        {"path": "a.py"},
        {"path": "größe.py"},
    ]
    assert len({call.id for call in reply.tool_calls}) == 2
    assert (reply.text, reply.stop) == ("Let me see.", "calls")
    thoughts = "".join(piece.text for piece in heard if isinstance(piece, ThoughtPiece))
    assert thoughts == "Two files matter."
    assert "Two files matter." in reply.reasoning


@pytest.mark.parametrize(("stop", "told"), [("length", "length"), ("content_filter", "refusal")])
def test_why_it_stopped_is_told(served, responder, stop, told):
    reply, _ = ask(responder(served([says("as far as", stop=stop)])))
    assert (reply.text, reply.stop) == ("as far as", told)


def test_what_is_used_is_counted_and_priced(served, responder):
    def cost(model, usage):
        assert model == "m"
        return usage.input * 1e-6 + usage.output * 2e-6

    server = served([says("hello", output=7)])
    reply, _ = ask(responder(server, cost=cost))
    spent = server.requests[0].spent
    assert (reply.usage.input, reply.usage.output) == (spent.fresh, 7)
    assert reply.usage.cost_usd == pytest.approx(spent.fresh * 1e-6 + 14e-6)


def test_a_tool_is_called_by_the_name_that_it_has_here(served, responder):
    """Its provider is told another where it does not take the characters."""

    def answer(body):
        tool = body["tools"][0]
        return Reply(calls=(Call(tool.get("name") or tool["function"]["name"]), Call("read")))

    tools = (ToolSpec("mcp.files/read", "Reads.", {}), *TOOLS)
    request = Request("m", ({"role": "user", "content": "x"},), tools=tools)
    reply, _ = ask(responder(served(answer)), request)
    assert [call.name for call in reply.tool_calls] == ["mcp.files/read", "read"]


def test_a_second_request_reads_what_the_first_left(served, responder):
    server = served([says("one"), says("two")])
    asked = responder(server)
    first = Request("m", ({"role": "user", "content": "x" * 8_000},), "Be kind. " * 900, TOOLS)
    reply, _ = ask(asked, first)
    more = ({"role": "assistant", "content": reply.text}, {"role": "user", "content": "and now?"})
    again, _ = ask(asked, Request("m", first.messages + more, first.system, TOOLS))
    used, spent = again.usage, server.requests[1].spent
    assert used.cache_read == spent.read > 3_500
    assert (used.input, used.cache_write) == (spent.fresh, spent.written)
    assert used.input + used.cache_write < 300


def test_tools_prompt_and_key_arrive(served, responder, wire):
    server = served([says("ok")], keys=["sk-here"])
    ask(responder(server, api_key="sk-here"))
    body = server.requests[0].body
    assert server.requests[0].key == "sk-here"
    tool = body["tools"][0]
    if wire == "openai":
        assert tool["function"]["parameters"]["type"] == "object"
        assert body["messages"][0] == {"role": "system", "content": "Be short."}
        assert "prompt_cache_key" not in body
    else:
        assert tool["input_schema"]["type"] == "object"
        assert body["system"] == [{"type": "text", "text": "Be short."}]


def test_a_turn_goes_round_as_it_is_stored(served, responder, wire):
    """What a reply keeps for its provider comes back to the letter, through the store's own form."""
    from archivist.compress.sending import sendable

    server = served([CALLED, says("done")])
    asked = responder(server)
    reply, _ = ask(asked)
    rows = [
        Message.user("what now?"),
        Message.assistant(reply.text, tool_calls=reply.tool_calls, reasoning=reply.reasoning),
        *(Message("tool", "ok", tool_call_id=call.id, tool_name=call.name) for call in reply.tool_calls),
    ]
    again, _ = ask(asked, Request("m", tuple(sendable(rows, in_flight=False)), "Be short.", TOOLS))
    assert again.text == "done"
    said = next(one for one in server.requests[1].body["messages"] if one["role"] == "assistant")
    if wire == "anthropic":
        assert [block["type"] for block in said["content"]] == ["thinking", "text", "tool_use", "tool_use"]
    else:
        assert said["reasoning_content"] == "Two files matter."


def within(seconds, holds):
    """Whether something comes to hold in time."""
    until = time.monotonic() + seconds
    while not holds() and time.monotonic() < until:
        gc.collect()
        time.sleep(0.02)
    return holds()


class TestInterrupts:
    def test_while_the_server_has_not_answered(self, served, responder):
        interrupt, began = Interrupt(), time.monotonic()
        threading.Timer(0.2, interrupt.set).start()
        reply, _ = ask(responder(served([Hangup(after=SECONDS)])), interrupt=interrupt)
        assert time.monotonic() - began < SECONDS / 2
        assert (reply.text, reply.stop) == ("", "interrupted")

    def test_while_it_is_silent_in_the_middle(self, served, responder, wire):
        interrupt, heard = Interrupt(), []
        server = served([Reply("well, now that you ask", pause=0.25)])
        began = time.monotonic()

        def hear(piece):
            heard.append(piece)
            threading.Timer(0.05, interrupt.set).start()

        reply = responder(server).respond(asks(), hear, interrupt)
        assert time.monotonic() - began < 4
        assert (reply.text, reply.stop) == ("well, now th", "interrupted")
        assert reply.text == "".join(piece.text for piece in heard)

    def test_half_calls_and_what_was_thought_for_them_are_left_out(self, served, responder):
        interrupt = Interrupt()
        server = served([Reply("Let me", "hm", (Call("read", {"path": "x" * 100_000}),), pause=0.001)])

        def hear(piece):
            if isinstance(piece, TextPiece):
                threading.Timer(0.05, interrupt.set).start()

        reply = responder(server).respond(asks(), hear, interrupt)
        assert (reply.text, reply.tool_calls, reply.stop) == ("Let me", (), "interrupted")

    def test_the_provider_stops_writing_and_nothing_is_asked_again(self, responder, wire):
        closed = threading.Event()
        asked = []

        def serve(listener):
            connection, _ = listener.accept()
            asked.append(connection.recv(65_536))
            interrupt.set()
            while connection.recv(65_536):
                pass
            closed.set()
            connection.close()

        interrupt = Interrupt()
        with socket.create_server(("127.0.0.1", 0)) as listener:
            threading.Thread(target=serve, args=(listener,), daemon=True).start()
            place = type("Place", (), {"url": f"http://127.0.0.1:{listener.getsockname()[1]}"})
            reply, _ = ask(responder(place), interrupt=interrupt)
            assert reply.stop == "interrupted"
            assert closed.wait(SECONDS)
            listener.settimeout(1)
            with pytest.raises(TimeoutError):
                listener.accept()

    def test_the_next_request_is_answered(self, served, responder):
        interrupt, answers = Interrupt(), iter([Hangup(after=SECONDS), says("here")])

        def answer(_body):
            interrupt.set()
            return next(answers)

        asked = responder(served(answer))
        assert ask(asked, interrupt=interrupt)[0].stop == "interrupted"
        assert ask(asked)[0].text == "here"

    def test_the_client_on_which_was_hung_up_is_let_go(self, served, responder):
        interrupts = [Interrupt() for _ in range(3)]
        waiting, clients = iter(interrupts), []

        def answer(_body):
            next(waiting).set()
            return Reply("well, now that you ask", pause=0.02)

        asked = responder(served(answer))
        for interrupt in interrupts:
            ask(asked, interrupt=interrupt)
            clients.append(weakref.ref(asked._client))
        assert within(SECONDS, lambda: sum(client() is not None for client in clients) == 1)

    def test_one_that_was_set_before_asks_nobody(self, served, responder):
        server, interrupt = served([says("no")]), Interrupt()
        interrupt.set()
        assert ask(responder(server), interrupt=interrupt)[0].stop == "interrupted"
        assert not server.requests

    def test_a_whole_reply_that_came_before_is_kept_whole(self, served, responder):
        interrupt = Interrupt()
        asked = responder(served([says("whole")]))
        assert ask(asked, interrupt=interrupt)[0].stop == "end"
        assert interrupt._wakers == []

    @pytest.mark.skipif(sys.platform == "win32", reason="signals")
    def test_from_a_signal_handler(self, served, responder):
        interrupt = Interrupt()
        before = signal.signal(signal.SIGUSR1, lambda *_: interrupt.set())
        timer = threading.Timer(0.2, signal.pthread_kill, [threading.main_thread().ident, signal.SIGUSR1])
        try:
            timer.start()
            reply, _ = ask(responder(served([Hangup(after=SECONDS)])), interrupt=interrupt)
        finally:
            timer.join()  # one that came later would meet no handler
            signal.signal(signal.SIGUSR1, before)
        assert reply.stop == "interrupted"


class TestWhatGoesWrong:
    @pytest.mark.parametrize(
        ("failure", "words"),
        [
            (Failure(401, "Incorrect API key provided: sk-secret-key-1234567890abcdef"), "refuses the key"),
            (Failure(402, "no credit"), "no credit"),
            (Failure(404, "no such model"), "has no model 'm'"),
            (Failure(404, "there is no m here"), "`archivist model list here --remote`"),
            (Failure(404, "Not Found"), "is its base_url right"),
            (Failure(404, body=b""), "that answers; is its base_url right"),
            (Failure(404, body=b'{"detail": "Not Found"}'), "answers: Not Found; is its base_url right"),
            (
                Failure(404, body=b'{"error": "model \'m\' not found"}'),
                "'m': model 'm' not found; `archivist",
            ),
            (Failure(400, body=b'[{"error": {"message": "not so"}}]'), "request (400): not so; try"),
            (Failure(403, "add money: insufficient credit"), "no credit"),
            (Failure(400, "input length and `max_tokens` exceed context limit: 190000 + 32000"), "/compress"),
            (Failure(400, "Please reduce the length of the messages"), "/compress"),
            (Failure(400, "max_tokens: 32000 > 8192, the maximum allowed"), "smaller max_tokens in [model]"),
            (Failure(400, "Range of max_tokens should be [1, 8192]"), "smaller max_tokens in [model]"),
            (Failure(400, "prompt is too long: 1 > 0"), "/compress"),
            (Failure(400, "temperature: out of range"), "temperature: out of range"),
            (Failure(422, "what?"), "refuses the request (422)"),
            (Failure(400, "x is not for this model"), "refuses the request (400)"),
        ],
    )
    def test_a_refusal_is_one_line_that_says_what_to_do(self, served, responder, failure, words):
        with pytest.raises(ModelFailed) as raised:
            ask(responder(served([failure]), api_key="sk-secret-key-1234567890abcdef"))
        line = str(raised.value)
        assert words in line
        assert "\n" not in line
        assert "secret" not in line
        assert raised.value.status == failure.status
        assert raised.value.partial is None

    def test_no_traceback_tells_a_key_that_was_echoed(self, served, responder):
        key = "sk-secret-key-1234567890abcdef"
        for failure in (Failure(401, f"bad: {key}"), Failure(400, "temperature: out of range")):
            with pytest.raises(ModelFailed) as raised:
                ask(responder(served([failure]), api_key=key))
            told = "".join(traceback.format_exception(raised.value))
            assert key not in told
            assert ("out of range" in told) is (failure.status == 400)
            assert (raised.value.__cause__ is None) is (failure.status == 401)

    def test_a_refusal_without_a_key_asks_for_one(self, served, responder):
        with pytest.raises(ModelFailed, match=r"wants a key.*`archivist model set here/m --key`"):
            ask(responder(served([Failure(401, "who are you?")])))

    @pytest.mark.parametrize(
        ("body", "words", "kind"),
        [
            (b'{"error": {"code": 429, "message": "slow down"}}', "asks to wait", "limited"),
            (b'{"error": {"message": "the prompt is too long"}}', "/compress", "too-long"),
            (b'{"error": "no such model"}', "has no model 'm'", "no-model"),
            (b'{"error": ', "is its base_url right", "unread"),
            (b'{"id": "1"}', "is its base_url right", "unread"),
        ],
    )
    def test_a_refusal_that_calls_itself_a_success_is_told_as_one(self, served, responder, body, words, kind):
        with pytest.raises(ModelFailed, match=words) as raised:
            ask(responder(served([Failure(200, body=body)])))
        assert raised.value.kind == kind

    @pytest.mark.parametrize(
        ("status", "said", "words"),
        [
            (429, "busy", "asks to wait"),
            (429, "slow down, or see https://models.example.com/settings/billing", "asks to wait"),
            (503, "busy", "cannot answer now"),
        ],
    )
    def test_what_is_worth_another_try_is_asked_once_by_a_client(
        self, served, responder, status, said, words
    ):
        server = served([Failure(status, said, headers=(("retry-after-ms", "1"),))])
        with pytest.raises(ModelFailed, match=words):
            ask(responder(server))
        assert len(server.requests) == 1

    def test_nobody_there_without_the_password_of_its_address(self, responder):
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = taken.getsockname()[1]
        place = type("Place", (), {"url": f"http://me:secret@127.0.0.1:{port}"})
        with pytest.raises(
            ModelFailed, match=rf"nobody answers at here \(http://127.0.0.1:{port}.*is the server running"
        ) as raised:
            ask(responder(place))
        assert "secret" not in str(raised.value)

    @pytest.mark.parametrize("url", ["http://[half", "127.0.0.1:1"])
    def test_an_address_that_is_none(self, responder, url):
        with pytest.raises(ModelFailed) as raised:
            ask(responder(type("Place", (), {"url": url})))
        assert "base_url" in str(raised.value) or "is the server running" in str(raised.value)

    def test_a_certificate_that_is_not_trusted(self, endpoint):
        import httpx2
        import openai

        error = openai.APIConnectionError(request=httpx2.Request("POST", "https://box.lan"))
        error.__cause__ = ssl.SSLCertVerificationError(
            1, "certificate verify failed: self-signed certificate"
        )
        told = explained(error, Endpoint("box", "openai", "m", "https://box.lan/v1"))
        assert "box (https://box.lan/v1) is not trusted" in str(told)
        assert "SSL_CERT_FILE" in str(told)

    def test_a_proxy_that_cannot_be_used(self, served, responder, monkeypatch):
        monkeypatch.setenv("ALL_PROXY", "what://127.0.0.1:9")
        monkeypatch.setenv("NO_PROXY", "")
        with pytest.raises(ModelFailed, match="proxies"):
            ask(responder(served([says("no")])))

    def test_a_stream_that_breaks_off_keeps_what_had_come(self, served, responder, wire):
        cut = {"openai": 3, "anthropic": 5}[wire]
        server = served([says("a long answer that does not end", cut_after=cut)])
        with pytest.raises(ModelFailed, match="broke off") as raised:
            ask(responder(server))
        partial = raised.value.partial
        assert partial.text == "a long answer that does not end"[:24]
        assert (partial.tool_calls, partial.reasoning) == ((), None)

    def test_one_that_breaks_off_before_it_says_anything(self, served, responder):
        server = served([Reply("late", "a thought that comes first", cut_after=2)])
        with pytest.raises(ModelFailed, match="broke off; say it again"):
            ask(responder(server))

    def test_an_answer_that_is_none(self, served, responder):
        page = Failure(200, body=b"<html>welcome</html>", headers=(("content-type", "text/html"),))
        with pytest.raises(ModelFailed, match="base_url"):
            ask(responder(served([page])))

    def test_events_that_are_no_json(self, served, responder):
        torn = Failure(
            200,
            body=b"event: message_start\ndata: {nope\n\n",
            headers=(("content-type", "text/event-stream"),),
        )
        with pytest.raises(ModelFailed, match="no answer of a model"):
            ask(responder(served([torn])))

    def test_an_error_in_the_stream(self, served, responder):
        told = b'event: error\ndata: {"type": "error", "error": {"type": "overloaded_error", "message": "too busy"}}\n\n'
        with pytest.raises(ModelFailed, match="too busy"):
            ask(
                responder(served([Failure(200, body=told, headers=(("content-type", "text/event-stream"),))]))
            )

    @pytest.mark.parametrize("key", ["sk-größe", "sk-a b", "sk-a\nb"])
    def test_a_torn_key_is_named_and_not_shown(self, served, responder, key):
        with pytest.raises(ModelFailed, match="give it again") as raised:
            ask(responder(served([says("no")]), api_key=key))
        assert key not in str(raised.value)

    def test_it_waits_no_longer_than_it_is_told_to(self, served, responder):
        asked = responder(served([Hangup(after=SECONDS)]), timeout=0.2)
        with pytest.raises(ModelFailed, match="in time"):
            ask(asked)

    def test_a_server_that_only_says_that_it_is_there_is_given_up(self, responder):
        """Comments keep a connection alive, and a client passes over them."""
        with standing_open() as place, pytest.raises(ModelFailed, match="in time"):
            ask(responder(place, timeout=0.2))

    @pytest.mark.parametrize("kind", [KeyError, ValueError, TimeoutError])
    def test_what_a_listener_raises_is_its_own(self, served, responder, kind):
        def hear(piece):
            raise kind(piece.text)

        interrupt = Interrupt()
        with pytest.raises(kind, match="x"):
            responder(served([says("x")])).respond(asks(), hear, interrupt)
        assert interrupt._wakers == []


def test_nothing_is_read_from_the_environment(served, responder, wire, monkeypatch):
    for name in (
        "OPENAI_API_KEY",
        "ANTHROPIC_API_KEY",
        "ANTHROPIC_AUTH_TOKEN",
        "OPENAI_ORG_ID",
        "OPENAI_PROJECT_ID",
    ):
        monkeypatch.setenv(name, "from-the-environment")
    for name in ("OPENAI_CUSTOM_HEADERS", "ANTHROPIC_CUSTOM_HEADERS"):
        monkeypatch.setenv(name, "Authorization: Bearer from-the-environment\nX-Own: from-the-environment")
    for name in ("OPENAI_BASE_URL", "ANTHROPIC_BASE_URL"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    server = served([says("ok")])
    ask(responder(server))
    assert "from-the-environment" not in json.dumps(server.requests[0].headers)
    own = KINDS[wire](Endpoint("p", wire, "m"))
    assert "api." in str(own._opened().base_url)
    own.close()


@pytest.mark.parametrize("client", ["openai", "anthropic"])
def test_a_client_that_is_not_installed_is_named_with_its_extra(client):
    code = f"""
import sys
sys.modules["{client}"] = None
from archivist.models import {client}_client
from archivist.models.endpoints import Endpoint
from archivist.models.responder import Interrupt, ModelFailed
from archivist.records.requests import Request
kind = getattr({client}_client, {client}_client.__all__[0])
try:
    kind(Endpoint("p", "{client}", "m")).respond(Request("m", ({{"role": "user", "content": "x"}},)), print, Interrupt())
except ModelFailed as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.strip().endswith(f"pip install 'archivist[{client}]'"), done.stderr


@pytest.mark.parametrize("client", ["openai", "anthropic"])
def test_a_client_is_loaded_when_it_is_asked_and_not_before(client):
    code = f"""
import sys
import archivist.models.{client}_client
assert not {{"openai", "anthropic", "httpx2"}} & set(sys.modules)
"""
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


def test_two_at_once_do_not_disturb_each_other(served, responder):
    server = served(lambda body: says(str(body["messages"][-1]["content"])[-20:]))
    replies = {}

    def run(number):
        asked = responder(server)
        replies[number] = ask(asked, asks(f"number {number}"))[0].text

    threads = [threading.Thread(target=run, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(f"number {number}" in text for number, text in replies.items())
    assert len(replies) == 4


def test_calls_without_arguments_are_calls_of_nothing(served, responder, wire):
    if wire == "anthropic":
        reply, _ = ask(responder(served([Reply(calls=(Call("read"),))])))
    else:
        reply, _ = ask(responder(served([Reply(calls=(Call("read", raw=""),))])))
    assert reply.tool_calls == (ToolCall(reply.tool_calls[0].id, "read", "{}"),)

"""The official clients talk to the server as they talk to the real ones."""

import json
import time

import pytest
from tests.model_server import Call, Failure, Hangup, ModelServer, Reply, calls, fails, says

openai = pytest.importorskip("openai")
anthropic = pytest.importorskip("anthropic")

CALLED = Reply(
    "Let me see.", "Two files matter.", (Call("read", {"path": "a.py"}), Call("read", {"path": "größe.py"}))
)
TOOL = {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}


@pytest.fixture
def served():
    """Opens servers by their scripts."""
    opened = []

    def serve(script, **options):
        opened.append(ModelServer(script, **options))
        return opened[-1].__enter__()

    yield serve
    for one in opened:
        one.__exit__()


def chat(server, messages, *, key="k", **more):
    client = openai.OpenAI(base_url=f"{server.url}/v1", api_key=key, max_retries=0)
    return client.chat.completions.create(model="m", messages=messages, **more)


def message(server, messages, *, key="k", **more):
    client = anthropic.Anthropic(base_url=server.url, api_key=key, max_retries=0)
    return client.messages.create(model="m", max_tokens=4_000, messages=messages, **more)


def asks(text="what now?"):
    return [{"role": "user", "content": text}]


class TestWhatIsAnswered:
    def test_openai_whole(self, served):
        got = chat(served([CALLED]), asks())
        said = got.choices[0].message
        assert said.content == "Let me see."
        assert said.reasoning_content == "Two files matter."
        assert [json.loads(call.function.arguments)["path"] for call in said.tool_calls] == [
            "a.py",
            "größe.py",
        ]
        assert got.choices[0].finish_reason == "tool_calls"
        assert got.usage.total_tokens == got.usage.prompt_tokens + got.usage.completion_tokens

    def test_openai_streamed(self, served):
        chunks = list(chat(served([CALLED]), asks(), stream=True, stream_options={"include_usage": True}))
        deltas = [chunk.choices[0].delta for chunk in chunks if chunk.choices]
        assert "".join(delta.content or "" for delta in deltas) == "Let me see."
        pieces = [call for delta in deltas for call in delta.tool_calls or ()]
        second = "".join(call.function.arguments or "" for call in pieces if call.index == 1)
        assert json.loads(second) == {"path": "größe.py"}
        assert chunks[-1].usage.completion_tokens > 0

    def test_anthropic_whole(self, served):
        got = message(served([CALLED]), asks())
        assert [block.type for block in got.content] == ["thinking", "text", "tool_use", "tool_use"]
        assert got.content[3].input == {"path": "größe.py"}
        assert got.stop_reason == "tool_use"

    def test_anthropic_streamed(self, served):
        server = served([CALLED])
        client = anthropic.Anthropic(base_url=server.url, api_key="k", max_retries=0)
        with client.messages.stream(model="m", max_tokens=4_000, messages=asks()) as stream:
            got = stream.get_final_message()
        assert [block.type for block in got.content] == ["thinking", "text", "tool_use", "tool_use"]
        assert got.content[0].signature
        assert got.content[3].input == {"path": "größe.py"}
        assert got.usage.output_tokens > 1

    def test_a_script_is_followed_and_its_last_answer_repeated(self, served):
        server = served([says("one"), says("two")])
        assert [chat(server, asks()).choices[0].message.content for _ in range(3)] == ["one", "two", "two"]

    def test_a_script_may_look_at_the_request(self, served):
        server = served(lambda body: says(body["messages"][-1]["content"].upper()))
        assert chat(server, asks("abc")).choices[0].message.content == "ABC"

    def test_models_are_listed(self, served):
        client = openai.OpenAI(base_url=f"{served([]).url}/v1", api_key="k")
        assert [one.id for one in client.models.list()] == ["test-model"]


class TestWhatGoesWrong:
    @pytest.mark.parametrize(
        ("status", "error"),
        [(401, "AuthenticationError"), (429, "RateLimitError"), (503, "InternalServerError")],
    )
    def test_failures_come_as_the_clients_know_them(self, served, status, error):
        server = served([Failure(status, "no", headers=(("retry-after", "7"),))])
        for library, ask in ((openai, chat), (anthropic, message)):
            with pytest.raises(getattr(library, error)) as raised:
                ask(server, asks())
            assert raised.value.response.headers["retry-after"] == "7"

    def test_a_key_that_is_not_known_is_refused(self, served):
        server = served([says("hi")], keys=["good"])
        assert chat(server, asks(), key="good").choices[0].message.content == "hi"
        with pytest.raises(openai.AuthenticationError):
            chat(server, asks(), key="bad")
        with pytest.raises(anthropic.AuthenticationError):
            message(server, asks(), key="bad")

    def test_a_stream_that_is_cut_is_an_error_and_what_came_is_kept(self, served):
        heard = []

        def listen():
            chunks = chat(served([says("a long answer that does not end", cut_after=3)]), asks(), stream=True)
            heard.extend(chunk.choices[0].delta.content or "" for chunk in chunks)

        with pytest.raises(openai.APIConnectionError):
            listen()
        assert "".join(heard) == "a long answer that does not end"[:24]

    def test_a_connection_may_be_closed_without_a_word(self, served):
        with pytest.raises(openai.APIConnectionError):
            chat(served([Hangup()]), asks())

    def test_a_slow_answer_takes_its_time(self, served):
        began = time.monotonic()
        list(chat(served([says("slow", pause=0.05)]), asks(), stream=True))
        assert time.monotonic() - began >= 0.15

    def test_what_is_no_json_is_refused(self, served):
        import httpx2

        for path in ("/v1/chat/completions", "/v1/messages"):
            answer = httpx2.post(served([says("hi")]).url + path, content=b"{nope")
            assert answer.status_code == 400
            assert answer.json()["error"]["type"] == "invalid_request_error"


RESULT = {"role": "tool", "tool_call_id": "c1", "content": "ok"}
CALL = {"id": "c1", "type": "function", "function": {"name": "read", "arguments": "{}"}}
ASSISTANT = {"role": "assistant", "content": None, "tool_calls": [CALL]}


@pytest.mark.parametrize(
    ("why", "messages"),
    [
        ("calls without a result", [*asks(), ASSISTANT]),
        ("calls without a result before", [*asks(), ASSISTANT, *asks("stop")]),
        ("a result must answer", [*asks(), RESULT]),
        ("a result must answer", [*asks(), ASSISTANT, RESULT, RESULT]),
        ("same id", [*asks(), {**ASSISTANT, "tool_calls": [CALL, CALL]}, RESULT]),
        (
            "JSON object",
            [
                *asks(),
                {**ASSISTANT, "tool_calls": [{**CALL, "function": {"name": "read", "arguments": "{"}}]},
                RESULT,
            ],
        ),
        ("none of the roles", [{"role": "bot", "content": "x"}]),
        ("must be given", [*asks(), {"role": "assistant", "content": None}]),
        ("must not be empty", [*asks(), {**ASSISTANT, "content": "x", "tool_calls": []}]),
        ("unknown field", [{"role": "user", "content": "x", "archivist_id": 7}]),
        ("one of", [{"role": "user", "content": [{"type": "picture"}]}]),
        ("not empty", []),
    ],
)
def test_openai_refuses(served, why, messages):
    server = served([says("hi")])
    with pytest.raises(openai.BadRequestError, match=why):
        chat(server, messages)
    assert why in server.requests[0].problem


def test_openai_takes_a_whole_turn_of_calls(served):
    other = {**CALL, "id": "c2"}
    messages = [
        {"role": "system", "content": "Be short."},
        *asks(),
        {"role": "assistant", "content": "", "reasoning_content": "hm", "tool_calls": [CALL, other]},
        {**RESULT, "tool_call_id": "c2"},
        RESULT,
        {"role": "assistant", "content": "done"},
        {
            "role": "user",
            "content": [
                {"type": "text", "text": "x"},
                {"type": "image_url", "image_url": {"url": "data:image/png;base64,"}},
            ],
        },
    ]
    tools = [{"type": "function", "function": {"name": "read", "parameters": TOOL}}]
    assert chat(served([says("hi")]), messages, tools=tools).choices[0].message.content == "hi"


USED = {"type": "tool_use", "id": "t1", "name": "read", "input": {}}
ANSWERED = {"type": "tool_result", "tool_use_id": "t1", "content": "ok"}


def turn(role, *content):
    return {"role": role, "content": list(content)}


@pytest.mark.parametrize(
    ("why", "messages"),
    [
        ("calls without a result", [*asks(), turn("assistant", USED)]),
        ("calls without a result before", [*asks(), turn("assistant", USED), *asks("stop")]),
        ("must answer a call", [turn("user", ANSWERED)]),
        ("two results", [*asks(), turn("assistant", USED), turn("user", ANSWERED, ANSWERED)]),
        (
            "before everything else",
            [*asks(), turn("assistant", USED), turn("user", {"type": "text", "text": "x"}, ANSWERED)],
        ),
        ("same id", [*asks(), turn("assistant", USED, USED), turn("user", ANSWERED)]),
        ("first message", [turn("assistant", {"type": "text", "text": "x"}), *asks()]),
        ("blank", [turn("user", {"type": "text", "text": " "})]),
        (
            "signed",
            [
                *asks(),
                turn("assistant", {"type": "thinking", "thinking": "x", "signature": "other"}, USED),
                turn("user", ANSWERED),
            ],
        ),
        ("white space", [*asks(), {"role": "assistant", "content": "x "}]),
        ("first message", [{"role": "system", "content": "x"}]),
        ("user, assistant or system", [{"role": "tool", "content": "x"}]),
        ("unknown field", [{"role": "user", "content": "x", "id": 7}]),
        (
            "at most 4",
            [
                turn(
                    "user",
                    *[
                        {"type": "text", "text": str(n), "cache_control": {"type": "ephemeral"}}
                        for n in range(5)
                    ],
                )
            ],
        ),
    ],
)
def test_anthropic_refuses(served, why, messages):
    server = served([says("hi")])
    with pytest.raises(anthropic.BadRequestError, match=why):
        message(server, messages)
    assert why in server.requests[0].problem


def test_anthropic_takes_back_what_it_answered_and_nothing_else(served):
    server = served([CALLED, says("done")])
    got = message(server, asks(), thinking={"type": "enabled", "budget_tokens": 1_024})
    content = [block.model_dump(exclude_none=True) for block in got.content]
    results = [{"type": "tool_result", "tool_use_id": block.id, "content": "ok"} for block in got.content[2:]]
    messages = [*asks(), {"role": "assistant", "content": content}, {"role": "user", "content": results}]
    assert (
        message(server, messages, thinking={"type": "enabled", "budget_tokens": 1_024}).content[0].text
        == "done"
    )
    messages[1] = {"role": "assistant", "content": content[1:]}
    with pytest.raises(anthropic.BadRequestError, match="must begin with thinking"):
        message(server, messages, thinking={"type": "enabled", "budget_tokens": 1_024})


def test_calls_can_be_scripted_by_their_name(served):
    got = message(served([calls("recall", {"query": "quay"})]), asks())
    assert (got.content[0].name, got.content[0].input) == ("recall", {"query": "quay"})


def test_a_full_account_is_told(served):
    with pytest.raises(anthropic.APIStatusError) as raised:
        message(served([fails(402, "no credit")]), asks())
    assert raised.value.body["error"]["type"] == "billing_error"

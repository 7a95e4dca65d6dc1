"""Chunks as servers send them, heard by the official client: what they have in common is little."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.model_server import Failure, Reply

from archivist.models.openai_client import OpenAIResponder
from archivist.models.openai_stream import OpenAIStream
from archivist.models.responder import Interrupt, ModelFailed
from archivist.records import ToolCall
from archivist.records.requests import Request

pytest.importorskip("openai")


@pytest.fixture
def heard(served, endpoint):
    """The reply to chunks that a server sends, read by the client."""

    def hear(*chunks, end=b"data: [DONE]\n\n"):
        told = b"".join(b"data: " + json.dumps(chunk).encode() + b"\n\n" for chunk in chunks) + end
        server = served([Failure(200, body=told, headers=(("content-type", "text/event-stream"),))])
        asked = OpenAIResponder(endpoint(server))
        try:
            return asked.respond(
                Request("m", ({"role": "user", "content": "x"},)), lambda _: None, Interrupt()
            )
        finally:
            asked.close()

    return hear


def chunk(finish=None, **delta):
    return {
        "id": "chatcmpl-7",
        "model": "m",
        "choices": [{"index": 0, "delta": delta, "finish_reason": finish}],
    }


def call(index=None, key=None, name=None, arguments=None):
    function = {k: v for k, v in (("name", name), ("arguments", arguments)) if v is not None}
    piece = {"index": index, "id": key, "function": function}
    return {k: v for k, v in piece.items() if v is not None}


def calls(*pieces, finish=None):
    return chunk(finish, tool_calls=list(pieces))


DONE = chunk("tool_calls")
TWO = [ToolCall("a", "read", '{"path": "x"}'), ToolCall("b", "list", "{}")]


@pytest.mark.parametrize(
    "chunks",
    [
        pytest.param(
            [
                calls(call(0, "a", "read", "")),
                calls(call(0, arguments='{"path"')),
                calls(call(1, "b", "list", "")),
                calls(call(0, arguments=': "x"}'), call(1, arguments="{}")),
            ],
            id="pieces by index, mixed",
        ),
        pytest.param(
            [
                calls(call(0, "a", "read", '{"path"')),
                calls(call(0, "a", "read", ': "x"}')),
                calls(call(1, "b", "list", "{}")),
            ],
            id="id and name in each piece",
        ),
        pytest.param(
            [calls(call(None, "a", "read", '{"path": "x"}')), calls(call(None, "b", "list", "{}"))],
            id="no index, whole",
        ),
        pytest.param(
            [
                calls(call(None, "a", "read", '{"pa')),
                calls(call(None, None, None, 'th": "x"}')),
                calls(call(None, "b", "list", "{}")),
            ],
            id="no index, pieces without id",
        ),
        pytest.param(
            [calls(call(0, "a", "read", '{"path": "x"}')), calls(call(0, "b", "list", "{}"))],
            id="always the first index",
        ),
        pytest.param(
            [calls(call(0, "a", "read", '{"path": "x"}'), call(0, "b", "list", "{}"))],
            id="the first index twice in one chunk",
        ),
        pytest.param(
            [calls(call(0, "a", "read", {"path": "x"}), call(1, "b", "list", {}))], id="arguments as objects"
        ),
        pytest.param(
            [calls(call(0, "a", "read", '{"path": "x"}'), call(1, "b", "list"), finish="stop")],
            id="stopped as if it had said something, no arguments",
        ),
        pytest.param(
            [
                calls(call(1, "a", "read", '{"path": "x"}')),
                calls(call(3, "b", "list", "{}")),
            ],
            id="indexes with gaps",
        ),
    ],
)
def test_calls_are_put_together_however_they_come(heard, chunks):
    reply = heard(*chunks, DONE)
    assert list(reply.tool_calls) == TWO
    assert reply.stop == "calls"


@pytest.mark.parametrize("index", [0, None])
def test_calls_without_ids_have_one_each(heard, index):
    reply = heard(
        calls(call(index, None, "read", '{"path": "x"}')),
        calls(call(index, None, "read", '{"path": "x"}')),
        calls(call(index, None, "list", "{}")),
        DONE,
    )
    assert [one.name for one in reply.tool_calls] == ["read", "read", "list"]
    assert len({one.id for one in reply.tool_calls}) == 3
    assert all(one.id.startswith("call_") for one in reply.tool_calls)


def test_one_id_for_two_calls_becomes_two(heard):
    reply = heard(calls(call(0, "a", "read", "{}"), call(1, "a", "list", "{}")), DONE)
    assert [one.name for one in reply.tool_calls] == ["read", "list"]
    assert len({one.id for one in reply.tool_calls}) == 2


def test_the_same_name_in_each_piece_without_an_id(heard):
    reply = heard(calls(call(0, None, "read", '{"pa')), calls(call(0, None, "read", 'th": 1}')), DONE)
    assert [(one.name, one.arguments) for one in reply.tool_calls] == [("read", '{"path": 1}')]


def test_a_call_that_was_cut_by_the_limit_is_left_out(heard):
    reply = heard(calls(call(0, "a", "read", "{}"), call(1, "b", "list", '{"pa')), chunk("length"))
    assert [one.id for one in reply.tool_calls] == ["a"]
    assert reply.stop == "length"


def test_arguments_that_are_no_json_are_given_as_they_came(heard):
    reply = heard(calls(call(0, "a", "read", '{"path": x}')), DONE)
    assert reply.tool_calls[0].arguments == '{"path": x}'


@pytest.mark.parametrize("field", ["reasoning_content", "reasoning"])
def test_thoughts_are_kept_in_the_field_that_the_server_uses(heard, field):
    reply = heard(chunk(**{field: "hm, "}), chunk(**{field: "yes"}), chunk(content="Yes."), chunk("stop"))
    assert json.loads(reply.reasoning) == {field: "hm, yes"}
    assert reply.text == "Yes."


def test_pieces_of_details_are_joined_and_kept_to_the_letter(heard):
    def detail(**fields):
        return chunk(reasoning_details=[{"type": "reasoning.text", "index": 0, **fields}])

    sealed = {"type": "reasoning.encrypted", "data": "abc", "id": "r1", "index": 1}
    reply = heard(
        detail(text="hm, ", format="anthropic-claude-v1"),
        detail(text="yes"),
        detail(signature="sig"),
        chunk(reasoning_details=[sealed]),
        chunk("stop", content="Yes."),
    )
    thought = {
        "type": "reasoning.text",
        "index": 0,
        "text": "hm, yes",
        "format": "anthropic-claude-v1",
        "signature": "sig",
    }
    assert json.loads(reply.reasoning) == {"reasoning_details": [thought, sealed]}


def test_what_comes_beside_a_call_is_kept_with_what_was_thought(heard):
    signed = {"google": {"thought_signature": "s"}}
    reply = heard(
        calls({**call(0, "a", "read", "{}"), "extra_content": signed}, call(1, "b", "list", "{}")), DONE
    )
    detail = {"type": "call.extra_content", "id": "a", "data": signed}
    assert json.loads(reply.reasoning) == {"reasoning_details": [detail]}


def test_a_refusal_is_told_as_one(heard):
    reply = heard(chunk(refusal="I can't"), chunk(refusal=" do that."), chunk("stop"))
    assert (reply.text, reply.stop) == ("I can't do that.", "refusal")


@pytest.mark.parametrize(
    ("used", "counts"),
    [
        ({"prompt_tokens": 10, "completion_tokens": 3}, (10, 0, 0, 3, 0)),
        (
            {
                "prompt_tokens": 100,
                "completion_tokens": 3,
                "prompt_tokens_details": {"cached_tokens": 60, "cache_write_tokens": 30},
                "completion_tokens_details": {"reasoning_tokens": 2},
            },
            (10, 60, 30, 3, 2),
        ),
        ({"prompt_tokens": 10, "completion_tokens": 3, "prompt_cache_hit_tokens": 4}, (6, 4, 0, 3, 0)),
        ({"prompt_tokens": 10, "completion_tokens": 3, "cached_tokens": 4}, (6, 4, 0, 3, 0)),
        ({"prompt_tokens": 10, "completion_tokens": 3, "prompt_tokens_details": None}, (10, 0, 0, 3, 0)),
        (
            {"prompt_tokens": 1, "completion_tokens": 3, "prompt_tokens_details": {"cached_tokens": 9}},
            (0, 9, 0, 3, 0),
        ),
    ],
)
def test_fresh_tokens_are_counted_beside_those_of_the_cache(heard, used, counts):
    got = heard(chunk("stop", content="x"), {"id": "1", "choices": [], "usage": used}).usage
    assert (got.input, got.cache_read, got.cache_write, got.output, got.reasoning) == counts


def test_what_the_provider_says_that_it_cost_is_what_it_cost(heard):
    used = {"prompt_tokens": 10, "completion_tokens": 3, "cost": 0.25}
    assert (
        heard(
            chunk(
                "stop",
                content="x",
            ),
            {"id": "1", "choices": [], "usage": used},
        ).usage.cost_usd
        == 0.25
    )


def test_an_id_that_others_may_have_counts_for_none():
    def request_id(key):
        stream = OpenAIStream()
        list(stream.take({"id": key, "choices": [], "usage": {"prompt_tokens": 1}}))
        return stream.reply().usage.request_id

    assert request_id("chatcmpl-123") == ""
    assert request_id("chatcmpl-CqLp2ZkTfYx0aBcDeFgHiJkL") == "chatcmpl-CqLp2ZkTfYx0aBcDeFgHiJkL"


def test_a_stream_that_ends_without_a_word_broke_off(heard):
    with pytest.raises(ModelFailed, match="broke off") as raised:
        heard(chunk(content="as far as"), end=b"")
    assert raised.value.partial.text == "as far as"


@pytest.mark.parametrize("word", ["error", "network_error", "insufficient_system_resource"])
def test_one_whose_server_says_that_it_failed_broke_off(heard, word):
    with pytest.raises(ModelFailed, match="broke off") as raised:
        heard(
            chunk(content="as far as"), chunk(word), {"id": "1", "choices": [], "usage": {"prompt_tokens": 1}}
        )
    assert raised.value.partial.text == "as far as"


def test_what_was_used_is_told_at_the_end_alone_so_that_it_is_one(heard):
    used = {"prompt_tokens": 10, "completion_tokens": 3}
    reply = heard(
        {**chunk(content="all "), "usage": used},
        chunk(content="of it"),
        {"id": "1", "choices": [], "usage": used},
    )
    assert (reply.text, reply.stop) == ("all of it", "end")
    with pytest.raises(ModelFailed, match="broke off"):
        heard({**chunk(content="as far as"), "usage": used})


def test_what_is_said_and_thought_in_parts_is_heard(heard):
    def thought(*texts):
        return {"type": "thinking", "thinking": [{"type": "text", "text": text} for text in texts]}

    reply = heard(
        chunk(content=[thought("hm, ", "yes")]),
        chunk(content=[{"type": "text", "text": "Yes"}]),
        chunk("stop", content=", that is it."),
    )
    assert reply.text == "Yes, that is it."


def test_one_that_breaks_off_behind_its_end_is_whole(served, endpoint):
    asked = OpenAIResponder(endpoint(served([Reply("all of it", cut_after=3)])))
    reply = asked.respond(Request("m", ({"role": "user", "content": "x"},)), lambda _: None, Interrupt())
    asked.close()
    assert (reply.text, reply.stop, reply.usage) == ("all of it", "end", None)


def test_an_error_in_the_stream_keeps_what_had_come(heard):
    error = b'data: {"error": {"message": "the engine is dead", "code": 500}}\n\n'
    with pytest.raises(ModelFailed, match=r"broke off \(the engine is dead\)") as raised:
        heard(chunk(content="as far as"), end=error)
    assert raised.value.partial.text == "as far as"


def test_odd_chunks_are_passed_over(heard):
    reply = heard(
        {"id": "1"},
        {"id": "1", "choices": None},
        {"id": "1", "choices": [{"index": 0}]},
        {"id": "1", "choices": [{"index": 0, "delta": None}]},
        chunk(content=None, tool_calls=None, reasoning=None),
        chunk(content="x"),
        chunk("stop"),
    )
    assert reply.text == "x"


NAMES = st.sampled_from(["read", "list", "search_files"])
OBJECTS = st.dictionaries(st.text(max_size=5), st.text(max_size=12) | st.integers(), max_size=3)


@given(st.lists(st.tuples(NAMES, OBJECTS), min_size=1, max_size=5), st.data())
def test_every_way_to_cut_and_mix_calls_gives_the_same_calls(made, data):
    """By index and id, as most servers do, in pieces of any size that may come in any order of the calls."""
    texts = [json.dumps(arguments) for _, arguments in made]
    queues = []
    for number, ((name, _), text) in enumerate(zip(made, texts, strict=True)):
        cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=3)))
        pieces = [text[a:b] for a, b in zip([0, *cuts], [*cuts, len(text)], strict=True)]
        first = call(number, f"id{number}", name, pieces[0])
        queues.append([first, *(call(number, arguments=piece) for piece in pieces[1:])])
    stream = OpenAIStream()
    begun = 0
    while any(queues):
        open_ones = [n for n, queue in enumerate(queues[: begun + 1]) if queue]
        number = data.draw(st.sampled_from(open_ones or [begun]))
        begun = max(begun, min(number + 1, len(queues) - 1))
        if queues[number]:
            list(stream.take(calls(queues[number].pop(0))))
    list(stream.take(DONE))
    wanted = [(f"id{n}", name, text) for n, ((name, _), text) in enumerate(zip(made, texts, strict=True))]
    assert [(one.id, one.name, one.arguments) for one in stream.reply().tool_calls] == wanted

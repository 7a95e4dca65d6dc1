"""Whatever a server sends in place of what its form has, a stream makes a reply of what it can read."""

import copy
import json
import time

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from archivist.models.anthropic_stream import AnthropicStream
from archivist.models.openai_stream import OpenAIStream
from archivist.records.requests import Reply

ANYTHING = st.recursive(
    st.none()
    | st.booleans()
    | st.sampled_from([0, -1, 7, 10**30, float("inf"), float("nan")])
    | st.sampled_from(
        ["", "text", "tool_use", "thinking", "\ud800", "a\x00b", "{", '{"q": 1}', "stop", "tool_calls"]
    ),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["type", "text", "id", "index", "name", "\ud800"]), inner, max_size=3
        )
    ),
    max_leaves=5,
)
CHUNKS = [
    {
        "id": "chatcmpl-" + "a" * 24,
        "model": "m",
        "choices": [{"index": 0, "delta": {"role": "assistant", "content": "so"}}],
    },
    {
        "choices": [
            {
                "delta": {
                    "reasoning_content": "hm",
                    "reasoning_details": [{"type": "reasoning.text", "text": "hm", "index": 0}],
                }
            }
        ]
    },
    {
        "choices": [
            {
                "delta": {
                    "content": [
                        {"type": "text", "text": "be it"},
                        {"type": "thinking", "thinking": [{"text": "x"}]},
                    ]
                }
            }
        ]
    },
    {
        "choices": [
            {
                "delta": {
                    "refusal": "",
                    "tool_calls": [
                        {"index": 0, "id": "c1", "function": {"name": "recall", "arguments": "{"}}
                    ],
                }
            }
        ]
    },
    {"choices": [{"delta": {"tool_calls": [{"index": 0, "function": {"arguments": '"q": 1}'}}]}}]},
    {"choices": [{"delta": {}, "finish_reason": "tool_calls"}]},
    {
        "choices": [],
        "usage": {
            "prompt_tokens": 7,
            "completion_tokens": 2,
            "prompt_tokens_details": {"cached_tokens": 3},
            "cost": 0.1,
        },
    },
]
EVENTS = [
    {
        "type": "message_start",
        "message": {"id": "msg_" + "a" * 24, "model": "m", "usage": {"input_tokens": 7, "output_tokens": 1}},
    },
    {
        "type": "content_block_start",
        "index": 0,
        "content_block": {"type": "thinking", "thinking": "", "signature": ""},
    },
    {"type": "content_block_delta", "index": 0, "delta": {"type": "thinking_delta", "thinking": "hm"}},
    {"type": "content_block_delta", "index": 0, "delta": {"type": "signature_delta", "signature": "abc"}},
    {"type": "content_block_stop", "index": 0},
    {"type": "content_block_start", "index": 1, "content_block": {"type": "text", "text": ""}},
    {"type": "content_block_delta", "index": 1, "delta": {"type": "text_delta", "text": "so be it"}},
    {"type": "content_block_stop", "index": 1},
    {
        "type": "content_block_start",
        "index": 2,
        "content_block": {"type": "tool_use", "id": "t1", "name": "recall", "input": {"n": 1}},
    },
    {"type": "content_block_stop", "index": 2},
    {"type": "message_delta", "delta": {"stop_reason": "tool_use"}, "usage": {"output_tokens": 9}},
    {"type": "message_stop"},
]
FORMS = {"openai": (OpenAIStream, CHUNKS), "anthropic": (AnthropicStream, EVENTS)}
each_form = pytest.mark.parametrize("form", FORMS)


def places(value, path=()):
    """The way to each value in a value."""
    yield path
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, one in inner:
        yield from places(one, (*path, key))


def put(value, path, other):
    """A value with another one in a place of it."""
    if not path:
        return other
    made = copy.deepcopy(value)
    inner = made
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = other
    return made


@st.composite
def spoilt(draw, events):
    """Events of a reply in which one or two values are something else."""
    made = events
    for _ in range(draw(st.integers(1, 2))):
        made = put(made, draw(st.sampled_from([*places(made)][1:])), draw(ANYTHING))
    return made


def heard(kind, events):
    stream = kind()
    for event in events:
        list(stream.take(event))
    return stream


@each_form
@given(data=st.data())
def test_no_value_in_a_wrong_place_stops_the_rest(form, data):
    kind, events = FORMS[form]
    stream = heard(kind, data.draw(spoilt(events)))
    for stopped in (False, True):
        reply = stream.reply(stopped=stopped)
        msgspec.convert(msgspec.to_builtins(reply), Reply)  # each field is what it says
        assert len({call.id for call in reply.tool_calls}) == len(reply.tool_calls)
        assert all(call.name for call in reply.tool_calls)


@each_form
def test_arguments_in_many_pieces_cost_what_they_are_long(form):
    """No piece costs as much as all before it."""
    began = {"openai": CHUNKS[:4], "anthropic": EVENTS[:9]}[form]
    more = {
        "openai": {
            "choices": [{"delta": {"tool_calls": [{"index": 0, "function": {"arguments": "xyzzy"}}]}}]
        },
        "anthropic": {
            "type": "content_block_delta",
            "index": 2,
            "delta": {"type": "input_json_delta", "partial_json": "xyzzy"},
        },
    }[form]

    def seconds(pieces):
        stream, since = heard(FORMS[form][0], began), time.process_time()
        for _ in range(pieces):
            list(stream.take(more))
        return time.process_time() - since

    few, many = min(seconds(4_000) for _ in range(3)), seconds(64_000)
    assert many < 16 * few * 3


def test_a_thought_that_cannot_be_sent_again_is_not_kept():
    events = put(EVENTS, (2, "delta", "thinking"), "half \ud800 a character")
    assert heard(AnthropicStream, events).reply().reasoning is None


def test_a_number_of_any_size_is_an_argument():
    events = put(EVENTS, (8, "content_block", "input"), {"n": 10**30, "text": "\ud800"})
    (call,) = heard(AnthropicStream, events).reply().tool_calls
    assert json.loads(call.arguments) == {"n": 10**30, "text": "?"}


@pytest.mark.parametrize("cost", [float("inf"), float("nan"), -1, "much", None])
def test_what_is_no_price_is_none(cost):
    assert heard(OpenAIStream, put(CHUNKS, (6, "usage", "cost"), cost)).reply().usage.cost_usd == 0.0

"""Events as Anthropic's client gives them, put together."""

import json

import pytest

from archivist.models.anthropic_stream import AnthropicStream
from archivist.records.requests import TextPiece, ThoughtPiece


def start(usage=None):
    return {
        "type": "message_start",
        "message": {"id": "msg_01XFDUDYJgAACzvnptvVoYEL", "model": "m", "usage": usage or {}},
    }


def block(index, *deltas, stop=True, **fields):
    made = [{"type": "content_block_start", "index": index, "content_block": fields}]
    made += [{"type": "content_block_delta", "index": index, "delta": delta} for delta in deltas]
    return [*made, {"type": "content_block_stop", "index": index}] if stop else made


def end(stop="end_turn", **usage):
    return [
        {"type": "message_delta", "delta": {"stop_reason": stop}, "usage": usage},
        {"type": "message_stop"},
    ]


def text(index, *pieces, **more):
    return block(
        index, *({"type": "text_delta", "text": one} for one in pieces), type="text", text="", **more
    )


def thought(index, said, signature="sig", **more):
    deltas = [{"type": "thinking_delta", "thinking": said}]
    deltas += [{"type": "signature_delta", "signature": signature}] if signature else []
    return block(index, *deltas, type="thinking", thinking="", signature="", **more)


def used(index, *pieces, key="t1", name="read", **more):
    deltas = [{"type": "input_json_delta", "partial_json": one} for one in pieces]
    return block(index, *deltas, type="tool_use", id=key, name=name, input={}, **more)


def heard(*events):
    stream, pieces = AnthropicStream(), []
    for event in events:
        pieces += stream.take(event)
    return stream, pieces


def test_text_thoughts_and_calls():
    stream, pieces = heard(
        start(),
        *thought(0, "hm"),
        *text(1, "Let me", " see."),
        *used(2, "", '{"path": ', '"x"}'),
        *end("tool_use"),
    )
    assert pieces == [ThoughtPiece("hm"), TextPiece("Let me"), TextPiece(" see.")]
    reply = stream.reply()
    assert (reply.text, reply.stop, reply.model) == ("Let me see.", "calls", "m")
    assert [(call.id, call.name, call.arguments) for call in reply.tool_calls] == [
        ("t1", "read", '{"path": "x"}')
    ]
    assert json.loads(reply.reasoning) == [{"type": "thinking", "thinking": "hm", "signature": "sig"}]


def test_thoughts_between_what_is_said_and_called_say_where_they_came():
    stream, _ = heard(
        start(),
        *thought(0, "a"),
        *text(1, "Let me see. "),
        *thought(2, "b"),
        *text(3, "Two."),
        *used(4, "{}"),
        *thought(5, "c"),
        *used(6, "{}", key="t2"),
        *end("tool_use"),
    )
    told = json.loads(stream.reply().reasoning)
    assert [(one["thinking"], one.get("after")) for one in told] == [
        ("a", None),
        ("b", [12, 0]),
        ("c", [16, 1]),
    ]


def test_redacted_thoughts_are_kept():
    stream, _ = heard(start(), *block(1, type="redacted_thinking", data="sealed"), *text(2, "y"), *end())
    assert json.loads(stream.reply().reasoning) == [{"type": "redacted_thinking", "data": "sealed"}]


def test_a_thought_with_an_empty_signature_is_kept_once_it_is_whole():
    """NousResearch/hermes-agent PR73609: some servers sign so, and refuse what follows without it."""
    events = [start(), *thought(0, "x", signature=""), *text(1, "y"), *end()]
    empty = {"type": "thinking", "thinking": "x", "signature": ""}
    assert json.loads(heard(*events)[0].reply().reasoning) == [empty]
    begun = heard(*events[:3])[0].reply(stopped=True)
    assert begun.reasoning is None


def test_a_thought_whose_words_are_left_out_is_kept_by_its_signature():
    stream, pieces = heard(start(), *thought(0, ""), *text(1, "y"), *end())
    assert json.loads(stream.reply().reasoning) == [{"type": "thinking", "thinking": "", "signature": "sig"}]
    assert pieces == [TextPiece("y")]


@pytest.mark.parametrize(
    ("stop", "told"),
    [
        ("end_turn", "end"),
        ("stop_sequence", "end"),
        ("max_tokens", "length"),
        ("model_context_window_exceeded", "length"),
        ("refusal", "refusal"),
        ("pause_turn", "end"),
        ("something_new", "end"),
    ],
)
def test_why_it_stopped(stop, told):
    assert heard(start(), *text(0, "x"), *end(stop))[0].reply().stop == told


@pytest.mark.parametrize("limit", ["max_tokens", "model_context_window_exceeded"])
def test_a_call_that_was_cut_by_a_limit_is_left_out(limit):
    stream, _ = heard(start(), *used(0, "{}"), *used(1, '{"pa', key="t2"), *end(limit))
    assert [call.id for call in stream.reply().tool_calls] == ["t1"]


def test_of_one_that_was_stopped_the_text_is_kept_and_what_was_signed():
    stream, _ = heard(start(), *thought(0, "hm"), *text(1, "Let me"), *used(2, '{"pa', stop=False))
    reply = stream.reply(stopped=True)
    assert (reply.text, reply.tool_calls, reply.stop) == ("Let me", (), "interrupted")
    assert json.loads(reply.reasoning)[0]["signature"] == "sig"
    assert not stream.is_whole


def test_counts_are_of_the_whole_reply_however_often_they_are_told():
    begin = start(
        {
            "input_tokens": 5,
            "cache_read_input_tokens": 100,
            "cache_creation_input_tokens": 20,
            "output_tokens": 1,
        }
    )
    stream, _ = heard(
        begin, *text(0, "x"), *end(output_tokens=9, output_tokens_details={"thinking_tokens": 4})
    )
    got = stream.reply().usage
    assert (got.input, got.cache_read, got.cache_write, got.output, got.reasoning) == (5, 100, 20, 9, 4)
    assert got.request_id == "msg_01XFDUDYJgAACzvnptvVoYEL"


def test_a_compaction_that_the_provider_made_is_kept():
    delta = {"type": "compaction_delta", "content": "so far: x"}
    stream, _ = heard(start(), *block(0, delta, type="compaction", content=None), *text(1, "y"), *end())
    assert json.loads(stream.reply().reasoning) == [{"type": "compaction", "content": "so far: x"}]


def test_one_whose_end_was_said_is_whole_though_nothing_follows():
    stream, _ = heard(start(), *text(0, "x"), end("max_tokens")[0])
    assert (stream.is_whole, stream.reply().stop) == (True, "length")
    assert not heard(start(), *text(0, "x"))[0].is_whole


def test_blocks_without_a_place_are_one():
    events = [{k: v for k, v in event.items() if k != "index"} for event in text(0, "so ", "be it")]
    assert heard(start(), *events, *end())[0].reply().text == "so be it"


def test_what_is_not_known_is_passed_over():
    stream, pieces = heard(
        {"type": "ping"},
        start(),
        *block(0, {"type": "citations_delta", "citation": {}}, type="text", text=""),
        *block(1, {"type": "new_delta", "x": 1}, type="new_block"),
        {"type": "new_event"},
        *text(2, "x"),
        *end(),
    )
    assert pieces == [TextPiece("x")]
    assert stream.reply().text == "x"

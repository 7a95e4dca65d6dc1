"""What `compress` makes can be sent to every provider: turned into its form, it passes the check of that form."""

import json

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.compress.histories import valid

from archivist import check_messages, compress


def blocks(message):
    """A message as blocks of Anthropic's, thinking first."""
    content = message.get("content")
    yield from message.get("thinking_blocks", ())
    if isinstance(content, str) and content.strip():
        yield {"type": "text", "text": content.rstrip()}
    for part in content if isinstance(content, list) else ():
        if part["type"] == "text" and part["text"].strip():
            yield {"type": "text", "text": part["text"].rstrip()}
        elif part["type"] == "image_url":
            yield {"type": "image", "source": {"type": "url", "url": part["image_url"]["url"]}}
    for call in message.get("tool_calls", ()):
        arguments = json.loads(call["function"]["arguments"])
        yield {"type": "tool_use", "id": call["id"], "name": call["function"]["name"], "input": arguments}


def as_anthropic(messages):
    """Messages of chat completions as Anthropic's: results are the user's, and who speaks twice in a row speaks once."""
    turns = []
    for message in messages:
        if message["role"] in {"system", "developer"}:
            continue
        role = "assistant" if message["role"] == "assistant" else "user"
        said = list(blocks(message))
        if message["role"] == "tool":
            said = [{"type": "tool_result", "tool_use_id": message["tool_call_id"], "content": said}]
        if turns and turns[-1]["role"] == role:
            turns[-1]["content"] += said
        elif said:
            turns.append({"role": role, "content": said})
    return turns


def as_responses(messages):
    """Messages of chat completions as input items of responses."""
    for message in messages:
        if message["role"] == "tool":
            yield {
                "type": "function_call_output",
                "call_id": message["tool_call_id"],
                "output": message["content"],
            }
        elif isinstance(message.get("content"), str) and message["content"]:
            yield {"role": message["role"], "content": message["content"]}
        for call in message.get("tool_calls", ()):
            yield {"type": "function_call", "call_id": call["id"], **call["function"]}


@settings(max_examples=80, suppress_health_check=[HealthCheck.too_slow])
@given(valid(most=60), st.integers(200, 1_500))
def test_what_comes_out_can_be_sent_to_anthropic(messages, target):
    before, after = as_anthropic(messages), as_anthropic(compress(messages, target).messages)
    rules = {one.rule for one in check_messages(before, "anthropic")}
    assert {one.rule for one in check_messages(after, "anthropic")} <= rules


@settings(max_examples=80, suppress_health_check=[HealthCheck.too_slow])
@given(valid(most=60), st.integers(200, 1_500))
def test_what_comes_out_can_be_sent_to_responses(messages, target):
    assert check_messages(list(as_responses(compress(messages, target).messages)), "responses") == ()

"""Conversations of any kind, as a loop stores them, and the requests that it makes on the way."""

import base64
import json

from hypothesis import strategies as st
from tests.model_server.anthropic_form import sign

from archivist.compress.sending import sendable
from archivist.records import Message, Part, ToolCall
from archivist.records.requests import Request, ToolSpec

PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
PDF = b"%PDF-1.4 a small one"
BLOBS = {"a" * 64: PNG, "b" * 64: PDF, "c" * 64: b"RIFF sound", "d" * 64: "Wörter".encode()}
TOOLS = tuple(
    ToolSpec(name, f"To {name}.", {"type": "object", "properties": {"q": {"type": "string"}}})
    for name in ("recall", "read_file")
)
TEXTS = st.sampled_from(["", " ", "yes", "so be it ", "größe 數據", "x" * 3_000, "\ud800 torn", "<b>\x00\n"])
WORDS = st.text(min_size=1, max_size=30) | TEXTS


def part(kind, blob, media_type, name=""):
    return Part(kind, "", media_type, blob * 64, name)


PARTS = st.sampled_from(
    [
        part("image", "a", "image/png", "a.png"),
        part("image", "a", "image/tiff"),
        part("image", "e", "image/png"),
        part("file", "b", "application/pdf", "b.pdf"),
        part("file", "d", "text/plain", "d.txt"),
        part("file", "d", "application/zip", "d.zip"),
        part("audio", "c", "audio/wav"),
        Part("context", "it is Monday"),
    ]
)
ARGUMENTS = st.sampled_from(
    ['{"q": "x"}', "{}", "", "[1]", "{torn", '{"q": NaN}', '{"q": "\\ud800"}', '{"a":1,"a":2}']
)
NAMES = st.sampled_from(["recall", "read_file", "mcp.files/read", "x" * 90])
IDS = st.sampled_from(["", "c1", "toolu_abc", "functions.read:0", "a|b", "y" * 80])


def thoughts(words):
    signed = [{"type": "thinking", "thinking": words, "signature": sign(words)}]
    return [
        None,
        json.dumps([*signed, {"type": "redacted_thinking", "data": "sealed"}]),
        json.dumps([{"type": "compaction", "content": "so far: much"}]),
        json.dumps({"reasoning_content": words}),
        json.dumps({"reasoning": words}),
        json.dumps({"reasoning_details": [{"type": "reasoning.text", "text": words, "index": 0}]}),
        "no json",
    ]


@st.composite
def said(draw):
    text = draw(WORDS)
    parts = draw(st.lists(PARTS, max_size=3))
    speaker = draw(st.sampled_from([None, None, "Ann Lee"]))
    return Message.user(text, parts=[Part("text", text), *parts] if parts else [], speaker=speaker)


@st.composite
def rounds(draw):
    """Messages of one turn: what was said, replies with their results, and perhaps the last reply."""
    turn = [[draw(said())]]
    for _ in range(draw(st.integers(0, 2))):
        calls = [
            ToolCall(draw(IDS), draw(NAMES), draw(ARGUMENTS))
            for _ in range(draw(st.sampled_from([1, 2, 25])))
        ]
        thought = draw(st.sampled_from(thoughts(draw(WORDS))))
        made = [Message.assistant(draw(WORDS), tool_calls=calls, reasoning=thought)]
        for call in calls:
            parts = draw(st.sampled_from([(), (), (part("image", "a", "image/png"),)]))
            text = draw(TEXTS)
            listed = (Part("text", text), *parts) if parts else ()
            made.append(Message("tool", text, listed, tool_call_id=call.id, tool_name=call.name))
        turn.append(made)
    reply = draw(st.none() | WORDS)
    if reply is not None:
        turn.append([Message.assistant(reply, reasoning=draw(st.sampled_from(thoughts("t"))))])
    return turn


@st.composite
def conversations(draw):
    """The requests of a conversation that only grows, in order."""
    messages, requests = [], []
    for turn in draw(st.lists(rounds(), min_size=1, max_size=3)):
        for step in turn:
            numbered = range(len(messages) + 1, len(messages) + len(step) + 1)
            messages += [with_id(message, number) for message, number in zip(step, numbered, strict=True)]
            if messages[-1].role != "assistant":
                requests.append(request_of(messages))
    return requests


def with_id(message, number):
    from msgspec.structs import replace

    return replace(message, id=number)


def request_of(messages, **more):
    forms = sendable(messages, blobs=BLOBS.get, in_flight=False, placed=True)
    return Request("claude-sonnet-5", tuple(forms), "Be short.", TOOLS, conversation="c1", **more)

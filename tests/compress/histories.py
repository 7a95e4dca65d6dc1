"""Conversations of every shape, valid and not, for properties that must hold of all of them."""

from hypothesis import strategies as st

TEXTS = st.one_of(
    st.just(""),
    st.text(max_size=80),
    st.sampled_from(
        [
            "Never deploy on Fridays.",
            "The port is 8443.",
            "不要删除历史记录。",
            "line one\nline two\n\nline four",
            "x" * 3_000,
            "ok",
            "```\ncode()\n```",
            "See /srv/app/config.toml and run `make test`.",
        ]
    ),
)
IDS = st.sampled_from([f"c{number}" for number in range(6)])
ARGUMENTS = st.sampled_from(
    ["{}", '{"path": "a.py"}', "{'a'", "", '{"content": "' + "y" * 2_000 + '"}', "[]", '{"a":']
)
NAMES = st.sampled_from(["Read", "Bash", "terminal", "mcp__x__y", "web_search", "custom"])
PICTURE = {"type": "image_url", "image_url": {"url": "data:image/png;base64," + "A" * 400}}
CALLS = st.builds(
    lambda key, name, arguments: {
        "id": key,
        "type": "function",
        "function": {"name": name, "arguments": arguments},
    },
    IDS,
    NAMES,
    ARGUMENTS,
)
THINKING = st.sampled_from(
    [{"type": "thinking", "thinking": "hm", "signature": "s"}, {"type": "thinking", "thinking": "hm"}]
)


def said(role, text):
    return {"role": role, "content": text}


USERS = st.one_of(
    TEXTS.map(lambda text: said("user", text)),
    TEXTS.map(lambda text: {"role": "user", "content": [{"type": "text", "text": text}, PICTURE]}),
)
ASSISTANTS = st.one_of(
    TEXTS.map(lambda text: said("assistant", text)),
    st.builds(
        lambda text, calls: {"role": "assistant", "content": text or None, "tool_calls": calls},
        TEXTS,
        st.lists(CALLS, min_size=1, max_size=3),
    ),
    st.builds(
        lambda text, block: {"role": "assistant", "content": text, "thinking_blocks": [block]},
        TEXTS,
        THINKING,
    ),
)
RESULTS = st.builds(lambda key, text: {"role": "tool", "tool_call_id": key, "content": text}, IDS, TEXTS)
PARTS = st.sampled_from(
    [
        PICTURE,
        "a bare text",
        None,
        [{"type": "text", "text": "nested"}],
        {"type": "text", "text": "said"},
        {"type": "text", "text": "said", "cache_control": {"type": "ephemeral"}},
        {"type": "text", "text": None},
        {"type": "text"},
        {"type": 7},
        {"type": ["text"], "text": "listed"},
        {"type": "input_text", "text": "of another form"},
        {"type": "tool_result", "tool_use_id": "c1", "content": "x"},
        {"type": "image_url", "image_url": "https://x.example/a.png"},
        {"type": "image_url"},
        {"type": "image", "source": {}},
        {"type": "input_audio", "input_audio": {"data": "AAAA", "format": "wav"}},
        {"type": "file", "file": {"filename": "a.pdf", "file_data": "data:application/pdf;base64,AAAA"}},
        {"type": "video_url", "video_url": {"url": "https://x.example/a.mp4"}},
        {"type": "refusal", "refusal": "no"},
        {"type": "thinking", "thinking": "hm"},
        {"type": "redacted_thinking", "data": "z"},
    ]
)
ODD = st.one_of(
    st.builds(
        lambda role, parts: {"role": role, "content": parts, "tool_call_id": "c1"},
        st.sampled_from(["user", "assistant", "tool", "system", "developer", "function", ["user"], None]),
        st.lists(PARTS, max_size=4),
    ),
    st.builds(
        lambda calls, more: {"role": "assistant", "content": "x", "tool_calls": calls, **more},
        st.lists(
            st.sampled_from(
                [
                    "a call",
                    None,
                    {"id": 5, "type": "function", "function": {"name": "Read", "arguments": "{}"}},
                    {"id": "c1", "type": "function", "function": "Read"},
                    {"id": "c2", "type": "function", "function": {"name": "Read", "arguments": {"a": 1}}},
                    {"id": "c3", "type": "custom", "custom": {"name": "sh", "input": "ls " * 400}},
                    {"id": "c4", "type": "custom", "function": "x"},
                    {"id": "c5", "type": "unheard-of"},
                    {
                        "id": "c0",
                        "function": {"name": "Read", "arguments": '{"a":' * 2_000 + "1" + "}" * 2_000},
                    },
                ]
            ),
            max_size=3,
        ),
        st.sampled_from(
            [
                {},
                {"thinking_blocks": "hm"},
                {"thinking_blocks": [7]},
                {"reasoning_content": ["hm"]},
                {"id": ["a"]},
                {"id": "a]b"},
                {"archivist_id": -3},
                {"pinned": True, "name": 7},
            ]
        ),
    ),
    st.sampled_from(
        [
            {"role": "assistant", "content": None, "function_call": {"name": "Read", "arguments": "{}"}},
            {"role": "function", "name": "Read", "content": "x" * 700},
            {"role": "developer", "content": "Never deploy."},
            {"role": "user", "content": "\ud800 half a character, and \u202e more"},
            {"role": "tool", "tool_call_id": "c1", "content": {"rows": [1, 2]}},
            {"role": "tool", "tool_call_id": 7, "content": b"bytes"},
            "no message",
            None,
        ]
    ),
)
BROKEN = st.sampled_from(
    [
        {"role": "robot", "content": "beep"},
        {"role": "assistant", "content": None},
        {"role": "tool", "content": "whose?"},
        {"role": "user", "content": None},
        {"role": "assistant", "content": "x", "tool_calls": []},
        {"role": "assistant", "content": "x", "tool_calls": [{"id": "", "function": {}}]},
        {"role": "user", "content": 7},
        {},
    ]
)
ANY = st.lists(st.one_of(USERS, ASSISTANTS, RESULTS, RESULTS, BROKEN, ODD), max_size=24)


@st.composite
def valid(draw, most=30):
    """A conversation that is valid: results right behind their calls."""
    messages = draw(st.sampled_from([[], [said("system", "You are an agent.")]])).copy()
    messages.append(draw(USERS))
    for number in range(draw(st.integers(0, most))):
        if draw(st.integers(0, 3)) == 0:
            messages.append(draw(USERS))
            continue
        message = draw(ASSISTANTS)
        if calls := message.get("tool_calls"):
            sound = [
                {
                    "id": f"n{number}_{at}",
                    "type": "function",
                    "function": {
                        **call["function"],
                        "arguments": draw(st.sampled_from(["{}", '{"path": "a.py"}'])),
                    },
                }
                for at, call in enumerate(calls)
            ]
            messages.append({**message, "tool_calls": sound})
            messages += [
                {"role": "tool", "tool_call_id": call["id"], "content": draw(TEXTS)} for call in sound
            ]
        elif message["content"] and "thinking_blocks" not in message:
            messages.append(message)
    return messages

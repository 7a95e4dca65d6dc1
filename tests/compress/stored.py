"""Stored conversations of every shape, for properties that must hold of all of them."""

import json

import msgspec
from hypothesis import strategies as st
from tests.compress.histories import TEXTS

from archivist import Message, Part, ToolCall

IDS = st.sampled_from(["", "c1", "c2", "c3", "c4"])
ARGUMENTS = st.sampled_from(["{}", '{"path": "a.py"}', "{'a'", json.dumps({"content": "y" * 2_000})])
CALLS = st.builds(ToolCall, IDS, st.sampled_from(["Read", "terminal", "mcp__x__y", ""]), ARGUMENTS)
PARTS = st.one_of(
    TEXTS.map(lambda text: Part("text", text)),
    st.just(Part("image", media_type="image/png", blob="ab" * 32, name="plan.png")),
    st.just(Part("image", "the quay from above", media_type="image/png", blob="12" * 32)),
    st.just(Part("audio", media_type="audio/wav", blob="cd" * 32)),
    st.just(Part("file", "Never ship on Fridays.", name="rules.md")),
    st.just(
        Part("file", "What the file says.", media_type="application/pdf", blob="34" * 32, name="plan.pdf")
    ),
    st.just(Part("context", "Notes changed since this session began.")),
    st.just(Part("server_tool_use", '{"query": "x"}')),
)
REASONING = st.sampled_from(
    [
        None,
        '[{"type":"thinking","thinking":"hm","signature":"s"}]',
        '[{"type":"thinking","thinking":"hm"}]',
        '[{"type":"reasoning","summary":[]}]',
        '[{"type":"compaction","content":"The importer reads files."},{"type":"thinking","thinking":"hm","signature":"s"}]',
        '[{"type":"compaction","content":null}]',
        '[{"type":"compaction","encrypted_content":"gAAAAAB"}]',
        '{"reasoning_content":"hm"}',
        "no JSON",
    ]
)
SPEAKERS = st.sampled_from([None, "Ann", "张伟", "a b"])
USERS = st.builds(
    lambda text, parts, who: Message("user", text, tuple(parts), speaker=who),
    TEXTS,
    st.lists(PARTS, max_size=3),
    SPEAKERS,
)
ASSISTANTS = st.builds(
    lambda text, parts, calls, thought: Message(
        "assistant", text, tuple(parts), tuple(calls), reasoning=thought
    ),
    TEXTS,
    st.lists(PARTS, max_size=2),
    st.lists(CALLS, max_size=3),
    REASONING,
)
RESULTS = st.builds(
    lambda text, parts, key, name: Message("tool", text, tuple(parts), tool_call_id=key, tool_name=name),
    TEXTS,
    st.lists(PARTS, max_size=2),
    st.sampled_from([None, "c1", "c2", "c3", "c4"]),
    st.sampled_from([None, "Read", "terminal"]),
)
SYSTEM = TEXTS.map(lambda text: Message("system", text))


@st.composite
def conversations(draw, most=24):
    """Rows as a store holds them: whatever was said, each with an id."""
    rows = draw(st.lists(st.one_of(USERS, ASSISTANTS, RESULTS, RESULTS, SYSTEM), max_size=most))
    return [msgspec.structs.replace(row, id=number + 1) for number, row in enumerate(rows)]


@st.composite
def worked(draw):
    """Rows of a conversation in which tools did most: long outputs, long arguments, pictures."""
    rows = [Message("user", "Look into the importer."), Message("assistant", "I will.")]
    for number in range(draw(st.integers(3, 9))):
        key, size = f"w{number}", draw(st.sampled_from([20, 400, 3_000]))
        content = json.dumps({"path": f"{number}.py", "content": "word " * draw(st.sampled_from([2, 400]))})
        words = draw(st.sampled_from(["", "the quay from above"]))
        picture = (Part("image", words, media_type="image/png", blob="ab" * 32),) * draw(st.integers(0, 1))
        rows += [
            Message(
                "assistant", "", tool_calls=(ToolCall(key, "Write", content),), reasoning=draw(REASONING)
            ),
            Message("tool", "x = 1;\n" * (size // 7), picture, tool_call_id=key, tool_name="Write"),
        ]
        if draw(st.booleans()):
            rows.append(Message("user", f"and {number}?", picture))
    rows.append(Message("user", "Go on."))
    return [msgspec.structs.replace(row, id=number + 1) for number, row in enumerate(rows)]

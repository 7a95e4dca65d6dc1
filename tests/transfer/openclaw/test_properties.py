"""Whatever a transcript, an envelope or a note holds, it is read, and the counts add up."""

import json
import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from archivist.transfer import import_history, read_history

WORDS = st.text(max_size=30)
ID = st.sampled_from(["a", "b", "c", "d", "e"])
ODD = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False),
    WORDS,
    st.lists(WORDS, max_size=2),
    st.just({}),
)
BLOCK = st.one_of(
    ODD,
    st.fixed_dictionaries(
        {"type": st.sampled_from(["text", "thinking", "toolCall", "image", "odd"])},
        optional={
            "text": st.one_of(WORDS, ODD),
            "id": ODD,
            "name": ODD,
            "arguments": ODD,
            "data": ODD,
            "mimeType": ODD,
            "source": ODD,
        },
    ),
)
MESSAGE = st.fixed_dictionaries(
    {"role": st.sampled_from(["user", "assistant", "toolResult", "system", "odd"])},
    optional={
        "content": st.one_of(ODD, st.lists(BLOCK, max_size=3)), "usage": st.one_of(ODD, st.fixed_dictionaries({"input": ODD, "cost": ODD})),
        "provider": ODD, "model": ODD, "toolCallId": ODD, "isError": ODD, "timestamp": ODD,
    },
)  # fmt: skip
ENTRY = st.fixed_dictionaries(
    {"type": st.sampled_from(["message", "message", "compaction", "custom", "label", "leaf", "session", "session_info", "odd"])},
    optional={
        "id": st.one_of(ID, ODD), "parentId": st.one_of(ID, ODD), "timestamp": st.one_of(ODD, st.just("2026-06-10T09:00:00Z")),
        "message": st.one_of(MESSAGE, ODD), "name": ODD, "targetId": st.one_of(ID, ODD), "cwd": ODD, "parentSession": ODD,
    },
)  # fmt: skip
LINES = st.lists(st.one_of(ENTRY.map(json.dumps), WORDS), max_size=12)
KEY_PART = st.sampled_from(
    ["agent", "main", "telegram", "group", "direct", "subagent", "cron", "", "7", "recovered"]
)
NOTED = st.dictionaries(
    st.lists(KEY_PART, max_size=6).map(":".join),
    st.fixed_dictionaries(
        {"sessionId": st.sampled_from(["one", "two"])},
        optional={"chatType": ODD, "spawnedBy": ODD, "origin": ODD},
    ),
    max_size=4,
)
PIECES = st.sampled_from([
    "[Telegram Ada id:7 2026-06-10 09:11 UTC] ", "[", "]", "\n", "[message_id: 5]", "```json\n", "```", "{\"sender\":5}", "words", ": ",
    "Conversation info (untrusted metadata):\n", "\u27e6openclaw:ctx\u27e7", "Context:\n", "<active_memory_plugin>",
    "</active_memory_plugin>",
    "# ", "- ", "  ", "09:15", "<!-- openclaw:dreaming:light:start -->", "<!-- openclaw:dreaming:light:end -->", "[score=1]", "99:99 pm",
])  # fmt: skip
TEXT = st.lists(PIECES, max_size=14).map("".join)


def add_up(path):
    for session in read_history(path, "openclaw"):
        messages = list(session.messages)
        assert session.read == sum(m.records for m in messages) + sum(session.skipped.values())
        assert len({m.message.client_id for m in messages}) == len(messages)


@settings(max_examples=60, deadline=None)
@given(one=LINES, two=LINES, noted=NOTED, end=st.sampled_from(["\n", "\r\n"]))
def test_any_files_are_read_and_a_second_import_adds_nothing(kit, one, two, noted, end):
    with tempfile.TemporaryDirectory() as folder:
        sessions = Path(folder) / ".openclaw" / "agents" / "main" / "sessions"
        sessions.mkdir(parents=True)
        for name, lines in (("one", one), ("two", two)):
            text = end.join(line.replace("\n", " ") for line in lines)
            (sessions / f"{name}.jsonl").write_bytes(text.encode("utf-8", "surrogatepass"))
        (sessions / "sessions.json").write_text(json.dumps(noted))
        root = Path(folder) / ".openclaw"
        add_up(root)
        memory = kit.Memory()
        first = import_history(root, memory)
        assert first.problems == ()
        assert first.read == first.imported + first.skipped
        memory.marks.clear()
        assert import_history(root, memory).messages == 0


@settings(max_examples=40, deadline=None)
@given(entries=st.lists(ENTRY, max_size=8), compressed=st.booleans(), noted=NOTED)
def test_any_rows_are_read(kit, shapes, entries, compressed, noted):
    with tempfile.TemporaryDirectory() as folder:
        claw = shapes.Claw(Path(folder) / ".openclaw")
        told = shapes.Transcript("one")
        told.entries = entries
        claw.noted = dict(list(noted.items())[:1])
        claw.rows(told, compressed=compressed)
        add_up(claw.root)
        assert import_history(claw.root, kit.Memory()).problems == ()


@settings(max_examples=60, deadline=None)
@given(text=TEXT, key=st.lists(KEY_PART, min_size=1, max_size=6).map(":".join))
def test_any_words_and_any_note_are_read(kit, shapes, text, key):
    with tempfile.TemporaryDirectory() as folder:
        claw = shapes.Claw(Path(folder) / ".openclaw")
        told = shapes.Transcript()
        told.user(text)
        claw.key(key)
        claw.files(told)
        claw.note("memory/2026-06-08.md", text)
        add_up(claw.root)
        assert import_history(claw.root, kit.Memory()).problems == ()

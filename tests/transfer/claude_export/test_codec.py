"""What a Claude export gives, trap by trap."""

import json
from datetime import timedelta

import pytest

from archivist.records import OWNER, Scope
from archivist.transfer import SourceUnreadable, read_history
from archivist.transfer.claude_export.content import read_words
from archivist.transfer.times import UNKNOWN

ROOT = "00000000-0000-4000-8000-000000000000"


def read(path):
    """The sessions by id with their messages in order, their counts checked."""
    sessions = {}
    for session in read_history(path, "claude"):
        messages = list(session.messages)
        assert session.read == sum(m.records for m in messages) + sum(session.skipped.values())
        assert len({m.message.client_id for m in messages}) == len(messages)
        sessions[session.start.external_id] = (session, [m.message for m in messages])
    return sessions


@pytest.fixture
def only(chat, tmp_path, web):
    """The session and the messages of the chat as it is now."""
    return lambda **changes: read(web.export(tmp_path / "x", chat.conversation(**changes)))[chat.key]


def states(messages):
    return {message.metadata["source_ids"][0]: message.state for message in messages}


def test_without_parents_the_list_is_the_conversation(chat, only):
    chat.say("a", "human", "one")
    chat.say("b", "assistant", "two")
    chat.say("c", "human", "three", time="2026-01-01T00:00:00Z")
    session, messages = only()
    assert [(m.role, m.text) for m in messages] == [("user", "one"), ("assistant", "two"), ("user", "three")]
    assert states(messages) == dict.fromkeys("abc", "active")
    assert [m.client_id for m in messages] == ["claude:chat-1:a", "claude:chat-1:b", "claude:chat-1:c"]
    assert (session.read, session.skipped) == (3, {})


def test_the_path_to_the_newest_message_is_active_and_the_rest_a_branch(chat, only):
    chat.say("a", "human", "dive?", parent_message_uuid=ROOT)
    chat.say("b", "assistant", "nitrox 32", parent_message_uuid="a")
    chat.say("c", "assistant", "nitrox 28", parent_message_uuid="a")
    chat.say("d", "human", "good", parent_message_uuid="c")
    chat.say("e", "human", "begun anew", parent_message_uuid=ROOT, time="2026-02-14T09:00:00Z")
    _, messages = only()
    assert states(messages) == {"a": "active", "b": "branch", "c": "active", "d": "active", "e": "branch"}
    assert states(only(current_leaf_message_uuid="b")[1])["c"] == "branch"


def test_text_comes_from_the_blocks_else_from_beside_them(chat, only, web):
    chat.say("a", "assistant", "", {"type": "thinking", "thinking": "hm"}, web.text("one"), web.text("two"))
    chat.say("b", "assistant", "as it was shown")
    chat.say("c", "human", "beside", {"type": "text", "text": ""})
    chat.say(
        "d",
        "assistant",
        "",
        {"type": "voice_note", "title": "Note", "text": "spoken"},
        {"type": "token_budget"},
    )
    _, messages = only()
    assert [m.text for m in messages] == ["one\n\ntwo", "as it was shown", "beside", "Note\nspoken"]
    assert json.loads(messages[0].reasoning) == [{"type": "thinking", "thinking": "hm"}]
    assert all(m.parts == () for m in messages)


def use(key, name="web_search", **given):
    return {"type": "tool_use", "id": key, "name": name, "input": given}


def result(key, content, **fields):
    return {"type": "tool_result", "tool_use_id": key, "content": content} | fields


def test_what_stands_for_a_block_in_the_text_is_no_text(chat, only):
    shown = "```\nThis block is not supported on your current device yet.\n```"
    chat.say("a", "assistant", shown, use("t1"))
    chat.say("b", "assistant", f"I look.\n\n{shown}\n\nDone.", use("t2"))
    assert [m.text for m in only()[1]] == ["", "I look.\n\nDone."]


def test_calls_and_their_results_are_paired(chat, only, web):
    found = [
        {"type": "text", "text": "07:42"},
        {"type": "knowledge", "title": "Tides", "url": "https://x.example"},
    ]
    chat.say(
        "a", "assistant", "", web.text("I look."), use("t1", query="tide 潮"), result("t1", found, name="web_search"),
        use("t2", "repl"), result("t2", "boom", is_error=True), web.text("High at 07:42."),
    )  # fmt: skip
    chat.say("b", "human", "thanks")
    _, messages = only()
    said, first, second, _ = messages
    assert (said.text, [call.name for call in said.tool_calls]) == (
        "I look.\n\nHigh at 07:42.",
        ["web_search", "repl"],
    )
    assert said.tool_calls[0].arguments == '{"query":"tide 潮"}'
    assert (first.role, first.tool_call_id, first.tool_name) == ("tool", "t1", "web_search")
    assert first.text == "07:42\n\nTides\nhttps://x.example"
    assert (second.tool_call_id, second.tool_name, second.text) == ("t2", "repl", "boom")
    assert second.metadata == {"is_error": True, "source_ids": ["a"]}
    assert [first.client_id, second.client_id] == ["claude:chat-1:a#1", "claude:chat-1:a#2"]


def test_calls_without_ids_are_paired_by_name_and_order(chat, only):
    chat.say(
        "a",
        "assistant",
        "",
        use(None, "x"),
        use(None, "y"),
        result(None, "of y", name="y"),
        result(None, "of x"),
    )
    _, (said, first, second) = only()
    assert [call.id for call in said.tool_calls] == ["a/0", "a/1"]
    assert [(first.tool_call_id, first.text), (second.tool_call_id, second.text)] == [
        ("a/1", "of y"),
        ("a/0", "of x"),
    ]


def test_results_alone_are_counted_once(chat, only):
    chat.say("a", "assistant", "", result("t1", "one"), result("t2", "two"))
    session, messages = only()
    assert [(m.role, m.tool_call_id) for m in messages] == [("tool", "t1"), ("tool", "t2")]
    assert session.read == 1


def test_the_text_of_an_attachment_is_a_part_with_its_name(chat, only):
    lease = {"file_name": "lease.txt", "file_type": "text/plain", "extracted_content": "Clause 7"}
    chat.say("a", "human", "our lease", attachments=[lease, {"file_name": "x", "file_type": "txt"}])
    chat.say("b", "human", "", attachments=[lease])
    session, messages = only()
    shown = [[(p.kind, p.text, p.name, p.media_type) for p in m.parts] for m in messages]
    assert shown == [
        [
            ("text", "our lease", "", ""),
            ("file", "Clause 7", "lease.txt", "text/plain"),
            ("file", "", "x", ""),
        ],
        [("file", "Clause 7", "lease.txt", "text/plain")],
    ]
    assert [m.text for m in messages] == ["our lease", ""]
    assert session.skipped == {}


def test_files_come_with_their_bytes_where_the_export_holds_them(chat, tmp_path, web):
    files = [
        {"file_uuid": "f-1", "file_name": "plan.png"}, {"file_uuid": "f-2", "file_name": "lease.pdf"},
        {"file_uuid": "f-3", "file_name": "gone.txt"}, {"file_name": "twice.txt"}, 7,
    ]  # fmt: skip
    chat.say("a", "human", "look", files=files)
    beside = {
        "f-1.png": b"plan",
        "f-11.png": b"other",
        "files/lease.pdf": b"pdf",
        "a/twice.txt": b"1",
        "b/twice.txt": b"2",
    }
    _, [message] = read(web.packed(tmp_path / "x.zip", chat, **beside))["chat-1"]
    assert [(p.kind, p.name, p.media_type, p.data) for p in message.parts[1:]] == [
        ("image", "plan.png", "image/png", b"plan"),
        ("file", "lease.pdf", "application/pdf", b"pdf"),
        ("file", "gone.txt", "text/plain", None),
        ("file", "twice.txt", "text/plain", None),
    ]


def test_a_missing_time_is_that_of_the_message_before_else_the_earliest(chat, only):
    chat.say("a", "human", "one", time=None)
    chat.say("b", "assistant", "two")
    chat.say("c", "human", "three", time="soon")
    _, messages = only()
    assert len({m.created_at for m in messages}) == 1
    assert [m.metadata.get("time") for m in messages] == ["inferred", None, "inferred"]


@pytest.mark.parametrize(
    ("changes", "wanted"),
    [({"updated_at": "2026-03-01T00:00:00Z"}, "2026-03-01T00:00:00+00:00"), ({}, UNKNOWN.isoformat())],
)
def test_a_conversation_without_times_has_one_that_stays(chat, only, changes, wanted):
    chat.say("a", "human", "one", time=None)
    session, [message] = only(created_at=None, **changes)
    assert session.start.started_at.isoformat() == message.created_at.isoformat() == wanted


def test_times_keep_their_zone(chat, only):
    chat.say("a", "human", "句", time="2026-04-10T00:10:00+09:00")
    [message] = only()[1]
    assert message.created_at.utcoffset() == timedelta(hours=9)
    assert message.created_at.isoformat() == "2026-04-10T00:10:00+09:00"


@pytest.mark.parametrize("naming", [{"project_uuid": "p-1"}, {"project": {"uuid": "p-1", "name": "House"}}])
def test_what_is_known_of_a_conversation(chat, only, naming):
    chat.say("a", "human", "one")
    start = only(name="", model="claude-x", **naming)[0].start
    assert (start.source, start.title, start.model) == ("claude", None, "claude-x")
    assert start.scope == Scope(user=OWNER.user, project="claude:p-1")
    assert only()[0].start.scope == OWNER


def test_what_is_no_message_is_skipped_with_its_reason(chat, only):
    chat.say("a", "human", "one")
    chat.say("a", "human", "one again")
    chat.say("b", "critic", "two")
    chat.say("c", "assistant", " ")
    chat.messages.append("three")
    chat.say(None, "human", "without an id")
    session, messages = only()
    assert [m.client_id for m in messages] == ["claude:chat-1:a", "claude:chat-1:#5"]
    assert session.skipped == {
        "repeated in the source": 1,
        "unknown role": 1,
        "empty message": 1,
        "damaged record": 1,
    }


def test_an_empty_conversation_is_counted(chat, only):
    session, messages = only()
    assert (messages, session.read, session.skipped) == ([], 1, {"empty message": 1})


def test_projects_are_said_to_be_left_out(chat, tmp_path, web):
    chat.say("a", "human", "one")
    other = web.Chat("chat-2")
    other.say("a", "human", "one")
    folder = web.export(tmp_path / "x", chat, other)
    (folder / "projects.json").write_text('[{"uuid": "p", "docs": [{"content": "x"}]}]')
    notices = [dict(session.notices) for session, _ in read(folder).values()]
    assert notices == [
        {"projects and their documents are no conversations and no notes: they were not taken": 1},
        {},
    ]


def test_one_conversation_a_line_is_read_too_and_a_torn_end_is_counted(chat, tmp_path, web):
    chat.say("a", "human", "一")
    lines = [json.dumps(chat.conversation(), ensure_ascii=False), "", "nonsense", '{"uuid": "c2", "chat_mess']
    path = tmp_path / "export.jsonl"
    path.write_bytes("\r\n".join(lines).encode())
    told = list(read_history(path))
    assert [(session.start.external_id, dict(session.skipped)) for session in told] == [
        ("chat-1", {}), ("export.jsonl#2", {"invalid JSON": 1}), ("export.jsonl#3", {"torn line": 1}),
    ]  # fmt: skip
    [one] = told[0].messages
    assert one.message.text == "一"


@pytest.mark.parametrize("odd", [None, [], "x", 7, True, {}, {"uuid": []}, [None, {}], 1e308])
def test_a_field_of_another_kind_costs_no_other_record(chat, tmp_path, web, odd):
    conversations = []
    for number, field in enumerate(
        ("name", "created_at", "updated_at", "project", "project_uuid", "account", "model")
    ):
        other = web.Chat(f"c{number}")
        other.say("a", "human", "kept")
        conversations.append(other.conversation(**{field: odd}))
    fields = (
        "uuid",
        "text",
        "content",
        "sender",
        "created_at",
        "attachments",
        "files",
        "parent_message_uuid",
    )
    for field in fields:
        chat.say(f"odd-{field}", "human", "x")
        chat.messages[-1][field] = odd
    for field in ("type", "text", "id", "name", "input", "tool_use_id", "content", "source", "title"):
        blocks = [
            web.text("x"),
            use("t"),
            result("t", "x"),
            {"type": "image", "source": {"type": "base64", "data": "eA=="}},
        ]
        chat.say(f"block-{field}", "assistant", "", *(block | {field: odd} for block in blocks))
    for field in ("file_name", "extracted_content", "file_type", "file_uuid"):
        chat.say(f"file-{field}", "human", "x", attachments=[{field: odd}], files=[{field: odd}])
    chat.say("last", "human", "kept", parent_message_uuid=ROOT)
    sessions = read(
        web.export(tmp_path, *conversations, chat, chat.conversation(uuid=odd, chat_messages=odd))
    )
    assert all(messages[-1].text == "kept" for key, (_, messages) in sessions.items() if key.startswith("c"))
    assert len(sessions) >= len(conversations) + 1


def test_a_chain_of_any_length_is_read(chat, only):
    for number in range(5000):
        chat.say(f"n{number}", "human", "x", parent_message_uuid=f"n{number - 1}" if number else ROOT)
    assert set(states(only()[1]).values()) == {"active"}


def test_a_file_of_another_program_is_named(tmp_path, web):
    folder = web.export(tmp_path, {"id": "c", "mapping": {}})
    with pytest.raises(
        SourceUnreadable, match="it holds no conversations of Claude: give the path of its data export"
    ):
        list(read_history(folder, "claude"))


def test_results_without_an_id_answer_the_calls_in_order_by_name():
    calls = [{"type": "tool_use", "id": f"c{n}", "name": name} for n, name in enumerate("abab")]
    results = [{"type": "tool_result", "name": name, "content": "r"} for name in "bbax"]
    words = read_words("k", {"content": calls + results})
    assert [result.call.id for result in words.results] == ["c1", "c3", "c0", "c2"]


def test_a_message_of_very_many_calls_is_read_at_once():
    calls = [{"type": "tool_use", "id": f"c{n}", "name": "x"} for n in range(20_000)]
    results = [{"type": "tool_result", "tool_use_id": f"c{n}", "content": "r"} for n in range(20_000)]
    assert [r.call.id for r in read_words("k", {"content": calls + results}).results][-1] == "c19999"

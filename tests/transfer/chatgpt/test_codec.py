"""What a ChatGPT export gives, trap by trap."""

import json
from datetime import UTC, datetime

import pytest

from archivist.records import OWNER, Scope
from archivist.transfer import SourceUnreadable, import_history, read_history
from archivist.transfer.times import UNKNOWN


def read(path):
    """The sessions by id with their messages by node, their counts checked."""
    sessions = {}
    for session in read_history(path, "chatgpt"):
        messages = list(session.messages)
        assert session.read == sum(m.records for m in messages) + sum(session.skipped.values())
        sessions[session.start.external_id] = (session, {m.source_ids[0]: m.message for m in messages})
    return sessions


@pytest.fixture
def only(talk, tmp_path, gpt):
    """The session and the messages of the talk as it is now."""
    return lambda **changes: read(gpt.export(tmp_path / "x", talk.conversation(**changes)))[talk.key]


def test_the_path_to_the_current_node_is_active_and_the_rest_a_branch(talk, only):
    talk.say("a", "user", "bread?", parent="root")
    talk.say("b", "assistant", "Yes.")
    talk.say("c", "user", "rye bread?", parent="root")
    talk.say("d", "assistant", "Rye.")
    session, messages = only()
    assert {key: m.state for key, m in messages.items()} == {
        "a": "branch", "b": "branch", "c": "active", "d": "active",
    }  # fmt: skip
    assert messages["c"].client_id == "chatgpt:talk-1:c"
    assert (session.read, session.skipped) == (5, {"bookkeeping: node without a message": 1})


def test_what_the_person_does_not_see_is_skipped_with_its_reason(talk, only):
    hidden = {"is_visually_hidden_from_conversation": True}
    talk.say("s", "system", "be kind")
    talk.say("h", "assistant", "written by the program: hidden", metadata=hidden)
    talk.say("w", "assistant", "weightless", weight=0)
    talk.say(
        "i", "user", {"content_type": "user_editable_context", "user_instructions": "grams"}, metadata=hidden
    )
    talk.say(
        "j",
        "system",
        {"content_type": "text", "parts": ["grams"]},
        metadata=hidden | {"is_user_system_message": True},
    )
    talk.say("m", "system", {"content_type": "model_editable_context", "model_set_context": "likes rye"})
    talk.say("u", "critic", "who?")
    talk.say("e", "assistant", "  ")
    talk.node("x", "no message at all")
    talk.say("a", "user", "hello")
    session, messages = only()
    assert list(messages) == ["a"]
    assert session.skipped == {
        "bookkeeping: node without a message": 1, "written by the program: instructions": 1,
        "written by the program: hidden": 2,
        "written by the program: standing instructions": 2,
        "written by the program: the vendor's own memory": 1, "unknown role": 1, "empty message": 1, "damaged record": 1,
    }  # fmt: skip
    assert session.notices == {}


def test_reasoning_belongs_to_the_answer_behind_it_and_is_no_text(talk, only):
    thoughts = {"content_type": "thoughts", "thoughts": [{"summary": "Oven", "content": "secret"}]}
    talk.say("a", "user", "bake?")
    talk.say("t", "assistant", thoughts)
    talk.say("r", "assistant", {"content_type": "reasoning_recap", "content": "Thought for 8 s"})
    talk.say("b", "assistant", "Bake.")
    talk.say("t2", "assistant", thoughts)
    session, messages = only()
    answer = messages["b"]
    assert (answer.text, answer.parts, answer.metadata["reasoning_ids"]) == ("Bake.", (), ["t", "r"])
    assert [block["content_type"] for block in json.loads(answer.reasoning)] == [
        "thoughts",
        "reasoning_recap",
    ]
    assert messages["a"].reasoning is None
    assert session.skipped["reasoning without an answer after it"] == 1


def test_reasoning_before_two_answers_is_the_earlier_ones(talk, only):
    talk.say("a", "user", "bake?")
    talk.say("t", "assistant", {"content_type": "thoughts", "thoughts": []})
    talk.say("b", "assistant", "Bake.", parent="t")
    talk.say("c", "assistant", "Fry.", parent="t")
    _, messages = only()
    assert messages["b"].reasoning is not None
    assert messages["c"].reasoning is None


def test_code_for_a_tool_is_a_call_and_what_follows_its_results(talk, only):
    talk.say("a", "user", "area?")
    talk.say(
        "b",
        "assistant",
        {"content_type": "code", "language": "python", "text": "3.2 * 4.1"},
        recipient="python",
    )
    talk.say("c", "tool", {"content_type": "execution_output", "text": "13.12"}, name="python")
    talk.say("d", "tool", {"content_type": "multimodal_text", "parts": ["a plot"]})
    talk.say("e", "assistant", "13.12 square metres.")
    talk.say("f", "assistant", '{"query": "tide"}', recipient="web.run")
    talk.say(
        "g",
        "tool",
        {"content_type": "tether_quote", "url": "https://x.example", "title": "Tide", "text": "07:42"},
    )
    talk.say(
        "h",
        "tool",
        {"content_type": "tether_browsing_display", "result": "# Tide", "summary": "high"},
        parent="a",
    )
    _, messages = only()
    [call] = messages["b"].tool_calls
    assert (call.id, call.name, json.loads(call.arguments)) == ("b", "python", {"code": "3.2 * 4.1"})
    assert messages["b"].text == ""
    assert [(m.role, m.tool_call_id, m.tool_name, m.text) for m in (messages["c"], messages["d"])] == [
        ("tool", "b", "python", "13.12"), ("tool", "b", "python", "a plot"),
    ]  # fmt: skip
    assert messages["f"].tool_calls[0].arguments == '{"query": "tide"}'
    assert (messages["g"].tool_call_id, messages["g"].text) == ("f", "Tide\nhttps://x.example\n07:42")
    assert (messages["h"].tool_call_id, messages["h"].text) == (None, "high\n# Tide")


PICTURE = {"content_type": "image_asset_pointer", "asset_pointer": "file-service://file-PLAN1"}
DRAWN = PICTURE | {"asset_pointer": "sediment://file_0002", "metadata": {"dalle": {"prompt": "a kiln"}}}
SPEECH = {
    "content_type": "real_time_user_audio_video_asset_pointer",
    "audio_asset_pointer": {"content_type": "audio_asset_pointer", "asset_pointer": "sediment://file_0003"},
    "frames_asset_pointers": [PICTURE | {"asset_pointer": "sediment://file_0004"}],
}


def shown(message):
    return [(part.kind, part.text, part.name, part.media_type, part.data) for part in message.parts]


def say_with_pictures(talk):
    uploads = [
        {"id": "file-PLAN1", "name": "plan.png", "mime_type": "image/png"},
        {"id": "file-DOC1", "name": "lease.pdf", "mime_type": "application/pdf"},
    ]
    content = {"content_type": "multimodal_text", "parts": ["my kitchen", PICTURE, "and"]}
    talk.say("a", "user", content, metadata={"attachments": uploads})
    talk.say("b", "assistant", {"content_type": "multimodal_text", "parts": [DRAWN, SPEECH]})


def test_images_and_uploads_come_with_their_bytes_where_the_export_holds_them(talk, tmp_path, gpt):
    say_with_pictures(talk)
    files = {
        "file-PLAN1-plan.png": b"plan", "u/file-DOC1-lease.pdf": b"pdf", "dalle-generations/file_0002-x.webp": b"kiln",
        "talk/audio/file_0003-y.wav": b"wav", "file_0004.jpg": b"jpg", "file-PLAN11.png": b"other",
    }  # fmt: skip
    _, messages = read(gpt.packed(tmp_path / "x.zip", talk, **files))["talk-1"]
    assert messages["a"].text == "my kitchen\nand"
    assert shown(messages["a"]) == [
        ("text", "my kitchen", "", "", None),
        ("image", "", "plan.png", "image/png", b"plan"),
        ("text", "and", "", "", None),
        ("file", "", "lease.pdf", "application/pdf", b"pdf"),
    ]
    assert [(kind, text, data) for kind, text, _, _, data in shown(messages["b"])] == [
        ("image", "a kiln", b"kiln"), ("audio", "", b"wav"), ("image", "", b"jpg"),
    ]  # fmt: skip


def test_a_missing_image_is_named(talk, only):
    say_with_pictures(talk)
    _, messages = only()
    assert shown(messages["a"])[1] == ("image", "file-service://file-PLAN1", "plan.png", "image/png", None)
    assert shown(messages["a"])[3] == ("file", "file-DOC1", "lease.pdf", "application/pdf", None)


def test_speech_that_was_written_down_is_text(talk, only):
    talk.say(
        "a",
        "user",
        {"content_type": "multimodal_text", "parts": [{"content_type": "audio_transcription", "text": "hi"}]},
    )
    assert only()[1]["a"].text == "hi"


def test_a_content_that_is_not_known_is_kept(talk, only):
    talk.say("a", "assistant", {"content_type": "super_widget", "widget": {"kind": "map"}})
    talk.say("b", "assistant", {"content_type": "citable", "text": "words"})
    _, messages = only()
    [part] = messages["a"].parts
    assert (part.kind, json.loads(part.text)["widget"]) == ("super_widget", {"kind": "map"})
    assert messages["b"].text == "words"


def test_marks_for_sources_read_as_the_person_saw_them(talk, only):
    mark = "\ue200cite\ue202turn0search0\ue201"
    references = [{"matched_text": mark, "alt": "([Tide](https://x.example))"}, {"matched_text": None}, "odd"]
    talk.say(
        "a",
        "assistant",
        f"High at 07:42. {mark} \ue200nav\ue201",
        metadata={"content_references": references},
    )
    assert only()[1]["a"].text == "High at 07:42. ([Tide](https://x.example)) \ue200nav\ue201"


def test_half_a_surrogate_pair_loses_nothing_else(talk, tmp_path, gpt):
    talk.say("a", "user", "13.12 \ud83d")
    assert read(gpt.export(tmp_path, talk))["talk-1"][1]["a"].text == "13.12 \ufffd"


def test_a_missing_time_is_that_of_the_message_above_else_the_earliest(talk, only):
    talk.say("a", "user", "one", time=None)
    talk.say("b", "assistant", "two")
    talk.say("c", "user", "three", time=None)
    talk.say("d", "assistant", "four", time=-1)
    _, messages = only()
    assert [m.created_at.timestamp() - 1_767_000_000 for m in messages.values()] == [20, 20, 20, 20]
    assert [m.metadata.get("time") for m in messages.values()] == ["inferred", None, "inferred", "inferred"]


@pytest.mark.parametrize(
    ("changes", "wanted"),
    [
        ({"create_time": 1_700_000_000, "update_time": 1_800_000_000.5}, 1_700_000_000),
        ({"create_time": None, "update_time": 1_800_000_000.5}, 1_800_000_000.5),
        ({"create_time": "2026-01-02T03:04:05Z"}, datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC).timestamp()),
        ({"create_time": None}, UNKNOWN.timestamp()),
    ],
)
def test_a_conversation_without_times_has_one_that_stays(talk, only, changes, wanted):
    talk.say("a", "user", "one", time=None)
    session, messages = only(**changes)
    assert session.start.started_at.timestamp() == messages["a"].created_at.timestamp() == wanted


def test_a_conversation_without_its_own_time_begins_with_its_earliest_message(talk, only):
    talk.say("a", "user", "one")
    session, messages = only(create_time=None, update_time=1_800_000_000)
    assert session.start.started_at == messages["a"].created_at


def test_what_is_known_of_a_conversation(talk, only):
    talk.say("a", "user", "one")
    start = only(is_archived=True, gizmo_id="g-p-0a1b", title=" ")[0].start
    assert (start.source, start.model, start.title) == ("chatgpt", "gpt-x", None)
    assert start.scope == Scope(user=OWNER.user, project="chatgpt:g-p-0a1b")
    assert (start.archived, start.metadata["gizmo_id"]) == (True, "g-p-0a1b")
    start = only(gizmo_id="g-0a1b")[0].start
    assert (start.scope, start.title, start.metadata["gizmo_id"]) == (OWNER, "A talk", "g-0a1b")


def test_the_model_is_the_last_that_answered_where_the_conversation_names_none(talk, only):
    talk.say("a", "assistant", "one", metadata={"model_slug": "gpt-a"})
    talk.say("b", "assistant", "two", metadata={"model_slug": "gpt-b"})
    assert only(default_model_slug=None)[0].start.model == "gpt-b"


@pytest.mark.parametrize("current", [None, "nowhere", 7])
def test_without_a_current_node_the_newest_end_is_taken(talk, only, current):
    talk.say("a", "user", "bread?", parent="root")
    talk.say("b", "assistant", "Yes.")
    talk.say("c", "user", "rye?", parent="root")
    talk.say("written by the program: hidden", "assistant", "x", parent="b", weight=0)
    _, messages = only(current_node=current)
    assert {key for key, m in messages.items() if m.state == "active"} == {"c"}


@pytest.mark.parametrize("length", [1200, 20_000])
def test_a_chain_may_be_of_any_length(talk, only, length):
    for number in range(length):
        talk.say(f"n{number}", "user" if number % 2 else "assistant", "x")
    _, messages = only()
    assert len(messages) == length
    assert {m.state for m in messages.values()} == {"active"}
    assert list(messages) == [f"n{number}" for number in range(length)]


def test_one_damaged_node_costs_nothing_but_itself(talk, only):
    talk.say("a", "user", "one")
    talk.say("b", "assistant", "two")
    talk.say("c", "user", "three", parent="lost")
    talk.say("d", "assistant", "four")
    talk.say("e", "user", "a circle", parent="f")
    talk.say("f", "assistant", "of two", parent="e")
    talk.mapping["odd"] = 7
    session, messages = only(current_node="d")
    assert {key: m.state for key, m in messages.items()} == dict.fromkeys("abcd", "active") | dict.fromkeys(
        "ef", "branch"
    )
    assert session.skipped == {"bookkeeping: node without a message": 1, "damaged record": 1}


def test_a_parent_that_only_names_its_children_is_a_parent(talk, only):
    talk.say("a", "user", "one")
    talk.say("b", "assistant", "two")
    for node in talk.mapping.values():
        del node["parent"]
    _, messages = only()
    assert {m.state for m in messages.values()} == {"active"}
    assert list(messages) == ["a", "b"]


@pytest.mark.parametrize("odd", [None, [], "x", 7, True, {}, {"role": []}, [None, {}], 1e308])
def test_a_field_of_another_kind_costs_no_other_record(talk, tmp_path, gpt, odd):
    fields = ("title", "create_time", "current_node", "gizmo_id", "is_archived", "default_model_slug")
    conversations = []
    for number, field in enumerate(fields):
        other = gpt.Talk(f"c{number}")
        other.say("a", "user", "kept")
        conversations.append(other.conversation(**{field: odd}))
    for field in ("author", "content", "weight", "recipient", "metadata", "create_time"):
        talk.say(f"odd-{field}", "assistant", "x")
        talk.mapping[talk.last]["message"][field] = odd
    for field in ("content_type", "parts", "text"):
        talk.say(f"odd-{field}", "user", {"content_type": "text", "parts": ["x"]} | {field: odd})
    for field in ("attachments", "content_references", "is_visually_hidden_from_conversation"):
        talk.say(f"odd-{field}", "user", "\ue200x\ue201", metadata={field: odd})
    for field in ("asset_pointer", "metadata", "content_type"):
        talk.say(
            f"part-{field}", "user", {"content_type": "multimodal_text", "parts": [DRAWN | {field: odd}]}
        )
    talk.mapping["node"] = odd
    talk.mapping["root"]["children"] = odd
    talk.say("last", "user", "kept")
    sessions = read(gpt.export(tmp_path, *conversations, talk))
    assert len(sessions) == len(fields) + 1
    assert all("a" in messages for key, (_, messages) in sessions.items() if key != talk.key)
    assert "last" in sessions[talk.key][1]


def test_what_is_no_conversation_is_counted(talk, tmp_path, gpt):
    talk.say("a", "user", "one")
    text = json.dumps(talk.conversation())
    folder = gpt.export(tmp_path / "x", talk)
    (folder / "conversations.json").write_text(f'[{{"n": 1}}, 7, {{"bad" 1}}, {text}]')
    told = list(read_history(folder))
    assert [(session.read, dict(session.skipped)) for session in told[:3]] == [
        (1, {"damaged record": 1}), (1, {"damaged record": 1}), (1, {"invalid JSON": 1}),
    ]  # fmt: skip
    assert told[3].start.external_id == "talk-1"


def test_a_conversation_without_an_id_is_known_by_its_first_node(talk, tmp_path, gpt):
    talk.say("a", "user", "one")
    assert list(read(gpt.export(tmp_path, talk.conversation(id=None, conversation_id=None)))) == ["of-root"]


def test_a_file_that_is_cut_off_is_a_problem_and_its_conversations_are_imported(talk, tmp_path, gpt, memory):
    talk.say("a", "user", "one")
    folder = gpt.export(tmp_path / "x", talk, talk.conversation(conversation_id="talk-2"), gpt.Talk("talk-3"))
    whole = (folder / "conversations.json").read_bytes()
    (folder / "conversations.json").write_bytes(whole[:-20])
    report = import_history(folder, memory)
    assert set(memory.starts) == {"talk-1", "talk-2"}
    assert report.read == report.imported + report.skipped
    [problem] = report.problems
    assert (
        problem.reason
        == f"{folder / 'conversations.json'}: it is cut off in element 3: check the file, then import again"
    )
    (folder / "conversations.json").write_bytes(whole)
    assert import_history(folder, memory).problems == ()
    assert import_history(folder, memory).files_unchanged == 1


def test_a_file_of_another_program_is_named(tmp_path, gpt):
    folder = gpt.export(tmp_path, {"uuid": "c", "chat_messages": []})
    with pytest.raises(
        SourceUnreadable, match="it holds no conversations of ChatGPT: give the path of its data export"
    ):
        list(read_history(folder, "chatgpt"))

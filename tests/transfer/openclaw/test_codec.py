"""What a transcript gives, trap by trap."""

import base64
import json
from collections import Counter

import pytest

from archivist.transfer import (
    SourceChanged,
    SourceUnreadable,
    codec_named,
    compressed,
    detect_format,
    import_history,
    read_history,
)
from archivist.transfer.foreign import Reading
from archivist.transfer.openclaw import OpenClaw
from archivist.transfer.openclaw import codec as openclaw_codec
from archivist.transfer.openclaw.places import look_at

CALL = {"type": "toolCall", "id": "toolu_1", "name": "exec", "arguments": {"command": "cat \u5199"}}
THOUGHT = {"type": "thinking", "thinking": "Look first.", "thinkingSignature": "EqQB"}


def states(messages):
    return [(message.text, message.state) for message in messages]


def test_entries_become_messages_with_stable_ids(claw, told, read):
    asked = told.user(
        [{"type": "text", "text": "[Telegram Ada id:7 2026-06-10 09:11 UTC] why?\n[message_id: 5417]"}]
    )
    usage = {"input": 4200, "output": 180, "cacheRead": 12800, "cacheWrite": 640, "cost": {"total": 0.0215}}
    called = told.answer(THOUGHT, CALL, usage=usage)
    failed = told.result("toolu_1", "Error: no", isError=True)
    claw.key("agent:main:main", label="Slow backup")
    claw.files(told)
    session, messages = read(claw.root)[told.session]
    assert [(m.role, m.text, m.client_id, m.metadata["source_ids"]) for m in messages] == [
        ("user", "why?", f"openclaw:{told.session}:{asked}", [asked]),
        ("assistant", "", f"openclaw:{told.session}:{called}", [called]),
        ("tool", "Error: no", f"openclaw:{told.session}:{failed}", [failed]),
    ]
    assert messages[0].metadata["platform_message_id"] == "5417"
    assert (messages[0].metadata["platform"], messages[0].metadata["sender_id"]) == ("telegram", "7")
    assert json.loads(messages[1].reasoning) == [THOUGHT]
    assert messages[1].tool_calls[0].arguments == '{"command": "cat \u5199"}'
    assert (messages[2].tool_call_id, messages[2].tool_name, messages[2].metadata["is_error"]) == (
        "toolu_1",
        "exec",
        True,
    )
    [used] = session.usage
    assert (used.model, used.input, used.output, used.cache_read, used.cost_usd) == (
        "claude-x",
        4200,
        180,
        12800,
        0.0215,
    )
    assert (session.start.title, session.start.model, session.start.cwd) == (
        "Slow backup",
        "claude-x",
        "/home/ada/.openclaw/workspace",
    )
    assert session.skipped == {"bookkeeping: session": 1}


def test_the_branch_that_was_left_is_kept_beside_the_conversation(claw, told, read):
    told.user("first")
    fork = told.answer("answer")
    told.user("left")
    told.answer("left too")
    told.user("went on", parent=fork)
    claw.files(told)
    _, messages = read(claw.root)[told.session]
    assert states(messages) == [
        ("first", "active"),
        ("answer", "active"),
        ("left", "branch"),
        ("left too", "branch"),
        ("went on", "active"),
    ]


def test_what_a_compaction_was_about_stays_and_its_summary_does_not_come(claw, told, read):
    kept = told.user("before")
    told.add("compaction", summary="## Decisions", firstKeptEntryId=kept)
    told.add("branch_summary", summary="left", fromId=kept)
    told.add("custom_message", customType="x", content="injected")
    told.add("session_info", name=" Ports ")
    told.add("oddity")
    told.user("after")
    claw.files(told)
    session, messages = read(claw.root)[told.session]
    assert states(messages) == [("before", "active"), ("after", "active")]
    assert session.start.title == "Ports"
    assert session.skipped == {
        "bookkeeping: session": 1,
        "bookkeeping: session_info": 1,
        "compaction summary": 1,
        "written by the program: summary of a branch": 1,
        "unknown line type: oddity": 1,
        "written by the program: custom_message": 1,
    }


def test_a_silent_answer_is_history_without_words_and_an_echo_is_none(claw, told, read):
    told.user("release is up")
    told.answer("NO_REPLY")
    told.answer(CALL, "HEARTBEAT_OK")
    told.answer("[[reply_to_current]] done")
    told.answer("done", provider="openclaw", model="delivery-mirror")
    claw.files(told)
    session, messages = read(claw.root)[told.session]
    assert [(m.text, m.metadata.get("silent")) for m in messages] == [
        ("release is up", None), ("", True), ("", True), ("done", None),
    ]  # fmt: skip
    assert session.skipped["written by the program: echo of a reply"] == 1


def test_only_what_the_program_recalled_is_taken_off_and_not_what_a_person_pasted(claw, told, read):
    pasted = "look:\n<system-reminder>\nfrom a log\n</system-reminder>\nwhy?"
    typed = ["<system-reminder>\nmine\n</system-reminder>", "<command-name>/foo</command-name>", pasted]
    recalled = "<relevant-memories>\nport 5434\n</relevant-memories>\n\n"
    for text in typed:
        told.user(text)
    told.user(f"{recalled}{pasted}")
    told.user(f"Context:\n<active_memory_plugin>\nx\n</active_memory_plugin>\n{pasted}")
    told.user([{"type": "text", "text": "first"}, {"type": "text", "text": f"{recalled}{pasted}"}])
    claw.files(told)
    messages = read(claw.root)[told.session][1]
    assert [m.text for m in messages] == [*typed, pasted, pasted, f"first\n{pasted}"]


def test_messages_without_words_are_counted(claw, told, read):
    told.answer()
    told.user("<relevant-memories>\nx\n</relevant-memories>")
    told.add("message", message={"role": "bashExecution", "command": "ls"})
    told.add("message")
    claw.files(told)
    session, messages = read(claw.root)[told.session]
    assert messages == []
    assert session.skipped == {
        "bookkeeping: session": 1,
        "empty message": 1,
        "nothing left after the program's own words": 1,
        "unknown role": 2,
    }


def test_images_become_bytes(claw, told, read):
    data = base64.b64encode(b"\x89PNG").decode()
    told.user([{"type": "text", "text": "see"}, {"type": "image", "data": data, "mimeType": "image/png"}])
    claw.files(told)
    [message] = read(claw.root)[told.session][1]
    assert [(part.kind, part.media_type, part.data) for part in message.parts] == [
        ("text", "", None),
        ("image", "image/png", b"\x89PNG"),
    ]


def test_a_torn_last_line_is_counted_and_costs_nothing_else(claw, told, read):
    told.user("whole")
    claw.files(told)
    with (claw.sessions / f"{told.session}.jsonl").open("a") as file:
        file.write('{"type":"message","id":"deadbeef","par')
    session, messages = read(claw.root)[told.session]
    assert states(messages) == [("whole", "active")]
    assert session.skipped["torn line"] == 1


def test_a_damaged_line_in_the_middle_does_not_cut_the_conversation(claw, told, read):
    told.user("before")
    lost = told.answer("lost")
    told.user("after")
    text = told.text().splitlines(keepends=True)
    claw.files(told)
    damaged = [line if lost not in line.split("parentId")[0] else line[:40] + "\n" for line in text]
    (claw.sessions / f"{told.session}.jsonl").write_text("".join(damaged))
    session, messages = read(claw.root)[told.session]
    assert states(messages) == [("before", "active"), ("after", "active")]
    assert session.skipped["invalid JSON"] == 1


def test_carriage_returns_make_no_difference(claw, told, read):
    told.user("one")
    told.answer("two")
    claw.files(told)
    plain = read(claw.root)[told.session][1]
    claw.files(told, end="\r\n")
    assert read(claw.root)[told.session][1] == plain


def test_old_entries_without_ids_are_a_line_and_are_known_again(claw, told, read, memory):
    told.user("one")
    told.answer("two")
    told.user("one")
    for entry in told.entries[1:]:
        del entry["id"], entry["parentId"]
    claw.files(told)
    assert [m.state for m in read(claw.root)[told.session][1]] == ["active"] * 3
    assert import_history(claw.root, memory).messages == 3
    told.answer("four")
    del told.entries[-1]["id"], told.entries[-1]["parentId"]
    claw.files(told)
    assert import_history(claw.root, memory).messages == 1


def test_one_entry_written_twice_is_one_and_two_with_one_id_are_two(claw, told, read):
    told.user("said", key="aaaa0001")
    told.entries.append(dict(told.entries[-1]))
    told.user("other words", key="aaaa0001", parent="aaaa0001")
    claw.files(told)
    session, messages = read(claw.root)[told.session]
    assert [m.text for m in messages] == ["said", "other words"]
    assert len({m.client_id for m in messages}) == 2
    assert session.skipped["repeated in the source"] == 1


def test_a_missing_time_comes_from_the_entry_before(claw, told, read):
    told.user("one")
    told.answer("two", timestamp=None)
    claw.files(told)
    one, two = read(claw.root)[told.session][1]
    assert (two.created_at, two.metadata["time"]) == (one.created_at, "inferred")
    assert "time" not in one.metadata


def test_archives_of_a_reset_are_history_and_deleted_ones_are_counted(claw, shapes, read):
    away, gone, packed = (
        shapes.Transcript(shapes.MAIN),
        shapes.Transcript(shapes.OTHER),
        shapes.Transcript(shapes.THIRD),
    )
    for one, words in ((away, "Plan the Lisbon trip."), (gone, "scratch"), (packed, "packed words")):
        one.user(words)
    claw.put_away(away, "reset")
    claw.put_away(gone, "deleted")
    claw.put_away(packed, "reset", compressed=True)
    sessions = read(claw.root)
    assert [m.text for m in sessions[away.session][1]] == ["Plan the Lisbon trip."]
    assert [m.text for m in sessions[packed.session][1]] == ["packed words"]
    assert sessions[away.session][0].start.metadata["put_away"] == "reset"
    assert sessions["places"][0].notices == {"transcript that its owner deleted: not read": 1}
    asked = next(claw.sessions.glob("*.deleted.*"))
    assert [m.text for m in read(asked)[gone.session][1]] == ["scratch"]


def test_bytes_that_are_no_utf8_are_told(claw, told, read):
    told.user("caf?")
    claw.files(told)
    path = claw.sessions / f"{told.session}.jsonl"
    path.write_bytes(path.read_bytes().replace(b"caf?", b"caf\xe9"))
    session, [message] = read(claw.root)[told.session]
    assert message.text == "caf\ufffd"
    assert session.notices == {"bytes that were no UTF-8 were replaced in a line": 1}


def test_what_the_program_wrote_in_a_persons_name_is_counted(claw, told, read):
    told.user("Read HEARTBEAT.md if it exists (workspace context). Follow it strictly.")
    told.answer("HEARTBEAT_OK")
    claw.files(told)
    session, messages = read(claw.root)[told.session]
    assert [m.role for m in messages] == ["assistant"]
    assert session.skipped["written by the program: heartbeat"] == 1


def test_a_parent_is_read_once_however_many_sessions_go_on_from_it(claw, told, shapes, monkeypatch):
    told.user("shared")
    forks = []
    for number in range(5):
        fork = shapes.Transcript(
            f"{number:08x}-0000-4000-8000-000000000000", parentSession=f"/x/{told.session}.jsonl"
        )
        fork.entries += told.entries[1:]
        fork.last = told.last
        fork.user(f"only in {number}")
        forks.append(fork)
    claw.files(told, *forks)
    read_from = []
    opened = compressed.opened
    monkeypatch.setattr(compressed, "opened", lambda path: read_from.append(path.name) or opened(path))
    texts = [m.message.text for session in read_history(claw.root) for m in session.messages]
    assert sorted(texts) == [*(f"only in {number}" for number in range(5)), "shared"]
    counts = Counter(read_from)
    assert counts[f"{told.session}.jsonl"] <= counts[f"{forks[0].session}.jsonl"] + 2


def test_a_file_that_vanishes_while_histories_are_looked_for_ends_nothing(claw, told, monkeypatch):
    told.user("hello")
    claw.files(told)
    looked_at = look_at(claw.root)
    monkeypatch.setattr(openclaw_codec, "look_at", lambda root: looked_at)
    (claw.sessions / f"{told.session}.jsonl").unlink()
    [found] = codec_named("openclaw").find(claw.root.parent, {})
    assert found.bytes == 0


def test_a_fork_does_not_repeat_what_it_went_on_from(claw, shapes, read, memory):
    first = shapes.Transcript(shapes.MAIN)
    first.user("shared")
    second = shapes.Transcript(shapes.OTHER, parentSession=f"/old/machine/{shapes.MAIN}.jsonl")
    second.entries += first.entries[1:]
    second.last = first.last
    second.user("only here")
    claw.files(second, first)
    session, messages = read(claw.root)[second.session]
    assert states(messages) == [("only here", "active")]
    assert (session.parent_external_id, session.start.link) == (first.session, "fork")
    assert session.skipped["already in the session it came from"] == 1
    import_history(claw.root, memory)
    assert memory.parents[second.session] == first.session


def test_files_that_repeat_a_session_in_another_form_are_passed_over(claw, told, read):
    told.user("once")
    claw.files(told)
    for name in ("checkpoint.9f.jsonl", "trajectory.jsonl", "jsonl.bak-12-34"):
        (claw.sessions / f"{told.session}.{name}").write_text(told.text())
    sessions = read(claw.root)
    assert sum(len(messages) for _, messages in sessions.values()) == 1
    assert sessions["places"][0].notices == {
        "recording of a session that is read elsewhere: not read": 2,
        "backup copy: not read": 1,
    }


def test_every_way_to_point_at_a_history_is_recognised(claw, told, shapes, tmp_path):
    told.user("hello")
    claw.files(told)
    other = shapes.Claw(tmp_path / "newer")
    other.rows(told)
    renamed = tmp_path / "copy.db"
    renamed.write_bytes(other.database.read_bytes())
    file = claw.sessions / f"{told.session}.jsonl"
    alone = tmp_path / "agents" / "kept" / "one.jsonl"
    alone.parent.mkdir(parents=True)
    alone.write_text(told.text())
    for path in (
        claw.root,
        claw.root / "agents",
        claw.sessions,
        file,
        other.root,
        other.database,
        renamed,
        alone,
    ):
        assert detect_format(path) == "openclaw", path


def test_a_part_of_a_history_is_read_as_the_whole_would_be(claw, told, shapes, read):
    other = shapes.Transcript(shapes.OTHER)
    told.user("one")
    other.user("two")
    claw.key("agent:main:telegram:group:-5")
    claw.note("memory/2026-06-08.md", "- noted")
    claw.files(told, other)
    whole = read(claw.root)
    assert set(read(claw.sessions)) == {told.session, other.session}
    [(key, (session, messages))] = read(claw.sessions / f"{told.session}.jsonl").items()
    assert (session.start, messages) == (whole[key][0].start, whole[key][1])


def test_homes_profiles_and_older_names_are_found(claw, told, shapes, tmp_path):
    told.user("hello")
    claw.files(told)
    home = claw.root.parent
    for name in (".openclaw-work", ".clawdbot"):
        shapes.Claw(home / name).rows(told)
    (home / ".moltbot").symlink_to(home / ".openclaw")
    (home / ".openclaw-empty").mkdir()
    find = codec_named("openclaw").find
    assert [(one.path.name, one.sessions) for one in find(home, {})] == [
        (".openclaw", 1),
        (".clawdbot", 1),
        (".openclaw-work", 1),
    ]
    places = {"OPENCLAW_STATE_DIR": str(home / ".openclaw-work")}
    assert [one.path.name for one in find(tmp_path / "elsewhere", places)] == [".openclaw-work"]
    assert len(find(tmp_path / "elsewhere", {"OPENCLAW_HOME": str(home)})) == 3


def test_sessions_whose_ids_are_no_uuids_are_kept_apart_by_agent_and_profile(claw, shapes, read):
    told = shapes.Transcript("daily")
    told.user("hello")
    profile = shapes.Claw(claw.root.parent / ".openclaw-work")
    profile.files(told)
    assert set(read(profile.root)) == {"work/main/daily"}


def test_what_is_no_agents_database_is_said_to_be_none(claw, told, memory):
    claw.database.parent.mkdir(parents=True)
    claw.database.write_bytes(b"SQLite format 3\x00" + b"noise" * 400)
    told.user("hello")
    claw.files(told)
    report = import_history(claw.root, memory)
    assert [problem.path for problem in report.problems] == [claw.database]
    assert report.messages == 1
    home = OpenClaw().open(claw.database, Reading())
    with pytest.raises(SourceUnreadable, match="damaged"):
        home.read(home.files[0], None)


def test_a_transcript_that_grows_adds_its_new_entries_and_restates_what_was_left(claw, told, memory):
    fork = told.user("first")
    told.answer("then")
    claw.files(told)
    assert import_history(claw.root, memory).messages == 2
    told.user("instead", parent=fork)
    claw.files(told)
    report = import_history(claw.root, memory)
    assert (report.messages, report.restated, report.already_known) == (1, 1, 2)
    assert states(memory.of(told.session)) == [("first", "active"), ("then", "branch"), ("instead", "active")]


def test_a_conversation_of_any_length_is_followed_back_to_its_beginning(claw, told, read):
    for number in range(5_000):
        told.user(f"{number}")
    claw.files(told)
    assert {m.state for m in read(claw.root)[told.session][1]} == {"active"}


def test_a_file_that_changes_while_it_is_read_is_said_to_have_changed(claw, told):
    told.user("one")
    told.user("two")
    claw.files(told)
    home = OpenClaw().open(claw.root, Reading())
    [session] = home.read(home.files[0], None).sessions
    (claw.sessions / f"{told.session}.jsonl").write_text("\n" * 3 + told.text())
    with pytest.raises(SourceChanged, match="rewritten"):
        list(session.messages)

"""What a Hermes history gives, trap by trap."""

import json
import shutil
from datetime import UTC, datetime

import apsw
import pytest

from archivist.records import Scope
from archivist.transfer import SourceUnreadable, import_history, read_history
from archivist.transfer.hermes import Hermes
from archivist.transfer.hermes import codec as hermes_codec
from archivist.transfer.hermes.codec import database_paths

SUMMARY = "[CONTEXT COMPACTION — REFERENCE ONLY] Summary of the earlier part."


def read(path):
    sessions = {}
    for session in read_history(path):
        messages = list(session.messages)
        assert session.read == sum(m.records for m in messages) + sum(session.skipped.values())
        sessions[session.start.external_id] = (session, [m.message for m in messages])
    return sessions


def only(path):
    [told] = read(path).values()
    return told


def test_rows_become_messages_with_stable_ids(hermes):
    hermes.session(title="Slow backup", model="gpt-x", system_prompt="Be careful.", cwd="/srv/x")
    call = [
        {"id": "c1", "type": "function", "function": {"name": "terminal", "arguments": '{"a": "\\u5199"}'}}
    ]
    hermes.say("user", "why?")
    hermes.say("assistant", None, tool_calls=json.dumps(call), reasoning="look")
    hermes.say("tool", "PONG", tool_call_id="c1", tool_name="terminal")
    session, messages = only(hermes.folder)
    assert [(m.role, m.text, m.client_id, m.metadata["source_ids"]) for m in messages] == [
        ("user", "why?", "hermes:s1:1", ["1"]),
        ("assistant", "", "hermes:s1:2", ["2"]),
        ("tool", "PONG", "hermes:s1:3", ["3"]),
    ]
    assert messages[1].tool_calls[0].arguments == '{"a":"写"}'
    assert json.loads(messages[1].reasoning) == {"reasoning": "look"}
    assert (session.start.title, session.start.prompt, session.start.model) == (
        "Slow backup",
        "Be careful.",
        "gpt-x",
    )
    assert session.start.scope == Scope(user="owner", project="/srv/x")


def test_each_message_is_imported_once_however_often_compaction_wrote_it(hermes):
    hermes.session()
    ids = [hermes.say(role, f"words {n}") for n, role in enumerate(["user", "assistant"] * 4)]
    hermes.compact(SUMMARY, *ids[-3:], head=ids[:2])
    hermes.say("user", "after")
    session, messages = only(hermes.folder)
    assert [m.text for m in messages] == [*(f"words {n}" for n in range(8)), "after"]
    assert [m.state for m in messages] == ["active"] * 2 + ["compacted"] * 3 + ["active"] * 4
    assert session.skipped == {"compaction summary": 1, "repeated in the source": 5}


def test_undone_rows_stay_undone(hermes):
    hermes.session()
    hermes.say("user", "cancel it", active=0)
    hermes.say("user", "do not cancel it")
    _, messages = only(hermes.folder)
    assert [(m.text, m.state) for m in messages] == [("cancel it", "undone"), ("do not cancel it", "active")]


def test_recalled_memory_is_not_what_the_person_said(hermes):
    hermes.session()
    block = "\n\n<memory-context>\nrecalled: tern-worker\n</memory-context>"
    hermes.say("user", "do not restart", api_content=f"do not restart{block}")
    hermes.say("user", f"nor stop{block}")
    _, messages = only(hermes.folder)
    assert [m.text for m in messages] == ["do not restart", "nor stop"]


@pytest.mark.parametrize(
    "text",
    [
        "<system-reminder>\nmine\n</system-reminder>",
        "look:\n<system-reminder>\nfrom a log\n</system-reminder>\nwhy?",
        "<command-name>/foo</command-name>",
        "[CONTEXT COMPACTION] what does it mean?",
    ],
)
def test_what_a_person_pasted_of_another_program_stays_theirs(hermes, text):
    hermes.session()
    hermes.say("user", text)
    hermes.say("user", f"{text}\n\n<memory-context>\nrecalled\n</memory-context>")
    assert [m.text for m in only(hermes.folder)[1]] == [text, text]


def test_a_heading_like_an_old_summarys_is_a_persons_where_nothing_was_compacted(hermes):
    typed = "[CONTEXT SUMMARY]: I wrote this heading"
    hermes.session()
    hermes.say("user", typed)
    hermes.say("user", "\x00json:" + json.dumps([{"type": "text", "text": typed}]))
    hermes.session("next", parent_session_id="s1")
    hermes.say("user", typed, session="next")
    hermes.session("packed")
    hermes.say("user", "before", session="packed")
    hermes.compact(typed, session="packed")
    told = {key: [m.text for m in messages] for key, (_, messages) in read(hermes.folder).items()}
    assert told == {"s1": [typed, typed], "next": [], "packed": ["before"]}


@pytest.mark.parametrize("cost", ["9e999", "-9e999", "'dear'"])
def test_a_price_beyond_all_bounds_is_none(hermes, cost):
    hermes.session()
    hermes.say("user", "hello")
    hermes.usage(session_id="s1", model="big", input_tokens=5)
    hermes.db.execute(f"UPDATE session_model_usage SET actual_cost_usd = {cost}")
    [used] = only(hermes.folder)[0].usage
    assert (used.input, used.cost_usd) == (5, 0.0)


def test_rows_that_are_no_messages_are_counted(hermes):
    hermes.session()
    hermes.say("session_meta", "{}")
    hermes.say("assistant", "")
    hermes.say("tool", "", tool_call_id="c1")
    session, messages = only(hermes.folder)
    assert [m.role for m in messages] == ["tool"]
    assert session.skipped == {"unknown role": 1, "empty message": 1}


@pytest.mark.parametrize("time", [0, None, -3.0])
def test_a_missing_time_comes_from_the_row_before_or_the_session(hermes, time):
    hermes.session(started_at=1_770_000_000)
    hermes.say("user", "first", time=time)
    hermes.say("user", "second", time=1_770_000_500)
    hermes.say("user", "third", time=time)
    _, messages = only(hermes.folder)
    assert [m.created_at.timestamp() - 1_770_000_000 for m in messages] == [0, 500, 500]
    assert [m.metadata.get("time") for m in messages] == ["inferred", None, "inferred"]


@pytest.mark.parametrize(
    ("columns", "scope"),
    [
        ({"source": "cli"}, Scope(user="owner")),
        ({"source": "telegram", "user_id": "7", "chat_id": "7", "chat_type": "private"}, Scope(user="7")),
        ({"source": "telegram", "user_id": "7", "chat_id": "7"}, Scope(user="7")),
        ({"source": "discord", "user_id": "7", "chat_id": "c9", "chat_type": "dm"}, Scope(user="7")),
        ({"source": "telegram", "user_id": "7", "chat_id": "-9", "chat_type": "group"}, Scope(chat="-9")),
        ({"source": "slack", "user_id": "7", "chat_id": "C1"}, Scope(chat="C1")),
    ],
)
def test_a_session_is_the_owners_the_senders_or_the_groups(hermes, columns, scope):
    hermes.session("other", source=columns["source"], user_id="8", chat_id="8", chat_type="private")
    hermes.session(**columns)
    hermes.say("user", "hello")
    hermes.say("assistant", "hi")
    session, messages = read(hermes.folder)["s1"]
    assert session.start.scope == scope
    assert [m.speaker for m in messages] == ["7" if scope.chat else None, None]
    assert session.start.metadata["platform"] == columns["source"]


def test_who_alone_speaks_with_the_agent_on_a_platform_is_its_owner(hermes, memory):
    hermes.session("t", source="telegram", user_id="7", chat_id="7", chat_type="private")
    hermes.session("g", source="telegram", user_id="9", chat_id="-5", chat_type="group")
    hermes.session("d1", source="discord", user_id="1", chat_id="c1", chat_type="dm")
    hermes.session("d2", source="discord", user_id="2", chat_id="c2", chat_type="dm")
    for session in ("t", "g", "d1", "d2"):
        hermes.say("user", "hello", session=session)
    scopes = {key: session.start.scope for key, (session, _) in read(hermes.folder).items()}
    assert scopes == {
        "t": Scope(user="owner"),
        "g": Scope(chat="-5"),
        "d1": Scope(user="1"),
        "d2": Scope(user="2"),
    }
    import_history(hermes.folder, memory, owners=["2"])
    assert {key: start.scope.user for key, start in memory.starts.items()} == {
        "t": "7",
        "g": None,
        "d1": "1",
        "d2": "owner",
    }


def test_lineage_says_how_a_session_came_from_its_parent(hermes):
    hermes.session("old", started_at=1000, ended_at=5000, end_reason="compression")
    hermes.session("next", started_at=5001, parent_session_id="old")
    hermes.session("side", started_at=2000, parent_session_id="old")
    hermes.session("delegate", source="subagent", started_at=5002, parent_session_id="next")
    first = hermes.say("user", "first", session="old")
    hermes.compact("[CONTEXT SUMMARY]: earlier", first, session="next")
    for session in ("next", "side", "delegate"):
        hermes.say("user", f"in {session}", session=session)
    sessions = read(hermes.folder)
    links = {key: (session.parent_external_id, session.start.link) for key, (session, _) in sessions.items()}
    assert links == {
        "old": (None, None),
        "next": ("old", "compaction"),
        "side": ("old", "branch"),
        "delegate": ("next", "subagent"),
    }


def test_a_split_sessions_copy_of_its_parents_tail_is_not_said_again(hermes):
    hermes.session("old", ended_at=hermes.time + 100, end_reason="compression")
    hermes.say("user", "asked", session="old")
    hermes.session("next", parent_session_id="old", started_at=hermes.time + 60)
    hermes.say("user", SUMMARY, session="next")
    hermes.time -= 60
    hermes.say("user", "asked", session="next")
    hermes.say("user", "asked", session="next")
    assert [m.client_id for m in read(hermes.folder)["next"][1]] == ["hermes:next:4"]


def test_missing_and_circular_parents_are_let_go(hermes):
    hermes.session("a", parent_session_id="b")
    hermes.session("b", parent_session_id="a")
    hermes.session("c", parent_session_id="gone")
    for session in "abc":
        hermes.say("user", f"in {session}", session=session)
    sessions = read(hermes.folder)
    assert sorted(sessions) == ["a", "b", "c"]
    assert sum(session.parent_external_id is None for session, _ in sessions.values()) == 2
    assert sum(sum(session.notices.values()) for session, _ in sessions.values()) == 2


def test_a_parent_without_messages_passes_its_own_parent_on(hermes):
    for key, parent in (("a", None), ("b", "a"), ("c", "b")):
        hermes.session(key, parent_session_id=parent)
    hermes.say("user", "in a", session="a")
    hermes.say("user", "in c", session="c")
    assert read(hermes.folder)["c"][0].parent_external_id == "a"


def test_usage_is_told_per_model_and_task(hermes):
    hermes.session(model="big")
    hermes.say("user", "x")
    for provider in ("one", "two"):
        hermes.usage(
            session_id="s1", model="big", billing_provider=provider, api_call_count=2, input_tokens=10
        )
    hermes.usage(session_id="s1", model="small", task="compression", api_call_count=1, output_tokens=5)
    session, _ = only(hermes.folder)
    assert [(u.model, u.request_id, u.requests, u.input, u.output) for u in session.usage] == [
        ("big", "conversation", 4, 20, 0),
        ("small", "compression", 1, 0, 5),
    ]


def test_an_older_schema_without_states_or_usage_is_read(tmp_path, kit):
    schema = """
    CREATE TABLE sessions(id TEXT PRIMARY KEY, source TEXT, model TEXT, started_at REAL, input_tokens INTEGER,
      output_tokens INTEGER);
    CREATE TABLE messages(id INTEGER PRIMARY KEY, session_id TEXT, role TEXT, content TEXT, timestamp REAL);
    """
    home = kit.HermesHome(tmp_path / "old", schema)
    home.session(model="m", input_tokens=30, output_tokens=4)
    home.say("user", "hello")
    home.say("user", "left behind", session="no row of its own")
    home.db.close()
    sessions = read(home.folder)
    assert [m.state for m in sessions["s1"][1]] == ["active"]
    assert (sessions["s1"][0].usage[0].input, sessions["s1"][0].start.scope.user) == (30, "owner")
    assert [m.text for m in sessions["no row of its own"][1]] == ["left behind"]


def test_bytes_that_are_no_utf8_do_not_stop_a_session(hermes):
    hermes.session()
    hermes.db.execute(
        "INSERT INTO messages(session_id, role, content, timestamp) VALUES('s1', 'user', CAST(x'636166e9' AS TEXT), 5)"
    )
    hermes.say("user", b"stored as bytes")
    hermes.say("user", 7)
    session, messages = only(hermes.folder)
    assert [m.text for m in messages] == ["caf\ufffd", "stored as bytes", "7"]
    assert session.notices == {"bytes that were no UTF-8 were replaced in a line": 1}


def test_cron_sessions_are_marked(hermes):
    hermes.session("cron_1", source="cron")
    hermes.say("user", "summarise", session="cron_1")
    assert only(hermes.folder)[0].start.metadata["unattended"] == "cron"


def test_profiles_are_read_beside_the_home_even_with_the_same_ids(hermes, kit, memory):
    profile = kit.HermesHome(hermes.folder / "profiles" / "work")
    for home, text in ((hermes, "at home"), (profile, "at work")):
        home.session()
        home.say("user", text)
    profile.db.close()
    report = import_history(hermes.folder, memory)
    assert (report.sessions_new, report.messages) == (2, 2)
    assert [m.text for m in memory.of("s1")] == ["at home"]
    assert [m.text for m in memory.of("work/s1")] == ["at work"]
    assert memory.starts["work/s1"].metadata["profile"] == "work"


def test_rows_that_are_only_in_the_log_are_read_and_nothing_of_the_source_changes(hermes, kit):
    hermes.db.execute("PRAGMA journal_mode = wal; PRAGMA wal_autocheckpoint = 0")
    hermes.session()
    hermes.say("user", "only in the log")
    before = kit.digests(hermes.folder)
    assert sorted(before) == ["state.db", "state.db-shm", "state.db-wal"]
    assert [m.text for m in only(hermes.folder)[1]] == ["only in the log"]
    assert kit.digests(hermes.folder) == before


def test_a_log_that_its_program_left_behind_is_not_played_into_the_source(hermes, kit, tmp_path):
    hermes.db.execute("PRAGMA journal_mode = wal; PRAGMA wal_autocheckpoint = 0")
    hermes.session()
    hermes.say("user", "left in the log")
    left = tmp_path / "left"
    shutil.copytree(hermes.folder, left)
    (left / "state.db-shm").unlink()
    before = kit.digests(left)
    assert [m.text for m in only(left)[1]] == ["left in the log"]
    assert kit.digests(left) == before


def test_a_session_that_has_grown_adds_what_is_new_and_moves_states(hermes, memory):
    hermes.session()
    ids = [hermes.say("user", f"words {n}") for n in range(4)]
    import_history(hermes.folder, memory)
    hermes.compact(SUMMARY, ids[3])
    hermes.say("user", "after")
    report = import_history(hermes.folder, memory)
    assert (report.messages, report.restated, report.sessions_grown) == (1, 3, 1)
    assert [(m.text, m.state) for m in memory.of("s1")] == [
        ("words 0", "compacted"),
        ("words 1", "compacted"),
        ("words 2", "compacted"),
        ("words 3", "active"),
        ("after", "active"),
    ]
    assert import_history(hermes.folder, memory).changed_nothing


def test_growing_row_by_row_ends_as_the_whole_does(hermes, kit):
    grown, once = kit.Memory(), kit.Memory()
    hermes.session()
    ids = []
    for number in range(12):
        ids.append(hermes.say("user", f"words {number % 5}"))
        import_history(hermes.folder, grown)
        if number % 4 == 3:
            hermes.compact(SUMMARY, *ids[-2:])
            import_history(hermes.folder, grown)
    import_history(hermes.folder, once)
    assert grown.everything() == once.everything()
    assert len(once.messages) == 12


def test_a_database_of_another_program_is_named(tmp_path):
    db = apsw.Connection(str(tmp_path / "state.db"))
    db.execute("CREATE TABLE other(x)")
    db.close()
    with pytest.raises(SourceUnreadable, match=r"has no sessions\.id"):
        read(tmp_path)


@pytest.mark.parametrize("keep", [100, 5000])
def test_a_cut_off_database_is_a_problem_with_a_reason(hermes, memory, keep):
    hermes.session()
    for number in range(200):
        hermes.say("user", f"words {number} " * 20)
    hermes.db.close()
    hermes.path.write_bytes(hermes.path.read_bytes()[:keep])
    report = import_history(hermes.folder, memory, format="hermes")
    assert len(report.problems) == 1
    assert str(hermes.path) in report.problems[0].reason
    assert memory.marks == {}


def test_times_are_those_of_the_rows(hermes):
    hermes.session()
    hermes.say("user", "x", time=1_779_267_605.25)
    _, [message] = only(hermes.folder)
    assert message.created_at == datetime(2026, 5, 20, 9, 0, 5, 250_000, tzinfo=UTC)


@pytest.mark.parametrize(
    ("columns", "scope"),
    [
        ({"source": "telegram"}, Scope(chat="s1")),
        (
            {"source": "telegram", "session_key": "agent:main:telegram:odd"},
            Scope(chat="agent:main:telegram:odd"),
        ),
        ({"source": "telegram", "chat_type": "private"}, Scope(chat="s1")),
        ({"source": "telegram", "user_id": "-100", "chat_id": "-100"}, Scope(chat="-100")),
        ({"source": "whatsapp", "user_id": "1@g.us"}, Scope(chat="1@g.us")),
        ({"source": "telegram", "session_key": "agent:main:telegram:dm:7"}, Scope(user="7")),
        ({"source": "telegram", "session_key": "agent:main:telegram:group:-100"}, Scope(chat="-100")),
        ({"source": "discord", "chat_type": "thread", "chat_id": "c1", "user_id": "7"}, Scope(chat="c1")),
        ({"source": "something new"}, Scope(chat="s1")),
        ({"source": "cli", "user_id": "ada"}, Scope(user="owner")),
        ({"source": "cron"}, Scope(user="owner")),
        ({"source": "webhook"}, Scope(user="owner")),
        ({"source": "subagent"}, Scope(chat="s1")),
        ({"source": "subagent", "parent_session_id": "gone"}, Scope(chat="s1")),
        ({"source": "subagent", "parent_session_id": "group"}, Scope(chat="-9")),
        ({"source": "subagent", "parent_session_id": "other"}, Scope(user="8")),
        ({"source": "subagent", "parent_session_id": "mine"}, Scope(user="owner")),
        ({"source": "telegram", "parent_session_id": "group"}, Scope(chat="-9")),
    ],
)
def test_whose_a_session_is_that_says_little_of_it(hermes, columns, scope):
    hermes.session("mine", source="cli")
    hermes.session("other", source="telegram", user_id="8", chat_id="8", chat_type="private")
    hermes.session("third", source="telegram", user_id="9", chat_id="9", chat_type="private")
    hermes.session("group", source="telegram", user_id="8", chat_id="-9", chat_type="group")
    hermes.session(**columns)
    hermes.say("user", "hello")
    assert read(hermes.folder)["s1"][0].start.scope == scope


def test_what_an_agent_wrote_in_a_persons_place_is_marked(hermes):
    hermes.session("mine", source="cli")
    hermes.session("s1", source="subagent", parent_session_id="mine")
    hermes.say("user", "Look it up.")
    hermes.say("assistant", "done")
    assert [m.metadata.get("by") for m in read(hermes.folder)["s1"][1]] == ["agent", None]


def test_a_home_that_was_moved_is_not_read_again(hermes, memory, tmp_path):
    hermes.session()
    hermes.say("user", "hello")
    hermes.db.close()
    import_history(hermes.folder, memory)
    moved = tmp_path / "moved"
    shutil.copytree(hermes.folder, moved, copy_function=shutil.copy2)
    assert import_history(moved, memory).read == 0


def test_a_database_that_vanishes_while_histories_are_looked_for_ends_nothing(hermes, monkeypatch):
    hermes.session()
    paths = database_paths(hermes.folder)
    monkeypatch.setattr(
        hermes_codec, "database_paths", lambda path: [*paths, hermes.folder / "gone" / "state.db"]
    )
    [found] = Hermes().find(hermes.folder.parent, {"HERMES_HOME": str(hermes.folder)})
    assert (found.sessions, found.bytes > 0) == (None, True)

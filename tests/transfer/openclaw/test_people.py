"""Whose a session is."""

import json

import pytest

from archivist.records import OWNER, Scope
from archivist.transfer import import_history, read_history
from archivist.transfer.foreign import Reading


@pytest.mark.parametrize(
    ("key", "entry", "scope"),
    [
        (
            "agent:main:main",
            {"chatType": "direct", "lastChannel": "telegram", "origin": {"from": "telegram:7"}},
            OWNER,
        ),
        ("agent:main:telegram:direct:7", {}, Scope(user="7")),
        ("agent:main:telegram:default:dm:7", {}, Scope(user="7")),
        ("agent:main:direct:7", {"lastChannel": "telegram"}, Scope(user="7")),
        (
            "agent:main:abc",
            {"chatType": "direct", "lastChannel": "telegram", "lastTo": "telegram:7"},
            Scope(user="7"),
        ),
        ("agent:main:discord:channel:990011", {}, Scope(chat="990011")),
        ("agent:main:discord:channel:990011:thread:5", {}, Scope(chat="990011")),
        ("agent:main:telegram:group:-100:topic:4", {}, Scope(chat="-100")),
        ("agent:main:matrix:channel:!room:example.org", {}, Scope(chat="!room:example.org")),
        ("agent:main:abc", {"chatType": "group", "groupId": "g1"}, Scope(chat="g1")),
        ("agent:main:cron:7c1d", {}, OWNER),
        ("agent:main:openai-user:x", {}, OWNER),
        ("global", {}, OWNER),
    ],
)
@pytest.mark.parametrize("layout", ["files", "rows"])
def test_a_session_is_the_owners_the_senders_or_the_groups(
    claw, told, shapes, read, layout, key, entry, scope
):
    told.user("hello")
    other = shapes.Told(shapes.OTHER)
    other.user("hello from another")
    claw.key(key, **entry)
    claw.key("agent:main:telegram:direct:8", session=other.session)
    getattr(claw, layout)(told, other)
    session, _ = read(claw.root)[told.session]
    assert session.start.scope == scope
    assert session.start.metadata["session_key"] == key


def test_who_alone_speaks_with_the_agent_on_a_channel_is_its_owner(claw, told, shapes, read, memory):
    other = shapes.Told(shapes.OTHER)
    for one in (told, other):
        one.user("hello")
    claw.key("agent:main:telegram:direct:7")
    claw.key("agent:main:discord:direct:1", session=other.session)
    claw.files(told, other)
    assert {session.start.scope for session, _ in read(claw.root).values()} == {OWNER}
    import_history(claw.root, memory, owners=["1"])
    assert {key: start.scope.user for key, start in memory.starts.items()} == {
        told.session: "7",
        other.session: "owner",
    }


def test_a_stranger_in_a_database_is_known_while_a_loose_archive_is_read(claw, told, shapes, read):
    away = shapes.Told(shapes.OTHER)
    told.user("hello")
    away.user("[Telegram Bo id:8 2026-06-10 09:11 UTC] from another")
    claw.key("agent:main:telegram:direct:7")
    claw.rows(told)
    claw.put_away(away, "reset")
    sessions = read(claw.root)
    assert sessions[told.session][0].start.scope == Scope(user="7")
    assert sessions[away.session][0].start.scope == Scope(user="8")


def test_without_a_key_the_envelopes_tell(claw, shapes, read):
    private, group, local = shapes.Told(shapes.MAIN), shapes.Told(shapes.OTHER), shapes.Told(shapes.THIRD)
    private.user("[Signal Ada id:7 2026-06-10 09:11 UTC] mine")
    group.user("[Discord #ops Ada id:7 2026-06-10 09:11 UTC] theirs")
    group.user("[Discord #ops Bo id:8 2026-06-10 09:12 UTC] too")
    local.user("at my desk")
    claw.files(private, group, local)
    scopes = {key: session.start.scope for key, (session, _) in read(claw.root).items()}
    assert scopes == {private.session: OWNER, group.session: Scope(chat="#ops"), local.session: OWNER}


def test_in_a_group_the_speaker_is_told(claw, told, read):
    told.user("[Discord #ops Grace id:8821 2026-06-11 18:02 UTC] up")
    told.answer("fine")
    claw.key("agent:main:discord:channel:99")
    claw.files(told)
    _, messages = read(claw.root)[told.session]
    assert [(m.speaker, m.text) for m in messages] == [("Grace", "up"), (None, "fine")]
    assert messages[0].metadata["sender_id"] == "8821"


@pytest.mark.parametrize("kind", ["cron", "hook", "heartbeat"])
def test_runs_that_nobody_asked_for_are_marked(claw, told, read, kind):
    told.user("summarise")
    claw.key(f"agent:main:{kind}:7c1d")
    claw.files(told)
    metadata = read(claw.root)[told.session][0].start.metadata
    assert (metadata["cron"], metadata["run"]) == (True, kind)


@pytest.mark.parametrize("layout", ["files", "rows"])
def test_a_sub_agents_session_is_its_parents_and_whose_that_is(claw, told, shapes, memory, layout):
    child, grandchild = shapes.Told(shapes.OTHER), shapes.Told(shapes.THIRD)
    for one in (told, child, grandchild):
        one.user("hello")
    claw.key("agent:main:subagent:b:subagent:c", session=grandchild.session)
    claw.key("agent:main:subagent:b", session=child.session, spawnedBy="agent:main:discord:channel:99")
    claw.key("agent:main:discord:channel:99", session=told.session)
    getattr(claw, layout)(grandchild, child, told)
    import_history(claw.root, memory)
    assert memory.parents == {
        told.session: None,
        child.session: told.session,
        grandchild.session: child.session,
    }
    assert {start.link for start in memory.starts.values()} == {None, "subagent"}
    assert {start.scope for start in memory.starts.values()} == {Scope(chat="99")}


def test_circles_and_missing_parents_are_let_go(claw, told, shapes, memory):
    other, third = shapes.Told(shapes.OTHER), shapes.Told(shapes.THIRD, parentSession="/gone/nowhere.jsonl")
    for one in (told, other, third):
        one.user("hello")
    claw.key("agent:main:subagent:a", session=told.session, spawnedBy="agent:main:subagent:b")
    claw.key("agent:main:subagent:b", session=other.session, spawnedBy="agent:main:subagent:a")
    claw.files(told, other, third)
    assert import_history(claw.root, memory).messages == 3
    assert sum(parent is None for parent in memory.parents.values()) == 2


def test_an_agents_workspace_is_no_project(claw, told, shapes):
    other = shapes.Told(shapes.OTHER, cwd="/home/ada/src/tide")
    for one in (told, other):
        one.user("hello")
    claw.files(told, other)
    found = read_history(claw.root, reading=Reading(project_of=lambda cwd: f"project {cwd}"))
    projects = {session.start.external_id: session.start.scope.project for session in found}
    assert projects == {told.session: None, other.session: "project /home/ada/src/tide"}


@pytest.mark.parametrize(
    "noted",
    ["{torn", "[1]", '{"agent:main:main": 5, "b": {"sessionId": 7, "origin": []}}', json.dumps({"k": None})],
)
def test_damaged_notes_on_sessions_cost_nothing_but_themselves(claw, told, read, noted):
    told.user("hello")
    claw.files(told)
    (claw.sessions / "sessions.json").write_text(noted)
    assert len(read(claw.root)[told.session][1]) == 1

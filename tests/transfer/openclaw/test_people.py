"""Whose a session is."""

import json

import pytest

from archivist.records import OWNER, Scope
from archivist.transfer import import_history, read_history
from archivist.transfer.foreign import Reading

SESSION = "3f1b0c1e-6a3e-4a7e-9f1d-2c9d3d1f6a10"
BEFORE = (
    "[Chat messages since your last reply - for context]\n[WhatsApp 1@g.us 2026-06-10 09:10 UTC] Bob: I quit\n\n"
    "[Current message - respond to this]\n"
)
GROUP = '{"chat_id":"telegram:-100","sender":{"id":"7","name":"Ada"},"group_subject":"Team"}'


@pytest.mark.parametrize(
    ("key", "entry", "scope"),
    [
        (
            "agent:main:main",
            {"chatType": "direct", "lastChannel": "telegram", "origin": {"from": "telegram:7"}},
            Scope(chat="agent:main:main"),
        ),
        ("agent:main:main", {"chatType": "direct", "lastChannel": "webchat"}, OWNER),
        (
            "agent:main:main",
            {"lastChannel": "telegram", "origin": {"provider": "heartbeat", "from": "heartbeat"}},
            OWNER,
        ),
        ("agent:main:main:heartbeat", {}, OWNER),
        ("agent:main:telegram:direct:7:heartbeat", {}, Scope(user="7")),
        ("agent:main:discord:channel:99:heartbeat", {}, Scope(chat="99")),
        ("agent:main:dreaming-light-7c1d", {}, OWNER),
        ("agent:main:slack:slash:U8", {}, OWNER),
        ("agent:main:telegram:slash:7", {}, Scope(user="7")),
        ("agent:main:telegram:direct:-1007", {}, Scope(chat="-1007")),
        ("agent:main:whatsapp:odd:49", {"lastChannel": "whatsapp"}, Scope(chat="agent:main:whatsapp:odd:49")),
        ("agent:main:telegram:7", {}, Scope(chat="agent:main:telegram:7")),
        ("agent:main:my-work", {}, OWNER),
        ("agent:main:my-work", {"lastChannel": "telegram"}, Scope(chat="agent:main:my-work")),
        ("agent:main:dashboard:7c1d", {}, OWNER),
        ("agent:main:hook:gmail:1", {}, OWNER),
        ("hook:gmail:1", {}, OWNER),
        ("agent:main:subagent:b", {}, Scope(chat="agent:main:subagent:b")),
        ("agent:main:subagent:b", {"spawnedBy": "agent:main:discord:channel:99"}, Scope(chat="99")),
        ("agent:main:subagent:b", {"spawnedBy": "agent:main:telegram:direct:7"}, Scope(user="7")),
        ("agent:main:subagent:b", {"spawnedBy": "agent:main:main"}, OWNER),
        (
            "agent:main:subagent:b",
            {"spawnedBy": "agent:main:subagent:b"},
            Scope(chat="agent:main:subagent:b"),
        ),
        ("agent:main:acp:b", {}, Scope(chat="agent:main:acp:b")),
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
    other = shapes.Transcript(shapes.OTHER)
    other.user("hello from another")
    claw.key(key, **entry)
    claw.key("agent:main:telegram:direct:8", session=other.session)
    getattr(claw, layout)(told, other)
    session, _ = read(claw.root)[told.session]
    assert session.start.scope == scope
    assert session.start.metadata["session_key"] == key


def test_who_alone_speaks_with_the_agent_on_a_channel_is_its_owner(claw, told, shapes, read, memory):
    other = shapes.Transcript(shapes.OTHER)
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
    away = shapes.Transcript(shapes.OTHER)
    told.user("hello")
    away.user("[Telegram Bo id:8 2026-06-10 09:11 UTC] from another")
    claw.key("agent:main:telegram:direct:7")
    claw.rows(told)
    claw.put_away(away, "reset")
    sessions = read(claw.root)
    assert sessions[told.session][0].start.scope == Scope(user="7")
    assert sessions[away.session][0].start.scope == Scope(user="8")


def test_without_a_key_the_envelopes_tell(claw, shapes, read):
    private, group, local = (
        shapes.Transcript(shapes.MAIN),
        shapes.Transcript(shapes.OTHER),
        shapes.Transcript(shapes.THIRD),
    )
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
    assert read(claw.root)[told.session][0].start.metadata["unattended"] == kind


@pytest.mark.parametrize("key", ["agent:main:main:heartbeat", "agent:main:telegram:direct:7:heartbeat"])
def test_a_heartbeat_of_its_own_is_marked_whatever_session_it_is_for(claw, told, read, key):
    told.user("anything new?")
    claw.key(key)
    claw.files(told)
    assert read(claw.root)[told.session][0].start.metadata["unattended"] == "heartbeat"


def scopes_of(path, **reading):
    found = read_history(path, reading=Reading(**reading))
    return {one.start.external_id: (one.start.scope, dict(one.notices)) for one in found}


@pytest.mark.parametrize(
    ("texts", "chat", "speakers"),
    [
        (["[Telegram Family id:-1001234 2026-06-10 09:11 UTC] Ann: my salary is 5000"], "-1001234", ["Ann"]),
        (["[Telegram Family Group id:-100 +2m Wed 2026-06-10 09:11 UTC] Ann (77): hi"], "-100", ["Ann (77)"]),
        (["[WhatsApp 123@g.us 2026-06-10 09:11 UTC] Bob (+49): hello"], "123@g.us", ["Bob (+49)"]),
        (["[Discord Guild #general channel id:99 +1m 2026-06-10 09:11 UTC] ann: hi"], "99", ["ann"]),
        (["[Slack #ops 2026-06-10 09:11 UTC] note: list"], "#ops", [None]),
        (["[Signal Friends id:" + "a" * 43 + "= 2026-06-10 09:11 UTC] Ann: hi"], "a" * 43 + "=", ["Ann"]),
        ([f"Conversation info (untrusted metadata):\n```json\n{GROUP}\n```\nhi"], "-100", ["Ada"]),
        (
            [BEFORE + "[WhatsApp 1@g.us 2026-06-10 09:11 UTC] Ann: @claw sum up\n[from: Ann (+49)]"],
            "1@g.us",
            ["Ann"],
        ),
    ],
)
def test_a_group_without_a_key_is_nobodys_own_and_takes_nothing_from_the_owner(
    claw, told, shapes, read, texts, chat, speakers
):
    group = shapes.Transcript(shapes.OTHER)
    for text in texts:
        group.user(text)
    told.user("mine")
    for channel in ("telegram", "whatsapp", "discord", "slack", "signal"):
        claw.key(f"agent:main:{channel}:direct:7")
    claw.files(told)
    claw.put_away(group, "reset")
    sessions = read(claw.root)
    session, messages = sessions[group.session]
    assert session.start.scope == Scope(chat=chat)
    assert [m.speaker for m in messages] == speakers
    assert sessions[told.session][0].start.scope == OWNER


@pytest.mark.parametrize("layout", ["files", "rows"])
@pytest.mark.parametrize(
    ("owners", "scope"),
    [(None, Scope(chat="agent:main:main")), ({"7"}, Scope(chat="agent:main:main")), ({"7", "8"}, OWNER)],
)
def test_a_main_session_is_the_owners_only_as_long_as_nobody_else_writes_in_it(
    claw, told, read, layout, owners, scope
):
    for number in range(80):
        told.user(f"[Telegram Ada id:7 2026-06-10 09:11 UTC] mine {number}")
    told.user("[Telegram Bo id:8 2026-06-10 09:12 UTC] my password hint is fluffy")
    claw.key("agent:main:main", chatType="direct", lastChannel="telegram")
    getattr(claw, layout)(told)
    owners = frozenset(owners) if owners else None
    [(found, notices)] = scopes_of(claw.root, owners=owners).values()
    assert found == scope
    assert bool(notices) == (scope != OWNER)
    speakers = {m.speaker for m in read(claw.root, reading=Reading(owners=owners))[told.session][1]}
    assert speakers == ({None} if scope == OWNER else {"Ada", "Bo"})


def test_a_main_session_with_a_groups_words_is_not_the_owners(claw, told):
    told.user("[Telegram Family id:-100 2026-06-10 09:11 UTC] Ann: hi")
    claw.key("agent:main:main")
    claw.files(told)
    assert scopes_of(claw.root)[told.session][0] == Scope(chat="agent:main:main")


def test_an_envelope_that_does_not_tell_who_wrote_makes_a_session_nobodys(claw, told):
    told.user("[Signal 2026-06-10 10:00 UTC] from somebody")
    claw.files(told)
    scope, notices = scopes_of(claw.root)[told.session]
    assert scope == Scope(chat=told.session)
    assert len(notices) == 1


def test_the_programs_own_window_is_the_owners_machine(claw, told):
    told.user('Sender (untrusted metadata):\n```json\n{"id": "openclaw-control-ui"}\n```\n\nhi')
    claw.files(told)
    assert scopes_of(claw.root)[told.session] == (OWNER, {})


@pytest.mark.parametrize(
    ("entry", "scope"),
    [
        ({}, OWNER),
        ({"lastChannel": "telegram", "origin": {"from": "telegram:7"}}, Scope(user="7")),
        ({"lastChannel": "telegram"}, Scope(chat=SESSION)),
        ({"chatType": "group", "groupId": "g1"}, Scope(chat="g1")),
    ],
)
def test_a_session_whose_key_was_lost_is_judged_by_what_else_is_noted(claw, told, shapes, entry, scope):
    other = shapes.Transcript(shapes.OTHER)
    told.user("hello")
    other.user("hello")
    claw.key(f"agent:main:recovered:{told.session}", **entry)
    claw.key("agent:main:telegram:direct:8", session=other.session)
    claw.rows(told, other)
    assert scopes_of(claw.root)[told.session][0] == scope


def test_a_session_of_another_name_in_which_two_people_write_is_neithers(claw, told):
    told.user("[Telegram Bo id:8 2026-06-10 09:12 UTC] not mine")
    claw.key("agent:main:my-work", chatType="direct", lastChannel="telegram", lastTo="telegram:7")
    claw.files(told)
    assert scopes_of(claw.root)[told.session][0] == Scope(chat="agent:main:my-work")


def test_a_strangers_transcript_that_stands_alone_is_the_strangers(claw, told, tmp_path):
    told.user("[Telegram Bo id:8 2026-06-10 09:11 UTC] from another")
    claw.files(told)
    alone = tmp_path / f"{told.session}.jsonl"
    alone.write_text(told.text())
    assert scopes_of(alone)[told.session][0] == Scope(user="8")
    assert scopes_of(alone, owners=frozenset({"8"}))[told.session][0] == OWNER
    assert scopes_of(claw.root)[told.session][0] == OWNER


def test_who_writes_without_a_channel_is_the_owner_only_by_an_id_that_is_theirs(claw, told, shapes):
    mine, other = shapes.Transcript(shapes.OTHER), shapes.Transcript(shapes.THIRD)
    told.user("mine")
    for one, key in ((mine, "7"), (other, "8")):
        one.user(f'Conversation info (untrusted metadata):\n```json\n{{"sender_id": "{key}"}}\n```\n\nhello')
        claw.put_away(one, "reset")
    claw.key("agent:main:telegram:direct:7")
    claw.files(told)
    found = {key: scope for key, (scope, _) in scopes_of(claw.root).items()}
    assert found == {told.session: OWNER, mine.session: OWNER, other.session: Scope(user="8")}


def test_a_sub_agent_of_a_shared_main_session_is_not_the_owners(claw, told, shapes):
    child = shapes.Transcript(shapes.OTHER)
    told.user("[Telegram Ada id:7 2026-06-10 09:11 UTC] mine")
    told.user("[Telegram Bo id:8 2026-06-10 09:12 UTC] not mine")
    child.user("Look after what Bo said.")
    claw.key("agent:main:main")
    claw.key("agent:main:subagent:b", session=child.session, spawnedBy="agent:main:main")
    claw.files(told, child)
    assert scopes_of(claw.root)[child.session][0] == Scope(chat="agent:main:main")


def test_what_an_agent_wrote_in_a_persons_place_is_marked(claw, told, read):
    told.user("Look it up.")
    told.answer("done")
    claw.key("agent:main:subagent:b", spawnedBy="agent:main:main")
    claw.files(told)
    assert [m.metadata.get("by") for m in read(claw.root)[told.session][1]] == ["agent", None]


@pytest.mark.parametrize("layout", ["files", "rows"])
def test_a_sub_agents_session_is_its_parents_and_whose_that_is(claw, told, shapes, memory, layout):
    child, grandchild = shapes.Transcript(shapes.OTHER), shapes.Transcript(shapes.THIRD)
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
    other, third = (
        shapes.Transcript(shapes.OTHER),
        shapes.Transcript(shapes.THIRD, parentSession="/gone/nowhere.jsonl"),
    )
    for one in (told, other, third):
        one.user("hello")
    claw.key("agent:main:subagent:a", session=told.session, spawnedBy="agent:main:subagent:b")
    claw.key("agent:main:subagent:b", session=other.session, spawnedBy="agent:main:subagent:a")
    claw.files(told, other, third)
    report = import_history(claw.root, memory)
    assert report.messages == 3
    assert report.notices["session with a missing or circular parent stands alone"] == 2
    assert sum(parent is None for parent in memory.parents.values()) == 2


def test_an_agents_workspace_is_no_project(claw, told, shapes):
    other = shapes.Transcript(shapes.OTHER, cwd="/home/ada/src/tide")
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

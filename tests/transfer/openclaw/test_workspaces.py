"""Dated notes of every workspace, and nothing from outside of them."""

import os
from collections import Counter

import pytest

from archivist.records import OWNER
from archivist.transfer import import_history
from archivist.transfer.openclaw.config import read_config

JSON5 = """// a comment
{
  agents: {
    defaults: { workspace: '/home/other/.openclaw/workspace', userTimezone: "Europe/London", },
    list: [{ id: "main", default: true }, { id: "work", workspace: "~/notes" },],
  },
  channels: { telegram: { botToken: "000000:EXAMPLE" } },
}
"""


def notes(sessions):
    return {key: [m.text for m in messages] for key, (_, messages) in sessions.items() if messages}


def test_a_dated_note_is_a_session_of_the_owners(claw, read):
    claw.config(JSON5)
    claw.note("memory/2026-06-08.md", "# 2026-06-08\n\n- Reviewed\n- 09:15 moved\n")
    session, messages = read(claw.root)["file:workspace/memory/2026-06-08.md"]
    assert (session.start.title, session.start.scope) == ("Daily note 2026-06-08", OWNER)
    assert session.start.metadata == {"kind": "daily-note"}
    assert [(m.role, m.text, m.created_at.isoformat()) for m in messages] == [
        ("assistant", "Reviewed", "2026-06-08T12:00:00+01:00"),
        ("assistant", "09:15 moved", "2026-06-08T09:15:00+01:00"),
    ]
    assert {tuple(m.metadata["source_ids"]) for m in messages} == {("file:workspace/memory/2026-06-08.md",)}
    assert session.skipped == {"heading": 1}


# https://github.com/NousResearch/hermes-agent/issues/7847: only the old name of the folder was looked at, so nothing was found.
def test_every_workspace_is_found_whatever_it_is_called(claw, read):
    for workspace in ("workspace-main", "workspace-work", "workspace.default"):
        claw.note("memory/2026-06-08.md", f"- in {workspace}", workspace)
    assert notes(read(claw.root)) == {
        f"file:{name}/memory/2026-06-08.md": [f"in {name}"]
        for name in ("workspace-main", "workspace-work", "workspace.default")
    }


@pytest.mark.parametrize(
    "agents",
    [
        {"defaults": {"workspace": "~/notes"}},
        {"list": [{"id": "work", "workspace": "~/notes"}]},
        {"entries": {"work": {"workspace": "../notes"}}},
    ],
)
def test_configured_workspaces_are_read_wherever_they_lie(claw, read, agents):
    claw.config({"agents": agents})
    claw.note("memory/2026-06-08.md", "- elsewhere", claw.root.parent / "notes")
    assert notes(read(claw.root)) == {"file:notes/memory/2026-06-08.md": ["elsewhere"]}


def test_a_workspace_of_another_machine_is_found_beside_the_configuration_and_said(claw, memory):
    claw.config(
        {
            "agents": {
                "defaults": {"workspace": "/home/other/.openclaw/workspace"},
                "entries": {"x": {"workspace": "/gone"}},
            }
        }
    )
    claw.note("memory/2026-06-08.md", "- here")
    report = import_history(claw.root, memory)
    assert report.messages == 1
    said = sorted(report.notices)
    assert said[0].startswith("the configured workspace /gone of agent x was not found")
    assert said[1].startswith(
        "the configured workspace /home/other/.openclaw/workspace is not on this machine"
    )
    assert import_history(claw.root, memory).notices == {}


# https://github.com/openclaw/openclaw/pull/109314: a memory folder of "~" took the whole home in, a second name of a file its secrets.
@pytest.mark.parametrize("folder", ["~", "/", "~/", "..", "."])
def test_a_home_is_not_taken_for_a_workspace(claw, memory, folder):
    home = claw.root.parent
    (home / "memory").mkdir()
    (home / "memory" / "2026-06-08.md").write_text("- private")
    (claw.root / "memory").mkdir()
    (claw.root / "memory" / "2026-06-08.md").write_text("- private")
    claw.config({"agents": {"defaults": {"workspace": folder}}})
    report = import_history(claw.root, memory)
    assert report.messages == 0
    assert any("is the home folder or holds it" in notice for notice in report.notices)


def test_links_out_of_a_workspace_are_not_followed_and_are_named(claw, memory, tmp_path):
    secret = tmp_path / "id_ed25519"
    secret.write_text("- key material")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "2026-06-09.md").write_text("- outside")
    memory_folder = claw.note("memory/2026-06-08.md", "- inside").parent
    os.link(secret, memory_folder / "2026-06-10.md")
    (memory_folder / "2026-06-11.md").symlink_to(secret)
    (memory_folder / "more").symlink_to(tmp_path / "folder")
    (memory_folder.parent / "USER.md").symlink_to(secret)
    report = import_history(claw.root, memory)
    assert [m.text for m in memory.of("file:workspace/memory/2026-06-08.md")] == ["inside"]
    assert report.messages == 1
    told = "\n".join(report.notices)
    assert all(name in told for name in ("2026-06-10.md", "2026-06-11.md", "more", "USER.md"))


@pytest.mark.parametrize("linked", ["workspace", "workspace/memory"])
def test_a_linked_workspace_or_memory_is_refused(claw, memory, tmp_path, linked):
    outside = tmp_path / "outside"
    (outside / "memory").mkdir(parents=True)
    for at in (outside, outside / "memory"):
        (at / "2026-06-09.md").write_text("- outside")
    path = claw.root / linked
    path.parent.mkdir(exist_ok=True)
    path.symlink_to(outside)
    claw.config({})
    report = import_history(claw.root, memory)
    assert report.messages == 0
    assert [str(path) in notice and "symbolic link" in notice for notice in report.notices] == [True]


# https://github.com/openclaw/openclaw/issues/127401: a second run appended the same block again and called it a success.
def test_a_second_import_adds_nothing_and_an_edited_note_only_its_new_lines(claw, memory):
    path = claw.note("memory/2026-06-08.md", "# 2026-06-08\n- one\n- two\n")
    assert import_history(claw.root, memory).messages == 2
    again = import_history(claw.root, memory)
    assert (again.read, again.changed_nothing) == (0, True)
    path.write_text("# 2026-06-08\n- zero\n- two\n\n## Later\n- one\n- three\n")
    grown = import_history(claw.root, memory)
    assert (grown.messages, grown.already_known) == (2, 2)
    assert [m.text for m in memory.of("file:workspace/memory/2026-06-08.md")] == [
        "one",
        "two",
        "zero",
        "Later\nthree",
    ]


# https://github.com/NousResearch/hermes-agent/pull/31606: dated notes lost their days, and conversations did not come at all.
def test_notes_keep_their_days_and_conversations_come_along(claw, told, read):
    told.user("hello")
    claw.files(told)
    for day in ("08", "09", "10-trip"):
        claw.note(f"memory/2026-06-{day}.md", f"- on {day}")
    sessions = read(claw.root)
    days = {
        m.text: m.created_at.date().isoformat()
        for key, (_, found) in sessions.items()
        for m in found
        if key.startswith("file:")
    }
    assert days == {"on 08": "2026-06-08", "on 09": "2026-06-09", "on 10-trip": "2026-06-10"}
    assert told.session in sessions


def test_what_is_no_dated_note_is_counted(claw, read):
    for name in ("MEMORY.md", "USER.md", "memory/projects.md", "memory/2026-13-01.md"):
        claw.note(name, "- curated")
    for name in ("SOUL.md", "AGENTS.md", "IDENTITY.md", "TOOLS.md", "HEARTBEAT.md", "todo.md"):
        claw.note(name, "- is no note")
    claw.note("DREAMS.md", "- dreamt")
    claw.note("memory/.dreams/2026-06-08.md", "- hidden")
    claw.note(
        "memory/2026-06-10-port.md",
        "# Session: 2026-06-10 09:20:00 UTC\n\n- **Session Key**: agent:main:main\n\nuser: hi\n",
    )
    (claw.root / "backups").mkdir()
    (claw.root / "backups" / "old.md").write_text("- old")
    (claw.root / "memory").mkdir()
    (claw.root / "memory" / "main.sqlite.migrated").write_bytes(b"SQLite format 3\x00")
    counted = Counter()
    for session, messages in read(claw.root).values():
        assert (session.read, messages) == (0, [])
        counted.update(session.notices)
    assert counted == {
        "says who an agent is or how it works, not what it knows: stays where it is (SOUL.md, AGENTS.md and the like)": 5,
        "text beside the curated notes: not read": 1,
        "derived text (dreaming): not read": 1,
        "copy of a session, written by the program when it ended: not read": 1,
        "backup copy: not read": 1,
        "derived index: not read": 1,
    }


@pytest.mark.parametrize("mark", ["", "\ufeff", "\ufeff\n"])
def test_a_mark_before_a_note_changes_nothing_of_what_it_is(claw, read, mark):
    head = "# Session: 2026-06-10 09:20:00 UTC\n\n- **Session Key**: agent:main:main\n\nuser: hi\n"
    claw.note("memory/2026-06-10-port.md", f"{mark}{head}")
    claw.note("memory/2026-06-08.md", f"{mark}- noted")
    sessions = read(claw.root)
    assert [m.text for _, messages in sessions.values() for m in messages] == ["noted"]
    notices = sessions["file:workspace/memory/2026-06-10-port.md"][0].notices
    assert notices == {"copy of a session, written by the program when it ended: not read": 1}


def test_notes_of_a_profile_are_kept_apart_from_those_of_the_home(claw, shapes, memory):
    profile = shapes.Claw(claw.root.parent / ".openclaw-work")
    claw.note("memory/2026-06-08.md", "- at home")
    profile.note("memory/2026-06-08.md", "- at work")
    for home in (claw, profile):
        home.config({})
        import_history(home.root, memory)
    assert [m.text for m in memory.of("work/file:workspace/memory/2026-06-08.md")] == ["at work"]
    assert [m.text for m in memory.of("file:workspace/memory/2026-06-08.md")] == ["at home"]


def test_notes_that_are_no_utf8_come_with_what_can_be_read(claw, read):
    claw.note("memory/2026-06-08.md", "").write_bytes(b"- caf\xe9\n- \x00nul\n")
    assert notes(read(claw.root)) == {"file:workspace/memory/2026-06-08.md": ["caf\ufffd", "\x00nul"]}


def test_a_configuration_is_read_in_either_form_and_its_secrets_are_not_kept(claw):
    claw.config(JSON5)
    config = read_config(claw.root)
    assert config.workspaces == (("", "/home/other/.openclaw/workspace"), ("work", "~/notes"))
    assert (config.zone, config.main_key, config.trouble) == ("Europe/London", "main", "")
    assert "EXAMPLE" not in repr(config)


@pytest.mark.parametrize(
    "text",
    [
        "{torn",
        "[1, 2]",
        "",
        "{agents: 5, session: []}",
        "[" * 100_000,
        '{"agents": {"list": [5, {"id": 7}]}}',
    ],
)
def test_a_configuration_that_cannot_be_read_stops_nothing(claw, told, memory, text):
    told.user("hello")
    claw.files(told)
    claw.config(text)
    assert import_history(claw.root, memory).messages == 1


@pytest.mark.parametrize(
    "text",
    [
        '{"agents": {"defaults": {"workspace": "~/a//b/*c*/,]"}}}',
        '// one\n{"agents": {"defaults": {/* two */ "workspace": "~/a//b/*c*/,]", // three\n},},}',
        "{agents: {defaults: {workspace: '~/a//b/*c*/,]'}}}",
        '\ufeff{"agents": {"defaults": {"workspace": "~/a//b/*c*/,]"}},}',
    ],
)
def test_strings_of_a_configuration_stay_whole_in_every_form(claw, text):
    claw.config(text)
    assert read_config(claw.root).workspaces == (("", "~/a//b/*c*/,]"),)


@pytest.mark.parametrize(
    "text",
    [
        "/* " * 100_000,
        '"' + '\\"' * 100_000,
        '"' * 100_000,
        "," + " " * 100_000,
        "//" * 100_000,
        '{"a":"' + "\\\\" * 50_000,
    ],
)
def test_a_long_configuration_that_is_none_is_given_up_soon(claw, text):
    claw.config(text)
    assert read_config(claw.root).trouble


@pytest.mark.parametrize("name", ["clawdbot.json", "moltbot.json"])
def test_older_names_of_the_configuration_are_known(claw, name):
    (claw.root / name).write_text('{"agent": {"workspace": "~/clawd", "userTimezone": "Asia/Tokyo"}}')
    config = read_config(claw.root)
    assert (config.workspaces, config.zone) == ((("", "~/clawd"),), "Asia/Tokyo")

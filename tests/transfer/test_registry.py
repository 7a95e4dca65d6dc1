"""Finding and recognising histories."""

import json

import apsw
import pytest

from archivist import Archivist, Message
from archivist.transfer import (
    FormatNotRecognised,
    HistoryNotFound,
    SourceUnreadable,
    UnknownFormat,
    codec_named,
    detect_format,
    find_histories,
    import_history,
)
from archivist.transfer.registry import FORMATS, codecs


@pytest.fixture
def claude(transcript, tmp_path, kit):
    transcript.person("hello")
    folder = tmp_path / ".claude" / "projects" / "-home-someone-tide"
    transcript.write(folder)
    agent = kit.Transcript(transcript.session, isSidechain=True)
    agent.person("task")
    agent.write(folder / transcript.session / "subagents", "agent-1.jsonl")
    return tmp_path / ".claude"


def test_histories_are_found_where_their_programs_keep_them(claude, hermes, tmp_path, kit):
    hermes.session()
    kit.HermesHome(hermes.folder / "profiles" / "work").session()
    found = {one.format: one for one in find_histories(tmp_path, {})}
    assert (found["claude-code"].path, found["claude-code"].sessions) == (claude / "projects", 1)
    assert (found["hermes"].path, found["hermes"].sessions) == (hermes.folder, 2)
    assert all(one.bytes > 0 for one in found.values())


def test_the_environment_names_other_places(claude, hermes, tmp_path):
    places = {"CLAUDE_CONFIG_DIR": str(claude), "HERMES_HOME": str(hermes.folder)}
    assert {one.format for one in find_histories(tmp_path / "elsewhere", places)} == {"claude-code", "hermes"}
    assert find_histories(tmp_path / "elsewhere", {}) == []


def test_every_way_to_point_at_a_history_is_recognised(claude, hermes):
    [file] = claude.glob("projects/*/*.jsonl")
    for path in (claude, claude / "projects", file.parent, file):
        assert detect_format(path) == "claude-code"
    for path in (hermes.folder, hermes.path):
        assert detect_format(path) == "hermes"


def test_a_database_by_another_name_is_recognised_by_its_tables(hermes, tmp_path):
    backup, other = tmp_path / "backup.db", tmp_path / "other.db"
    hermes.db.execute("VACUUM INTO ?", (str(backup),))
    db = apsw.Connection(str(other))
    db.execute("CREATE TABLE sessions(key, id); CREATE TABLE messages(id, session, role, text)")
    db.close()
    assert detect_format(backup) == "hermes"
    with pytest.raises(FormatNotRecognised):
        detect_format(other)


@pytest.mark.parametrize(
    "line",
    [
        b'{"timestamp":"2026-06-01T10:00:00Z","type":"session_meta","payload":{"id":"x"}}',
        b'{"timestamp":"2026-06-01T10:00:00Z","type":"message","payload":{"role":"user"}}',
        b'{"role":"user","content":"hi"}',
        b"[1, 2]",
        b"",
    ],
)
def test_other_formats_are_not_taken_for_a_known_one(tmp_path, line):
    path = tmp_path / "some.jsonl"
    path.write_bytes(line + b"\n")
    with pytest.raises(FormatNotRecognised, match=", ".join(sorted(FORMATS))):
        detect_format(path)


CLAUDE_CODE = {
    "type": "user", "uuid": "u", "parentUuid": None, "sessionId": "s", "timestamp": "2026-03-01T10:00:00Z",
    "message": {"role": "user", "content": "hi"},
}  # fmt: skip
CODEX = {
    "timestamp": "2026-06-01T10:00:00Z",
    "type": "session_meta",
    "payload": {"id": "x", "cwd": "/src", "cli_version": "0.150.0"},
}
OPENCLAW = [
    {"type": "session", "version": 3, "id": "3f1b", "timestamp": "2026-06-10T09:11:02.000Z", "cwd": "/w"},
    {
        "type": "message", "id": "901c5118", "parentId": None, "timestamp": "2026-06-10T09:11:03.000Z",
        "message": {"role": "user", "content": "hi", "timestamp": 1781082690000},
    },
]  # fmt: skip
CLAUDE = {"uuid": "u1", "name": "", "chat_messages": []}
CHATGPT = {"id": "c1", "mapping": {}, "current_node": None}
LETTA = {"agents": [], "blocks": [], "tools": [], "metadata": {"revision_id": "1"}}


@pytest.mark.parametrize(
    ("name", "lines", "owner"),
    [
        ("s.jsonl", [CLAUDE_CODE], "claude-code"),
        ("s.jsonl", [CODEX], "codex"),
        ("rollout-2026-06-01T10-00-00-x.jsonl", [CODEX], "codex"),
        ("s.jsonl", OPENCLAW, "openclaw"),
        ("s.jsonl", [CLAUDE], "claude"),
        ("conversations.json", [[CLAUDE]], "claude"),
        ("conversations.json", [[CHATGPT]], "chatgpt"),
        ("a.af", [LETTA], "letta"),
        ("s.jsonl", [{"type": "header", "format": "archivist", "version": 1}], "archivist"),
    ],
)
def test_each_file_is_claimed_by_its_own_format_alone(tmp_path, name, lines, owner):
    path = tmp_path / name
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert [codec.name for codec in codecs() if codec.recognises(path)] == [owner]


def test_errors_say_what_to_do(tmp_path):
    with pytest.raises(HistoryNotFound, match="check the path"):
        detect_format(tmp_path / "nothing")
    with pytest.raises(UnknownFormat, match=f"use one of {', '.join(sorted(FORMATS))}"):
        codec_named("diary")


def test_a_format_may_be_written_in_other_ways():
    assert codec_named("Claude_Code").name == "claude-code"


def test_every_format_is_listed_under_its_own_name():
    assert [codec.name for codec in codecs()] == list(FORMATS)


@pytest.mark.parametrize("name", [".", "state.db"])
def test_the_home_of_an_archivist_is_told_with_what_to_do(tmp_path, name):
    with Archivist.open(tmp_path / "old", environ={"HOME": str(tmp_path)}) as old:
        old.sessions.start("cli").append(Message.user("hello"))
    with pytest.raises(SourceUnreadable, match=r"home of an Archivist.*--home \S+old sessions export --all"):
        detect_format(tmp_path / "old" / name)


def test_the_histories_in_hidden_folders_of_a_copied_home_are_read(claude, tmp_path, memory):
    copied = tmp_path / "copy"
    copied.mkdir()
    claude.rename(copied / ".claude")
    (copied / ".codex").mkdir()
    report = import_history(copied, memory)
    assert (report.format, report.messages, report.problems) == ("claude-code", 2, ())
    assert import_history(copied, memory, format="claude-code").changed_nothing
    (tmp_path / "empty" / ".hermes").mkdir(parents=True)
    with pytest.raises(FormatNotRecognised):
        import_history(tmp_path / "empty", memory)

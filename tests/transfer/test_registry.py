"""Finding and recognising histories."""

import apsw
import pytest

from archivist.transfer import (
    FormatNotRecognised,
    HistoryNotFound,
    UnknownFormat,
    codec_named,
    detect_format,
    find_histories,
)


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
        b'{"type":"session","id":"x","cwd":"/"}',
        b'{"role":"user","content":"hi"}',
        b"[1, 2]",
        b"",
    ],
)
def test_other_formats_are_not_taken_for_a_known_one(tmp_path, line):
    path = tmp_path / "some.jsonl"
    path.write_bytes(line + b"\n")
    with pytest.raises(FormatNotRecognised, match="claude-code, hermes"):
        detect_format(path)


def test_errors_say_what_to_do(tmp_path):
    with pytest.raises(HistoryNotFound, match="check the path"):
        detect_format(tmp_path / "nothing")
    with pytest.raises(UnknownFormat, match="use one of claude-code, hermes"):
        codec_named("diary")


def test_a_format_may_be_written_in_other_ways():
    assert codec_named("Claude_Code").name == "claude-code"

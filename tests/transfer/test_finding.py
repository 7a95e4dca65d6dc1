"""A folder may hold several histories: each is found, told by itself, and read once."""

import json
import os
import shutil

import pytest

from archivist import Archivist, ArchivistError
from archivist.transfer import (
    FormatNotRecognised,
    find_histories,
    finding,
    has_news,
    import_history,
    read_history,
)

BEGIN = "2026-06-01T10:00:00Z"


def codex(home, key="x", words="codex words"):
    lines = [
        {"type": "session_meta", "payload": {"id": key, "cwd": "/src", "cli_version": "0.150.0"}},
        {"type": "event_msg", "payload": {"type": "user_message", "message": words}},
    ]
    path = home / "sessions" / "2026" / "06" / "01" / f"rollout-2026-06-01T10-00-00-{key}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps({"timestamp": BEGIN, **line}) + "\n" for line in lines))
    return home


def chatgpt(folder, key="c1"):
    said = {"content_type": "text", "parts": ["gpt words"]}
    told = {"id": "n", "author": {"role": "user"}, "create_time": 1.7e9, "content": said}
    node = {"id": "n", "parent": None, "children": [], "message": told}
    return written(folder, [{"title": "t", "id": key, "mapping": {"n": node}, "current_node": "n"}])


def claude(folder, key="u1"):
    said = {"uuid": "m", "sender": "human", "text": "claude words", "created_at": BEGIN}
    return written(folder, [{"uuid": key, "name": "t", "chat_messages": [said]}])


def written(folder, conversations):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "conversations.json").write_text(json.dumps(conversations))
    return folder


def letta(path):
    path.parent.mkdir(parents=True, exist_ok=True)
    said = {"role": "user", "content": [{"type": "text", "text": "letta words"}], "created_at": BEGIN}
    agent = {"id": "agent-0", "name": "a", "agent_type": "memgpt_agent", "messages": [said]}
    path.write_text(json.dumps({"agents": [agent], "blocks": [], "tools": []}))


@pytest.fixture
def claude_code(transcript):
    transcript.person("cc words")

    def written_to(home):
        transcript.write(home / "projects" / "-home-someone-tide")
        return home

    return written_to


@pytest.fixture
def mixed(tmp_path, claude_code, kit):
    """A folder in which many histories lie."""
    top = tmp_path / "mixed"
    letta(top / "a.af")
    claude_code(top / ".claude")
    codex(top / ".codex")
    hermes = kit.HermesHome(top / "old" / ".hermes")
    hermes.session()
    hermes.say("user", "hermes words")
    chatgpt(top / "chatgpt-export")
    claude(top / "deep" / "er" / "claude")
    return top


FOUND = [
    ("letta", "."),
    ("claude-code", ".claude"),
    ("codex", ".codex"),
    ("chatgpt", "chatgpt-export"),
    ("hermes", "old/.hermes"),
    ("claude", "deep/er/claude"),
]


def placed(report, top):
    return [(one.format, os.path.relpath(one.path, top)) for one in report.by_format or [report]]


def test_every_history_below_a_folder_is_imported_and_told_with_its_place(mixed, memory):
    report = import_history(mixed, memory)
    assert placed(report, mixed) == FOUND
    assert report.format == "letta, claude-code, codex, chatgpt, hermes, claude"
    assert (report.path, report.problems, report.left_out) == (mixed, (), ())
    assert report.messages == sum(one.messages for one in report.by_format) == 6
    for one in (report, *report.by_format):
        assert one.read == one.imported + one.skipped
    assert report.read == sum(one.read for one in report.by_format)


def test_a_second_import_of_the_folder_changes_nothing(mixed, memory):
    import_history(mixed, memory)
    before = memory.everything()
    again = import_history(mixed, memory)
    assert again.changed_nothing
    assert placed(again, mixed) == FOUND
    assert again.sessions_unchanged == 6
    assert memory.everything() == before


def test_the_folder_is_found_by_a_relative_path_too(mixed, memory, monkeypatch):
    monkeypatch.chdir(mixed.parent)
    assert len(import_history(mixed.relative_to(mixed.parent), memory).by_format) == len(FOUND)


def test_two_unpacked_exports_beside_each_other_are_found(tmp_path, memory):
    chatgpt(tmp_path / "two" / "chatgpt")
    claude(tmp_path / "two" / "claude")
    report = import_history(tmp_path / "two", memory)
    assert placed(report, tmp_path / "two") == [("chatgpt", "chatgpt"), ("claude", "claude")]


def test_several_histories_of_one_format_are_each_told(tmp_path, memory):
    codex(tmp_path / "m" / "laptop" / ".codex", "a")
    codex(tmp_path / "m" / "desktop" / ".codex", "b")
    report = import_history(tmp_path / "m", memory)
    assert (report.format, report.messages) == ("codex", 2)
    assert placed(report, tmp_path / "m") == [("codex", "desktop/.codex"), ("codex", "laptop/.codex")]


def test_what_lies_in_the_folder_of_a_program_belongs_to_it(tmp_path, memory):
    top = tmp_path / "m"
    home = codex(top / ".codex")
    chatgpt(home / "worktrees" / "x" / "testdata")
    letta(home / "y" / "b.af")
    letta(top / "c" / "c.af")
    report = import_history(top, memory)
    assert [(one.format, one.messages) for one in report.by_format] == [("letta", 1), ("codex", 1)]
    assert placed(report, top) == [("letta", "c"), ("codex", ".codex")]
    assert import_history(home / "worktrees", memory).format == "chatgpt"


def test_a_format_that_is_named_is_looked_for_alone(mixed, memory):
    report = import_history(mixed, memory, format="claude")
    assert placed(report, mixed) == [("claude", "deep/er/claude")]
    with pytest.raises(FormatNotRecognised, match="openclaw"):
        import_history(mixed, memory, format="openclaw")
    assert {session.start.source for session in read_history(mixed, "codex")} == {"codex"}


def test_a_file_that_is_a_history_by_itself_is_found_among_others(tmp_path, memory):
    folder = tmp_path / "downloads"
    claude(tmp_path / "x")
    folder.mkdir()
    shutil.copy(tmp_path / "x" / "conversations.json", folder / "conversations (1).json")
    (folder / "package.json").write_text('{"name": "x", "scripts": {}}')
    (folder / "rows.jsonl").write_text('{"row": 1}\n')
    report = import_history(folder, memory)
    assert placed(report, folder) == [("claude", "conversations (1).json")]
    assert report.messages == 1


def test_lines_of_another_kind_far_off_are_not_read_as_history(tmp_path, memory, transcript):
    transcript.person("hello")
    transcript.write(tmp_path / "m" / "sessions-of-mine")
    (tmp_path / "m" / "data").mkdir()
    (tmp_path / "m" / "data" / "rows.jsonl").write_text('{"row": 1}\n' * 9)
    chatgpt(tmp_path / "m" / "gpt")
    report = import_history(tmp_path / "m", memory)
    assert [(one.format, one.read) for one in report.by_format] == [("claude-code", 1), ("chatgpt", 1)]


def test_what_was_passed_over_is_said(tmp_path, memory, claude_code):
    top = tmp_path / "copy"
    claude_code(top / ".claude")
    (top / ".letta").mkdir()
    with Archivist.open(top / ".archivist", environ={"HOME": str(tmp_path)}):
        pass
    codex(tmp_path / "elsewhere" / ".codex")
    (top / ".codex").symlink_to(tmp_path / "elsewhere" / ".codex")
    (top / "Downloads").mkdir()
    (top / "Downloads" / "export.zip").write_bytes(b"PK damaged")
    told = {one.path.name: one.reason for one in import_history(top, memory).left_out}
    assert told.keys() == {".letta", ".archivist", ".codex", "export.zip"}
    assert told[".letta"] == finding.NOTHING_KNOWN
    assert "sessions export --all" in told[".archivist"]
    assert told[".codex"] == finding.LINKED
    assert told["export.zip"].startswith("the ZIP file is damaged")


def test_what_programs_made_or_somebody_threw_away_is_not_looked_at(tmp_path, memory):
    chatgpt(tmp_path / "m" / "node_modules" / "x")
    claude(tmp_path / "m" / "kept")
    assert import_history(tmp_path / "m", memory).format == "claude"


def test_folders_too_deep_and_too_many_are_named(tmp_path, memory, monkeypatch):
    chatgpt(tmp_path / "m" / "a")
    claude(tmp_path.joinpath("m", *"bcdefghijk"))
    report = import_history(tmp_path / "m", memory)
    assert report.format == "chatgpt"
    assert [one.reason for one in report.left_out] == [finding.TOO_DEEP]
    monkeypatch.setattr(finding, "MOST_FOLDERS", 4)
    assert [one.reason for one in import_history(tmp_path / "m", memory).left_out] == [finding.TOO_MANY]


def test_no_more_files_by_themselves_are_asked_than_is_bearable(tmp_path, memory, monkeypatch):
    chatgpt(tmp_path / "m" / "a")
    for number in range(6):
        (tmp_path / "m" / f"{number}.json").write_text("{}")
    monkeypatch.setattr(finding, "MOST_FILES", 3)
    assert [one.reason for one in import_history(tmp_path / "m", memory).left_out] == [finding.TOO_MANY]


def test_a_database_too_large_to_be_asked_is_named(tmp_path, memory, kit, monkeypatch):
    chatgpt(tmp_path / "m" / "a")
    hermes = kit.HermesHome(tmp_path / "h")
    hermes.session()
    hermes.say("user", "backup words")
    hermes.db.execute("VACUUM INTO ?", (str(tmp_path / "m" / "backup.db"),))
    assert import_history(tmp_path / "m", memory).format == "hermes, chatgpt"
    monkeypatch.setattr(finding, "LARGEST_DATABASE", 100)
    [left] = import_history(tmp_path / "m", memory).left_out
    assert (left.path.name, left.reason) == ("backup.db", finding.TOO_LARGE)


def test_circles_of_links_end(tmp_path, memory):
    chatgpt(tmp_path / "m" / "a")
    (tmp_path / "m" / "a" / "again").symlink_to(tmp_path / "m")
    (tmp_path / "m" / "loop").symlink_to(tmp_path / "m" / "loop")
    report = import_history(tmp_path / "m", memory)
    assert (report.by_format, report.messages) == ((), 1)


# ---- homes that hold memories and no session ----


OF_CLAUDE_CODE = (".claude", "projects/-home-someone-tide/memory/MEMORY.md", "- the clock is wrong\n")
OF_CODEX = (".codex", "memories/MEMORY.md", "- builds take long\n")
NOTED = [
    ("claude-code", *OF_CLAUDE_CODE),
    ("codex", *OF_CODEX),
    ("hermes", ".hermes", "memories/MEMORY.md", "the disk is full"),
    ("openclaw", ".openclaw", "workspace/MEMORY.md", "- the port is 8443\n"),
    ("claude", "export", "memories.json", json.dumps([{"conversations_memory": "Likes tea."}])),
]


def remembering(top, home, name, text):
    """A home in which nothing but memories stands, and their file."""
    file = top / home / name
    file.parent.mkdir(parents=True)
    file.write_text(text)
    return top / home, file


@pytest.mark.parametrize(("name", "home", "place", "text"), NOTED)
def test_a_home_that_holds_only_memories_is_recognised(tmp_path, memory, name, home, place, text, desk):
    home, file = remembering(tmp_path, home, place, text)
    for path in (home, tmp_path):
        report = import_history(path, memory, bring_in=desk)
        assert (report.format, report.read, report.notes_read, report.problems) == (name, 0, 1, ())
    if name == "claude":
        assert import_history(file, memory, bring_in=desk).problems == ()
    else:
        assert [one.format for one in find_histories(tmp_path, {})] == [name]


@pytest.mark.parametrize(("name", "home", "place", "text"), NOTED)
def test_a_curated_text_that_changes_alone_is_news(tmp_path, memory, name, home, place, text, desk):
    home, file = remembering(tmp_path, home, place, text)
    assert has_news(home, memory, format=name)
    import_history(home, memory, bring_in=desk)
    assert not has_news(home, memory, format=name)
    file.write_text(file.read_text().replace("the", "our").replace("tea", "ink").replace("long", "ages"))
    assert has_news(home, memory, format=name)
    import_history(home, memory)
    assert not has_news(home, memory, format=name)


def test_news_are_the_same_whichever_folder_of_a_home_was_given(
    tmp_path, memory, desk, monkeypatch, claude_code
):
    home, file = remembering(tmp_path, *OF_CLAUDE_CODE)
    claude_code(home)
    (home / "CLAUDE.md").write_text("Be brief.\n")
    monkeypatch.chdir(tmp_path)
    import_history(home.relative_to(tmp_path), memory, bring_in=desk)
    [found] = find_histories(tmp_path, {})
    assert not has_news(found.path, memory, format="claude-code")
    file.write_text("- the clock is right\n")
    assert has_news(found.path, memory, format="claude-code")


def test_notes_that_could_not_be_taken_stay_news(tmp_path, memory):
    home, _ = remembering(tmp_path, *OF_CODEX)

    def refuse(_):
        raise ArchivistError("no room")

    assert import_history(home, memory, bring_in=refuse).problems
    assert has_news(home, memory, format="codex")


@pytest.mark.parametrize(
    "name", ["workspace/memory/2026-06-08.md", "memories/MEMORY.md", "x/memory/MEMORY.md", "memories.json"]
)
def test_texts_of_that_name_elsewhere_are_no_home(tmp_path, memory, name):
    path = tmp_path / "m" / name
    path.parent.mkdir(parents=True)
    path.write_text('{"a": "- words"}')
    with pytest.raises(FormatNotRecognised):
        import_history(tmp_path / "m", memory)


def test_where_nothing_is_found_it_is_said_what_was_not_looked_at(tmp_path, memory):
    claude(tmp_path.joinpath("m", *"bcdefghijk"))
    with pytest.raises(FormatNotRecognised, match=r"more than 8 levels down") as caught:
        import_history(tmp_path / "m", memory)
    assert "\n" not in str(caught.value)

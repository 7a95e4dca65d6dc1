"""`archivist import` of a folder with several histories, and notes of days put in place by hand, as a person meets them."""

import json

import pytest

from archivist.surfaces.cli.agents import SIGNS

CLAUDE = {
    "uuid": "u1", "name": "t",
    "chat_messages": [{"uuid": "m", "sender": "human", "text": "tea words", "created_at": "2026-06-01T10:00:00Z"}],
}  # fmt: skip
CODE = {
    "type": "user", "uuid": "1", "parentUuid": None, "sessionId": "s", "timestamp": "2026-03-01T10:00:00Z",
    "cwd": "/src/tide", "message": {"role": "user", "content": "tide words"},
}  # fmt: skip


@pytest.fixture
def home(home, tmp_path, monkeypatch):
    """The owner's folder holds no history but those of a test."""
    monkeypatch.setenv("HOME", str(tmp_path))
    return home


@pytest.fixture
def copied(tmp_path):
    top = tmp_path / "copied"
    (top / "claude export").mkdir(parents=True)
    (top / "claude export" / "conversations.json").write_text(json.dumps([CLAUDE]))
    project = top / ".claude" / "projects" / "-src-tide"
    project.mkdir(parents=True)
    (project / "s.jsonl").write_text(json.dumps(CODE) + "\n")
    (top / ".codex").mkdir()
    return top


def test_one_note_is_told_as_one_and_none_without_where_it_stands(call, copied):
    memory = copied / ".claude" / "projects" / "-src-tide" / "memory" / "MEMORY.md"
    memory.parent.mkdir()
    memory.write_text("- The port is 8443\n")
    shown = call("import", str(copied / ".claude")).out
    assert "   1 note: 1 in the core, 0 in the archive; `archivist memory undo c" in shown
    assert "` takes it back\n" in shown
    assert "   0 notes\n" in call("import", str(copied / ".claude")).out


def test_each_history_is_told_by_format_and_path_then_all_together_then_what_was_passed_over(call, copied):
    shown = call("import", str(copied)).out
    lines = shown.splitlines()
    heads = [line for line in lines if line and not line.startswith(" ")]
    assert heads == [
        f"claude-code  {copied / '.claude'}",
        f"claude  {copied / 'claude export'}",
        "2 histories together",
        f"passed over: {copied / '.codex'}: it holds no history of a known format",
    ]
    together = lines[lines.index("2 histories together") :]
    assert "2 new messages; sessions: 2 new" in together[1]
    assert "2 records read = 2 imported + 0 skipped" in together[2]
    assert "tide words" in call("recall", "tide words").out
    assert "tea words" in call("recall", "tea words").out


def test_a_script_is_told_the_same(call, copied):
    told = call("import", str(copied), "--json").json
    assert [(one["format"], one["path"], one["messages"]) for one in told["imports"]] == [
        ("claude-code", str(copied / ".claude"), 1),
        ("claude", str(copied / "claude export"), 1),
    ]
    assert told["left_out"] == [
        {"path": str(copied / ".codex"), "reason": "it holds no history of a known format"}
    ]
    again = call("import", str(copied), "--json").json
    assert [one["messages"] for one in again["imports"]] == [0, 0]


def test_one_history_is_told_without_a_sum(call, copied):
    assert "together" not in call("import", str(copied / ".claude")).out


def test_days_of_another_program_put_in_place_are_shown_with_their_times_and_without_dreams(call, tmp_path):
    folder = tmp_path / "home" / "memories" / "daily"
    folder.mkdir(parents=True)
    (folder / "2026-06-10.md").write_text(
        "# 2026-06-10\n\n## 09:15\n- Staging moved to port 5434\n\n## Plans\n- paint the boat\n\n## Light Sleep\n"
        "<!-- openclaw:dreaming:light:start -->\n- Candidate: staged noise\n<!-- openclaw:dreaming:light:end -->\n"
    )
    shown = call("daily", "--day", "2026-06-10").out
    assert shown.splitlines() == ["09:15", "   Staging moved to port 5434", "   Plans: paint the boat"]
    assert "5434" in call("recall", "staging port", "--kind", "daily").out
    assert "noise" not in call("recall", "candidate staged noise", "--kind", "daily").out


def test_what_an_agent_imports_makes_no_notes(call, copied, monkeypatch):
    memory = copied / ".claude" / "projects" / "-src-tide" / "memory"
    memory.mkdir()
    (memory / "MEMORY.md").write_text("- The port is 8443\n")
    for name in SIGNS:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("CLAUDECODE", "1")
    call("import", str(copied / ".claude"))
    assert "8443" not in call("memory", "show").out
    assert "tide words" in call("recall", "tide").out
    monkeypatch.delenv("CLAUDECODE")
    call("import", str(copied / ".claude"))
    assert "8443" in call("memory", "show", "--project", "/src/tide").out

"""Codex's own memory."""

from archivist.transfer import import_history


def test_the_summary_comes_first_and_what_is_about_the_person_goes_to_them(rollout, home, memory, desk):
    rollout.person("hello")
    rollout.write(home)
    folder = home / "memories"
    (folder / "rollout_summaries").mkdir(parents=True)
    (folder / "MEMORY.md").write_text("# Memory\n\n- lighthouse: run `make check`\n")
    (folder / "memory_summary.md").write_text("The user prefers small commits.\n")
    (folder / "rollout_summaries" / "a.md").write_text("derived")
    (folder / "raw_memories.md").write_text("derived")
    report = import_history(home, memory, bring_in=desk)
    assert desk.told() == [
        ("user", "The user prefers small commits."),
        ("memory", "lighthouse: run `make check`"),
    ]
    assert desk.places() == ["codex:memories/memory_summary.md#1", "codex:memories/MEMORY.md#1"]
    assert [count for notice, count in report.notices.items() if "not read" in notice] == [2]


def test_a_home_without_memory_has_none(rollout, home, memory, desk):
    rollout.person("hello")
    report = import_history(rollout.write(home), memory, bring_in=desk)
    assert (desk.statements, report.notes_read) == ([], 0)

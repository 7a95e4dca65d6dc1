"""Claude Code's own memory."""

import pytest

from archivist.records import Scope
from archivist.transfer import import_history


@pytest.fixture
def folder(tmp_path):
    made = tmp_path / ".claude" / "projects" / "-home-someone-tide"
    (made / "memory").mkdir(parents=True)
    (made / "memory" / "MEMORY.md").write_text("# Memory index\n\n- [Clock](clock.md): tests run in UTC\n")
    (made / "memory" / "clock.md").write_text("# Clock\n\nNever add retries.\n")
    return made


def test_the_index_may_enter_the_core_and_topics_go_to_the_archive(folder, transcript, memory, desk):
    transcript.person("hello")
    transcript.write(folder)
    import_history(folder.parents[1], memory, bring_in=desk)
    project = Scope(project="/home/someone/tide")
    assert [(one.text, one.in_prompt, one.scope) for one in desk.statements] == [
        ("[Clock](clock.md): tests run in UTC", True, project),
        ("Clock: Never add retries.", False, project),
    ]
    assert desk.places() == [
        "claude-code:-home-someone-tide/memory/MEMORY.md#1",
        "claude-code:-home-someone-tide/memory/clock.md#1",
    ]


@pytest.mark.parametrize("depth", [0, 1, 2])
def test_whatever_folder_is_given(folder, transcript, memory, desk, depth):
    transcript.person("hello")
    transcript.write(folder)
    import_history([folder, *folder.parents][depth], memory, bring_in=desk)
    assert len(desk.statements) == 2


def test_what_is_noted_where_no_project_is_worked_on_is_the_owners_own(folder, transcript, memory, desk):
    transcript.person("hello")
    transcript.write(folder)
    import_history(folder.parents[1], memory, project_of=lambda _: None, bring_in=desk)
    assert {one.scope for one in desk.statements} == {Scope()}


def test_a_folder_without_sessions_is_a_project_of_its_own(folder, transcript, memory, desk):
    transcript.person("hello")
    transcript.write(folder.parent / "-home-someone-else")
    import_history(folder.parents[1], memory, bring_in=desk)
    assert {one.scope for one in desk.statements} == {Scope(project="claude-code:-home-someone-tide")}


def test_the_head_of_a_topic_is_no_statement_and_tells_what_it_is_about(folder, transcript, memory, desk):
    transcript.person("hello")
    transcript.write(folder)
    head = "---\nname: taste\ndescription: how to answer\nmetadata:\n  type: feedback\n---\n\n"
    (folder / "memory" / "taste.md").write_text(f"{head}Answer in short sentences.\n")
    import_history(folder.parents[1], memory, bring_in=desk)
    assert desk.told()[-1] == ("user", "Answer in short sentences.")


def test_instructions_stay_where_they_are(folder, transcript, memory, desk):
    transcript.person("hello")
    transcript.write(folder)
    (folder.parents[1] / "CLAUDE.md").write_text("- Prefer small commits.")
    report = import_history(folder.parents[1], memory, bring_in=desk)
    assert [notice for notice in report.notices if notice.startswith("CLAUDE.md")]
    assert "Prefer small commits." not in [one.text for one in desk.statements]

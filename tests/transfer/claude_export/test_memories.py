"""What Claude has noted of its user."""

import json
import os

import pytest

from archivist.records import Scope
from archivist.transfer import import_history

GENERAL = (
    "**Work context**\n\nThe user dives with a group of four.\n\n**Preferences**\n\nPrefers short answers."
)


@pytest.fixture
def export(chat, web, tmp_path):
    chat.say("a", "human", "one")
    return web.export(tmp_path / "export", chat)


def test_the_summary_is_about_the_person_and_that_of_a_project_stays_there(export, memory, desk):
    told = [{"conversations_memory": GENERAL, "project_memories": {"p1": "Notice by 31 March."}}]
    (export / "memories.json").write_text(json.dumps(told))
    report = import_history(export, memory, bring_in=desk)
    assert [(one.target, one.text, one.scope) for one in desk.statements] == [
        ("user", "Work context: The user dives with a group of four.", Scope()),
        ("user", "Preferences: Prefers short answers.", Scope()),
        ("memory", "Notice by 31 March.", Scope(project="claude:p1")),
    ]
    assert desk.places()[0] == "claude:memories.json#1"
    assert (report.notes_read, report.notes, report.problems) == (3, 3, ())


def test_of_two_exports_the_newer_memory_counts(chat, web, tmp_path, memory, desk):
    chat.say("a", "human", "one")
    for name, time, text in (("a.zip", 2, "new"), ("b.zip", 1, "old")):
        told = json.dumps([{"conversations_memory": text}])
        path = web.packed(tmp_path / name, chat, **{"memories.json": told})
        os.utime(path, (time, time))
    (tmp_path / "memories.json").write_text(json.dumps([{"conversations_memory": "newest"}]))
    import_history(tmp_path, memory, bring_in=desk)
    assert desk.told() == [("user", "newest")]


@pytest.mark.parametrize(
    "text",
    [
        "[]",
        "{}",
        '[{"conversations_memory": 7, "project_memories": [1]}]',
        '[{"project_memories": {"p": 1}}]',
    ],
)
def test_a_memory_that_says_nothing_is_none(export, memory, desk, text):
    (export / "memories.json").write_text(text)
    report = import_history(export, memory, bring_in=desk)
    assert (desk.statements, report.problems) == ([], ())


def test_damage_is_told_and_costs_itself(export, memory, desk):
    (export / "memories.json").write_text('[1, {"conversations_memory": "kept"}]')
    report = import_history(export, memory, bring_in=desk)
    assert (desk.told(), dict(report.notes_reasons)) == ([("user", "kept")], {"damaged record": 1})
    (export / "memories.json").write_text("{torn")
    report = import_history(export, memory, bring_in=desk)
    assert ["memories.json" in problem.reason for problem in report.problems] == [True]

"""What an agent may change where it works: its place's notes and the person's; what holds beyond waits for the owner."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from archivist import Archivist, Scope
from archivist.records import OWNER
from archivist.tools.context import Turn
from archivist.tools.memory import call_memory

TIDE = Scope(user="owner", project="tide")


@pytest.fixture
def archivist(tmp_path: Path) -> Iterator[Archivist]:
    with Archivist.open(tmp_path, environ={}) as opened:
        opened.notes.add("memory", "the tests run with pytest")
        yield opened


def texts(archivist: Archivist) -> list[str]:
    return [entry.text for entry in archivist.notes.entries(tier="all")]


def called(archivist: Archivist, scope: Scope, **arguments: Any) -> dict[str, Any]:
    return call_memory(archivist.notes, arguments, Turn(scope))


CHANGES = (
    {"action": "replace", "old_text": "pytest", "content": "the tests run with nose"},
    {"action": "edit", "old_text": "pytest", "content": "nose"},
    {"action": "remove", "old_text": "pytest"},
)


@pytest.mark.parametrize("change", CHANGES, ids=[one["action"] for one in CHANGES])
def test_at_work_in_a_project_what_changes_the_homes_notes_waits_and_says_why(
    archivist: Archivist, change: dict[str, str]
) -> None:
    told = called(archivist, TIDE, **change)
    assert any("in one project" in note for note in told["notes"])
    assert texts(archivist) == ["the tests run with pytest"]
    proposal = archivist.review.show(told["waits"]).proposal
    assert (proposal.evidence.waits, proposal.scope) == ("wider", Scope())
    archivist.review.accept(told["waits"])
    assert texts(archivist) == ([] if change["action"] == "remove" else ["the tests run with nose"])


@pytest.mark.parametrize("change", CHANGES, ids=[one["action"] for one in CHANGES])
def test_in_no_project_it_is_done_at_once(archivist: Archivist, change: dict[str, str]) -> None:
    told = called(archivist, OWNER, **change)
    assert told["success"]
    assert "waits" not in told


def test_the_projects_own_notes_and_the_persons_are_changed_at_once(archivist: Archivist) -> None:
    archivist.notes.add("memory", "staging listens on 8443", scope=TIDE)
    archivist.notes.add("user", "prefers short answers")
    for target, old in (("memory", "8443"), ("user", "short")):
        told = called(archivist, TIDE, action="edit", target=target, old_text=old, content="other")
        assert "waits" not in told
    assert sorted(texts(archivist)) == [
        "prefers other answers",
        "staging listens on other",
        "the tests run with pytest",
    ]


def test_a_batch_that_changes_the_homes_notes_among_others_waits_whole(archivist: Archivist) -> None:
    archivist.notes.add("user", "prefers short answers")
    before = texts(archivist)
    operations = [
        {"action": "remove", "target": "user", "old_text": "short"},
        {"action": "add", "content": "staging listens on 8443"},
        {"action": "remove", "old_text": "pytest"},
    ]
    assert called(archivist, TIDE, operations=operations)["waits"]
    assert texts(archivist) == before


def test_what_the_homes_archive_says_already_comes_back_at_once(archivist: Archivist) -> None:
    """Nothing gets other words by it, and use alone would bring it back too."""
    (entry,) = archivist.notes.entries()
    archivist.notes.demote(entry.id)
    told = called(archivist, TIDE, action="add", content="The tests run with pytest.")
    assert "waits" not in told
    assert texts(archivist) == ["the tests run with pytest"]


def test_in_a_project_of_a_group_what_changes_the_groups_notes_waits(archivist: Archivist) -> None:
    group = Scope(chat="g1")
    archivist.notes.add("memory", "the group meets on Monday", scope=group)
    beside = Scope(chat="g1", project="tide")
    assert called(archivist, beside, action="remove", old_text="Monday")["waits"]
    assert "waits" not in called(archivist, group, action="remove", old_text="Monday")


def test_the_owner_changes_from_a_project_what_is_theirs(archivist: Archivist) -> None:
    change = archivist.notes.remove("memory", "pytest", scope=TIDE)
    assert (change.action, texts(archivist)) == ("remove", [])


def test_what_was_learned_in_a_project_does_not_change_the_home_either(archivist: Archivist) -> None:
    change = archivist.notes.edit("memory", "pytest", "nose", scope=TIDE, origin="distilled")
    assert change.action == "waits"
    assert texts(archivist) == ["the tests run with pytest"]

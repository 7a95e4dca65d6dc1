"""Hermes' curated entries."""

import os

import pytest

from archivist.transfer import detect_format, import_history


@pytest.fixture
def noted(hermes):
    def note(text, name="MEMORY.md", profile=None):
        folder = hermes.folder / "profiles" / profile if profile else hermes.folder
        path = folder / "memories" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return path

    return note


def test_each_entry_of_both_files_is_a_statement(hermes, noted, memory, desk):
    noted("Redis is on 6390\n§\nDeploy:\n1. build\n2. ship\n§\n\n§\nsays § inside")
    noted("\ufeffPrefers pytest\r\n§\r\nLikes tea", "USER.md")
    report = import_history(hermes.folder, memory, bring_in=desk)
    assert desk.told() == [
        ("memory", "Redis is on 6390"),
        ("memory", "Deploy:\n1. build\n2. ship"),
        ("memory", "says § inside"),
        ("user", "Prefers pytest"),
        ("user", "Likes tea"),
    ]
    assert desk.places()[:4] == [
        "hermes:memories/MEMORY.md#1",
        "hermes:memories/MEMORY.md#2",
        "hermes:memories/MEMORY.md#3",
        "hermes:memories/USER.md#1",
    ]
    assert (report.notes_read, report.notes, report.notes_skipped, report.notes_changes) == (5, 5, 0, ("c1",))
    assert not report.changed_nothing


def test_bytes_that_are_no_utf8_do_not_stop_a_file(hermes, noted, memory, desk):
    noted(b"caf\xe9 corner\n\xc2\xa7\nopens at 7")
    report = import_history(hermes.folder, memory, bring_in=desk)
    assert desk.told() == [("memory", "caf\ufffd corner"), ("memory", "opens at 7")]
    assert report.notices == {"bytes that were no UTF-8 were replaced in a line": 1}


def test_a_file_of_another_encoding_is_read(hermes, noted, memory, desk):
    noted("café\n§\n部署".encode("utf-16"))
    report = import_history(hermes.folder, memory, bring_in=desk)
    assert desk.told() == [("memory", "café"), ("memory", "部署")]
    assert report.notices == {}


def test_an_entry_is_as_old_as_its_file_at_least(hermes, noted, memory, desk):
    os.utime(noted("old"), (1_700_000_000, 1_700_000_000))
    import_history(hermes.folder, memory, bring_in=desk)
    assert desk.statements[0].observed_at.isoformat() == "2023-11-14T22:13:20+00:00"


def test_profiles_are_kept_apart_and_named(hermes, noted, memory, desk):
    noted("of the home")
    office = noted("of the office", profile="office").parents[1]
    report = import_history(hermes.folder, memory, bring_in=desk)
    assert desk.told() == [("memory", "of the home")]
    assert [notice for notice in report.notices if f"--profile office import {office}" in notice]
    desk.statements.clear()
    import_history(office, memory, bring_in=desk)
    assert (desk.told(), desk.places()) == (
        [("memory", "of the office")],
        ["hermes:profiles/office/memories/MEMORY.md#1"],
    )


def test_a_home_with_nothing_but_notes_is_known(tmp_path, memory, desk):
    folder = tmp_path / ".hermes" / "memories"
    folder.mkdir(parents=True)
    (folder / "USER.md").write_text("Likes tea")
    assert detect_format(folder.parent) == "hermes"
    for name in (None, "hermes"):
        import_history(folder.parent, memory, format=name, bring_in=desk)
    assert desk.told() == [("user", "Likes tea")] * 2


def test_without_somebody_to_take_them_notes_are_left_out(hermes, noted, memory):
    noted("Redis")
    report = import_history(hermes.folder, memory)
    assert (report.notes_read, report.notes, report.problems) == (0, 0, ())
    assert report.changed_nothing


def test_a_file_that_cannot_be_read_costs_itself(hermes, noted, memory, desk):
    path = noted("")
    with path.open("wb") as file:
        file.truncate(17 << 20)
    noted("Likes tea", "USER.md")
    report = import_history(hermes.folder, memory, bring_in=desk)
    assert desk.told() == [("user", "Likes tea")]
    assert [problem.path for problem in report.problems] == [path]

"""What other programs had noted, through the front door."""

import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from archivist import EVERYTHING, Archivist, NotEditable

PROGRAM = str(Path(sys.executable).with_name("archivist"))
SECRET = "ghp_" + "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dE3fG5"
ENTRIES = ["Redis is on 6390", "Deploy:\n1. build\n2. ship", "says § inside", "服务器用 UTC"]
MARKDOWN = "# MEMORY.md\n\n## Hosts\n- quay-3 is the deploy host\n- VPN is 10.44.0.1\n\n```\nmake\n```\n"


@pytest.fixture
def archivist(tmp_path: Path):
    with Archivist.open(tmp_path / "home", environ={"HOME": str(tmp_path)}) as opened:
        yield opened


@pytest.fixture
def hermes(tmp_path: Path) -> Path:
    folder = tmp_path / ".hermes" / "memories"
    folder.mkdir(parents=True)
    (folder / "MEMORY.md").write_text("\n§\n".join(ENTRIES))
    (folder / "USER.md").write_bytes("\ufeffPrefers pytest\n§\nLikes tea\n".encode())
    return folder.parent


def as_hermes_reads(raw: bytes) -> list[str]:
    """Its rule: white space around is cut, and `§` on a line of its own divides."""
    parts = raw.decode("utf-8-sig").replace("\r\n", "\n").strip().split("\n§\n")
    return list(dict.fromkeys(part.strip() for part in parts if part.strip()))


def bytes_in(folder: Path) -> dict[str, str]:
    return {
        str(path): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_notes_come_with_a_history_once_and_can_be_taken_back(archivist: Archivist, hermes: Path) -> None:
    before = bytes_in(hermes)
    report = archivist.import_history(hermes)
    assert (report.notes_read, report.notes, report.notes_in_core, dict(report.notes_reasons)) == (
        6,
        6,
        6,
        {},
    )
    assert [entry.text for entry in archivist.notes.entries("memory")] == ENTRIES
    again = archivist.import_history(hermes)
    assert (again.notes, dict(again.notes_reasons), again.changed_nothing) == (0, {"noted already": 6}, True)
    archivist.notes.undo(report.notes_changes[0])
    assert archivist.import_history(hermes).notes_reasons == {"removed here, stays away": 6}
    assert archivist.notes.entries(tier="all") == ()
    assert bytes_in(hermes) == before


def test_our_file_reads_the_same_by_the_rules_of_the_program_that_it_came_from(
    archivist: Archivist, hermes: Path
) -> None:
    archivist.import_history(hermes)
    for name in ("MEMORY.md", "USER.md"):
        ours = (archivist.home.notes_folder / name).read_bytes()
        assert as_hermes_reads(ours) == as_hermes_reads((hermes / "memories" / name).read_bytes())
    assert (archivist.home.notes_folder / "MEMORY.md").read_bytes() == (
        hermes / "memories" / "MEMORY.md"
    ).read_bytes()


def test_a_folder_of_memories_that_is_copied_into_place_works_as_it_is(tmp_path: Path, hermes: Path) -> None:
    shutil.copytree(hermes / "memories", tmp_path / "home" / "memories")
    with Archivist.open(tmp_path / "home", environ={"HOME": str(tmp_path)}) as archivist:
        assert [entry.text for entry in archivist.notes.entries()] == [
            *ENTRIES,
            "Prefers pytest",
            "Likes tea",
        ]
        assert (archivist.home.notes_folder / "USER.md").read_bytes() == (
            hermes / "memories" / "USER.md"
        ).read_bytes()
        report = archivist.import_history(hermes)
        assert (report.notes, dict(report.notes_reasons)) == (0, {"noted already": 6})
        added = archivist.notes.add("user", "Dislikes noise")
        archivist.notes.undo(added.id)
        assert (archivist.home.notes_folder / "USER.md").read_bytes() == (
            hermes / "memories" / "USER.md"
        ).read_bytes()


def test_a_markdown_file_put_in_place_is_adopted_and_split_on_request(tmp_path: Path) -> None:
    folder = tmp_path / "home" / "memories"
    folder.mkdir(parents=True)
    (folder / "MEMORY.md").write_text(MARKDOWN)
    with Archivist.open(tmp_path / "home", environ={"HOME": str(tmp_path)}) as archivist:
        assert len(archivist.notes.entries()) == 1
        assert (folder / "MEMORY.md").read_text() == MARKDOWN
        archivist.notes.split("memory")
        split = [entry.text for entry in archivist.notes.entries()]
        root = tmp_path / ".openclaw" / "workspace"
        root.mkdir(parents=True)
        (root / "MEMORY.md").write_text(MARKDOWN)
        report = archivist.import_history(root.parent)
        assert (report.notes_read, report.notes) == (3, 0)
        assert [entry.text for entry in archivist.notes.entries(tier="all")] == split


def test_without_notes_they_are_left_out_and_come_when_they_are_wanted(
    archivist: Archivist, hermes: Path
) -> None:
    report = archivist.import_history(hermes, notes=False)
    assert (report.notes_read, archivist.notes.entries(tier="all")) == (0, ())
    assert archivist.import_history(hermes).notes == 6


def test_what_several_programs_say_alike_is_noted_once_and_named(
    archivist: Archivist, hermes: Path, tmp_path: Path
) -> None:
    root = tmp_path / ".openclaw" / "workspace"
    root.mkdir(parents=True)
    (root / "USER.md").write_text("- Likes tea.\n- likes  TEA\n- User prefers pytest\n- Has a cat\n")
    archivist.import_history(hermes)
    report = archivist.import_history(root.parent)
    assert [entry.text for entry in archivist.notes.entries("user")][2:] == ["Has a cat"]
    assert report.notes_read == report.notes + report.notes_skipped == 4
    [named] = [notice for notice in report.notices if "was not noted" in notice]
    assert "openclaw:workspace/USER.md#3" in named


def test_a_secret_is_counted_and_stands_nowhere(archivist: Archivist, hermes: Path) -> None:
    (hermes / "memories" / "MEMORY.md").write_text(f"token {SECRET}\n§\nTokens are in the vault")
    report = archivist.import_history(hermes)
    assert dict(report.notes_reasons) == {"holds a secret": 1}
    archivist.catch_up()
    for path in archivist.home.notes_folder.parent.rglob("*"):
        assert not path.is_file() or SECRET.encode() not in path.read_bytes()
    assert SECRET not in repr(report)


def test_notes_that_cannot_be_written_are_a_problem_of_the_import_and_nothing_else(
    archivist: Archivist, hermes: Path
) -> None:
    archivist.home.config_file.write_text("[notes]\nmemory_limit = 'many'\n")
    report = archivist.import_history(hermes)
    assert [problem.path for problem in report.problems] == [hermes]
    assert report.notes == 0


def test_what_is_noted_in_a_project_stays_there(archivist: Archivist, tmp_path: Path) -> None:
    folder = tmp_path / ".claude" / "projects" / "-src-tide"
    (folder / "memory").mkdir(parents=True)
    line = {
        "type": "user",
        "uuid": "u1",
        "sessionId": "s",
        "cwd": "/src/tide",
        "message": {"role": "user", "content": "hi"},
    }
    (folder / "11111111-1111-4111-8111-111111111111.jsonl").write_text(json.dumps(line) + "\n")
    (folder / "memory" / "MEMORY.md").write_text("- tests run in UTC")
    archivist.import_history(tmp_path / ".claude")
    [entry] = archivist.notes.entries(scope=EVERYTHING)
    assert entry.scope.project == "/src/tide"
    assert entry.text not in archivist.snapshot().text


def test_the_command_says_what_it_noted_and_leaves_notes_out_on_request(tmp_path: Path, hermes: Path) -> None:
    environ = {"HOME": str(tmp_path), "TZ": "UTC", "LC_ALL": "C.UTF-8", "PATH": os.environ["PATH"]}

    def call(*arguments: str) -> str:
        words = [PROGRAM, "import", str(hermes), *arguments]
        return subprocess.run(words, env=environ, capture_output=True, text=True, check=True).stdout

    assert "note" not in call("--no-notes").lower().replace("notes_", "")
    told = call()
    assert "6 notes: 6 in the core, 0 in the archive; `archivist memory undo c" in told
    assert "6 curated pieces read = 6 noted + 0 skipped" in told
    again = call()
    assert "0 notes" in again
    assert "6  noted already" in again
    one = json.loads(call("--json"))["imports"][0]
    assert (one["notes"], one["notes_read"], one["notes_skipped"]) == (0, 6, 6)


@pytest.fixture
def waiting(archivist: Archivist) -> Archivist:
    """A home in which imports wait."""
    archivist.home.config_file.write_text("[approval.origins]\nimport = true\n")
    return archivist


def test_where_imports_wait_all_of_them_wait_as_one(waiting: Archivist, hermes: Path) -> None:
    report = waiting.import_history(hermes)
    assert (report.notes_read, report.notes, dict(report.notes_reasons)) == (
        6,
        0,
        {"waits until you have accepted it": 6},
    )
    assert waiting.notes.entries(tier="all") == ()
    (proposal,) = waiting.review.list()
    assert any(proposal.id in notice for notice in report.notices)
    shown = waiting.review.show(proposal.id)
    assert [(line.sign, line.target, line.text) for line in shown.lines] == [
        *(("+", "memory", text) for text in ENTRIES),
        ("+", "user", "Prefers pytest"),
        ("+", "user", "Likes tea"),
    ]
    again = waiting.import_history(hermes)
    assert again.notes == 0
    assert [one.id for one in waiting.review.list()] == [proposal.id]
    decision = waiting.review.accept(proposal.id)
    assert [entry.text for entry in waiting.notes.entries("memory")] == ENTRIES
    assert {entry.origin for entry in waiting.notes.entries()} == {"import"}
    assert all(entry.sources[0].place for entry in waiting.notes.entries())
    assert {line.change for line in waiting.notes.log()} == {decision.change}
    assert dict(waiting.import_history(hermes).notes_reasons) == {"noted already": 6}


def test_an_import_that_was_accepted_is_taken_back_and_can_be_accepted_again(
    waiting: Archivist, hermes: Path
) -> None:
    waiting.import_history(hermes)
    (proposal,) = waiting.review.list()
    waiting.review.accept(proposal.id)
    waiting.review.undo(proposal.id)
    assert waiting.notes.entries(tier="all") == ()
    assert waiting.review.show(proposal.id).standing == "as-shown"
    waiting.review.accept(proposal.id)
    assert [entry.text for entry in waiting.notes.entries("memory")] == ENTRIES


def test_of_an_import_that_waits_what_is_noted_meanwhile_is_left_out(
    waiting: Archivist, hermes: Path
) -> None:
    waiting.import_history(hermes)
    (proposal,) = waiting.review.list()
    waiting.notes.add("memory", ENTRIES[0])
    shown = waiting.review.show(proposal.id)
    assert [line.sign for line in shown.lines] == [" ", *"+++++"]
    waiting.review.accept(proposal.id)
    assert sorted(entry.text for entry in waiting.notes.entries("memory")) == sorted(ENTRIES)


def test_an_import_that_was_rejected_is_not_asked_again(waiting: Archivist, hermes: Path) -> None:
    waiting.import_history(hermes)
    (proposal,) = waiting.review.list()
    with pytest.raises(NotEditable):
        waiting.review.edit(proposal.id, "x")
    waiting.review.reject(proposal.id)
    report = waiting.import_history(hermes)
    assert dict(report.notes_reasons) == {"rejected in your review, stays away": 6}
    assert waiting.review.list() == ()
    assert waiting.notes.entries(tier="all") == ()


def test_secrets_in_an_import_that_waits_are_kept_nowhere(waiting: Archivist, hermes: Path) -> None:
    (hermes / "memories" / "MEMORY.md").write_text(f"the token is {SECRET}\n§\nRedis is on 6390")
    report = waiting.import_history(hermes)
    assert report.notes_reasons["holds a secret"] == 1
    assert waiting.verify(absent=SECRET).is_absent

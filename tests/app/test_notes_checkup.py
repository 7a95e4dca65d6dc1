"""What `doctor` says of the notes; it only reads."""

import os
import shutil
from datetime import UTC, datetime, timedelta

import pytest

from archivist import Archivist, Scope

NOON = datetime(2026, 3, 20, 12, 0, tzinfo=UTC)


class Owner:
    """A home, its clock, and what doctor says of its notes."""

    def __init__(self, home):
        self.home, self.memories, self.now = home, home / "memories", NOON

    def open(self):
        return Archivist.open(self.home, clock=lambda: self.now, environ={})

    def note(self, *texts, target="memory", **options):
        with self.open() as archivist:
            return [archivist.notes.add(target, text, **options).id for text in texts]

    def ids(self):
        with self.open() as archivist:
            return {entry.text: entry.id for entry in archivist.notes.entries()}

    def look(self):
        """Adopt what was done by hand."""
        with self.open() as archivist:
            archivist.notes.entries()

    def findings(self):
        with self.open() as archivist:
            return [finding for finding in archivist.doctor().findings if finding.subject == "notes"]

    def warnings(self):
        return [finding.text for finding in self.findings() if finding.verdict != "ok"]


@pytest.fixture
def owner(tmp_path):
    return Owner(tmp_path / "home")


def test_a_home_without_notes_has_none_yet(owner):
    [finding] = owner.findings()
    assert (finding.verdict, finding.text) == ("ok", "none yet")


def test_both_files_are_shown_with_their_usage(owner):
    owner.note("The port is 8443")
    owner.note("Prefers tea", target="user")
    [finding] = owner.findings()
    assert finding.verdict == "ok"
    assert finding.text == ("MEMORY.md 0% — 16/2,200 chars, 1 entry; USER.md 0% — 11/1,375 chars, 1 entry")


@pytest.mark.parametrize(
    ("chars", "said"), [(1759, None), (1760, "nearly full"), (2200, "nearly full"), (2201, "over its budget")]
)
def test_a_file_warns_from_eighty_percent_on_and_over_its_budget(owner, chars, said):
    owner.memories.mkdir(parents=True)
    (owner.memories / "MEMORY.md").write_text("x" * chars)
    owner.look()
    warnings = owner.warnings()
    assert [said in text for text in warnings] == ([True] if said else [])


def test_a_budget_that_was_set_is_the_one_that_counts(owner):
    owner.home.mkdir()
    (owner.home / "config.toml").write_text("[notes]\nmemory_limit = 100\n")
    owner.note("x" * 90)
    assert "90/100 chars is nearly full" in owner.warnings()[0]


def test_other_levels_are_counted_and_named_when_they_are_full(owner):
    owner.note("One", scope=Scope(project="harbour"))
    assert "1 file of projects, users and chats" in owner.findings()[0].text
    owner.note("x" * 2000, scope=Scope(project="other"))
    [warning] = owner.warnings()
    assert warning.startswith("projects/other/MEMORY.md 90%")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"The port is \xff8443", "no UTF-8"),
        ("The port".encode("utf-16"), "UTF-16"),
        (b"The \x00port", "zero bytes"),
        (b"# Work\n\n- The port is 8443\n- The host is mole\n", "`archivist memory split`"),
        ("One\n§ \nTwo".encode(), "not in Hermes"),
    ],
)
def test_a_flaw_of_a_file_says_what_to_do(owner, content, said):
    owner.memories.mkdir(parents=True)
    (owner.memories / "MEMORY.md").write_bytes(content)
    assert any(said in text for text in owner.warnings())
    assert str(owner.memories / "MEMORY.md") in owner.warnings()[0]


@pytest.mark.parametrize("content", [b"\xef\xbb\xbfThe port\n", b"One\r\n\xc2\xa7\r\nTwo\r\n"])
def test_what_needs_no_care_is_not_told(owner, content):
    owner.memories.mkdir(parents=True)
    (owner.memories / "USER.md").write_bytes(content)
    assert owner.warnings() == []


def test_every_file_that_cannot_be_read_is_named(owner):
    owner.note("The port is 8443")
    (owner.memories / "MEMORY.md").unlink()
    (owner.memories / "MEMORY.md").mkdir()
    (owner.memories / "USER.md").mkdir()
    failures = [finding for finding in owner.findings() if finding.verdict == "failure"]
    assert len(failures) == 2 == len(owner.findings())
    assert all("cannot be read" in finding.text for finding in failures)


@pytest.mark.parametrize("kind", ["pipe", "link"])
def test_what_is_no_file_is_named_and_not_waited_for(owner, kind):
    owner.memories.mkdir(parents=True)
    if kind == "pipe":
        os.mkfifo(owner.memories / "MEMORY.md")
    else:
        (owner.memories / "MEMORY.md").symlink_to(owner.home / "nowhere" / "MEMORY.md")
    [failure] = owner.findings()
    assert failure.verdict == "failure"
    assert "MEMORY.md cannot be read (it is " in failure.text


def test_lines_of_the_journal_that_say_nothing_are_counted(owner):
    owner.note("The port is 8443", "The host is mole")
    journal = owner.memories / "journal.jsonl"
    lines = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(
        b"".join([b"{garbled}\n", *lines]) + b'{"line":"cha\n'
    )  # the last one was torn by a kill
    assert [text.split(" of ")[0] for text in owner.warnings()] == ["1 line"]


def test_a_journal_that_is_gone_costs_history_and_no_text(owner):
    owner.note("The port is 8443", "The host is mole")
    (owner.memories / "journal.jsonl").unlink()
    [warning] = owner.warnings()
    assert "history and ids of the entries are lost, no text" in warning
    owner.now += timedelta(days=1)
    owner.look()
    [warning] = owner.warnings()
    assert "begun anew on 2026-03-2" in warning
    with owner.open() as archivist:
        assert [entry.text for entry in archivist.notes.entries()] == ["The port is 8443", "The host is mole"]
    owner.now += timedelta(days=40)
    assert owner.warnings() == []


def test_notes_that_were_there_before_archivist_have_lost_nothing(owner):
    owner.memories.mkdir(parents=True)
    (owner.memories / "MEMORY.md").write_text("The port is 8443")
    assert owner.warnings() == []
    owner.look()
    owner.note("The host is mole")
    assert owner.warnings() == []


def test_a_journal_that_cannot_be_read_is_a_failure(owner):
    owner.note("The port is 8443")
    (owner.memories / "journal.jsonl").unlink()
    (owner.memories / "journal.jsonl").mkdir()
    assert ["cannot be read" in text for text in owner.warnings()] == [True]


def test_a_change_that_was_interrupted_is_told_until_it_is_finished(owner):
    [change] = owner.note("The port is 8443")
    journal = owner.memories / "journal.jsonl"
    journal.write_bytes(journal.read_bytes().splitlines(keepends=True)[0])
    assert owner.warnings() == []  # it was done, and only nobody has said so
    (owner.memories / "MEMORY.md").unlink()
    shutil.rmtree(owner.home / "history")  # as if it had been killed before it touched a file
    [warning] = owner.warnings()
    assert f"({change}, add) was interrupted" in warning
    owner.look()
    assert owner.warnings() == []
    assert (owner.memories / "MEMORY.md").read_text() == "The port is 8443"


@pytest.fixture
def dropped(owner):
    """An editor that had the file open saved its older copy."""
    owner.note("The port is 8443")
    old = (owner.memories / "MEMORY.md").read_bytes()
    owner.now += timedelta(minutes=1)
    owner.note("The host is mole", "The disk is full")
    owner.now += timedelta(minutes=1)
    (owner.memories / "MEMORY.md").write_bytes(old)
    owner.look()
    with owner.open() as archivist:
        return archivist.notes.log()[0].change


def test_a_save_that_dropped_newer_entries_is_named_with_its_undo(owner, dropped):
    [warning] = owner.warnings()
    assert "a save of MEMORY.md by hand took back newer changes of 2 entries" in warning
    assert f"`archivist memory undo {dropped}`" in warning


def test_it_is_not_named_once_taken_back_or_after_a_week(owner, dropped):
    owner.now += timedelta(days=8)
    assert owner.warnings() == []
    owner.now -= timedelta(days=8)
    with owner.open() as archivist:
        archivist.notes.undo(dropped)
    assert owner.warnings() == []


def test_it_is_not_named_once_somebody_has_put_the_entries_back(owner, dropped):
    (owner.memories / "MEMORY.md").write_text("The port is 8443\n§\nThe host is mole\n§\nThe disk is full")
    owner.look()
    assert owner.warnings() == []


def test_a_save_that_took_back_a_newer_wording_is_named_too(owner):
    owner.note("The port is 8443")
    owner.now += timedelta(minutes=1)
    (owner.memories / "MEMORY.md").write_text("The port is 8443\n")
    owner.look()
    owner.now += timedelta(minutes=1)
    with owner.open() as archivist:
        archivist.notes.edit("memory", "8443", "9443")
    owner.now += timedelta(minutes=1)
    (owner.memories / "MEMORY.md").write_text("The port is 8443\n")
    owner.look()
    assert len(owner.warnings()) == 1


def test_looking_changes_nothing(owner, dropped):
    (owner.memories / "MEMORY.md").write_text("Something else")
    before = {path: path.read_bytes() for path in owner.memories.rglob("*") if path.is_file()}
    owner.findings()
    assert {path: path.read_bytes() for path in owner.memories.rglob("*") if path.is_file()} == before


def test_notes_and_their_earlier_versions_are_kinds_of_their_own(owner):
    owner.note("The port is 8443", "The host is mole")
    with owner.open() as archivist:
        [size] = [finding for finding in archivist.doctor().findings if finding.subject == "size"]
    below = {
        name: sum(path.stat().st_size for path in (owner.home / name).rglob("*") if path.is_file())
        for name in ("memories", "history")
    }
    assert below["memories"] > 0
    assert size.numbers["notes"] == below["memories"]
    assert size.numbers["history"] == below["history"]


# ---- folders and merges ----

LONG = "git.example.org/team/" + "X" * 60


def test_a_lost_key_is_named_until_it_is_written_again(owner):
    mine = Scope(project=LONG)
    owner.note("Uses pytest", scope=mine)
    assert owner.warnings() == []
    [key] = owner.memories.glob("projects/*/.key")
    for spoil in (key.unlink, lambda: key.write_text("another\n")):
        spoil()
        [warning] = owner.warnings()
        assert warning.startswith(f"{key} is missing")
    owner.note("Uses ruff", scope=mine)
    assert owner.warnings() == []


def test_a_lost_key_of_daily_notes_is_named_too(owner):
    with owner.open() as archivist:
        archivist.daily.add("shipped it", scope=Scope(chat=LONG))
    assert owner.warnings() == []
    [key] = owner.memories.glob("chats/*/.key")
    key.unlink()
    [warning] = owner.warnings()
    assert warning.startswith(f"{key} is missing")


def test_a_folder_that_a_hand_named_is_named_with_the_one_that_it_should_be(owner):
    (owner.memories / "projects/Foo").mkdir(parents=True)
    (owner.memories / "projects/Foo/MEMORY.md").write_text("made by hand")
    [warning] = owner.warnings()
    assert str(owner.memories / "projects/Foo") in warning
    assert str(owner.memories / "projects/%46oo") in warning
    (owner.memories / "projects/Foo").rename(owner.memories / "projects/%46oo")
    assert owner.warnings() == []


def test_lines_with_marks_that_cannot_be_are_counted(owner):
    owner.note("thing one")
    [key] = owner.ids().values()
    with (owner.memories / "journal.jsonl").open("a") as journal:
        journal.write(
            f'{{"line":"change","id":"cx","at":"2026-03-20T12:00:00Z","action":"mark","steps":[{{"op":"mark","entry":"{key}",'
            '"file":"MEMORY.md","marks":{"flavour":[null,"x"]}}]}\n{"line":"done","of":"cx"}\n'
        )
    [warning] = owner.warnings()
    assert warning.startswith("1 line of ")
    assert "knows nothing of" in warning


CONFLICT = "<<<<<<< HEAD\n{}\n=======\n{}\n>>>>>>> theirs\n"


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_marks_of_a_merge_in_a_file_are_named(owner, ends):
    owner.note("The port is 8443")
    file = owner.memories / "MEMORY.md"
    file.write_bytes(
        ("The port is 8443\n§\n" + CONFLICT.format("mine", "theirs")).replace("\n", ends).encode()
    )
    [warning] = owner.warnings()
    assert warning.startswith(f"{file} has the marks of a merge")
    file.write_text("The port is 8443\n§\nmine\n")
    assert owner.warnings() == []


def test_marks_of_a_merge_in_the_journal_are_named_and_both_sides_are_read(owner):
    owner.note("The port is 8443")
    journal, file = owner.memories / "journal.jsonl", owner.memories / "MEMORY.md"
    begun, told = journal.read_text(), file.read_text()
    said, ids = {}, {}
    for words in ("said on one machine", "said on the other"):
        journal.write_text(begun)
        file.write_text(told)
        owner.note(words)
        said[words] = journal.read_text().removeprefix(begun)
        ids |= owner.ids()
    one, other = said.values()
    journal.write_text(begun + CONFLICT.format(one.rstrip("\n"), other.rstrip("\n")))
    file.write_text("\n§\n".join([told, *said]))
    assert [text for text in owner.warnings() if text.startswith(f"{journal} has the marks of a merge")]
    assert owner.ids() == ids
    assert list(ids) == ["The port is 8443", *said]
    journal.write_text("".join(line for line in journal.read_text().splitlines(True) if line.startswith("{")))
    assert owner.warnings() == []
    assert owner.ids() == ids
    with owner.open() as archivist:
        assert [line.after for line in reversed(archivist.notes.log()) if line.what == "add"] == list(ids)


def test_a_link_to_itself_is_named_by_doctor(tmp_path):
    (tmp_path / "memories").mkdir()
    (tmp_path / "memories" / "MEMORY.md").symlink_to("MEMORY.md")
    with Archivist.open(tmp_path, environ={}) as archivist:
        assert any("cannot be read" in finding.text for finding in archivist.doctor().findings)

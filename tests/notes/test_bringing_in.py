"""What another program had noted becomes entries: once, as one change, without moving anything that is here."""

import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.notes.making import make_notes

from archivist.notes.document import DELIMITER, Document
from archivist.notes.limits import Limits
from archivist.notes.notes import Notes
from archivist.notes.statements import BroughtIn, Statement
from archivist.records import EVERYTHING, Scope

SECRET = "ghp_" + "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dE3fG5"
LONG = (
    "The mirror of the package index is rebuilt by hand",
    "Backups are copied to the cold store by bicycle",
)


def told(*texts: str, target: str = "memory", **fields) -> list[Statement]:
    return [
        Statement(target, text, f"other:MEMORY.md#{number}", **fields) for number, text in enumerate(texts, 1)
    ]


@pytest.fixture
def notes(tmp_path: Path) -> Notes:
    return make_notes(tmp_path)


def texts(notes: Notes, tier: str = "all") -> list[str]:
    return [entry.text for entry in notes.entries(tier=tier)]


def adds_up(brought: BroughtIn) -> bool:
    return brought.read == brought.core + brought.archived + sum(brought.skipped.values())


def test_a_statement_becomes_an_entry_that_says_where_it_stood_and_when(notes: Notes) -> None:
    at = datetime(2025, 3, 1, tzinfo=UTC)
    brought = notes.bring_in(told("Staging is on port 5434", observed_at=at))
    [entry] = notes.entries()
    assert (brought.read, brought.core, brought.archived, dict(brought.skipped)) == (1, 1, 0, {})
    assert (entry.origin, entry.observed_at, entry.tier) == ("import", at, "core")
    assert [(quote.text, quote.place) for quote in entry.sources] == [
        ("Staging is on port 5434", "other:MEMORY.md#1")
    ]
    assert notes.log()[0].action == "import"


def test_what_the_core_has_no_room_for_goes_to_the_archive_and_nothing_that_is_there_moves(
    tmp_path: Path,
) -> None:
    notes = make_notes(tmp_path, limits=Limits(memory=200))
    notes.add("memory", "Mine")
    brought = notes.bring_in(told(*(f"Host number {n} keeps the {n} lamps of the pier" for n in range(9))))
    assert texts(notes, "core")[0] == "Mine"
    assert (brought.core, brought.archived) == (len(texts(notes, "core")) - 1, len(texts(notes, "archive")))
    assert brought.core
    assert brought.archived
    assert notes.usage("memory").percent <= 80
    notes.add("memory", "and there is room for the next thing")


def test_what_fits_whole_goes_into_the_core_whole(tmp_path: Path) -> None:
    notes = make_notes(tmp_path, limits=Limits(memory=100))
    brought = notes.bring_in(told(*LONG[:2]))
    assert (brought.core, notes.usage("memory").percent) == (2, 100)


def test_a_full_core_takes_nothing_and_loses_nothing(tmp_path: Path) -> None:
    notes = make_notes(tmp_path, limits=Limits(memory=20, on_full="reject"))
    notes.add("memory", "Twenty characters!!")
    assert notes.bring_in(told("One more")).archived == 1
    assert (texts(notes, "core"), texts(notes, "archive")) == (["Twenty characters!!"], ["One more"])


def test_what_matters_more_comes_first_into_a_core_that_has_no_room_for_all(tmp_path: Path) -> None:
    notes = make_notes(tmp_path, limits=Limits(memory=80))
    middling, weighty = told(LONG[0]), told(LONG[1], importance=9)
    notes.bring_in([*middling, *weighty])
    assert texts(notes, "core") == [LONG[1]]


def test_what_was_only_looked_up_goes_to_the_archive_and_what_is_superseded_into_the_history(
    notes: Notes,
) -> None:
    brought = notes.bring_in(
        [*told("Port 5433", is_superseded=True), *told("Port 5434"), *told("Lore", in_prompt=False)]
    )
    assert texts(notes, "core") == ["Port 5434"]
    assert texts(notes, "archive") == ["Lore"]
    assert dict(brought.skipped) == {"superseded in its source: kept in the history alone": 1}
    assert [line.after for line in notes.log() if line.what == "add"].count("Port 5433") == 1


def test_what_was_superseded_and_holds_again_is_taken(notes: Notes) -> None:
    old, new = told("Tea, please", is_superseded=True), told("Tea, please")
    notes.bring_in(old)
    again = notes.bring_in(old)
    assert (again.change, again.read, sum(again.skipped.values())) == ("", 1, 1)
    assert notes.bring_in(new).core == 1
    assert dict(notes.bring_in(old).skipped) == {"noted already": 1}
    assert texts(notes) == ["Tea, please"]


def test_an_import_is_taken_back_whole(notes: Notes, tmp_path: Path) -> None:
    notes.add("memory", "Mine")
    before = (tmp_path / "memories" / "MEMORY.md").read_bytes()
    brought = notes.bring_in([*told("A", "B"), *told("C", is_superseded=True), *told("D", target="user")])
    assert len(texts(notes)) == 4
    notes.undo(brought.change)
    assert texts(notes) == ["Mine"]
    assert (tmp_path / "memories" / "MEMORY.md").read_bytes() == before
    again = notes.bring_in(told("A", "B"))
    assert (again.change, dict(again.skipped)) == ("", {"removed here, stays away": 2})
    notes.undo(notes.log()[0].change)
    assert sorted(texts(notes)) == ["A", "B", "D", "Mine"]


def test_a_second_time_adds_nothing_and_says_so(notes: Notes, tmp_path: Path) -> None:
    statements = told("Staging is on port 5434", "部署前先跑测试", "Mirror:\n```\n§x\n```")
    notes.bring_in(statements)
    files = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    again = notes.bring_in(statements)
    assert (again.change, again.read, dict(again.skipped)) == ("", 3, {"noted already": 3})
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == files


@pytest.mark.parametrize("how", ["remove", "hand", "replace", "edit", "demote"])
def test_what_was_done_to_an_entry_here_is_not_undone_by_importing_again(
    notes: Notes, tmp_path: Path, how: str
) -> None:
    statements = told("Staging is on port 5434", "Backups run at night")
    notes.bring_in(statements)
    entry = notes.entries()[0]
    if how == "remove":
        notes.remove("memory", entry.id)
    elif how == "hand":
        (tmp_path / "memories" / "MEMORY.md").write_text("Backups run at night")
    elif how == "replace":
        notes.replace("memory", entry.id, "Staging moved to the cloud")
    elif how == "edit":
        notes.edit("memory", "5434", "6000")
    else:
        notes.demote(entry.id)
    there = texts(notes)
    again = notes.bring_in(statements)
    assert texts(notes) == there
    assert (again.change, adds_up(again)) == ("", True)
    reason = {
        "remove": "removed here, stays away",
        "hand": "removed here, stays away",
        "demote": "noted already",
    }
    assert again.skipped[reason.get(how, "edited here, stays as it is")] >= 1


def test_what_was_removed_does_not_come_back_in_other_words_or_from_another_place(notes: Notes) -> None:
    notes.bring_in(told("The user prefers short answers", target="user"))
    notes.remove("user", "short answers")
    again = notes.bring_in([Statement("user", "User prefers short answers.", "third:x#9")])
    assert dict(again.skipped) == {"removed here, stays away": 1}
    assert texts(notes) == []


def test_what_an_entry_says_in_other_words_is_named_and_not_doubled(notes: Notes) -> None:
    mine = notes.add("user", "The user prefers short answers").entry
    assert mine is not None
    brought = notes.bring_in(told("User prefers short answers.", target="user"))
    assert dict(brought.skipped) == {"an entry says it in other words": 1}
    assert [(twin.entry, twin.place) for twin in brought.twins] == [(mine.id, "other:MEMORY.md#1")]


def test_two_that_say_the_same_become_one_and_two_that_differ_in_a_number_stay_two(notes: Notes) -> None:
    brought = notes.bring_in(told("Port 5433 is open", "port 5433 is open.", "Port 5434 is open"))
    assert texts(notes) == ["Port 5433 is open", "Port 5434 is open"]
    assert dict(brought.skipped) == {"told twice in the source": 1}


def test_a_statement_with_a_secret_is_not_taken_and_stands_nowhere(notes: Notes, tmp_path: Path) -> None:
    statements = told(f"The token is {SECRET}", "Tokens are in the vault")
    statements += [Statement("memory", "Named", f"other:{SECRET}.md#1", scope=Scope(project=f"x/{SECRET}"))]
    brought = notes.bring_in(statements)
    assert dict(brought.skipped) == {"holds a secret": 1}
    assert len(notes.entries(scope=EVERYTHING)) == 2
    for path in tmp_path.rglob("*"):
        assert SECRET not in str(path)
        assert not path.is_file() or SECRET.encode() not in path.read_bytes()


def test_a_line_that_would_divide_an_entry_divides_it_and_is_told(notes: Notes) -> None:
    brought = notes.bring_in(told("above\n§\nbelow", "§"))
    assert texts(notes) == ["above", "below"]
    assert (brought.read, brought.split) == (2, 1)
    assert [entry.sources[0].place for entry in notes.entries()] == [
        "other:MEMORY.md#1.1",
        "other:MEMORY.md#1.2",
    ]


def test_a_statement_of_a_project_stays_there_and_what_is_about_the_person_goes_to_them(notes: Notes) -> None:
    scope = Scope(project="github.com/o/n")
    notes.bring_in([*told("Tests run in UTC", scope=scope), *told("Likes tea", target="user", scope=scope)])
    assert {entry.text: entry.scope for entry in notes.entries(scope=EVERYTHING)} == {
        "Tests run in UTC": scope,
        "Likes tea": Scope(),
    }


def test_a_file_with_other_line_ends_keeps_them(notes: Notes, tmp_path: Path) -> None:
    file = tmp_path / "memories" / "MEMORY.md"
    file.parent.mkdir()
    file.write_bytes(b"one\r\n\xc2\xa7\r\ntwo\r\n")
    notes.bring_in(told("three\nlines", "four"))
    assert file.read_bytes() == "one\r\n§\r\ntwo\r\n§\r\nthree\r\nlines\r\n§\r\nfour\r\n".encode()


def test_archive_files_stay_small_and_a_statement_that_is_larger_has_one_of_its_own(
    notes: Notes, tmp_path: Path
) -> None:
    statements = told(*(f"{n} " + "word " * 800 for n in range(40)), "x" * 70_000, "last", in_prompt=False)
    brought = notes.bring_in(statements)
    sizes = sorted(path.stat().st_size for path in (tmp_path / "memories" / "archive").glob("*.md"))
    assert brought.archived == len(texts(notes, "archive")) == 42
    assert [size for size in sizes if size > 64 << 10] == [70_000]


def test_half_characters_do_no_harm(notes: Notes) -> None:
    notes.bring_in([Statement("memory", "half \ud83d here", "other:\udcff#1")])
    assert texts(notes) == ["half \ufffd here"]
    assert make_notes(notes._folder.parent).entries()[0].sources[0].place == "other:\ufffd#1"


WORDS = st.text(
    alphabet=st.sampled_from(["§", "\n", "\r", "\ufeff", " ", "a", "7", "é", "部", "-", "\ud800", "\x00"]),
    max_size=12,
)


@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(WORDS, max_size=8), st.booleans())
def test_whatever_is_told_adds_up_and_stands_as_the_journal_says(
    tmp_path_factory, found: list[str], in_prompt: bool
) -> None:
    home = tmp_path_factory.mktemp("home")
    notes = make_notes(home)
    brought = notes.bring_in(told(*found, in_prompt=in_prompt))
    assert adds_up(brought)
    assert len(notes.entries(tier="all")) == brought.core + brought.archived
    assert [line.action for line in make_notes(home).log() if line.action != "import"] == []
    again = notes.bring_in(told(*found, in_prompt=in_prompt))
    assert (again.change, adds_up(again), again.read) == ("", True, brought.read)


def test_what_is_written_is_what_hermes_would_write(notes: Notes, tmp_path: Path) -> None:
    notes.bring_in(told("one", "two\nlines", "三"))
    raw = (tmp_path / "memories" / "MEMORY.md").read_bytes()
    assert raw == DELIMITER.join(["one", "two\nlines", "三"]).encode()
    assert Document.parse(raw).flaws == ()


KILLED = """
import os, sys
from pathlib import Path
from tests.notes.making import make_notes
from archivist.files.displacing import Displacement
from archivist.notes.limits import Limits
from archivist.notes.statements import Statement
left, exchange = int(sys.argv[2]), Displacement.exchange
def dies(self):
    global left
    if left == 0:
        os._exit(9)
    left -= 1
    exchange(self)
Displacement.exchange = dies
make_notes(Path(sys.argv[1]), limits=Limits(memory=200)).bring_in(
    [Statement("memory", f"Host number {n} keeps the {n} lamps of the pier", f"x:y#{n}", is_superseded=n > 8) for n in range(10)]
)
"""


@pytest.mark.parametrize("files", [0, 1, 2])
def test_an_import_that_was_killed_is_there_whole_afterwards(tmp_path: Path, files: int) -> None:
    root = Path(__file__).parents[2]
    words = [sys.executable, "-c", KILLED, str(tmp_path), str(files)]
    done = subprocess.run(words, cwd=root, capture_output=True, text=True, check=False)
    assert done.returncode == (9 if files < 2 else 0), done.stderr
    notes = make_notes(tmp_path, limits=Limits(memory=200), prefix="b")
    found = notes.entries(tier="all")
    assert sorted(entry.text for entry in found) == [
        f"Host number {n} keeps the {n} lamps of the pier" for n in range(9)
    ]
    assert len({entry.id for entry in found}) == 9
    assert {entry.origin for entry in found} == {"import"}
    statements = [Statement("memory", entry.text, "x:y#1") for entry in found]
    assert dict(notes.bring_in(statements).skipped) == {"noted already": 9}

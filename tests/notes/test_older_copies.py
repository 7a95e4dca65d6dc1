"""An editor that had a file open before the program changed it, and saves its older copy: whatever that takes back is named."""

from pathlib import Path

import pytest
from tests.notes.making import make_notes, save

from archivist.notes.notes import Notes

MEMORY, USER = "memories/MEMORY.md", "memories/USER.md"
SIGN = "\n§\n"
PORT, DEPLOYS, WIKI = (
    "Staging listens on port 8443",
    "Deploys go out on Friday",
    "The old wiki is at wiki.example.org",
)


@pytest.fixture(params=["program", "hand"])
def notes(request, tmp_path: Path) -> Notes:
    """Three entries that the program noted, or that a hand wrote."""
    notes = make_notes(tmp_path)
    if request.param == "hand":
        save(tmp_path / MEMORY, SIGN.join([PORT, WIKI, DEPLOYS]))
        notes.entries()
        notes.add("user", "Somebody writes")
    else:
        for text in (PORT, WIKI, DEPLOYS):
            notes.add("memory", text)
    return notes


def texts(notes: Notes) -> list[str]:
    return [entry.text for entry in notes.entries("memory", "all")]


def named(notes: Notes) -> list[tuple[str | None, str | None]]:
    return [(line.before, line.after) for line in notes.log() if line.is_stale]


UNLIKE = "Ask Ann before any release of the payment service"


@pytest.mark.parametrize(
    "words", [UNLIKE, "Deploys go out on Monday", "Deploys go out on Friday, Ann must agree"]
)
@pytest.mark.parametrize("own", ["", f"{SIGN}A line of mine"])
def test_a_replacement_that_is_taken_back_is_named_and_undone(notes, tmp_path, words, own):
    older = (tmp_path / MEMORY).read_text()
    notes.replace("memory", DEPLOYS, words)
    save(tmp_path / MEMORY, older + own)
    change = notes.add("user", "Something else")
    assert named(notes) == [(words, DEPLOYS)]
    assert "stale-save" in {notice.code for notice in change.notices}
    notes.undo(next(line.change for line in notes.log() if line.is_stale))
    assert words in texts(notes)
    assert DEPLOYS not in texts(notes)
    before = len(notes.log())
    notes.entries()
    assert len(notes.log()) == before


def test_a_removal_that_is_taken_back_is_named(notes, tmp_path):
    older = (tmp_path / MEMORY).read_text()
    notes.remove("memory", WIKI)
    save(tmp_path / MEMORY, older + f"{SIGN}mine")
    assert WIKI in texts(notes)
    assert named(notes) == [(None, WIKI)]


def test_a_removal_is_named_though_an_undo_put_other_words_back_since(notes, tmp_path):
    older = (tmp_path / MEMORY).read_text()
    notes.remove("memory", WIKI)
    notes.undo(notes.edit("memory", "Friday", "Monday").id)
    save(tmp_path / MEMORY, (tmp_path / MEMORY).read_text() + f"{SIGN}Appended by hand")
    notes.entries()
    save(tmp_path / MEMORY, older)
    assert WIKI in texts(notes)
    assert (None, WIKI) in named(notes)


def test_an_older_copy_with_other_words_of_its_own_in_the_same_entry_is_named(notes, tmp_path):
    older = (tmp_path / MEMORY).read_text()
    notes.edit("memory", "Friday", "Monday")
    save(tmp_path / MEMORY, older.replace("Friday", "Friday at noon"))
    notes.entries()
    assert named(notes) == [("Deploys go out on Monday", "Deploys go out on Friday at noon")]


def test_an_older_copy_whose_own_line_stands_in_the_place_of_a_newer_entry_is_named(notes, tmp_path):
    older = (tmp_path / MEMORY).read_text()
    newest = "Backups of the wiki run at two at night"
    notes.add("memory", newest)
    mine = "Backups of the database run at three at night"
    save(tmp_path / MEMORY, f"{older}{SIGN}{mine}")
    assert mine in texts(notes)
    assert newest in {before for before, _ in named(notes)}
    notes.undo(next(line.change for line in notes.log() if line.is_stale))
    assert newest in texts(notes)


@pytest.mark.parametrize(
    "words", ["Backups of the wiki run at two at night.", "Backups of the wiki run at 3 at night"]
)
def test_a_hand_that_puts_right_what_was_just_noted_is_not_told_of_older_copies(notes, tmp_path, words):
    notes.add("memory", "Backups of the wiki run at two at night")
    save(
        tmp_path / MEMORY,
        (tmp_path / MEMORY).read_text().replace("Backups of the wiki run at two at night", words),
    )
    assert words in texts(notes)
    assert named(notes) == []


def test_former_words_in_the_other_file_are_an_entry_of_their_own(notes, tmp_path):
    notes.replace("memory", DEPLOYS, UNLIKE)
    save(tmp_path / MEMORY, SIGN.join([PORT, WIKI]))
    save(tmp_path / USER, DEPLOYS)
    assert [entry.text for entry in notes.entries("user")] == [DEPLOYS]
    assert [entry.text for entry in make_notes(tmp_path, prefix="z").entries("user")] == [DEPLOYS]
    assert texts(notes) == [PORT, WIKI]
    assert (tmp_path / USER).read_text() == DEPLOYS


def test_the_end_of_a_save_is_taken_in_though_others_had_the_half_of_it_open(notes, tmp_path):
    raw = (tmp_path / MEMORY).read_bytes()
    cut = raw.index(b"go out")
    with (
        (tmp_path / MEMORY).open("r+b", buffering=0) as editor,
    ):
        editor.truncate(0)
        editor.write(raw[:cut])
        notes.add("memory", "First by the agent")
        with (tmp_path / MEMORY).open("ab", buffering=0) as script:
            notes.add("memory", "Second by the agent")
            editor.write(raw[cut:] + b"\n\xc2\xa7\nMine")
            script.write(b"\n\xc2\xa7\nAppended")
    notes.add("memory", "Third by the agent")
    wanted = {
        PORT,
        WIKI,
        DEPLOYS,
        "First by the agent",
        "Second by the agent",
        "Mine",
        "Appended",
        "Third by the agent",
    }
    assert sorted(texts(notes)) == sorted(wanted)


def test_one_undo_brings_back_what_an_older_copy_took_though_it_brought_back_a_demoted_entry_too(
    notes, tmp_path
):
    older = (tmp_path / MEMORY).read_text()
    key = next(entry.id for entry in notes.entries("memory") if entry.text == PORT)
    notes.demote(key)
    notes.add("memory", "The lift is broken")
    save(tmp_path / MEMORY, f"{older}{SIGN}mine")
    notes.add("user", "Something new")
    notes.undo(next(line.change for line in notes.log() if line.is_stale))
    assert "The lift is broken" in texts(notes)
    assert texts(notes).count(PORT) == 1
    assert notes.entry(key).text == PORT

"""Daily notes: only ever added to, and every byte that was there stays."""

import os
import random
import re
import subprocess
import sys
from collections import Counter
from datetime import UTC, date, datetime, timedelta, timezone
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archivist.files import FileNotWritten
from archivist.files.displacing import waiting_file
from archivist.notes import daily
from archivist.notes.daily import DailyEntry, DailyNotes, entries_in
from archivist.notes.holding import NotesUnreadable
from archivist.notes.planning import EmptyNote
from archivist.notes.secrets import SecretInNote

DAY = date(2026, 3, 20)
NINE = datetime(2026, 3, 20, 9, 5, tzinfo=UTC)
TEN = NINE + timedelta(hours=1)
VICTIM = Path(__file__).with_name("daily_victim.py")


@pytest.fixture
def notes(tmp_path):
    return DailyNotes(tmp_path / "daily")


@pytest.fixture
def file(notes):
    notes.folder.mkdir()
    return notes.folder / "2026-03-20.md"


def texts(notes):
    return [entry.text for entry in notes.read(DAY)]


def test_entries_stand_below_each_other_with_their_times(notes):
    notes.add("Chose the second disk", NINE)
    notes.add("Two lines\n\nand one more", TEN)
    assert (notes.folder / "2026-03-20.md").read_bytes() == (
        b"# 2026-03-20\n\n- 09:05 Chose the second disk\n- 10:05 Two lines\n\n  and one more\n"
    )
    assert notes.read(DAY) == (
        DailyEntry(DAY, "Chose the second disk", "09:05"),
        DailyEntry(DAY, "Two lines\n\nand one more", "10:05"),
    )
    assert notes.days() == (DAY,)


def test_the_day_is_that_of_the_owners_zone(notes):
    entry = notes.add("late", datetime(2026, 3, 20, 23, 30, tzinfo=timezone(timedelta(hours=8))))
    assert (entry.day, entry.clock) == (DAY, "23:30")
    with pytest.raises(ValueError, match="zone"):
        notes.add("when?", datetime(2026, 3, 20))


def test_only_the_owner_may_read_a_new_file_and_nothing_is_left_beside_it(notes):
    notes.add("a", NINE)
    notes.add("b", NINE)
    assert {path.name for path in notes.folder.iterdir()} <= {"2026-03-20.md", ".lock"}
    assert (notes.folder / "2026-03-20.md").stat().st_mode & 0o777 == 0o600
    assert notes.folder.stat().st_mode & 0o777 == 0o700


# https://github.com/openclaw/openclaw/issues/6877: the second flush of a day rewrote its file
def test_a_second_flush_loses_nothing_of_the_first(notes, file):
    morning = "".join(f"morning line {number}\n" for number in range(10))
    file.write_text(morning)
    notes.add("one more\nand another\nand a third", TEN)
    assert file.read_text().startswith(morning)
    assert len(file.read_text().splitlines()) == 13


# https://github.com/basicmachines-co/basic-memory/issues/625: a note of the same title took the place of the first
def test_a_second_text_under_the_same_heading_stands_beside_the_first(notes):
    notes.add("# Daily\n\na", NINE)
    notes.add("# Daily\n\nb", TEN)
    assert texts(notes) == ["# Daily\n\na", "# Daily\n\nb"]


# https://github.com/openclaw/openclaw/issues/99509: the second flush of a day told the whole file again
def test_a_text_that_repeats_the_file_adds_only_what_is_new(notes, file):
    file.write_text("A\nB")
    entry = notes.add("A\nB\nC", TEN)
    assert file.read_text() == "A\nB\n- 10:05 C\n"
    assert (entry.text, entry.added, entry.repeated) == ("C", True, True)


def test_a_file_told_again_as_it_stands_adds_nothing_and_says_so(notes):
    notes.add("Chose the second disk", NINE)
    notes.add("- tests green\n- docs built", TEN)
    path = notes.folder / "2026-03-20.md"
    before = path.read_bytes()
    for text in (before.decode(), "Chose the second disk", "docs built\n\n* tests green"):
        assert not notes.add(text, TEN).added
    assert path.read_bytes() == before
    entry = notes.add(f"{before.decode()}- 11:00 signed\n", TEN)
    assert (entry.text, entry.added) == ("11:00 signed", True)
    assert path.read_bytes() == before + b"- 10:05 11:00 signed\n"


@pytest.mark.parametrize(
    ("text", "kept"),
    [("- built", "built"), ("built - then signed", "built - then signed"), ("-5 degrees", "-5 degrees")],
)
def test_only_the_mark_of_a_list_at_the_beginning_goes(notes, text, kept):
    assert notes.add(text, NINE).text == kept
    assert texts(notes) == [kept]
    assert not notes.add(text, TEN).added


def test_what_is_added_on_another_day_is_no_repetition(notes):
    notes.add("took the pill", NINE)
    assert notes.add("took the pill", NINE + timedelta(days=1)).added


@pytest.mark.parametrize(
    ("former", "after"),
    [
        (b"no end", b"no end\n- 09:05 new\n"),
        (b"a\r\nb\r\n", b"a\r\nb\r\n- 09:05 new\r\n"),
        (b"a\r\nb", b"a\r\nb\r\n- 09:05 new\r\n"),
        (
            b"\xef\xbb\xbf# 2026-03-20\n\n- 08:00 old\n",
            b"\xef\xbb\xbf# 2026-03-20\n\n- 08:00 old\n- 09:05 new\n",
        ),
        (b"caf\xe9\x00 \xff\n", b"caf\xe9\x00 \xff\n- 09:05 new\n"),
        (b"trailing  \n\n\n", b"trailing  \n\n\n- 09:05 new\n"),
        (b"", b"# 2026-03-20\n\n- 09:05 new\n"),
        (b"\n", b"\n# 2026-03-20\n\n- 09:05 new\n"),
    ],
)
def test_what_was_there_keeps_every_byte(notes, file, former, after):
    file.write_bytes(former)
    notes.add("new", NINE)
    assert file.read_bytes() == after
    assert texts(notes)[-1] == "new"
    assert "\ufeff" not in "".join(texts(notes))


@given(st.binary(max_size=60), st.text(max_size=40), st.text(max_size=40))
def test_whatever_stands_in_a_file_stays_and_what_is_added_is_read_back(tmp_path_factory, former, one, two):
    notes = DailyNotes(tmp_path_factory.mktemp("daily"))
    path = notes.folder / "2026-03-20.md"
    path.write_bytes(former)
    if former.startswith((b"\xff\xfe", b"\xfe\xff")):
        return
    before = former
    for text in (one, two):
        try:
            entry = notes.add(text, NINE)
        except (EmptyNote, SecretInNote):
            continue
        assert path.read_bytes().startswith(before)
        before = path.read_bytes()
        if entry.added:
            assert notes.read(DAY)[-1].text == entry.text
            assert not notes.add(text, TEN).added
        assert path.read_bytes() == before


def test_the_mode_stays_and_a_link_stays_one(notes, file, tmp_path):
    real = tmp_path / "elsewhere" / "today.md"
    real.parent.mkdir()
    real.write_text("shared\n")
    real.chmod(0o660)
    file.symlink_to(real)
    notes.add("new", NINE)
    assert file.is_symlink()
    assert real.read_text() == "shared\n- 09:05 new\n"
    assert real.stat().st_mode & 0o777 == 0o660
    assert [path.name for path in real.parent.iterdir()] == ["today.md"]


def test_a_secret_is_refused_and_nothing_is_written(notes):
    with pytest.raises(SecretInNote, match="only where it is kept"):
        notes.add("ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8", NINE)
    assert not notes.folder.exists()


@pytest.mark.parametrize("text", ["", " \n\t", "\ufeff"])
def test_no_words_are_refused(notes, text):
    with pytest.raises(EmptyNote):
        notes.add(text, NINE)


def test_a_file_in_utf_16_is_not_spoilt_and_is_read(notes, file):
    file.write_bytes("Old words\n".encode("utf-16"))
    with pytest.raises(FileNotWritten, match="save it as UTF-8"):
        notes.add("new", NINE)
    assert texts(notes) == ["Old words"]


def test_a_folder_that_cannot_be_written_is_named_in_one_line(tmp_path, monkeypatch):
    (tmp_path / "daily").write_text("a file")
    with pytest.raises(FileNotWritten, match="was not written") as caught:
        DailyNotes(tmp_path / "daily").add("a", NINE)
    assert "\n" not in str(caught.value)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_is_read_only_is_named_in_one_line(notes, file):
    file.write_text("old\n")
    notes.folder.chmod(0o500)
    with pytest.raises(FileNotWritten, match="Permission denied"):
        notes.add("a", NINE)
    assert file.read_text() == "old\n"


def test_a_disk_that_refuses_leaves_the_file_as_it_was(notes, monkeypatch):
    notes.add("old", NINE)
    before = (notes.folder / "2026-03-20.md").read_bytes()

    def full(_handle):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(FileNotWritten, match="No space left"):
            notes.add("new", NINE)
    assert (notes.folder / "2026-03-20.md").read_bytes() == before
    notes.add("new", NINE)
    assert texts(notes) == ["old", "new"]


def test_a_folder_in_the_place_of_a_file_is_named(notes, file):
    file.mkdir()
    with pytest.raises(NotesUnreadable, match="Is a directory"):
        notes.add("a", NINE)
    assert notes.days() == ()


@pytest.mark.parametrize(
    ("saved", "after"),
    [
        (b"old\nfrom an editor\n", b"old\n- 09:05 new\nfrom an editor\n"),
        (b"rewritten", b"rewritten\n- 09:05 new\n"),
        (b"", b"- 09:05 new\n"),
    ],
)
def test_what_somebody_saves_at_the_same_moment_stays(notes, file, monkeypatch, saved, after):
    file.write_bytes(b"old\n")
    displace, saves = daily.displace, [saved]

    def interrupted(path, content, **rest):
        if saves:
            path.write_bytes(saves.pop())
        return displace(path, content, **rest)

    monkeypatch.setattr(daily, "displace", interrupted)
    notes.add("new", NINE)
    assert file.read_bytes() == after


def test_what_a_kill_left_displaced_is_added_again_and_the_rest_is_removed(notes, file):
    file.write_bytes(b"old\n- 09:05 new\n")
    waiting_file(file, "former").write_bytes(b"old\nfrom an editor\n")
    waiting_file(file, "daily").write_bytes(b"old\n- 09:05 new\n- 09:0")
    notes.add("next", TEN)
    assert file.read_bytes() == b"old\n- 09:05 new\nfrom an editor\n- 10:05 next\n"
    assert {path.name for path in notes.folder.iterdir()} <= {"2026-03-20.md", ".lock"}


def test_eight_processes_that_are_killed_again_and_again_add_everything_once(notes):
    chance = random.Random(1)
    done = dict.fromkeys("abcdefgh", 0)
    kills = 0
    while unfinished := [name for name, count in done.items() if count < 25]:
        running = {
            name: subprocess.Popen(
                [sys.executable, VICTIM, notes.folder, name, str(done[name])],
                stdout=subprocess.PIPE,
                text=True,
            )
            for name in unfinished
        }
        told = {name: [] for name in running}
        first = chance.choice(unfinished)
        for _ in range(chance.choice([5, 9])):
            told[first].append(running[first].stdout.readline())
        for name, process in running.items():
            process.kill()
            kills += process.wait() < 0
            told[name] += process.stdout
            process.stdout.close()
            done[name] = max([done[name], *(int(line) + 1 for line in told[name] if line)])
    assert Counter(texts(notes)) == {
        f"from {name} number {number:02d}\nand a second line of {name}-{number:02d}": 1
        for name in done
        for number in range(25)
    }
    assert kills  # how many are in time to be killed is the machine's to say


# ---- reading what others wrote ----


def test_the_notes_of_another_program_are_read_a_statement_each(notes):
    notes.folder.mkdir()
    (notes.folder / "2026-03-20.md").write_text(
        "---\ntags: [daily]\n---\n# 2026-03-20\n\n## 14:30 Deploy\nWent well.\n\n- cache cleared\n- tests green\n  in CI\n\n"
        "<!-- a mark -->\nA paragraph\nof two lines.\n"
    )
    (notes.folder / "2026-03-20-travel.md").write_text("- train at 9:15\n")
    (notes.folder / "2026-13-40.md").write_text("no day\n")
    (notes.folder / "MEMORY.md").write_text("no daily note\n")
    found = notes.read(DAY)
    assert [entry.text for entry in found] == [
        "14:30 Deploy: Went well.",
        "14:30 Deploy: cache cleared",
        "14:30 Deploy: tests green\nin CI",
        "14:30 Deploy: A paragraph\nof two lines.",
        "train at 9:15",
    ]
    assert found[0].clock == "14:30"
    assert found[-1].clock is None
    assert notes.days() == (DAY,)


def test_own_entries_are_found_between_those_of_others():
    text = "Before\n- 09:05 mine\n  - nested\n\n  ## of mine\n\nAfter\n- theirs\n- 9:5 theirs too\n"
    assert [entry.text for entry in entries_in(text, DAY)] == [
        "Before",
        "mine\n- nested\n\n## of mine",
        "After",
        "theirs",
        "9:5 theirs too",
    ]


def test_where_there_are_none_nothing_is_read(notes):
    assert notes.read(DAY) == ()
    assert notes.days() == ()
    assert not notes.folder.exists()


def entries(text):
    return [(entry.clock, entry.text) for entry in entries_in(text, DAY)]


@pytest.mark.parametrize(
    ("heading", "clock"),
    [
        ("## 09:15", "09:15"),
        ("## 9:15", "09:15"),
        ("### 09:15:30 UTC", "09:15"),
        ("## 2:30 PM", "14:30"),
        ("## 12:05 a.m.", "00:05"),
        ("## **09:15**", "09:15"),
        ("## [09:15] ##", "09:15"),
        ("## 2026-03-20 09:15", "09:15"),
        ("## 2026-03-20T09:15", "09:15"),
    ],
)
def test_a_heading_that_is_a_time_is_the_time_of_what_stands_below(heading, clock):
    text = f"# 2026-03-20\n\n{heading}\n\n- moved the port\n- told Ann\n  by mail\n\nA paragraph.\n"
    assert entries(text) == [(clock, "moved the port"), (clock, "told Ann\nby mail"), (clock, "A paragraph.")]


def test_a_time_in_a_heading_holds_until_the_next_of_its_level():
    text = "# Work\n- early\n## 09:15\n- a\n### Deploy\n- b\n### 10:30\n- c\n- 10:45 mine\n- d\n## Later\n- e\n## 25:00\n- f\n"
    assert entries(text) == [
        (None, "Work: early"),
        ("09:15", "Work: a"),
        ("09:15", "Work / Deploy: b"),
        ("10:30", "Work: c"),
        ("10:45", "mine"),
        ("10:30", "d"),
        (None, "Later: e"),
        (None, "25:00: f"),
    ]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("## 09:15 Deploy\n- built", ("09:15", "09:15 Deploy: built")),
        ("## 09:15: Deploy\n- built", ("09:15", "09:15: Deploy: built")),
        ("## 09:15\n- 9:30: built", ("09:30", "9:30: built")),
        ("## 09:15\n```sh\n# 10:00\n## 11:00 cron\n```", ("09:15", "```sh\n# 10:00\n## 11:00 cron\n```")),
        ("## 09:15\n| a |\n|---|\n| 1 |", ("09:15", "| a |\n|---|\n| 1 |")),
        ("## Port 8443:10\n- open", (None, "Port 8443:10: open")),
        ("## Note\n- \ue0f00\ue0f1 is kept", (None, "\ue0f00\ue0f1 is kept")),
        ("## 09:15\n- \ue0f00\ue0f1 is kept", ("09:15", "09:15: \ue0f00\ue0f1 is kept")),
    ],
)
def test_a_heading_keeps_its_words_and_an_entry_its_own_time(text, found):
    assert entries(text) == [found]


def test_a_time_with_nothing_below_it_is_no_entry():
    assert entries("## 09:15\n\n## 10:00\n") == []
    assert entries("## 09:15\n- 09:20 mine\n") == [("09:20", "mine")]


DREAM = (
    "<!-- openclaw:dreaming:light:start -->\n- Candidate: noise\n- 08:00 more noise\n\n"
    "### Rem\nand more\n<!-- openclaw:dreaming:light:end -->\n"
)


def test_what_a_program_derived_is_no_entry():
    text = f"- before\n\n## Light Sleep\n\n{DREAM}\n## Plans\n{DREAM}- after\n{DREAM}"
    assert entries(text) == [(None, "before"), (None, "Plans: after")]


@pytest.mark.parametrize("after", ["## Plans\n- theirs\n", "- 09:05 theirs\n", f"{DREAM}- theirs\n"])
def test_marks_that_are_not_closed_hide_no_more_than_they_must(after):
    text = f"- before\n<!-- openclaw:dreaming:light:start -->\n- noise\n{after}"
    assert [text.rpartition(": ")[2] for _, text in entries(text)] == ["before", "theirs"]


def test_a_closing_mark_alone_hides_nothing():
    assert entries("- before\n<!-- openclaw:dreaming:rem:end -->\n- after\n") == [
        (None, "before"),
        (None, "after"),
    ]


def test_an_entry_of_ours_may_speak_of_such_marks(notes):
    notes.add("It writes:\n<!-- openclaw:dreaming:light:start -->", NINE)
    notes.add("<!-- openclaw:dreaming:light:start -->", NINE)
    notes.add("next", TEN)
    assert texts(notes)[-1] == "next"
    assert len(texts(notes)) == 3


def test_what_stands_among_derived_text_alone_can_still_be_noted(notes, file):
    file.write_text(DREAM)
    assert notes.add("Candidate: noise", NINE).added
    assert texts(notes) == ["Candidate: noise"]
    assert not notes.add(f"{file.read_text()}", TEN).added
    assert file.read_text().startswith(DREAM)


def test_many_marks_take_no_longer_than_other_lines():
    lines = [f"<!-- openclaw:dreaming:n{number}:start -->\nnoise" for number in range(40_000)]
    assert entries("\n".join(lines)) == []


@given(
    st.lists(
        st.sampled_from(
            [
                "## 09:15",
                "# Work",
                "- a",
                "b",
                "",
                "```",
                "- 10:00 own",
                "  more",
                "## 10:00 Deploy",
                "\ue0f07\ue0f1",
                *DREAM.split("\n"),
            ]
        ),
        max_size=12,
    )
)
def test_no_entry_is_empty_and_every_word_of_it_stands_in_the_file(lines):
    text = "\n".join(lines)
    for entry in entries_in(text, DAY):
        assert entry.text.strip()
        assert set(re.findall(r"[^\s/:]+", entry.text)) <= set(re.findall(r"[^\s/:]+", text))


def test_a_pipe_in_the_place_of_a_days_file_is_refused_and_not_waited_for(tmp_path):
    import os

    from archivist.notes.holding import NotesUnreadable

    at = datetime(2026, 3, 20, 9, 5, tzinfo=UTC)
    os.mkfifo(tmp_path / "2026-03-20.md")
    with pytest.raises(NotesUnreadable, match="no regular file"):
        DailyNotes(tmp_path).add("met Ann", at)

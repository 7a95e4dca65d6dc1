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
from archivist.notes.daily import DailyEntry, DailyNotes, drops, entries_in
from archivist.notes.day_record import DayRecord
from archivist.notes.folders import NotesUnreadable
from archivist.notes.planning import EmptyNote
from archivist.notes.secrets import SecretInNote

DAY = date(2026, 3, 20)
NINE = datetime(2026, 3, 20, 9, 5, tzinfo=UTC)
TEN = NINE + timedelta(hours=1)
VICTIM = Path(__file__).with_name("daily_victim.py")


@pytest.fixture
def notes(tmp_path):
    return notes_in(tmp_path / "daily")


def notes_in(folder, sleep=lambda _: None):
    return DailyNotes(folder, history=folder.with_name("history"), sleep=sleep)


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
        DailyEntry(DAY, "Chose the second disk", "09:05", place="2026-03-20.md#1"),
        DailyEntry(DAY, "Two lines\n\nand one more", "10:05", place="2026-03-20.md#2"),
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


def test_the_title_of_a_day_goes_and_the_same_line_in_a_fence_stays(notes):
    text = "Log of the job:\n```\n# 2026-03-20\nall fine\n```"
    assert notes.add(f"# 2026-03-20\n\n{text}", NINE).text == text
    assert texts(notes) == [text]
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
    notes = notes_in(tmp_path_factory.mktemp("home") / "daily")
    notes.folder.mkdir()
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


@pytest.mark.parametrize("text", ["", " \n\t", "\ufeff", "\u200b", "\u2060 \u200d\n\u3164", "\ufe0f"])
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
        notes_in(tmp_path / "daily").add("a", NINE)
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


@pytest.mark.parametrize("saved", [b"rewritten", b"rewritten\n", b"old\nand more\n", b"", None])
@pytest.mark.parametrize("is_replaced", [True, False])
def test_what_somebody_saves_at_the_same_moment_stays_and_so_does_what_is_added(
    notes, file, monkeypatch, saved, is_replaced
):
    file.write_bytes(b"old\n")
    write, saves = os.write, [saved]

    def interrupted(handle, content):
        if b"new" in content and saves:
            save(file, saves.pop(), is_replaced=is_replaced)
        return write(handle, content)

    monkeypatch.setattr(os, "write", interrupted)
    notes.add("new", NINE)
    assert not saves
    assert file.read_bytes().startswith(saved or b"")
    assert (b"\n" + file.read_bytes()).count(b"\n- 09:05 new\n") == 1


def save(file, content, *, is_replaced):
    """As one editor or another does; nothing stands for a removal."""
    if content is None:
        file.unlink()
    elif is_replaced:
        (file.parent / "editor").write_bytes(content)
        (file.parent / "editor").replace(file)
    else:
        file.write_bytes(content)


# The shell has a file open for as long as what writes to it runs.
def test_what_is_appended_by_whoever_had_the_file_open_stays(notes, file):
    notes.add("first", NINE)
    with file.open("ab") as script:
        notes.add("second", NINE)
        script.write(b"- 09:06 by a script\n")
    notes.add("third", TEN)
    assert texts(notes) == ["first", "second", "by a script", "third"]


def test_two_hands_that_append_while_others_add_lose_nothing(notes, file):
    victim = [sys.executable, VICTIM, notes.folder, "a", "0"]
    with subprocess.Popen(victim, stdout=subprocess.PIPE, text=True) as process:
        hand = 0
        while process.stdout.readline():
            with file.open("ab") as script:
                script.write(f"- 10:00 by hand {hand}\n".encode())
            hand += 1
    assert hand == 25
    assert Counter(text.partition("\n")[0] for text in texts(notes)) == {
        **{f"from a number {number:02d}": 1 for number in range(25)},
        **{f"by hand {number}": 1 for number in range(hand)},
    }


@pytest.mark.parametrize("is_replaced", [True, False])
def test_what_a_stale_save_drops_is_kept_and_told(notes, file, is_replaced):
    notes.add("first", NINE)
    buffer = file.read_bytes()
    notes.add("second", NINE)
    acknowledged = file.read_bytes()
    save(file, buffer + b"- 09:06 mine\n", is_replaced=is_replaced)
    since = datetime.now(UTC) - timedelta(days=1)
    (before,) = drops(notes.folder, notes.folder.with_name("history"), since)
    assert "1 entry" in before
    (notice,) = notes.add("third", TEN).notices
    assert texts(notes) == ["first", "mine", "third"]
    version = Path(notice.text.rpartition(" ")[2])
    assert version.read_bytes() == acknowledged
    assert notice.code == "stale-save"
    assert str(file) in notice.text
    assert notes.add("fourth", TEN).notices == ()


def test_what_was_dropped_is_named_until_it_is_there_again(notes, file):
    notes.add("first", NINE)
    notes.add("second", NINE)
    file.unlink()
    assert notes.add("first", NINE).notices
    history, at = notes.folder.with_name("history"), datetime(2026, 3, 20, 9, 5, tzinfo=UTC)
    (told,) = drops(notes.folder, history, at)
    assert "1 entry" in told
    assert list(drops(notes.folder, history, datetime.now(UTC) + timedelta(days=1))) == []
    notes.add("second", NINE)
    assert list(drops(notes.folder, history, at)) == []


def test_what_a_hand_writes_around_entries_is_no_loss(notes, file):
    notes.add("first", NINE)
    file.write_bytes(b"# Friday\n\n- 08:00 earlier\n\n## Work\n" + file.read_bytes().partition(b"\n\n")[2])
    assert notes.add("second", TEN).notices == ()
    assert list(drops(notes.folder, notes.folder.with_name("history"), NINE)) == []


def test_a_file_that_an_editor_has_emptied_is_waited_for(tmp_path):
    waits = []

    def sleep(seconds):
        waits.append(seconds)
        file.write_bytes(before)

    notes = notes_in(tmp_path / "daily", sleep)
    file = notes.folder / "2026-03-20.md"
    notes.add("first", NINE)
    before = file.read_bytes()
    file.write_bytes(b"")
    assert notes.add("second", TEN).notices == ()
    assert texts(notes) == ["first", "second"]
    assert waits


@pytest.mark.parametrize("left", range(len(b"- 10:05 second\n  and a line\n") + 1))
def test_what_a_kill_left_of_an_entry_is_completed_and_not_doubled(notes, file, left):
    notes.add("first", NINE)
    whole = b"- 10:05 second\n  and a line\n"
    record = DayRecord(notes.folder.with_name("history") / file.name)
    record.begin(file.stat().st_size, whole)
    with file.open("ab") as torn:
        torn.write(whole[:left])
    notes.add("second\nand a line", TEN)
    notes.add("third", TEN)
    assert texts(notes) == ["first", "second\nand a line", "third"]


def test_what_somebody_wrote_behind_a_torn_entry_stays(notes, file):
    notes.add("first", NINE)
    DayRecord(notes.folder.with_name("history") / file.name).begin(file.stat().st_size, b"- 10:05 second\n")
    with file.open("ab") as torn:
        torn.write(b"- 10:05 sec\n- 10:06 by hand\n")
    notes.add("third", TEN)
    assert texts(notes) == ["first", "sec", "by hand", "third"]


def test_what_cannot_be_remembered_is_not_added(notes, file, monkeypatch):
    notes.add("first", NINE)
    before = file.read_bytes()
    sync, synced = os.fsync, []

    def full(handle):
        synced.append(handle)
        if len(synced) == 2:
            raise OSError(28, "No space left on device")
        sync(handle)

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(FileNotWritten, match=r"last\.md"):
        notes.add("second", TEN)
    assert file.read_bytes() == before
    notes.add("second", TEN)
    assert texts(notes) == ["first", "second"]
    assert list(drops(notes.folder, notes.folder.with_name("history"), NINE)) == []


def test_a_record_that_cannot_be_read_is_named_and_nothing_is_added(notes, file):
    notes.add("first", NINE)
    before = file.read_bytes()
    last = notes.folder.with_name("history") / file.name / "last.md"
    last.unlink()
    last.mkdir()
    with pytest.raises(NotesUnreadable, match=r"last\.md"):
        notes.add("second", TEN)
    assert file.read_bytes() == before


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
    at = datetime(2026, 3, 20, 9, 5, tzinfo=UTC)
    os.mkfifo(tmp_path / "2026-03-20.md")
    with pytest.raises(NotesUnreadable, match="no regular file"):
        notes_in(tmp_path).add("met Ann", at)

"""Odd disks, links, clocks and journals: a clear line where nothing can be done, and nothing lost."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from tests.notes.making import Clock, make_notes, save

from archivist.files import FileNotWritten
from archivist.notes.folders import NotesUnreadable
from archivist.notes.journal import Journal
from archivist.notes.ledger import Ledger
from archivist.notes.limits import Limits
from archivist.notes.notes import Notes
from archivist.notes.versions import Versions
from archivist.records import Scope
from archivist.tools.memory import Turn, call_memory

MEMORY, JOURNAL = "memories/MEMORY.md", "memories/journal.jsonl"
SIGN = "\n§\n"


def texts(notes: Notes) -> list[str]:
    return [entry.text for entry in notes.entries(None, "all")]


def ids(notes: Notes) -> dict[str, str]:
    return {entry.text: entry.id for entry in notes.entries(None, "all")}


def seeded(home: Path, *words: str) -> Notes:
    notes = make_notes(home)
    for word in words or ("first of all", "second thing"):
        notes.add("memory", word)
    return notes


def test_a_link_to_a_file_that_is_to_be_is_followed(tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "memories").mkdir()
    (tmp_path / MEMORY).symlink_to(tmp_path / "elsewhere/memory.md")
    assert texts(seeded(tmp_path)) == ["first of all", "second thing"]
    assert (tmp_path / "elsewhere/memory.md").read_text() == SIGN.join(["first of all", "second thing"])


def test_a_link_into_a_folder_that_is_not_there_is_named_and_nothing_is_taken_out(tmp_path):
    disk = tmp_path / "disk"
    save(disk / "memory.md", "on the disk")
    (tmp_path / "memories").mkdir()
    (tmp_path / MEMORY).symlink_to(disk / "memory.md")
    notes = make_notes(tmp_path)
    before = ids(notes)
    disk.rename(tmp_path / "unmounted")
    for attempt in (notes.entries, lambda: notes.add("memory", "x is y")):
        with pytest.raises(NotesUnreadable, match=r"MEMORY\.md.*link into a folder that is not there"):
            attempt()
    (tmp_path / "unmounted").rename(disk)
    assert ids(make_notes(tmp_path, prefix="z")) == before


@pytest.fixture
def memory_disk() -> Iterator[Path]:
    if not os.path.ismount("/dev/shm"):
        pytest.skip("no other disk here")
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        yield Path(folder)


def test_a_link_to_another_disk_is_written_there_and_undone(tmp_path, memory_disk):
    save(memory_disk / "memory.md", "on the disk\n")
    (tmp_path / "memories").mkdir()
    (tmp_path / MEMORY).symlink_to(memory_disk / "memory.md")
    notes = make_notes(tmp_path)
    change = notes.add("memory", "x is y")
    assert [file.name for file in memory_disk.iterdir()] == ["memory.md"]
    notes.undo(change.id)
    assert (memory_disk / "memory.md").read_text() == "on the disk\n"


def test_the_folder_itself_may_be_a_link(tmp_path):
    (tmp_path / "dotfiles").mkdir()
    (tmp_path / "memories").symlink_to(tmp_path / "dotfiles")
    notes = seeded(tmp_path)
    notes.demote(notes.entries()[0].id)
    assert texts(make_notes(tmp_path, prefix="z")) == ["second thing", "first of all"]
    assert (tmp_path / "memories").is_symlink()


@pytest.mark.parametrize("place", [MEMORY, JOURNAL])
@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir])
def test_a_pipe_or_folder_in_the_place_of_a_file_is_named_at_once(tmp_path, place, make):
    notes = seeded(tmp_path)
    (tmp_path / place).rename(tmp_path / "kept")
    make(tmp_path / place)
    for attempt in (notes.entries, lambda: notes.add("memory", "x is y")):
        with pytest.raises(NotesUnreadable, match=Path(place).name):
            attempt()
    (tmp_path / place).unlink() if make is os.mkfifo else (tmp_path / place).rmdir()
    (tmp_path / "kept").rename(tmp_path / place)
    assert texts(make_notes(tmp_path, prefix="z")) == ["first of all", "second thing"]


def test_a_home_that_may_not_be_written_is_read_with_lasting_ids(tmp_path, monkeypatch):
    notes = seeded(tmp_path)
    save(tmp_path / MEMORY, (tmp_path / MEMORY).read_text() + SIGN + "by hand")
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}

    def refused(self, *_args, **_kwargs):
        raise FileNotWritten(self.holding.folder, OSError(30, "Read-only file system"))

    reader = make_notes(tmp_path, prefix="z")
    with monkeypatch.context() as patched:
        patched.setattr(Ledger, "writing", refused)
        seen = ids(reader)
        assert list(seen) == ["first of all", "second thing", "by hand"]
        assert ids(reader) == seen
        state = reader._ledger.holding.state
        assert ids(reader) == seen
        assert reader._ledger.holding.state is state, "what has not changed is not imagined anew"
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before
    assert ids(notes) == seen


@pytest.mark.parametrize("damage", ["middle", "older", "twice", "crlf", "edited", "gone", "done-lines"])
def test_a_journal_that_somebody_else_touched_costs_no_text(tmp_path, damage):
    path = tmp_path / JOURNAL
    notes = seeded(tmp_path)
    older = path.read_bytes()
    notes.replace("memory", "second", "another second")
    gone = notes.add("memory", "a passing thing").entry
    notes.remove("memory", "a passing thing")
    wanted, seen = texts(notes), ids(notes)
    raw = path.read_bytes()
    lines = raw.splitlines(keepends=True)
    changed = {
        "middle": raw[: len(raw) // 2],
        "older": older,
        "twice": b"".join(line + line for line in lines),
        "crlf": raw.replace(b"\n", b"\r\n"),
        "edited": raw.replace(b"first of all", b"furst of all"),
        "gone": b"",
        "done-lines": b"".join(line for line in lines if b'"done"' not in line),
    }[damage]
    path.with_name("other").write_bytes(changed)
    path.with_name("other").replace(path)
    for reader in (notes, make_notes(tmp_path, prefix="z")):
        assert texts(reader) == wanted
    if damage in {"twice", "crlf", "done-lines"}:
        assert ids(notes) == seen
        assert [line.action for line in notes.log()].count("remove") == 1
    notes.add("memory", "x is y")
    assert texts(make_notes(tmp_path, prefix="y")) == [*wanted, "x is y"]
    assert gone is not None


def test_a_clock_that_goes_back_still_tells_stale_saves_and_keeps_versions_in_order(tmp_path):
    clock = Clock()
    notes = make_notes(tmp_path, clock=clock)
    notes.add("memory", "first of all")
    old = (tmp_path / MEMORY).read_text()
    save(tmp_path / MEMORY, old + SIGN + "by hand")
    notes.entries()
    clock.skip(days=-400)
    notes.add("memory", "a new thing")
    save(tmp_path / MEMORY, old + SIGN + "by hand")
    notes.entries()
    assert "stale-save" in {notice.code for notice in notes.take_notices()}
    names = notes._ledger.versions._listed("MEMORY.md")
    contents = [(tmp_path / "history/memories/MEMORY.md" / name).read_text() for name in names]
    assert contents.index(old) < contents.index(old + SIGN + "by hand")


def test_entries_that_differ_only_in_white_space_or_not_at_all_are_told_apart(tmp_path):
    save(tmp_path / MEMORY, SIGN.join(["same words", "same  words", "same words", "other"]))
    notes = make_notes(tmp_path)
    keys = [entry.id for entry in notes.entries()]
    assert len(set(keys)) == 4
    notes.replace("memory", keys[2], "no longer the same")
    notes.remove("memory", "same words")
    assert [(entry.id, entry.text) for entry in make_notes(tmp_path, prefix="z").entries()] == [
        (keys[1], "same  words"),
        (keys[2], "no longer the same"),
        (keys[3], "other"),
    ]


@pytest.mark.parametrize("raw", [b"a\0b\n\xc2\xa7\nc", b"one\rtwo\r\xc2\xa7\rthree", b"\0", b"\r\r"])
def test_odd_bytes_stay_where_nothing_touches_them(tmp_path, raw):
    save(tmp_path / MEMORY, raw)
    notes = make_notes(tmp_path)
    before = texts(notes)
    change = notes.add("memory", "a new thing")
    assert texts(make_notes(tmp_path, prefix="z")) == [*before, "a new thing"]
    notes.undo(change.id)
    assert (tmp_path / MEMORY).read_bytes() == raw


def test_what_comes_back_with_earlier_words_is_the_same_entry(tmp_path):
    notes = seeded(tmp_path, "the host is alpha")
    key = notes.entries()[0].id
    notes.replace("memory", key, "entirely different words now")
    notes.remove("memory", key)
    save(tmp_path / MEMORY, "the host is alpha")
    assert [entry.id for entry in notes.entries()] == [key]


def test_what_a_hand_puts_back_from_the_archive_leaves_it_and_keeps_its_id(tmp_path):
    notes = seeded(tmp_path)
    before, stale = ids(notes), (tmp_path / MEMORY).read_text()
    notes.demote(before["first of all"])
    save(tmp_path / MEMORY, stale)
    change = notes.add("memory", "a new thing")
    assert ids(notes) == before | {"a new thing": change.entry.id}  # type: ignore[union-attr]
    assert texts(notes) == ["first of all", "second thing", "a new thing"]
    assert "was-archived" in {notice.code for notice in change.notices}


def test_a_late_save_does_not_bring_back_what_was_removed(tmp_path):
    notes = seeded(tmp_path, "first of all", "second thing", "third thing")
    notes.remove("memory", "third thing")
    with (tmp_path / MEMORY).open("ab") as editor:
        notes.add("memory", "a new thing")
        editor.write(f"{SIGN}third thing{SIGN}late words".encode())
    change = notes.add("memory", "another new thing")
    assert texts(notes) == ["first of all", "second thing", "a new thing", "late words", "another new thing"]
    assert "hand-withheld" in {notice.code for notice in change.notices}


def test_a_late_save_is_found_however_many_changes_came_after(tmp_path):
    notes = seeded(tmp_path)
    with (tmp_path / MEMORY).open("ab") as editor:
        for number in range(60):
            notes.replace("memory", notes.entries()[1].id, f"{number} is the number")
        editor.write(f"{SIGN}late words".encode())
    for number in range(8):
        notes.add("user", f"thing {number * 7}")
    assert "late words" in texts(notes)


def test_what_is_written_while_a_version_gets_its_name_is_found(tmp_path, monkeypatch):
    notes = seeded(tmp_path)
    with (tmp_path / MEMORY).open("ab") as editor:
        notes.add("memory", "a new thing")
        editor.write(f"{SIGN}late words".encode())
        editor.flush()
        real = Versions.take_in

        def take_in(self, late, content):
            editor.write(f"{SIGN}even later words".encode())
            editor.flush()
            real(self, late, content)

        with monkeypatch.context() as patched:
            patched.setattr(Versions, "take_in", take_in)
            notes.entries()
            notes.add("user", "somebody writes")
    make_notes(tmp_path, prefix="z").add("user", "a thing in the file of the person")
    assert "even later words" in texts(notes)


def test_a_save_in_two_halves_with_all_of_the_program_between_costs_no_entry(tmp_path):
    notes = seeded(tmp_path, "first of all", "second thing", "third thing")
    seen = ids(notes)
    whole = (tmp_path / MEMORY).read_bytes() + f"{SIGN}by hand".encode()
    with (tmp_path / MEMORY).open("r+b", buffering=0) as editor:
        editor.truncate(0)
        editor.write(whole[:20])
        notes.add("memory", "a new thing")
        editor.write(whole[20:])
    notes.add("memory", "another new thing")
    now = ids(notes)
    assert all(now[text] == key for text, key in seen.items() if text != "second thing")
    assert {*seen, "by hand", "a new thing", "another new thing"} <= now.keys()


def test_no_room_for_the_done_line_costs_nothing(tmp_path, monkeypatch):
    notes = seeded(tmp_path)
    real = Journal.append

    def append(self, lines, *, is_synced=True):
        if not is_synced:
            raise FileNotWritten(self.path, OSError(28, "No space left on device"))
        return real(self, lines, is_synced=is_synced)

    with monkeypatch.context() as patched:
        patched.setattr(Journal, "append", append)
        change = notes.add("memory", "a new thing")
        assert change.entry is not None
        assert texts(notes) == ["first of all", "second thing", "a new thing"]
        assert texts(make_notes(tmp_path, prefix="z")) == texts(notes)
    notes.remove("memory", "a new thing")
    other = make_notes(tmp_path, prefix="y")
    assert texts(other) == ["first of all", "second thing"]
    assert [line.action for line in other.log()] == ["remove", "add", "add", "add"]


@pytest.mark.skipif(os.geteuid() != 0 or not shutil.which("mount"), reason="only root may mount a small disk")
def test_a_full_disk_refuses_without_a_trace(tmp_path):
    """At every amount of room that is left."""
    disk = tmp_path / "disk"
    disk.mkdir()
    if subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=512k", "tmpfs", str(disk)], check=False, capture_output=True
    ).returncode:
        pytest.skip("no disk may be mounted here")
    try:
        _fill_and_check(disk / "home", disk / "ballast")
    finally:
        subprocess.run(["umount", str(disk)], check=True)


def _fill_and_check(home: Path, ballast: Path) -> None:
    clock = Clock()
    notes = make_notes(home, clock=clock, limits=Limits(memory=100_000))
    key = notes.add("memory", "first of all").entry.id  # type: ignore[union-attr]
    wanted, refused = texts(notes), 0
    for room in range(12):
        ballast.write_bytes(b"x" * (_room(home) - room * 4096))
        for number in range(6):
            text = f"number {room} of {number} {'w' * 900}"
            try:
                if number % 3 == 2:
                    (notes.promote if texts(notes)[-1] == "first of all" else notes.demote)(key)
                else:
                    notes.add("memory", text)
                    wanted.append(text)
            except FileNotWritten:
                refused += 1
            except Exception as error:
                raise AssertionError((room, number)) from error
            assert sorted(texts(notes)) == sorted(wanted), (room, number)
            assert sorted(texts(make_notes(home, clock=clock, prefix="z"))) == sorted(wanted), (room, number)
        ballast.unlink()
        clock.time += timedelta(days=1)
        if len(wanted) > 1:
            notes.remove("memory", wanted.pop())
    assert refused
    notes.add("user", "there is room again")
    assert not [path for path in home.rglob("*") if path.name.endswith(".tmp")]


def _room(folder: Path) -> int:
    status = os.statvfs(folder)
    return status.f_bavail * status.f_bsize


# ---- folders that cannot be looked into ----

FOLDERS = ("", "archive", "projects", "projects/p", "projects/p/archive")
ASK = """
import sys
from pathlib import Path
from tests.notes.making import make_notes
from archivist.records import ArchivistError
notes = make_notes(Path(sys.argv[1]), prefix="b")
for ask in (lambda: notes.entries(None, "all"), lambda: notes.add("memory", "x is y"), notes.newest_change, notes.log):
    try:
        ask()
    except ArchivistError as error:
        print(type(error).__name__, error.path)
"""


def put_away(folder: Path, how: str) -> None:
    if how == "closed":
        folder.chmod(0)
        return
    folder.rename(folder.with_name("unmounted"))
    if how == "link":
        folder.symlink_to(folder.parent / "disk")
    else:
        folder.write_text("a file")


def bring_back(folder: Path, how: str) -> None:
    if how == "closed":
        folder.chmod(0o700)
        return
    folder.unlink()
    folder.with_name("unmounted").rename(folder)


@pytest.mark.parametrize("how", ["closed", "link", "file"])
@pytest.mark.parametrize("name", FOLDERS)
def test_a_folder_that_cannot_be_looked_into_is_named_and_its_notes_are_not_taken_for_deleted(
    tmp_path, name, how
):
    if name.startswith("projects/") and "/" not in name.removeprefix("projects/") and how == "file":
        pytest.skip("a file among the projects is none of them")
    as_anybody = ["setpriv", "--bounding-set", "-dac_override,-dac_read_search"] if os.geteuid() == 0 else []
    if as_anybody and not shutil.which("setpriv"):
        pytest.skip("this machine has nothing that gives up the rights of its owner")
    notes = seeded(tmp_path)
    notes.add("memory", "in the project", scope=Scope(project="p"))
    notes.add("memory", "in the archive of it", scope=Scope(project="p"))
    for words in ("second thing", "in the archive of it"):
        notes.demote(words)
    before, journal = ids(notes), (tmp_path / JOURNAL).read_bytes()
    folder = tmp_path / "memories" / name
    put_away(folder, how)
    told = subprocess.run(
        [*as_anybody, sys.executable, "-c", ASK, tmp_path], capture_output=True, text=True, check=True
    ).stdout
    bring_back(folder, how)
    kinds, paths = zip(*(line.split(" ", 1) for line in told.splitlines()), strict=True)
    assert (set(paths), len(paths), kinds[0]) == ({str(folder)}, 4, "NotesUnreadable")
    assert (tmp_path / JOURNAL).read_bytes() == journal
    assert ids(make_notes(tmp_path, prefix="c")) == before
    assert ids(notes) == before


def test_a_link_to_a_folder_of_notes_is_followed_and_no_link_of_an_editor_is_one(tmp_path):
    notes = seeded(tmp_path)
    notes.demote("second thing")
    notes.add("memory", "in the project", scope=Scope(project="p"))
    for name in ("archive", "projects"):
        folder = tmp_path / "memories" / name
        folder.rename(tmp_path / name)
        folder.symlink_to(tmp_path / name)
    (tmp_path / "projects" / ".#p").symlink_to("me@here.123:456")
    assert sorted(texts(make_notes(tmp_path))) == ["first of all", "in the project", "second thing"]


def test_a_lock_that_cannot_be_opened_is_named_and_reading_goes_on(tmp_path):
    notes = seeded(tmp_path)
    lock = tmp_path / "memories.lock"
    lock.unlink()
    lock.mkdir()
    (tmp_path / MEMORY).write_text("by hand")
    with pytest.raises(FileNotWritten) as raised:
        notes.add("memory", "third of all")
    assert raised.value.path == lock
    result = call_memory(notes, {"action": "add", "content": "third of all"}, Turn(scope=Scope()))
    assert (result["success"], str(lock) in result["error"]) == (False, True)
    assert texts(make_notes(tmp_path)) == ["by hand"]

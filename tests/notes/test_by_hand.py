"""What somebody does to the files with an editor is adopted, never refused, never lost."""

import os
import time
from pathlib import Path

import pytest
from tests.notes.making import make_notes, save

from archivist.files import FileNotWritten
from archivist.files.displacing import Displacement
from archivist.notes.making_room import NotesFull
from archivist.notes.notes import Notes
from archivist.records import Scope

MEMORY, USER = "memories/MEMORY.md", "memories/USER.md"
SIGN = "\n§\n"


def texts(notes: Notes, target=None, tier: str = "core") -> list[str]:
    return [entry.text for entry in notes.entries(target, tier)]


def ids(notes: Notes) -> dict[str, str]:
    return {entry.text: entry.id for entry in notes.entries(None, "all")}


def seeded(home: Path, *words: str) -> Notes:
    notes = make_notes(home)
    for word in words:
        notes.add("memory", word)
    return notes


ALPHA, BETA, GAMMA = (
    "Alpha is the build host",
    "Beta runs the staging queue",
    "Gamma keeps the backups of 2025",
)


def test_a_reordered_file_keeps_every_id(tmp_path: Path) -> None:
    notes = seeded(tmp_path, ALPHA, BETA, GAMMA)
    before = ids(notes)
    save(tmp_path / MEMORY, SIGN.join([GAMMA, ALPHA, BETA]))
    assert ids(notes) == before
    assert texts(make_notes(tmp_path, prefix="z")) == [GAMMA, ALPHA, BETA]
    assert ids(make_notes(tmp_path, prefix="z")) == before


def test_a_reworded_entry_stays_the_same_entry_with_a_new_version(tmp_path: Path) -> None:
    notes = seeded(tmp_path, ALPHA, BETA, GAMMA)
    before = ids(notes)
    reworded = "Beta runs the staging queue on port 6390"
    save(tmp_path / MEMORY, SIGN.join([ALPHA, reworded, GAMMA]))
    assert ids(notes)[reworded] == before[BETA]
    history = notes.blame(before[BETA]).history
    assert (history[0].action, history[0].before, history[0].after) == ("hand", BETA, reworded)


def test_an_entry_that_was_taken_out_comes_back_with_its_id(tmp_path: Path) -> None:
    notes = seeded(tmp_path, ALPHA, BETA)
    before = ids(notes)
    save(tmp_path / MEMORY, ALPHA)
    assert texts(notes) == [ALPHA]
    save(tmp_path / MEMORY, SIGN.join([BETA, ALPHA]))
    assert ids(notes) == before
    assert notes.entry(before[BETA]).origin == "user"


def test_an_entry_moved_to_the_other_file_stays_the_same(tmp_path: Path) -> None:
    notes = seeded(tmp_path, ALPHA, BETA)
    before = ids(notes)
    save(tmp_path / MEMORY, ALPHA)
    save(tmp_path / USER, BETA)
    assert ids(notes) == before
    assert texts(notes, "user") == [BETA]


def test_two_readers_that_may_not_write_give_a_new_entry_the_same_id(tmp_path: Path) -> None:
    save(tmp_path / MEMORY, SIGN.join([ALPHA, BETA]))
    one, other = make_notes(tmp_path), make_notes(tmp_path, prefix="z")
    for each in (one, other):
        each._ledger._adopt_or_imagine = lambda each=each: each._ledger.holding.imagine()  # type: ignore[method-assign]
    assert ids(one) == ids(other)
    assert not (tmp_path / "memories/journal.jsonl").exists()
    writer = make_notes(tmp_path, prefix="y")
    writer.add("memory", GAMMA)
    assert {text: key for text, key in ids(writer).items() if text != GAMMA} == ids_before(one, GAMMA)


def ids_before(notes: Notes, without: str) -> dict[str, str]:
    return {text: key for text, key in ids(notes).items() if text != without}


# https://github.com/anthropics/claude-code/issues/2655: one line more, and the file had a placeholder for "the rest"
def test_a_file_of_rules_is_whole_after_one_more_line(tmp_path: Path) -> None:
    save(tmp_path / MEMORY, rules := rules_of(40))
    make_notes(tmp_path).add("memory", "Deploy on Mondays")
    assert (tmp_path / MEMORY).read_text() == rules.rstrip("\n") + SIGN + "Deploy on Mondays\n"


@pytest.mark.parametrize("count", [150, 1500])
def test_a_file_of_rules_over_the_budget_refuses_one_more_line_and_stays_as_it_is(
    tmp_path: Path, count: int
) -> None:
    # https://github.com/anthropics/claude-code/issues/2655
    save(tmp_path / MEMORY, rules := rules_of(count))
    with pytest.raises(NotesFull, match="nothing may leave"):
        make_notes(tmp_path).add("memory", "Deploy on Mondays")
    assert (tmp_path / MEMORY).read_text() == rules


def rules_of(count: int) -> str:
    return "# Rules\n\n" + "".join(f"- rule {number} holds for module {number}\n" for number in range(count))


def test_a_stale_editor_buffer_is_named_with_its_undo(tmp_path: Path) -> None:
    notes = seeded(tmp_path, ALPHA)
    stale = (tmp_path / MEMORY).read_text()
    notes.add("memory", BETA)
    save(tmp_path / MEMORY, stale + SIGN + GAMMA)
    change = notes.add("memory", "Delta is new")
    assert texts(notes) == [ALPHA, GAMMA, "Delta is new"]
    (notice,) = [notice for notice in change.notices if notice.code == "stale-save"]
    undo = notice.text.split("memory undo ")[1].split("`")[0]
    notes.undo(undo)
    assert BETA in texts(notes)


def test_a_file_restored_from_a_backup_while_open_is_what_counts(tmp_path: Path) -> None:
    # https://github.com/NousResearch/hermes-agent/issues/42875
    notes = seeded(tmp_path, ALPHA, BETA)
    save(tmp_path / "older.md", ALPHA)
    os.utime(tmp_path / "older.md", (1, 1))
    (tmp_path / "older.md").replace(tmp_path / MEMORY)
    notes.add("memory", GAMMA)
    assert texts(notes) == [ALPHA, GAMMA]


@pytest.mark.parametrize(
    ("raw", "found", "after"),
    [
        (b"\xef\xbb\xbfprefers dark", ["prefers dark"], b"\xef\xbb\xbfprefers dark\n\xc2\xa7\nnew"),
        (b"a\r\n\xc2\xa7\r\nb\r\n", ["a", "b"], b"a\r\n\xc2\xa7\r\nb\r\n\xc2\xa7\r\nnew\r\n"),
        (b"a\n\n\xc2\xa7\n\nb\n", ["a", "b"], b"a\n\n\xc2\xa7\n\nb\n\xc2\xa7\nnew\n"),
        (b"a\n\xc2\xa7\nb", ["a", "b"], b"a\n\xc2\xa7\nb\n\xc2\xa7\nnew"),
        (
            b"good\n\xc2\xa7\ncaf\xe9 mode\n",
            ["good", "caf\ufffd mode"],
            b"good\n\xc2\xa7\ncaf\xe9 mode\n\xc2\xa7\nnew\n",
        ),
        (b"", [], b"new"),
    ],
)
def test_odd_files_are_read_and_what_is_not_touched_keeps_its_bytes(
    tmp_path: Path, raw: bytes, found: list[str], after: bytes
) -> None:
    # https://github.com/NousResearch/hermes-agent/issues/61523, 57754, 10878
    save(tmp_path / MEMORY, raw)
    notes = make_notes(tmp_path)
    assert texts(notes) == found
    change = notes.add("memory", "new")
    assert (tmp_path / MEMORY).read_bytes() == after
    notes.undo(change.id)
    assert (tmp_path / MEMORY).read_bytes() == raw


def test_everything_undone_leaves_the_files_as_they_began(tmp_path: Path) -> None:
    raw = b"\xef\xbb\xbf a \r\n\r\n\xc2\xa7\n\nb\n\n\xc2\xa7\nc\xff\n\n"
    save(tmp_path / MEMORY, raw)
    notes = make_notes(tmp_path)
    assert len(texts(notes)) == 3
    first = notes.log()[0].change
    notes.add("memory", "d")
    notes.remove("memory", "b")
    notes.replace("memory", "a", "a as never before")
    save(tmp_path / MEMORY, (tmp_path / MEMORY).read_bytes().replace(b"d", b"dd\n\xc2\xa7\nby hand"))
    notes.demote(next(key for text, key in ids(notes).items() if text.startswith("c")))
    notes.apply(
        "memory", [{"action": "add", "content": "x"}, {"action": "add", "target": "user", "content": "y"}]
    )
    for change in dict.fromkeys(line.change for line in notes.log()):
        if change != first:
            notes.undo(change)
    assert (tmp_path / MEMORY).read_bytes() == raw
    assert not (tmp_path / USER).exists() or not (tmp_path / USER).read_bytes()
    assert not list((tmp_path / "memories/archive").glob("*.md"))


def test_mode_and_symbolic_link_stay(tmp_path: Path) -> None:
    # https://github.com/NousResearch/hermes-agent/issues/22889
    elsewhere = tmp_path / "dotfiles" / "memory.md"
    save(elsewhere, ALPHA)
    elsewhere.chmod(0o660)
    (tmp_path / "memories").mkdir()
    (tmp_path / MEMORY).symlink_to(elsewhere)
    notes = make_notes(tmp_path)
    notes.add("memory", BETA)
    assert (tmp_path / MEMORY).is_symlink()
    assert (elsewhere.read_text(), elsewhere.stat().st_mode & 0o777) == (ALPHA + SIGN + BETA, 0o660)


def test_a_folder_in_the_place_of_a_file_is_named(tmp_path: Path) -> None:
    (tmp_path / MEMORY).mkdir(parents=True)
    from archivist.notes.folders import NotesUnreadable

    with pytest.raises(NotesUnreadable, match=r"MEMORY\.md"):
        make_notes(tmp_path).entries()


def test_a_file_in_the_place_of_the_folder_is_named(tmp_path: Path) -> None:
    save(tmp_path / "memories", "a file")
    with pytest.raises(FileNotWritten, match="memories"):
        make_notes(tmp_path).add("memory", ALPHA)


def test_a_save_between_look_and_write_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    notes = seeded(tmp_path, ALPHA, BETA)
    real, saved = Displacement.exchange, []

    def exchange(self: Displacement) -> None:
        if not saved:
            saved.append(self.path)
            save(self.path, SIGN.join([ALPHA, "by hand, in between"]))
        real(self)

    monkeypatch.setattr(Displacement, "exchange", exchange)
    notes.add("memory", GAMMA)
    assert texts(notes) == [ALPHA, "by hand, in between", GAMMA]
    assert texts(make_notes(tmp_path, prefix="z")) == texts(notes)


def test_what_is_written_into_a_displaced_file_is_merged(tmp_path: Path) -> None:
    notes = seeded(tmp_path, ALPHA, BETA)
    with (tmp_path / MEMORY).open("ab") as editor:
        notes.add("memory", GAMMA)
        editor.write(f"{SIGN}late words".encode())
    change = notes.add("memory", "Delta is new")
    assert texts(notes) == [ALPHA, BETA, GAMMA, "late words", "Delta is new"]
    assert "hand-merged" in {notice.code for notice in change.notices}


@pytest.mark.parametrize("left", [4, 9, len(BETA) - 3])
def test_a_save_that_was_seen_half_written_leaves_every_entry_as_it_was(tmp_path: Path, left: int) -> None:
    notes = seeded(tmp_path, ALPHA, BETA, GAMMA)
    before, whole = ids(notes), (tmp_path / MEMORY).read_text()
    save(tmp_path / MEMORY, whole[: whole.index(BETA) + left])
    assert len(texts(notes)) == 2
    save(tmp_path / MEMORY, whole)
    assert ids(notes) == before
    assert ids(make_notes(tmp_path, prefix="z")) == before


@pytest.mark.parametrize("late", [GAMMA[:-6], "Gamma keeps the backups of 2024"])
def test_a_late_save_that_takes_the_words_of_an_entry_back_is_named(tmp_path: Path, late: str) -> None:
    notes = seeded(tmp_path, ALPHA, "Gamma keeps the backups of 2024")
    notes.replace("memory", "Gamma", GAMMA)
    key = ids(notes)[GAMMA]
    with (tmp_path / MEMORY).open("r+b") as editor:
        notes.add("memory", BETA)
        editor.truncate()
        editor.write(f"{ALPHA}{SIGN}{late}".encode())
        editor.truncate()
    change = notes.add("memory", "Delta is new")
    assert late in texts(notes)
    named = [line.change for line in notes.log(key) if line.is_stale]
    assert any(named[0] in notice.text for notice in change.notices)
    notes.undo(named[0])
    assert GAMMA in texts(notes)


def test_the_beginning_of_an_entry_that_a_hand_left_of_it_is_named_while_it_is_young(tmp_path: Path) -> None:
    notes = seeded(tmp_path, ALPHA, BETA)
    save(tmp_path / MEMORY, ALPHA + SIGN + BETA[:-3])
    assert texts(notes) == [ALPHA, BETA[:-3]]
    assert [line.after for line in notes.log() if line.is_stale] == [BETA[:-3]]


def test_a_megabyte_by_hand_is_read_whole(tmp_path: Path) -> None:
    many = [f"Entry {number}: the value of setting {number * 7} is {number * 13}" for number in range(15_000)]
    save(tmp_path / MEMORY, SIGN.join(many))
    notes = make_notes(tmp_path)
    assert texts(notes) == many
    began = time.process_time()
    save(tmp_path / MEMORY, SIGN.join([*many[:5000], "in between", *many[5001:]]))
    assert len(texts(notes)) == 15_000
    assert time.process_time() - began < 20  # no quadratic surprise


BAD = b"caf\xe9 is the bar\n\xc2\xa7\nok one"


@pytest.mark.parametrize(
    "change",
    [
        lambda notes, key: notes.undo(notes.remove("memory", key).id),
        lambda notes, key: (
            notes.remove("memory", key),
            notes.add("memory", "other"),
            notes.undo(notes.log(key)[0].change),
        ),
        lambda notes, key: (notes.demote(key), notes.promote(key)),
        lambda notes, key: notes.edit("memory", "the bar", "the pub"),
    ],
)
def test_bytes_that_are_no_text_last_whatever_is_done_to_their_entry(tmp_path: Path, change) -> None:
    save(tmp_path / MEMORY, BAD)
    notes = make_notes(tmp_path)
    change(notes, notes.entries()[0].id)
    raw = b"".join(path.read_bytes() for path in (tmp_path / "memories").rglob("*.md"))
    assert b"caf\xe9 is the" in raw
    assert "\ufffd".encode() not in raw


def test_a_split_keeps_bytes_that_are_no_text(tmp_path: Path) -> None:
    raw = b"# Places\n\n- caf\xe9 one\n- bar two\n"
    save(tmp_path / MEMORY, raw)
    notes = make_notes(tmp_path)
    change = notes.split("memory")
    assert b"caf\xe9 one" in (tmp_path / MEMORY).read_bytes()
    notes.undo(change.id)
    assert (tmp_path / MEMORY).read_bytes() == raw


@pytest.mark.parametrize("gone", [[0, 1, 2, 3], [1, 2], [0, 2], [3]])
def test_what_a_hand_took_out_comes_back_in_its_order(tmp_path: Path, gone: list[int]) -> None:
    words = ["Alpha is first", "Beta is second", "Gamma is third", "Delta is fourth"]
    notes = seeded(tmp_path, *words)
    save(tmp_path / MEMORY, SIGN.join(word for number, word in enumerate(words) if number not in gone))
    change = next(line.change for line in notes.log() if line.action == "hand")
    notes.add("user", "so that other changes follow")
    for path in (tmp_path / "history").rglob("*.md"):
        if path.is_file():
            path.unlink()  # the bytes are not kept for ever
    notes.undo(change)
    assert texts(notes, "memory") == words


@pytest.mark.parametrize("content", [SIGN.join([BETA, ALPHA]), f"{ALPHA}\n\n{SIGN}\n{BETA}\n\n"])
def test_another_order_or_other_blanks_are_undone_too(tmp_path: Path, content: str) -> None:
    notes = seeded(tmp_path, ALPHA, BETA)
    before = (tmp_path / MEMORY).read_bytes()
    save(tmp_path / MEMORY, content)
    change = make_notes(tmp_path, prefix="z").newest_change()
    assert change is not None
    notes.undo(change)
    assert (tmp_path / MEMORY).read_bytes() == before


@pytest.mark.parametrize(
    "name",
    ["../victim.md", "../state.db", "/etc/victim", "projects/../MEMORY.md", "projects/a/../../../victim.md"],
)
def test_a_journal_from_elsewhere_writes_nothing_outside_the_notes(tmp_path: Path, name: str) -> None:
    from datetime import UTC, datetime

    from archivist.notes.journal import Change, Done, Journal, Step

    notes = seeded(tmp_path, ALPHA)
    (tmp_path / "victim.md").write_text("mine")
    step = Step("add", "e1", name, text="PAYLOAD")
    lines = [
        Change("c1", datetime.now(UTC), "add", (step,), {name: ("", "x")}),
        Done("c1"),
        Change("c2", datetime.now(UTC), "add", (step,), {name: ("", "x")}),
    ]
    Journal(tmp_path / "memories/journal.jsonl").append(lines)
    notes.add("memory", BETA)
    assert texts(make_notes(tmp_path, prefix="z")) == [ALPHA, BETA]
    for path in tmp_path.rglob("*"):
        assert not path.is_file() or path.name == "journal.jsonl" or b"PAYLOAD" not in path.read_bytes()


@pytest.mark.parametrize("raw", ["Alpha\n§\nBeta".encode("utf-16"), "Alpha".encode("utf-16-be")])
def test_a_file_in_utf_16_is_named_and_not_written_to(tmp_path: Path, raw: bytes) -> None:
    from archivist.notes.folders import NotesUnreadable

    raw = raw if raw[:2] in {b"\xff\xfe", b"\xfe\xff"} else b"\xfe\xff" + raw
    save(tmp_path / MEMORY, raw)
    notes = make_notes(tmp_path)
    with pytest.raises(NotesUnreadable, match="UTF-8"):
        notes.add("memory", ALPHA)
    assert (tmp_path / MEMORY).read_bytes() == raw


@pytest.mark.parametrize(
    "later", [SIGN.join([BETA, ALPHA, GAMMA]), f"{GAMMA}\n\n{SIGN}\n\n{ALPHA}\n{SIGN}{BETA}", "", GAMMA]
)
def test_one_hands_save_over_another_is_undone_to_the_byte(tmp_path: Path, later: str) -> None:
    notes = seeded(tmp_path, ALPHA, BETA)
    first = f"\ufeff{GAMMA}\n{SIGN}{ALPHA}\n\n{SIGN} {BETA} \n"
    save(tmp_path / MEMORY, first)
    notes.entries()
    save(tmp_path / MEMORY, later)
    change = make_notes(tmp_path, prefix="z").newest_change()
    assert change is not None
    notes.undo(change)
    assert (tmp_path / MEMORY).read_text() == first


def test_the_undo_of_a_split_keeps_bytes_that_are_no_text_also_after_other_changes(tmp_path: Path) -> None:
    save(tmp_path / MEMORY, b"# Places\n\n- caf\xe9 one\n- bar two\n")
    notes = make_notes(tmp_path)
    change = notes.split("memory")
    notes.add("memory", "something else")
    notes.undo(change.id)
    assert b"caf\xe9 one" in (tmp_path / MEMORY).read_bytes()


def test_a_stale_save_that_somebody_else_s_call_took_in_is_told_to_whoever_may_see_it(tmp_path):
    owner = make_notes(tmp_path)
    owner.add("memory", "Staging listens on port 8443")
    file = tmp_path / "memories" / "MEMORY.md"
    buffer = file.read_bytes()
    owner.add("memory", "Deploys go out on Friday")
    file.write_bytes(buffer)
    ann = Scope(user="ann")
    assert make_notes(tmp_path, prefix="a").add("memory", "Ann likes tea", scope=ann).notices == ()
    assert make_notes(tmp_path, prefix="b").add("memory", "Ann is here", scope=ann).notices == ()
    again = make_notes(tmp_path, prefix="c")
    (notice,) = again.add("memory", "Something new").notices
    assert notice.code == "stale-save"
    assert "memory undo h" in notice.text
    assert again.add("memory", "Something else").notices == ()
    assert make_notes(tmp_path, prefix="d").add("memory", "Another thing").notices == ()

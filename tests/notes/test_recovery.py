"""A change that was killed on the way is finished by whoever writes next, and what a hand did meanwhile stands."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.notes.making import make_notes, save

from archivist.files import FileNotWritten
from archivist.files.displacing import Displacement
from archivist.notes.journal import End
from archivist.notes.notes import Notes

MEMORY, USER = "memories/MEMORY.md", "memories/USER.md"


class Killed(BaseException):
    """Stands for a kill: nothing below catches it."""


def killed_at(monkeypatch: pytest.MonkeyPatch, point: str) -> None:
    """Let the next change be killed: `intent` (only that is written), `first` (one file is in place), `files` (all are)."""
    real_write, real_exchange, written, exchanged = End.write, Displacement.exchange, [], []

    def write(self: End, lines) -> None:
        if written and point == "files":
            raise Killed
        written.append(1)
        real_write(self, lines)

    def exchange(self: Displacement) -> None:
        if point == "intent" or (point == "first" and exchanged):
            raise Killed
        exchanged.append(1)
        real_exchange(self)

    monkeypatch.setattr(End, "write", write)
    monkeypatch.setattr(Displacement, "exchange", exchange)


@contextmanager
def killed(monkeypatch: pytest.MonkeyPatch, point: str) -> Iterator[None]:
    """What is changed within is killed at a point."""
    with monkeypatch.context() as patched:
        killed_at(patched, point)
        with pytest.raises(Killed):
            yield


def texts(notes: Notes, tier: str = "all") -> list[str]:
    return [entry.text for entry in notes.entries(None, tier)]


CHANGES: dict[str, Callable[[Notes], object]] = {
    "add": lambda notes: notes.add("memory", "new"),
    "replace": lambda notes: notes.replace("memory", "first", "first, reworded"),
    "remove": lambda notes: notes.remove("memory", "first"),
    "demote": lambda notes: notes.demote(next(e.id for e in notes.entries() if e.text == "first")),
    "batch": lambda notes: notes.apply(
        "memory",
        [
            {"action": "add", "content": "new"},
            {"action": "remove", "old_text": "second"},
            {"action": "add", "target": "user", "content": "likes tea"},
        ],
    ),
}


@pytest.mark.parametrize("point", ["intent", "first", "files"])
@pytest.mark.parametrize("change", CHANGES)
def test_a_killed_change_is_finished_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, point: str, change: str
) -> None:
    wanted = make_notes(tmp_path / "wanted")
    notes = make_notes(tmp_path / "killed")
    for each in (wanted, notes):
        each.add("memory", "first")
        each.add("memory", "second")
    CHANGES[change](wanted)
    with monkeypatch.context() as patched:
        killed_at(patched, point)
        try:
            CHANGES[change](notes)
        except Killed:
            pass
        else:
            assert point == "first"
    after = make_notes(tmp_path / "killed", prefix="z")
    after.add("memory", "later")
    wanted.add("memory", "later")
    assert sorted(texts(after)) == sorted(texts(wanted))
    assert len({entry.id for entry in after.entries(None, "all")}) == len(texts(after))
    assert not list((tmp_path / "killed").rglob("*.tmp"))


@pytest.mark.parametrize("point", ["intent", "files"])
def test_a_hand_that_saves_before_the_change_is_finished_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, point: str
) -> None:
    notes = make_notes(tmp_path)
    notes.add("memory", "first")
    with killed(monkeypatch, point):
        notes.replace("memory", "first", "first, reworded")
    path = tmp_path / MEMORY
    save(path, path.read_text() + "\n§\nby hand")
    after = make_notes(tmp_path, prefix="z")
    after.add("memory", "later")
    assert texts(after) == ["first, reworded", "by hand", "later"]
    assert [entry.origin for entry in after.entries()] == ["user", "hand", "user"]


def test_what_a_hand_removed_after_the_kill_is_not_brought_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    notes = make_notes(tmp_path)
    notes.add("memory", "first")
    with killed(monkeypatch, "files"):
        notes.add("memory", "new")
    save(tmp_path / MEMORY, "first")
    after = make_notes(tmp_path, prefix="z")
    after.add("memory", "later")
    assert texts(after) == ["first", "later"]


def test_a_replace_of_what_a_hand_edited_after_the_kill_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    notes = make_notes(tmp_path)
    notes.add("memory", "The port of staging is 6390")
    with killed(monkeypatch, "intent"):
        notes.replace("memory", "6390", "The port of staging is 6391")
    save(tmp_path / MEMORY, "The port of staging is 7000")
    after = make_notes(tmp_path, prefix="z")
    change = after.add("memory", "later")
    assert texts(after) == ["The port of staging is 7000", "later"]
    assert "hand-won" in {notice.code for notice in change.notices}


def test_a_reader_sees_each_entry_once_while_a_move_is_half_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    notes = make_notes(tmp_path)
    notes.add("memory", "first")
    with killed(monkeypatch, "first"):
        notes.demote(notes.entries()[0].id)
    reader = make_notes(tmp_path, prefix="z")
    assert texts(reader) == ["first"]


@pytest.mark.parametrize("step", ["write", "sync", "exchange"])
@pytest.mark.parametrize("change", CHANGES)
def test_a_disk_that_refuses_leaves_everything_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: str, step: str
) -> None:
    notes = make_notes(tmp_path)
    notes.add("memory", "first")
    notes.add("memory", "second")
    before = {path: path.read_bytes() for path in (tmp_path / "memories").rglob("*") if path.is_file()}
    real = getattr(Displacement, step)

    def refused(self: Displacement) -> object:
        if self.path.name == "MEMORY.md":
            raise OSError(28, "No space left on device")
        return real(self)

    with monkeypatch.context() as patched:
        patched.setattr(Displacement, step, refused)
        with pytest.raises(FileNotWritten):
            CHANGES[change](notes)
    after = make_notes(tmp_path, prefix="z")
    assert texts(after) == ["first", "second"]
    for path, content in before.items():
        assert path.read_bytes() == content
    after.add("memory", "third")
    assert texts(after) == ["first", "second", "third"]


def test_a_torn_line_of_the_journal_costs_nothing(tmp_path: Path) -> None:
    # https://github.com/modelcontextprotocol/servers/issues/1819
    notes = make_notes(tmp_path)
    first = notes.add("memory", "first").entry
    with (tmp_path / "memories/journal.jsonl").open("ab") as file:
        file.write(b'{"line":"change","id":"c')
    after = make_notes(tmp_path, prefix="z")
    after.add("memory", "second")
    assert texts(make_notes(tmp_path, prefix="y")) == ["first", "second"]
    assert first is not None
    assert after.entries()[0].id == first.id


def test_without_its_journal_a_file_keeps_every_word(tmp_path: Path) -> None:
    notes = make_notes(tmp_path)
    notes.add("memory", "first")
    notes.demote(notes.add("memory", "second").entry.id)  # type: ignore[union-attr]
    (tmp_path / "memories/journal.jsonl").unlink()
    assert texts(notes) == ["first", "second"]
    notes.add("memory", "third")
    assert texts(make_notes(tmp_path, prefix="z")) == ["first", "third", "second"]

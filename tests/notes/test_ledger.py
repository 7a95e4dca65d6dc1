"""A change writes what it changes."""

import os
from pathlib import Path

import pytest
from tests.notes.making import make_notes

from archivist.files import displacing
from archivist.notes.document import Document
from archivist.notes.drafting import Draft, Plan
from archivist.notes.journal import End


def test_a_file_that_was_only_looked_at_is_not_written_anew(tmp_path: Path, monkeypatch) -> None:
    notes = make_notes(tmp_path)
    for number in range(3):
        notes.add("user", f"Likes tea number {number}")
    notes.add("memory", "The port is 6390")
    rendered: list[tuple[str, ...]] = []
    render = Document.render
    monkeypatch.setattr(Document, "render", lambda self: (rendered.append(self.texts), render(self))[1])
    with notes._ledger.writing() as holding:
        draft = Draft(holding.state, holding.document)
        draft.sheet("USER.md")
        draft.revise(notes.entries("memory")[0].id, "The port is 6391")
        change = notes._ledger.commit(Plan("replace", draft))
    assert rendered == [("The port is 6391",)]
    assert list(change.files) == ["MEMORY.md"]


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="asks the system for the names of open files")
def test_nothing_is_in_place_before_it_and_the_journal_are_on_the_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    notes = make_notes(tmp_path)
    key = notes.add("memory", "first").entry.id  # type: ignore[union-attr]
    notes.demote(notes.add("memory", "second").entry.id)  # type: ignore[union-attr]
    told: list[tuple[str, str]] = []
    sync, exchange, write = os.fsync, displacing.exchanger(), End.write

    def synced(handle: int) -> None:
        told.append(("synced", Path(f"/proc/self/fd/{handle}").resolve().name))
        sync(handle)

    def exchanged(new: str, place: str) -> None:
        told.append(("in place", Path(place).name))
        exchange(new, place)

    def written(self: End, lines) -> None:
        told.append(("written", type(lines[0]).__name__))
        write(self, lines)

    monkeypatch.setattr(os, "fsync", synced)
    monkeypatch.setattr(displacing, "exchanger", lambda: exchanged)
    monkeypatch.setattr(End, "write", written)
    change = notes.demote(key).id
    month = next((tmp_path / "memories/archive").iterdir()).name
    assert told == [
        ("written", "Change"),
        ("synced", "journal.jsonl"),
        ("synced", f".{month}.{change}-0.part.tmp"),
        ("synced", ".MEMORY.md." + change + "-0.part.tmp"),
        ("in place", month),
        ("in place", "MEMORY.md"),
        ("synced", "archive"),
        ("synced", "memories"),
        ("written", "Done"),
    ]

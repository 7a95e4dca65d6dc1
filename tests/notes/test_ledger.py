"""A change writes what it changes."""

from pathlib import Path

from tests.notes.making import make_notes

from archivist.notes.document import Document
from archivist.notes.drafting import Draft
from archivist.notes.ledger import Plan


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

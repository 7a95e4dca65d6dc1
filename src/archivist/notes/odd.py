"""What a person noted that reads as if it wanted to steer the models that read it: it stays as it was said, and they are told."""

from collections.abc import Iterator

from archivist.guard.scanning import scan
from archivist.records import Notice
from archivist.records.notes import NoteChange

_GIVE_WORDS = frozenset({"add", "replace", "edit", "batch"})


def oddities(change: NoteChange) -> Iterator[Notice]:
    """A notice for each entry that a change gave such words."""
    if change.action not in _GIVE_WORDS:
        return
    for entry in change.entries:
        reason = next((found.reason for found in scan(entry.text) if found.severity == "block"), None)
        if reason is not None:
            yield Notice(
                "reads-like-an-order",
                f"{entry.id} is noted, and shown to models, as it was said, though it reads as if it {reason};"
                f" `archivist memory undo {change.id}` takes it back",
            )


__all__ = ["oddities"]

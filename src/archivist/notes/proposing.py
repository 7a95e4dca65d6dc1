"""What a contradiction asks its owner: whether the later of two statements takes the place of the earlier one."""

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from typing import Final

from archivist.guard import mask
from archivist.notes.contradicting import SAID, Contradiction
from archivist.notes.matching import preview
from archivist.records import Notice
from archivist.records.digest import text_digest
from archivist.records.notes import Entry
from archivist.records.proposals import ASKED_FOR, Evidence, Proposal, ProposedOperation, SeenEntry

ID_CHARS: Final = 10

File = Callable[[Sequence[Proposal]], tuple[Notice, ...]]
"""Keeps proposals for their owner; what could not be kept it says in notices, and never fails."""


def contradictions_of(
    entry: Entry,
    found: Sequence[tuple[Contradiction, Entry]],
    *,
    now: datetime,
    new_id: Callable[[], str],
) -> Iterator[Proposal]:
    """What is proposed of an entry that was noted just now and of those that it contradicts.

    Nothing is of one with a secret in it, which a hand has put into a file: that is stored nowhere else.

    Args:
        entry: What was noted.
        found: What it contradicts, and why.
        now: The time.
        new_id: Makes ids.
    """
    for contradiction, other in found:
        if mask(other.text).secrets or mask(entry.text).secrets:
            continue
        seen = tuple(SeenEntry(one.id, one.text, one.observed_at) for one in (other, entry))
        words = "\0".join(f"{one.id}\0{one.text}" for one in sorted(seen, key=lambda one: one.id))
        yield Proposal(
            id=f"p{new_id()[:ID_CHARS]}",
            kind="contradiction",
            target=entry.target,
            operations=(ProposedOperation("close", other.id, by=entry.id),),
            evidence=Evidence(seen, (*other.sources, *entry.sources)),
            reason=f"{entry.id} {SAID[contradiction.why]}",
            made_at=now,
            same=f"contradiction {text_digest(words)}",
            scope=entry.scope,
            expires_at=now + ASKED_FOR,
        )


def told(entry: Entry, contradiction: Contradiction, other: Entry) -> Notice:
    """What a result says of a contradiction."""
    since = other.observed_at.date().isoformat()
    text = (
        f"{entry.id} {SAID[contradiction.why]}: {other.id} “{preview(other.text)}”, noted on {since}; both stand until their owner decides;"
        " `archivist review list` asks which of them holds"
    )
    return Notice("contradicts", text)


__all__ = ["File", "contradictions_of", "told"]

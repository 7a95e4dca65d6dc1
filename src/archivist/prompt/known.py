"""What a session knows of the notes: what its snapshot showed it, and what it was told since.

It is read from the snapshot's own text, which is what the model read, whatever has become of the journal. An entry is known by its id;
one that has another id by now, as after the journal was deleted, is known by its words.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final

import msgspec

from archivist.notes.document import DELIMITER
from archivist.prompt.heads import OVER_BUDGET, RULE
from archivist.prompt.wording import wording_of
from archivist.records import Scope
from archivist.records.notes import HOME_SCOPE, Entry, Snapshot, SnapshotSection, Target
from archivist.records.patterns import late_pattern

_HEAD: Final = late_pattern(rf"(?:\A|\n\n){RULE}\n[^\n]*\n{RULE}\n")
_CUT: Final = late_pattern(r"(?s)\A(.*) … \[cut, ([\d,]+) more characters: recall [^\]]*\]\Z")


class Known(msgspec.Struct, frozen=True):
    """An entry as a session knows it.

    Attributes:
        words: As it was shown or told; None where that cannot be said.
        is_seen: Whether it was shown or told; else the session knows only that there is more.
        scope: Whose it is.
    """

    target: Target
    words: str | None
    is_seen: bool = True
    scope: Scope = HOME_SCOPE


Knowledge = Mapping[str, Known]
"""By the ids of entries."""


def shown_by(snapshot: Snapshot, then: Sequence[Entry] = ()) -> dict[str, Known]:
    """What a session knows that was given a snapshot.

    Args:
        snapshot: As it was given.
        then: The entries that there were, for what does not stand in the snapshot; none where the journal does not know.
    """
    words = _words(snapshot)
    former = {entry.id: entry.text for entry in then}
    found = dict[str, Known]()
    for section in snapshot.report.sections:
        for key in section.entries:
            found[key] = Known(section.target, words.get(key, former.get(key)), scope=section.scope)
        for key in section.left_out:
            found.setdefault(key, Known(section.target, former.get(key), is_seen=False, scope=section.scope))
    return found


def when_told(known: Knowledge, then: Sequence[Entry]) -> dict[str, Known]:
    """What a session knows that was told what changed up to a moment.

    Args:
        known: What it knew before.
        then: All entries that there were at that moment.
    """
    found = dict[str, Known]()
    for entry in then:
        before = known.get(entry.id)
        if before is not None:
            is_seen = before.is_seen or not is_same(before.words, entry.text)
            found[entry.id] = Known(entry.target, entry.text, is_seen, entry.scope)
        elif entry.tier == "core":
            found[entry.id] = Known(entry.target, entry.text, scope=entry.scope)
    return found


def when_done(known: Knowledge, then: Sequence[Entry], touched: Collection[str]) -> dict[str, Known]:
    """What a session knows that made a change itself: what it is about, and nothing that others did before.

    Args:
        known: What it knew before.
        then: All entries that there were when it was done.
        touched: The ids of those that it is about.
    """
    found = {key: one for key, one in known.items() if key not in touched}
    mine = (entry for entry in then if entry.id in touched)
    return found | {entry.id: Known(entry.target, entry.text, scope=entry.scope) for entry in mine}


def is_same(words: str | None, text: str) -> bool:
    """Whether an entry says what a session knows of it, as far as it was shown; so where its words are not known."""
    if words is None or words == text:
        return True
    worded = wording_of(text).text
    if words == worded or wording_of(words).text == worded:
        return True
    cut = _CUT.match(words)
    if cut is None:
        return False
    kept, left = cut[1], int(cut[2].replace(",", ""))
    return worded.startswith(kept) and len(worded) == len(kept) + left


def in_other_ids(known: Knowledge, present: Mapping[str, Entry]) -> Iterator[tuple[str, str]]:
    """Pairs of an id that a session knows and that is gone, and the id of an entry, unknown to it, that has the very words."""
    gone = {key: one.words for key, one in known.items() if key not in present and one.words is not None}
    if not gone:
        return
    from archivist.notes.likeness import normal  # noqa: PLC0415 - ids seldom change

    fresh = dict[str, str]()
    for key, entry in present.items():
        if key not in known:
            fresh.setdefault(normal(wording_of(entry.text).text), key)
    for key, words in gone.items():
        said = normal(wording_of(words).text)
        if said not in fresh and _CUT.match(words):
            said = next((one for one, other in fresh.items() if is_same(words, present[other].text)), said)
        if said in fresh:
            yield key, fresh.pop(said)


def _words(snapshot: Snapshot) -> dict[str, str]:
    """What stands in a snapshot, by entry; nothing where its text and its report do not say the same."""
    blocks = _HEAD.split(snapshot.text)[1:]
    sections = [section for section in snapshot.report.sections if section.entries or _more(section)]
    if len(blocks) != len(sections):
        return {}
    found = dict[str, str]()
    for section, block in zip(sections, blocks, strict=True):
        pieces = block.split(DELIMITER)
        if len(pieces) != len(section.entries) + _more(section) + bool(section.contradictions):
            return {}
        found |= dict(zip(section.entries, pieces, strict=False))
    return found


def _more(section: SnapshotSection) -> bool:
    """Whether a block says that there is more."""
    return OVER_BUDGET in section.left_out.values()


__all__ = ["Knowledge", "Known", "in_other_ids", "is_same", "shown_by", "when_told"]
